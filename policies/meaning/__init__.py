"""What the rules of a policy mean: the sets of facts they apply to, and whether any facts are left for a rule."""
