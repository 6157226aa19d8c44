"""Defines the events of poker, each with its line of text (poker 2–6); all is public but cards not yet shown."""

from collections.abc import Mapping
from typing import Any, Literal

from domain.core import text as words
from domain.core.cards import NAMES, Cards, Seat
from domain.core.clock import Time
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.poker.betting import Chips
from domain.poker.pots import Pots, Share

RoundName = Literal["preflop", "flop", "turn", "river", "bet1", "bet2"]


@value
class GameStarted:
    game_no: int


@value
class ButtonDrawn:
    """The first button is drawn among the seats that play."""

    seat: Seat
    among: tuple[Seat, ...]


@value
class LevelsTimed:
    """From now on the blinds rise with the minutes."""

    at: Time


@value
class LevelRaised:
    level: int
    small: int
    big: int
    ante: int


@value
class HandStarted:
    """A hand begins; a stack of 0 is not dealt in. The button or the small blind may be at a seat without a player."""

    hand_no: int
    deal_no: int
    button: Seat
    small_blind: Seat | None
    big_blind: Seat | None
    stacks: Chips


@value
class AntePosted:
    seat: Seat
    amount: int
    all_in: bool


@value
class BlindPosted:
    seat: Seat
    kind: Literal["small", "big", "ante"]
    amount: int
    all_in: bool


@value
class BigBlindAntePosted:
    """The big blind posts the ante for all: chips in the pot that count for no seat's level."""

    seat: Seat
    amount: int
    all_in: bool


@value
class HandDealt:
    """`deck` is what the deal leaves, the top card first: burns and the board in hold'em, the stock in draw."""

    counts: tuple[int, ...]
    cards: PerSeat[Cards]
    deck: Hidden[Cards]


@value
class BettingOpened:
    """A betting round begins: `unit` is its least bet, `current` what must be met, `bets` those counted so far."""

    round: RoundName
    unit: int
    current: int
    bets: int


@value
class ActionOn:
    """It is a seat's turn to bet; `owed` is what it must put in to stay."""

    seat: Seat
    owed: int


@value
class PlayerFolded:
    seat: Seat


@value
class PlayerChecked:
    seat: Seat


@value
class PlayerCalled:
    seat: Seat
    amount: int
    all_in: bool


@value
class PlayerBet:
    """`to` is what the seat has put in this round, `amount` what it adds for that."""

    seat: Seat
    to: int
    amount: int
    all_in: bool


@value
class PlayerRaised:
    seat: Seat
    to: int
    amount: int
    all_in: bool


@value
class BettingReopened:
    """The bet or raise was a full one: to `to`, by `by` more than before, the latest of `bets` bets."""

    to: int
    by: int
    bets: int


@value
class BetsCollected:
    """A betting round is over; `pot` is all that has been put in so far."""

    pot: int


@value
class BetReturned:
    seat: Seat
    amount: int


@value
class PotsFormed:
    pots: Pots


@value
class BoardDealt:
    """A card is burnt, and these cards are turned up."""

    street: Literal["flop", "turn", "river"]
    cards: Cards


@value
class DrawStarted:
    pass


@value
class CardsSwapped:
    seat: Seat
    count: int
    discarded: Private[Cards]
    drawn: Private[Cards]


@value
class StockRanOut:
    """A seat discards more cards than the stock has left: a new one must be made before it draws."""

    seat: Seat
    count: int
    discarded: Private[Cards]


@value
class StockRebuilt:
    """The folded hands, and what others have discarded, become the stock."""

    count: int
    stock: Hidden[Cards]


@value
class DrawCompleted:
    pass


@value
class HandShown:
    """A hand is shown at the showdown; its category is said once all cards that count are there."""

    seat: Seat
    cards: Cards
    category: str | None
    best_five: Cards | None


@value
class HandMucked:
    seat: Seat


@value
class PotAwarded:
    """A pot is won; `pot` 0 is the main pot. Without a category no hand had to be shown."""

    pot: int
    amount: int
    winners: tuple[Share, ...]
    category: str | None


@value
class HandSettled:
    stacks: Chips


@value
class CardsShown:
    """A seat shows cards that it did not have to show."""

    seat: Seat
    cards: Cards


@value
class RebuyMade:
    seat: Seat
    stack: int
    buy_ins: int


@value
class StacksReset:
    """All begin the next hand alike; `ledger` is what each has gained and lost by that until now."""

    stack: int
    ledger: Chips


@value
class StacksBrought:
    """Seats bring these stacks to a hand that was played elsewhere; no seat is ahead or behind by them."""

    stacks: Chips


@value
class TableLeft:
    seat: Seat


@value
class PlayerWithdrawn:
    """A seat has given up the game."""

    seat: Seat


@value
class PlayerEliminated:
    """A seat is out, or has given up; `chips` it still had leave play."""

    seat: Seat
    place: int
    chips: int


@value
class GameEnded:
    """The game is over; `totals` are won or lost chips, in a tournament stacks; `prizes` are percentages, as `35/2`."""

    totals: Chips
    ranking: tuple[int, ...]
    winners: tuple[Seat, ...]
    buy_ins: Chips
    ledger: Chips
    prizes: tuple[str, ...]
    reason: str


Event = (
    GameStarted
    | ButtonDrawn
    | LevelsTimed
    | LevelRaised
    | HandStarted
    | AntePosted
    | BlindPosted
    | BigBlindAntePosted
    | HandDealt
    | BettingOpened
    | ActionOn
    | PlayerFolded
    | PlayerChecked
    | PlayerCalled
    | PlayerBet
    | PlayerRaised
    | BettingReopened
    | BetsCollected
    | BetReturned
    | PotsFormed
    | BoardDealt
    | DrawStarted
    | CardsSwapped
    | StockRanOut
    | StockRebuilt
    | DrawCompleted
    | HandShown
    | HandMucked
    | PotAwarded
    | HandSettled
    | CardsShown
    | RebuyMade
    | StacksReset
    | StacksBrought
    | TableLeft
    | PlayerWithdrawn
    | PlayerEliminated
    | GameEnded
)

COMMON: tuple[type, ...] = (
    GameStarted,
    ButtonDrawn,
    HandStarted,
    HandDealt,
    BettingOpened,
    ActionOn,
    PlayerFolded,
    PlayerChecked,
    PlayerCalled,
    PlayerBet,
    PlayerRaised,
    BettingReopened,
    BetsCollected,
    BetReturned,
    PotsFormed,
    HandShown,
    HandMucked,
    PotAwarded,
    HandSettled,
    CardsShown,
    RebuyMade,
    StacksReset,
    StacksBrought,
    TableLeft,
    PlayerWithdrawn,
    GameEnded,
)

# --- In words -------------------------------------------------------------------------------------------

TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} begins.",
    ButtonDrawn: "Seat {seat} has the button first, by lot.",
    LevelsTimed: "The blinds rise by the clock from {at} on.",
    LevelRaised: "Level {level}: the blinds are {small} and {big}{ante} from the next hand on.",
    HandStarted: "Hand {hand_no}: the button is at seat {button}; the stacks are {stacks}.",
    AntePosted: "Seat {seat} posts an ante of {amount}{all_in}.",
    BlindPosted: "Seat {seat} posts {kind} of {amount}{all_in}.",
    BigBlindAntePosted: "Seat {seat} posts an ante of {amount} for all{all_in}.",
    HandDealt: "The cards are dealt{cards:dealt}.",
    BettingOpened: "The betting {round} begins; the least bet is {unit}.",
    ActionOn: "The action is on seat {seat}{owed}.",
    PlayerFolded: "Seat {seat} folds.",
    PlayerChecked: "Seat {seat} checks.",
    PlayerCalled: "Seat {seat} calls {amount}{all_in}.",
    PlayerBet: "Seat {seat} bets {to}{all_in}.",
    PlayerRaised: "Seat {seat} raises to {to}{all_in}.",
    BettingReopened: "A full bet, to {to}: the others may raise again.",
    BetsCollected: "The betting round is over; {pot} in the middle.",
    BetReturned: "Seat {seat} takes back {amount} that nobody has called.",
    PotsFormed: "In the middle: {pots}.",
    BoardDealt: "The {street}: {cards}.",
    DrawStarted: "The draw begins.",
    CardsSwapped: "Seat {seat} exchanges {:swap}.",
    StockRanOut: "Seat {seat} discards {:swap}, and the stock has run out.",
    StockRebuilt: "Folded and discarded cards are shuffled into a stock of {count}.",
    DrawCompleted: "All have drawn.",
    HandShown: "Seat {seat} shows {cards}{category}.",
    HandMucked: "Seat {seat} mucks its hand.",
    PotAwarded: "{pot:pot_name}: {winners:shares}{category}.",
    HandSettled: "The hand is over; the stacks are {stacks}.",
    CardsShown: "Seat {seat} shows {cards} of its own accord.",
    RebuyMade: "Seat {seat} buys in again for {stack}.",
    StacksReset: "All stacks are {stack} again. Won or lost until now: {ledger}.",
    StacksBrought: "The seats bring {stacks}.",
    TableLeft: "Seat {seat} leaves the table.",
    PlayerWithdrawn: "Seat {seat} is out of the game.",
    PlayerEliminated: "Seat {seat} is out, in place {place}{chips}.",
    GameEnded: "The game is over: {winners}{reason}. Totals: {totals}.",
}


def _pots(pots: Pots) -> str:
    """Say the pots, and who may win each."""
    return ", ".join(f"{_pot(i).lower()} {pot.amount} ({words.seats(pot.eligible)})" for i, pot in enumerate(pots))


def _pot(number: int) -> str:
    return f"Side pot {number}" if number else "Main pot"


def _swapped(event: Any) -> str:
    """Say how many cards a seat exchanges, and which if the reader may know."""
    count = f"{event.count or 'no'} card{'' if event.count == 1 else 's'}"
    drawn = getattr(event, "drawn", None)
    known = "" if not event.discarded else f" ({words.cards(event.discarded)})"
    return f"{count}{known}{f' for {_in_row(drawn)}' if drawn else ''}"


def _in_row(cards: Cards) -> str:
    return " ".join(NAMES[c] for c in cards)


IN_WORDS: words.Words = {
    "at": words.moment,
    "ante": lambda ante: f", the ante {ante}" if ante else "",
    "stacks": words.each,
    "all_in": lambda all_in: ", all in" if all_in else "",
    "kind": {"small": "the small blind", "big": "the big blind", "ante": "an ante"}.__getitem__,
    "round": {
        "preflop": "before the flop",
        "flop": "on the flop",
        "turn": "on the turn",
        "river": "on the river",
        "bet1": "before the draw",
        "bet2": "after the draw",
    }.__getitem__,
    "owed": lambda owed: f", with {owed} to call" if owed else "",
    "pots": _pots,
    "pot_name": _pot,
    "swap": _swapped,
    "category": lambda slug: f" ({slug.replace('_', ' ')})" if slug else "",
    "shares": lambda shares: words.listed(f"seat {s.seat} wins {s.amount}" for s in shares),
    "ledger": words.each,
    "chips": lambda chips: f", and {chips} chips leave play" if chips else "",
}

text = words.event_text(TEXTS, IN_WORDS)
