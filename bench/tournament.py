"""Measures a whole Swiss on a store: the runner's time per round, and storage and verification at the end.

All times are processor time, so that other work on the machine has little effect.
"""

import time
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.tables import Line, Table
from domain.tournament.entrants import CloseEntries, Enter
from domain.tournament.tournament_plan import TournamentPlan
from events.operations.audit_streams import audit_stream
from events.proof.documents import verify_document
from events.service import tournaments
from events.service.context import Context
from events.service.tournament_rounds import ranked_entrants
from events.service.tournaments import export_lines
from events.store.migrate import migrate
from events.store.opening import open_store
from tests.tournament.evenings import ORGANISER
from tests.tournament.lives import Hands, Life

SEATS = 4
WHOLE, QUICK = (1000, 9), (100, 4)
"""Entrants and rounds."""


def measure(*, quick: bool) -> Table:
    """Play a tournament whose players all join and resign; only the server's automatic work is timed."""
    entrants, rounds = QUICK if quick else WHOLE
    table = Table(
        f"tournament: a Swiss of {entrants:,} at tables of {SEATS}, {rounds} rounds, on SQLite; time of the process"
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dealt.sqlite3"
        migrate(f"sqlite:///{path}")
        with closing(open_store(f"sqlite:///{path}")) as store:
            plan = TournamentPlan("swiss", SEATS, SEATS, rounds)
            one = Life(store, Hands(), 0, plan, closed=False)
            _, entering = _timed(lambda: [one.tell(Enter(f"player {n}")) for n in range(entrants)])
            _, beginning = _timed(lambda: one.tell(CloseEntries(ORGANISER)))
            made, taken = _lived(one)
            assert one.state.status == "over"
            _, folding = _timed(lambda: tournaments.load_tournament(Context(store), one.id))
            found, reading = _timed(lambda: tournaments.load_tournament(one.matches, one.id))
            _, ranking_all = _timed(lambda: ranked_entrants(found.state))
            text, writing = _timed(lambda: b"\n".join(export_lines(tournaments.load_tournament(one.matches, one.id))))
            (_, report), verifying = _timed(lambda: verify_document(BytesIO(text)))
            assert report.verdict != "failed"  # It has no signature.
            audited, auditing = _timed(lambda: audit_stream(store, one.id))
            assert audited is not None
            assert audited.ok
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    matches = rounds * -(-entrants // SEATS)
    table.lines += [
        Line("all enter, one after the other", entering, "s"),
        Line("the order is drawn, the first round is paired", beginning, "s"),
        Line("a round: its matches are made", made / rounds, "s"),
        Line("a round: results are recorded, and the next round is paired", taken / rounds, "s"),
        Line("at the end: read for the first time", 1e3 * folding, "ms"),
        Line("  again, by the same process", 1e3 * reading, "ms"),
        Line("  standings", 1e3 * ranking_all, "ms"),
        Line("database", size / 1e6, "MB"),
        Line("  for each match", size / matches / 1e3, "kB"),
        Line("record without its matches", len(text) / 1e6, "MB"),
        Line("  written", writing, "s"),
        Line("  verified", verifying, "s"),
        Line("audit of the tournament with its matches", auditing, "s"),
    ]
    table.notes.append(f"{matches:,} matches were played.")
    return table


def _lived(one: Any) -> tuple[float, float]:
    """Play to the end; return the seconds for creating matches, and for everything that follows from their results."""
    made = taken = 0.0
    while one.state.status == "playing":
        made += _timed(one.looks)[1]
        for table in one.open():
            one.sit(table)
            one.resigns(table)
        taken += _timed(one.looks)[1]
    return made, taken


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    return work(), time.process_time() - began
