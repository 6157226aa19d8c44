"""Tests an imported match over HTTP, and the import command."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from sqlalchemy import update
from sqlalchemy.exc import DataError

from api.app import create_app
from api.cli.main import main
from api.http.app_state import store_app_state
from events.ids import hash_secret
from events.log.seals import NO_EVENT, digest
from events.proof import keys
from events.proof.signed_heads import MATCH
from events.settings import Settings
from events.store.schema.log_schema import stream
from events.store.tables import player_rows
from tests.api.client import Client, Table, code
from tests.bound import Matches
from tests.imported_matches import ANN, BOB, begun, finished


@pytest.fixture(scope="module")
def there(shared_sqlite):
    """The other server, with its matches and a client of Ann's."""
    store = shared_sqlite
    app = create_app(Settings(dealt_rate_per_second=0), store=store)
    for who, name in ((ANN, "Ann"), (BOB, "Bob")):
        player_rows.add_player(store, who.player, name, hash_secret(f"token of {name}"), 0)
    return Matches(store), Client(app, "token of Ann", ANN.player, "Ann")


@pytest.fixture
def dealt(store, monkeypatch):
    monkeypatch.setattr("api.http.log_setup.set_up_logging", lambda *_: None)
    monkeypatch.setenv("DATABASE_URL", store.engine.url.render_as_string(hide_password=False))
    return lambda *args, **kwargs: CliRunner().invoke(main, ["import", *map(str, args)], **kwargs)


@pytest.fixture
def record(there, tmp_path):
    """Return a record that Ann downloaded from the other server: its path and the match."""

    def made(make=finished, **chosen):
        matches, ann = there
        table = Table(id=make(matches, **chosen).match_id)
        path = tmp_path / f"{table['id']}.json"
        path.write_bytes(ann.get(f"{table.path}/record").data)
        return path, table

    return made


def of(client, table):
    return json.loads(client.get(f"{table.path}/record").data)


def test_imported_match_is_marked_as_imported(dealt, record, there, stranger):
    path, table = record()
    assert dealt(path).exit_code == 0
    shown, original = stranger.sees(table), there[1].sees(table)
    assert (shown["imported"], original["imported"]) == (True, False)
    assert [seat["player"] and seat["player"]["name"] for seat in shown["seats"]] == [
        "Ann",
        "Bob",
        None,
        None,
    ]
    same = ("status", "version", "head", "result", "created_at", "options", "fairness", "rules", "visibility")
    assert {name: shown[name] for name in same} == {name: original[name] for name in same}
    listed = next(m for m in stranger.get("/v1/matches?limit=100").json["items"] if m["id"] == table["id"])
    original = next(m for m in there[1].get("/v1/matches?limit=100").json["items"] if m["id"] == table["id"])
    players = [seat["player"] for seat in listed.pop("seats")]
    assert players == [seat["player"] for seat in shown["seats"]]
    assert {**listed, "imported": False} == {name: x for name, x in original.items() if name != "seats"}
    assert stranger.get(f"{table.path}/replay?version=30&seat=all").status_code == 200


def test_imported_match_exports_the_imported_record(dealt, record, stranger):
    path, table = record(visibility="private")
    dealt(path)
    again = of(stranger, table)
    first = json.loads(path.read_bytes())
    assert again["fairness"] == first["fairness"]
    assert {**again["match"], "reader": "0"} == first["match"]
    assert stranger.sees(table)["visibility"] == "unlisted"
    path.write_bytes(json.dumps(again).encode())
    verified = CliRunner().invoke(main, ["verify", str(path)])
    assert (verified.exit_code, "Not checked: signatures.\n" in verified.output) == (3, True)


def test_imported_match_shows_exactly_the_events_that_were_hashed(dealt, record, there, stranger):
    path, table = record()
    dealt(path)
    assert of(stranger, table)["events"] == of(Client(there[1].app), table)["events"]


@pytest.fixture
def rings(there, app, monkeypatch):
    """Make both servers sign with their own keys; return the other's key ring, then this server's."""
    made = []
    for name, one in (("there.example", there[1].app), ("here.example", app)):
        ring = keys.KeyRing(name, keys.add_new_key((), name[:8].encode() * 4, "2026-11-22T00:00:00.000Z"))
        monkeypatch.setitem(one.extensions, "dealt", replace(one.extensions["dealt"], keys=ring))
        made.append(ring)
    return made


def test_imported_match_keeps_the_signature_of_its_server(rings, dealt, record, stranger):
    path, table = record()
    (key,) = rings[0].keys
    assert dealt(path).exit_code == 0
    signed = json.loads(path.read_bytes())["signed"]
    assert (signed["server"], signed["key"]) == ("there.example", key.key)
    assert of(stranger, table)["signed"] == stranger.events(table)[-1]["signed"] == stranger.sees(table)["signed"]
    assert of(stranger, table)["signed"] == signed
    found = stranger.get(f"{table.path}/audit").json
    assert (found["verdict"], found["signed"]["server"]) == ("verified", "there.example")


def test_importing_an_unsigned_match_does_not_sign_it(rings, dealt, record, stranger):
    path, table = record()
    given = json.loads(path.read_bytes())
    del given["signed"]
    path.write_bytes(json.dumps(given).encode())
    assert dealt(path).exit_code == 0
    assert "signed" not in of(stranger, table)
    assert "signed" not in stranger.events(table)[-1]
    assert stranger.sees(table)["signed"] is None


def forged(signed):
    """Return forged import statements, by their fault."""
    garbled = "0" * 128
    elsewhere = keys.KeyRing("here.example", keys.add_new_key((), b"y" * 32, "2026-11-22T00:00:00.000Z"))
    in_our_name = json.loads(
        json.dumps(elsewhere.sign(MATCH, signed["id"], signed["version"], signed["head"]), default=vars_of)
    )
    return {
        "no JSON": "x",
        "another type": "[]",
        "no text": b"\xff",
        "too deep": "[" * 9_000,
        "no such visibility": json.dumps({"visibility": "secret"}),
        "a visibility that is none": json.dumps({"visibility": [1]}),
        "no signed head": json.dumps({"visibility": "public", "signed": []}),
        "half a signed head": json.dumps({"visibility": "public", "signed": {"server": 1}}),
        "a number that is none": json.dumps({"visibility": "public", "signed": {**signed, "version": "1"}}),
        "text that is not ASCII": json.dumps({"visibility": "public", "signed": {**signed, "server": "\u00e9"}}),
        "another signature": json.dumps({"visibility": "public", "signed": {**signed, "signature": garbled}}),
        "another match": json.dumps({"visibility": "public", "signed": {**signed, "id": "x" * 20}}),
        "another version": json.dumps({"visibility": "public", "signed": {**signed, "version": 1}}),
        "another's name": json.dumps({"visibility": "public", "signed": {**signed, "server": "else.example"}}),
        "in our name": json.dumps({"visibility": "public", "signed": in_our_name}),
    }


def vars_of(head):
    return {field: getattr(head, field) for field in head.__struct_fields__}


@pytest.mark.long
@pytest.mark.parametrize("store", ["sqlite"], indirect=True)  # PostgreSQL does not let the service change such a row
def test_forged_import_statement_is_not_shown_and_breaks_nothing(rings, dealt, record, app, store, stranger, ada):
    path, table = record()
    assert dealt(path).exit_code == 0
    signed = of(stranger, table)["signed"]
    for what, stored in forged(signed).items():
        store.change(update(stream).where(stream.c.match_id == table["id"]).values(imported=stored))
        # which does not keep matches in memory
        store_app_state(app, replace(app.extensions["dealt"], context=Matches(store)))
        shown = stranger.sees(table)
        assert (shown["signed"], shown["imported"]) == (None, True), what
        assert shown["visibility"] in ("public", "unlisted"), what
        assert "signed" not in of(stranger, table), what
        assert "signed" not in stranger.events(table)[-1], what
        for path in ("/events", "/replay", "/replay?version=3", "/record", "/chat", "/moves"):
            assert ada.get(table.path + path).status_code == 200, (what, path)
        found = stranger.get(f"{table.path}/audit")
        assert found.status_code == 200, what
        wrong = [check["name"] for check in found.json["checks"] if not check["ok"]]
        assert (found.json["verdict"], found.json["signed"], "signatures" in wrong) == ("failed", None, True), what


def commands(store, tmp_path, monkeypatch):
    """Return the commands of this server, which signs as here.example with its own key."""
    monkeypatch.setattr("api.http.log_setup.set_up_logging", lambda *_: None)
    monkeypatch.setenv("DATABASE_URL", store.engine.url.render_as_string(hide_password=False))
    monkeypatch.setenv("DEALT_SERVER_NAME", "here.example")
    monkeypatch.setenv("DEALT_SIGNING_KEYS_FILE", str(tmp_path / "own keys.json"))
    keys.ensure(tmp_path / "own keys.json")
    return lambda *args: CliRunner().invoke(main, [*map(str, args)])


def in_our_name(path, ring):
    """Sign the record in the name of here.example."""
    given = json.loads(path.read_bytes())
    head = ring.sign(MATCH, given["match"]["id"], given["match"]["version"], given["match"]["head"])
    path.write_text(json.dumps({**given, "signed": vars_of(head)}))


@pytest.mark.long
def test_commands_distinguish_another_server_from_this_one(record, store, tmp_path, monkeypatch):
    dealt = commands(store, tmp_path, monkeypatch)
    path, table = record()
    in_our_name(path, keys.KeyRing("here.example", keys.add_new_key((), b"y" * 32, "2026-11-22T00:00:00.000Z")))
    refused = dealt("import", path)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "here.example is this server, and has no such key." in refused.stderr
    monkeypatch.setenv("DEALT_SERVER_NAME", "another.example")  # under which it is imported
    assert dealt("import", path).exit_code == 0
    assert dealt("audit", table["id"]).exit_code == 0
    monkeypatch.setenv("DEALT_SERVER_NAME", "here.example")
    for command in (("audit", table["id"]), ("audit", "--all", "--jobs", "1")):
        found = dealt(*command)
        assert found.exit_code == 1, command
        assert "here.example is this server, and has no such key." in found.output, command


def test_server_imports_its_own_record_and_knows_its_key(record, store, tmp_path, monkeypatch):
    dealt = commands(store, tmp_path, monkeypatch)
    path, table = record()
    in_our_name(path, keys.KeyRing("here.example", path=tmp_path / "own keys.json"))
    imported = dealt("import", "--json", path)
    audited = dealt("audit", "--json", table["id"])
    for done, report in ((imported, json.loads(imported.stdout)["report"]), (audited, json.loads(audited.stdout))):
        assert (done.exit_code, report["signed"]["known"]) == (0, True)


def test_local_player_with_an_imported_players_id_gets_no_seat(dealt, record, app, store):
    path, table = record()
    if not player_rows.read_identities(store, [ANN.player]):
        player_rows.add_player(store, ANN.player, "Mallory", hash_secret("token of Mallory"), 0)
    mallory = Client(app, "token of Mallory", ANN.player, "Mallory")
    dealt(path, "--unlisted")
    shown = mallory.sees(table)
    assert (shown["your_seat"], shown["your_seats"], "invites" in shown) == (None, [], False)
    assert shown["seats"][0]["player"]["id"] != ANN.player
    for asked in ("", "?player=me", f"?player={ANN.player}"):
        assert table["id"] not in [m["id"] for m in mallory.get(f"/v1/matches{asked}").json["items"]]
    assert mallory.get("/v1/inbox").json["items"] == []
    assert code(mallory.post(f"{table.path}/moves", {"name": "resign", "args": {}})) == (409, "match_over")
    assert code(mallory.put(f"{table.path}/seats/0", {})) == (409, "match_over")
    assert code(mallory.delete(table.path)) == (409, "match_over")
    assert code(mallory.get(f"{table.path}?seat=0")) == (403, "not_seated")


def test_import_command_reports_each_record_and_continues(dealt, record, tmp_path):
    good, table = record()
    running, _ = record(begun)
    shut, hidden = record(fairness_reveal="never")
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    result = dealt(broken, good, running, shut, good, tmp_path / "none.json")
    assert result.exit_code == 1
    version = json.loads(good.read_bytes())["match"]["version"]
    assert result.stdout == f"{good}: imported hearts {table['id']} ({version} events, public).\n"
    lines = result.stderr.splitlines()
    assert [line.partition(": not imported: ")[0] for line in lines] == [
        str(path) for path in (broken, running, shut, good, tmp_path / "none.json")
    ]
    for line, why in zip(
        lines, ("not a record", "playing", "partial", "already exists here", "No such file"), strict=True
    ):
        assert why in line
    result = dealt("--partial", "--json", "-", input=shut.read_bytes())
    assert result.exit_code == 0
    result = json.loads(result.stdout)
    assert (result["record"], result["imported"], result["match_id"]) == ("standard input", True, hidden["id"])
    assert result["shut"]
    assert result["report"]["verdict"] == "unverifiable"


def test_impossible_record_does_not_stop_other_imports(dealt, record):
    good, table = record(fairness_reveal="never")
    broken = good.with_name("broken.json")
    for name, x in (("hand_no", None), ("hand_no", {"a": 1}), ("dealer", "x")):
        forged = json.loads(good.read_bytes())
        forged["match"]["rules"] = forged["events"][0]["data"]["rules"] = "0"
        head = NO_EVENT
        for e in forged["events"]:
            e["data"] |= {name: x} if e["type"] == "HandStarted" else {}
            envelope = {name: e[name] for name in ("at", "cause", "commit", "seals", "seq", "type", "v")}
            public = {name: x for name, x in e["data"].items() if name not in e["seals"]}
            head = e["digest"] = digest(head, {**envelope, "data": public, "match": table["id"]})
        forged["match"]["head"] = head
        broken.write_text(json.dumps(forged))
        result = dealt("--partial", broken)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.count("\n") == 1
    result = dealt("--partial", broken, good)
    assert result.exit_code == 1
    assert f": imported hearts {table['id']} (" in result.stdout


def test_record_refused_by_the_database_does_not_stop_other_imports(dealt, record, store, monkeypatch):
    first, second = record(), record()
    write = type(store).import_matches

    def refuses(self, played):
        if played[0][0].match_id == first[1]["id"]:
            raise DataError("INSERT", {}, ValueError("out of range"))
        return write(self, played)

    monkeypatch.setattr(type(store), "import_matches", refuses)
    result = dealt(first[0], second[0])
    assert result.exit_code == 1
    assert "the database rejected it: ValueError." in result.stderr
    assert f": imported hearts {second[1]['id']} (" in result.stdout


def test_json_output_has_the_reason_of_a_refused_import(dealt, record):
    path, _ = record()
    text = path.read_text().replace('"trick_no":1,', '"trick_no":2,', 1)
    path.write_text(text)
    result = dealt("--json", path)
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert not found["imported"]
    assert found["detail"].startswith("Verification failed: chain at event")
    assert next(check["name"] for check in found["report"]["checks"] if not check["ok"]) == "chain"


def test_import_command_needs_a_database_with_the_schema(dealt, record, tmp_path, monkeypatch):
    path, _ = record()
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'new.sqlite3'}")
    result = dealt(path)
    assert result.exit_code == 1
    assert "dealt migrate" in result.stderr
