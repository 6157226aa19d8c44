"""Answers questions about a match: the seats to act, its deadlines, its winners, the end of a series (rules 1.10)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from domain.core.cards import Seat
from domain.core.clock import DAY, Clock, Time, first_budget, time_after
from domain.core.game import CHANCE
from domain.core.values import value
from domain.match.creation import PREPARING
from domain.match.state import Match, people_in_play


@value
class Verdict:
    """The end of a series; `winner` is None if it is drawn."""

    winner: Seat | None


def judge_series(best_of: int, winners: Sequence[Seat | None]) -> Verdict | None:
    """Return the end of a series from the winner of each game, None for a drawn or shared one.

    The first to win more than half of `best_of` wins it. A game without a winner is replayed, but after three times
    `best_of` games, the most wins decide. None while it continues.
    """
    wins = Counter(w for w in winners if w is not None).most_common(2)
    if wins and wins[0][1] > best_of // 2:
        return Verdict(wins[0][0])
    if len(winners) < 3 * best_of:
        return None
    drawn = not wins or (len(wins) == 2 and wins[0][1] == wins[1][1])
    return Verdict(None if drawn else wins[0][0])


NONCE_SECONDS: Final = 60
"""The time for nonces in seconds if the options set none."""


def rank_with_resigned(m: Match, places: tuple[int, ...]) -> tuple[int, ...]:
    """Rank resigned seats behind all others, the first to resign last; with `end`, their sides lose (rules 1.9)."""
    sides = m.game.setup.sides(m.options, len(m.seats))
    lost = {sides[s] for s in m.resigned if m.common.on_resign == "end"}
    rank = [(_given_up_at(m, s), sides[s] in lost, places[s]) for s in m.seats]
    return tuple(1 + sum(other < mine for other in rank) for mine in rank)


def _given_up_at(m: Match, seat: Seat) -> int:
    """Return 0 for a seat that stayed, and higher numbers the earlier it resigned."""
    return 1 + m.resigned[::-1].index(seat) if seat in m.resigned else 0


def is_paused(m: Match) -> bool:
    """Return whether the next hand waits for players to be ready (`pause_between_hands`)."""
    if m.hand_open or not m.common.pause_between_hands:
        return False
    between = m.status == "playing" and m.hand_no > 0 and m.table is not None
    return between and not waits_for_group(m) and bool(_not_ready(m))


def _not_ready(m: Match) -> tuple[Seat, ...]:
    """Return the people in the game who are not yet ready for the next hand."""
    return tuple(s for s in people_in_play(m) if s not in m.clocks.ready)


def is_full_table_of_group(m: Match) -> bool:
    """Return whether this is a table of a group that has not begun, with every seat taken."""
    seated = all(p is not None or bot for p, bot in zip(m.players, m.by_bot, strict=True))
    return m.created.deal_group is not None and m.status == "lobby" and seated


def hashes_complete(m: Match) -> bool:
    """Return whether a table of a group has all its hashes, and waits for those of the other tables.

    No table reveals nonces before: a player who knows those of one table could choose those of another.
    """
    if not is_full_table_of_group(m) or not m.common.nonce_commit or m.group.committed:
        return False
    return (
        not people_in_play(m)
        or m.shuffles.stage == "hashes_closed"
        or (m.shuffles.stage == "hashes" and all_nonces_sent(m))
    )


def hashes_of(m: Match) -> tuple[str, ...]:
    """Return the hashes of nonces for this epoch, seat by seat; empty for a missing one."""
    return tuple(digest or "" for digest in m.shuffles.hashes)


def _stays_private(m: Match) -> bool:
    """Return whether the match stays private until other matches end: those of its group or tournament."""
    of = m.created.tournament
    return m.created.deal_group is not None or (of is not None and of.round == PREPARING)


def waits_for_group(m: Match) -> bool:
    """Return whether the match has ended, and stays private until others have ended too."""
    return _stays_private(m) and m.status == "playing" and not m.group.all_over and verdict(m) is not None


def can_open_deals(m: Match) -> bool:
    """Return whether the match may now become readable for others.

    This is so once it has ended. A pod's match may become readable earlier, because its tournament may be cancelled.
    """
    prepares = m.created.deal_group is None and is_for_its_players(m)
    return waits_for_group(m) or (prepares and not m.group.all_over)


def is_for_its_players(m: Match) -> bool:
    """Return whether the match is only for its own players: it is running, and stays private until others end."""
    return _stays_private(m) and m.status == "playing"


def nonces_of(m: Match) -> tuple[str, ...]:
    """Return the nonces for this epoch, seat by seat; empty for a missing one."""
    return tuple(nonce or "" for nonce in m.shuffles.nonces)


def collects_nonces(m: Match) -> bool:
    """Return whether the match waits for nonces."""
    return m.shuffles.stage in ("hashes", "nonces")


def to_act(m: Match) -> tuple[Seat, ...]:
    """Return the seats whose decisions the match waits for."""
    if m.status != "playing" or collects_nonces(m) or m.table is None:
        return ()
    if is_paused(m):
        return _not_ready(m)
    return tuple(s for s in m.game.to_act(m.table) if s != CHANCE)


def bots_to_act(m: Match) -> tuple[Seat, ...]:
    """Return the seats to act for which a bot moves."""
    return tuple(s for s in to_act(m) if m.by_bot[s])


def bots_alone(m: Match) -> bool:
    """Return whether the match is running or about to begin, and a bot moves for every seat."""
    return not m.over and all(m.by_bot)


CONTINUE: Final = "continue"
"""The name of the decision to go on to the next hand."""


def decision(m: Match) -> str:
    """Return the name of the seat's decision."""
    return CONTINUE if is_paused(m) else str(m.game.phase(m.table))


DUEL = 2


def overdue_seats(m: Match, now: Time) -> tuple[Seat, ...]:
    """Return the seats whose time is over, in order of their deadlines."""
    return tuple(s for until, s in sorted(_waited_for(m)) if settling_time(m, until) <= now)


def settling_time(m: Match, until: Time) -> Time:
    """Return when an overdue decision is settled: after the clock's grace, and on no day off."""
    return time_after(running_clock(m), until, 1000 * m.clock.grace_seconds)


def first_settling_time(m: Match) -> Time | None:
    """Return when the first open decision is settled by time."""
    until = first_due_time(m)
    return None if until is None else settling_time(m, until)


def first_due_time(m: Match) -> Time | None:
    """Return when the first open decision falls due."""
    return min((until for until, _ in _waited_for(m)), default=None)


def _waited_for(m: Match) -> Iterator[tuple[Time, Seat]]:
    """Return the deadlines of open decisions."""
    return ((until, s) for s in to_act(m) if (until := m.clocks.asked[s]) is not None and not m.by_bot[s])


def running_clock(m: Match) -> Clock:
    """Return the clock for open decisions: without days off if the game's own limit applies."""
    return replace(m.clock, days_off=()) if m.clock.days_off and game_time_limit(m) else m.clock


def is_minor_decision(m: Match, name: str) -> bool:
    """Return whether the decision with this name is a small one, for which a clock may allow less time."""
    return name == CONTINUE or name in m.game.timing.minor


def game_time_limit(m: Match) -> int:
    """Return the game's own limit in seconds for open decisions; 0 if there is none."""
    return 0 if is_paused(m) else m.game.timing.seconds(m.table)


def is_game_on(m: Match) -> bool:
    """Return whether a game has begun and not ended."""
    return m.table is not None and m.game.outcome(m.table) is None


def nonce_seconds(m: Match) -> int:
    """Return the time of a stage of collecting nonces; 0 if there is none, and the start does not wait for nonces.

    A running match waits as long as for a decision, but at least a minute and at most a day.
    """
    if m.common.nonce_seconds:
        return m.common.nonce_seconds
    if m.shuffles.epoch > 1:
        return max(NONCE_SECONDS, min(first_budget(m.clock) // 1000, DAY))
    return NONCE_SECONDS if m.common.nonce_commit else 0


def all_nonces_sent(m: Match) -> bool:
    """Return whether every person has sent the data of this stage of collecting nonces."""
    shuffles = m.shuffles
    if shuffles.stage == "hashes":
        return all(shuffles.hashes[s] is not None for s in people_in_play(m))
    due = [s for s in people_in_play(m) if shuffles.hashes[s] is not None or not m.common.nonce_commit]
    return all(shuffles.nonces[s] is not None for s in due)


def is_deserted(m: Match) -> bool:
    """Return whether no person has ever moved, and each has let the allowed number of decisions expire.

    A table with stacks from other tables is played on even then, because the stacks are needed at other tables.
    """
    if not m.clock.ticks or any(m.clocks.moved) or m.stakes.arrived is not None:
        return False
    people = [s for s in m.seats if m.players[s] is not None]
    return bool(people) and all(m.clocks.defaults[s] >= m.clock.max_defaults for s in people)


def verdict(m: Match) -> Verdict | None:
    """Judge the match, once the winner of its current game has been named."""
    series = m.series
    if m.stopped and not is_game_on(m):
        return Verdict(None)
    if not series.judged:
        return None
    if is_deserted(m):
        return Verdict(None)
    if given_up(m):
        return Verdict(series.winners[-1])
    if not m.game.setup.winnable:
        return Verdict(None)
    best_of, winner = m.created.series.best_of, series.winners[-1]
    if m.stakes.arrived is not None:
        return Verdict(winner)
    return Verdict(None) if best_of == 1 and _ended_by(m) == "draw" else judge_series(best_of, series.winners)


def _ended_by(m: Match) -> str:
    """Return the reason for the end of the last game, as the game states it."""
    outcome = m.game.outcome(m.table)
    return "" if outcome is None else outcome.reason


def reason(m: Match) -> Literal["played", "resignation", "draw"]:
    """Return the reason for the end of a decided match: that of its last game, or a resignation."""
    if given_up(m):
        return "resignation"
    return _REASONS.get(_ended_by(m), "played")


_REASONS: Final[Mapping[str, Literal["resignation", "draw"]]] = {"resignation": "resignation", "draw": "draw"}


def given_up(m: Match) -> bool:
    """Return whether resignations have ended the match: not if a bot or the others play on."""
    left = [s for s in m.seats if s not in m.resigned]
    if m.game.leaving.resign:
        return len(left) <= 1
    return bool(m.resigned) and (len(m.seats) == DUEL or m.common.on_resign == "end")


def link_of_hand(m: Match) -> int:
    """Return the link of the current hand, or else of the next one."""
    return m.shuffles.begun + (not m.hand_open)
