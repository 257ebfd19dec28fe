"""Pages for people: what agents remember about me."""
