"""Tests that both verifiers agree if any single value of a record is null, in another case or of another type."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from io import BytesIO
from typing import Any, NamedTuple

import pytest

from events.proof.documents import verify_document
from events.proof.findings import Evidence
from events.proof.record import Unreadable
from events.proof.signed_heads import COLLECTION
from tests.collection.test_collection import story
from tests.draws import draws, seeded
from tests.proof import test_collection_records as collections
from tests.proof import test_group_records as groups
from tests.proof import test_tournament_records as tournaments
from tests.proof.test_second_verifier import BOTH, node, reports
from tests.proof.test_signatures import MINE, a_play, ring, signed, signed_head
from tests.recorded import with_nonces
from tests.tampered import Path, changed_to, copied, leaves, of_other_kinds, relinked

__all__ = ["node"]

Made = dict[str, Any]


class Kind(NamedTuple):
    """A kind of record: how one is made, linked again and written, and which checks are compared with their events."""

    make: Callable[[], Made]
    link: Callable[[Made], Made]
    write: Callable[[Made], bytes]
    checks: tuple[str, ...]


def as_json(record: Made) -> bytes:
    return json.dumps(record).encode()


def a_collection() -> Made:
    record = collections.written(story()[0])
    head = signed_head(ring(), COLLECTION, record["collection"], record["version"], record["head"])
    return record | {"signed": head}


ALL = ("chain", "rules", "signatures")
KINDS = {
    "match": Kind(lambda: signed(a_play()), relinked, as_json, BOTH),
    "match with nonces": Kind(lambda: signed(with_nonces().record()), relinked, as_json, BOTH),
    "collection": Kind(a_collection, collections.linked, as_json, ALL),
    "group": Kind(lambda: groups.signed(groups.written(groups.PROMISED)), groups.linked, as_json, ALL),
    "tournament": Kind(tournaments.with_match, tournaments.linked, tournaments.lines, (*ALL, "tables")),
}


def changes(record: Made) -> Iterator[tuple[Path, Any, bool]]:
    """Yield each leaf with each replacement, as it is and rechained."""
    for path, leaf in leaves(record):
        for other in of_other_kinds(leaf) if path[-1] != "format" else ():
            yield from ((path, other, again) for again in (False, True) if not again or "data" in path)


def forged(kind: Kind, record: Made, path: Path, other: Any, *, again: bool) -> bytes:
    made = changed_to(record, path, other)
    try:
        return kind.write(kind.link(made) if again else made)
    except (KeyError, TypeError, AttributeError):  # something that is not a record cannot be linked again
        return kind.write(changed_to(record, path, other))


def found(report: Made, checks: tuple[str, ...]) -> Any:
    """Return the findings in which both verifiers must agree."""
    if "unreadable" in report:
        return "unreadable"
    told = [(c["name"], c["ok"], c["skipped"], c["seq"]) for c in report["checks"] if c["name"] in checks]
    lists = [report[name] for name in ("signed", "signed_seats", "contributed", "unopened", "unvouched")]
    return [report[name] for name in ("match", "version", "head", "verdict")], told, lists


def ours(text: bytes) -> Made:
    try:
        return asdict(verify_document(BytesIO(text), Evidence(keys=[MINE]))[1])
    except Unreadable as error:
        return {"unreadable": str(error)}


@pytest.mark.parametrize("name", KINDS)
def test_both_verifiers_agree_on_every_replaced_value(node: str, name: str) -> None:
    kind = KINDS[name]
    record = json.loads(json.dumps(kind.make()))
    every = list(changes(record))
    drawn = seeded().sample(every, min(draws(60), len(every)))
    texts = [forged(kind, record, path, other, again=again) for path, other, again in drawn]
    mine = [found(ours(text), kind.checks) for text in texts]
    theirs = [found(report, kind.checks) for report in reports(node, [(text, ()) for text in texts], [MINE])]
    assert [(*one, a, b) for one, a, b in zip(drawn, mine, theirs, strict=True) if a != b] == []


def test_both_verifiers_refuse_upper_case_seeds(node: str) -> None:
    record = a_collection()
    opened = next(i for i, event in enumerate(record["events"]) if event["type"] == "PackOpened")
    path, seed = ("events", opened, "data", "seed"), record["events"][opened]["data"]["seed"]
    made = [collections.linked(changed_to(record, path, other)) for other in (seed.upper(), f" {seed}", f"{seed} ")]
    for text, report in zip(map(as_json, made), reports(node, [(one, ()) for one in made]), strict=True):
        for verified in (ours(text), report):
            assert ("rules", False, opened + 1) in [(c["name"], c["ok"], c["seq"]) for c in verified["checks"]]


@pytest.mark.parametrize(
    "player", [{"id": None, "name": "Ann"}, {"name": "Ann"}, {"id": "ann"}, {"id": "ann", "name": 7}]
)
def test_both_verifiers_refuse_malformed_player_ids(node: str, player: Any) -> None:
    record = with_nonces().record()
    seat = next(i for i, seat in enumerate(record["match"]["seats"]) if seat["player"])
    made = copied(record)
    made["match"]["seats"][seat]["player"] = player
    (theirs,) = reports(node, [(made, ())])
    assert ours(as_json(made)).keys() == theirs.keys() == {"unreadable"}
