"""Simulates a year of matches by mail in minutes, with a controlled clock: see CONTRIBUTING."""
