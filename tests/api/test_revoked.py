"""Tests that a revoked token gives access to nothing. Streams end, and waiting requests are refused."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.client import Client, code, waits


def rotate(player):
    player.token = player.post("/v1/players/me/token").json["token"]


def erase(player):
    assert player.delete("/v1/players/me").status_code == 204


@pytest.fixture(params=[rotate, erase])
def revoke(request):
    return request.param


def news(table, players):
    """Cause events in the inbox of the first player, at the player's table, and in its chat."""
    assert players[1].post(f"{table.path}/chat", {"text": "a secret"}).status_code == 201
    for player in players[1:]:
        assert player.plays(table).status_code == 200
    while seats := [seat for seat in players[1].sees(table)["to_act"] if seat]:
        assert players[seats[0]].plays(table).status_code == 200


WHERE = ("inbox", "events", "chat")


def path_of(where, table):
    return "/v1/inbox" if where == "inbox" else f"{table.path}/{where}"


@pytest.mark.parametrize("where", WHERE)
def test_stream_of_a_revoked_token_ends_before_the_next_message(revoke, where, full_table):
    table, players = full_table()
    assert players[0].plays(table).status_code == 200
    listener = Client(players[0].app, players[0].token)
    stream = listener.get(path_of(where, table), headers={"Accept": "text/event-stream"}, buffered=False).response
    began = [next(stream)]
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(lambda: [*began, *stream])
        waits(players[0].app)
        assert not received.done()
        revoke(players[0])
        players[0].app.extensions["dealt"].poller.hurry()
        news(table, players)
        try:
            text = b"".join(received.result(timeout=60)).decode()
        finally:
            players[0].app.extensions["dealt"].poller.close()
    assert "a secret" not in text
    if where == "events":
        assert text.count("event: PassChosen") == 1
    if where == "inbox":
        assert text.count("event: ") == 1


@pytest.mark.parametrize("where", WHERE)
def test_waiting_request_with_a_revoked_token_is_refused_at_the_next_event(revoke, where, full_table):
    table, players = full_table()
    assert players[0].plays(table).status_code == 200
    listener = Client(players[0].app, players[0].token)
    path = path_of(where, table)
    after = {"events": f"?wait=20&after={players[0].sees(table)['version']}"}.get(where, "?wait=20")
    known = {"If-None-Match": players[0].get(path).headers.get("ETag", "")} if where == "inbox" else {}
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(listener.get, path + after, headers=known)
        waits(listener.app)
        assert not waiting.done()
        revoke(players[0])
        news(table, players)
        assert code(waiting.result(timeout=60)) == (401, "unauthenticated")


@pytest.mark.parametrize("where", ["events"])
def test_anonymous_reader_continues_to_read(where, full_table, stranger):
    table, players = full_table()
    after = players[0].sees(table)["version"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(stranger.get, f"{table.path}/{where}?wait=20&after={after}")
        waits(stranger.app)
        news(table, players)
        assert waiting.result(timeout=60).json["items"]
