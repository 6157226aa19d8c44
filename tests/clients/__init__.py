"""Clients generated from the description, and linters for it."""
