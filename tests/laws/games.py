"""Lists the games that the laws are tested on: each built-in game has its own entries in tests/games/<game>/law.py."""

from collections.abc import Mapping
from importlib import import_module

from domain.games.catalogue import BUILT_IN
from tests.laws.entry import Entry

LAWS = {game.name: import_module(f"tests.games.{game.name}.law") for game in BUILT_IN}

OF: Mapping[str, tuple[Entry, ...]] = {name: law.ENTRIES for name, law in LAWS.items()}
"""The entries by game."""

ENTRIES = tuple(entry for entries in OF.values() for entry in entries)

SETUPS = [(name, seats, options) for name, law in LAWS.items() for seats, options in law.SETUPS]
"""Whole matches to be played over HTTP: game, seats, options."""
SHORT_SETUPS = [(name, law.SETUPS[0][0], law.SETUPS[0][1] | law.SHORT) for name, law in LAWS.items()]
"""One short match of each game."""
