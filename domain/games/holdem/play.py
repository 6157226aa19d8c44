"""Implements Texas hold'em (holdem 3): the blinds, the deal, the board."""

from domain.core.cards import NOBODY, Cards, Seat, deal_hands, seat_or_none
from domain.core.staking import LeavingStack, TableStakes
from domain.games.holdem.options import Options, compile_rules
from domain.poker import betting_play, betting_table, forced
from domain.poker.betting import clockwise
from domain.poker.betting_events import (
    BoardDealt,
    Event,
    GameStarted,
    HandDealt,
    HandStarted,
    LevelsTimed,
    TableResumed,
)
from domain.poker.betting_moves import Deal, Move
from domain.poker.betting_options import LAST_LEVEL, STREETS, level_stakes
from domain.poker.betting_table import State, alive
from domain.poker.button import HEADS_UP, Positions, first, move_button, posts_small


def open_with_stacks(s: State, stakes: TableStakes) -> tuple[Event, ...]:
    """Continue with these stacks: seat 0 posts the big blind, and the last seat posted the previous one.

    The button moves to the previous small blind: to the right of the last seat, or to the last seat if it replaces one
    that is gone. If levels go by the clock, the due level begins with the first hand.
    """
    last = len(stakes.stacks) - 1
    by_hands = 1 + stakes.hands_before // s.rules.hands_per_level
    level = 1 if s.rules.minutes_per_level else min(by_hands, LAST_LEVEL)
    blinds = level_stakes(level, s.stakes.ante)
    small = last if stakes.last_gone else last - 1
    until = stakes.hands_before + stakes.hands if stakes.hands else 0
    resumed = TableResumed(
        stakes.stacks,
        stakes.hands_before,
        until,
        level,
        blinds.small,
        blinds.big,
        blinds.ante,
        max(small - 1, 0),
        small,
        last,
        stakes.last_gone,
    )
    timed = () if stakes.timed_from is None else (LevelsTimed(stakes.timed_from),)
    return GameStarted(s.game_no + 1), resumed, *timed


def leaving(s: State) -> tuple[LeavingStack, ...]:
    """Return the stacks as they leave: first that of the seat after the last big blind."""
    assert s.at.big is not None
    assert s.ended is not None
    chips = s.ended.totals
    order = clockwise(list(range(s.rules.seats)), s.at.big, s.rules.seats)
    return tuple(_leaving(s, seat, chips[seat]) for seat in order)


def _leaving(s: State, seat: int, stack: int) -> LeavingStack:
    hand, before, resigned = s.exits[seat]
    return LeavingStack(seat, stack, hand, 0 if seat in resigned else before)


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event."""
    return betting_table.start(compile_rules(options, seats), last)


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Return the events of a legal move."""
    if isinstance(move, Deal):
        return post_blinds_and_deal(s, places(s), move.pack)
    return betting_play.decide(s, seat, move)


def consequences(s: State) -> tuple[Event, ...]:
    """Return the events that follow now without a move."""
    return betting_play.consequences(s, go_on_after_round)


# --- The deal -------------------------------------------------------------------------------------------


def places(s: State) -> Positions:
    """Return the positions of the button and the blinds in the next hand."""
    seats = alive(s)
    if s.at.big is None:
        return first(s.at.button, seats, s.rules.seats)
    return move_button(last_places(s), seats, s.rules.seats)


def last_places(s: State) -> Positions:
    """Return the positions of the last hand. Without a small blind, its position is that of the previous big blind."""
    small = s.last_big if s.at.small is None else s.at.small
    assert small is not None
    assert s.at.big is not None
    return Positions(s.at.button, small, s.at.big)


def post_blinds_and_deal(s: State, at: Positions, pack: Cards) -> tuple[Event, ...]:
    """Post the blinds, and deal two cards each, one at a time from the left of the button."""
    n, seats = s.rules.seats, alive(s)
    small = NOBODY if s.big_gone and len(seats) > HEADS_UP else posts_small(at, seats)
    stacks = tuple(stack if seat in seats else 0 for seat, stack in enumerate(s.stacks))
    begun = HandStarted(s.hand_no + 1, s.deal_no + 1, at.button, seat_or_none(small), at.big, stacks)
    order = clockwise(seats, at.button, n)
    k = len(order)
    share = s.rules.hand_size * k
    hands = deal_hands(pack[:share], order, n)
    dealt = HandDealt(tuple(map(len, hands)), hands, pack[share:])
    return (
        begun,
        *forced.post_forced_bets(s, order, small, at.big),
        dealt,
        betting_play.open_betting(s, "preflop", s.stakes.big),
    )


# --- The streets ----------------------------------------------------------------------------------------


def go_on_after_round(s: State) -> tuple[Event, ...]:
    """Continue after a betting round: the next street, or the showdown; hands open before it once all bets are in."""
    street = next((name for i, name in enumerate(STREETS) if len(s.board) == i + 2 * (i > 0)), None)
    if street is None:
        return betting_play.shown_down(s)
    open_now = s.rules.show_all_in and betting_play.betting_over(s) and betting_play.all_in(s)
    if open_now and not any(s.shown):
        return tuple(betting_play.hand_shown(s, seat) for seat in betting_play.sequence(s))
    return betting_play.on_board(s, BoardDealt(street, s.deck[1 : 1 + STREETS[street]]))  # type: ignore[arg-type]
