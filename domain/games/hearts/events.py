"""Defines the moves and events of Hearts, describes events in words, and explains refusals."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from domain.core import event_fields
from domain.core import text as words
from domain.core.cards import Card, Cards, Seat
from domain.core.refusals import Refusal
from domain.core.values import value
from domain.core.visibility import PerSeat, Private
from domain.games.hearts.options import Direction, Points

# --- Moves ----------------------------------------------------------------------------------------


@value
class PassCards:
    cards: Cards
    """The cards to pass."""


@value
class ReturnCard:
    title: ClassVar[str] = "Give back"
    card: Card
    """The card to give back."""


@value
class PlayCard:
    card: Card
    """The card to play."""


@value
class Cut:
    pack: Cards


@value
class PickFirst:
    seat: Seat


@value
class Deal:
    pack: Cards


@value
class Redeal:
    pool: Cards


Move = PassCards | ReturnCard | PlayCard | Cut | PickFirst | Deal | Redeal


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
    how: Literal["cut", "pick", "random"]
    """How the dealer was chosen: by a cut, by the options, or at random."""


@value
class HandStarted:
    hand_no: event_fields.HandNo
    deal_no: event_fields.DealNo
    dealer: Seat
    """The seat that deals."""
    pass_: Direction
    """The direction in which cards are passed in this hand."""


@value
class HandDealt:
    counts: event_fields.DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""


@value
class PassChosen:
    seat: Seat
    cards: Private[Cards]
    """The passed cards."""


@value
class CardsPassed:
    direction: Direction
    """The direction of the pass."""


@value
class PassReceived:
    seat: Seat
    from_: Seat | Literal["pool"]
    """The seat that passed the cards, or `pool` if the dealer dealt them."""
    cards: Private[Cards]
    """The received cards."""


@value
class PoolRedealt:
    pass


@value
class ReturnChosen:
    seat: Seat
    card: Private[Card]
    """The returned card."""


@value
class CardsReturned:
    pass


@value
class ReturnReceived:
    seat: Seat
    from_: Seat
    """The seat that returned the card."""
    card: Private[Card]
    """The card that came back."""


@value
class TwoOfClubsShown:
    seat: Seat


@value
class PlayStarted:
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
class HeartsOpened:
    after_trick: int
    """The number of complete tricks before this event."""


@value
class Taken:
    """A seat's taken cards in a hand; `card_points` are their points without a moon."""

    hearts: int
    """The number of hearts."""
    queen: bool
    """Whether the queen of spades is among the cards."""
    jack: bool
    """Whether the jack of diamonds is among the cards."""
    card_points: int
    """The points of the cards, without a moon."""


@value
class HandScored:
    taken: tuple[Taken, ...]
    """The points taken in the hand, seat by seat."""
    moon: Seat | None
    """The seat that shot the moon; null for none."""
    points: event_fields.Gained[Points]
    totals: event_fields.Totals[Points]


@value
class GameEnded:
    """The game ended. `ranking` has each seat's place, from 1; equal totals share one."""

    totals: event_fields.Totals[Points]
    ranking: event_fields.Places[tuple[int, ...]]
    winners: event_fields.Winners
    reason: event_fields.EndReason


Event = (
    GameStarted
    | CardCut
    | FirstDealerChosen
    | HandStarted
    | HandDealt
    | PassChosen
    | CardsPassed
    | PassReceived
    | PoolRedealt
    | ReturnChosen
    | CardsReturned
    | ReturnReceived
    | TwoOfClubsShown
    | PlayStarted
    | CardPlayed
    | TrickTaken
    | HeartsOpened
    | HandScored
    | GameEnded
)


TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} began.",
    CardCut: "Seat {seat} cut {card}.",
    FirstDealerChosen: "Seat {seat} got the first deal, {how}.",
    HandStarted: "Hand {hand_no}: seat {dealer} dealt; {pass_}.",
    HandDealt: "The cards were dealt{cards:dealt}.",
    PassChosen: "Seat {seat} passed {cards}.",
    CardsPassed: "The cards were passed {direction}.",
    PassReceived: "Seat {seat} received {cards} from {from_}.",
    PoolRedealt: "The dealer shuffled the passed cards and dealt them back.",
    ReturnChosen: "Seat {seat} returned {card}.",
    CardsReturned: "The returned cards went back to the players who passed them.",
    ReturnReceived: "Seat {seat} got back {card} from {from_}.",
    TwoOfClubsShown: "Seat {seat} showed the two of clubs.",
    PlayStarted: "Play began; seat {leader} had the first lead.",
    CardPlayed: "Seat {seat} played {card}.",
    TrickTaken: "Seat {winner} took trick {trick_no}: {cards}.",
    HeartsOpened: "Hearts were broken.",
    HandScored: "The hand ended{moon}. Points: {points}. Totals: {totals}.",
    GameEnded: "The game ended: {winners}{reason}. Totals: {totals}.",
}


PASSED = {
    "left": "to the left",
    "right": "to the right",
    "across": "across",
    "dealer": "to the dealer",
    "none": "nowhere",
}


IN_WORDS: words.Words = {
    "how": {"cut": "by the cut", "pick": "as the options set", "random": "by lot"}.__getitem__,
    "pass_": lambda x: "no passing" if x == "none" else f"passing {PASSED[x]}",
    "direction": PASSED.__getitem__,
    "from_": lambda x: "the pool" if x == "pool" else f"seat {x}",
    "moon": lambda x: "" if x is None else f"; seat {x} shot the moon",
}


text = words.event_text(TEXTS, IN_WORDS)


# --- Refusals -------------------------------------------------------------------------------------


REFUSALS: Mapping[str, Refusal] = {
    "not_a_received_card": Refusal("Not a received card", "Return one of the cards that you were just passed."),
    "must_lead_lowest": Refusal(
        "The lowest card leads", "Lead your lowest card outside hearts, and a harmful one only if you must."
    ),
    "must_lead_two_of_clubs": Refusal("The two of clubs leads", "Lead the two of clubs to the first trick."),
    "must_lead_a_two": Refusal("A two leads", "Lead one of your twos of clubs, diamonds or spades."),
    "must_lead_non_scoring": Refusal("A harmless card leads", "Lead a card that does not score to the first trick."),
    "hearts_not_open": Refusal("Hearts are not broken", "Lead another suit while you have one."),
    "harmful_on_first_trick": Refusal(
        "Harmful card on first trick", "Play another card. A harmful card is allowed only if you have no other."
    ),
}
