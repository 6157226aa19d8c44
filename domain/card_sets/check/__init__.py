"""Checks card files from other authors."""
