"""Two documents that contradict each other convict the server that signed both, whatever they are documents of."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from api.cli.main import main
from domain.deal_group import GroupCreated, GroupStarted
from events.proof import keys
from events.proof.keys import KeyRing
from events.proof.signed_heads import COLLECTION, DEAL_GROUP, MATCH, TOURNAMENT, listed
from tests.collection.test_collection import story
from tests.proof import test_collection_records as collections
from tests.proof.test_group_records import NONCES, PROMISED, written
from tests.proof.test_group_records import signed as signed_group
from tests.proof.test_signatures import AT, OTHER, SECRET, SERVER, a_play, ring, signed
from tests.proof.test_signed_heads import FORGERS, forged_champion, signed_head
from tests.proof.test_signed_heads import signed as signed_tournament
from tests.proof.test_tournament_records import lines, with_match
from tests.tampered import relinked

SAME, DIFFERENT, INCOMPARABLE = 0, 1, 3
LATER = "2027-01-01T00:00:00.000Z"


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run `dealt verify --compare`; a document, a record as bytes, or a list of keys is put into a file."""
    monkeypatch.setattr("api.http.logs.set_up", lambda level: None)

    def run(one: Any, other: Any, *options: Any) -> Result:
        paths = []
        for i, x in enumerate((one, other, *options)):
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
    assert (told.exit_code, f"{SERVER} has signed both" in told.output) == (DIFFERENT, True), told.output
    assert dealt(true, true).exit_code == SAME


def test_two_signed_heads_of_one_collection_convict_the_server(dealt: Any) -> None:
    record = collections.written(story()[0])
    of, version = record["collection"], record["version"]
    true = record | {"signed": signed_head(ring(), COLLECTION, of, version, record["head"])}
    for at, digest, code in ((3, record["events"][2]["digest"], SAME), (3, "0" * 64, DIFFERENT)):
        told = dealt(true, signed_head(ring(), COLLECTION, of, at, digest))
        assert (told.exit_code, "has lied" in told.output) == (code, code == DIFFERENT), told.output


@pytest.mark.parametrize("ahead", [2, 110])
def test_a_head_beyond_the_end_of_a_finished_match_convicts_the_server(dealt: Any, ahead: int) -> None:
    record = signed(a_play())
    over = record["match"]["version"]
    told = dealt(record, signed_head(ring(), MATCH, "m-1", over + ahead, "0" * 64))
    assert (told.exit_code, "has lied" in told.output) == (DIFFERENT, True), told.output
    assert f"it is over with event {over}, in the other there is an event {over + ahead}" in told.output


def test_a_head_beyond_a_match_that_may_go_on_cannot_be_compared(dealt: Any) -> None:
    record = a_play()
    running = relinked({**record, "events": record["events"][:20], "match": record["match"] | {"version": 20}})
    for one, version in ((signed(running), 218), (signed(record), record["match"]["version"] + 1)):
        head = signed_head(ring(), MATCH, "m-1", version, "0" * 64)
        assert dealt(one, head).exit_code == INCOMPARABLE


def test_documents_of_different_things_cannot_be_compared(dealt: Any, tmp_path: Path) -> None:
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


def test_it_is_said_who_stands_by_which_side(dealt: Any) -> None:
    one, other = a_play(1), a_play(2)
    for first, second, says in (
        (signed(one), other, f"{SERVER} has signed the first. Nobody stands by the second"),
        (one, signed(other), f"{SERVER} has signed the second. Nobody stands by the first"),
        (one, other, "No server has signed either"),
        (signed(one), signed(other, ring(OTHER)), "Nothing shows that both are keys of one server"),
    ):
        told = dealt(first, second)
        assert (told.exit_code, "lied" in told.output) == (DIFFERENT, False)
        assert says in told.output


def rotated() -> list[KeyRing]:
    """Return a server before and after its key was rotated, and after it was rotated again."""
    first = keys.rotated((), SECRET, AT)
    second = keys.rotated(first, b"s" * 32, LATER)
    return [KeyRing(SERVER, each) for each in (first, second, keys.rotated(second, b"t" * 32, LATER))]


def answer(of: KeyRing) -> dict[str, Any]:
    """Return what GET /v1/keys of a server answers."""
    names = ("key", "since", "until", "succession")
    return {"server": SERVER, "items": [{name: getattr(key, name) for name in names} for key in of.keys]}


@pytest.mark.parametrize("later", [1, 2])
def test_a_lie_across_a_rotation_is_shown_by_the_succession_of_the_keys(dealt: Any, later: int) -> None:
    rings = rotated()
    one, other = signed(a_play(1), rings[0]), signed(a_play(2), rings[later])
    assert "lied" not in dealt(one, other).output
    told = dealt(one, other, "--key", answer(rings[2]))
    assert (told.exit_code, "of one succession: it has lied" in told.output) == (DIFFERENT, True), told.output


def test_keys_without_a_succession_link_nothing(dealt: Any) -> None:
    rings = rotated()
    keys_ = answer(rings[1])
    keys_["items"][1]["succession"] = None
    told = dealt(signed(a_play(1), rings[0]), signed(a_play(2), rings[1]), "--key", keys_)
    assert (told.exit_code, "lied" in told.output) == (DIFFERENT, False)


def test_a_false_succession_is_refused(dealt: Any) -> None:
    rings = rotated()
    for change in (
        {"succession": "00" * 64},
        {"since": AT},
        {"succession": answer(rings[2])["items"][2]["succession"]},
    ):
        keys_ = answer(rings[1])
        keys_["items"][1] |= change
        told = dealt(signed(a_play(1), rings[0]), signed(a_play(2), rings[1]), "--key", keys_)
        assert (told.exit_code, "has not signed it" in told.output) == (2, True), told.output


def test_a_signature_by_none_of_the_keys_that_were_given_is_named(dealt: Any) -> None:
    one, other = signed(a_play(1)), signed(a_play(2), FORGERS)
    told = dealt(one, other, "--key", ring().keys[0].key)
    assert f"The second is signed by {FORGERS.keys[0].key}, which is none of the keys that you gave." in told.output


def test_each_key_is_signed_by_the_one_before_it() -> None:
    first, second, third = listed(answer(rotated()[2])["items"])
    assert (first.before, first.succession) == (None, None)
    assert (second.before, third.before) == (first.key, second.key)
    assert len({second.succession, third.succession, None}) == 3


def test_a_comparison_is_told_as_json(dealt: Any) -> None:
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
    assert (told.exit_code, "has lied" in told.output) == (DIFFERENT, True), told.output
    assert "The tables differ in the commitment of epoch 1." in told.output
    assert dealt(of_group("a" * 64, 0), of_group("a" * 64, 1)).exit_code == SAME


def test_a_group_that_says_of_a_table_what_the_table_does_not_convicts_the_server(dealt: Any) -> None:
    """A table and its group share the nonces of all tables."""
    table = of_group("a" * 64, 0)
    shared = {"seq": 3, "type": "DealsShared", "data": {"nonces": [["", ""], ["", ""]]}}
    table["events"].insert(2, {**table["events"][2], **shared, "commit": 3})
    for seq, event in enumerate(table["events"], 1):
        event["seq"] = event["commit"] = seq
    table["match"]["version"] = len(table["events"])
    table = signed(relinked(table))
    for nonces, code in ((NONCES, DIFFERENT), ((("", ""), ("", "")), SAME)):
        group = signed_group({**written((GroupCreated("ann", ("m-0", "m-1")), GroupStarted(nonces)))})
        told = dealt(table, group)
        assert (told.exit_code, "has lied" in told.output) == (code, code == DIFFERENT), told.output


def test_a_group_that_is_over_has_no_later_head(dealt: Any) -> None:
    told = dealt(signed_group(written(PROMISED)), signed_head(ring(), DEAL_GROUP, "g-1", 5, "0" * 64))
    assert (told.exit_code, "has lied" in told.output) == (DIFFERENT, True), told.output
