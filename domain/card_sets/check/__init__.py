"""The checks of a file of cards that somebody wrote."""
