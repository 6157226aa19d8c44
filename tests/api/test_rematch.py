"""Tests that a match has one rematch, however often it is requested, with rotated seats reserved for the same
players."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.client import Client, Table, code


@pytest.fixture
def finished(ada, ben, bots):
    """Return a match that Ada and Ben have finished against two bots."""

    def made(**traits):
        seats = [{"kind": "me"}, {"kind": "invite"}, {"kind": "bot", "level": "easy"}, {"kind": "bot"}]
        table = ada.creates(seats=seats, options={"on_resign": "end"}, **traits)
        invite = {"invite": table["invites"][0]["invite"]}
        assert ben.put(f"{table.path}/seats/1", invite).status_code == 200
        assert ada.plays(table, {"name": "resign", "args": {}}).status_code == 200
        assert ada.sees(table)["status"] == "finished"
        return table

    return made


def rematch(player, table, **kwargs):
    return player.post(f"{table.path}/rematch", **kwargs)


def test_first_request_creates_the_rematch_with_seats_rotated_by_one(ada, ben, finished):
    table = finished(clock={"per_decision_seconds": 60}, visibility="unlisted")
    made = rematch(ben, table)
    assert made.status_code == 201
    assert made.headers["Location"] == f"/v1/matches/{made.json['id']}"
    assert [(s["kind"], s["level"]) for s in made.json["seats"]] == [
        ("bot", "steady"), ("invite", None), ("player", None), ("bot", "easy"),
    ]  # fmt: skip
    assert made.json["seats"][1]["player"]["id"] == ada.id
    assert made.json["seats"][2]["player"]["id"] == ben.id
    same = ("game", "options", "clock", "series", "visibility", "preset")
    assert [made.json[name] for name in same] == [ada.sees(table)[name] for name in same]


def test_other_players_get_the_same_rematch(ada, ben, finished):
    table = finished()
    first, second, third = (rematch(player, table) for player in (ada, ben, ada))
    assert [answer.status_code for answer in (first, second, third)] == [201, 200, 200]
    assert len({answer.json["id"] for answer in (first, second, third)}) == 1


def test_concurrent_rematch_requests_create_one(ada, ben, finished):
    table = finished()

    def ask(i):
        player = (ada, ben)[i % 2]
        return rematch(Client(ada.app, player.token), table)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(ask, range(6)))
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert len({answer.json["id"] for answer in answers}) == 1


def test_repeated_request_returns_the_first_answer(ada, ben, finished):
    table, key = finished(), {"headers": {"Idempotency-Key": "k"}}
    for player, status in ((ada, 201), (ben, 200)):
        first, again = rematch(player, table, **key), rematch(player, table, **key)
        assert (first.status_code, again.status_code) == (status, status)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.json["id"] == first.json["id"]


def test_rematch_needs_a_finished_match_and_one_of_its_players(ada, ben, stranger, finished):
    table = finished()
    assert code(rematch(stranger, table)) == (401, "unauthenticated")
    playing = ada.creates()
    assert code(rematch(ada, playing)) == (409, "wrong_phase")
    assert code(rematch(ben, playing)) == (403, "not_seated")
    assert code(rematch(ben, ada.creates(private=True))) == (404, "not_found")
    assert code(rematch(ada, table, json={"seats": []})) == (422, "bad_arguments")


def test_rematch_seat_is_reserved_and_taken_without_a_code(ada, ben, player, finished):
    table = finished(visibility="private")
    again = Table(rematch(ada, table).json)
    assert again["invites"] == []
    eve = player()
    assert code(eve.get(again.path)) == (404, "not_found")
    assert code(eve.put(f"{again.path}/seats/2")) == (404, "not_found")
    assert ben.sees(again)["status"] == "lobby"
    assert code(ben.put(f"{again.path}/seats/1")) == (409, "seat_taken")
    assert ben.put(f"{again.path}/seats/2").json["status"] == "playing"


def test_rematch_seat_in_a_public_lobby_is_reserved(ada, ben, player, finished):
    again = Table(rematch(ada, finished()).json)
    assert code(player().put(f"{again.path}/seats/2")) == (403, "bad_invite")


def test_player_may_leave_and_find_the_rematch_seat_reserved(ada, ben, full_table):
    table, players = full_table(options={"on_resign": "end"})
    players[0].plays(table, {"name": "resign", "args": {}})
    again = Table(rematch(players[0], table).json)
    seat = next(s["seat"] for s in again["seats"] if s["player"]["id"] == players[1].id)
    assert players[1].put(f"{again.path}/seats/{seat}").status_code == 200
    assert players[1].delete(f"{again.path}/seats/{seat}").status_code == 204
    shown = players[1].sees(again)["seats"][seat]
    assert (shown["kind"], shown["player"]["id"]) == ("invite", players[1].id)


def test_finished_match_shows_its_rematch(ada, ben, player, finished):
    table = finished()
    assert ada.sees(table)["rematch"] is None
    again = rematch(ada, table).json["id"]
    assert {p.sees(table)["rematch"] for p in (ada, ben, player())} == {again}


def test_rematch_is_hidden_from_readers_without_access(ada, ben, finished, player):
    table = finished(visibility="private")
    again = Table(rematch(ada, table).json)
    assert ben.sees(table)["rematch"] == again["id"]
    third = player()
    assert code(third.get(again.path)) == (404, "not_found")
    assert code(third.get(table.path)) == (404, "not_found")


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("gone", ["cancelled", "expired"])
def test_cancelled_rematch_allows_another(gone, visibility, ada, ben, finished, clock, app):
    table, given_up = finished(visibility=visibility), []
    for n in range(5):
        first, other = (ada, ben) if n % 2 else (ben, ada)
        made = rematch(first, table)
        assert made.status_code == 201
        given_up.append(made.json["id"])
        again = Table(made.json)
        assert rematch(other, table).json["id"] == again["id"]
        assert ada.sees(table)["rematch"] == again["id"]
        if gone == "cancelled":
            assert first.delete(again.path).status_code == 204
        else:
            clock.passes(31 * 86_400)
            app.extensions["dealt"].context.settle(again["id"])
        assert other.sees(again)["status"] == gone
        assert ada.sees(table)["rematch"] is None
    assert len(set(given_up)) == 5


def test_played_rematch_is_the_only_one(ada, ben, finished):
    table = finished()
    again = Table(rematch(ada, table).json)
    ben.put(f"{again.path}/seats/2")
    ada.plays(again, {"name": "resign", "args": {}})
    assert ada.sees(again)["status"] == "finished"
    assert rematch(ben, table).json["id"] == again["id"]


def test_requester_finds_a_reserved_rematch_seat(ada, ben, player, finished):
    again = Table(rematch(ada, finished()).json)
    assert ada.delete(f"{again.path}/seats/1").status_code == 204
    assert (ada.sees(again)["seats"][1]["kind"], ada.sees(again)["seats"][1]["player"]["id"]) == (
        "invite",
        ada.id,
    )
    for other in (player(), ben):
        assert code(other.put(f"{again.path}/seats/1")) == (403, "bad_invite")
    assert ada.put(f"{again.path}/seats/1").status_code == 200


def test_rematch_is_in_the_inboxes_of_the_other_players(ada, ben, finished):
    again = Table(rematch(ada, finished()).json)
    (item,) = ben.get("/v1/inbox").json["items"]
    assert (item["kind"], item["match"], item["seat"]) == ("invitation", again["id"], 2)
    assert ada.get("/v1/inbox").json["items"] == []
    ben.put(f"{again.path}/seats/2")
    assert {item["kind"] for item in ben.get("/v1/inbox").json["items"]} <= {"turn"}
