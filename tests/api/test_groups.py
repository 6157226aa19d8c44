"""Tests duplicate groups and replayed deals over HTTP."""

import pytest

from events.store.tables import pending_rows
from tests.api.client import Table, code

BOT = {"kind": "bot", "level": "random"}
RESIGN = {"name": "resign", "args": {"whole_match": True}}


def asked(*firsts, **more):
    tables = [[{"kind": kind}, BOT] for kind in firsts]
    return {"game": "crazy_eights", "tables": tables, **more}


@pytest.fixture
def work(app, clock, bots):
    """Do all due work."""
    here = app.extensions["dealt"]

    def work():
        while claimed := pending_rows.claim_due(here.store, clock(), 100):
            for due in claimed:
                if due.kind == "bot":
                    bots({"id": due.match_id})
                else:
                    here.context.settle(due.match_id)

    return work


@pytest.fixture
def on(ada, ben, work):
    """Return a running group of two tables: its address, and the tables of Ada and Ben."""
    made = ada.post("/v1/deal-groups", asked("me", "open"))
    assert made.status_code == 201
    one, two = (Table({"id": t["match"]}) for t in made.json["tables"])
    assert ben.put(f"{two.path}/seats/0").status_code == 200
    work()
    return made.headers["Location"], one, two


def test_a_group_begins_when_all_tables_are_full(ada, ben, work):
    made = ada.post("/v1/deal-groups", asked("me", "open"))
    assert (made.status_code, made.json["status"], made.json["your_table"]) == (201, "lobby", 0)
    path, two = made.headers["Location"], made.json["tables"][1]["match"]
    assert ben.put(f"/v1/matches/{two}/seats/0").status_code == 200
    work()
    shown = ben.get(path).json
    assert (shown["status"], shown["your_table"], shown["results"]) == ("playing", 1, None)
    match = ben.get(f"/v1/matches/{two}").json
    assert match["deal_group"] == shown["id"]
    assert match["fairness"]["commitment"] == shown["commitment"]


def test_repeated_group_creation_returns_the_first_answer(ada, ben, work):
    key = {"Idempotency-Key": "once"}
    first = ada.post("/v1/deal-groups", asked("me", "open", "open"), headers=key)
    assert ben.put(f"/v1/matches/{first.json['tables'][1]['match']}/seats/0").status_code == 200
    work()
    again = ada.post("/v1/deal-groups", asked("me", "open", "open"), headers=key)
    assert again.json == first.json
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (asked("me"), "tables"),
        (asked("me", "me"), "tables"),
        ({**asked("me", "open"), "tables": [[BOT, BOT], [BOT, BOT, BOT]]}, "tables"),
        (asked("me", "open", clock={"max_defaults": 3}), "clock"),
        (asked("me", "open", clock={"per_decision_seconds": 60}, options={"rated": True}), "options.rated"),
        (asked("me", "open", more=1), "more"),
    ],
)
def test_invalid_groups_are_refused(body, field, ada):
    refused = ada.post("/v1/deal-groups", body)
    assert refused.status_code == 422
    assert list(refused.json["errors"]) == [field]


@pytest.mark.parametrize("part", ["", "/moves", "/events", "/replay", "/replay/marks", "/record", "/audit"])
def test_group_table_is_visible_only_to_its_players(part, ada, ben, stranger, player, on):
    _, one, two = on
    for who, path in ((ben, one.path), (ada, two.path), (player(), one.path), (stranger, one.path)):
        refused = who.get(path + part)
        assert refused.status_code == 404 or code(refused) == (401, "unauthenticated")
    assert ada.get(one.path + part).status_code == 200


def test_no_player_sits_at_two_tables_of_a_group(ada, ben):
    made = ada.post("/v1/deal-groups", asked("me", "open")).json
    assert code(ada.put(f"/v1/matches/{made['tables'][1]['match']}/seats/0")) == (409, "at_another_table")


@pytest.mark.long
def test_finished_tables_wait_for_the_others_before_the_comparison(ada, ben, stranger, work, on):
    path, one, two = on
    assert ada.plays(one, RESIGN).status_code == 200
    work()
    waits = ada.sees(one)
    assert waits["scene"]["phase"] == waits["table"]["phase"]
    assert (waits["status"], waits["to_act"], waits["table"]["phase"]) == (
        "playing",
        [],
        "waiting_for_tables",
    )
    assert waits["fairness"]["revealed"] == 0
    assert [t["status"] for t in ben.get(path).json["tables"]] == ["playing", "playing"]
    assert ben.plays(two, RESIGN).status_code == 200
    work()
    shown = stranger.get(path).json
    assert shown["status"] == "finished"
    assert [(r["table"], r["seat"], r["rank"], r["difference"]) for r in shown["results"]] == [
        (0, 0, 1, 0), (0, 1, 1, 0), (1, 0, 1, 0), (1, 1, 1, 0),
    ]  # fmt: skip
    assert stranger.sees(one)["fairness"]["revealed"] == 1
    for table in (one, two):
        assert stranger.get(f"{table.path}/audit").json["ok"]
        record = stranger.get(f"{table.path}/record").json
        checks = stranger.post("/v1/records/verify", record).json["checks"]
        assert [check["name"] for check in checks if check["skipped"] or not check["ok"]] == ["signatures"]


def test_creator_cancels_all_tables_of_a_group(ada, ben, on):
    made = ada.post("/v1/deal-groups", asked("me", "open"))
    path, table = made.headers["Location"], made.json["tables"][0]["match"]
    assert code(ada.delete(f"/v1/matches/{table}")) == (409, "of_a_group")
    assert code(ben.delete(path)) == (403, "forbidden")
    assert ada.delete(path).status_code == 204
    assert [t["status"] for t in ada.get(path).json["tables"]] == ["cancelled"] * 2
    assert code(ada.delete(on[0])) == (409, "already_started")


def test_private_group_is_visible_only_to_its_players_and_creator(ada, ben, stranger):
    path = ada.post("/v1/deal-groups", asked("me", "invite", visibility="private")).headers["Location"]
    invites = ada.get(path).json["invites"]
    assert [(i["table"], i["seat"]) for i in invites] == [(1, 0)]
    table = ada.get(path).json["tables"][1]["match"]
    assert invites[0]["link"] == f"http://localhost/v1/matches/{table}#invite={invites[0]['invite']}"
    assert stranger.get(path).status_code == 404
    assert ben.get(path).status_code == 404
    assert ben.get(path, headers={"Dealt-Invite": invites[0]["invite"]}).status_code == 200
    assert ben.get("/v1/deal-groups/none").status_code == 404


def test_practice_match_has_the_same_deals_and_is_marked(ada, ben, bots, work):
    table = ada.creates(game="crazy_eights", seats=[{"kind": "me"}, BOT])
    bots(table)
    assert code(ada.post(f"{table.path}/practice")) == (409, "wrong_phase")
    assert ada.plays(table, RESIGN).status_code == 200
    made = ben.post(f"{table.path}/practice", {"visibility": "public"})
    assert made.status_code == 201
    again = Table(made.json)
    assert made.json["deal_known"] == {"match": table["id"], "hand_no": 1}
    assert made.json["fairness"]["commitment"] == deal_of(ada, table)["commitment"]
    listed = {m["id"]: m["deal_known"] for m in ben.get("/v1/matches").json["items"]}
    assert listed[again["id"]] == made.json["deal_known"]
    bots(again)
    assert ben.plays(again, RESIGN).status_code == 200
    assert deal_of(ben, again)["cards"] == deal_of(ada, table)["cards"]
    assert ben.get("/v1/matches?player=me&result=lost").json["items"] == []
    report = ben.post("/v1/records/verify", ben.get(f"{again.path}/record").json).json
    assert [check["name"] for check in report["checks"] if not check["ok"]] == []


def deal_of(client, table):
    """Return the cards of all seats in the first, disclosed hand of a match, as far as one link of the chain reveals
    them."""
    events = client.get(f"{table.path}/events").json["items"]
    said = {event["type"]: event for event in events}
    dealt = said["HandDealt"]
    cards = {**dealt.get("disclosed", {}).get("cards", {})}
    if client.sees(table)["your_seat"] is not None:
        cards[str(client.sees(table)["your_seat"])] = dealt["data"]["cards"]
    return {"commitment": said["FairnessCommitted"]["data"]["commitment"], "cards": cards}


def test_practice_requires_an_existing_disclosed_match(ada):
    table = ada.creates(game="crazy_eights", seats=[{"kind": "me"}, BOT], options={"fairness_reveal": "never"})
    assert ada.plays(table, RESIGN).status_code == 200
    assert code(ada.post(f"{table.path}/practice")) == (403, "forbidden")
    assert ada.post(f"{table.path}/practice", {"seats": [BOT]}).status_code == 422
    assert ada.post("/v1/matches/none/practice").status_code == 404


@pytest.mark.parametrize("source", ["private", "unlisted", "public"])
@pytest.mark.parametrize("wanted", ["private", "unlisted", "public"])
def test_practice_match_is_not_more_visible_than_the_original(source, wanted, ada, bots, stranger):
    """It shows the players and the deals."""
    table = ada.creates(game="crazy_eights", seats=[{"kind": "me"}, BOT], visibility=source)
    ada.plays(table, RESIGN)
    bots(table)
    made = ada.post(f"{table.path}/practice", {"visibility": wanted})
    order = ["private", "unlisted", "public"]
    if order.index(wanted) <= order.index(source):
        assert (made.status_code, made.json["visibility"]) == (201, wanted)
    else:
        assert code(made) == (422, "bad_arguments")
        assert list(made.json["errors"]) == ["visibility"]
    assert ada.post(f"{table.path}/practice").json["visibility"] == "private"


def test_group_shows_its_original_commitment(ada, ben, stranger, work, on, app):
    """A later commitment would reveal that a table has used up its links, and therefore its progress."""
    path, one, _ = on
    before = stranger.get(path).json
    here = app.extensions["dealt"]
    loaded = here.context.loaded(one["id"])
    loaded.state.shuffles.epoch, loaded.state.shuffles.commitment = 2, "0" * 64
    here.context.cache.put(loaded)
    assert stranger.get(path).json == before
    assert before["commitment"] != "0" * 64
