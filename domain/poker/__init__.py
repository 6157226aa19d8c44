"""Provides the parts common to the poker games."""
