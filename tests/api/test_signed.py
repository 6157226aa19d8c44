"""Tests the server's signatures: its heads are signed with keys that it lists."""

import json
from dataclasses import replace
from hashlib import sha256
from io import BytesIO

import pytest

from domain.core.fairness import nonce_hash
from events.proof import keys
from events.proof.documents import verify_document
from events.proof.findings import Evidence
from events.proof.receipts import is_signed as is_receipt
from events.proof.signed_heads import (
    COLLECTION,
    DEAL_GROUP,
    MATCH,
    TOURNAMENT,
    KnownKey,
    NonceReceipt,
    SignedHead,
    is_signed,
    read_key_list,
    succeeds,
)
from events.proof.statements import statement
from events.settings import Settings
from tests.api.client import code
from tests.api.test_groups import asked
from tests.api.test_tournaments import evening, olga
from tests.proof.test_second_verifier import node, reports
from tests.proof.test_signatures import THEIRS
from tests.proof.test_signed_heads import SIGNED_BY_FORGERS
from tests.tampered import verified

__all__ = ["evening", "node", "olga"]

RECORD = "application/vnd.dealt.record+json"
SERVER = "cards.example.org"
AT = "2026-11-22T00:00:00.000Z"


@pytest.fixture
def signing(app, tmp_path, monkeypatch):
    """Make the app sign; return its key file."""
    path = tmp_path / keys.FILE
    keys.ensure(path)
    here = app.extensions["dealt"]
    monkeypatch.setitem(app.extensions, "dealt", with_keys(here, keys.KeyRing(SERVER, path=path)))
    return path


def with_keys(here, ring):
    return replace(here, keys=ring)


def skipped(report):
    """Return the skipped checks; none may fail."""
    assert report["verdict"] == "unverifiable"
    return {check["name"] for check in report["checks"] if check["skipped"]}


def heads(*answers):
    return [SignedHead(**answer["signed"]) for answer in answers]


def test_the_keys_are_listed_with_their_times(signing, stranger):
    keys.rotate_key_file(signing)
    listed = stranger.get("/v1/keys").json
    old, new = listed["items"]
    assert (listed["server"], listed["next"]) == (SERVER, None)
    assert (old["algorithm"], old["until"], new["until"]) == ("Ed25519", new["since"], None)
    assert "secret" not in json.dumps(listed)


def test_server_without_a_key_lists_no_keys_and_signs_nothing(playing, stranger):
    table, *_ = playing()
    assert stranger.get("/v1/keys").json["items"] == []
    assert "signed" not in stranger.get(f"{table.path}/record").json
    assert "signed" not in stranger.events(table)[-1]
    assert stranger.sees(table)["signed"] is None


def test_received_nonce_is_acknowledged_with_a_receipt(signing, ada, ben):
    nonce, digest = "5d41402abc4b2a76", sha256(b"9e107d9d372bb682").hexdigest()
    table = ada.creates(open_table=True)
    assert "receipts" not in ada.sees(table)
    (given,) = ben.put(f"{table.path}/seats/1", {"nonce": nonce}).json["receipts"]
    assert is_receipt(NonceReceipt(**given))
    seen = ada.sees(table)
    assert (given["kind"], given["id"], given["player"]) == (MATCH, table["id"], None)
    assert (given["seat"], given["epoch"], given["stage"]) == (1, 1, "nonces")
    assert (given["hash"], given["version"], given["head"]) == (nonce_hash(nonce), seen["version"], seen["head"])
    mine = [{"kind": "me", "nonce_hash": digest}, *[{"kind": "open"}] * 3]
    asked = {"game": "hearts", "seats": mine, "options": {"nonce_commit": True}}
    (promised,) = ada.post("/v1/matches", asked).json["receipts"]
    assert is_receipt(NonceReceipt(**promised))
    assert (promised["stage"], promised["hash"]) == ("hashes", digest)


def test_nonce_of_an_entry_is_acknowledged_even_on_the_waiting_list(signing, evening, stranger):
    one = evening(3, most=2)
    path, nonces = one.path, ("5d41402abc4b2a76", "", "9e107d9d372bb682")
    for waits, nonce, entrant in zip((False, False, True), nonces, one.players.values(), strict=True):
        answer = entrant.post(f"{path}/entries", {"nonce": nonce}).json
        assert answer["you_wait"] == waits
        assert "receipts" not in entrant.get(path).json
        if not nonce:
            assert "receipts" not in answer
            continue
        (given,) = answer["receipts"]
        assert is_receipt(NonceReceipt(**given))
        assert (given["kind"], given["id"], given["player"]) == (TOURNAMENT, answer["id"], entrant.id)
        assert (given["hash"], given["version"], given["head"]) == (
            nonce_hash(nonce),
            answer["version"],
            answer["head"],
        )
        assert receipt_check(stranger.get(f"{path}/record").data, given) == (True, False)


def test_nonce_of_a_booster_is_acknowledged_even_in_a_repeated_request(signing, ada):
    ada.post("/v1/collection")
    booster, headers = {"set": "fw1", "nonce": "5d41402abc4b2a76"}, {"Idempotency-Key": "once"}
    pack = ada.post("/v1/collection/boosters", booster, headers=headers).json
    (given,) = pack["receipts"]
    assert is_receipt(NonceReceipt(**given))
    assert (given["kind"], given["id"], given["epoch"]) == (COLLECTION, pack["collection"], pack["epoch"])
    assert "receipts" not in ada.post("/v1/collection/boosters", {"set": "fw1"}).json
    assert ada.post("/v1/collection/boosters", booster, headers=headers).json["receipts"] == [given]
    assert receipt_check(ada.get("/v1/collection/record").data, given) == (True, False)


def test_nonce_at_the_creation_of_a_duplicate_group_is_acknowledged_by_the_match(signing, ada):
    nonce = "5d41402abc4b2a76"
    group = asked("open", "open")
    group["tables"][0] = [{"kind": "open"}, {"kind": "me", "nonce": nonce}]
    group["tables"][1] = [{"kind": "open"}, {"kind": "open"}]
    made = ada.post("/v1/deal-groups", group).json
    (given,) = made["receipts"]
    assert is_receipt(NonceReceipt(**given))
    assert (given["kind"], given["id"], given["seat"]) == (MATCH, made["tables"][0]["match"], 1)
    assert given["hash"] == nonce_hash(nonce)
    assert "receipts" not in ada.get(f"/v1/deal-groups/{made['id']}").json
    assert receipt_check(ada.get(f"/v1/matches/{given['id']}/record").data, given) == (True, False)


def receipt_check(record, given):
    """Return whether a receipt by the server's own key is valid for a record, and whether it was skipped."""
    _, report = verify_document(BytesIO(record), Evidence((), [KnownKey(given["key"])], [NonceReceipt(**given)]))
    found = report.checks[-1]
    assert found.name == "receipts"
    return found.ok, found.skipped


def test_match_moves_feed_and_record_have_the_same_signed_head(signing, playing, stranger):
    table, players, _ = playing()
    mover = next(p for p in players if p.get(f"{table.path}/moves").json["moves"])
    example = mover.get(f"{table.path}/moves").json["moves"][0]["example"]
    made = mover.post(f"{table.path}/moves", example).json
    (key,) = [key["key"] for key in stranger.get("/v1/keys").json["items"]]
    record = mover.get(f"{table.path}/record").json
    page = mover.get(f"{table.path}/events?after={record['match']['version'] - 1}").json
    lines = mover.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}).data.splitlines()
    whole = [json.loads(line) for line in lines]
    assert [event["seq"] for event in whole if "signed" in event] == [record["match"]["version"]]
    for head in heads(made, record, page["items"][-1], whole[-1], stranger.sees(table), mover.sees(table)):
        assert is_signed(head)
        assert (head.server, head.kind, head.id, head.key) == (SERVER, MATCH, table["id"], key)
    last, of_all, of_mine = heads(record, stranger.sees(table), mover.sees(table))
    assert (last.version, last.head) == (record["match"]["version"], record["match"]["head"])
    assert last == of_all == of_mine
    assert statement(json.dumps(made).encode()).digests == {made["version"]: made["head"]}


def test_page_that_ends_before_the_head_is_not_signed(signing, playing, stranger):
    table, *_ = playing()
    page = stranger.get(f"{table.path}/events?limit=3").json
    assert [event for event in page["items"] if "signed" in event] == []


def test_verification_names_the_signer_and_knows_the_servers_key(signing, playing, stranger):
    table, *_ = playing()
    record = stranger.get(f"{table.path}/record").json
    report = stranger.send("POST", "/v1/records/verify", {}, data=json.dumps(record), content_type=RECORD).json
    key = record["signed"]["key"]
    assert (skipped(report), report["signed"]) == (
        {"rules", "shuffles", "seals"},
        {"server": SERVER, "key": key, "known": True},
    )
    bare = {name: x for name, x in record.items() if name != "signed"}
    report = stranger.send("POST", "/v1/records/verify", {}, data=json.dumps(bare), content_type=RECORD).json
    assert (skipped(report), report["signed"]) == ({"rules", "shuffles", "seals", "signatures"}, None)


@pytest.mark.long
def test_other_servers_cannot_sign_in_this_servers_name(signing, playing, stranger, tmp_path):
    table, *_ = playing()
    record = stranger.get(f"{table.path}/record").json
    for name, verdict in ((SERVER, "failed"), ("elsewhere", "unverifiable")):
        forger = keys.KeyRing(name, keys.add_new_key((), b"x" * 32, record["match"]["created_at"]))
        head = forger.sign(MATCH, table["id"], record["match"]["version"], record["match"]["head"])
        record["signed"] = {field: getattr(head, field) for field in head.__struct_fields__}
        report = stranger.send("POST", "/v1/records/verify", {}, data=json.dumps(record), content_type=RECORD).json
        assert report["verdict"] == verdict
        assert (report["signed"] or {}).get("known") == (None if verdict == "failed" else False)


@pytest.mark.long
def test_unnamed_servers_do_not_vouch_for_each_other(app, playing, stranger, tmp_path, monkeypatch):
    here, other = (
        keys.KeyRing("dealt", keys.add_new_key((), secret * 32, AT), is_named=False) for secret in (b"h", b"o")
    )
    monkeypatch.setitem(app.extensions, "dealt", with_keys(app.extensions["dealt"], here))
    table, *_ = playing()
    record = stranger.get(f"{table.path}/record").json
    for by, known in ((here, True), (other, False)):
        head = by.sign(MATCH, table["id"], record["match"]["version"], record["match"]["head"])
        record["signed"] = {field: getattr(head, field) for field in head.__struct_fields__}
        report = stranger.send("POST", "/v1/records/verify", {}, data=json.dumps(record), content_type=RECORD).json
        assert (report["verdict"], report["signed"]["known"]) == ("unverifiable", known)


@pytest.mark.parametrize(
    ("given", "is_named"),
    [
        ({}, False),
        ({"dealt_server_name": "dealt"}, True),
        ({"dealt_public_url": "https://cards.example"}, True),
    ],
)
def test_configured_server_name_is_accepted_only_with_this_servers_keys(given, is_named):
    assert keys.key_ring(Settings(**given)).is_named == is_named


def test_records_use_the_new_key_after_a_rotation_and_old_ones_verify(signing, playing, stranger):
    table, *_ = playing()
    before = stranger.get(f"{table.path}/record")
    keys.rotate_key_file(signing)
    after = stranger.get(f"{table.path}/record", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    old, new = stranger.get("/v1/keys").json["items"]
    assert [r.json["signed"]["key"] for r in (before, after)] == [old["key"], new["key"]]
    for record in (before, after):
        assert verified(record.json).signed is not None


def verified_here(client, text, content_type="application/json", named=""):
    return client.send("POST", f"/v1/records/verify{named}", {}, data=text, content_type=content_type).json


@pytest.mark.parametrize("kind", SIGNED_BY_FORGERS)
def test_record_signed_with_a_forged_key_is_never_verified(signing, app, monkeypatch, stranger, kind):
    text = SIGNED_BY_FORGERS[kind]()
    media = "application/x-ndjson" if kind == "champion" else "application/json"
    other = keys.KeyRing("elsewhere.example.org", path=signing)
    monkeypatch.setitem(app.extensions, "dealt", with_keys(app.extensions["dealt"], other))
    report = verified_here(stranger, text, media)
    assert (report["verdict"], report["signed"]["known"]) == ("unverifiable", False)
    assert "signatures" in skipped(report)
    named = verified_here(stranger, text, media, f"?key={THEIRS.key}&key={'0' * 64}")
    assert (named["verdict"], named["signed"]["known"]) == ("unverifiable" if kind == "champion" else "verified", True)


def test_tournament_and_its_record_have_the_same_signed_head(signing, evening, stranger):
    one = evening(2)
    record = stranger.get(f"{one.path}/record").data
    (said,) = heads(stranger.get(one.path).json)
    (written,) = heads(json.loads(record.splitlines()[0]))
    assert is_signed(said)
    assert (said, said.kind, said.id) == (written, TOURNAMENT, one.path.rsplit("/", 1)[1])
    report = verified_here(stranger, record, "application/x-ndjson")
    assert (report["verdict"], report["signed"]["known"]) == ("verified", True)


def test_collection_and_its_record_have_the_same_signed_head(signing, ada):
    said = ada.post("/v1/collection").json
    record = ada.get("/v1/collection/record").json
    (of_answer, of_record) = heads(said, record)
    assert is_signed(of_answer)
    assert (of_answer, of_answer.kind, of_answer.id) == (of_record, COLLECTION, said["id"])
    report = verified_here(ada, json.dumps(record))
    assert (report["verdict"], report["signed"]["known"]) == ("verified", True)


def test_duplicate_group_and_its_record_have_the_same_signed_head(signing, ada, ben, stranger, node):
    made = ada.post("/v1/deal-groups", asked("me", "open", "open"))
    path = f"/v1/deal-groups/{made.json['id']}"
    record = stranger.get(f"{path}/record").json
    for answer in (made.json, stranger.get(path).json):
        (said, written) = heads(answer, record)
        assert is_signed(said)
        assert (said, said.kind, said.id) == (written, DEAL_GROUP, made.json["id"])
        assert (answer["version"], answer["head"]) == (said.version, said.head) == (record["version"], record["head"])
    report = verified_here(stranger, json.dumps(record))
    assert (report["verdict"], report["signed"]["known"]) == ("verified", True)
    (theirs,) = reports(node, [(record, ())], [KnownKey(record["signed"]["key"])])
    assert theirs["verdict"] == "verified"
    assert code(stranger.get("/v1/deal-groups/nothing/record")) == (404, "not_found")


def test_listed_keys_include_the_signatures_of_each_replacement(signing, stranger):
    keys.rotate_key_file(signing)
    first, second = read_key_list(stranger.get("/v1/keys").data)
    assert (first.succession, first.countersignature, succeeds(second)) == (None, None, True)
