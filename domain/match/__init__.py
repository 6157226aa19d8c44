"""The life of a match, around any game."""
