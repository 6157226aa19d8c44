"""This package holds what the games of poker share."""
