"""Compares the tables of a tournament with the records of the matches that were played at them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import to_builtins

from domain.core.game import AnyGame
from domain.core.staking import LeavingStack, TableStakes
from domain.games.catalogue import GAMES
from domain.match.clocks import is_no_show
from domain.match.creation import PREPARING
from domain.match.stakes import StacksArrived
from domain.match.state import initial_match
from domain.tournament.deciding_match import Levels, levels_before, result_after_tie, terms_at
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.pods import PodFinished, PodRepeated
from domain.tournament.round_tables import TableAdjudicated, TableDrawn, TableFinished, TableForfeited
from domain.tournament.rounds import BOT, Seating, TableResult, put_absent_last
from domain.tournament.tournament_events import evolve
from domain.tournament.tournament_plan import MatchTerms
from domain.tournament.tournament_state import Tournament
from events.log.codec import canonical, shapes, shapes_of
from events.proof import record as records
from events.proof import verify_match
from events.proof.bound_deals import BoundDeals
from events.proof.checks.result import seats_nowhere, sitting
from events.proof.checks.rules import read_event
from events.proof.findings import VOUCHING, Fact, Finding, bad, good, has_sealed_parts, seats_of, skip_check

OTHER: Final = "A player has brought something to a table that was not gained before the first round."


class Prepared:
    """Collects the gains from pods, and checks what players bring to tables."""

    def __init__(self) -> None:
        self._gained: dict[int, Any] = {}
        self._brought: list[tuple[int, int, Any]] = []

    def take_pod(self, event: PodFinished, seats: Seating, facts: Sequence[Fact]) -> str | None:
        """Add the verified match of a pod. Returns a sentence if the tournament's event contradicts it."""
        game = GAMES.get(str(facts[0].data.get("game")))
        if game is None or any(map(has_sealed_parts, facts)):
            return None
        gained = _gains(game, facts)
        for seat, entrant in enumerate(seats):
            if entrant is not BOT:
                self._gained[entrant] = gained[seat] if seat < len(gained) else None
        without = tuple(one for one in seats if one is not BOT and self._gained[one] is None)
        return (
            None
            if without == event.without
            else "The players without gains differ from those that the tournament states."
        )

    def take_table(self, seq: int, seats: Seating, facts: Sequence[Fact]) -> None:
        """Check the match of a table with a valid record, if it was played."""
        game = GAMES.get(str(facts[0].data.get("game")))
        if game is None or game.entry is None or any(map(has_sealed_parts, facts)):
            return
        if not any(fact.type == "MatchStarted" for fact in facts):
            return
        known, name = shapes(game.name), game.entry.event.__name__
        brings = [read_event(known, fact, seats_of(facts)) for fact in facts if fact.type == name]
        by_seat: Mapping[int, Any] = {getattr(one, game.entry.seat): getattr(one, game.entry.field) for one in brings}
        self._brought += [(seq, one, by_seat.get(seat)) for seat, one in enumerate(seats) if one is not BOT]

    def fault(self) -> tuple[int, str] | None:
        """Return the event that cites a match to which different gains were brought; None if there is none."""
        wrong = (seq for seq, one, brought in self._brought if one in self._gained and self._gained[one] != brought)
        return next(((seq, OTHER) for seq in wrong), None)


def _gains(game: AnyGame, facts: Sequence[Fact]) -> tuple[Any, ...]:
    """Fold the only game of a match, and return what its seats have gained; nothing if it did not begin."""
    known, seats, types = shapes(game.name), seats_of(facts), {cls.__name__ for cls in game.events}
    told = [fact for fact in facts if fact.type in types]
    if not told or game.lifecycle.gains is None:
        return ()
    begun = initial_match(game, "", read_event(known, facts[0], seats))
    state = game.start(begun.options, seats, None)
    for fact in told:
        game.evolve(state, read_event(known, fact, seats))
    return game.lifecycle.gains(state)


NAME: Final = "tables"
AWAY: Final = (TableForfeited, PodRepeated, PodFinished)
"""These events can cite a match with no-shows."""


class _Cited(NamedTuple):
    """A match as a tournament cites it: by which event, with which seats and which game.

    `by_bots` are the entrants whose seats bots may have. `deals` is the round and attempt of a duplicate. `before` is
    the ranking of the seats at a tie-break table.
    """

    seq: int
    event: Any
    seats: Seating
    players: tuple[str | None, ...]
    by_bots: frozenset[int]
    terms: MatchTerms
    place: Mapping[str, Any]
    stakes: TableStakes | None
    deals: tuple[int, int] | None
    before: Levels | None = None


class TableMatches:
    """Checks the records of matches one after another, and reports whether they belong to the tables."""

    def __init__(self, tournament: str, events: Sequence[Any]) -> None:
        self._cited = _cited(tournament, events)
        self._judged = bool(events)
        self._taken: set[str] = set()
        self._wrong: Finding | None = None
        self._unsure: str | None = None
        self._deals: dict[tuple[int, int], Any] = {}
        self._prepared = Prepared()
        self._bound = BoundDeals(tournament, events)

    def take(self, line: bytes) -> None:
        """Verify the record of a match, and compare it with its table. Raises `Unreadable`."""
        read = records.read_record(line)
        match = read.match.id
        if match in self._taken:
            raise records.Unreadable(f"The record of the match {match} appears twice.")
        self._taken.add(match)
        if self._wrong or not self._judged:
            return
        cited = self._cited.get(match)
        if cited is None:
            self._wrong = bad(NAME, None, f"The match {match} belongs to no table of the tournament.")
            return
        facts = records.facts(read)
        report = verify_match(match, facts, records.claims(read))
        if report.verdict == "failed":
            failed = ", ".join(check.name for check in report.checks if not check.ok)
            self._wrong = bad(NAME, cited.seq, f"The record of its match is invalid: {failed}.")
        elif why := _differs(cited, facts) or self._brings(cited, facts):
            self._wrong = bad(NAME, cited.seq, why)
        elif cited.deals and self._deals.setdefault(cited.deals, _deals_of(facts)) != _deals_of(facts):
            self._wrong = bad(NAME, cited.seq, "The match did not have the deals of the other tables of the round.")
        elif self._bound.differs(cited.place, facts, shared=cited.deals is not None):
            self._wrong = bad(NAME, cited.seq, "The match does not have the deals that the tournament was bound to.")
        elif left := [check.name for check in report.checks if check.skipped and _matters(cited, check)]:
            self._unsure = f"The record of the match {match} cannot be judged here: {', '.join(left)}."

    def _brings(self, cited: _Cited, facts: Sequence[Fact]) -> str | None:
        """Collect the gains or entries of a match that agrees with its table; return a disagreement."""
        if isinstance(cited.event, PodFinished):
            return self._prepared.take_pod(cited.event, cited.seats, facts)
        self._prepared.take_table(cited.seq, cited.seats, facts)
        return None

    def found(self) -> Finding:
        """Return the finding. It is skipped if a match has no record here."""
        if not self._judged:
            return skip_check(NAME, "The tables can be checked only if the events are valid.")
        if self._wrong:
            return self._wrong
        if fault := self._prepared.fault():
            return bad(NAME, *fault)
        if self._unsure:
            return skip_check(NAME, self._unsure)
        if self._taken and (why := self._bound.unproved()):
            return skip_check(NAME, why)
        there, all_of_them = len(self._taken), len(self._cited)
        if there < all_of_them:
            why = f"{there} of {all_of_them} matches are in the record, and agree with their tables."
            return skip_check(NAME, f"{why} The results of the others are not shown.")
        return good(NAME, f"The {there} matches belong to their tables and have the stated results.")


def _matters(cited: _Cited, check: Finding) -> bool:
    """Return whether a match cannot be judged for its tournament without this check.

    The tournament has the head of the match, so its own signature adds nothing. In a match that was never played, only
    present players matter, and their entries stay sealed.
    """
    return check.name not in VOUCHING and not (check.sealed and isinstance(cited.event, TableForfeited | PodRepeated))


def _cited(tournament: str, events: Sequence[Any]) -> dict[str, _Cited]:
    """Find the matches that the events of a tournament cite."""
    cited: dict[str, _Cited] = {}
    t = Tournament()
    for seq, event in enumerate(events, 1):
        before, t = t, evolve(t, event)
        if isinstance(event, PodFinished | PodRepeated):
            cited[event.match] = _pod(tournament, seq, event, before)
        if isinstance(event, TableFinished | TableDrawn | TableForfeited | TableAdjudicated):
            table = t.tables[event.table]
            players = tuple(None if one is BOT else t.players[one] for one in table)
            attempt = before.attempts[event.table]
            place = {"id": tournament, "round": event.round, "table": event.table, "attempt": attempt}
            stakes = before.stakes[event.table] if before.stakes else None
            deals = (event.round, attempt) if format_of(t).has_same_deals else None
            by_bots = _by_bots(before, table)
            terms = terms_at(before, event.table)
            tied = levels_before(before, before.round, event.table, table)
            cited[event.match] = _Cited(seq, event, table, players, by_bots, terms, place, stakes, deals, tied)
    return cited


def _by_bots(t: Tournament, table: Seating) -> frozenset[int]:
    """Return the entrants whose seats bots may have: no-shows, and entrants who left."""
    return frozenset(one for one in table if one is not BOT and format_of(t).bot_sits_in(t, one, len(table)))


def _deals_of(facts: Sequence[Fact]) -> Any:
    """Return the basis of a match's deals: its group, the commitment to their seeds, and all nonces."""
    group = facts[0].data.get("deal_group")
    bound = next((fact.data.get("commitment") for fact in facts if fact.type == "FairnessCommitted"), None)
    nonces = [fact.data.get("nonces") for fact in facts if fact.type == "DealsShared"]
    return group.get("id") if isinstance(group, dict) else facts[0].data.get("tournament"), bound, nonces


def _pod(tournament: str, seq: int, event: PodFinished | PodRepeated, t: Tournament) -> _Cited:
    """Return the citation of a pod's match."""
    assert t.preparation is not None
    entrants, place = t.pods[event.pod], {"id": tournament, "round": PREPARING, "table": event.pod}
    seats = (*entrants, *[BOT] * (t.preparation.fewest - len(entrants)))
    players = tuple(None if one is BOT else t.players[one] for one in seats)
    where = {**place, "attempt": t.pod_attempts[event.pod]}
    return _Cited(seq, event, seats, players, frozenset(), t.preparation.terms, where, stakes=None, deals=None)


def _differs(cited: _Cited, facts: Sequence[Fact]) -> str | None:
    """Return how a match with a valid record differs from its table; None if it does not."""
    if canonical(facts[0].data.get("tournament")) != canonical(cited.place):
        return "The match was not created for this table."
    brought = next((fact.data.get("stakes") for fact in facts if fact.type == "StacksArrived"), None)
    if canonical(brought) != canonical(_written(cited.stakes)):
        return "The stacks at the table are not those of the tournament."
    if not _is_as_announced(cited.terms, facts[0].data):
        return "The match does not have the announced terms."
    adjudicated = isinstance(cited.event, TableAdjudicated | PodFinished)
    ended = [fact for fact in facts if fact.type == "MatchEnded"]  # The event that voids a match may follow.
    if cited.event.head not in [fact.digest for fact in (facts if adjudicated else ended)]:
        return "The match does not have the head that its table states."
    sits = sitting(facts)
    if (
        len(sits) != len(cited.seats)
        or seats_nowhere(facts, sits)
        or not all(_is_of(cited, seat, sat) for seat, sat in enumerate(sits))
    ):
        return "The seats do not match the pairing."
    if (
        isinstance(cited.event, TableFinished | TableDrawn | TableAdjudicated)
        and _by_time(cited, facts, sits) != cited.event.absent
    ):
        return "The no-shows differ from those of its table."
    if isinstance(cited.event, TableAdjudicated):
        until = next(fact.seq for fact in facts if fact.digest == cited.event.head)
        away = [cited.seats[seat] for seat in _no_shows(cited, facts, sits, until)]
        return None if set(away) <= set(cited.event.late) else "A player who never showed up has not lost."
    if adjudicated:
        return None
    result = _ended(cited, facts)
    if isinstance(cited.event, TableForfeited | PodRepeated):
        absent = _absent(cited, sits)
        return (
            None
            if result is None and absent == cited.event.absent
            else "The players who showed up differ from those of its table."
        )
    if result is not None:
        result = result_after_tie(cited.before, put_absent_last(result, _no_shows(cited, facts, sits, len(facts))))
    return None if result == cited.event.result else "The match did not end as its table states."


def _written(stakes: TableStakes | None) -> Any:
    """Return stacks as the record of a match has them."""
    shape = shapes_of((StacksArrived,))["StacksArrived"]
    return None if stakes is None else shape.data(StacksArrived(stakes))["stakes"]


def _is_as_announced(terms: MatchTerms, created: Mapping[str, Any]) -> bool:
    """Return whether a match has the game, the options, the clock and the series of a tournament."""
    series = created.get("series")
    best_of = series.get("best_of") if isinstance(series, dict) else None
    played = [created.get(name) for name in ("game", "preset", "options", "clock")]
    due = [terms.game, terms.preset, terms.options, to_builtins(terms.clock)]
    return canonical(played) == canonical(due) and terms.best_of in (None, best_of)


def _is_of(cited: _Cited, seat: int, sat: Mapping[str, Any]) -> bool:
    """Return whether a seat fits its entrant: bots may replace entrants who left, and no-shows are allowed."""
    entrant = cited.seats[seat]
    if sat["kind"] == "bot":
        return entrant is BOT or entrant in cited.by_bots
    came = sat["player"] == cited.players[seat]
    return entrant is not BOT and (came or (sat["player"] is None and isinstance(cited.event, AWAY)))


def _absent(cited: _Cited, sits: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Return the entrants who have not taken their seats. If all have, but the match was not played, return all."""
    open_seats = [sat["kind"] != "bot" and sat["player"] is None for sat in sits]
    there = [(one, away) for one, away in zip(cited.seats, open_seats, strict=True) if one is not BOT]
    absent = tuple(one for one, away in there if away)
    return absent if absent or cited.deals else tuple(one for one, _ in there)


def _by_time(cited: _Cited, facts: Sequence[Fact], sits: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Return the entrants whom the server seated when the time for taking seats was over."""
    causes = [facts[sat["by"] - 1].cause if sat["player"] is not None else None for sat in sits]
    there = zip(cited.seats, causes, strict=True)
    return tuple(one for one, cause in there if one is not BOT and cause == "timeout")


def _no_shows(cited: _Cited, facts: Sequence[Fact], sits: Sequence[Mapping[str, Any]], until: int) -> tuple[int, ...]:
    """Return the seats of players who had not shown up by an event, and whom the server seated."""
    told = [(fact.type, fact.data.get("seat")) for fact in facts[:until]]
    late = _by_time(cited, facts, sits)
    return tuple(seat for seat, one in enumerate(cited.seats) if one in late and is_no_show(told, seat))


def _ended(cited: _Cited, facts: Sequence[Fact]) -> TableResult | None:
    """Return the result of a table from its match, and the games from the events that ended them; None without one."""
    result = next(fact.data.get("result") for fact in facts if fact.type == "MatchEnded")
    if result is None:
        return None
    won = [fact.data.get("winner") for fact in facts if fact.type == "GameWon"]
    games, drawn = len(won), won.count(None)
    places = tuple(1 + sum(other < place for other in result["places"]) for place in result["places"])
    left = next((fact.data["stacks"] for fact in facts if fact.type == "StacksLeft"), None)
    chips = None if left is None else tuple(LeavingStack(**row) for row in left)
    scores = tuple(result["scores"]) if cited.deals else None
    wins = tuple(min(wins, games - drawn) for wins in result["wins"])
    return TableResult(cited.seats, places, wins, games, drawn, chips, scores)
