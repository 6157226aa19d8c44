"""Signatures of moves: what a player has signed, and whether a standing order made the move, are sealed."""

from typing import Any, Final

from domain.core.cards import Seat
from domain.core.values import value
from domain.core.visibility import Private
from domain.match.match_part import MatchPart
from domain.match.state import Match


@value
class MoveSigned:
    """The player has signed the move that follows in the commit; others may read it with the cards of the hand.

    `move` is the move as it was signed, `{name, args}`, and `signature` is in hex.
    """

    seat: Seat
    move: Private[Any]
    """The move as it was signed: its name and arguments."""
    signature: Private[str]
    """The signature of the move (Ed25519), in hex."""


@value
class CauseSealed:
    """The seat made the move by hand, or a standing order of it did; others may know which after the match."""

    seat: Seat
    true_cause: Private[str]
    """Whether the seat made the `move` by hand, or an `order` did."""


def evolve_move_signatures(m: Match, event: Any) -> None:
    """Assign nothing: signatures and causes are only recorded."""


MOVE_SIGNATURES: Final = MatchPart(
    texts={
        MoveSigned: "Seat {seat} has signed its move.",
        CauseSealed: "Whether seat {seat} moved in person or by a standing order is sealed until the match is over.",
    },
    evolve=evolve_move_signatures,
)
