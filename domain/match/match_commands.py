"""Defines the commands of a match: what seats, the server and the clock ask of it, beside the moves of its game."""

from collections.abc import Mapping
from typing import Any, Literal

from domain.core.staking import TableStakes
from domain.core.values import value
from domain.match.draws import DRAWS
from domain.match.take_backs import TAKE_BACKS


@value
class Sit:
    """Take the seat, or add a nonce to one's own seat."""

    player: str
    nonce: str | None = None
    nonce_hash: str | None = None
    entry: Any = None
    """What the game asks of a seat before it begins."""
    player_key: str | None = None
    key_proof: str | None = None
    """The player's own key, with which the moves of the seat are signed; given when the seat is taken."""


@value
class Bring:
    """Let a bot bring what the game asks of a seat; this is a part of the creation of a match."""

    entry: Any


@value
class BringStacks:
    """Let the seats bring stacks from other tables; this is a part of the creation of a match of a tournament."""

    stakes: TableStakes


@value
class Leave:
    """Leave the seat before the start."""


@value
class Cancel:
    """Give the match up before the start."""


@value
class Expire:
    """End a lobby that has been open too long."""


@value
class Annul:
    """Annul a match that is over, by a ruling of the operator."""

    reason: str


@value
class TimeOut:
    """Settle the decision of a seat whose time is over."""


@value
class Credit:
    """Give a seat time back that it could not use."""

    seconds: int
    why: Literal["outage", "vacation"]


@value
class Resign:
    """Give the game up, or the whole match."""

    whole_match: bool = False
    """Whether the seat gives up the whole match, in a series, and not this game alone."""


@value
class ContinueMatch:
    """Be ready for the next hand."""


@value
class TakeSeatBack:
    """Play on oneself after a bot sat in."""


SEAT_COMMANDS: Mapping[str, type] = {
    "resign": Resign,
    **DRAWS.seat_commands,
    "continue_match": ContinueMatch,
    **TAKE_BACKS.seat_commands,
    "take_seat_back": TakeSeatBack,
}
"""A seat sends these commands of the match like a move, by their names in the API."""
