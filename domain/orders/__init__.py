"""Standing orders: what a player wants done while away."""
