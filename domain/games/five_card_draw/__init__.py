"""Five-card draw."""
