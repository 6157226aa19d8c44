"""Tests handles: one per player, unique regardless of case, and taken for good after a change or an erasure."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from events.handles import HANDLE, MOST, RESERVED, made_from
from events.store.schema.player_schema import handles, players
from tests.api.client import Client, code
from tests.factories import MatchBody, NewPlayer

pytestmark = pytest.mark.both_databases


@pytest.fixture
def free(stranger):
    """Return handles that were never used."""
    return lambda: made_from("free")


def renames(player, **wanted):
    return player.patch("/v1/players/me", wanted)


# --- Making a player --------------------------------------------------------------------------------------


def test_handle_can_be_chosen_at_registration(app, stranger, free):
    handle = free()
    made = stranger.post("/v1/players", NewPlayer(handle=handle)).json
    assert made["handle"] == handle
    assert Client(app, made["token"]).get("/v1/players/me").json["handle"] == handle


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("Ada Lovelace", "ada-lovelace-"),
        ("  Ödön!", "odon-"),
        ("阿达", "player-"),
        ("Admin", "player-"),
        ("--", "player-"),
        ("x" * 40, "x" * 23 + "-"),
        ("A", "a-"),
    ],
)
def test_default_handle_is_derived_from_the_name(name, beginning, stranger):
    handle = stranger.post("/v1/players", {"name": name}).json["handle"]
    assert re.fullmatch(re.escape(beginning) + "[0-9a-z]{6}", handle)
    assert re.fullmatch(HANDLE, handle)


def test_players_with_the_same_name_have_different_handles(stranger):
    made = [stranger.post("/v1/players", {"name": "Ada"}).json["handle"] for _ in range(3)]
    assert len(set(made)) == 3


def test_generated_handle_that_is_taken_is_generated_again(stranger, monkeypatch, free):
    first, second = free(), free()
    drawn = iter([first, first, second])
    monkeypatch.setattr("events.store.tables.handle_rows.made_from", lambda name: next(drawn))
    assert [stranger.post("/v1/players", {"name": "Ada"}).json["handle"] for _ in range(2)] == [first, second]


def test_generating_ends_when_every_drawn_handle_is_taken(stranger, player, monkeypatch, free):
    known = player(handle=free())
    monkeypatch.setattr("events.store.tables.handle_rows.made_from", lambda name: known.handle)
    assert code(stranger.post("/v1/players", {"name": "Ada"})) == (409, "handle_taken")


@pytest.mark.parametrize("change", [str, str.upper, str.title])
def test_handle_is_taken_regardless_of_case(change, stranger, player, free):
    known = player(handle=free())
    assert code(stranger.post("/v1/players", NewPlayer(handle=change(known.handle)))) == (409, "handle_taken")
    assert code(renames(player(), handle=change(known.handle))) == (409, "handle_taken")


def test_handle_is_converted_to_lower_case(stranger, free):
    handle = free()
    assert stranger.post("/v1/players", NewPlayer(handle=handle.upper())).json["handle"] == handle


@pytest.mark.parametrize(
    "handle",
    [
        *("ab", "a" * 31, "", " ada", "a da", "ada\n", "_ada", "-ada", "a.da", 7, None, ["ada"]),
        *("\u0430da", "\u212aada", "\u017fada", "ad\u0131", "a\u0301da", "ada\u200b"),
    ],
)
def test_invalid_handle_is_refused_even_if_its_lower_case_form_is_valid(handle, stranger, ada):
    refused = [stranger.post("/v1/players", {"name": "Ada", "handle": handle}), renames(ada, handle=handle)]
    assert {code(one) for one in refused} == {(422, "bad_arguments")}
    assert [list(one.json["errors"]) for one in refused] == [["handle"]] * 2


@pytest.mark.parametrize("handle", sorted(RESERVED))
def test_reserved_words_cannot_be_handles(handle, ada):
    assert re.fullmatch(HANDLE, handle)
    assert code(renames(ada, handle=handle)) == (409, "handle_taken")


def test_only_one_of_many_concurrent_requests_gets_a_handle(app, stranger, player, free):
    handle, clients = free(), [player() for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        changed = [pool.submit(renames, client, handle=handle) for client in clients]
        made = [pool.submit(Client(app).post, "/v1/players", NewPlayer(handle=handle)) for _ in range(4)]
        answers = [one.result() for one in (*changed, *made)]
    assert sorted(one.status_code // 100 for one in answers) == [2] + [4] * 7
    assert {code(one) for one in answers if one.status_code >= 400} == {(409, "handle_taken")}


# --- Changing ---------------------------------------------------------------------------------------------


def test_name_and_handle_can_be_changed_separately_or_together(ada, free):
    handle, other = free(), free()
    assert renames(ada, name=" Ada L. ").json["name"] == "Ada L."
    changed = renames(ada, handle=handle).json
    assert (changed["name"], changed["handle"]) == ("Ada L.", handle)
    assert renames(ada, name="A", handle=other).json == ada.get("/v1/players/me").json
    assert renames(ada).json["handle"] == other


@pytest.mark.parametrize("wanted", [{"name": ""}, {"name": "a\u202eb"}, {"name": None}, {"id": "x"}, {"token": "x"}])
def test_other_changes_are_refused(wanted, ada):
    assert code(ada.patch("/v1/players/me", wanted)) == (422, "bad_arguments")


def test_anonymous_caller_cannot_change_a_player(stranger):
    assert code(renames(stranger, name="Ada")) == (401, "unauthenticated")


def test_former_handle_is_available_to_no_other_player(ada, ben, stranger, free):
    first, second = free(), free()
    assert renames(ada, handle=first).status_code == 200
    assert renames(ada, handle=second).status_code == 200
    assert code(renames(ben, handle=first)) == (409, "handle_taken")
    assert code(stranger.get(f"/v1/players/{first}")) == (404, "not_found")
    assert renames(ada, handle=first).json["handle"] == first


def test_refused_handle_changes_nothing(ada, ben, free):
    assert code(renames(ada, name="Other", handle=ben.handle)) == (409, "handle_taken")
    assert (ada.get("/v1/players/me").json["name"], ada.get("/v1/players/me").json["handle"]) == ("Ada", ada.handle)


def test_number_of_handles_per_player_is_limited(ada, ben, free):
    """The first handle comes with registration, the others are chosen."""
    wanted = [free() for _ in range(MOST)]
    answers = [renames(ada, handle=handle) for handle in wanted]
    assert [one.status_code for one in answers] == [200] * (MOST - 1) + [409]
    assert answers[-1].json["code"] == "too_many_handles"
    assert renames(ada, handle=wanted[0]).status_code == 200
    assert renames(ben, handle=wanted[-1]).status_code == 200


def test_many_concurrent_changes_respect_the_handle_limit(app, ada, free):
    wanted = [free() for _ in range(MOST + 3)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda handle: renames(Client(app, ada.token), handle=handle), wanted))
    kept = select(handles.c.handle_hash).where(handles.c.player_id == ada.id)
    assert len(app.extensions["dealt"].store.read(kept)) == MOST


# --- Where it is shown ------------------------------------------------------------------------------------


def test_profile_by_handle_has_no_private_data(ada, stranger):
    for written in (ada.handle, ada.handle.upper()):
        found = stranger.get(f"/v1/players/{written}").json
        reliability = found.pop("reliability")
        assert found == {"id": ada.id, "name": "Ada", "handle": ada.handle, "listed": True}
        assert set(reliability.values()) == {0}


@pytest.mark.parametrize("handle", ["no-such-player", "a", "%20", "%E2%84%AAa", "x" * 300, "%00", "a%27--"])
def test_unknown_player_is_not_found(handle, stranger):
    assert code(stranger.get(f"/v1/players/{handle}")) == (404, "not_found")


def test_id_is_not_accepted_as_a_handle(ada, stranger):
    assert code(stranger.get(f"/v1/players/{ada.id}")) == (404, "not_found")


def test_seats_lists_and_chat_show_handles(full_table, stranger):
    table, seated = full_table()
    shown = [player.handle for player in seated]
    assert [seat["player"]["handle"] for seat in stranger.get(table.path).json["seats"]] == shown
    listed = stranger.get("/v1/matches?limit=100").json["items"]
    (mine,) = [match for match in listed if match["id"] == table["id"]]
    assert [seat["player"]["handle"] for seat in mine["seats"]] == shown
    said = seated[1].post(f"{table.path}/chat", {"text": "Good luck!"}).json
    assert said["player"] == {"id": seated[1].id, "name": seated[1].name, "handle": shown[1]}


def test_the_players_of_all_seats_are_read_in_one_query(full_table, monkeypatch):
    table, seated = full_table()
    store, asked = seated[0].app.extensions["dealt"].store, []
    read = store.read
    monkeypatch.setattr(store, "read", lambda query, **values: asked.append(str(query)) or read(query, **values))
    seated[0].sees(table)
    assert len([query for query in asked if "players.player_id IN" in query]) == 1


# --- Being forgotten --------------------------------------------------------------------------------------


def test_handles_of_an_erased_player_are_deleted_but_stay_taken(ada, ben, stranger, store, free):
    first, second = free(), free()
    for handle in (first, second):
        assert renames(ada, handle=handle).status_code == 200
    table = ada.creates(**MatchBody())
    assert ada.delete("/v1/players/me").status_code == 204
    assert code(stranger.get(f"/v1/players/{second}")) == (404, "not_found")
    assert ben.sees(table)["seats"][0]["player"] == {"id": ada.id, "name": None, "handle": None}
    for handle in (ada.handle, first, second):
        assert code(renames(ben, handle=handle)) == (409, "handle_taken")
    assert store.read(select(players.c.handle).where(players.c.player_id == ada.id)) == [(None,)]
    assert store.read(select(handles).where(handles.c.player_id == ada.id)) == []
