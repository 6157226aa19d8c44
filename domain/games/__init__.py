"""This package holds the games, a folder each."""
