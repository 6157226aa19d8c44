"""Implements Texas hold'em (holdem 3): the blinds, the deal, the board."""

from domain.core.cards import Cards, Seat
from domain.games.holdem.options import Options, compile_rules
from domain.poker import betting_play, betting_table, forced
from domain.poker.betting import NOBODY, clockwise
from domain.poker.betting_events import (
    BoardDealt,
    Event,
    HandDealt,
    HandStarted,
)
from domain.poker.betting_moves import (
    Deal,
    Move,
)
from domain.poker.betting_options import STREETS
from domain.poker.betting_table import State, alive
from domain.poker.button import HEADS_UP, Positions, first, move_button, posts_small


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event."""
    return betting_table.start(compile_rules(options, seats), last)


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    if isinstance(move, Deal):
        return post_blinds_and_deal(s, places(s), move.pack)
    return betting_play.decide(s, seat, move)


def consequences(s: State) -> tuple[Event, ...]:
    """Return the events that follow now without a move."""
    return betting_play.consequences(s, go_on_after_round)


# --- The deal -------------------------------------------------------------------------------------------


def places(s: State) -> Positions:
    """Say where the button and the blinds are in the next hand."""
    seats = alive(s)
    if s.deal_no == 0:
        return first(s.at.button, seats, s.rules.seats)
    return move_button(last_places(s), seats, s.rules.seats)


def last_places(s: State) -> Positions:
    """Return the places of the last hand. A small blind that was not posted was that of the last big blind.

    In a first hand it was that of the button, whose seat has been left since it was drawn.
    """
    place = s.at.button if s.last_big is None else s.last_big
    assert s.at.big is not None
    return Positions(s.at.button, place if s.at.small is None else s.at.small, s.at.big)


def post_blinds_and_deal(s: State, at: Positions, pack: Cards) -> tuple[Event, ...]:
    """Post the blinds, and deal two cards each, one at a time from the left of the button."""
    n, seats = s.rules.seats, alive(s)
    small = NOBODY if s.big_gone and len(seats) > HEADS_UP else posts_small(at, seats)
    stacks = tuple(stack if seat in seats else 0 for seat, stack in enumerate(s.stacks))
    begun = HandStarted(s.hand_no + 1, s.deal_no + 1, at.button, betting_play.seat_or_none(small), at.big, stacks)
    order = clockwise(seats, at.button, n)
    k = len(order)
    hands = tuple(
        tuple(sorted((pack[order.index(seat)], pack[k + order.index(seat)]))) if seat in order else ()
        for seat in range(n)
    )
    dealt = HandDealt(tuple(map(len, hands)), hands, pack[s.rules.hand_size * k :])
    return (
        begun,
        *forced.post_forced_bets(s, order, small, at.big),
        dealt,
        betting_play.open_betting(s, "preflop", s.stakes.big),
    )


# --- The streets ----------------------------------------------------------------------------------------


def go_on_after_round(s: State) -> tuple[Event, ...]:
    """Go on after a betting round: the next street, or the showdown; hands open before it once all bets are in."""
    street = next((name for i, name in enumerate(STREETS) if len(s.board) == i + 2 * (i > 0)), None)
    if street is None:
        return betting_play.shown_down(s)
    open_now = s.rules.show_all_in and betting_play.betting_over(s) and betting_play.all_in(s)
    if open_now and not any(s.shown):
        return tuple(betting_play.hand_shown(s, seat) for seat in betting_play.sequence(s))
    return betting_play.on_board(s, BoardDealt(street, s.deck[1 : 1 + STREETS[street]]))  # type: ignore[arg-type]
