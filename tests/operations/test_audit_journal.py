"""Tests that an audit with a journal reads each match, and audits those that have changed in any way."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from api.cli import audit_all
from api.cli.audit_all import _audit_one, journal_entry
from events.operations import audit
from events.proof.keys import KeyRing
from events.store import archive
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import stored_rows
from tests.operations.filled import filled, over, owner_url, store

__all__ = ["filled", "over", "owner_url", "store"]


@pytest.fixture(autouse=True)
def in_process(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Audit in this process."""
    monkeypatch.setattr(audit_all, "_store", store, raising=False)
    monkeypatch.setattr(audit_all, "_ring", KeyRing("cards.example"), raising=False)


def stored(store: Store, match_id: str) -> stored_rows.Stored:
    found = stored_rows.read_stored(store, match_id)
    assert found is not None
    return found


def test_unchanged_match_is_not_audited_again(over: list[str], monkeypatch: pytest.MonkeyPatch):
    first, is_earlier = _audit_one(over[0], [], None)
    assert (first["verdict"], is_earlier) == ("verified", False)
    monkeypatch.delattr(audit, "verify_match")
    assert _audit_one(over[0], [], first) == (first, True)
    with pytest.raises(NameError):
        _audit_one(over[0], [], {**first, "stored": ""})


@pytest.mark.parametrize(
    "change",
    [
        'UPDATE commits SET events = replace(events, \'"cause":"move"\', \'"cause":"auto"\')',
        "UPDATE commits SET secrets = replace(secrets, 'S\"', 'D\"')",
        "UPDATE commits SET mac = NULL WHERE first = 1",
        "UPDATE commits SET at_ms = at_ms + 1",
        "DELETE FROM commits WHERE first = 1",
        "DELETE FROM secrets",
        "UPDATE seats SET player_id = 'mallory'",
        "DELETE FROM results",
    ],
)
def test_change_under_the_same_head_is_found(store: Store, over: list[str], owner: Callable[[str], Any], change: str):
    before, _ = _audit_one(over[0], [], None)
    head = stored(store, over[0]).head
    owner(change)
    assert stored(store, over[0]).head == head
    again, is_earlier = _audit_one(over[0], [], before)
    assert (again["verdict"], is_earlier) == ("failed", False)


@pytest.mark.both_databases
def test_backup_has_the_same_digests(store: Store, url: str, over: list[str], tmp_path: Path):
    archive.write_archive(url, tmp_path / "backup")
    with closing(open_store(f"sqlite:///{tmp_path / 'backup'}")) as copy:
        for match_id in over:
            assert stored_rows.stored_digest(stored(copy, match_id)) == stored_rows.stored_digest(
                stored(store, match_id)
            )


def test_journal_keeps_the_digest_of_a_match(store: Store, over: list[str], tmp_path: Path):
    made: Any = audit.audit(store, over[0])
    noted = journal_entry(made, stored_rows.stored_digest(stored(store, over[0])))
    with audit_all._Journal(tmp_path / "journal") as journal:
        journal.write(noted)
    with audit_all._Journal(tmp_path / "journal") as journal:
        assert journal.taken(over[0]) == noted
