"""Signatures of moves: the signed move is sealed, and so is whether a standing order made it."""

from typing import Any, Final

from domain.core.cards import Seat
from domain.core.values import value
from domain.core.visibility import Private
from domain.match.match_part import MatchPart
from domain.match.state import Match


@value
class MoveSigned:
    """The player has signed the next move of the commit; others can read it once the hand is disclosed.

    `move` is the signed move, `{name, args}`, and `signature` is in hex.
    """

    seat: Seat
    move: Private[Any]
    """The signed move: its name and arguments."""
    signature: Private[str]
    """The signature of the move (Ed25519), in hex."""


@value
class CauseSealed:
    """The seat moved by hand or by a standing order; others learn which after the match."""

    seat: Seat
    true_cause: Private[str]
    """Whether the seat made the `move` by hand, or by an `order`."""


def evolve_move_signatures(m: Match, event: Any) -> None:
    """Assign nothing: signatures and causes are only recorded."""


MOVE_SIGNATURES: Final = MatchPart(
    texts={
        MoveSigned: "Seat {seat} has signed its move.",
        CauseSealed: "Whether seat {seat} moved in person or by a standing order is sealed until the match is over.",
    },
    evolve=evolve_move_signatures,
)
