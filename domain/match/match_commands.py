"""Defines the commands of a match: what seats, the server and the clock ask of it, beside the moves of its game."""

from collections.abc import Mapping
from typing import Any, Literal

from domain.core.staking import TableStakes
from domain.core.values import value


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
class OfferDraw:
    """Offer to call the game drawn."""


@value
class AcceptDraw:
    """Agree to call the game drawn."""


@value
class DeclineDraw:
    """Play on after a draw was offered."""


@value
class ContinueMatch:
    """Be ready for the next hand."""


@value
class RequestTakeBack:
    """Ask to take one's last move back."""


@value
class GrantTakeBack:
    """Let the requested move be taken back."""


@value
class RefuseTakeBack:
    """Let the move stand."""


@value
class TakeSeatBack:
    """Play on oneself after a bot sat in."""


SEAT_COMMANDS: Mapping[str, type] = {
    "resign": Resign,
    "offer_draw": OfferDraw,
    "accept_draw": AcceptDraw,
    "decline_draw": DeclineDraw,
    "continue_match": ContinueMatch,
    "request_take_back": RequestTakeBack,
    "grant_take_back": GrantTakeBack,
    "refuse_take_back": RefuseTakeBack,
    "take_seat_back": TakeSeatBack,
}
"""A seat sends these commands of the match like a move, by their names in the API."""
