"""Tests players' private notes about a match."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.client import Client, Table, code


@pytest.fixture
def table(ada, ben):
    """Return a match that Ada created and watches, and in which Ben plays."""
    made = ada.creates(seats=[{"kind": "open"}, *[{"kind": "bot"}] * 3])
    assert ben.put(f"{made.path}/seats/0").status_code == 200
    return made


def notes(client, table, **kwargs):
    return client.get(f"{table.path}/notes", **kwargs)


def writes(client, table, text, **headers):
    return client.put(f"{table.path}/notes", {"text": text}, headers=headers)


def deletes(client, table, **headers):
    return client.delete(f"{table.path}/notes", headers=headers)


def test_player_reads_their_own_notes(ben, table, clock):
    assert code(notes(ben, table)) == (404, "not_found")
    first = writes(ben, table, "West has no clubs")
    assert first.json["text"] == "West has no clubs"
    assert notes(ben, table).json == first.json
    clock.passes(60)
    second = writes(ben, table, "\tNor has\r\nEast\n")
    assert second.json["text"] == "Nor has\nEast"
    assert second.json["written_at"] > first.json["written_at"]
    assert deletes(ben, table).status_code == 204
    assert deletes(ben, table).status_code == 204
    assert code(notes(ben, table)) == (404, "not_found")


def test_notes_are_private_even_from_the_creator(ada, ben, stranger, table):
    assert not ben.sees(table)["your_notes"]
    writes(ben, table, "secret")
    assert [one.sees(table)["your_notes"] for one in (ada, ben, stranger)] == [False, True, False]
    assert code(notes(ada, table)) == (404, "not_found")
    assert code(notes(stranger, table)) == (401, "unauthenticated")
    writes(ada, table, "I watch")
    assert deletes(ada, table).status_code == 204
    assert notes(ben, table).json["text"] == "secret"


def test_notes_on_a_private_match_require_read_access(ben, ada):
    private = ada.creates(private=True)
    for there in (private, Table(id="0" * 20), Table(id="x")):
        for refused in (notes(ben, there), writes(ben, there, "x"), deletes(ben, there)):
            assert code(refused) == (404, "not_found")


def test_notes_stay_readable_after_losing_access_to_the_match(ada, ben):
    table = ada.creates(private=True, invited=True)
    ben.put(f"{table.path}/seats/1", {"invite": table["invites"][0]["invite"]})
    writes(ben, table, "mine")
    ben.delete(f"{table.path}/seats/1")
    assert code(ben.get(table.path)) == (404, "not_found")
    assert notes(ben, table).json["text"] == "mine"
    assert deletes(ben, table).status_code == 204
    assert code(notes(ben, table)) == (404, "not_found")


def test_unchanged_notes_are_not_sent_again(ben, table):
    tag = writes(ben, table, "a").headers["ETag"]
    assert notes(ben, table, headers={"If-None-Match": tag}).status_code == 304
    writes(ben, table, "b")
    assert notes(ben, table, headers={"If-None-Match": tag}).json["text"] == "b"


def test_concurrent_change_from_another_device_is_not_lost(ben, table):
    tag = writes(ben, table, "a").headers["ETag"]
    assert writes(ben, table, "from the telephone").status_code == 200
    for refused in (writes(ben, table, "b", **{"If-Match": tag}), deletes(ben, table, **{"If-Match": tag})):
        assert code(refused) == (412, "notes_changed")
    assert notes(ben, table).json["text"] == "from the telephone"
    tag = notes(ben, table).headers["ETag"]
    assert writes(ben, table, "b", **{"If-Match": tag}).status_code == 200
    assert deletes(ben, table, **{"If-Match": "*"}).status_code == 204


def test_conditional_requests_work_before_there_are_notes(ben, table):
    for tag in ('"61"', "*"):
        assert code(writes(ben, table, "a", **{"If-Match": tag})) == (412, "notes_changed")
    assert writes(ben, table, "a", **{"If-None-Match": "*"}).status_code == 200
    assert code(writes(ben, table, "b", **{"If-None-Match": "*"})) == (412, "notes_changed")
    assert notes(ben, table).json["text"] == "a"


def test_one_of_many_concurrent_changes_of_notes_succeeds(ben, table):
    tag = writes(ben, table, "a").headers["ETag"]
    clients = [Client(ben.app, ben.token) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda n: writes(clients[n], table, f"b{n}", **{"If-Match": tag}), range(4)))
    assert sorted(response.status_code for response in made) == [200, 412, 412, 412]


@pytest.mark.parametrize(
    "body",
    [{}, {"text": ""}, {"text": "\n"}, {"text": "x" * 10_001}, {"text": 1}, {"text": "a\x00"}, {"text": "a\x07b"},
     {"text": "x", "match": "y"}],
)  # fmt: skip
def test_invalid_notes_are_refused(ben, table, body):
    writes(ben, table, "kept")
    assert code(ben.put(f"{table.path}/notes", body)) == (422, "bad_arguments")
    assert notes(ben, table).json["text"] == "kept"


@pytest.mark.both_databases
@pytest.mark.parametrize("text", ["x" * 10_000, "𝄞" * 10_000, "a\tb\nc", "<script>alert(1)</script>"])
def test_notes_are_stored_unchanged(ben, table, text):
    body, headers = (
        json.dumps({"text": text}, ensure_ascii=False).encode(),
        {"Content-Type": "application/json"},
    )
    assert ben.put(f"{table.path}/notes", data=body, headers=headers).json["text"] == text


def test_erasing_a_player_deletes_their_notes(ben, table, store):
    writes(ben, table, "secret")
    ben.delete("/v1/players/me")
    assert code(notes(ben, table)) == (401, "unauthenticated")
    assert not store.engine.connect().exec_driver_sql(f"SELECT * FROM notes WHERE player_id = '{ben.id}'").all()
