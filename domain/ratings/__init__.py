"""Rates players by the results of finished matches.

Ratings follow only from results and are never a fact of a match. They know matches; matches do not know them.
"""
