"""Loads the built-in sets with their cards and tokens, once, from the files next to this module."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from domain.card_sets.cards.card import CardSet, PrintedCard, Token
from domain.card_sets.cards.read import read_set


def _files() -> list[Any]:
    folder = files(__package__) / "sets"
    return [json.loads(file.read_text("utf-8")) for file in folder.iterdir() if file.name.endswith(".json")]


_FILES: Final = _files()

SETS: Final[Mapping[str, CardSet]] = {
    one.code: one for one in sorted(map(read_set, _FILES), key=lambda one: one.released)
}
"""The sets by their codes, in the order of their release."""

CARDS: Final[Mapping[str, PrintedCard]] = {card.id: card for one in SETS.values() for card in one.cards}
"""The cards of all sets by their ids, as `fw1-006`."""

ABILITIES: Final[Mapping[str, list[Any]]] = {
    row["id"]: row.get("abilities", []) for file in _FILES for row in file["cards"]
}
"""The abilities of each card as its file has them, by the card's id."""

TOKENS: Final[Mapping[str, Token]] = {token.id: token for one in SETS.values() for token in one.tokens}
"""The tokens by their ids; a token that two sets list is the same in both."""

BASIC_LANDS: Final = tuple(card for card in CARDS.values() if card.basic)
"""The basic lands; every player has an unlimited number of each."""
