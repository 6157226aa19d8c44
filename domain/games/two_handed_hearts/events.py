"""Defines the moves and events of Two-Handed Hearts, describes events in words, and explains refusals."""

from collections.abc import Mapping
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from domain.core import event_fields
from domain.core import text as words
from domain.core.cards import Card, Cards, Seat
from domain.core.choices import arguments_schema
from domain.core.options import Range
from domain.core.refusals import Refusal
from domain.core.types import Title
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.two_handed_hearts.options import Pair, Taken

# --- Moves ----------------------------------------------------------------------------------------


@value
class KeepCard:
    title: ClassVar[str] = "Exchange card"
    discard: Card
    """The card to discard."""


@value
class RejectCard:
    title: ClassVar[str] = "Discard the card"


@value
class PlayCard:
    card: Card
    """The card to play."""


@value
class ClaimRevoke:
    trick_no: Annotated[int, Range(1, 26), Title("Trick")]
    """The number of the trick of the claimed revoke, from 1."""
    accused: Annotated[Seat, Range(0, 1), Title("Seat accused")]
    """The seat whose revoke is claimed."""


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
    """The choice of a claim against the other seat, of one of the complete tricks."""

    tricks: int
    accused: Seat
    make: ClassVar[type] = ClaimRevoke
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is ClaimRevoke and move.accused == self.accused and 0 < move.trick_no <= self.tricks

    def schema(self) -> dict[str, Any]:
        trick_no = {"type": "integer", "minimum": 1, "maximum": self.tricks}
        return arguments_schema({"trick_no": trick_no, "accused": {"enum": [self.accused]}})

    def sample(self, rng: Random) -> ClaimRevoke:
        return ClaimRevoke(rng.randint(1, self.tricks), self.accused)


# --- Events ---------------------------------------------------------------------------------------


@value
class GameStarted:
    game_no: event_fields.GameNo


@value
class CardCut:
    seat: Seat
    card: Card
    """The card that the seat cut."""


@value
class FirstDealerChosen:
    seat: Seat
    how: Literal["cut"]
    """How the dealer was found: by the cut."""


@value
class HandStarted:
    hand_no: event_fields.HandNo
    deal_no: event_fields.DealNo
    dealer: Seat
    """The seat that deals."""


@value
class HandDealt:
    """The hands are dealt; the order of the stock is hidden from all until the hand is over."""

    counts: event_fields.DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""
    stock: Hidden[Cards]
    """The stock, the top card first."""


@value
class StockDrawn:
    seat: Seat
    draw_no: int
    """The number of the draw in the hand, from 1."""
    stock_left: event_fields.StockCount
    card: Private[Card]
    """The drawn card."""


@value
class HandReplenished:
    """After a trick the seat takes the top card of the stock into its hand."""

    seat: Seat
    draw_no: int
    """The number of the draw in the hand, from 1."""
    stock_left: event_fields.StockCount
    card: Private[Card]
    """The drawn card."""


@value
class DrawnCardKept:
    seat: Seat
    discarded: Private[Card]
    """The discarded card."""


@value
class DrawnCardRejected:
    seat: Seat


@value
class DrawingCompleted:
    leader: Seat
    """The seat that leads to the first trick."""


@value
class CardPlayed:
    seat: Seat
    card: Card
    """The played card."""
    trick_no: event_fields.TrickNo


@value
class TrickTaken:
    trick_no: event_fields.TrickNo
    winner: Seat
    """The seat that took the trick."""
    cards: Cards
    """The cards of the trick, in the order in which they were played."""


@value
class ClaimingStarted:
    pass


@value
class ClaimPassed:
    seat: Seat


@value
class ClaimRejected:
    by: Seat
    """The seat that claimed the revoke."""
    trick_no: event_fields.TrickNo
    accused: Seat
    """The seat that did not revoke."""


@value
class RevokeFound:
    """`seat` played `card` though it held `held` of the suit led; `by` is the seat that claimed it, if one did."""

    seat: Seat
    trick_no: event_fields.TrickNo
    card: Card
    """The played card."""
    held: Cards
    """The cards of the led suit that the seat held."""
    by: Seat | None
    """The seat that claimed it; null if no seat did."""


@value
class HandScored:
    """The hand is scored; `revokes` names the seats found to have revoked."""

    taken: tuple[Taken, ...]
    """The points taken in the hand, seat by seat."""
    waste_count: int
    """The number of discarded cards."""
    moon: Seat | None
    """The seat that shot the moon; null for none."""
    revokes: tuple[Seat, ...]
    """The seats that revoked."""
    points: event_fields.Gained[Pair]
    totals: event_fields.Totals[Pair]


@value
class GameEnded:
    """The game ended. `ranking` has each seat's place, from 1; equal totals share one."""

    totals: event_fields.Totals[Pair]
    ranking: event_fields.Places[Pair]
    winners: event_fields.Winners
    reason: event_fields.EndReason


Event = (
    GameStarted
    | CardCut
    | FirstDealerChosen
    | HandStarted
    | HandDealt
    | StockDrawn
    | HandReplenished
    | DrawnCardKept
    | DrawnCardRejected
    | DrawingCompleted
    | CardPlayed
    | TrickTaken
    | ClaimingStarted
    | ClaimPassed
    | ClaimRejected
    | RevokeFound
    | HandScored
    | GameEnded
)


TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} began.",
    CardCut: "Seat {seat} cut {card}.",
    FirstDealerChosen: "Seat {seat} got the first deal and lead, by the {how}.",
    HandStarted: "Hand {hand_no}: seat {dealer} dealt.",
    HandDealt: "The cards were dealt{cards:dealt}.",
    HandReplenished: "Seat {seat} took {card}; {stock_left} left in the stock.",
    StockDrawn: "Seat {seat} drew {card}; {stock_left} left in the stock.",
    DrawnCardKept: "Seat {seat} kept the card and discarded {discarded}.",
    DrawnCardRejected: "Seat {seat} rejected the card.",
    DrawingCompleted: "The stock ran out; seat {leader} had the first lead.",
    CardPlayed: "Seat {seat} played {card}.",
    TrickTaken: "Seat {winner} took trick {trick_no}: {cards}.",
    ClaimingStarted: "The last trick was taken; revokes could still be claimed.",
    ClaimPassed: "Seat {seat} had no more claims.",
    ClaimRejected: "Seat {by} wrongly claimed that seat {accused} revoked in trick {trick_no}.",
    RevokeFound: "Seat {seat} revoked in trick {trick_no}: it played {card} and held {held}.",
    HandScored: "The hand ended{moon}{revokes}. Points: {points}. Totals: {totals}.",
    GameEnded: "The game ended: {winners}{reason}. Totals: {totals}.",
}


IN_WORDS: words.Words = {
    "discarded": words.name_card,
    "held": words.name_cards,
    "moon": lambda x: "" if x is None else f"; seat {x} shot the moon",
    "revokes": lambda x: f"; {words.seats(x)} revoked" if x else "",
}


text = words.event_text(TEXTS, IN_WORDS)


# --- Refusals -------------------------------------------------------------------------------------


REFUSALS: Mapping[str, Refusal] = {
    "must_discard_another": Refusal("Discard another card", "To discard the card that you just drew, reject it."),
    "too_many_claims": Refusal(
        "Too many false claims", "You have made three false claims in this hand, the maximum. Wait for the next hand."
    ),
}
