"""A receipt of a nonce convicts a server that leaves the nonce out, in both verifiers."""

import json
import subprocess
from base64 import b64encode
from dataclasses import replace

import pytest
from click.testing import CliRunner
from msgspec import to_builtins

from api.cli.main import main
from domain.core.fairness import nonce_hash
from domain.match.match_commands import Sit
from events import proof
from events.proof import record
from events.proof.receipts import message
from events.proof.signed_heads import KnownKey, NonceReceipt
from tests.proof.test_second_verifier import VERIFIER, node
from tests.proof.test_signatures import MINE, SERVER, ring, signed
from tests.recorded import NONCES, Recorded, two, with_nonces
from tests.tampered import relinked

__all__ = ["node"]


def played(*, gives: bool) -> Recorded:
    table = Recorded("two_handed_hearts", ("me", "open"), {"nonce_seconds": 60})
    table.does(1, Sit("ben"))
    table.does(0, Sit("ann", nonce=NONCES[0]))
    if gives:
        table.does(1, Sit("ben", nonce=NONCES[1]))
    return table


def receipt(made, stage="nonces", seat=1, nonce=NONCES[1], version=None, **more):
    """Return a receipt of the server over the record as it is, or over one of its versions."""
    version = version or len(made["events"])
    head = more.get("head") or made["events"][version - 1]["digest"]
    name, by = made["match"]["id"], more.get("by") or ring()
    text = message(by.server, name, stage, (seat, 1), nonce_hash(nonce), (version, head))
    key, signature = by.signature(text)
    return NonceReceipt(by.server, name, stage, seat, 1, nonce_hash(nonce), version, head, key, signature)


def both(node, made, *receipts, keys=(MINE,)):
    """Return what both verifiers find of receipts: whether it holds, was skipped, with excuse, and where it fails."""
    read = record.read(json.dumps(made).encode())
    claims = replace(record.claims(read, (), keys), receipts=receipts)
    mine = proof.verify(read.match.id, record.facts(read), claims).checks[-1]
    sent = {"record": b64encode(json.dumps(made).encode()).decode(), "heads": [], "receipts": to_builtins(receipts)}
    sent["keys"] = [{"key": known.key} for known in keys]
    done = subprocess.run([node, VERIFIER, "--batch"], input=json.dumps(sent).encode(), capture_output=True, check=True)
    theirs = json.loads(done.stdout)["checks"][-1]
    found = mine.name, mine.ok, mine.skipped, mine.seq
    assert found == tuple(theirs[name] for name in ("name", "ok", "skipped", "seq"))
    return found[1:]


HOLDS = (True, False, None)


def test_a_receipt_holds_if_the_nonce_is_in_the_record(node):
    made = played(gives=True).record()
    assert both(node, made, receipt(made)) == HOLDS
    assert both(node, signed(made), receipt(made)) == HOLDS


@pytest.mark.parametrize("stage", ["hashes", "nonces"])
def test_a_promised_nonce_is_acknowledged_twice(node, stage):
    made = with_nonces().record()
    given = next(e for e in made["events"] if e["type"] == "MatchStarted")["seq"]
    assert both(node, made, receipt(made, stage, version=given)) == HOLDS


def test_a_record_without_an_acknowledged_nonce_convicts_the_server_at_its_version(node):
    made = played(gives=False).record()
    last = len(made["events"])
    assert both(node, made, receipt(made)) == (False, False, last)
    assert both(node, made, receipt(made), receipt(made, seat=0, nonce=NONCES[0])) == (False, False, last)


def test_a_receipt_over_another_history_convicts_the_server(node):
    honest, dropped = played(gives=True).record(), played(gives=False)
    dropped.does(0, Sit("ann"))
    made = dropped.record()
    version = len(honest["events"])
    kept = receipt(honest)
    while len(made["events"]) < version:
        made["events"].append({**made["events"][-1], "seq": len(made["events"]) + 1, "commit": len(made["events"]) + 1})
        made["match"]["version"] = len(made["events"])
    assert both(node, relinked(made), kept) == (False, False, version)


def test_a_receipt_of_a_later_version_than_a_finished_record_convicts_the_server(node):
    made = with_nonces().record()
    later = receipt(made, version=len(made["events"]))
    text = message(SERVER, "m-1", "nonces", (1, 1), later.hash, (len(made["events"]) + 5, later.head))
    key, signature = ring().signature(text)
    late = NonceReceipt(SERVER, "m-1", "nonces", 1, 1, later.hash, later.version + 5, later.head, key, signature)
    assert both(node, made, late) == (False, False, len(made["events"]))
    running = two().record()
    assert both(node, running, late)[:2] == (True, True)


def test_a_receipt_that_nobody_signed_or_another_key_convicts_nobody(node):
    made = played(gives=False).record()
    good = receipt(made)
    forged = NonceReceipt(**{**to_builtins(good), "seat": 0})
    assert both(node, made, forged) == (True, True, None)
    assert both(node, made, good, keys=[KnownKey("ab" * 32)]) == (True, True, None)


def test_a_receipt_by_a_key_of_anybodys_making_convicts_nobody(node):
    """Anybody can make a key in the server's name, and sign with it that a nonce was dropped."""
    made = signed(played(gives=False).record())
    framing = receipt(made, by=ring(bytes(31) + b"f"))
    assert framing.server == SERVER
    for keys in ((), (MINE,)):
        assert both(node, made, framing, keys=keys) == (True, True, None)
    assert both(node, signed(made, ring(bytes(31) + b"f")), framing, keys=()) == (True, True, None)
    assert both(node, made, receipt(made), keys=())[:2] == (True, True)


def test_the_command_convicts_by_a_receipt_that_an_answer_had(tmp_path):
    made = signed(played(gives=False).record())
    (tmp_path / "record.json").write_text(json.dumps(made))
    (tmp_path / "answer.json").write_text(json.dumps({"receipts": [to_builtins(receipt(made))]}))
    shown = CliRunner().invoke(
        main,
        [
            "verify",
            str(tmp_path / "record.json"),
            "--receipt",
            str(tmp_path / "answer.json"),
            "--key",
            MINE.key,
        ],
    )
    assert shown.exit_code == 1
    assert "had the nonce of seat 1" in " ".join(shown.output.split())
    (tmp_path / "answer.json").write_text("{}")
    refused = CliRunner().invoke(
        main,
        [
            "verify",
            str(tmp_path / "record.json"),
            "--receipt",
            str(tmp_path / "answer.json"),
            "--key",
            MINE.key,
        ],
    )
    assert refused.exit_code == 2
