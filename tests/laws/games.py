"""The games that the laws are tried on: each built-in game brings its own entries, in tests/games/<game>/law.py."""

from collections.abc import Mapping
from importlib import import_module

from domain.games.catalogue import BUILT_IN
from tests.laws.entry import Entry

LAWS = {game.name: import_module(f"tests.games.{game.name}.law") for game in BUILT_IN}

OF: Mapping[str, tuple[Entry, ...]] = {name: law.ENTRIES for name, law in LAWS.items()}
"""The entries by the game."""

ENTRIES = tuple(entry for entries in OF.values() for entry in entries)

SETUPS = [(name, seats, options) for name, law in LAWS.items() for seats, options in law.SETUPS]
FIRST_SETUPS = [(name, *law.SETUPS[0]) for name, law in LAWS.items()]
"""Whole matches to be played over HTTP: game, seats, options."""
