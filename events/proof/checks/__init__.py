"""This package holds the checks of a verification; each compares one thing with what it must be."""
