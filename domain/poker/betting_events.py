"""Defines the events of poker (poker 2–6) and their texts. Only cards that were not shown are secret."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from domain.core import text as words
from domain.core.cards import NAMES, Cards, Seat
from domain.core.clock import Time
from domain.core.event_fields import DealNo, DealtCounts, EndReason, GameNo, HandNo, Places, StockCount, Winners
from domain.core.types import Doc
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.poker.betting import Chips
from domain.poker.pots import Pots, Share

RoundName = Literal["preflop", "flop", "turn", "river", "bet1", "bet2"]

PutIn = Annotated[int, Doc("The chips that the seat put in.")]
BetTo = Annotated[int, Doc("The seat's chips in this round after this.")]
AllIn = Annotated[bool, Doc("Whether the seat is all-in: it has no chips left.")]
Stacks = Annotated[Chips, Doc("The chips that each seat has, seat by seat.")]
Ledger = Annotated[Chips, Doc("Wins and losses of each seat when stacks were reset, in chips.")]
Category = Annotated[str | None, Doc("The category of the best hand; null if it is unknown or does not count.")]


@value
class GameStarted:
    game_no: GameNo


@value
class ButtonDrawn:
    """The first button is drawn among the seats that play."""

    seat: Seat
    among: tuple[Seat, ...]
    """The seats that the button was drawn among."""


@value
class LevelsTimed:
    """From now on the blinds rise with the minutes."""

    at: Time
    """Start of the clock for levels."""


@value
class LevelRaised:
    level: int
    """The number of the level, from 1."""
    small: int
    """The small blind, in chips."""
    big: int
    """The big blind, in chips."""
    ante: int
    """The ante, in chips; 0 if there is none."""


@value
class HandStarted:
    """A hand begins; a stack of 0 is not dealt in. The button or the small blind may be at a seat without a player."""

    hand_no: HandNo
    deal_no: DealNo
    button: Seat
    """The seat of the button."""
    small_blind: Seat | None
    """The seat of the small blind; null if none is posted."""
    big_blind: Seat | None
    """The seat of the big blind; null if none is posted."""
    stacks: Stacks


@value
class AntePosted:
    seat: Seat
    amount: PutIn
    all_in: AllIn


@value
class BlindPosted:
    seat: Seat
    kind: Literal["small", "big", "ante"]
    """Whether it is the small blind, the big blind or an ante."""
    amount: PutIn
    all_in: AllIn


@value
class BigBlindAntePosted:
    """The big blind posts the ante for all: chips in the pot that count for no seat's level."""

    seat: Seat
    amount: PutIn
    all_in: AllIn


@value
class HandDealt:
    """`deck` is the remaining cards, the top card first: burn cards and the board, or else the stock."""

    counts: DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""
    deck: Hidden[Cards]
    """The undealt cards, the top card first."""


@value
class BettingOpened:
    """A betting round begins: `unit` is its minimum bet, `current` the amount to match, `bets` the bets so far."""

    round: RoundName
    """The name of the round."""
    unit: int
    """The minimum bet, in chips."""
    current: int
    """The amount to match in this round."""
    bets: int
    """The number of bets so far, which the cap limits."""


@value
class ActionOn:
    """It is a seat's turn to bet; `owed` is the amount to call."""

    seat: Seat
    owed: int
    """The chips that the seat must put in to call."""


@value
class PlayerFolded:
    seat: Seat


@value
class PlayerChecked:
    seat: Seat


@value
class PlayerCalled:
    seat: Seat
    amount: PutIn
    all_in: AllIn


@value
class PlayerBet:
    """`to` is the seat's total in this round, and `amount` the part added now."""

    seat: Seat
    to: BetTo
    amount: PutIn
    all_in: AllIn


@value
class PlayerRaised:
    seat: Seat
    to: BetTo
    amount: PutIn
    all_in: AllIn


@value
class BettingReopened:
    """A full bet or raise reopened the betting: to `to`, `by` more than before; it is bet number `bets`."""

    to: BetTo
    by: int
    """The increase in chips."""
    bets: int
    """The number of bets in the round so far."""


@value
class BetsCollected:
    """A betting round is over; `pot` is the total of all bets in the hand."""

    pot: int
    """All chips put in during the hand so far."""


@value
class BetReturned:
    seat: Seat
    amount: int
    """The uncalled chips."""


@value
class PotsFormed:
    pots: Pots
    """The pots, the main pot first."""


@value
class BoardDealt:
    """A card is burnt, and these cards are turned up."""

    street: Literal["flop", "turn", "river"]
    """The street: flop, turn or river."""
    cards: Cards
    """The board cards."""


@value
class DrawStarted:
    pass


@value
class CardsSwapped:
    seat: Seat
    count: int
    """The number of cards."""
    discarded: Private[Cards]
    """The discarded cards."""
    drawn: Private[Cards]
    """The drawn cards."""


@value
class StockRanOut:
    """A seat discards more cards than the stock has left: a new stock is needed before it draws."""

    seat: Seat
    count: int
    """The number of cards."""
    discarded: Private[Cards]
    """The discarded cards."""


@value
class StockRebuilt:
    """The folded hands and the other seats' discards become the stock."""

    count: StockCount
    stock: Hidden[Cards]
    """The new stock, the top card first."""


@value
class DrawCompleted:
    pass


@value
class HandShown:
    """A hand is shown at the showdown; its category is known once the board is complete."""

    seat: Seat
    cards: Cards
    """The hand."""
    category: Category
    best_five: Cards | None
    """The five cards that count, those that make the hand first; null while cards are to come."""


@value
class HandMucked:
    seat: Seat


@value
class PotAwarded:
    """A pot is won; `pot` 0 is the main pot. Without a category, no hand had to be shown."""

    pot: int
    """The number of the pot; 0 is the main pot."""
    amount: int
    """The chips of the pot."""
    winners: tuple[Share, ...]
    """The share of each winner."""
    category: Category


@value
class HandSettled:
    stacks: Stacks


@value
class CardsShown:
    """A seat shows cards voluntarily."""

    seat: Seat
    cards: Cards
    """The shown cards."""


@value
class RebuyMade:
    seat: Seat
    stack: int
    """The chips that the seat has now."""
    buy_ins: int
    """Its buy-ins so far."""


@value
class StacksReset:
    """All stacks are reset; `ledger` is each seat's net result so far."""

    stack: int
    """The chips that each seat has now."""
    ledger: Ledger


@value
class StacksBrought:
    """Stacks for a hand that was played on another site; they do not count as wins or losses."""

    stacks: Stacks


@value
class TableResumed:
    """A tournament table continues, with stacks from other tables or its own."""

    stacks: Stacks
    deal_no: DealNo
    until: int
    """The number of the last hand; 0 if play continues until one seat has all chips."""
    level: int
    """The number of the level, from 1."""
    small: int
    """The small blind, in chips."""
    big: int
    """The big blind, in chips."""
    ante: int
    """The ante, in chips; 0 if there is none."""
    button: Seat
    """The seat of the last button, or the nearest occupied seat to its right."""
    small_blind: Seat
    """The seat of the last small blind, or the nearest occupied seat to its right."""
    big_blind: Seat
    """The seat of the last big blind, or the nearest occupied seat to its right."""
    big_gone: bool
    """Whether the last big blind left, so that the next hand has no small blind."""


@value
class TableLeft:
    seat: Seat


@value
class PlayerWithdrawn:
    """A seat has resigned the game."""

    seat: Seat


@value
class PlayerEliminated:
    """A seat is out, or has resigned; its remaining `chips` leave play."""

    seat: Seat
    place: int
    """The place of the seat, from 1."""
    chips: int
    """The chips that leave play."""


@value
class GameEnded:
    """The game ended. `totals` are net chips, or stacks in a tournament; `prizes` are percentages, such as `35/2`."""

    totals: Chips
    """The chips that each seat has won or, below 0, lost; in a tournament its stack."""
    ranking: Places[tuple[int, ...]]
    winners: Winners
    buy_ins: Chips
    """The buy-ins of each seat."""
    ledger: Ledger
    prizes: tuple[str, ...]
    """The share of the prize pool that each seat wins, in percent, such as `35/2`; empty in a cash game."""
    reason: EndReason


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
    | TableResumed
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


# --- In words -------------------------------------------------------------------------------------


TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} began.",
    ButtonDrawn: "Seat {seat} drew the first button.",
    LevelsTimed: "The clock of the blinds started at {at}.",
    LevelRaised: "Level {level}: blinds {small} and {big}{ante} from the next hand.",
    HandStarted: "Hand {hand_no}: button at seat {button}; stacks {stacks}.",
    AntePosted: "Seat {seat} posted an ante of {amount}{all_in}.",
    BlindPosted: "Seat {seat} posted {kind} of {amount}{all_in}.",
    BigBlindAntePosted: "Seat {seat} posted an ante of {amount} for all{all_in}.",
    HandDealt: "The cards were dealt{cards:dealt}.",
    BettingOpened: "Betting {round}: minimum bet {unit}.",
    ActionOn: "Action on seat {seat}{owed}.",
    PlayerFolded: "Seat {seat} folded.",
    PlayerChecked: "Seat {seat} checked.",
    PlayerCalled: "Seat {seat} called {amount}{all_in}.",
    PlayerBet: "Seat {seat} bet {to}{all_in}.",
    PlayerRaised: "Seat {seat} raised to {to}{all_in}.",
    BettingReopened: "That completed a full bet of {to}: the others could raise again.",
    BetsCollected: "The betting round ended; {pot} in the middle.",
    BetReturned: "An uncalled bet of {amount} was returned to seat {seat}.",
    PotsFormed: "In the middle: {pots}.",
    BoardDealt: "The {street}: {cards}.",
    DrawStarted: "The draw began.",
    CardsSwapped: "Seat {seat} exchanged {:swap}.",
    StockRanOut: "Seat {seat} discarded {:swap}, and the stock ran out.",
    StockRebuilt: "Folded and discarded cards were shuffled into a new stock of {count} cards.",
    DrawCompleted: "The draw ended.",
    HandShown: "Seat {seat} showed {cards}{category}.",
    HandMucked: "Seat {seat} mucked its hand.",
    PotAwarded: "{pot:pot_name}: {winners:shares}{category}.",
    HandSettled: "The hand ended; stacks {stacks}.",
    CardsShown: "Seat {seat} chose to show {cards}.",
    RebuyMade: "Seat {seat} rebought for {stack}.",
    StacksReset: "All stacks were reset to {stack}. Results so far: {ledger}.",
    StacksBrought: "Starting stacks: {stacks}.",
    TableResumed: "Play resumed at level {level}: stacks {stacks}.",
    TableLeft: "Seat {seat} left the table.",
    PlayerWithdrawn: "Seat {seat} withdrew from the game.",
    PlayerEliminated: "Seat {seat} was eliminated in place {place}{chips}.",
    GameEnded: "The game ended: {winners}{reason}. Totals: {totals}.",
}


def _pots(pots: Pots) -> str:
    """Return the pots in words, with the seats that may win each."""
    return ", ".join(f"{_pot(i).lower()} {pot.amount} ({words.seats(pot.eligible)})" for i, pot in enumerate(pots))


def _pot(number: int) -> str:
    return f"Side pot {number}" if number else "Main pot"


def _swapped(event: Any) -> str:
    """Return the number of cards a seat exchanges in words, with the cards if the reader may know them."""
    count = f"{event.count or 'no'} card{'' if event.count == 1 else 's'}"
    drawn = getattr(event, "drawn", None)
    known = "" if not event.discarded else f" ({words.name_cards(event.discarded)})"
    return f"{count}{known}{f' for {_in_row(drawn)}' if drawn else ''}"


def _in_row(cards: Cards) -> str:
    return " ".join(NAMES[c] for c in cards)


IN_WORDS: words.Words = {
    "at": words.moment,
    "ante": lambda ante: f", ante {ante}" if ante else "",
    "stacks": words.for_each_seat,
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
    "shares": lambda shares: words.join_words(f"seat {s.seat} won {s.amount}" for s in shares),
    "ledger": words.for_each_seat,
    "chips": lambda chips: f"; {chips} chips left play" if chips else "",
}

text = words.event_text(TEXTS, IN_WORDS)
