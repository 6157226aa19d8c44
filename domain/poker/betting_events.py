"""Defines the events of poker (poker 2–6); everything is public except cards not yet shown."""

from typing import Annotated, Literal

from domain.core.cards import Cards, Seat
from domain.core.clock import Time
from domain.core.event_fields import DealNo, DealtCounts, EndReason, GameNo, HandNo, Places, StockCount, Winners
from domain.core.types import Doc
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.poker.betting import Chips
from domain.poker.pots import Pots, Share

RoundName = Literal["preflop", "flop", "turn", "river", "bet1", "bet2"]

PutIn = Annotated[int, Doc("The chips that the seat puts in.")]
BetTo = Annotated[int, Doc("The chips that the seat has then put in during this round.")]
AllIn = Annotated[bool, Doc("Whether the seat is all-in: it has no chips left.")]
Stacks = Annotated[Chips, Doc("The chips that each seat has, seat by seat.")]
Ledger = Annotated[Chips, Doc("The chips that each seat has won or, below 0, lost when stacks were reset.")]
Category = Annotated[str | None, Doc("The category of the best hand; null where it is not known or does not count.")]


@value
class GameStarted:
    game_no: GameNo


@value
class ButtonDrawn:
    """The first button is drawn among the seats that play."""

    seat: Seat
    among: tuple[Seat, ...]
    """The seats in the draw for the button."""


@value
class LevelsTimed:
    """From now on the blinds rise with the minutes."""

    at: Time
    """From when on the minutes of the levels count."""


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
    """The cards that the deal leaves, the top card first."""


@value
class BettingOpened:
    """A betting round begins: `unit` is its minimum bet, `current` the amount to match, `bets` the bets so far."""

    round: RoundName
    """The name of the round."""
    unit: int
    """The minimum bet, in chips."""
    current: int
    """The chips that a seat must have put in to stay."""
    bets: int
    """The number of bets so far, against the cap."""


@value
class ActionOn:
    """It is a seat's turn to bet; `owed` is the amount to call."""

    seat: Seat
    owed: int
    """The chips that the seat must put in to stay."""


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
    """The bet or raise was a full one: to `to`, by `by` more than before, the latest of `bets` bets."""

    to: BetTo
    by: int
    """The increase in chips."""
    bets: int
    """The number of bets in the round so far."""


@value
class BetsCollected:
    """A betting round is over; `pot` is all that has been put in so far."""

    pot: int
    """All chips that have been put in so far in the hand."""


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
    """Which cards of the board they are."""
    cards: Cards
    """The cards that are turned up."""


@value
class DrawStarted:
    pass


@value
class CardsSwapped:
    seat: Seat
    count: int
    """The number of cards."""
    discarded: Private[Cards]
    """The cards that the seat has discarded."""
    drawn: Private[Cards]
    """The cards that it got for them."""


@value
class StockRanOut:
    """A seat discards more cards than the stock has left: a new stock is needed before it draws."""

    seat: Seat
    count: int
    """The number of cards."""
    discarded: Private[Cards]
    """The cards that the seat has discarded."""


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
    """A hand is shown at the showdown; its category is named once all cards that count are there."""

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
    """The cards that are shown."""


@value
class RebuyMade:
    seat: Seat
    stack: int
    """The chips that the seat has now."""
    buy_ins: int
    """How often it has bought in."""


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
    """The seat of the button in the hand before, or the next one to its right that is there."""
    small_blind: Seat
    """The place of the small blind in the hand before, or the next one to its right that is there."""
    big_blind: Seat
    """The seat of the big blind in the hand before, or the next one to its right that is there."""
    big_gone: bool
    """Whether that seat is gone, so that no small blind is posted in the next hand."""


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
    """The chips that leave play with it."""


@value
class GameEnded:
    """The game is over; `totals` are net chips, or stacks in a tournament; `prizes` are percentages, such as `35/2`."""

    totals: Chips
    """The chips that each seat has won or, below 0, lost; in a tournament its stack."""
    ranking: Places[tuple[int, ...]]
    winners: Winners
    buy_ins: Chips
    """How often each seat has bought in."""
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
