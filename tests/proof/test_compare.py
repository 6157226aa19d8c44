"""Tests that two contradicting documents convict the server that signed both, for documents of every kind."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from api.cli.main import main
from domain.deal_group import GroupCreated, GroupStarted
from events.proof import keys
from events.proof.keys import KeyRing
from events.proof.signed_heads import COLLECTION, DEAL_GROUP, MATCH, TOURNAMENT, read_key_list, succession_message
from tests.collection.test_collection import story
from tests.proof import test_collection_records as collections
from tests.proof.test_group_records import NONCES, PROMISED, written
from tests.proof.test_group_records import signed as signed_group
from tests.proof.test_second_verifier import VERIFIER, node
from tests.proof.test_signatures import AT, MINE, OTHER, SECRET, SERVER, a_play, ring, signed, signed_head
from tests.proof.test_signed_heads import forged_champion
from tests.proof.test_signed_heads import signed as signed_tournament
from tests.proof.test_tournament_records import lines, with_match
from tests.tampered import relinked

__all__ = ["node"]

SAME, CONVICTED, INCOMPARABLE, DIFFERENT = 0, 1, 3, 4
LATER = "2027-01-01T00:00:00.000Z"


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run `dealt verify --compare`; a document, a record as bytes, or a list of keys is written to a file.

    It knows our server's key, unless others are given.
    """
    monkeypatch.setattr("api.http.log_setup.set_up_logging", lambda *_: None)

    def run(one: Any, other: Any, *options: Any) -> Result:
        paths = []
        known = () if "--key" in options else ("--key", MINE.key)
        for i, x in enumerate((one, other, *options, *known)):
            if isinstance(x, str):
                paths.append(x)
                continue
            path = tmp_path / f"{i}.json"
            path.write_bytes(x if isinstance(x, bytes) else json.dumps(x).encode())
            paths.append(str(path))
        return CliRunner().invoke(main, ["verify", "--compare", *paths])

    return run


def test_two_signed_records_of_one_tournament_convict_the_server(dealt: Any) -> None:
    true, false = lines(signed_tournament(with_match())), lines(signed_tournament(forged_champion()))
    told = dealt(true, false)
    assert (told.exit_code, f"{SERVER} signed both" in told.output) == (CONVICTED, True), told.output
    assert dealt(true, true).exit_code == SAME


def test_answer_of_a_tournament_is_compared_by_its_signed_head(dealt: Any) -> None:
    """The answer has a `format` like the record of a match, but another one."""
    record = signed_tournament(with_match())
    about = {"id": "t", "format": "swiss", "rounds": 3}
    of, version = record["about"]["tournament"], record["about"]["version"]
    true = about | {"signed": record["about"]["signed"]}
    false = about | {"signed": signed_head(ring(), TOURNAMENT, of, version, "0" * 64)}
    assert [dealt(lines(record), answer).exit_code for answer in (true, false)] == [SAME, CONVICTED]
    assert dealt(true, true).exit_code == SAME


def test_two_signed_heads_of_one_collection_convict_the_server(dealt: Any) -> None:
    record = collections.written(story()[0])
    of, version = record["collection"], record["version"]
    true = record | {"signed": signed_head(ring(), COLLECTION, of, version, record["head"])}
    for at, digest, code in ((3, record["events"][2]["digest"], SAME), (3, "0" * 64, CONVICTED)):
        told = dealt(true, signed_head(ring(), COLLECTION, of, at, digest))
        assert (told.exit_code, "it lied" in told.output) == (code, code == CONVICTED), told.output


@pytest.mark.parametrize("ahead", [2, 110])
def test_a_head_beyond_the_end_of_a_finished_match_convicts_the_server(dealt: Any, ahead: int) -> None:
    record = signed(a_play())
    over = record["match"]["version"]
    told = dealt(record, signed_head(ring(), MATCH, "m-1", over + ahead, "0" * 64))
    assert (told.exit_code, "it lied" in told.output) == (CONVICTED, True), told.output
    assert f"One history ends with event {over}, and the other continues with event {over + ahead}." in told.output


def test_head_beyond_an_unfinished_match_cannot_be_compared(dealt: Any) -> None:
    record = a_play()
    running = relinked({**record, "events": record["events"][:20], "match": record["match"] | {"version": 20}})
    for one, version in ((signed(running), 218), (signed(record), record["match"]["version"] + 1)):
        head = signed_head(ring(), MATCH, "m-1", version, "0" * 64)
        assert dealt(one, head).exit_code == INCOMPARABLE


def test_documents_of_different_streams_cannot_be_compared(dealt: Any, tmp_path: Path) -> None:
    match = signed(a_play())
    others = [
        signed_head(ring(), MATCH, "m-2", 3, "0" * 64),
        signed_head(ring(), TOURNAMENT, "m-1", 3, "0" * 64),
        lines(signed_tournament(with_match())),
        {"x": 1},
        b"no JSON",
        str(tmp_path / "missing"),
    ]
    for other in others:
        told = dealt(match, other)
        assert (told.exit_code, "cannot be compared" in told.output) == (INCOMPARABLE, True), other


def test_unknown_key_convicts_no_server(dealt: Any) -> None:
    one, other, unknown = a_play(1), a_play(2), ring(OTHER)
    strange = f"with the key {unknown.keys[0].key}, which you did not name"
    for first, second, says in (
        (signed(one), other, f"{SERVER} has signed the first, but no server has signed the second"),
        (one, signed(other), f"{SERVER} has signed the second, but no server has signed the first"),
        (one, other, "No server has signed either"),
        (signed(one), signed(other, unknown), f"The second is signed as {SERVER} {strange}"),
        (signed(one, unknown), signed(other, unknown), f"The first is signed as {SERVER} {strange}"),
    ):
        told = dealt(first, second)
        assert (told.exit_code, "lied" in told.output) == (DIFFERENT, False), told.output
        assert says in told.output
        assert "No server is convicted" in told.output


def rotated() -> list[KeyRing]:
    """Return a server before its key was rotated, after, and after a second rotation."""
    first = keys.add_new_key((), SECRET, AT)
    second = keys.add_new_key(first, b"s" * 32, LATER)
    return [KeyRing(SERVER, each) for each in (first, second, keys.add_new_key(second, b"t" * 32, LATER))]


def answer(of: KeyRing) -> dict[str, Any]:
    """Return a server's answer to `GET /v1/keys`."""
    names = ("key", "since", "until", "succession", "countersignature")
    return {"server": SERVER, "items": [{name: getattr(key, name) for name in names} for key in of.keys]}


@pytest.mark.parametrize("later", [1, 2])
def test_key_succession_exposes_a_contradiction_across_a_rotation(dealt: Any, later: int) -> None:
    rings = rotated()
    one, other = signed(a_play(1), rings[0]), signed(a_play(2), rings[later])
    assert dealt(one, other).exit_code == DIFFERENT
    told = dealt(one, other, "--key", answer(rings[2]))
    assert (told.exit_code, "signed both with its keys" in told.output) == (CONVICTED, True), told.output


def test_keys_without_a_succession_are_not_linked(dealt: Any) -> None:
    rings = rotated()
    keys_ = answer(rings[1])
    keys_["items"][1] |= {"succession": None, "countersignature": None}
    told = dealt(signed(a_play(1), rings[0]), signed(a_play(2), rings[1]), "--key", keys_)
    assert (told.exit_code, "lied" in told.output) == (DIFFERENT, False), told.output


@pytest.mark.parametrize("both_sign", [True, False])
def test_key_replacement_without_both_signatures_is_refused(
    dealt: Any, node: str, tmp_path: Path, *, both_sign: bool
) -> None:
    rings = rotated()
    other = answer(rings[2])["items"][2]
    for change in (
        {},
        {"succession": None},
        {"succession": "00" * 64},
        {"succession": other["succession"]},
        {"countersignature": None},
        {"countersignature": "00" * 64},
        {"countersignature": other["countersignature"]},
        {"countersignature": answer(rings[1])["items"][1]["succession"]},
        {"since": AT},
    ):
        if both_sign != (not change):
            continue
        keys_ = answer(rings[1])
        keys_["items"][1] |= change
        told = dealt(signed(a_play(1), rings[0]), signed(a_play(2), rings[1]), "--key", keys_)
        assert (told.exit_code, "did not sign that" in told.output) == ((CONVICTED, False) if both_sign else (2, True))
        assert holds_together(node, tmp_path, keys_) == both_sign


def holds_together(node: str, folder: Path, listed: dict[str, Any]) -> bool:
    """Return whether the second verifier accepts a list of keys."""
    (folder / "keys").write_text(json.dumps(listed))
    (folder / "record").write_text(json.dumps(signed(a_play())))
    command = [node, str(VERIFIER), str(folder / "record"), "--key", str(folder / "keys")]
    return subprocess.run(command, capture_output=True, check=False).returncode in (0, 3)


def test_list_with_a_foreign_earlier_key_convicts_no_honest_server(dealt: Any) -> None:
    """The older key signs the step, so anyone can name a server's key as the successor of their own key."""
    attacker, honest = ring(OTHER), ring()
    first, second = attacker.keys[0], honest.keys[0]
    step = attacker.signature(succession_message(first.key, second.key, LATER))
    assert step is not None
    forged = answer(attacker)
    forged["items"].append({"key": second.key, "since": LATER, "until": None, "succession": step[1]})
    for countersignature in (None, step[1]):
        forged["items"][1]["countersignature"] = countersignature
        told = dealt(signed(a_play(1), attacker), signed(a_play(2), honest), "--key", forged)
        assert (told.exit_code, "it lied" in told.output) == (2, False), told.output


def test_both_keys_sign_each_replacement() -> None:
    first, second, third = read_key_list(json.dumps(answer(rotated()[2])).encode())
    assert (first.before, first.succession, first.countersignature) == (None, None, None)
    assert (second.before, third.before) == (first.key, second.key)
    of_steps = {key.succession for key in (second, third)} | {key.countersignature for key in (second, third)}
    assert len(of_steps - {None}) == 4


def test_comparison_is_printed_as_json(dealt: Any) -> None:
    told = json.loads(dealt(signed(a_play(1)), signed(a_play(2)), "--json").output)
    assert (told["what"], told["liar"]) == ("match m-1", SERVER)
    assert "incomparable" in json.loads(dealt(signed(a_play()), {"x": 1}, "--json").output)


def of_group(commitment: str, table: int, by: KeyRing | None = None) -> dict[str, Any]:
    """Return the record of a table of a duplicate group whose shuffles follow from a commitment."""
    made = a_play()
    made["match"]["id"] = f"m-{table}"
    made["events"][0]["data"]["deal_group"] = {"id": "g-1", "table": table, "tables": 2}
    made["events"][1]["data"]["commitment"] = commitment
    return signed(relinked(made), by)


def test_tables_of_one_group_with_different_commitments_convict_the_server(dealt: Any) -> None:
    told = dealt(of_group("a" * 64, 0), of_group("b" * 64, 1))
    assert (told.exit_code, "it lied" in told.output) == (CONVICTED, True), told.output
    assert "The tables differ in the commitment of epoch 1." in told.output
    assert dealt(of_group("a" * 64, 0), of_group("a" * 64, 1)).exit_code == SAME


def test_group_that_contradicts_its_table_convicts_the_server(dealt: Any) -> None:
    """A table and its group share the nonces of all tables."""
    table = of_group("a" * 64, 0)
    shared = {"seq": 3, "type": "DealsShared", "data": {"nonces": [["", ""], ["", ""]]}}
    table["events"].insert(2, {**table["events"][2], **shared, "commit": 3})
    for seq, event in enumerate(table["events"], 1):
        event["seq"] = event["commit"] = seq
    table["match"]["version"] = len(table["events"])
    table = signed(relinked(table))
    for nonces, code in ((NONCES, CONVICTED), ((("", ""), ("", "")), SAME)):
        group = signed_group({**written((GroupCreated("ann", ("m-0", "m-1")), GroupStarted(nonces)))})
        told = dealt(table, group)
        assert (told.exit_code, "it lied" in told.output) == (code, code == CONVICTED), told.output


def test_a_group_that_is_over_has_no_later_head(dealt: Any) -> None:
    told = dealt(signed_group(written(PROMISED)), signed_head(ring(), DEAL_GROUP, "g-1", 5, "0" * 64))
    assert (told.exit_code, "it lied" in told.output) == (CONVICTED, True), told.output


def page_of(record: dict[str, Any], first: int, last: int, by: KeyRing | None = None) -> dict[str, Any]:
    """Return a saved page of a feed, whose last event has a signed head."""
    items = [{**event, "text": "as a line"} for event in record["events"][first - 1 : last]]
    items[-1]["signed"] = signed_head(by or ring(), MATCH, record["match"]["id"], last, items[-1]["digest"])
    return {"game": "crazy_eights", "items": items, "next": last}


@pytest.mark.parametrize("first", [1, 9])
def test_saved_page_of_a_feed_covers_all_its_events(dealt: Any, first: int) -> None:
    true, false = a_play(1), a_play(2)
    page, end = page_of(true, first, 30), len(true["events"])
    assert dealt(signed(true), page).exit_code == SAME
    told = dealt(signed(false), page)
    assert (told.exit_code, "it lied" in told.output) == (CONVICTED, True), told.output
    parts = next(i for i, (a, b) in enumerate(zip(true["events"], false["events"], strict=False), 1) if a != b)
    assert f"Their histories differ from event {parts} on." in told.output
    assert dealt(signed(true), page_of(true, end, end)).exit_code == SAME


def test_unlinked_events_of_a_page_convict_no_server(dealt: Any) -> None:
    """Only the signed head counts: it can convict, but cannot show that the events agree."""
    true, page = a_play(1), page_of(a_play(1), 9, 30)
    page["items"][4]["digest"] = "0" * 64
    for items in (page["items"], page["items"][:4] + page["items"][5:]):
        assert dealt(signed(true), {**page, "items": items}).exit_code == INCOMPARABLE
    assert dealt(signed(a_play(2)), page).exit_code == CONVICTED


def test_first_event_of_a_later_page_convicts_no_server(dealt: Any) -> None:
    """The digest before it is missing, so its type and data can be altered without a trace."""
    true, table = a_play(1), of_group("a" * 64, 1)
    ended = page_of(true, 30, 30)
    ended["items"][0]["type"] = "MatchEnded"
    assert dealt(signed(true), ended).exit_code == SAME
    of_other = page_of(table, 2, 30)
    of_other["items"][0]["data"] = {"deal_group": {"id": "g-1", "table": 1, "tables": 2}, "commitment": "b" * 64}
    assert dealt(of_group("a" * 64, 0), of_other).exit_code == INCOMPARABLE
    assert dealt(table, of_other).exit_code == SAME


def test_a_page_without_a_signed_head_cannot_be_compared(dealt: Any) -> None:
    page = page_of(a_play(1), 1, 30)
    del page["items"][-1]["signed"]
    told = dealt(signed(a_play(1)), page)
    assert (told.exit_code, "cannot be compared" in told.output) == (INCOMPARABLE, True)
