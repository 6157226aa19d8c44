"""This module has the records of players: who they are, their tokens, decks, trades and ratings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from domain.core.collectible import Deck


class Scoped(NamedTuple):
    """This is what is known of a scoped token wherever it is used; `used_ms` is the beginning of a day."""

    token_id: str
    scopes: str
    until_ms: int | None
    used_ms: int | None


class Player(NamedTuple):
    """This is a player who has not been erased."""

    player_id: str
    name: str
    handle: str
    scoped: Scoped | None = None
    """The scoped token by which the player was found; None for the main one."""


@dataclass(slots=True, frozen=True)
class TokenRow:
    """This is a scoped token as its player sees it."""

    token_id: str
    player_id: str
    name: str
    scopes: str
    salt: bytes
    created_ms: int
    until_ms: int | None = None
    used_ms: int | None = None


@dataclass(slots=True, frozen=True)
class SavedDeck:
    """This is a deck that a player has saved; `sets` are those whose cards it means to be built of, none: all."""

    deck_id: str
    player_id: str
    name: str
    sets: tuple[str, ...]
    deck: Deck
    created_ms: int
    changed_ms: int


@dataclass(slots=True, frozen=True)
class TradeRow:
    """This is an open offer: who has made it, to whom, which cards are given and which are wanted, by their ids."""

    trade_id: str
    collection_id: str
    player_id: str
    partner_id: str
    give: Mapping[str, int]
    want: Mapping[str, int]


class RatingRow(NamedTuple):
    """This is a player's rating in a pool as it is stored."""

    pool: str
    player_id: str
    mu: float
    sigma: float
    shown: float
    matches: int
    wins: int
    last_ms: int
    hasty: int
    lately: str
    gifts: int
    presents: str


class Identity(NamedTuple):
    """This is what others see of a player: nothing of one who was erased, and no handle in an imported match."""

    name: str | None = None
    handle: str | None = None
