"""Tests that receipts convict a server that leaves a nonce out of any record, in both verifiers, and never an honest
one."""

import json
import subprocess
from base64 import b64encode
from dataclasses import replace
from io import BytesIO

import pytest
from click.testing import CliRunner
from msgspec import to_builtins

from api.cli.main import main
from domain.core.fairness import nonce_hash
from domain.match.seating import Sit
from domain.tournament.entrants import Enter, Withdraw
from domain.tournament.organiser import TournamentCancelled
from domain.tournament.tournament_plan import TournamentPlan
from events.proof.documents import verify_document
from events.proof.findings import Evidence
from events.proof.receipts import GivenNonce, receipt_message
from events.proof.signed_heads import KnownKey, NonceReceipt
from tests.collection.test_collection import story
from tests.proof import test_collection_records as collections
from tests.proof import test_group_records as groups
from tests.proof import test_tournament_records as tournaments
from tests.proof.test_second_verifier import VERIFIER, node
from tests.proof.test_signatures import MINE, SERVER, ring, signed
from tests.recorded import NONCES, Recorded, two, with_nonces
from tests.tampered import relinked
from tests.tournament.evenings import OF, ORGANISER, Evening

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
    given = GivenNonce("match", made["match"]["id"], stage, 1, nonce_hash(nonce), seat)
    return acknowledged(given, version, head, more.get("by"))


def acknowledged(given, version, head, by=None):
    """Return the receipt of a nonce by a server, ours unless another one is named."""
    by = by or ring()
    key, signature = by.signature(receipt_message(by.server, given, version, head))
    place = given.kind, given.id, given.stage, given.seat, given.player, given.epoch
    return NonceReceipt(by.server, *place, given.hash, version, head, key, signature)


def both(node, made, *receipts, keys=(MINE,)):
    """Return both verifiers' findings about receipts: whether valid, whether skipped, the reason, and where it
    fails."""
    (found,) = both_of(node, [(made, receipts, keys)])
    return found


def both_of(node, cases):
    """Return both verifiers' findings in each of these cases: a record, receipts, and the trusted keys."""
    found, sent = [], []
    for made, receipts, keys in cases:
        text = made if isinstance(made, bytes) else json.dumps(made).encode()
        mine = verify_document(BytesIO(text), Evidence((), keys, receipts))[1].checks[-1]
        found.append((mine.name, mine.ok, mine.skipped, mine.seq))
        line = {"record": b64encode(text).decode(), "heads": [], "receipts": to_builtins(receipts)}
        sent.append(json.dumps({**line, "keys": [{"key": known.key} for known in keys]}))
    done = subprocess.run([node, VERIFIER, "--batch"], input="\n".join(sent).encode(), capture_output=True, check=True)
    theirs = [json.loads(line)["checks"][-1] for line in done.stdout.splitlines()]
    assert found == [tuple(check[name] for name in ("name", "ok", "skipped", "seq")) for check in theirs]
    assert {name for name, *_ in found} == {"receipts"}
    return [one[1:] for one in found]


HOLDS = (True, False, None)


def test_receipt_is_confirmed_if_the_nonce_is_in_the_record(node):
    made = played(gives=True).record()
    assert both(node, made, receipt(made)) == HOLDS
    assert both(node, signed(made), receipt(made)) == HOLDS


@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: {"id": "m-1", "receipts": [one]}])
def test_second_verifier_reads_both_forms_of_receipts(node, tmp_path, wrap):
    made = played(gives=True).record()
    kept, text = tmp_path / "receipt.json", tmp_path / "record.json"
    kept.write_text(json.dumps(wrap(to_builtins(receipt(made)))))
    text.write_text(json.dumps(made))
    options = ["--receipt", kept, "--key", MINE.key]
    done = subprocess.run([node, VERIFIER, text, *options], capture_output=True, check=False)
    check = json.loads(done.stdout)["checks"][-1]
    assert (check["name"], check["ok"], check["skipped"], check["seq"]) == ("receipts", *HOLDS)


@pytest.mark.parametrize("stage", ["hashes", "nonces"])
def test_a_promised_nonce_is_acknowledged_twice(node, stage):
    made = with_nonces().record()
    given = next(e for e in made["events"] if e["type"] == "MatchStarted")["seq"]
    assert both(node, made, receipt(made, stage, version=given)) == HOLDS


def test_record_without_an_acknowledged_nonce_convicts_the_server(node):
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
    late = acknowledged(GivenNonce("match", "m-1", "nonces", 1, later.hash, 1), later.version + 5, later.head)
    assert both(node, made, late) == (False, False, len(made["events"]))
    running = two().record()
    assert both(node, running, late)[:2] == (True, True)


def test_receipt_without_a_known_signature_convicts_no_server(node):
    made = played(gives=False).record()
    good = receipt(made)
    forged = NonceReceipt(**{**to_builtins(good), "seat": 0})
    assert both(node, made, forged) == (True, True, None)
    assert both(node, made, good, keys=[KnownKey("ab" * 32)]) == (True, True, None)


def test_receipt_with_a_self_made_key_convicts_no_server(node):
    """Anyone can create a key in the server's name, and sign with it that a nonce was dropped."""
    made = signed(played(gives=False).record())
    framing = receipt(made, by=ring(bytes(31) + b"f"))
    assert framing.server == SERVER
    for keys in ((), (MINE,)):
        assert both(node, made, framing, keys=keys) == (True, True, None)
    assert both(node, signed(made, ring(bytes(31) + b"f")), framing, keys=()) == (True, True, None)
    assert both(node, made, receipt(made), keys=())[:2] == (True, True)


def test_verify_command_judges_receipts_from_an_answer(tmp_path):
    made = signed(played(gives=False).record())
    there, dropped = receipt(made, seat=0, nonce=NONCES[0]), receipt(made)
    (tmp_path / "record.json").write_text(json.dumps(made))
    answer = tmp_path / "answer.json"

    def verify():
        options = "--receipt", str(answer), "--key", MINE.key
        return CliRunner().invoke(main, ["verify", str(tmp_path / "record.json"), *options])

    answer.write_text(json.dumps({"receipts": to_builtins([there, dropped])}))
    shown = verify()
    assert shown.exit_code == 1
    assert "had the nonce of seat 1" in " ".join(shown.output.split())
    for nothing in ({}, {"receipts": []}):
        answer.write_text(json.dumps(nothing))
        assert verify().exit_code == 2


# --- Tournaments, collections and duplicate groups ----------------------------------------------------------

NONCE, ANOTHER = "5d41402abc4b2a76", "9e107d9d372bb682"
SKIPPED = (True, True, None)


def evening(*commands, most=2):
    """Return a tournament that received these commands while entries were open."""
    there = Evening(TournamentPlan("swiss", 2, 2, most=most))
    for command in commands:
        there.told(command)
    return there


def entered(there, player="ann", nonce=NONCE, **more):
    """Return the receipt of an entry over the current state of a tournament."""
    made = tournaments.written(there.events)
    given = GivenNonce("tournament", more.get("of", OF), "nonces", 1, nonce_hash(nonce), player=player)
    return acknowledged(given, len(there.events), made["events"][len(there.events) - 1]["digest"], more.get("by"))


def in_tournament(node, there, *receipts, keys=(MINE,)):
    return both(node, tournaments.lines(tournaments.written(there.events)), *receipts, keys=keys)


def test_receipt_is_valid_for_entrants_and_waiting_players(node):
    there = evening(Enter("ann", nonce=NONCE))
    first = entered(there)
    for player, nonce in (("ben", ""), ("cem", ANOTHER)):
        there.told(Enter(player, nonce=nonce))
    second = entered(there, "cem", ANOTHER)
    assert in_tournament(node, there, first, second) == HOLDS
    there.told(Withdraw("ben"))
    assert in_tournament(node, there, first, second) == HOLDS


def test_receipts_stay_valid_after_entering_again_with_another_nonce(node):
    """The nonce of each entry is in the events, although only that of the last entry is the player's current one."""
    there = evening(Enter("ann", nonce=NONCE))
    kept = [entered(there)]
    for nonce in (ANOTHER, ""):
        there.told(Withdraw("ann"))
        there.told(Enter("ann", nonce=nonce))
        kept += [entered(there, nonce=nonce)] if nonce else []
    for player in ("ben", "cem"):
        there.told(Enter(player))
    for nonce in (NONCES[0], NONCES[1]):
        there.told(Enter("dan", nonce=nonce))
        kept.append(entered(there, "dan", nonce))
        there.told(Withdraw("dan"))
    assert in_tournament(node, there, *kept) == HOLDS


def test_tournament_without_an_acknowledged_nonce_convicts_the_server(node):
    there = evening(Enter("ann"), Enter("ben", nonce=NONCE))
    assert in_tournament(node, there, entered(there)) == (False, False, 4)
    assert in_tournament(node, there, entered(there, "ben"), entered(there, nonce=ANOTHER)) == (False, False, 4)


def test_nonce_in_the_name_of_another_player_convicts_the_server(node):
    """A server could record the nonce for its own player who waits and never enters."""
    there = evening(Enter("ann"), Enter("ben"), Enter("shill", nonce=NONCE))
    assert in_tournament(node, there, entered(there)) == (False, False, 5)


def test_receipt_beyond_or_outside_a_tournament_history_convicts_the_server(node):
    honest, dropped = evening(Enter("ann", nonce=NONCE), Enter("ben")), evening(Enter("ann"), Enter("ben"))
    assert in_tournament(node, dropped, entered(honest)) == (False, False, 4)
    short = evening(Enter("ben"))
    assert in_tournament(node, short, entered(honest)) == SKIPPED
    short.events.append(TournamentCancelled(ORGANISER, "No time."))
    longer = evening(
        *(Enter(player, nonce=nonce) for player, nonce in (("a", ""), ("b", ""), ("c", ""), ("ann", NONCE)))
    )
    assert in_tournament(node, short, entered(longer)) == (False, False, 5)


def test_receipt_with_a_self_made_key_convicts_no_server_in_a_tournament(node):
    there = evening(Enter("ann"))
    framing = entered(there, by=ring(bytes(31) + b"f"))
    assert framing.server == SERVER
    assert in_tournament(node, there, framing) == SKIPPED
    assert in_tournament(node, there, entered(there), keys=()) == SKIPPED


def in_collection(nonce, epoch=1, version=4, **more):
    """Return the receipt of a nonce over the sample collection."""
    made = collections.written(story()[0])
    given = GivenNonce("collection", more.get("of", made["collection"]), "nonces", epoch, nonce_hash(nonce))
    return acknowledged(given, version, made["events"][version - 1]["digest"], more.get("by"))


def test_receipt_for_a_booster_is_judged_by_the_collection_record(node):
    """The fourth event of the sample collection opens a pack with the nonce 00ff."""
    made = collections.written(story()[0])
    assert made["events"][3]["data"]["nonce"] == "00ff"
    short = collections.linked({**made, "events": made["events"][:3], "version": 3})
    cases = [
        (made, (in_collection("00ff"), in_collection("00ff", version=7)), (MINE,), HOLDS),
        (made, (in_collection("00ff", version=3),), (MINE,), (False, False, 3)),
        (made, (in_collection(NONCE),), (MINE,), (False, False, 4)),
        (made, (in_collection("00ff", epoch=2),), (MINE,), (False, False, 4)),
        (made, (in_collection(NONCE, of="another"),), (MINE,), SKIPPED),
        (made, (in_collection(NONCE, by=ring(bytes(31) + b"f")),), (MINE,), SKIPPED),
        (made, (in_collection(NONCE),), (), SKIPPED),
        (short, (in_collection("00ff"),), (MINE,), SKIPPED),
    ]
    assert both_of(node, [case[:3] for case in cases]) == [due for *_, due in cases]


def test_match_receipt_is_judged_by_the_match_record_and_not_the_group(node):
    """A group accepts no nonces itself: players may leave a table's lobby before the group begins."""
    match = played(gives=False).record()
    group = groups.written(groups.PROMISED)
    assert both(node, group, receipt(match)) == SKIPPED
    assert both(node, match, receipt(match))[0] is False


def test_signed_receipt_without_the_fields_of_its_kind_proves_nothing(node):
    match = GivenNonce("match", "m-1", "nonces", 1, nonce_hash(NONCE), 1)
    entry = GivenNonce("tournament", OF, "nonces", 1, nonce_hash(NONCE), player="ann")
    pack = GivenNonce("collection", collections.OF, "nonces", 1, nonce_hash(NONCE))
    records = {
        match: played(gives=False).record(),
        entry: tournaments.lines(tournaments.written(evening(Enter("ann")).events)),
        pack: collections.written(story()[0]),
    }
    wrong = {
        match: ({"seat": None}, {"seat": -1}, {"player": "ann"}, {"epoch": 0}),
        entry: ({"seat": 0}, {"player": None}, {"player": "a|b"}, {"epoch": 2}, {"stage": "hashes"}),
        pack: ({"seat": 0}, {"player": "ann"}, {"epoch": 0}, {"stage": "hashes"}),
    }
    head = "00" * 32
    asked = [(given, {}) for given in wrong] + [(given, fields) for given, all_ in wrong.items() for fields in all_]
    cases = [(records[given], (acknowledged(replace(given, **fields), 1, head),), (MINE,)) for given, fields in asked]
    assert both_of(node, cases) == [SKIPPED if fields else (False, False, 1) for _, fields in asked]
