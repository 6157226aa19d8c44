"""Checks a game against its declaration, for `dealt check-game`, the pytest plugin and our own tests."""
