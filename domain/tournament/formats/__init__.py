"""Formats of tournaments: each is one file, listed in `format_catalogue`."""
