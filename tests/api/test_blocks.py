"""Tests that blocked players cannot join, write to or trade with the player who blocked them."""

import pytest
from sqlalchemy import select

from events.store.schema.player_schema import blocks
from events.store.tables import block_rows
from tests.api.client import code
from tests.api.test_chat import says, stream, table, texts  # noqa: F401 -- a fixture
from tests.api.test_collections import SUN, TIDE, collector, offers, opens, tradable  # noqa: F401 -- fixtures
from tests.api.test_events import parsed

BLOCKS = "/v1/players/me/blocks"


def block(player, other):
    assert player.put(f"{BLOCKS}/{other.handle}").status_code == 204


def unblock(player, other):
    assert player.delete(f"{BLOCKS}/{other.handle}").status_code == 204


def blocked_by(player):
    return [one["player"]["handle"] for one in player.get(BLOCKS).json["items"]]


# --- The list ---------------------------------------------------------------------------------------------


def test_players_see_only_their_own_blocks(ada, ben, clock):
    block(ada, ben)
    assert blocked_by(ada) == [ben.handle]
    assert blocked_by(ben) == []


def test_blocking_twice_changes_nothing(ada, ben, clock):
    block(ada, ben)
    first = ada.get(BLOCKS).json
    clock.passes(1)
    block(ada, ben)
    assert ada.get(BLOCKS).json == first
    unblock(ada, ben)
    unblock(ada, ben)
    assert blocked_by(ada) == []


def test_a_block_follows_a_player_to_another_handle(ada, ben):
    block(ada, ben)
    assert ben.patch("/v1/players/me", {"handle": "somebody-else"}).status_code == 200
    assert blocked_by(ada) == ["somebody-else"]
    assert ada.delete(f"{BLOCKS}/Somebody-Else").status_code == 204
    assert blocked_by(ada) == []


def test_unknown_players_and_the_caller_cannot_be_blocked(ada):
    assert code(ada.put(f"{BLOCKS}/nobody-here")) == (404, "not_found")
    assert code(ada.delete(f"{BLOCKS}/nobody-here")) == (404, "not_found")
    assert code(ada.put(f"{BLOCKS}/{ada.handle}")) == (409, "cannot_block_yourself")


def test_the_number_of_blocks_is_limited(ada, ben, player, monkeypatch):
    monkeypatch.setattr(block_rows, "MOST_LISTED", 1)
    block(ada, ben)
    assert code(ada.put(f"{BLOCKS}/{player().handle}")) == (409, "too_many_blocks")
    block(ada, ben)
    assert blocked_by(ada) == [ben.handle]


def test_erasing_a_player_deletes_blocks_by_and_against_the_player(ada, ben, player, store):
    cleo = player()
    block(ada, ben)
    block(ben, cleo)
    block(cleo, ada)
    assert ben.delete("/v1/players/me").status_code == 204
    left = store.read(select(blocks.c.player_id, blocks.c.blocked_id))
    assert [row for row in left if ben.id in row] == []
    assert (cleo.id, ada.id) in left


# --- Tables -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_host", [True, False])
def test_blocking_keeps_both_players_from_joining_each_others_tables(ada, ben, player, is_host):
    made = ada.creates(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}, {"kind": "bot"}])
    one, other = (ada, ben) if is_host else (ben, ada)
    block(one, other)
    assert code(ben.put(f"{made.path}/seats/1")) == (403, "player_blocked")
    assert ada.sees(made)["seats"][1]["player"] is None
    assert player().put(f"{made.path}/seats/1").status_code == 200
    unblock(one, other)
    assert ben.put(f"{made.path}/seats/2").status_code == 200


@pytest.mark.parametrize("is_host", [True, False])
def test_blocking_applies_to_tables_created_without_a_seat(ada, ben, is_host):
    made = ada.creates(seats=[{"kind": "open"}, {"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}])
    block(*((ada, ben) if is_host else (ben, ada)))
    assert code(ben.put(f"{made.path}/seats/1")) == (403, "player_blocked")


def test_refusal_for_another_reason_does_not_reveal_a_block(ada, ben, player):
    stranger = player()
    block(ada, ben)
    begun = ada.creates(seats=[{"kind": "me"}, *[{"kind": "bot"}] * 3])
    invited = ada.creates(seats=[{"kind": "me"}, {"kind": "invite"}, {"kind": "bot"}, {"kind": "bot"}])
    seats = [(begun, 0), (begun, 1), (invited, 0), (invited, 1), (invited, 2)]
    asked = [[code(one.put(f"{made.path}/seats/{seat}")) for made, seat in seats] for one in (ben, stranger)]
    assert asked[0] == asked[1]


def test_an_organiser_cannot_invite_a_player_who_blocks_them(ada, ben, player):
    cleo = player()
    made = ben.post("/v1/tournaments", {"name": "Evening", "game": "crazy_eights", "format": "swiss"}).json
    block(ada, ben)
    path = f"/v1/tournaments/{made['id']}"
    assert code(ben.post(f"{path}/invites", {"players": [cleo.handle, ada.handle]})) == (403, "player_blocked")
    assert ben.post(f"{path}/invites", {"players": [cleo.handle]}).status_code == 200


def test_an_invite_code_does_not_admit_a_blocked_player(ada, ben):
    made = ada.creates(seats=[{"kind": "me"}, {"kind": "invite"}, {"kind": "bot"}, {"kind": "bot"}])
    block(ada, ben)
    invite = ada.sees(made)["invites"][0]["invite"]
    assert code(ben.put(f"{made.path}/seats/1", {"invite": invite})) == (403, "player_blocked")


def test_blocked_player_keeps_a_seat_taken_before_the_block(ada, ben):
    made = ada.creates(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}, {"kind": "bot"}])
    assert ben.put(f"{made.path}/seats/1").status_code == 200
    block(ada, ben)
    assert ben.put(f"{made.path}/seats/1", {"nonce": "5d41402abc4b2a76"}).status_code == 200


def test_blocked_player_cannot_get_a_rematch(ada, ben):
    made = ada.creates(seats=[{"kind": "me"}, {"kind": "open"}], game="crazy_eights", options={"on_resign": "end"})
    assert ben.put(f"{made.path}/seats/1").status_code == 200
    assert ada.plays(made, {"name": "resign", "args": {}}).status_code == 200
    block(ada, ben)
    assert code(ben.post(f"{made.path}/rematch")) == (403, "player_blocked")


# --- Chat -------------------------------------------------------------------------------------------------


def test_messages_of_a_blocked_player_have_no_text(ada, ben, table):  # noqa: F811
    says(ben, table, "You play like a bot.")
    block(ada, ben)
    says(ben, table, "Answer me!")
    says(ada, table, "Good game.")
    assert texts(ada, table) == {1: None, 2: None, 3: "Good game."}
    heard = stream(ada, table, buffered=False)
    chunks = (chunk for chunk in heard.response if not chunk.startswith(b":"))
    streamed = [data for _ in range(3) for _, _, data in parsed(next(chunks).decode())]
    heard.close()
    assert [(data["blocked"], data["text"]) for data in streamed] == [(True, None), (True, None), (False, "Good game.")]
    assert texts(ben, table) == {1: "You play like a bot.", 2: "Answer me!", 3: "Good game."}
    unblock(ada, ben)
    assert texts(ada, table) == {1: "You play like a bot.", 2: "Answer me!", 3: "Good game."}


# --- Trades -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_giver", [True, False])
def test_blocking_ends_trade_offers_between_two_players_and_prevents_new_ones(collector, is_giver):  # noqa: F811
    ada, ben, cleo = collector(name="Ada"), collector(name="Ben"), collector(name="Cleo")
    offers(ada, ben, [(SUN, 1)])
    offers(ben, ada, [(TIDE, 1)])
    kept = offers(ada, cleo, [(SUN, 1)]).json
    one, other = (ada, ben) if is_giver else (ben, ada)
    block(one, other)
    assert [trade["id"] for trade in ada.get("/v1/collection/trades").json["items"]] == [kept["id"]]
    assert ben.get("/v1/collection/trades").json["items"] == []
    assert code(offers(ada, ben, [(SUN, 1)])) == (403, "player_blocked")
    assert code(offers(ben, ada, [(TIDE, 1)])) == (403, "player_blocked")
