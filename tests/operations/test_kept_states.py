"""A kept database is migrated and audited by today's code: what this cannot judge it never calls tampered with.

Nothing is kept before version 1.0, so the state is one that is written here, as `tests.kept` keeps states.
"""

from collections.abc import Iterator
from contextlib import closing

import pytest

from events.operations.audit import audit, report
from events.store import tables
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from tests import kept
from tests.laws.games import OF


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A database as it was written then, migrated since."""
    path = tmp_path_factory.mktemp("kept") / "kept.sqlite3"
    kept.write_database(path)
    migrate(f"sqlite:///{path}")
    with closing(open_store(f"sqlite:///{path}")) as store:
        yield store


def test_no_match_of_a_kept_state_is_called_tampered_with(state: Store) -> None:
    reports = [audit(state, head.match_id) for head in tables.stored_rows.heads(state, 0)]
    assert len(reports) == len(OF)
    assert [check for report in reports if report for check in report.checks if not check.ok] == []
    assert all(report and report.verdict != "failed" for report in reports)


def test_audit_detects_tampering_with_a_stored_state(state: Store) -> None:
    """A kept database would prove nothing if the audit passed whatever it holds."""
    (head, *_) = tables.stored_rows.heads(state, 0)
    found = tables.stored_rows.read_stored(state, head.match_id)
    assert found is not None
    first = found.commits[0]
    found.commits[0] = first._replace(events=first.events.replace('"seat":0', '"seat":1', 1))
    assert (found.commits[0] == first, report(found).verdict) == (False, "failed")
