"""Tests that every example of a request body in the description can be sent unchanged."""

import json

import pytest

from events.ids import new_token
from events.service import administration
from events.settings import Settings
from tests.api.client import Client
from tests.api.description import SPEC, resolved, whole_operations
from tests.factories import StoredPlayer

EXAMPLES = {
    (operation["operationId"], kind, name): (method.upper(), path, example)
    for path, method, operation in whole_operations(SPEC)
    for kind, content in resolved(operation.get("requestBody", {})).get("content", {}).items()
    for name, example in (
        {name: resolved(one)["value"] for name, one in content.get("examples", {}).items()}
        or {"": content.get("example")}
    ).items()
    if example
}

TOKENS = {"ann": new_token(), "ben": new_token()}
"""The tokens of the players in the examples, by handle."""

REFUSED = {
    "askForRecovery": "no_mail",
    "putEmail": "no_mail",
    "confirmEmail": "not_found",  # no address is waiting for a code
    "recover": "bad_code",
    "offerTrade": "not_in_collection",
    "takeSeat": "bad_invite",  # the invitation is for another table
    "makeMove": "not_seated",  # nobody knows which cards a seat will hold
    "resolveReport": "not_found",
    "pauseTournament": "wrong_phase",
    "ruleTable": "no_such_object",  # no round is in progress
}
"""The operations whose example cannot succeed in this test, and the refusal code."""


def create_webhook(ada):
    return {"webhook_id": ada.post("/v1/players/me/webhooks", {"url": "https://example.org/dealt"}).json["id"]}


def create_deck(ada):
    return {"deck_id": ada.post("/v1/decks", {"name": "Mine", "list": "4 Dawnwatch Recruit\n"}).json["id"]}


def create_collection(ada):
    assert ada.post("/v1/collection").status_code == 201
    return {}


def create_open_table(ada):
    return {
        "match_id": ada.creates(seats=[{"kind": "bot"}] * 2 + [{"kind": "invite"}, {"kind": "open"}])["id"],
        "seat": "2",
    }


def create_match(ada):
    return {"match_id": ada.creates(options={"standing_orders": True}, clock={"per_decision_seconds": 600})["id"]}


def announce_tournament(ada):
    asked = {"name": "Friday evening", "game": "gin_rummy", "format": "swiss"}
    return {"tournament_id": ada.post("/v1/tournaments", asked).json["id"]}


def enter_four_players(ada):
    path = announce_tournament(ada)
    for _ in range(4):
        token = ada.post("/v1/players", {"name": "Cleo"}).json["token"]
        entered = Client(ada.app, token).post("/v1/tournaments/{tournament_id}/entries".format_map(path), {})
        assert entered.status_code == 200, entered.json
    return path


def create_bots_match(ada):
    return {"match_id": ada.creates(bots_only=True)["id"]}


def hear_from_ben(ada):
    """Let Ben write the messages that the example report names."""
    path = {"match_id": ada.creates(open_table=True)["id"]}
    ben = Client(ada.app, TOKENS["ben"])
    assert ben.put("/v1/matches/{match_id}/seats/1".format_map(path)).status_code == 200
    for _ in range(3):
        assert ben.post("/v1/matches/{match_id}/chat".format_map(path), {"text": "Boo!"}).status_code == 201
    return path


def become_administrator(ada):
    administration.grant_role(ada.app.extensions["dealt"].context, ada.id, "Moderates.")
    return {"player_id": ada.post("/v1/players", {"name": "Cleo"}).json["id"], "report_id": "x"}


def suspend_player(ada):
    path = become_administrator(ada)
    asked = {"days": 1, "reason": "Insults."}
    assert ada.post("/v1/admin/players/{player_id}/suspension".format_map(path), asked).status_code == 204
    return path


def create_match_as_administrator(ada):
    return become_administrator(ada) | create_open_table(ada)


PREPARE = {
    "renamePlayer": become_administrator,
    "suspendPlayer": become_administrator,
    "reinstatePlayer": suspend_player,
    "erasePerson": become_administrator,
    "resolveReport": become_administrator,
    "closeMatch": create_match_as_administrator,
    "reportPlayer": hear_from_ben,
    "changeWebhook": create_webhook,
    "replayWebhook": create_webhook,
    "replaceDeck": create_deck,
    "importDeck": create_deck,
    "openBooster": create_collection,
    "offerTrade": create_collection,
    "enterTournament": announce_tournament,
    "invitePlayers": announce_tournament,
    "cancelTournament": announce_tournament,
    "pauseTournament": announce_tournament,
    "disqualifyEntrant": enter_four_players,
    "ruleTable": announce_tournament,
    "takeSeat": create_open_table,
    "makeMove": create_bots_match,
    "giveOrders": create_match,
    "tryOrders": create_match,
    "writeMessage": create_match,
    "writeNotes": create_match,
}
"""Create the objects that the example's operation needs; each function returns the parameters of the path."""


@pytest.fixture(scope="module")
def store(shared_sqlite):
    """Return a store with the two players of the examples."""
    for handle, token in TOKENS.items():
        StoredPlayer(store=shared_sqlite, name=handle.title(), handle=handle, token=token)
    return shared_sqlite


@pytest.fixture
def settings():
    return Settings(dealt_rate_per_second=0, dealt_prize_organisers="*")


def send_example(ada, example):
    operation, kind, _ = example
    method, path, body = EXAMPLES[example]
    made = PREPARE[operation](ada) if operation in PREPARE else {}
    sent = body if isinstance(body, str) else json.dumps(body)
    return ada.send(method, path.format_map({"round": "1", "table": "0"} | made), data=sent, content_type=kind)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: "-".join(filter(None, one)))
def test_example_is_accepted_unchanged(ada, example):
    answer = send_example(ada, example)
    if (refused := REFUSED.get(example[0])) is not None:
        assert answer.json["code"] == refused, answer.json
    else:
        assert answer.status_code < 300, answer.json


@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson"])
def test_example_record_has_no_fault_except_its_missing_signature(ada, kind):
    report = send_example(ada, ("verifyRecord", kind, "example")).json
    assert report["verdict"] == "unverifiable"
    unproved = {check["name"] for check in report["checks"] if check["skipped"] or not check["ok"]}
    assert unproved == {"signatures"}, "run python -m tests.api.write_record_examples"


def test_example_hand_can_be_replayed(ada):
    hands = send_example(ada, ("readHandHistories", "application/toml", "")).json["items"]
    assert [hand["status"] for hand in hands] == ["played"]
