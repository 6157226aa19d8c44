"""Defines the records of players: profiles, tokens, decks, trades, ratings and kept deadlines."""

from collections.abc import Mapping
from typing import NamedTuple

from domain.core.collectible import Deck
from domain.core.values import value
from events.store.records import Long


class Scoped(NamedTuple):
    """The stored data of a scoped token, without its secret; `used_ms` is the beginning of a day."""

    token_id: str
    scopes: str
    until_ms: int | None
    used_ms: int | None


class Player(NamedTuple):
    """A player who has not been erased."""

    player_id: str
    name: str
    handle: str
    scoped: Scoped | None = None
    """The scoped token by which the player was found; None for the main one."""
    suspended_ms: int | None = None
    """The end of the suspension, past or future, if the player was found by a token; None if there was none."""


@value
class TokenRow:
    """A scoped token as its player sees it."""

    token_id: str
    player_id: str
    name: str
    scopes: str
    salt: bytes
    created_ms: int
    until_ms: int | None = None
    used_ms: int | None = None


@value
class SavedDeck:
    """A deck that a player has saved; `sets` are those whose cards it may have, or empty for all."""

    deck_id: str
    player_id: str
    name: str
    sets: tuple[str, ...]
    deck: Deck
    created_ms: int
    changed_ms: int


@value
class TradeRow:
    """An open offer: its maker, its recipient, and the given and wanted cards by id."""

    trade_id: str
    collection_id: str
    player_id: str
    partner_id: str
    give: Mapping[str, int]
    want: Mapping[str, int]


class RatingRow(NamedTuple):
    """A player's rating in a pool as it is stored."""

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
    """The public data of a player: none after erasure, and no handle in an imported match."""

    name: str | None = None
    handle: str | None = None


class RatedRow(NamedTuple):
    """A match that is rated."""

    place: Long
    match_no: int
    ended_ms: int
    facts: str


class RatingRun(NamedTuple):
    """The progress of the ratings: the formula, the run and the last match."""

    formula: str
    run: int
    place: Long


class TrustRow(NamedTuple):
    """The trust in a player from rated matches, as JSON, and whether it proves the player."""

    player_id: str
    proven: bool
    trust: str


class DecisionRow(NamedTuple):
    """How a player kept deadlines in a finished match: decisions in time, and decisions that ran out."""

    match_no: int
    player_id: str
    ended_ms: int
    in_time: int
    late: int
