"""Implements five-card draw (five_card_draw 3): the antes, the deal, the draw."""

from domain.core.cards import Cards, Seat, deal_hands
from domain.games.five_card_draw.options import Options, compile_rules
from domain.poker import betting_events, betting_play, betting_table, forced
from domain.poker.betting import clockwise
from domain.poker.betting_moves import Deal, Move, Redeal
from domain.poker.betting_table import State, alive
from domain.poker.button import next_alive


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event."""
    return betting_table.start(compile_rules(options, seats), last)


def decide(s: State, seat: Seat, move: Move) -> tuple[betting_events.Event, ...]:
    """Return the events of a legal move."""
    match move:
        case Deal():
            return post_antes_and_deal(s, button(s), move.pack)
        case Redeal():
            return rebuilt(s, move.cards)
        case _:
            return betting_play.decide(s, seat, move)


def consequences(s: State) -> tuple[betting_events.Event, ...]:
    """Return the events that follow now without a move."""
    return betting_play.consequences(s, go_on_after_round)


# --- The deal -------------------------------------------------------------------------------------------


def button(s: State) -> Seat:
    """Return the button of the next hand."""
    return next_alive(s.at.button, alive(s), s.rules.seats) if s.deal_no else s.at.button


def post_antes_and_deal(s: State, at: Seat, pack: Cards) -> tuple[betting_events.Event, ...]:
    """Post the antes, and deal five cards each, one at a time from the left of the button."""
    n, order = s.rules.seats, clockwise(alive(s), at, s.rules.seats)
    share = s.rules.hand_size * len(order)
    stacks = tuple(stack if seat in order else 0 for seat, stack in enumerate(s.stacks))
    begun = betting_events.HandStarted(s.hand_no + 1, s.deal_no + 1, at, None, None, stacks)
    hands = deal_hands(pack[:share], order, n)
    dealt = betting_events.HandDealt(tuple(map(len, hands)), hands, pack[share:])
    return (begun, *forced.antes(s, order), dealt, betting_play.open_betting(s, "bet1"))


# --- The draw -------------------------------------------------------------------------------------------


def rebuilt(s: State, stock: Cards) -> tuple[betting_events.Event, ...]:
    """Put a new stock under the old one, and draw for the waiting seat."""
    waits = s.swapping
    assert waits is not None
    drawn = (*s.deck, *stock)[: waits.count]
    return betting_events.StockRebuilt(len(stock), stock), betting_events.CardsSwapped(
        waits.seat, waits.count, waits.discarded, drawn
    )


def go_on_after_round(s: State) -> tuple[betting_events.Event, ...]:
    """Continue with the draw after the first betting round, and with the showdown after the second."""
    match s.phase:
        case "bet1":
            return (betting_events.DrawStarted(),)
        case "bet2":
            return betting_play.shown_down(s)
        case _:
            return () if betting_play.drawers(s) or s.swapping else draw_completed(s)


def draw_completed(s: State) -> tuple[betting_events.Event, ...]:
    """End the draw, and open the betting if two seats can bet."""
    return (
        (betting_events.DrawCompleted(),)
        if betting_play.betting_over(s)
        else (betting_events.DrawCompleted(), betting_play.open_betting(s, "bet2"))
    )
