"""Decides the events of a player's collection: packs, trades, prizes.

Each collection is a separate stream, which only its player reads. The package knows no game: the caller supplies the
cards.
"""
