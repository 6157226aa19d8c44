"""This package holds what all games and matches are made of."""
