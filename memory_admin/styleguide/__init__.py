"""Every component in every state, drawn by the fragments the pages use. Only where DEBUG is on."""
