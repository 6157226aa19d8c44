"""States of the code whose events are kept: what each event was made of, and a database that was written then.

    python -m tests.kept_states

writes those of today. Do so after the fields of an event have changed, with a raised number in
`events/log/upcasts.py`; what was kept before stays as it is.
"""

import json
import lzma
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from domain.core.clock import Clock
from domain.core.types import Typed, fields_of
from domain.core.visibility import secret_fields
from domain.games.catalogue import GAMES
from domain.match.events import EVENTS
from events.log.upcasts import version
from events.store.migrate import migrate
from events.store.opening import open_store
from tests.laws.games import OF
from tests.service.whole_matches import WholeMatch, resigns

KEPT = Path(__file__).with_name("records") / "states"

TURNS = 40
"""A match of a kept database has at most this many turns, so that the file stays small."""

Schemas = dict[str, dict[str, Any]]
"""Of each event, by its game and its type: its schema version, and what each of its fields is."""


def schemas() -> Schemas:
    """Describe the events that today's code writes."""
    kinds = {"match": EVENTS, **{name: GAMES[name].events for name in OF}}
    return {f"{of}.{cls.__name__}": _schema(cls) for of, classes in kinds.items() for cls in classes}


def _schema(cls: type) -> dict[str, Any]:
    secret = secret_fields(cls)
    described = {name: _described(field) for name, field in fields_of(cls).items()}
    marks = {name: mark.name for name, mark in secret.items()}
    return {"v": version(cls.__name__), "fields": described, "secret": marks}


def _described(of: Typed, inside: tuple[type, ...] = ()) -> Any:
    """Describe a type as JSON holds its values; a record that holds itself is named where it comes again."""
    match of.kind:
        case "row":
            inner: Any = [_described(of.of, inside)]
        case "record" if of.of not in inside:
            known = (*inside, of.of)
            inner = {name: _described(field, known) for name, field in fields_of(of.of).items()}
        case "either":
            inner = {"either": [_described(one, inside) for one in of.of]}
        case "words":
            inner = "text"
        case "fixed":
            each = [_described(one, inside) for one in of.of]
            inner = each[:1] if all(one == each[0] for one in each) else each
        case "mapping":
            inner = "Mapping"
        case _:
            inner = getattr(of.of, "__name__", str(of.of))
    return {"optional": inner} if of.optional else inner


def digest(of: Mapping[str, Any]) -> str:
    """Name a state by what its events are made of."""
    return sha256(json.dumps(of, sort_keys=True).encode()).hexdigest()[:12]


def write_database(path: Path) -> None:
    """Write a database with a match of each game; the match of every other game is over."""
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


def main() -> None:
    """Write today's state, unless it is kept already."""
    made = schemas()
    name = digest(made)
    database = KEPT / f"{name}.sqlite3.xz"
    if database.exists():
        sys.stdout.write(f"{name} is kept already.\n")
        return
    KEPT.mkdir(exist_ok=True)
    with TemporaryDirectory() as directory:
        path = Path(directory) / "state.sqlite3"
        write_database(path)
        database.write_bytes(lzma.compress(path.read_bytes(), preset=9))
    (KEPT / f"{name}.json").write_text(json.dumps(made, indent=1, sort_keys=True) + "\n")
    sys.stdout.write(f"{name} is kept.\n")


if __name__ == "__main__":
    main()
