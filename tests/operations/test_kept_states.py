"""Tests that the current code migrates and audits a kept database, and never reports unknown data in it as tampered.

Nothing is kept before version 1.0, so the database is written here, as `tests.kept` would.
"""

from collections.abc import Iterator
from contextlib import closing

import pytest

from events.operations.audit import audit, report
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import stored_rows
from tests import kept
from tests.laws.games import OF


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a kept database after its migration."""
    path = tmp_path_factory.mktemp("kept") / "kept.sqlite3"
    kept.write_database(path)
    migrate(f"sqlite:///{path}")
    with closing(open_store(f"sqlite:///{path}")) as store:
        yield store


def test_stored_state_is_not_reported_as_tampered(state: Store) -> None:
    reports = [audit(state, head.match_id) for head in stored_rows.heads(state, 0)]
    assert len(reports) == len(OF)
    assert [check for report in reports if report for check in report.checks if not check.ok] == []
    assert all(report and report.verdict != "failed" for report in reports)


def test_audit_detects_tampering_with_a_stored_state(state: Store) -> None:
    """A kept database would prove nothing if the audit passed whatever it contains."""
    (head, *_) = stored_rows.heads(state, 0)
    found = stored_rows.read_stored(state, head.match_id)
    assert found is not None
    first = found.commits[0]
    found.commits[0] = first._replace(events=first.events.replace('"seat":0', '"seat":1', 1))
    assert (found.commits[0] == first, report(found).verdict) == (False, "failed")
