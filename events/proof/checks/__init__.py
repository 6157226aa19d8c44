"""Holds the checks of a verification; each compares one thing with its expected value."""
