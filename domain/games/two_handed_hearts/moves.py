"""Defines the moves of Two-Handed Hearts (two_handed_hearts 2, 3): those of the seats, then those of chance."""

from random import Random
from typing import Annotated, Any, ClassVar

from domain.core.cards import Card, Cards, Seat
from domain.core.choices import described
from domain.core.options import Range
from domain.core.types import Title
from domain.core.values import value


@value
class KeepCard:
    title: ClassVar[str] = "Exchange card"
    discard: Card
    """The card to lay away."""


@value
class RejectCard:
    title: ClassVar[str] = "Lay the card away"


@value
class PlayCard:
    card: Card
    """The card to play."""


@value
class ClaimRevoke:
    trick_no: Annotated[int, Range(1, 26), Title("Trick")]
    """The number of the trick in which the other seat is said to have revoked, from 1."""
    accused: Annotated[Seat, Range(0, 1), Title("Seat accused")]
    """The seat that is said to have revoked."""


@value
class PassClaim:
    pass


@value
class Cut:
    pack: Cards


@value
class Deal:
    pack: Cards


Move = KeepCard | RejectCard | PlayCard | ClaimRevoke | PassClaim | Cut | Deal


@value
class Accusation:
    """This choice is a claim against the other seat, of one of the complete tricks."""

    tricks: int
    accused: Seat
    make: ClassVar[type] = ClaimRevoke
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is ClaimRevoke and move.accused == self.accused and 0 < move.trick_no <= self.tricks

    def schema(self) -> dict[str, Any]:
        trick_no = {"type": "integer", "minimum": 1, "maximum": self.tricks}
        return described({"trick_no": trick_no, "accused": {"enum": [self.accused]}})

    def sample(self, rng: Random) -> ClaimRevoke:
        return ClaimRevoke(rng.randint(1, self.tricks), self.accused)
