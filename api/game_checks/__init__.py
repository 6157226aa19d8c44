"""Checks that a game keeps to what its record declares: `dealt check-game`, the pytest plugin and our own tests."""
