"""Implements five-card draw (five_card_draw 3): the antes, the deal, the draw."""

from domain.core.cards import Cards, Seat
from domain.games.five_card_draw.options import Options, compile_rules
from domain.poker import betting_play, betting_table, forced
from domain.poker.betting import clockwise
from domain.poker.betting_events import (
    CardsSwapped,
    DrawCompleted,
    DrawStarted,
    Event,
    HandDealt,
    HandStarted,
    StockRebuilt,
)
from domain.poker.betting_moves import (
    Deal,
    Move,
    Redeal,
)
from domain.poker.betting_table import State, alive
from domain.poker.button import next_alive


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event."""
    return betting_table.start(compile_rules(options, seats), last)


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    match move:
        case Deal():
            return post_antes_and_deal(s, button(s), move.pack)
        case Redeal():
            return rebuilt(s, move.cards)
        case _:
            return betting_play.decide(s, seat, move)


def consequences(s: State) -> tuple[Event, ...]:
    """Return the events that follow now without a move."""
    return betting_play.consequences(s, go_on_after_round)


# --- The deal -------------------------------------------------------------------------------------------


def button(s: State) -> Seat:
    """Say who has the button in the next hand."""
    return next_alive(s.at.button, alive(s), s.rules.seats) if s.deal_no else s.at.button


def post_antes_and_deal(s: State, at: Seat, pack: Cards) -> tuple[Event, ...]:
    """Post the antes, and deal five cards each, one at a time from the left of the button."""
    n, order = s.rules.seats, clockwise(alive(s), at, s.rules.seats)
    k, size = len(order), s.rules.hand_size
    stacks = tuple(stack if seat in order else 0 for seat, stack in enumerate(s.stacks))
    begun = HandStarted(s.hand_no + 1, s.deal_no + 1, at, None, None, stacks)
    hands = tuple(tuple(sorted(pack[order.index(seat) : size * k : k])) if seat in order else () for seat in range(n))
    dealt = HandDealt(tuple(map(len, hands)), hands, pack[size * k :])
    return (begun, *forced.antes(s, order), dealt, betting_play.open_betting(s, "bet1"))


# --- The draw -------------------------------------------------------------------------------------------


def rebuilt(s: State, stock: Cards) -> tuple[Event, ...]:
    """Put a new stock under the old one, and let the seat that waits for it draw."""
    waits = s.swapping
    assert waits is not None
    drawn = (*s.deck, *stock)[: waits.count]
    return StockRebuilt(len(stock), stock), CardsSwapped(waits.seat, waits.count, waits.discarded, drawn)


def go_on_after_round(s: State) -> tuple[Event, ...]:
    """Go on after the first betting round with the draw, and after all else with the showdown."""
    match s.phase:
        case "bet1":
            return (DrawStarted(),)
        case "bet2":
            return betting_play.shown_down(s)
        case _:
            return () if betting_play.drawers(s) or s.swapping else draw_completed(s)


def draw_completed(s: State) -> tuple[Event, ...]:
    """End the draw, and let there be betting if two can bet."""
    return (
        (DrawCompleted(),) if betting_play.betting_over(s) else (DrawCompleted(), betting_play.open_betting(s, "bet2"))
    )
