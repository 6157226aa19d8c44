"""Implements the tournament: levels, places and prizes (poker 6)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from domain.core.cards import NOBODY, Seat
from domain.core.clock import Time
from domain.poker.betting import Chips
from domain.poker.betting_events import Event, GameEnded, LevelRaised, LevelsTimed, PlayerEliminated
from domain.poker.betting_options import LAST_LEVEL, level_stakes
from domain.poker.betting_table import State, alive

MINUTE: Final = 60_000  # milliseconds
SECOND: Final = 2  # the place of the seat that was the last to go out


def after_hand(s: State) -> tuple[Event, ...]:
    """Return the events between two hands: eliminations, the end of the game, or the next level."""
    if gone := rank_eliminated(s):
        return gone
    if len(alive(s)) == 1:
        gave_up = s.resigned and s.places[s.resigned[-1]] == SECOND
        return (end_tournament(s, "resignation" if gave_up else "one_left"),)
    if s.until and s.deal_no >= s.until:
        return (end_tournament(s, "hands_played"),)
    due = 1 + s.deal_no // s.rules.hands_per_level
    return () if s.rules.minutes_per_level else raise_blinds(s, due)


def keep_level_time(s: State, now: Time) -> tuple[Event, ...]:
    """Return the events that time causes before a hand: the clock of the levels starts, or a level begins."""
    if not (s.rules.tournament and s.rules.minutes_per_level) or s.at.button == NOBODY:
        return ()
    if s.timed_from is None:
        return (LevelsTimed(now),)
    return raise_blinds(s, 1 + (now - s.timed_from) // (s.rules.minutes_per_level * MINUTE))


def raise_blinds(s: State, due: int) -> tuple[Event, ...]:
    """Return the events that raise the blinds to the due level."""
    due = min(due, LAST_LEVEL)
    if due <= s.level:
        return ()
    stakes = level_stakes(due, s.stakes.ante)
    return (LevelRaised(due, stakes.small, stakes.big, stakes.ante),)


# --- Places -------------------------------------------------------------------------------------------


def rank_eliminated(s: State) -> tuple[Event, ...]:
    """Rank the seats eliminated in a hand, the lowest place first; seats that gave up take the lowest open places."""
    open_ = [seat for seat, place in enumerate(s.places) if not place]
    quitters = [seat for seat in s.resigned if seat in open_]
    busted = [seat for seat in open_ if not s.stacks[seat] and seat not in quitters]
    places = {seat: len(open_) - i for i, seat in enumerate(quitters)}
    places |= eliminated_places(s.before, busted, len(open_) - len(quitters))
    rows = sorted(places.items(), key=lambda row: (-row[1], row[0]))
    return tuple(PlayerEliminated(seat, place, s.stacks[seat]) for seat, place in rows)


def eliminated_places(before: Chips, busted: Sequence[Seat], players: int) -> dict[Seat, int]:
    """Return the places of seats eliminated in one hand, with this many still in: more chips before it are better."""
    first = players - len(busted) + 1
    return {seat: first + sum(before[i] > before[seat] for i in busted) for seat in busted}


# --- Prizes -------------------------------------------------------------------------------------------

PRIZES: Final[Mapping[int, tuple[int, ...]]] = {
    **dict.fromkeys(range(2, 4), (100,)),
    **dict.fromkeys(range(4, 7), (65, 35)),
    **dict.fromkeys(range(7, 11), (50, 30, 20)),
}
"""The percentage of each place, by the number of seats."""


def prizes(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return each seat's share in percent; seats that share a place get equal parts of its places' shares."""
    table = (*PRIZES[len(places)], *[0] * len(places))
    shared = [table[place - 1 : place - 1 + places.count(place)] for place in places]
    return tuple(Fraction(sum(row), len(row)) for row in shared)


def end_tournament(s: State, reason: str, gave_up: tuple[Seat, ...] = (), *, drawn: bool = False) -> GameEnded:
    """End the game: seats still in rank by chips, before those eliminated; seats that give up now are last."""
    chips = s.before if s.phase not in ("settled", "hand_setup") else s.stacks
    rows = [(seat in gave_up, s.places[seat], -chips[seat]) for seat in range(len(chips))]
    ranking = (1,) * len(rows) if drawn else tuple(1 + sum(other < mine for other in rows) for mine in rows)
    winners = () if drawn else tuple(seat for seat, place in enumerate(ranking) if place == 1)
    shares = () if s.staked else tuple(map(str, prizes(ranking)))
    return GameEnded(chips, ranking, winners, s.buy_ins, s.ledger, shares, reason)
