"""Tests records of collections in both verifiers: valid ones pass, and both find every change alike."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import pytest

from events.log.seals import NO_EVENT, digest
from events.proof import collection_record
from events.proof.findings import Evidence
from events.proof.record import Unreadable
from events.service.stream_kinds import COLLECTION
from tests.collection.test_collection import OF, opened_starter, story
from tests.draws import is_thorough
from tests.proof.test_second_verifier import node, reports
from tests.tampered import Path, changed, places

__all__ = ["node"]


def written(events: list[Any]) -> dict[str, Any]:
    """Return the record of a collection with these events, each in its own commit."""
    items = [
        {"v": 1, "seq": seq, "commit": seq, "type": type(event).__name__, "at": "2026-11-23T10:00:00.000Z"}
        | {"data": COLLECTION.shapes[type(event).__name__].data(event), "cause": "move", "seals": {}, "digest": ""}
        for seq, event in enumerate(events, 1)
    ]
    record = {"format": collection_record.FORMAT, "collection": OF, "version": len(items), "head": "", "events": items}
    return linked(json.loads(json.dumps(record)))


def linked(record: dict[str, Any]) -> dict[str, Any]:
    """Rechain the events of a record, as a server would after changing one of them."""
    before = NO_EVENT
    for event in record["events"]:
        hashed = {name: value for name, value in event.items() if name != "digest"}
        before = event["digest"] = digest(before, {**hashed, "match": record["collection"]})
    return record | {"head": before}


def found(report: dict[str, Any]) -> Any:
    """Return the findings in which both verifiers must agree."""
    if "unreadable" in report:
        return "unreadable"
    checks = [(check["name"], check["ok"], check["skipped"], check["seq"]) for check in report["checks"]]
    return report["verdict"], report["match"], report["game"], report["version"], report["head"], checks


def held(record: dict[str, Any]) -> list[tuple[int, str]]:
    """Return the head named by a record, as a kept head for the verifier."""
    version, head = record.get("version"), record.get("head")
    return [(version, head)] if type(version) is int and isinstance(head, str) else []


def ours(record: Any) -> Any:
    try:
        read = collection_record.read_collection_record(json.dumps(record).encode())
    except Unreadable:
        return "unreadable"
    return None if read is None else found(asdict(collection_record.verify_collection(read, Evidence(held(record)))))


def forged(record: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield copies of a record with one change, by its place: as it is, or rechained."""
    for i, (path, how) in enumerate(places(record)):
        # Without its format it is no longer a record of a collection.
        if path != ("format",) and (is_thorough() or i % 4 == 0):
            made = changed(record, path, how)
            yield path, linked(made) if path[2:3] == ("data",) else made


@pytest.mark.parametrize("made", [story, opened_starter])
def test_both_verifiers_accept_a_collection_with_every_event(node: str, made: Callable[[], Any]) -> None:
    events, _ = made()
    record = written(events)
    (other,) = reports(node, [(record, held(record))])
    assert found(other) == ours(record)
    assert (other["verdict"], [check["name"] for check in other["checks"]]) == (
        "verified",
        ["chain", "rules", "signatures"],
    )


@pytest.mark.long
def test_both_verifiers_report_the_same_faults_of_a_collection(node: str) -> None:
    made = [one for happened in (story, opened_starter) for one in forged(written(happened()[0]))]
    theirs = [found(report) for report in reports(node, [(record, held(record)) for _, record in made])]
    mine = [ours(record) for _, record in made]
    assert [(path, a, b) for (path, _), a, b in zip(made, mine, theirs, strict=True) if a != b] == []
    assert {path[3] for (path, _), report in zip(made, mine, strict=True) if report[0] == "verified"} <= UNBOUND


UNBOUND = frozenset(
    {"player", "reason", "bound", "boosters", "cards", "commitment", "trade", "partner", "gave", "got", "want"}
)
"""Fields that a server can state freely without contradiction: names, grants, and other players' cards."""
