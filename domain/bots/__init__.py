"""Players, a module for each game: what a seat sees in, a move out."""
