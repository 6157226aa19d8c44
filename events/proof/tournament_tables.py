"""This module compares the tables of a tournament with the records of the matches that were played at them."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from domain.tournament.played_rounds import BOT, Seating, TableResult
from domain.tournament.tournament_events import TableDrawn, TableFinished
from domain.tournament.tournament_state import Tournament, evolve
from events.proof import record as records
from events.proof import verify
from events.proof.checks.result import sitting
from events.proof.findings import Fact, Finding, bad, good, skipped

NAME: Final = "tables"


class _Cited(NamedTuple):
    """This is a match as a tournament cites it: by which event, and what its players and its terms must be."""

    seq: int
    event: Any
    seats: tuple[str | None, ...]
    game: str


class TableMatches:
    """This takes in the records of matches one after another, and says at last whether they are those of the tables."""

    def __init__(self, events: Sequence[Any]) -> None:
        self._cited = _cited(events)
        self._judged = bool(events)
        self._taken: set[str] = set()
        self._wrong: Finding | None = None
        self._unsure: str | None = None

    def take(self, line: bytes) -> None:
        """Verify the record of a match, and compare it with its table. Raises `Unreadable`."""
        read = records.read(line)
        match = read.match.id
        if match in self._taken:
            raise records.Unreadable(f"The record of the match {match} is there twice.")
        self._taken.add(match)
        if self._wrong or not self._judged:
            return
        cited = self._cited.get(match)
        if cited is None:
            self._wrong = bad(NAME, None, f"No table of the tournament is that of the match {match}.")
            return
        facts = records.facts(read)
        report = verify(match, facts, records.claims(read))
        if report.verdict == "failed":
            failed = ", ".join(check.name for check in report.checks if not check.ok)
            self._wrong = bad(NAME, cited.seq, f"The record of its match does not hold: {failed}.")
        elif why := _differs(cited, facts):
            self._wrong = bad(NAME, cited.seq, why)
        elif report.verdict == "unverifiable":
            self._unsure = f"The record of the match {match} cannot be judged here."

    def found(self) -> Finding:
        """Say what was found; what no record was given of is skipped with excuse."""
        if not self._judged:
            return skipped(NAME, "The tables are known only where the events hold.")
        if self._wrong:
            return self._wrong
        if self._unsure:
            return skipped(NAME, self._unsure)
        there, all_of_them = len(self._taken), len(self._cited)
        if there < all_of_them:
            why = (
                f"{there} of {all_of_them} matches are in the record, and agree with their tables; the others are not."
            )
            return skipped(NAME, why, excused=True)
        return good(NAME, f"The {there} matches are those of their tables, and ended as they say.")


def _cited(events: Sequence[Any]) -> dict[str, _Cited]:
    """Find the matches that the events of a tournament cite."""
    cited: dict[str, _Cited] = {}
    t = Tournament()
    for seq, event in enumerate(events, 1):
        t = evolve(t, event)
        if isinstance(event, TableFinished | TableDrawn):
            cited[event.match] = _Cited(seq, event, _players(t, t.tables[event.table]), t.terms.game)
    return cited


def _players(t: Tournament, table: Seating) -> tuple[str | None, ...]:
    return tuple(None if one is BOT else t.players[one] for one in table)


def _differs(cited: _Cited, facts: Sequence[Fact]) -> str | None:
    """Say what a match, whose record holds, has otherwise than its table; None where all agrees."""
    if facts[0].data.get("game") != cited.game:
        return "The match is of another game than the tournament."
    if facts[-1].digest != cited.event.head:
        return "The match has another head than its table says."
    if [seat["player"] for seat in sitting(facts)] != [*cited.seats]:
        return "Others sat at the table than were paired."
    return (
        None
        if _ended(facts, cited.event.result.seats) == cited.event.result
        else "The match has ended otherwise than its table says."
    )


def _ended(facts: Sequence[Fact], seats: Seating) -> TableResult | None:
    """Give the result of a match by its last event, and the games by those that ended them; None where it has none."""
    result = facts[-1].data.get("result")
    if result is None:
        return None
    won = [fact.data.get("winner") for fact in facts if fact.type == "GameWon"]
    return TableResult(seats, tuple(result["places"]), tuple(result["wins"]), len(won), won.count(None))
