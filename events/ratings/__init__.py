"""Rates finished matches: a follower finds them in the log, and all else is folded from them."""
