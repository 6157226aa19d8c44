"""Holds the sets that are built in, with their cards and tokens, read once from the files beside this module."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from domain.games.fivewells.cards.card import CardSet, PrintedCard, Token
from domain.games.fivewells.cards.read import read_set


def _sets() -> tuple[CardSet, ...]:
    folder = files(__package__) / "sets"
    read = [read_set(json.loads(file.read_text("utf-8"))) for file in folder.iterdir() if file.name.endswith(".json")]
    return tuple(sorted(read, key=lambda one: one.released))


SETS: Final[Mapping[str, CardSet]] = {one.code: one for one in _sets()}
"""The sets by their codes, in the order of their release."""

CARDS: Final[Mapping[str, PrintedCard]] = {card.id: card for one in SETS.values() for card in one.cards}
"""The cards of all sets by their ids, as `fw1-006`."""

TOKENS: Final[Mapping[str, Token]] = {token.id: token for one in SETS.values() for token in one.tokens}
"""The tokens by their ids; a token that two sets list is the same in both."""

BASIC_LANDS: Final = tuple(card for card in CARDS.values() if card.basic)
"""The basic lands, which every player has as many of as a deck needs."""
