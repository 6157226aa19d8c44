"""Two-Handed Hearts."""
