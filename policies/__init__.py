"""What is allowed: policy families, their versions, what is in force, and the pure engine that answers from them."""
