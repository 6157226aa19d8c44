"""Defines the commands of a match: what seats, the server and the clock ask of it, beside the moves of its game."""

from typing import Any, Final

from domain.core.staking import TableStakes
from domain.core.values import value
from domain.match.match_parts import gather


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


SEAT_COMMANDS: Final = gather(lambda part: part.seat_commands)
"""A seat sends these commands of the match like a move, by their names in the API."""
