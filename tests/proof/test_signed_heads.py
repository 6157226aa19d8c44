"""Tests that heads of tournaments and collections are signed like those of matches, and are unverifiable without."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from io import BytesIO
from random import Random
from typing import Any

import pytest

from domain.tournament.round_tables import FinishTable
from events.proof import keys
from events.proof.documents import verify_document
from events.proof.findings import Evidence, Report
from events.proof.keys import KeyRing
from events.proof.record import Unreadable
from events.proof.signed_heads import COLLECTION, DEAL_GROUP, MATCH, TOURNAMENT, KnownKey
from tests.collection.test_collection import story
from tests.draws import draws, seeded
from tests.proof import test_collection_records as collections
from tests.proof import test_group_records as groups
from tests.proof.test_second_verifier import node, reports
from tests.proof.test_signatures import AT, OTHER, SECRET, SERVER, a_play, signed_head
from tests.proof.test_signatures import signed as signed_match
from tests.proof.test_tournament_records import Document, at_table, finished, lines, linked, with_match, written
from tests.tampered import changed, copied, places, resealed

__all__ = ["node"]

RING = KeyRing(SERVER, keys.add_new_key((), SECRET, AT))
FORGERS = KeyRing(SERVER, keys.add_new_key((), OTHER, AT))
MINE, THEIRS = (KnownKey(ring.keys[0].key) for ring in (RING, FORGERS))


def signed(record: Document, ring: KeyRing = RING) -> Document:
    """Return the record of a tournament with a server's signature."""
    about = record["about"]
    head = signed_head(ring, TOURNAMENT, about["tournament"], about["version"], about["head"])
    return {**record, "about": {**about, "signed": head}}


def ours(text: bytes, known: Sequence[KnownKey] = (MINE,)) -> Report:
    return verify_document(BytesIO(text), Evidence(keys=known))[1]


def both(node: str, text: bytes, known: Sequence[KnownKey] = (MINE,)) -> tuple[Report, dict[str, Any]]:
    """Return both verifiers' findings; check that they agree on the signature, and that neither is more trusting."""
    mine = ours(text, known)
    (theirs,) = reports(node, [(text, ())], known)
    assert (mine.signed and asdict(mine.signed)) == theirs["signed"]
    assert mine.verdict == theirs["verdict"] or (mine.verdict, theirs["verdict"]) == ("verified", "unverifiable")
    return mine, theirs


def reasons(report: dict[str, Any]) -> dict[str, str]:
    """Return the failed or skipped checks, with the reason."""
    return {check["name"]: check["detail"] for check in report["checks"] if check["skipped"] or not check["ok"]}


# --- Tournaments --------------------------------------------------------------------------------------------


def forged_champion() -> Document:
    """Return the record of a tournament whose last result was reversed, with all consequences recomputed."""
    match = finished()
    one, about, won = at_table(match, ("ann", "ben")), match["match"], match["match"]["result"]
    places, wins = tuple(reversed(won["places"])), tuple(reversed(won["wins"]))
    one.told(FinishTable(1, 0, 0, about["id"], about["head"], places, wins, 1, 1 - sum(wins)))
    return written(one.events)


def champion(record: Document) -> int:
    (ended,) = [event["data"] for event in record["events"] if event["type"] == "TournamentEnded"]
    return int(ended["ranked"][0])


def test_signed_tournament_is_verified_if_its_key_is_known(node: str) -> None:
    mine, theirs = both(node, lines(signed(with_match())))
    assert (mine.verdict, mine.signed and mine.signed.known) == (theirs["verdict"], True) == ("verified", True)
    mine, theirs = both(node, lines(signed(with_match())), ())
    assert (mine.verdict, mine.signed and mine.signed.known) == ("unverifiable", False)
    assert reasons(theirs).keys() == {"signatures"}


def test_unsigned_tournament_is_unverifiable(node: str) -> None:
    mine, theirs = both(node, lines(with_match()))
    assert mine.verdict == theirs["verdict"] == "unverifiable"
    assert reasons(asdict(mine)).keys() == reasons(theirs).keys() == {"signatures"}


def test_forged_champion_is_never_verified(node: str) -> None:
    true, forged = signed(with_match()), forged_champion()
    assert champion(forged) != champion(true)
    for text in (lines(forged), lines(signed(forged, FORGERS))):
        mine, theirs = both(node, text)
        assert mine.verdict == theirs["verdict"] == "unverifiable"
        assert reasons(asdict(mine)).keys() == {"tables", "signatures"}
    borrowed = {**forged, "about": {**forged["about"], "signed": true["about"]["signed"]}}
    for record in (borrowed, forged | {"tables": true["tables"]}):
        mine, theirs = both(node, lines(record))
        assert mine.verdict == theirs["verdict"] == "failed"


@pytest.mark.parametrize("kind", [MATCH, COLLECTION])
def test_signature_of_a_head_of_another_kind_is_invalid(node: str, kind: str) -> None:
    record = with_match()
    about = record["about"]
    about["signed"] = signed_head(RING, kind, about["tournament"], about["version"], about["head"])
    for signature in (about["signed"], {**about["signed"], "kind": TOURNAMENT}):
        mine, theirs = both(node, lines({**record, "about": {**about, "signed": signature}}))
        assert mine.verdict == theirs["verdict"] == "failed"
        assert reasons(asdict(mine)).keys() == {"signatures"}


# --- Collections --------------------------------------------------------------------------------------------


def test_only_a_signed_collection_is_verified(node: str) -> None:
    record = collections.written(story()[0])
    head = signed_head(RING, COLLECTION, record["collection"], record["version"], record["head"])
    for made, verdict in (
        (record | {"signed": head}, "verified"),
        (record, "unverifiable"),
        (record | {"signed": None}, "unverifiable"),
        (record | {"signed": head | {"id": "another"}}, "failed"),
    ):
        mine, theirs = both(node, json.dumps(made).encode())
        assert (mine.verdict, theirs["verdict"]) == (verdict, verdict)
        assert reasons(asdict(mine)).keys() == (set() if verdict == "verified" else {"signatures"})


def signed_by_forgers(kind: str, record: dict[str, Any]) -> bytes:
    of = record["collection" if kind == COLLECTION else "group"]
    head = signed_head(FORGERS, kind, of, record["version"], record["head"])
    return json.dumps(record | {"signed": head}).encode()


SIGNED_BY_FORGERS: dict[str, Callable[[], bytes]] = {
    "match": lambda: json.dumps(signed_match(a_play(2), FORGERS)).encode(),
    "champion": lambda: lines(signed(forged_champion(), FORGERS)),
    "collection": lambda: signed_by_forgers(COLLECTION, collections.written(story()[0])),
    "group": lambda: signed_by_forgers(DEAL_GROUP, groups.written(groups.PROMISED)),
}
"""Return valid records of each kind, signed in our server's name with a key that it never had."""


@pytest.mark.parametrize("kind", SIGNED_BY_FORGERS)
def test_forged_key_is_accepted_only_if_it_was_given(node: str, kind: str) -> None:
    text = SIGNED_BY_FORGERS[kind]()
    for known in ((), (MINE,)):
        mine, theirs = both(node, text, known)
        assert mine.verdict == theirs["verdict"] == "unverifiable"
        assert "which you did not name" in reasons(asdict(mine))["signatures"]
    mine, _ = both(node, text, (MINE, THEIRS))
    assert "signatures" not in reasons(asdict(mine))


# --- Tables that break the rules of their game --------------------------------------------------------------


def illegal(match: Document, rng: Random) -> Document | None:
    """Return a match in which one move is another, resealed and rechained, or None if there is none."""
    played = [event for event in match["events"] if event["cause"] in ("move", "bot") and event["commit"] > 1]
    there = [(event["seq"] - 1, path, how) for event in played for path, how in places(event["data"])]
    # Resigning the only game of a match is as legal as resigning the match.
    at_, path, how = rng.choice([place for place in there if place[1] != ("whole_match",)])
    made = resealed(changed(match, ("events", at_, "data", *path), how))
    ended = next((event for event in made["events"] if event["type"] == "MatchEnded"), None)
    return made if ended and made["match"]["head"] != match["match"]["head"] else None


def test_tournament_with_a_rule_breaking_table_is_never_verified(node: str) -> None:
    true, rng = with_match(), seeded()
    (match,) = true["tables"]
    forged: list[Document] = []
    while len(forged) < draws(8):
        with suppress(KeyError, TypeError, AttributeError):  # something that is not a record cannot be sealed again
            if (made := illegal(match, rng)) is not None:
                twin = copied(true)
                cites = next(event for event in twin["events"] if event["type"] == "TableFinished")
                cites["data"]["head"] = made["match"]["head"]
                forged.append(signed(linked(twin | {"tables": [made]})))
    texts = [lines(record) for record in forged]
    theirs = [report.get("verdict") for report in reports(node, [(text, ()) for text in texts])]
    assert "verified" not in theirs
    assert "verified" not in [verdict(text) for text in texts]


def verdict(text: bytes) -> str:
    try:
        return ours(text).verdict
    except Unreadable:
        return "unreadable"
