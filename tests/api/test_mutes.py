"""Tests muted players: their messages are hidden from the player who muted them, and nothing else changes."""

import pytest
from sqlalchemy import select

from events.store.schema.player_schema import mutes
from events.store.tables import block_rows
from tests.api.client import code
from tests.api.test_chat import chat, says, stream, table, texts  # noqa: F401 -- a fixture
from tests.api.test_events import parsed

MUTES = "/v1/players/me/mutes"


def mute(player, other):
    assert player.put(f"{MUTES}/{other.handle}").status_code == 204


def muted_by(player):
    return [one["player"]["handle"] for one in player.get(MUTES).json["items"]]


def test_players_see_only_their_own_mutes(ada, ben):
    mute(ada, ben)
    mute(ada, ben)
    assert (muted_by(ada), muted_by(ben)) == ([ben.handle], [])


def test_unknown_players_and_the_caller_cannot_be_muted(ada):
    assert code(ada.put(f"{MUTES}/nobody-here")) == (404, "not_found")
    assert code(ada.delete(f"{MUTES}/nobody-here")) == (404, "not_found")
    assert code(ada.put(f"{MUTES}/{ada.handle}")) == (409, "cannot_mute_yourself")


def test_number_of_mutes_is_limited(ada, ben, player, monkeypatch):
    monkeypatch.setattr(block_rows, "MOST_LISTED", 1)
    mute(ada, ben)
    assert code(ada.put(f"{MUTES}/{player().handle}")) == (409, "too_many_mutes")
    mute(ada, ben)


def test_messages_of_a_muted_player_are_hidden_only_from_the_player_who_muted_them(ada, ben, table):  # noqa: F811
    no = says(ben, table, "Hurry up").json["no"]
    mute(ada, ben)
    assert (texts(ada, table)[no], texts(ben, table)[no]) == (None, "Hurry up")
    (one,) = chat(ada, table)["items"]
    assert (one["muted"], one["blocked"]) == (True, False)
    assert ada.delete(f"{MUTES}/{ben.handle}").status_code == 204
    assert texts(ada, table)[no] == "Hurry up"


def test_stream_hides_messages_of_muted_players(ada, ben, table):  # noqa: F811
    says(ben, table, "Hurry up")
    mute(ada, ben)
    heard = stream(ada, table, buffered=False)
    chunk = next(chunk for chunk in heard.response if not chunk.startswith(b":"))
    heard.close()
    assert [data["text"] for _, _, data in parsed(chunk.decode())] == [None]


def test_muted_players_can_sit_at_the_same_table(ada, ben):
    mute(ada, ben)
    made = ada.creates(open_table=True)
    assert ben.put(f"{made.path}/seats/1").status_code == 200


@pytest.mark.both_databases
def test_erasing_a_player_deletes_mutes_by_and_against_the_player(ada, ben, player, store):
    cleo = player()
    mute(ada, ben)
    mute(ben, cleo)
    mute(cleo, ada)
    assert ben.delete("/v1/players/me").status_code == 204
    left = [tuple(row) for row in store.read(select(mutes.c.player_id, mutes.c.muted_id))]
    assert [row for row in left if ben.id in row] == []
    assert (cleo.id, ada.id) in left
