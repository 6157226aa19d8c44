"""Contains the games, one folder each."""
