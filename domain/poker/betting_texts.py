"""Tells the events of poker in words."""

from collections.abc import Mapping
from typing import Any

from domain.core import text as words
from domain.core.cards import NAMES, Cards
from domain.poker.betting_events import (
    ActionOn,
    AntePosted,
    BetReturned,
    BetsCollected,
    BettingOpened,
    BettingReopened,
    BigBlindAntePosted,
    BlindPosted,
    BoardDealt,
    ButtonDrawn,
    CardsShown,
    CardsSwapped,
    DrawCompleted,
    DrawStarted,
    GameEnded,
    GameStarted,
    HandDealt,
    HandMucked,
    HandSettled,
    HandShown,
    HandStarted,
    LevelRaised,
    LevelsTimed,
    PlayerBet,
    PlayerCalled,
    PlayerChecked,
    PlayerEliminated,
    PlayerFolded,
    PlayerRaised,
    PlayerWithdrawn,
    PotAwarded,
    PotsFormed,
    RebuyMade,
    StacksBrought,
    StacksReset,
    StockRanOut,
    StockRebuilt,
    TableLeft,
    TableResumed,
)
from domain.poker.pots import Pots

TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} begins.",
    ButtonDrawn: "Seat {seat} draws the first button.",
    LevelsTimed: "The blinds rise by the clock from {at}.",
    LevelRaised: "Level {level}: the blinds are {small} and {big}{ante} from the next hand.",
    HandStarted: "Hand {hand_no}: the button is at seat {button}; the stacks are {stacks}.",
    AntePosted: "Seat {seat} posts an ante of {amount}{all_in}.",
    BlindPosted: "Seat {seat} posts {kind} of {amount}{all_in}.",
    BigBlindAntePosted: "Seat {seat} posts an ante of {amount} for all{all_in}.",
    HandDealt: "The cards are dealt{cards:dealt}.",
    BettingOpened: "Betting {round}: the minimum bet is {unit}.",
    ActionOn: "The action is on seat {seat}{owed}.",
    PlayerFolded: "Seat {seat} folds.",
    PlayerChecked: "Seat {seat} checks.",
    PlayerCalled: "Seat {seat} calls {amount}{all_in}.",
    PlayerBet: "Seat {seat} bets {to}{all_in}.",
    PlayerRaised: "Seat {seat} raises to {to}{all_in}.",
    BettingReopened: "That completes a full bet of {to}: the others may raise again.",
    BetsCollected: "The betting round is over; {pot} in the middle.",
    BetReturned: "Uncalled bet of {amount} is returned to seat {seat}.",
    PotsFormed: "In the middle: {pots}.",
    BoardDealt: "The {street}: {cards}.",
    DrawStarted: "The draw begins.",
    CardsSwapped: "Seat {seat} exchanges {:swap}.",
    StockRanOut: "Seat {seat} discards {:swap}, and the stock runs out.",
    StockRebuilt: "Folded and discarded cards are shuffled into a new stock of {count} cards.",
    DrawCompleted: "All have drawn.",
    HandShown: "Seat {seat} shows {cards}{category}.",
    HandMucked: "Seat {seat} mucks its hand.",
    PotAwarded: "{pot:pot_name}: {winners:shares}{category}.",
    HandSettled: "The hand is over; the stacks are {stacks}.",
    CardsShown: "Seat {seat} chooses to show {cards}.",
    RebuyMade: "Seat {seat} rebuys for {stack}.",
    StacksReset: "All stacks are reset to {stack}. Results so far: {ledger}.",
    StacksBrought: "The seats bring {stacks}.",
    TableResumed: "The table goes on at level {level}: the stacks are {stacks}.",
    TableLeft: "Seat {seat} leaves the table.",
    PlayerWithdrawn: "Seat {seat} is out of the game.",
    PlayerEliminated: "Seat {seat} is out, in place {place}{chips}.",
    GameEnded: "The game is over: {winners}{reason}. Totals: {totals}.",
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
    "ante": lambda ante: f", the ante {ante}" if ante else "",
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
    "shares": lambda shares: words.join_words(f"seat {s.seat} wins {s.amount}" for s in shares),
    "ledger": words.for_each_seat,
    "chips": lambda chips: f", and {chips} chips leave play" if chips else "",
}

text = words.event_text(TEXTS, IN_WORDS)
