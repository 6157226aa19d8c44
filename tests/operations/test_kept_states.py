"""Databases of earlier states of the code are audited by today's: what it cannot judge it never calls tampered with."""

import json
import lzma
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from events.operations.audit import audit, report
from events.store import tables
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from tests import kept_states
from tests.draws import first_of
from tests.laws.games import OF

STATES = sorted(kept_states.KEPT.glob("*.sqlite3.xz"))


GAMES_THEN = 7
"""Every state that was kept has a match of this many games at least."""


@pytest.fixture(params=first_of(STATES, 3), ids=lambda path: path.name.partition(".")[0])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A database as it was written then, migrated since."""
    path = tmp_path / "kept.sqlite3"
    path.write_bytes(lzma.decompress(request.param.read_bytes()))
    migrate(f"sqlite:///{path}")
    with closing(open_store(f"sqlite:///{path}")) as store:
        yield store


def test_no_match_of_an_earlier_state_is_called_tampered_with(kept: Store) -> None:
    heads = tables.stored_rows.heads(kept, 0)
    reports = [audit(kept, head.match_id) for head in heads]
    assert len(OF) >= len(reports) >= GAMES_THEN
    assert [check for report in reports if report for check in report.checks if not check.ok] == []
    assert all(report and report.verdict != "failed" for report in reports)


def test_what_is_altered_in_an_earlier_state_is_found(kept: Store) -> None:
    """A kept database would prove nothing if the audit passed whatever it holds."""
    (head, *_) = tables.stored_rows.heads(kept, 0)
    found = tables.stored_rows.read(kept, head.match_id)
    assert found is not None
    first = found.commits[0]
    found.commits[0] = first._replace(events=first.events.replace('"seat":0', '"seat":1', 1))
    assert (found.commits[0] == first, report(found).verdict) == (False, "failed")


def test_the_events_of_today_are_kept() -> None:
    """Whoever changes the fields of an event raises its number, says how old data is lifted, and keeps the new state.

    `python -m tests.kept_states` writes it.
    """
    today = kept_states.schemas()
    assert f"{kept_states.digest(today)}.sqlite3.xz" in [path.name for path in STATES]


def test_an_event_whose_fields_have_changed_has_another_number() -> None:
    today = kept_states.schemas()
    changed = [
        f"{name} of {path.stem}"
        for path in kept_states.KEPT.glob("*.json")
        for name, then in json.loads(path.read_text()).items()
        if name in today and (then["v"] == today[name]["v"]) != (then == today[name])
    ]
    assert changed == []
