"""What a version of a policy would have decided about what happened: the past is decided again, and nothing changes."""
