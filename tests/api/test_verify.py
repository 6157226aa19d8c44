"""Tests verification of records over HTTP and with the command."""

import json
import logging
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.app import create_app
from api.cli.main import main
from api.http.client_networks import network_of
from api.resources import verify_routes
from events.proof import limited_process, record, verifier
from events.settings import Settings
from tests import recorded
from tests.api.client import Client, code
from tests.proof.test_signatures import MINE, a_play, signed
from tests.recorded import FINISHED
from tests.tampered import changed, changed_to, relinked

RECORD = "application/vnd.dealt.record+json"


@pytest.fixture(scope="module")
def made():
    return FINISHED["four resigned, end"]().record()


class Nowhere:
    """A store that must not be used."""

    def ready(self):
        return False


@pytest.fixture
def app():
    return create_app(Settings(dealt_rate_per_second=0), store=Nowhere())


@pytest.fixture
def stranger(app):
    return Client(app)


def head_of(made):
    """Return the query that vouches for an unsigned record by its head."""
    return f"?head={made['match']['version']}:{made['match']['head']}"


def send(client, sent, query="", content_type=RECORD, environ_overrides=None, **headers):
    data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    return client.send(
        "POST", f"/v1/records/verify{query}", headers,
        data=data, content_type=content_type, environ_overrides=environ_overrides,
    )  # fmt: skip


# --- Reports ------------------------------------------------------------------------------------------------


def test_valid_record_is_verified_without_token_or_database(stranger, made):
    for content_type in (RECORD, "application/json; charset=utf-8"):
        report = send(stranger, made, content_type=content_type).json
        assert report["verdict"] == "unverifiable"
        assert (report["match"], report["game"], report["version"]) == ("m-1", "hearts", len(made["events"]))
        assert report["head"] == made["match"]["head"]
        assert [(c["name"], c["ok"], c["skipped"]) for c in report["checks"]] == [
            *((name, True, False) for name in ("chain", "seals", "shuffles", "rules", "result", "moves")),
            ("signatures", True, True),
        ]


def test_invalid_record_gets_a_report_too(stranger, made):
    place = next(i for i, e in enumerate(made["events"]) if e["type"] == "CardPlayed")
    answered = send(stranger, changed(made, ("events", place, "data", "card"), "change"))
    assert answered.status_code == 200
    assert not answered.json["ok"]
    assert answered.json["checks"][0]["seq"] == place + 1


@pytest.mark.long
def test_kept_heads_are_compared(stranger, made):
    kept = [f"{e['seq']}:{e['digest']}" for e in (made["events"][2], made["events"][9], made["events"][-1])]
    query = "?" + "&".join(f"head={head}" for head in kept)
    assert send(stranger, made, query).json["verdict"] == "verified"
    anew = relinked(changed(made, ("events", 0, "data", "creator"), "change"))
    assert send(stranger, anew).json["verdict"] == "unverifiable"
    found = send(stranger, anew, query).json
    assert (found["verdict"], found["checks"][0]["seq"]) == ("failed", 3)
    for wrong in ("?head=3", "?head=0:" + "0" * 64, "?head=3:" + "A" * 64, "?heads=1"):
        assert code(send(stranger, made, wrong)) == (422, "bad_arguments")


# --- What is no record --------------------------------------------------------------------------------------


def test_unreadable_record_is_refused_with_a_sentence(stranger, made):
    for hostile in (b"", b'{"a":' * 100_000, b'{"format":"\\udc00"}'):
        answered = send(stranger, hostile)
        assert code(answered) == (422, "unreadable_record")
        assert answered.json["title"] == "Not a record"
        assert answered.json["detail"].endswith(".")
        assert len(answered.json["detail"]) < 400


@pytest.mark.long
def test_long_quoted_text_is_shortened(stranger, made):
    long = changed(made, ("events", 5, "type"), "drop")
    long["events"][5]["type"] = "x" * 1_000_000
    answered = send(stranger, long)
    assert answered.status_code == 200
    assert len(answered.data) < 3_000


@pytest.mark.long
def test_record_may_have_at_most_sixteen_megabytes(stranger, made):
    padded = json.dumps(made).encode()
    most = padded + b" " * (record.MOST_BYTES - len(padded))
    for announced in ({}, {"wsgi.input_terminated": True}):  # by its length; by the server, where it ends
        assert send(stranger, most, head_of(made), environ_overrides=announced).json["ok"]
        for more in (most + b" ", most + padded):
            assert code(send(stranger, more, environ_overrides=announced)) == (413, "content_too_large")


def test_record_over_the_size_limit_is_refused_unread(stranger):
    announced = {"CONTENT_LENGTH": str(record.MOST_BYTES + 1), "wsgi.input_terminated": True}
    assert code(send(stranger, b"", environ_overrides=announced)) == (413, "content_too_large")


def test_body_that_is_not_a_record_is_refused(stranger, made):
    assert code(send(stranger, made, content_type="text/plain")) == (415, "unsupported_media_type")
    zipped = send(stranger, made, **{"Content-Encoding": "gzip"})
    assert code(zipped) == (415, "unsupported_media_type")
    assert code(send(stranger, made, Accept="text/html")) == (406, "not_acceptable")


@pytest.mark.long
def test_too_long_seed_chain_is_refused(stranger, made):
    commits = [e for e in made["events"] if e["type"] == "FairnessCommitted"]
    for epochs, links in ((1, 65_537), (300, 4_096)):
        many = [{**commits[0], "data": {**commits[0]["data"], "links": links}}] * epochs
        assert code(send(stranger, made | {"events": made["events"] + many})) == (422, "unreadable_record")


SPINS = """
import sys
from events.proof import verifier
verifier.SECONDS = 1
verifier.report_on = lambda *_: [0 for _ in iter(int, 1) if False]
sys.exit(verifier.main([]))
"""
"""Limit the verifier's process to one second of computing time, which it uses up."""


def test_verification_ends_at_its_computing_limit(stranger, made, monkeypatch):
    monkeypatch.setattr(verifier, "PROGRAM", (sys.executable, "-c", SPINS))
    answered = send(stranger, made)
    assert code(answered) == (422, "unreadable_record")
    assert "s of computing" in answered.json["detail"]


@pytest.mark.parametrize(
    "program",
    [
        (sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),  # as if memory had run out
        (sys.executable, "-c", "import signal; signal.pause()"),  # gets no computing time
        ("/nothing/here",),  # no process can be started
    ],
)
def test_busy_server_asks_to_retry_instead_of_failing_a_record(stranger, made, monkeypatch, program):
    monkeypatch.setattr(verifier, "PROGRAM", program)
    monkeypatch.setitem(limited_process.run_limited.__kwdefaults__, "seconds", 1)
    answered = send(stranger, made)
    assert code(answered) == (503, "unavailable")
    assert int(answered.headers["Retry-After"]) > 0
    monkeypatch.undo()
    assert send(stranger, made).json["checks"][0]["ok"]  # and the place is free again


SMALL = "import sys; from events.proof import verifier as v; v.MEMORY = 150_000_000; sys.exit(v.verify_input([]))"


@pytest.mark.long
def test_verification_ends_at_its_memory_limit(stranger, monkeypatch, caplog):
    monkeypatch.setattr(verifier, "PROGRAM", (sys.executable, "-c", SMALL))
    answered = send(stranger, b'{"fairness":{"x":[' + b"[]," * 4_000_000 + b"0]}}")
    assert code(answered) == (422, "unreadable_record")
    assert "MemoryError at record.py" in caplog.text


@pytest.mark.long
def test_concurrent_verifications_are_limited(app, made, monkeypatch):
    monkeypatch.setattr(verify_routes, "WAIT_SECONDS", 0.01)
    places = app.extensions["dealt"].verifying
    others = [f"192.0.2.{i}" for i in range(app.extensions["dealt"].settings.dealt_max_verifications)]
    for other in others:
        assert places.take(other)
    answered = send(Client(app), made)
    assert code(answered) == (503, "unavailable")
    assert int(answered.headers["Retry-After"]) > 0
    places.leave(others[0])
    assert send(Client(app), made, head_of(made)).json["ok"]
    assert send(Client(app), made, head_of(made)).json["ok"]  # and the place is free again


@pytest.mark.long
def test_verifications_by_one_caller_take_no_slot_from_others(app, made):
    """All addresses of an IPv6 network count as one sender, because one person usually has them all."""
    places = app.extensions["dealt"].verifying
    slow, same, honest = ({"REMOTE_ADDR": f"2001:db8:0:{end}"} for end in ("1::1", "1::2", "2::1"))
    assert places.take(network_of(slow["REMOTE_ADDR"]))
    for of_one in (slow, same):
        assert code(send(Client(app), made, environ_overrides=of_one)) == (503, "unavailable")
    assert send(Client(app), made, head_of(made), environ_overrides=honest).json["ok"]
    places.leave(network_of(slow["REMOTE_ADDR"]))
    assert send(Client(app), made, head_of(made), environ_overrides=same).json["ok"]


@pytest.mark.long
def test_other_requests_are_answered_during_verification(app, made):
    thread = threading.Thread(target=send, args=(Client(app), b'{"fairness":{"x":[' + b"{}," * 1_000_000 + b"0]}}"))
    thread.start()
    slowest = 0.0
    while thread.is_alive():
        began = time.perf_counter()
        assert Client(app).get("/healthz").status_code == 200
        slowest = max(slowest, time.perf_counter() - began)
        time.sleep(0.01)
    thread.join()
    assert slowest < 2


def test_invalid_tokens_do_not_bypass_the_limit(made):
    app = create_app(Settings(dealt_rate_per_second=1, dealt_rate_burst=2), store=Nowhere())
    answers = [send(Client(app, token=f"t{i}"), b"x", content_type="text/plain").status_code for i in range(9)]
    assert answers[:2] == [415, 415]
    assert 429 in answers


@pytest.mark.long
def test_verified_record_is_not_logged(stranger, made, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    sent = json.dumps(made).replace('"hearts"', '"hearts-SECRETWORD"').encode()
    for hostile in (
        sent,
        b'{"SECRETWORD',
        b'{"format": "SECRETWORD"}',
        b'["SECRETWORD",' + b"[],{}," * 100_000 + b"0]",
    ):
        send(stranger, hostile)
    result = capfd.readouterr()
    assert "SECRETWORD" not in caplog.text + result.out + result.err


# --- The command --------------------------------------------------------------------------------------------


@pytest.fixture
def dealt(monkeypatch):
    monkeypatch.setattr("api.http.log_setup.set_up_logging", lambda *_: None)
    return lambda *args, **kwargs: CliRunner().invoke(main, ["verify", *args], **kwargs)


@pytest.fixture
def file(tmp_path, made):
    def written(what=made):
        path = tmp_path / "record.json"
        path.write_text(json.dumps(what))
        return str(path)

    return written


def test_verify_command_prints_a_readable_report(dealt, file, made):
    head = ("--head", f"{made['match']['version']}:{made['match']['head']}")
    result = dealt(file(), *head)
    assert result.exit_code == 0
    assert result.output.startswith(f"hearts m-1, {len(made['events'])} events\n")
    assert result.output.endswith("All checks passed.\n")
    for check in ("chain", "seals", "shuffles", "rules", "result", "moves"):
        assert f"  ✓ {check}" in result.output
    assert "unsigned; you saved its head" in result.output
    assert dealt("-", *head, input=json.dumps(made)).output == result.output


def test_verify_command_warns_that_no_one_vouches_for_an_unsigned_record(dealt, file):
    result = dealt(file())
    assert result.exit_code == 3
    assert "unsigned: no server vouches for it" in result.output
    assert result.output.endswith("Not checked: signatures.\n")


def test_verify_command_does_not_vouch_for_an_invalid_signature(dealt, file):
    record = signed(a_play())
    forged = record | {"signed": record["signed"] | {"signature": "0" * 128}}
    result = dealt(file(forged), "--key", MINE.key)
    assert result.exit_code == 1
    assert "signature invalid: no server vouches for it" in result.output
    assert "you saved its head" not in result.output


def test_verify_command_names_the_failed_check(dealt, file, made):
    place = next(i for i, e in enumerate(made["events"]) if e["type"] == "CardPlayed")
    result = dealt(file(changed(made, ("events", place, "data", "card"), "change")))
    assert result.exit_code == 1
    assert re.search(rf"^  ✗ chain +Event {place + 1}: ", result.output, re.MULTILINE)


def test_verify_command_names_skipped_checks(dealt, file):
    make, reader = recorded.OTHERS["hearts running, seat"]
    told = dealt(file(make().record(reader)))
    assert told.exit_code == 3
    assert "  – rules" in told.output
    assert told.output.endswith("not everything could be checked. Not checked: shuffles, rules, signatures.\n")


def test_verify_command_has_a_separate_exit_code_for_unverifiable_records(dealt, file, made):
    """A record cannot escape the rules by naming an unknown version."""
    twin = changed_to(made, ("match", "rules"), "2")
    unknown = file(relinked(changed_to(twin, ("events", 0, "data", "rules"), "2")))
    told = dealt(unknown)
    assert told.exit_code == 3
    assert told.output.endswith("Not checked: rules, signatures.\n")
    assert dealt(unknown, "--strict").exit_code == 3
    assert dealt(unknown, "--lenient").exit_code == 0
    assert json.loads(dealt(unknown, "--json").output)["verdict"] == "unverifiable"


GREEN = "\x1b[32;1mAll checks passed.\x1b[0m"


def test_verify_command_prints_no_control_characters_from_a_record(dealt, file, made):
    """The text of a record is printed as plain characters; otherwise it could overwrite the verdict on the screen."""
    painted = f"\x1b[2J\x1b[H{GREEN}\x07\r\n\u202e"
    places = [("events", 5, "type"), ("match", "status"), ("events", 0, "data", "rules"), ("match", "id")]
    for path in places:
        told = dealt(file(relinked(changed_to(made, path, painted))), color=True)
        assert told.exit_code in (1, 3)
        assert not re.search("[\x07\r\u202e]|\x1b\\[(?![0-9;]*m)", told.output)
        assert GREEN not in told.output


def test_verify_command_compares_kept_heads(dealt, file, made):
    kept, last = f"3:{made['events'][2]['digest']}", f"{made['match']['version']}:{made['match']['head']}"
    assert dealt(file(), "--head", kept).exit_code == 3
    assert dealt(file(), "--head", kept, "--head", last).exit_code == 0
    assert dealt(file(), "--head", kept, "--head", f"4:{'0' * 64}").exit_code == 1
    assert dealt(file(), "--head", "4").exit_code == 2


def test_verify_command_prints_json(dealt, file, made):
    assert json.loads(dealt(file(), "--json").output)["head"] == made["match"]["head"]


def test_verify_command_refuses_a_file_that_is_not_a_record(dealt, tmp_path):
    (tmp_path / "x").write_text("{}")
    for path in ("x", "missing", "."):
        result = dealt(str(tmp_path / path))
        assert result.exit_code == 1
        assert "cannot be read" in result.output
        assert result.output.count("\n") == 1


def test_verify_command_reads_at_most_the_size_limit(dealt):
    result = dealt("/dev/zero")
    assert (result.exit_code, "at most 16777216 bytes" in result.output) == (1, True)


def test_verify_command_needs_only_the_record(file, tmp_path):
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    program = Path(sys.executable).with_name("dealt")
    done = subprocess.run(
        [program, "verify", file()],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (3, "")
    assert [path.name for path in tmp_path.iterdir()] == ["record.json"]
