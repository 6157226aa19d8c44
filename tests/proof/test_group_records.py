"""Tests records of duplicate groups in both verifiers: valid ones pass, and both find every change alike."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest

from domain.deal_group import (
    EVENTS,
    GroupCancelled,
    GroupCommitted,
    GroupCreated,
    GroupExpired,
    GroupOver,
    GroupStarted,
)
from events.log.codec import shapes_of
from events.log.seals import NO_EVENT, digest
from events.proof import group_record
from events.proof.documents import verify_document
from events.proof.findings import Evidence
from events.proof.record import Unreadable
from events.proof.signed_heads import DEAL_GROUP
from tests.proof.test_second_verifier import node, reports
from tests.proof.test_signatures import MINE, ring, signed_head
from tests.tampered import Path, changed, places

__all__ = ["node"]

NONCES = (("0123456789abcdef", ""), ("fedcba9876543210", ""))
HASHES = tuple(tuple(sha256(nonce.encode()).hexdigest() if nonce else "" for nonce in row) for row in NONCES)
CREATED = GroupCreated("ann", ("m-1", "m-2"))
PROMISED = (CREATED, GroupCommitted(HASHES), GroupStarted(NONCES), GroupOver())
LIVES: dict[str, tuple[Any, ...]] = {
    "promised": PROMISED,
    "started": (CREATED, GroupStarted(NONCES)),
    "cancelled": (CREATED, GroupCommitted(HASHES), GroupCancelled()),
    "expired": (CREATED, GroupExpired()),
}


def written(events: tuple[Any, ...]) -> dict[str, Any]:
    """Return the record of a group with these events, each in its own commit."""
    shapes = shapes_of(EVENTS)
    items = [
        {"v": 1, "seq": seq, "commit": seq, "type": type(event).__name__, "at": "2026-11-23T10:00:00.000Z"}
        | {"data": shapes[type(event).__name__].data(event), "cause": "auto", "seals": {}, "digest": ""}
        for seq, event in enumerate(events, 1)
    ]
    record = {"format": group_record.FORMAT, "group": "g-1", "version": len(items), "head": "", "events": items}
    return linked(json.loads(json.dumps(record)))


def linked(record: dict[str, Any]) -> dict[str, Any]:
    """Rechain the events of a record, as a server would after changing one of them."""
    before = NO_EVENT
    for event in record["events"]:
        hashed = {name: value for name, value in event.items() if name != "digest"}
        before = event["digest"] = digest(before, {**hashed, "match": record["group"]})
    return record | {"head": before}


def signed(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"signed": signed_head(ring(), DEAL_GROUP, record["group"], record["version"], record["head"])}


def found(report: dict[str, Any]) -> Any:
    """Return the findings in which both verifiers must agree."""
    if "unreadable" in report:
        return "unreadable"
    checks = [(check["name"], check["ok"], check["skipped"], check["seq"]) for check in report["checks"]]
    return report["verdict"], report["match"], report["version"], report["head"], checks


def ours(record: dict[str, Any]) -> Any:
    try:
        return found(asdict(verify_document(BytesIO(json.dumps(record).encode()), Evidence(keys=[MINE]))[1]))
    except Unreadable:
        return "unreadable"


def both(node: str, records: list[dict[str, Any]]) -> list[Any]:
    """Check that both verifiers agree on all of these; return their findings."""
    mine = [ours(record) for record in records]
    theirs = [found(report) for report in reports(node, [(record, ()) for record in records], [MINE])]
    assert [(i, a, b) for i, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b] == []
    return mine


def test_both_verifiers_accept_a_signed_group(node: str) -> None:
    assert {report[0] for report in both(node, [signed(written(life)) for life in LIVES.values()])} == {"verified"}


def test_unsigned_group_is_unverifiable(node: str) -> None:
    (report,) = both(node, [written(PROMISED)])
    assert (report[0], [name for name, _, skipped, _ in report[-1] if skipped]) == ("unverifiable", ["signatures"])


WRONG: dict[str, tuple[int, tuple[Any, ...]]] = {
    "one table": (1, (GroupCreated("ann", ("m-1",)),)),
    "one match twice": (1, (GroupCreated("ann", ("m-1", "m-1")),)),
    "no beginning": (1, PROMISED[1:]),
    "a second beginning": (2, (CREATED, CREATED)),
    "hashes of one table": (2, (CREATED, GroupCommitted(HASHES[:1]))),
    "nonces of one table": (2, (CREATED, GroupStarted(NONCES[:1]))),
    "a nonce that was not promised": (3, (CREATED, GroupCommitted(HASHES), GroupStarted((NONCES[0], ("ab" * 8, ""))))),
    "a seat that was not promised": (3, (CREATED, GroupCommitted(HASHES), GroupStarted((NONCES[0], (NONCES[1][0],))))),
    "an end before the start": (2, (CREATED, GroupOver())),
    "hashes after the start": (3, (CREATED, GroupStarted(NONCES), GroupCommitted(HASHES))),
    "cancelled after the start": (3, (CREATED, GroupStarted(NONCES), GroupCancelled())),
    "two ends": (5, (*PROMISED, GroupOver())),
}


def test_both_verifiers_refuse_impossible_group_events(node: str) -> None:
    reports_ = both(node, [signed(written(life)) for _, life in WRONG.values()])
    at = [next(seq for name, _, _, seq in report[-1] if name == "rules") for report in reports_]
    assert dict(zip(WRONG, at, strict=True)) == {name: seq for name, (seq, _) in WRONG.items()}


def forged(record: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Return copies of a record with one change, by its place: as it is, or rechained."""
    for path, how in places(record):
        if path != ("format",):
            made = changed(record, path, how)
            yield path, linked(made) if path[2:3] == ("data",) else made


@pytest.mark.long
def test_both_verifiers_report_the_same_faults_of_a_group(node: str) -> None:
    made = [one for _, one in forged(signed(written(PROMISED)))]
    assert {report if report == "unreadable" else report[0] for report in both(node, made)} <= {
        "failed",
        "unreadable",
        "unverifiable",
    }
