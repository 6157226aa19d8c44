"""Plays one table of a multi-table tournament, as one stage of it (poker 6.6)."""

from domain.core.staking import LeavingStack, TableStakes
from domain.poker.betting import clockwise
from domain.poker.betting_events import Event, GameStarted, LevelsTimed, TableResumed
from domain.poker.betting_options import LAST_LEVEL, level_stakes
from domain.poker.betting_table import State


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
    hand, before = s.exits[seat]
    return LeavingStack(seat, stack, hand, 0 if seat in s.resigned else before)
