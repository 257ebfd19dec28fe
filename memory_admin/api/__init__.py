"""The agents' surface: one prefix, one view per operation, every rule elsewhere."""
