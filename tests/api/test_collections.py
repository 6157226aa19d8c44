"""Tests collections: packs can be drawn again, trades neither duplicate nor lose cards, and other players see
nothing."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, select

from api.cli.verify_command import verify
from api.http.app_state import store_app_state
from domain.collection.collection_decide import accept_offer
from domain.collection.collection_events import TradeMade
from domain.core.fairness import DrawContext
from domain.core.values import with_fields
from domain.games.catalogue import CARDS
from events.log.seals import NO_EVENT, digest
from events.operations.audit_streams import audit_stream
from events.operations.rebuild import rebuild_kind
from events.service import collections
from events.service.context import Context
from events.service.stream_kinds import COLLECTION
from events.store.opening import open_store
from events.store.schema.player_schema import trades
from events.store.tables import commit_rows
from tests.api.client import Client
from tests.bound import Matches
from tests.killing import killed

pytestmark = pytest.mark.both_databases

MINE = "/v1/collection"
TRADES = "/v1/collection/trades"
SUN, TIDE = "fw1-001", "fw1-002"


@pytest.fixture
def tradable(monkeypatch):
    """Make the starter's cards tradable, so that there is something to trade."""
    starter = with_fields(CARDS.starter, bound=False)
    monkeypatch.setattr(collections, "CARDS", with_fields(CARDS, starter=starter))


@pytest.fixture
def collector(player, tradable):
    """Create players with collections whose cards can all be traded."""

    def made(**known):
        one = player(**known)
        assert one.post(MINE).status_code == 201
        return one

    return made


def cards(player):
    return Counter({row["card"]: row["count"] for row in player.get(MINE).json["cards"]})


def opens(player, **more):
    return player.post(f"{MINE}/boosters", {"set": "fw1", **more})


def offers(player, to, give=(), want=(), **more):
    sides = {"give": [{"card": c, "count": n} for c, n in give], "want": [{"card": c, "count": n} for c, n in want]}
    return player.post(TRADES, {"to": to.handle, **sides}, **more)


# --- What is there ----------------------------------------------------------------------------------------


def test_collection_gets_the_starter_once(ada):
    none = ada.get(MINE)
    assert (none.status_code, "POST /v1/collection" in none.json["detail"]) == (404, True)
    begun, again = ada.post(MINE), ada.post(MINE)
    assert (begun.status_code, again.status_code) == (201, 200)
    assert again.json == begun.json
    assert begun.json["boosters"] == [{"set": "fw1", "count": 6, "bound": 6}]
    assert {row["name"]: (row["count"], row["bound"]) for row in begun.json["cards"]}["Sunfield"] == (20, 20)
    assert ada.get(MINE, headers={"If-None-Match": begun.headers["ETag"]}).status_code == 304


def test_opened_pack_is_owned_and_its_draw_can_be_repeated(collector):
    ada = collector()
    bound = ada.get(MINE).json["seeds"]["commitment"]
    packs = [opens(ada, nonce=nonce).json for nonce in ("", "5d41402abc4b2a76", "")]
    for link, (pack, nonce) in enumerate(zip(packs, ("", "5d41402abc4b2a76", ""), strict=True), 1):
        seed = bytes.fromhex(pack["seed"])
        hashed = seed
        for _ in range(link):
            hashed = sha256(hashed).digest()
        assert hashed.hex() == bound
        context = DrawContext(pack["collection"], 1, link, "booster", 0, (nonce,))
        assert [card["id"] for card in pack["cards"]] == list(CARDS.open_booster("fw1", seed, context))
    opened = Counter(card["id"] for pack in packs for card in pack["cards"])
    owned = cards(ada)
    assert {card: owned[card] for card in opened} == dict(opened)
    assert ada.get(MINE).json["boosters"] == [{"set": "fw1", "count": 3, "bound": 0}]


def test_pack_cannot_be_opened_without_a_booster(collector):
    ada = collector()
    with ThreadPoolExecutor(4) as threads:
        codes = [got.status_code for got in threads.map(lambda _: opens(Client(ada.app, ada.token)), range(8))]
    assert sorted(codes) == [201] * 6 + [409] * 2
    assert opens(ada).json["code"] == "no_booster"
    assert sum(cards(ada).values()) == 100 + 6 * 15


def test_repeated_request_opens_no_second_pack(collector):
    ada = collector()
    with ThreadPoolExecutor(4) as threads:
        again = {"headers": {"Idempotency-Key": "pack-1"}}
        got = [
            one.json
            for one in threads.map(
                lambda _: Client(ada.app, ada.token).post(f"{MINE}/boosters", {"set": "fw1"}, **again), range(4)
            )
        ]
    assert all(one == got[0] for one in got)
    assert sum(cards(ada).values()) == 115


def test_used_up_chain_of_seeds_is_followed_by_another(collector, app):
    with patch("domain.collection.collection_decide.LINKS", 2):
        ada = collector()
        packs = [opens(ada).json for _ in range(5)]
    assert [(pack["epoch"], pack["link"]) for pack in packs] == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]


# --- Trades -----------------------------------------------------------------------------------------------


def test_accepted_trade_is_no_longer_open(collector):
    ada, ben = collector(name="Ada"), collector(name="Ben")
    made = offers(ada, ben, [(SUN, 3)], [(TIDE, 2)])
    assert made.status_code == 201
    path = f"{TRADES}/{made.json['id']}"
    assert ben.get(TRADES).json["items"] == ada.get(TRADES).json["items"] == [made.json] == [ben.get(path).json]
    assert {row["card"]: row["set_aside"] for row in ada.get(MINE).json["cards"]}[SUN] == 3
    traded = ben.post(f"{path}/accept")
    assert traded.status_code == 200
    assert [(row["card"], row["count"]) for row in traded.json["got"]] == [(SUN, 3)]
    assert (cards(ada)[SUN], cards(ada)[TIDE]) == (17, 22)
    assert (cards(ben)[SUN], cards(ben)[TIDE]) == (23, 18)
    assert ben.get(path).status_code == ben.post(f"{path}/accept").status_code == 404
    assert ada.get(TRADES).json["items"] == ben.get(TRADES).json["items"] == []


@pytest.mark.parametrize("end", ["decline", "withdraw"])
def test_closed_offer_frees_its_cards(collector, end):
    ada, ben = collector(), collector()
    path = f"{TRADES}/{offers(ada, ben, [(SUN, 20)]).json['id']}"
    assert offers(ada, ben, [(SUN, 1)]).json["code"] == "not_in_collection"
    if end == "decline":
        assert ada.post(f"{path}/decline").status_code == 404, "it was not made to her"
        assert ben.post(f"{path}/decline").status_code == 204
    else:
        assert ben.delete(path).status_code == 404, "it is not his"
        assert ada.delete(path).status_code == 204
    assert ben.post(f"{path}/accept").status_code == 404
    assert offers(ada, ben, [(SUN, 20)]).status_code == 201


def test_two_concurrent_accepts_make_one_trade(collector):
    ada, ben = collector(), collector()
    path = f"{TRADES}/{offers(ada, ben, [(SUN, 5)], [(TIDE, 5)]).json['id']}"
    with ThreadPoolExecutor(6) as threads:
        codes = [
            got.status_code
            for got in threads.map(lambda _: Client(ben.app, ben.token).post(f"{path}/accept"), range(6))
        ]
    assert sorted(codes) == [200] + [404] * 5
    assert (cards(ada)[SUN], cards(ada)[TIDE], cards(ben)[SUN], cards(ben)[TIDE]) == (15, 25, 25, 15)


def test_concurrent_trades_in_both_directions_neither_lose_nor_duplicate_cards(collector):
    ada, ben = collector(), collector()
    to_ben = [offers(ada, ben, [(SUN, 1)], [(TIDE, 1)]).json["id"] for _ in range(5)]
    to_ada = [offers(ben, ada, [(SUN, 1)], [(TIDE, 1)]).json["id"] for _ in range(5)]
    asked = [(ben, trade) for trade in to_ben] + [(ada, trade) for trade in to_ada]

    def accepts(one):
        who, trade = one
        return Client(who.app, who.token).post(f"{TRADES}/{trade}/accept").status_code

    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(accepts, asked)) == [200] * 10
    assert cards(ada) == cards(ben)
    assert sum(cards(ada).values()) == 100


def accepter_killed(app, player, path, name, calls):
    """Accept an offer in another process, and kill it after a number of calls of a function of `commit_rows`."""
    dealt = app.extensions["dealt"]
    url = dealt.context.store.engine.url.render_as_string(hide_password=False)

    def accepts():
        store_app_state(app, replace(dealt, context=Matches(open_store(url), now=dealt.context.now)))
        player.post(f"{path}/accept", headers={"Idempotency-Key": "killed-1"})

    killed(accepts, commit_rows, name, calls)


@pytest.mark.parametrize(
    ("name", "calls", "traded"),
    [("write_changed_rows", 1, 0), ("write_changed_rows", 2, 0), ("append_all", 1, 5)],
    ids=["between the two streams", "before it commits", "before it answers"],
)
def test_killed_process_has_traded_all_or_nothing(collector, app, store, name, calls, traded):
    ada, ben = collector(), collector()
    path = f"{TRADES}/{offers(ada, ben, [(SUN, 5)], [(TIDE, 5)]).json['id']}"
    accepter_killed(app, ben, path, name, calls)
    assert (cards(ada)[SUN], cards(ben)[SUN]) == (20 - traded, 20 + traded)
    assert (fails(store, ada), fails(store, ben)) == ({}, {})
    again = ben.post(f"{path}/accept", headers={"Idempotency-Key": "killed-1"})
    assert (again.status_code, "Idempotency-Replayed" in again.headers) == (200, bool(traded))
    assert [(cards(who)[SUN], cards(who)[TIDE]) for who in (ada, ben)] == [(15, 25), (25, 15)]


def test_repeated_accept_returns_the_first_answer(collector):
    ada, ben = collector(), collector()
    path = f"{TRADES}/{offers(ada, ben, [(SUN, 1)]).json['id']}"
    again = {"headers": {"Idempotency-Key": "accept-1"}}
    first, second = (ben.post(f"{path}/accept", **again) for _ in range(2))
    assert (second.status_code, second.json, second.headers["Idempotency-Replayed"]) == (200, first.json, "true")
    offer = {"headers": {"Idempotency-Key": "offer-1"}}
    first, second = (offers(ada, ben, [(SUN, 1)], **offer) for _ in range(2))
    assert second.json == first.json
    assert len(ada.get(TRADES).json["items"]) == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"to": "nobody-here"}, "to"),
        ({"give": []}, "give"),
        ({"give": [{"card": SUN, "count": 101}]}, "give"),
        ({"give": [{"card": SUN, "count": 1}] * 2}, "give"),
        ({"give": [{"card": "fw1-999", "count": 1}]}, "give.0.card"),
    ],
)
def test_invalid_offer_is_refused_with_its_field(collector, change, field):
    ada, ben = collector(), collector()
    refused = ada.post(TRADES, {"to": ben.handle, "give": [{"card": SUN, "count": 1}]} | change)
    assert (refused.status_code, list(refused.json["errors"])) == (422, [field])
    assert ada.post(TRADES, {"to": ada.handle, "give": [{"card": SUN, "count": 1}]}).status_code == 422


def opened(player, packs):
    """Return the cards of this many packs that a player opens."""
    return Counter(card["id"] for _ in range(packs) for card in opens(player).json["cards"])


def test_starter_cannot_leave_its_account(ada, ben, store):
    for one in (ada, ben):
        assert one.post(MINE).status_code == 201
    found = opened(ada, 6)
    for card in (SUN, next(iter(found))):
        refused = offers(ada, ben, [(card, 1)])
        assert (refused.status_code, refused.json["code"]) == (409, "not_in_collection")
        assert "starter" in refused.json["detail"]
        path = f"{TRADES}/{offers(ben, ada, (), [(card, 1)]).json['id']}"
        assert ada.post(f"{path}/accept").json["code"] == "not_in_collection"
    shown = {row["card"]: (row["count"], row["bound"]) for row in ada.get(MINE).json["cards"]}
    assert {card: (n, n) for card, n in found.items()}.items() <= shown.items()
    assert fails(store, ada) == {}


def test_starter_cards_of_new_accounts_cannot_be_traded(ada, player):
    assert ada.post(MINE).status_code == 201
    before = cards(ada)
    for _ in range(3):
        one = player()
        assert one.post(MINE).status_code == 201
        opened(one, 6)
        all_of_it = [(card, n) for card, n in cards(one).items() if n < 20]
        for given in (all_of_it, [(SUN, 20)], [(TIDE, 1)]):
            assert offers(one, ada, given).json["code"] == "not_in_collection"
    assert ada.get(TRADES).json["items"] == []
    assert cards(ada) == before


def test_prize_cards_can_be_traded_and_starter_cards_cannot(ada, ben, app, store):
    for one in (ada, ben):
        assert one.post(MINE).status_code == 201
    collections.grant_cards(app.extensions["dealt"].context, ada.id, {"fw1": 1}, [], "tournament 7, place 1")
    starter, prize = opened(ada, 6), opened(ada, 1)
    card = next(iter(prize))
    assert offers(ada, ben, [(card, prize[card] + 1)]).json["code"] == "not_in_collection"
    path = f"{TRADES}/{offers(ada, ben, [(card, prize[card])]).json['id']}"
    assert ben.post(f"{path}/accept").status_code == 200
    assert cards(ada)[card] == starter[card]
    assert (fails(store, ada), fails(store, ben)) == ({}, {})


def test_daily_gifts_are_limited_for_giver_and_receiver(collector, clock):
    ada, ben, cem = collector(), collector(), collector()

    def gives(giver, taker, count, back=0):
        want = [(TIDE, back)] if back else ()
        path = f"{TRADES}/{offers(giver, taker, [(SUN, count)], want).json['id']}"
        accepted = taker.post(f"{path}/accept")
        giver.delete(path)
        return accepted.json.get("code", accepted.status_code)

    assert [gives(ada, ben, 15), gives(ada, ben, 5, back=5)] == [200, 200]
    assert gives(cem, ben, 6) == "too_many_gifts", "Ben has got 15"
    assert gives(ben, cem, 6) == 200
    assert gives(cem, ben, 11) == 200
    assert gives(cem, ada, 1) == 200
    clock.passes(24 * 3600 + 1)
    assert gives(cem, ben, 6) == 200


# --- Who sees it ------------------------------------------------------------------------------------------


def test_collections_and_offers_are_private(collector, stranger):
    ada, ben, eve = collector(), collector(), collector()
    before = eve.get(MINE).json
    path = f"{TRADES}/{offers(ada, ben, [(SUN, 1)], [('bt1-001', 4)]).json['id']}"
    for call in (eve.get(path), eve.post(f"{path}/accept"), eve.post(f"{path}/decline"), eve.delete(path)):
        assert call.status_code == 404
    assert eve.get(TRADES).json["items"] == []
    assert eve.get(MINE).json == before
    assert stranger.get(MINE).status_code == stranger.get(TRADES).status_code == 401
    collection = ada.get(MINE).json["id"]
    for way in ("", "/events", "/record", "/moves", "/audit"):
        assert ada.get(f"/v1/matches/{collection}{way}").status_code == 404, "it is no match"


def test_offer_is_accepted_regardless_of_the_partners_cards(collector, player):
    """The answer does not reveal whether the other player has the card or a collection."""
    ada, ben, none = collector(), collector(), player()
    answers = [offers(ada, one, (), [("bt1-001", 4)]) for one in (ben, none)]
    assert [one.status_code for one in answers] == [201, 201]
    path = f"{TRADES}/{answers[0].json['id']}"
    assert ben.post(f"{path}/accept").json["code"] == "not_in_collection"
    assert none.post(f"{TRADES}/{answers[1].json['id']}/accept").status_code == 404


def test_read_token_cannot_open_boosters(collector):
    ada = collector()
    token = ada.post("/v1/players/me/tokens", {"name": "reader", "scopes": ["read"]}).json["token"]
    reader = Client(ada.app, token, ada.id)
    assert reader.get(MINE).status_code == 200
    assert opens(reader).json["code"] == "scope_missing"


def test_erasure_ends_all_offers(collector):
    ada, ben = collector(), collector()
    offers(ada, ben, [(SUN, 1)])
    offers(ben, ada, [(TIDE, 2)])
    assert ada.delete("/v1/players/me").status_code == 204
    assert ben.get(TRADES).json["items"] == []
    assert {row["card"]: row["set_aside"] for row in ben.get(MINE).json["cards"]}[TIDE] == 0


# --- Prizes, audit, rebuild -------------------------------------------------------------------------------


def test_prizes_are_granted_once(collector, app):
    ada, context = collector(), app.extensions["dealt"].context
    for _ in range(2):
        collections.grant_cards(context, ada.id, {"bt1": 4}, ["bt1-006"], "tournament 7, place 1")
    shown = ada.get(MINE).json
    assert shown["boosters"] == [
        {"set": "fw1", "count": 6, "bound": 0},
        {"set": "bt1", "count": 4, "bound": 0},
    ]
    assert {row["card"]: (row["count"], row["promos"]) for row in shown["cards"]}["bt1-006"] == (0, 1)
    assert opens(ada, set="bt1").status_code == 201


def test_collection_can_be_audited_and_rebuilt(collector, store):
    ada, ben = collector(), collector()
    opens(ada)
    path = f"{TRADES}/{offers(ada, ben, [(SUN, 1)]).json['id']}"
    ben.post(f"{path}/accept")
    offers(ada, ben, [(SUN, 2)])
    offers(ada, ben, [(SUN, 3)])
    ours = [collections.collection_id(one.id) for one in (ada, ben)]
    reports = [audit_stream(store, one) for one in ours]
    assert [report.verdict for report in reports] == ["verified"] * 2
    assert {check.name for check in reports[0].checks} >= {"chain", "codes", "projections", "rules", "agreement"}
    listed = store.read(select(trades).where(trades.c.collection_id == ours[0]).order_by(trades.c.trade_id))
    store.change(delete(trades).where(trades.c.collection_id == ours[0]))
    assert {check.name for check in audit_stream(store, ours[0]).checks if not check.ok} == {"projections"}
    list(rebuild_kind(Context(store), COLLECTION))
    again = store.read(select(trades).where(trades.c.collection_id == ours[0]).order_by(trades.c.trade_id))
    assert again == listed
    assert audit_stream(store, ours[0]).ok


def fails(store, player):
    """Return the failed checks of an audit of a player's collection, with their event and sentence."""
    report = audit_stream(store, collections.collection_id(player.id))
    return {check.name: (check.seq, check.detail) for check in report.checks if not check.ok}


def writes(app, player, *events):
    """Write events to one collection as the server does, whatever other collections contain."""
    context = app.extensions["dealt"].context
    collections._execute(context, player.id, lambda kept: events)


def test_audit_finds_a_trade_that_is_in_only_one_collection(collector, store, app):
    ada, ben = collector(), collector()
    one, two = (offers(ada, ben, [(SUN, n)], [(TIDE, n)]).json["id"] for n in (1, 2))
    ben.post(f"{TRADES}/{one}/accept")
    assert (fails(store, ada), fails(store, ben)) == ({}, {})
    kept = [collections.load_collection(app.extensions["dealt"].context, who.id).state for who in (ada, ben)]
    writes(app, ada, accept_offer(*kept, two)[0])
    assert fails(store, ada) == {"agreement": (6, f"The trade {two} differs in the partner's collection.")}
    assert fails(store, ben) == {"agreement": (3, f"The trade {two} is only in the collection of its partner.")}


def test_audit_finds_a_trade_that_differs_between_collections(collector, store, app):
    """Its own events follow the rules: only the other collection shows the previous owner of the cards."""
    ada, ben = collector(), collector()
    trade = offers(ada, ben, [(SUN, 1)], [(TIDE, 1)]).json["id"]
    kept = [collections.load_collection(app.extensions["dealt"].context, who.id).state for who in (ada, ben)]
    given, taken = accept_offer(*kept, trade)
    writes(app, ada, given)
    writes(app, ben, with_fields(taken, got={SUN: 3}, owned={SUN: 23, TIDE: 19}))
    says = f"The trade {trade} differs in the partner's collection."
    assert (fails(store, ada), fails(store, ben)) == ({"agreement": (4, says)}, {"agreement": (3, says)})


def test_audit_finds_a_trade_without_a_partner(collector, store, app):
    ada, ben = collector(), collector()
    writes(app, ada, TradeMade("8n9y4jktn4n1gzhahebf", ben.id, {}, {"bt1-006": 4}, {"bt1-006": 4}, (), {}))
    assert list(fails(store, ada)) == ["agreement"]


def test_record_contains_all_events(collector):
    ada = collector()
    opens(ada)
    record = ada.get(f"{MINE}/record").json
    assert record["format"] == "dealt-collection/1"
    assert [event["type"] for event in record["events"]] == ["CollectionStarted", "SeedsCommitted", "PackOpened"]
    assert (record["version"], record["head"]) == (3, record["events"][-1]["digest"])


# --- Verified without the server --------------------------------------------------------------------------


@pytest.fixture
def exported(collector):
    """Return the record of a collection with every kind of event."""
    ada, ben = collector(), collector()
    opens(ada, nonce="5d41402abc4b2a76")
    ben.post(f"{TRADES}/{offers(ada, ben, [(SUN, 1)], [(TIDE, 2)]).json['id']}/accept")
    ada.post(f"{TRADES}/{offers(ben, ada, [(SUN, 1)]).json['id']}/accept")
    opens(ada)
    return ada.get(f"{MINE}/record").json


GOOD = {"chain": True, "rules": True, "signatures": True}


def verified(record, tmp_path, *options):
    path = tmp_path / "collection.json"
    path.write_text(json.dumps(record))
    done = CliRunner().invoke(verify, [str(path), "--json", *options])
    return done.exit_code, {check["name"]: check["ok"] for check in json.loads(done.output)["checks"]}


def test_a_record_verifies_without_the_server(exported, tmp_path):
    head = f"{exported['version']}:{exported['head']}"
    assert verified(exported, tmp_path, "--head", head) == (0, GOOD)
    assert verified(exported, tmp_path) == (3, GOOD)
    path = tmp_path / "collection.json"
    assert (
        f"collection {exported['collection']}, {exported['version']} events"
        in CliRunner().invoke(verify, [str(path)]).output
    )


@pytest.mark.long
def test_record_can_be_verified_over_http(exported, stranger):
    def report(record, head=exported["head"]):
        return stranger.post(f"/v1/records/verify?head={exported['version']}:{head}", record).json

    held = report(exported)
    assert (held["ok"], held["match"], held["game"]) == (True, exported["collection"], None)
    assert [(check["name"], check["ok"]) for check in held["checks"]] == [*GOOD.items()]
    assert not report(exported, "0" * 64)["ok"], "another head was kept"
    pack = next(event["data"] for event in exported["events"] if event["type"] == "PackOpened")
    pack["cards"][0] = "fw1-080"
    changed = report(linked(exported))["checks"]
    last = exported["version"]
    assert [(check["name"], check["ok"], check["seq"]) for check in changed] == [
        ("chain", False, last),  # according to the kept head
        ("rules", False, 3),
        ("signatures", True, None),
    ]


def linked(record):
    """Rechain the events of a record, as a server would after changing one of them."""
    before = NO_EVENT
    for event in record["events"]:
        envelope = {name: event[name] for name in ("at", "cause", "commit", "data", "seals", "seq", "type", "v")}
        before = event["digest"] = digest(before, {**envelope, "match": record["collection"]})
    return record | {"head": before}


def test_record_with_a_changed_card_fails_verification(exported, tmp_path):
    pack = next(event["data"] for event in exported["events"] if event["type"] == "PackOpened")
    pack["cards"][0] = "fw1-080"
    assert verified(exported, tmp_path) == (1, GOOD | {"chain": False, "rules": False})
    assert verified(linked(exported), tmp_path) == (1, GOOD | {"rules": False})


@pytest.mark.parametrize("change", [{"events": [{}]}, {"more": 1}, {"version": "x"}])
def test_invalid_collection_record_is_refused_with_a_sentence(exported, tmp_path, change):
    path = tmp_path / "collection.json"
    path.write_text(json.dumps(exported | change))
    done = CliRunner().invoke(verify, [str(path)])
    assert (done.exit_code, "cannot be read: It does not have the form of a collection's record" in done.output) == (
        1,
        True,
    )
