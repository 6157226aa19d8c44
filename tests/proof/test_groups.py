"""Tests records of duplicate groups and of replayed deals: both verifiers agree, and find forgeries."""

import copy
import json
from hashlib import sha256
from typing import Any

import pytest

from api.app import create_app
from domain.core.clock import Clock
from domain.match.resignations import Resign
from events.proof.record import MEDIA_TYPE
from events.service.create import PracticeRequest
from events.settings import Settings
from events.store.migrate import migrate
from events.store.opening import open_store
from tests.bound import Matches
from tests.draws import first_of
from tests.proof.test_second_verifier import agree, found, node, ours
from tests.service.test_groups import ANN, BOB, EVE, NONCES, Machine, asked, places, plays_out, work
from tests.tampered import relinked

__all__ = ["node"]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return a table while its group is running, both tables when all are over, and a practice match of one of them."""
    migrate(url := f"sqlite:///{tmp_path_factory.mktemp('groups') / 'dealt.sqlite3'}")
    store, now = open_store(url), Machine()
    matches = Matches(store, now=now)
    client = create_app(Settings(dealt_rate_per_second=0), store=store, now=now).test_client()

    def record(match_id: str) -> Any:
        return json.loads(client.get(f"/v1/matches/{match_id}/record", headers={"Accept": MEDIA_TYPE}).data)

    made = matches.create_group(
        ANN, asked(nonce_seconds=60, target_score=50), [places("me", "bot"), places("open", "bot")]
    )
    one, two = made.group.tables
    matches.sit(one, ANN, 0, nonce=NONCES[0])
    matches.sit(two, BOB, 0, nonce=NONCES[1])
    work(matches, now)
    plays_out(matches, now, one, ANN)
    plays_out(matches, now, two, BOB)
    work(matches, now)
    again = matches.practice(one, EVE, PracticeRequest(None, None, "public", Clock()))
    plays_out(matches, now, again.match_id, EVE)
    promised = opened(matches, now)
    return {"one": record(one), "two": record(two), "again": record(again.match_id), "promised": record(promised)}


def opened(matches: Matches, now: Machine) -> str:
    """Return the first of two tables whose players have promised their nonces, opened them, and resigned."""
    group = matches.create_group(ANN, asked(nonce_commit=True), [places("me", "bot"), places("open", "bot")]).group
    seats = tuple(zip(group.tables, (ANN, BOB), NONCES, strict=True))
    for table, who, nonce in seats:
        matches.sit(table, who, 0, nonce_hash=sha256(nonce.encode()).hexdigest())
    work(matches, now)
    for table, who, nonce in seats:
        matches.sit(table, who, 0, nonce=nonce)
    work(matches, now)
    for table, who, _ in seats:
        matches.move(table, who, None, Resign(whole_match=True))
    work(matches, now)
    return group.tables[0]


def said(events: Any, kind: str) -> Any:
    """Return the data of the first event of a type."""
    return next(e for e in events if e["type"] == kind)["data"]


def unsaid(events: Any) -> None:
    """Replace the event that closes the hashes of all tables with one that has no effect."""
    event = next(e for e in events if e["type"] == "CommitmentsShared")
    event.update(type="NoncesClosed", data={"epoch": 1, "stage": "hashes"})


def verdicts(report: dict[str, Any]) -> dict[str, bool]:
    return {check["name"]: check["ok"] for check in report["checks"]}


def forged(record: Any, change: Any) -> Any:
    """Return the record with a change in its first event, or another one, and all digests recomputed."""
    made = copy.deepcopy(record)
    change(made["events"])
    return relinked(made)


@pytest.mark.long
def test_both_verifiers_accept_matches_of_a_group(node: str, records: dict[str, Any]):
    agree(node, [(name, record, []) for name, record in records.items()])
    for record in records.values():
        checks = [check for check in ours(record)["checks"] if check["skipped"] or not check["ok"]]
        assert [check["name"] for check in checks] == ["signatures"], found(ours(record))


FORGERIES = {
    "another group": ("one", lambda events: events[0]["data"]["deal_group"].update(id="another")),
    "no group": ("one", lambda events: events[0]["data"].update(deal_group=None)),
    "another table's nonce": (
        "one",
        lambda events: next(e for e in events if e["type"] == "DealsShared")["data"]["nonces"][1].__setitem__(
            0, "0" * 16
        ),
    ),
    "nonces of no table": (
        "one",
        lambda events: next(e for e in events if e["type"] == "DealsShared")["data"].update(nonces=[["", ""]]),
    ),
    "another hash of another table": (
        "promised",
        lambda events: said(events, "CommitmentsShared")["hashes"][1].__setitem__(0, "0" * 64),
    ),
    "another hash of this table": (
        "promised",
        lambda events: said(events, "CommitmentsShared")["hashes"][0].__setitem__(0, "0" * 64),
    ),
    "hashes of one table": ("promised", lambda events: said(events, "CommitmentsShared")["hashes"].pop()),
    "hashes that were never closed": ("promised", unsaid),
    "another hash of a seat": ("promised", lambda events: said(events, "NonceCommitted").update(hash="0" * 64)),
    "another match's deals": ("again", lambda events: events[0]["data"]["deal_known"]["deals"].update(match="another")),
    "another link": ("again", lambda events: events[0]["data"]["deal_known"]["deals"].update(link=2)),
    "deals that are not known": ("again", lambda events: events[0]["data"].update(deal_known=None)),
}


@pytest.mark.parametrize("name", first_of(FORGERIES, 3))
def test_both_verifiers_detect_forged_matches_of_a_group(name: str, node: str, records: dict[str, Any]):
    which, change = FORGERIES[name]
    made = forged(records[which], change)
    agree(node, [(name, made, [])])
    assert not verdicts(ours(made))["shuffles"]
    assert verdicts(ours(made))["chain"]


def test_id_of_a_group_cannot_be_changed_without_a_new_chain(records: dict[str, Any]):
    made = copy.deepcopy(records["one"])
    made["events"][0]["data"]["deal_group"]["id"] = "another"
    assert not verdicts(ours(made))["chain"]
