"""Types of the games, one module each."""
