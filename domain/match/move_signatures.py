"""Signatures of moves: the signed move is sealed, and so is whether a standing order made it."""

from collections.abc import Iterable
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
    """Whether the seat moved by hand (`move`), or by a standing order (`order`)."""


def signature_of(event: Any) -> str | None:
    """Return the signature of a signed move; None for any other event."""
    return event.signature if type(event) is MoveSigned else None


def sealed_cause(events: Iterable[Any]) -> str | None:
    """Return the sealed cause of a move from its events; None if there is none, or it is not disclosed."""
    return next((event.true_cause for event in events if type(event) is CauseSealed and event.true_cause), None)


def evolve_move_signatures(m: Match, event: Any) -> None:
    """Assign nothing: signatures and causes are only recorded."""


MOVE_SIGNATURES: Final = MatchPart(
    texts={
        MoveSigned: "Seat {seat} signed its move.",
        CauseSealed: "Whether seat {seat} moved in person or by a standing order was sealed until the match ends.",
    },
    outside_play=frozenset({MoveSigned, CauseSealed}),
    opened_with_hand=frozenset({MoveSigned}),
    evolve=evolve_move_signatures,
)
