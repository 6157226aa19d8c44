"""Compares, at the end of a simulation, the logs with the expected outcome.

Deadlines are computed again from the start of a decision and its time, and from outages and vacations, not from the
servers' deadlines.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from domain import match as life
from domain.core.clock import Time, ms_between, time_after
from domain.games.catalogue import GAMES
from domain.match.clocks import ClockCredited, DecisionRequested, DecisionTimedOut, HandContinued
from domain.match.move_signatures import CauseSealed
from domain.match.resignations import SeatHandedToBot, SeatResigned
from domain.match.take_backs import MoveTakenBack
from domain.match.vacation_days import vacation_left
from events.log import commits as log
from events.operations.audit import audit
from events.service.absence_credit import AT_ONCE_MS
from events.service.access import Caller
from events.service.projections import LOBBY_MS
from events.store.tables import inbox_rows, match_rows, outage_rows, pending_rows, stream_rows, vacation_rows
from events.store.tables.outage_rows import STILL_MS
from tests.simulation.players import Kept, World
from tests.simulation.timeline import DAY, MINUTE, SECOND, Interval, length, merged, outside

SCHEDULER = 2 * SECOND
"""The maximum delay from the deadline of a decision to its settlement, with a running scheduler and no failures."""
AMISS = 15 * MINUTE
"""The same after lost messages or dead workers: leases double up to five minutes."""


@dataclass
class Asked:
    """An open decision."""

    opened: int
    budget: int  # milliseconds, days off not counted
    own_limit: bool
    deadline: int
    credits: list[ClockCredited] = field(default_factory=list)


@dataclass
class Reckoning:
    """Collects the faults found; `counted` is the number of things checked."""

    world: World
    wrong: list[str] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)

    def says(self, good: object, what: str) -> None:
        if not good:
            self.wrong.append(what)

    def counts(self, what: str, n: int = 1) -> None:
        self.counted[what] = self.counted.get(what, 0) + n


def reckoned(world: World) -> Reckoning:
    """Check everything that remains of a world."""
    r = Reckoning(world)
    store, servers = world.servers.store, world.servers
    r.wrong += world.trouble
    r.says(pending_rows.next_due(store) is None, f"work is left: {pending_rows.next_due(store)}")
    stored = [(a, b) for a, b in outage_rows.outages_since(store, 0, servers.beaten)]
    r.says(stored == servers.outages, f"outages are {stored}, not {servers.outages}")
    for player in world.players:
        a = vacation_rows.allowance(store, player.id)
        assert a is not None
        r.says(vacation_left(a, world.clock()) >= 0, f"{player.id} has taken more vacation than there was")
        r.says(all(v.end <= w.start for v, w in pairwise(a.taken)), f"{player.id}'s vacations overlap")
        r.says(not inbox_rows.read_inbox(store, player.id), f"{player.id} has turns left")
        r.counts("vacations", len(a.taken))
    for kept in world.matches.values():
        _Match(r, kept).reckons()
    return r


def _commits(world: World, match_id: str) -> tuple[Any, list[tuple[int, list[tuple[str, Any]]]]]:
    """Return all commits of a match: the time, and each event with its cause, as the server knows it."""
    found = stream_rows.load(world.servers.store, match_id)
    assert found is not None
    head, rows = found
    game, seats = log.game_and_seats(rows[0])
    commits = []
    for row in rows:
        causes = [e["cause"] for e in json.loads(row.events)]
        commits.append((row.at_ms, list(zip(causes, log.read_match_events([row], game, seats), strict=True))))
    return head, commits


class _Match:
    """Checks one match event by event."""

    def __init__(self, r: Reckoning, kept: Kept) -> None:
        self.r, self.kept, self.world = r, kept, r.world
        self.head, self.commits = _commits(self.world, kept.match_id)
        created = self.commits[0][1][0][1]
        self.m = life.initial_match(GAMES[created.game], kept.match_id, created)
        self.open: dict[int, Asked] = {}
        self.expired = [0] * len(self.m.seats)  # of each seat, decisions
        self.person_moved = False
        self.giving_up: int | None = None  # the seat that resigns in this commit
        self.mover: int | None = None  # the seat whose person moves in it

    def says(self, good: object, what: str) -> None:
        m = self.m
        self.r.says(good, f"{self.kept.match_id} ({m.game.name}, {m.clock.kind}): {what}")

    def reckons(self) -> None:
        for i, (at, events) in enumerate(self.commits):
            self.giving_up, self.mover = None, _mover(events)
            for n, (cause, event) in enumerate(events):
                if i or n:
                    self._event(at, cause, event)
                    life.evolve(self.m, event)
            self._asks_all(at)
        self._end()
        self._readers()
        report = audit(self.world.servers.store, self.kept.match_id, self.kept.heads)
        bad = [] if report is None else [(c.name, c.seq, c.detail) for c in report.checks if not c.ok]
        self.says(report is not None and report.ok, f"its audit is bad: {bad}")
        self.r.counts("matches")
        self.r.counts(f"matches of {self.m.game.name}")
        self.r.counts(f"matches {self.m.status}")
        self.r.counts("heads kept", len(self.kept.heads))

    # --- Event by event -------------------------------------------------------------------------------------

    def _event(self, at: int, cause: str, event: Any) -> None:
        m, kind = self.m, type(event)
        who = m.game.answers.by.get(kind) if kind not in life.LIFE else "seat" if kind is HandContinued else None
        if who is not None:
            self._answer(at, cause, event, getattr(event, who))
        match event:
            case DecisionRequested():
                self.says(event.seat not in self.open, f"seat {event.seat} is asked twice, at {at}")
                budget = ms_between(m.clock, event.opened, event.deadline)
                own = bool(life.game_time_limit(m))
                budget = event.deadline - event.opened if own else budget
                self.open[event.seat] = Asked(event.opened, budget, own, event.deadline)
                self.r.counts("decisions")
            case ClockCredited():
                self.r.counts(f"credits for {event.why}")
                asked = self.open.get(event.seat)
                self.says(asked, f"seat {event.seat} is credited for nothing, at {at}")
                if asked:
                    asked.credits.append(event)
                    asked.deadline = event.deadline
            case DecisionTimedOut():
                self.r.counts("decisions expired")
                asked = self.open.pop(event.seat, None)
                self.expired[event.seat] += asked is None or not asked.own_limit
                self.says(asked, f"seat {event.seat} has run out of time for nothing, at {at}")
                if asked:
                    self._late(event.seat, asked, at)
            case SeatHandedToBot():
                self.open.pop(event.seat, None)
            case SeatResigned():
                self.giving_up = event.seat
            case MoveTakenBack():
                assert m.undo is not None
                before = {s for s in m.seats if m.undo.clocks.asked[s] is not None} - {event.seat}
                self.open = {s: asked for s, asked in self.open.items() if s in before}
                self.r.counts("moves taken back")
            case CauseSealed() if event.true_cause == "order":
                self._by_order(event.seat, at)
        if kind is m.game.lifecycle.game_ends or kind in m.game.lifecycle.hand_ends:
            self.open.clear()

    def _answer(self, at: int, cause: str, event: Any, seat: int) -> None:
        asked = self.open.pop(seat, None)
        if seat == self.giving_up:
            return  # the consequences are not an answer: in poker the seat folds
        if cause == "move" and self.m.clock.ticks:
            self.says(asked, f"seat {seat} has answered {type(event).__name__} unasked, at {at}")
        if asked is None:
            return
        by_itself = cause == "auto" and seat == self.mover  # a card drawn, after the waste was shuffled for it
        self.says(cause == "move" or by_itself, f"an open decision of seat {seat} was taken by {cause}, at {at}")
        self.person_moved = True
        self.r.counts("decisions answered")
        self._in_time(seat, asked, at)

    def _asks_all(self, at: int) -> None:
        """Check after each commit that exactly the human seats to act have been asked, if there is a clock.

        Nothing is asked of a seat that has left the table.
        """
        m = self.m
        if m.table is not None:
            self.open = {s: asked for s, asked in self.open.items() if s not in m.game.leaving.out(m.table)}
        waiting = {s for s in life.to_act(m) if not m.by_bot[s]} if not m.over else set()
        if m.clock.ticks or (m.table is not None and not m.over and life.game_time_limit(m)):
            asked = {s for s in waiting if s in self.open}
            self.says(asked == waiting, f"seats {waiting - asked} wait without being asked, at {at}")
        stray = {s for s in self.open if s not in waiting} if not m.over else set()
        self.says(not stray, f"seats {stray} are asked with nothing to decide, at {at}")

    # --- Time -----------------------------------------------------------------------------------------------

    def _gaps(self, seat: int, asked: Asked, at: int) -> list[Interval]:
        """Return the time that did not count for a decision, as far as it was known then."""
        out = [(a, b) for a, b in self.world.servers.outages if at >= b or at - a > STILL_MS]
        player = self.m.players[seat]
        if player is None or not self.m.clock.vacation or asked.own_limit:
            return merged(out)
        a = vacation_rows.allowance(self.world.servers.store, player)
        assert a is not None
        return merged([*out, *((v.start, v.end) for v in a.taken if v.start < at)])

    def _due(self, seat: int, asked: Asked, at: int, more: int = 0, within: int = SECOND) -> int:
        """Return when a decision must be settled by time: its time limit, excluding days off, and then the grace
        period. An outage that begins within so many milliseconds of the end postpones it."""
        left = asked.budget + more
        clock = replace(self.m.clock, days_off=()) if asked.own_limit else self.m.clock
        gaps = self._gaps(seat, asked, at)
        grace = SECOND * clock.grace_seconds
        for a, b in outside(asked.opened, at + 400 * DAY, gaps):
            if left:
                there = ms_between(clock, Time(a), Time(b))
                if left >= there:
                    left -= there
                    continue
            start = time_after(clock, Time(a), left) if left else Time(a)
            left = 0
            # Credits are whole seconds: whatever begins within a second of the end may have put it off.
            if (settled := time_after(clock, start, grace)) + within <= b:
                return settled
            grace = max(0, grace - ms_between(clock, start, Time(b)))
        raise AssertionError("time goes on")

    def _late(self, seat: int, asked: Asked, at: int) -> None:
        """Check that a decision did not expire before it was due, or long after."""
        due = self._due(seat, asked, at, within=0)
        self.says(
            at >= due,
            f"seat {seat} has run out of time at {at}, {(due - at) / 1000} s before its time; {asked}",
        )
        servers = self.world.servers
        # Credits are whole seconds: the excess may reach over a day off.
        latest = self._due(seat, asked, at, SECOND * len(asked.credits))
        amiss = [t for t in servers.mishaps.get(self.kept.match_id, []) if at - DAY < t <= at]
        most = (AMISS if amiss else SCHEDULER) + SECOND * (1 + len(asked.credits))
        waited = length(outside(latest, at, [*servers.outages, *servers.no_broker, *servers.down]))
        self.says(waited <= most, f"seat {seat} was let wait for {waited / 1000} s too long, to {at}; {asked}")

    def _in_time(self, seat: int, asked: Asked, at: int) -> None:
        """Check that a decision was answered before it was due, and was credited exactly the time that did not
        count."""
        due = self._due(seat, asked, at)
        self.says(at < due + SECOND * (1 + len(asked.credits)), f"seat {seat} has moved at {at}, due {due}; {asked}")
        if asked.own_limit or not self.m.clock.ticks or at - asked.opened < AT_ONCE_MS:
            return
        gaps = self._gaps(seat, asked, at)
        clock = self.m.clock
        over = sum(
            ms_between(clock, Time(max(a, asked.opened)), Time(min(b, at)))
            for a, b in gaps
            if b > asked.opened and a < at
        )
        ahead = sum(
            ms_between(clock, Time(max(a, asked.opened)), Time(b)) for a, b in gaps if b > asked.opened and a < at
        )
        got = SECOND * sum(c.seconds for c in asked.credits)
        slack = SECOND * (1 + len(asked.credits))
        self.says(
            over - slack <= got <= ahead + slack,
            f"seat {seat} was given {got / 1000} s of {over / 1000} to {ahead / 1000}, at {at}; {asked}",
        )

    def _by_order(self, seat: int, at: int) -> None:
        held = self.kept.in_force.get(seat, [])
        there = any(given is not None and given <= at and (end is None or at < end) for given, end in held)
        self.says(there, f"orders of seat {seat} were carried out at {at}, in force {held}")
        self.r.counts("moves by orders")

    # --- The end --------------------------------------------------------------------------------------------

    def _end(self) -> None:
        m, last = self.m, self.commits[-1][0]
        store = self.world.servers.store
        self.says(m.over, f"is {m.status}")
        self.says(pending_rows.read_pending(store, self.head.match_no) == [], "has work left")
        row = match_rows.row(store, self.head.match_no)
        self.says(row is not None and row.status == m.status, "is not listed as it is")
        if m.status == "expired":
            self.says(last >= self.commits[0][0] + LOBBY_MS, "has expired too soon")
        people = [s for s in m.seats if m.players[s] is not None]
        never = bool(people) and m.clock.ticks and not self.person_moved
        gone = never and all(self.expired[s] >= m.clock.max_defaults for s in people)
        if m.status == "abandoned":
            self.says(gone, "is abandoned, though somebody has played")
            self.says(m.result is None, "is abandoned with a result")
        if m.status == "finished":
            self.says(not gone, "is finished, though nobody has played")
            self.says(m.result is not None, "is finished without a result")

    def _readers(self) -> None:
        """Check that every reader's feed contains every event in order."""
        api = self.world.servers.api[0]
        readers = [self.kept.creator, *(Caller(player) for player in self.m.players if player)]
        for caller in readers:
            seen = api.see(self.kept.match_id, caller)
            seqs = [json.loads(item)["seq"] for item in api.feed(seen, 0)]
            self.says(seqs == list(range(1, self.head.version + 1)), f"the feed of {caller.player} has gaps")


def _mover(events: list[tuple[str, Any]]) -> int | None:
    cause, first = events[0]
    return getattr(first, "seat", None) if cause == "move" else None


def report(r: Reckoning) -> Iterator[str]:
    """Return lines with a summary and the faults."""
    yield from (f"{n:7} {what}" for what, n in sorted({**r.world.servers.did, **r.counted}.items()))
    yield from (f"WRONG: {what}" for what in r.wrong)
