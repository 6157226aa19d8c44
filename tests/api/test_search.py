"""Tests searching for matches over HTTP: parameters, refusals and privacy."""

from base64 import urlsafe_b64encode

import pytest

from events.times import write_time
from tests.api.client import code

pytestmark = pytest.mark.both_databases


def found(client, query=""):
    response = client.get(f"/v1/matches?{query}")
    assert response.status_code == 200, response.json
    return [match["id"] for match in response.json["items"]]


def test_matches_are_found_by_their_options(ada, player):
    plain = ada.creates()
    other = ada.creates(options={"variant": "4-1-3-2", "target_score": 50, "nonce_commit": True})
    of = f"player={ada.id}&game=hearts"
    assert found(player(), f"{of}&variant=2-2-2-3") == [plain["id"]]
    for options in (
        "variant=4-1-3-2", "variant=202", "option=variant:4-1-3-2", "option=variant:202", "option=target_score:50",
        "option=nonce_commit:true", "option=variant_index:202",
        "option=target_score:50&option=nonce_commit:true&variant=202",
    ):  # fmt: skip
        assert found(player(), f"{of}&{options}") == [other["id"]]
    assert found(player(), f"{of}&variant=1-1-1-1") == []
    assert found(player(), f"{of}&option=target_score:50&option=nonce_commit:false") == []


def test_unset_option_is_found_as_null(ada):
    table = ada.creates(game="crazy_eights", seats=[{"kind": "me"}, {"kind": "bot"}], options={})
    limited = ada.creates(game="crazy_eights", seats=[{"kind": "me"}, {"kind": "bot"}], options={"draw_limit": 3})
    assert found(ada, "player=me&game=crazy_eights&option=draw_limit:null") == [table["id"]]
    assert found(ada, "player=me&game=crazy_eights&option=draw_limit:3") == [limited["id"]]


def test_matches_are_found_by_their_preset(ada):
    ada.creates()
    named = ada.creates(preset="seed")
    assert found(ada, "player=me&game=hearts&preset=seed") == [named["id"]]


def test_search_finds_matches_by_a_players_result(ada, ben, stranger):
    seats = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "bot"}] * 2]
    tables = [ada.creates(seats=seats, options={"on_resign": "end"}) for _ in range(2)]
    for table, loser in zip(tables, (ben, ada), strict=True):
        ben.put(f"{table.path}/seats/1")
        given_up = {"name": "resign", "args": {"whole_match": True}}
        assert loser.post(f"{table.path}/moves", given_up).status_code == 200
    of_first, of_second = (ada.sees(table)["result"]["winners"] for table in tables)
    assert (0 in of_first, 0 in of_second) == (True, False)
    assert found(stranger, f"player={ada.id}&result=lost") == [tables[1]["id"]]
    assert found(ada, f"player=me&result={'won' if of_first == [0] else 'shared'}") == [tables[0]["id"]]
    assert found(ada, f"player={ben.id}&result=lost") == [tables[0]["id"]]


def test_matches_are_found_by_creation_and_end_time(ada, clock, bots):
    ids, times = [], []

    def mine(query):  # there may be others in the same database
        items = ada.get(f"/v1/matches?game=hearts&status=finished&limit=100&{query}").json["items"]
        return {m["id"]: m["ended_at"] for m in items if m["id"] in ids}

    for _ in range(3):
        times.append(write_time(clock.at))
        table = ada.creates(alone=False, bots_only=True, short=True, visibility="private")
        ids.append(table["id"])
        clock.passes(60)
        bots(table)
        clock.passes(60)
    assert list(mine(f"created_after={times[1]}")) == [ids[2], ids[1]]
    assert list(mine(f"created_before={times[1]}&created_after={times[0]}")) == [ids[0]]
    first, _, last = reversed(mine(f"created_after={times[0]}").values())
    assert list(mine(f"ended_after={first}&ended_before={last}")) == [ids[1], ids[0]]
    assert list(mine(f"ended_after={last}&created_after={times[0]}")) == [ids[2]]


def test_player_is_named_by_handle(ada, ben, stranger):
    table = ada.creates()
    ben.creates()
    for name in (ada.handle, ada.handle.upper(), f"@{ada.handle}", ada.id):
        assert found(stranger, f"player={name}") == [table["id"]]


def test_handle_that_looks_like_an_id_needs_an_at_sign(ada, ben):
    table = ada.creates()
    assert ben.patch("/v1/players/me", {"handle": ada.id}).status_code == 200
    assert found(ben, f"player={ada.id}") == [table["id"]]
    assert found(ben, f"player=@{ada.id}") == []


def test_filter_takes_several_values(ada, ben):
    lobby, running = ada.creates(invited=True), ada.creates()
    other = ada.creates(game="trio", seats=[{"kind": "me"}, *[{"kind": "bot"}] * 2], options={})
    both = ada.creates(seats=[{"kind": "me"}, {"kind": "open"}, *[{"kind": "bot"}] * 2])
    assert ben.put(f"{both.path}/seats/1").status_code == 200
    mine = f"player={ada.handle}"
    assert found(ada, f"{mine}&game=trio&game=hearts&game=trio") == [t["id"] for t in (both, other, running, lobby)]
    assert found(ada, f"{mine}&game=hearts&status=lobby&status=finished") == [lobby["id"]]
    assert found(ada, f"{mine}&player={ben.handle}") == [both["id"]]


def test_mine_lists_only_matches_of_the_caller(ada, ben, stranger):
    seated, watched = ada.creates(), ben.creates()
    made = ada.creates(visibility="private", bots_only=True, short=True)
    handle = ben.get("/v1/players/me").json["handle"]
    assert found(ada, f"player={handle}") == [watched["id"]]
    assert found(ada, "mine=true") == [made["id"], seated["id"]]
    assert found(ada, "mine=true&status=playing&limit=1&game=hearts")
    assert code(stranger.get("/v1/matches?mine=true")) == (401, "unauthenticated")


def test_times_can_have_any_time_zone(ada):
    table = ada.creates()
    assert found(ada, "player=me&created_after=2000-01-01T00:00:00%2B02:00") == [table["id"]]
    assert found(ada, "player=me&created_before=2000-01-01T00:00:00-11:30") == []


@pytest.mark.parametrize(
    ("query", "field", "said"),
    [
        ("result=won", "result", "player"),
        ("player=me&result=drawn", "result", "Must be `won`, `lost` or `shared`"),
        ("player=nobody-here", "player", 'Must be the current handle of a player, not "nobody-here".'),
        ("player=a,b", "player.0", "Must be `me`, the handle"),
        ("player=me&player=00000000000000000000&result=won", "result", "exactly one `player`"),
        ("mine=yes", "mine", "Must be `true` or `false`"),
        ("status=lobby&status=over", "status.1", "Must be `lobby`"),
        ("status=lobby,playing", "status.0", "Must be `lobby`"),
        ("game=a&game=b&game=c&game=d&game=e", "game", "Must be a list of at most 4 items"),
        ("game=hearts&game=trio&preset=seed", "preset", "exactly one `game`"),
        ("variant=2-2-2-3", "variant", "game"),
        ("option=packs:2", "option", "game"),
        ("preset=seed", "preset", "game"),
        ("game=hearts&option=packs:2", "option", "target_score"),
        ("game=hearts&option=", "option", "name:value"),
        ("game=hearts&option=target_score", "option", "name:value"),
        ("game=hearts&option=target_score:x", "option", "target_score"),
        ("game=hearts&option=target_score:0", "option", "target_score"),
        ("game=hearts&option=nonce_commit:1", "option", "true or false"),
        ("game=hearts&option=target_score:50&option=target_score:60", "option", "once"),
        ("game=hearts&variant=5-1-1-1", "variant", "variant"),
        ("game=hearts&variant=2-2-2-3&option=variant:2-2-2-3", "variant", "once"),
        ("game=trio&variant=2-2-2-3", "variant", "mode"),
        ("game=hearts&preset=club", "preset", "seed"),
        ("created_after=yesterday", "created_after", "zone"),
        ("ended_before=2026-11-21T10:00:00", "ended_before", "zone"),
        ("created_before=2026-11-21", "created_before", "zone"),
        ("ended_after=2026-11-21T10:00:00+02:00", "ended_after", "zone"),
        ("variant=2-2-2-3&variant=2-2-2-3&game=hearts", "variant", "once"),
        ("opponent=me", "opponent", "Is unknown"),
        ("game=hearts&option=tie_break:%00", "option", "tie_break"),
    ],
)
def test_invalid_search_is_refused_with_the_fix(ada, query, field, said):
    refused = ada.get(f"/v1/matches?{query}")
    assert code(refused) == (422, "bad_arguments")
    assert said in " ".join(refused.json["errors"][field])


# --- What others do in private ----------------------------------------------------------------------------

SEARCHES = (
    "", "game=hearts", "game=hearts&variant=4-1-3-2", "status=finished", "player={ada}", "player={ada}&status=playing",
    "player={ada}&result=lost", "ended_after=2020-01-01T00:00:00Z", "created_after=2020-01-01T00:00:00Z&limit=1",
    "limit=2",
)  # fmt: skip


@pytest.mark.long
def test_private_matches_of_others_do_not_affect_a_search(ada, ben, stranger, bots, clock):
    for _ in range(3):
        ada.creates()
        clock.passes(1)

    def pages():
        queries = [query.format(ada=ada.id) for query in SEARCHES]
        return [client.get(f"/v1/matches?{query}").data for client in (ben, stranger) for query in queries]

    before = pages()
    for visibility in ("private", "unlisted"):
        ada.creates(visibility=visibility, options={"variant": "4-1-3-2"})
        bots(ada.creates(visibility=visibility, bots_only=True, short=True))
    assert pages() == before


def test_cursor_of_a_private_match_reveals_nothing(ada, ben):
    shown = ada.creates()
    private = ada.creates(private=True)
    at = ada.get("/v1/matches?player=me&limit=1").json["next"]
    assert at is not None
    answers = [
        ben.get(f"/v1/matches?player={ada.id}&cursor={cursor}").data
        for name in (private["id"], "0" * 20)
        for cursor in [urlsafe_b64encode(f"1790000000000.{name}".encode()).decode().rstrip("=")]
    ]
    assert answers[0] == answers[1]
    assert shown["id"] in found(ben, f"player={ada.id}")
