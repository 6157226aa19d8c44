"""Clients that are generated from the description, and linters of it."""
