"""Records, tournaments and a database that are kept, to show that later code still reads them.

    python -m tests.kept

writes those of today's code. From version 1.0 on what was kept stays as it is, and each release adds its own.
"""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from random import Random

from domain.core.clock import Clock
from domain.tournament.tournament_plan import TournamentPlan
from events.store.migrate import migrate
from events.store.opening import open_store
from tests.laws.games import OF
from tests.proof.test_tournament_records import lines, written
from tests.recorded import FINISHED, OTHERS
from tests.service.whole_matches import WholeMatch, resigns
from tests.tournament.evenings import Evening

RECORDS = Path(__file__).with_name("records")

OF_MATCHES: Mapping[str, str] = {
    **dict.fromkeys(("nonces", "timed out", "drawn"), "spectators"),
    "hearts running, seat": "0",
    "lobby": "1",
}
"""Readers whose records of a finished match of each game are kept, by the game's name in `tests.recorded`."""

TOURNAMENT = TournamentPlan("double_elimination", 4, 2, advance=2, fill="bots")

TURNS = 40
"""The maximum number of turns in a match of a kept database, so that the file stays small."""


def write_database(path: Path) -> None:
    """Write a database with a match of each game; every other match is finished."""
    url = f"sqlite:///{path}"
    migrate(url)
    with closing(open_store(url)) as store:
        for i, (entry, *_) in enumerate(OF.values()):
            block = next(iter(entry.blocks.values()))
            kinds = ("me", "open", *["bot"] * (entry.seats - 2))
            clock = Clock(per_decision_seconds=60) if i % 3 == 1 else Clock()
            reveal = {"fairness_reveal": ("hand_end", "match_end")[i % 2]}
            one = WholeMatch(
                store, entry, block[0], Random(i), clock=clock, common=reveal, best_of=1, kinds=kinds, haste=True
            )
            one.lived(TURNS)
            if i % 2:
                resigns(one)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode=DELETE")


def write_records() -> None:
    """Write a finished match of each game, some others, and a tournament."""
    made = {name: FINISHED[name]().record() for name in OF}
    for name, reader in OF_MATCHES.items():
        make = FINISHED[name] if name in FINISHED else OTHERS[name][0]
        made[name.replace(", ", "-").replace(" ", "-")] = make().record(reader)
    for name, record in made.items():
        (RECORDS / f"{name}.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")
    played = Evening(TOURNAMENT).begun(9).play(Random(3))
    (RECORDS / "tournaments" / "double-elimination-at-tables.ndjson").write_bytes(lines(written(list(played.events))))


if __name__ == "__main__":
    write_records()
