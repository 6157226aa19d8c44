"""Tests signed heads: a server vouches for the matches it ran, and a forged play has no signature (docs/proof.md)."""

import copy
import json
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

from api.cli.main import main
from events import proof
from events.proof import keys
from events.proof.findings import Evidence, Report
from events.proof.keys import KeyRing, SigningKey
from events.proof.record import claims, facts, read_record
from events.proof.signed_heads import MATCH, KnownKey
from tests.proof.test_second_verifier import node, reports  # noqa: F401 -- a fixture
from tests.recorded import FINISHED, Recorded
from tests.tampered import changed_to, failing, relinked

SECRET, OTHER = bytes(range(32)), bytes(range(1, 33))
AT = "2026-01-01T00:00:00.000Z"
SERVER = "cards.example.org"


def ring(secret: bytes = SECRET, server: str = SERVER) -> KeyRing:
    return KeyRing(server, keys.add_new_key((), secret, AT))


def signed_head(by: KeyRing, kind: str, of: str, version: int, head: str) -> dict[str, Any]:
    made = by.sign(kind, of, version, head)
    assert made is not None
    return {name: value for name in made.__struct_fields__ if (value := getattr(made, name)) is not None}


def signed(made: dict[str, Any], by: KeyRing | None = None) -> dict[str, Any]:
    """Return a record with a server's signature over its head."""
    match = made["match"]
    return {**made, "signed": signed_head(by or ring(), MATCH, match["id"], match["version"], match["head"])}


MINE = KnownKey(ring().keys[0].key)
THEIRS = KnownKey(ring(OTHER).keys[0].key)


def verified(made: dict[str, Any], known: Sequence[KnownKey] = (MINE,), kept: Sequence[tuple[int, str]] = ()) -> Report:
    """Verify a record with the given keys, by default our server's."""
    record = read_record(json.dumps(made).encode())
    return proof.verify_match(record.match.id, facts(record), claims(record, Evidence(kept, known)))


def a_play(seed: int = 1) -> dict[str, Any]:
    """Return a finished match; another seed is another play of the same deal."""
    table = Recorded("crazy_eights", ("bot",) * 2, {"target_score": 1}, seed=7)
    table.plays_on(Random(seed))
    return table.record()


# --- Who vouches --------------------------------------------------------------------------------------------


def test_forged_play_of_the_same_deal_is_unsigned() -> None:
    """From a public record, anyone can write another play of its deal: no rule detects it, but the signature does."""
    played, forged = a_play(1), a_play(2)
    first = {e["type"]: e["digest"] for e in played["events"][:3]}
    assert first == {e["type"]: e["digest"] for e in forged["events"][:3]}
    assert played["match"]["head"] != forged["match"]["head"]
    alone = verified(forged)
    assert (alone.verdict, alone.signed) == ("unverifiable", None)
    assert "the word of the person who shows it" in next(
        check.detail for check in alone.checks if check.name == "signatures"
    )
    true = signed(played)
    report = verified(true)
    assert (report.verdict, report.signed and report.signed.server) == ("verified", SERVER)
    report = verified({**forged, "signed": true["signed"]})
    assert (report.verdict, report.signed) == ("failed", None)
    assert failing(report) == [("signatures", len(forged["events"]))]


@pytest.mark.parametrize("known", [[], [THEIRS], [KnownKey("0" * 64)]])
def test_signature_by_an_unknown_key_counts_for_nothing(known: list[KnownKey]) -> None:
    made = signed(a_play())
    report = verified(made, known)
    assert (report.verdict, report.signed and report.signed.known) == ("unverifiable", False)
    (why,) = [check.detail for check in report.checks if check.skipped]
    assert f"with the key {MINE.key}, which you did not name" in why
    assert verified(made, [*known, MINE]).verdict == "verified"


@pytest.mark.parametrize("by", [None, ring(), ring(OTHER)])
def test_the_head_of_the_last_event_suffices_without_a_known_key(by: KeyRing | None) -> None:
    made = signed(a_play(), by) if by else a_play()
    end = made["match"]["version"]
    assert verified(made, (), [(end, made["match"]["head"])]).verdict == "verified"
    assert verified(made, (), [(end - 1, made["events"][-2]["digest"])]).verdict == "unverifiable"
    assert verified(made, (), [(end, "0" * 64)]).verdict == "failed"


def test_replaced_key_vouches_only_for_earlier_heads() -> None:
    made = signed(a_play())
    last = made["events"][-1]["at"]
    assert verified(made, [KnownKey(MINE.key, last)]).verdict == "verified"
    assert verified(made, [KnownKey(MINE.key, "1960-01-01T00:00:00.000Z")]).verdict == "failed"


TAMPERED: dict[str, tuple[str, Any]] = {
    "another server": ("server", "cheats.example.org"),
    "a server that cannot be": ("server", "cards|1"),
    "another kind": ("kind", "tournament"),
    "a kind that cannot be": ("kind", "match|m-1"),
    "another match": ("id", "m-2"),
    "another version": ("version", 3),
    "a different head": ("head", "0" * 64),
    "another key": ("key", ring(OTHER).keys[0].key),
    "no key": ("key", "ff" * 32),
    "a key in capitals": ("key", MINE.key.upper()),
    "no signature": ("signature", ""),
    "another signature": ("signature", "00" * 64),
    "a signature too long": ("signature", "00" * 65),
}


@pytest.mark.long
def test_both_verifiers_find_every_change_of_a_signed_head(node: str) -> None:  # noqa: F811 -- the fixture
    made = signed(a_play())
    bad = {name: changed_to(made, ("signed", field), value) for name, (field, value) in TAMPERED.items()}
    bad["of another play"] = {**a_play(2), "signed": made["signed"]}
    theirs = dict(zip(["good", *bad], reports(node, [(one, ()) for one in (made, *bad.values())], [MINE]), strict=True))
    for name, one in {"good": made, **bad}.items():
        ours = verified(one)
        checks = {check["name"]: (check["ok"], check["seq"]) for check in theirs[name]["checks"]}
        ending = None if name == "good" else len(one["events"])
        assert checks["signatures"] == (ending is None, ending), name
        assert next((c.ok, c.seq) for c in ours.checks if c.name == "signatures") == (ending is None, ending), name
        assert (ours.signed is None) == (theirs[name]["signed"] is None) == (name != "good"), name


@pytest.mark.parametrize("what", [{}, [], "x", {**signed(a_play())["signed"], "version": "3"}])
def test_both_verifiers_refuse_invalid_signed_heads(node: str, what: Any) -> None:  # noqa: F811 -- the fixture
    made = {**a_play(), "signed": what}
    (theirs,) = reports(node, [(made, ())])
    assert "unreadable" in theirs
    with pytest.raises(proof.record.Unreadable):
        verified(made)


# --- Keys ---------------------------------------------------------------------------------------------------


def test_key_file_is_private_and_rotated_in_place(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    keys.ensure(path)
    keys.ensure(path)
    assert path.stat().st_mode & 0o777 == 0o600
    running = KeyRing(SERVER, path=path)
    (first,) = running.keys
    before = running.sign(MATCH, "m-1", 1, "0" * 64)
    keys.rotate_key_file(path)
    old, new = running.keys
    assert (old.key, old.secret, new.until) == (first.key, None, None)
    assert old.until == new.since
    after = running.sign(MATCH, "m-1", 1, "0" * 64)
    assert before is not None
    assert after is not None
    assert (before.key, after.key) == (old.key, new.key)
    assert first.secret is not None
    assert first.secret not in path.read_text()
    assert first.secret not in repr(first)


NOT_ITS_OWN = json.dumps({"keys": [{"key": "0" * 64, "secret": "1" * 64, "since": AT}]})


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b'{"keys": [{"key": "x", "since": ""}]}', NOT_ITS_OWN],
)
def test_invalid_keys_are_refused_without_showing_secrets(text: Any) -> None:
    with pytest.raises(keys.BadKeys) as refused:
        keys.read_signing_keys(text)
    assert "1" * 64 not in str(refused.value)


def test_a_server_without_a_key_signs_nothing() -> None:
    assert KeyRing(SERVER).sign(MATCH, "m-1", 1, "0" * 64) is None
    assert KeyRing(SERVER, [SigningKey(MINE.key, AT, None, AT)]).sign(MATCH, "m-1", 1, "0" * 64) is None


# --- The command --------------------------------------------------------------------------------------------


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run `dealt verify`; a document among the arguments is written to a file."""
    monkeypatch.setattr("api.http.log_setup.set_up_logging", lambda *_: None)

    def run(*args: Any) -> Result:
        paths = []
        for i, x in enumerate(args):
            paths.append(x if isinstance(x, str) else str(tmp_path / f"{i}.json"))
            if not isinstance(x, str):
                Path(paths[-1]).write_text(json.dumps(x))
        return CliRunner().invoke(main, ["verify", *paths])

    return run


def test_verify_command_names_the_signer(dealt: Any) -> None:
    made = a_play()
    assert "unsigned: no server vouches for it" in dealt(made).output
    for key in (MINE.key, LISTED):
        told = dealt(signed(made), "--key", key)
        assert (told.exit_code, "with a key that you named" in told.output) == (0, True), told.output
    assert dealt(made, "--key", MINE.key).exit_code == 3
    assert dealt(made, "--key", "nothing").exit_code == 2


def test_verify_command_explains_how_to_pass_server_keys(dealt: Any) -> None:
    for options in ((), ("--key", MINE.key)):
        told = dealt(signed(a_play(), ring(OTHER)), *options)
        assert (told.exit_code, "a key that you have not named" in told.output) == (3, True), told.output
        assert "dealt verify RECORD --key https://" in told.output


def test_lenient_option_does_not_excuse_a_record_without_a_named_key(dealt: Any) -> None:
    for made in (a_play(), signed(a_play(), ring(OTHER))):
        assert dealt(made, "--lenient").exit_code == 0
        assert dealt(made, "--lenient", "--key", MINE.key).exit_code == 3


def test_verify_command_fetches_the_keys_of_a_server(dealt: Any, keys_at: Any) -> None:
    for address in (keys_at(LISTED), f"{keys_at(LISTED)}/v1/keys"):
        assert dealt(signed(a_play()), "--key", address).exit_code == 0
        assert dealt(signed(a_play(), ring(OTHER)), "--key", address).exit_code == 3
    answers: list[Any] = [{"items": [{}]}, [], None]
    for answer in answers:
        told = dealt(signed(a_play()), "--key", keys_at(answer))
        assert (told.exit_code, "--key" in told.output) == (2, True), told.output
    assert dealt(signed(a_play()), "--key", "http://127.0.0.1:9").exit_code == 2


LISTED = {"server": SERVER, "items": [{"key": MINE.key, "until": None}], "next": None}


@pytest.fixture
def keys_at() -> Iterator[Any]:
    """Serve an answer to `GET /v1/keys`, or 404 for None; return the server's address."""
    started = []

    def serve(answer: Any) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(404 if answer is None or self.path != "/v1/keys" else 200)
                self.end_headers()
                self.wfile.write(json.dumps(answer).encode())

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        started.append(server)
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in started:
        server.shutdown()
        server.server_close()


def forked() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two plays of one match, signed by one server."""
    return signed(a_play(1)), signed(a_play(2))


def test_two_signed_histories_of_a_match_prove_that_the_server_lied(dealt: Any) -> None:
    one, other = forked()
    told = dealt("--compare", one, other, "--key", MINE.key)
    assert told.exit_code == 1
    assert f"{SERVER} signed both with one key" in told.output
    same = dealt("--compare", one, one)
    assert (same.exit_code, "Both agree" in same.output) == (0, True)


def test_a_kept_signed_head_is_compared_with_a_record(dealt: Any) -> None:
    one, other = forked()
    version = 12
    digest = other["events"][version - 1]["digest"]
    assert digest != one["events"][version - 1]["digest"]
    kept = ring().sign(MATCH, "m-1", version, digest)
    assert kept is not None
    answer = {"version": version, "signed": {name: getattr(kept, name) for name in kept.__struct_fields__}}
    for document in (answer, answer["signed"]):
        told = dealt("--compare", one, document, "--key", MINE.key)
        assert (told.exit_code, "it lied" in told.output) == (1, True), told.output
    assert dealt("--compare", other, answer).exit_code == 0


def test_documents_not_signed_by_one_server_accuse_no_one(dealt: Any) -> None:
    for other in (a_play(2), signed(a_play(2), ring(OTHER))):
        told = dealt("--compare", signed(a_play(1)), other, "--key", MINE.key)
        assert (told.exit_code, "No server is convicted" in told.output) == (4, True), told.output


def test_invalid_record_is_not_evidence(dealt: Any) -> None:
    one, other = forked()
    torn = copy.deepcopy(other)
    torn["events"][9]["digest"] = "0" * 64
    bad: Any
    for bad in (
        torn,
        {**other, "signed": one["signed"]},
        {"x": 1},
        [],
        relinked(changed_to(other, ("match", "id"), "m-2")),
    ):
        told = dealt("--compare", one, bad, "--key", MINE.key)
        assert (told.exit_code, told.output.count("\n")) == (3, 1), told.output
        assert "lied" not in told.output


def test_finished_match_of_each_game_can_be_signed() -> None:
    for make in FINISHED.values():
        assert verified(signed(make().record())).signed is not None
