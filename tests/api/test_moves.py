"""Tests listing and making moves."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from jsonschema import Draft202012Validator

from api.http import idempotency as once
from api.http.sparse_fields import PART
from tests.api.client import Client, code


def cards_of(client, table):
    return client.sees(table)["table"]["hand"]


# --- What may be done -------------------------------------------------------------------------------------


def test_example_moves_match_their_schema_and_are_accepted(full_table):
    table, players = full_table()
    for _ in range(60):
        seat = players[0].sees(table)["to_act"][0]
        offer = players[seat].offers(table)
        first = offer["moves"][0]
        Draft202012Validator.check_schema(first["args"])
        Draft202012Validator(first["args"]).validate(first["example"]["args"])
        assert (offer["seat"], first["example"]["name"]) == (seat, first["name"])
        assert players[seat].plays(table, first["example"]).status_code == 200


def test_exactly_the_offered_cards_are_accepted(playing, ada):
    table, players, turn = playing()
    (offer,) = players[turn].offers(table)["moves"]
    offered = offer["args"]["properties"]["card"]["enum"]
    for card in cards_of(players[turn], table):
        if card not in offered:
            assert players[turn].plays(table, {"name": "play_card", "args": {"card": card}}).status_code == 409
    assert players[turn].plays(table, {"name": "play_card", "args": {"card": offered[-1]}}).status_code == 200


def test_every_offered_card_is_at_its_scene_pointer(playing):
    table, players, turn = playing()
    (offer,) = players[turn].offers(table)["moves"]
    card = offer["args"]["properties"]["card"]
    assert (offer["args"]["title"], card["title"], card["x-at"]) == ("Play card", "Card", f"/zones/hand-{turn}")
    lying = [spot["card"] for spot in players[turn].sees(table)["scene"]["zones"][f"hand-{turn}"]["spots"]]
    assert set(card["enum"]) <= set(lying)


def test_first_example_is_the_default_move_of_the_clock(full_table):
    table, players = full_table()
    rank = "23456789TJQKA".index
    highest = sorted(cards_of(players[2], table), key=lambda card: (rank(card[0]), "CDHS".index(card[1])))[-3:]
    example = players[2].offers(table)["moves"][0]["example"]
    assert sorted(example["args"]["cards"]) == sorted(highest)


def test_waiting_seat_is_offered_the_commands_of_the_match(playing):
    table, players, turn = playing()
    offer = players[(turn + 1) % 4].offers(table)
    assert offer["moves"] == []
    assert [also["name"] for also in offer["also"]] == ["resign"]


def test_folded_seat_has_no_decision_and_may_leave(player):
    players = [player() for _ in range(3)]
    table = players[0].creates(game="holdem", seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])
    for seat in (1, 2):
        assert players[seat].put(f"{table.path}/seats/{seat}", {}).status_code == 200
    (turn,) = players[0].sees(table)["to_act"]
    assert players[turn].plays(table, {"name": "fold"}).status_code == 200
    offer = players[turn].offers(table)
    assert offer["moves"] == []
    assert [also["name"] for also in offer["also"]] == ["leave_table", "resign"]
    left = players[turn].plays(table, offer["also"][0]["example"])
    assert left.status_code == 200, left.json


def test_caller_without_a_seat_is_offered_nothing(ada, stranger):
    offer = stranger.offers(ada.creates())
    known = {name: offer[name] for name in ("version", "head")}
    assert offer == {**known, "seat": None, "prompt": "", "moves": [], "also": []}


def test_player_with_several_seats_is_asked_seat_by_seat(ada, ben):
    table = ada.creates(alone=True)
    assert table["your_seats"] == [0, 1, 2, 3]
    for seat in range(4):
        offer = ada.get(f"{table.path}/moves?seat={seat}").json
        assert offer["moves"][0]["example"]["seat"] == seat
        assert ada.plays(table, offer["moves"][0]["example"]).json["events"][0]["data"]["seat"] == seat
    assert code(ben.get(f"{table.path}/moves?seat=0")) == (403, "not_seated")
    assert ada.offers(table)["seat"] == ada.sees(table)["to_act"][0]


# --- Moving -----------------------------------------------------------------------------------------------


def test_move_returns_its_events_beginning_with_its_own(full_table):
    table, players = full_table()
    before = players[1].sees(table)["version"]
    made = players[1].plays(table)
    answer = made.json
    assert [event["type"] for event in answer["events"]] == ["PassChosen"]
    assert len(answer["events"][0]["data"]["cards"]) == 3
    assert (answer["version"], answer["to_act"]) == (before + 1, [0, 2, 3])
    assert (made.headers["ETag"], answer["head"]) == (f'"{before + 1}"', answer["events"][0]["digest"])


@pytest.mark.parametrize(
    "write", [str.lower, lambda c: c.replace("T", "10"), lambda c: c[0] + "♣♦♥♠"["CDHS".index(c[1])]]
)
def test_cards_are_accepted_in_common_spellings(full_table, write):
    table, players = full_table()
    cards = [write(card) for card in cards_of(players[0], table)[:3]]
    assert players[0].plays(table, {"name": "pass_cards", "args": {"cards": cards}}).status_code == 200


@pytest.mark.parametrize(
    ("move", "refusal", "field"),
    [
        ({"name": "knock"}, "bad_arguments", "name"),
        ({}, "bad_arguments", "name"),
        ({"name": "pass_cards"}, "bad_arguments", "args.cards"),
        ({"name": "pass_cards", "args": {"cards": ["1S", "2C", "3C"]}}, "bad_arguments", "args.cards.0"),
        ({"name": "pass_cards", "args": {"cards": ["QS", "qs", "2C"]}}, "duplicate_card", "args.cards"),
        ({"name": "pass_cards", "args": {"cards": ["QS", "QS"], "x": 1}}, "bad_arguments", "args.x"),
        ({"name": "pass_cards", "args": {"cards": "QS"}}, "bad_arguments", "args.cards"),
        ({"name": "pass_cards", "args": {"cards": [7]}}, "bad_arguments", "args.cards.0"),
        ({"name": "play_card", "args": {"card": ["QS"]}}, "bad_arguments", "args.card"),
        ({"name": "play_card", "args": {"card": "??"}}, "bad_arguments", "args.card"),
        ({"name": "resign", "args": {"whole_match": 1}}, "bad_arguments", "args.whole_match"),
        ({"name": "resign", "args": []}, "bad_arguments", "args"),
        ({"name": "resign", "seat": "0"}, "bad_arguments", "seat"),
        ({"name": "resign", "seat": True}, "bad_arguments", "seat"),
        ({"name": "resign", "at": "now"}, "bad_arguments", "at"),
    ],
)
def test_malformed_move_is_refused_with_its_field(ada, move, refusal, field):
    refused = ada.post(f"{ada.creates().path}/moves", move)
    assert code(refused) == (422, refusal)
    assert field in refused.json["errors"]


def test_a_refused_move_changes_nothing(full_table, stranger):
    table, players = full_table()
    before = players[0].sees(table)
    foreign = next(c for c in (*(f"{rank}C" for rank in "23456789TJQKA"), "2D") if c not in before["table"]["hand"])
    mine = before["table"]["hand"]
    for cards, why in (([foreign, *mine[:2]], "card_not_in_hand"), (mine[:2], "wrong_count")):
        refused = players[0].plays(table, {"name": "pass_cards", "args": {"cards": cards}})
        assert code(refused) == (409, why)
    assert refused.json["detail"] == "Number of cards to pass: 3. You chose 2."
    assert code(players[0].plays(table, {"name": "play_card", "args": {"card": mine[0]}})) == (
        409,
        "wrong_phase",
    )
    assert code(players[0].plays(table, {"name": "continue_match"})) == (409, "wrong_phase")
    assert players[0].sees(table) == before


def test_second_answer_is_refused(full_table):
    table, players = full_table()
    move = players[0].offers(table)["moves"][0]["example"]
    players[0].plays(table, move)
    again = {"name": "pass_cards", "args": {"cards": cards_of(players[0], table)[:3]}}
    assert code(players[0].plays(table, again)) == (409, "already_done")


def test_refusals_come_in_the_order_of_the_contract(playing, ben, stranger, bots):
    table, players, turn = playing()
    other = players[(turn + 1) % 4]
    path, stale = f"{table.path}/moves", {"If-Match": '"1"'}
    misshapen, well = (
        {"name": "play_card", "args": {"card": "1X"}},
        {"name": "play_card", "args": {"card": "2C"}},
    )
    assert code(stranger.send("POST", path, data=b"{", content_type="application/json")) == (
        400,
        "bad_request",
    )
    assert code(stranger.post(path, misshapen)) == (401, "unauthenticated")
    assert code(ben.post("/v1/matches/none/moves", misshapen)) == (404, "not_found")
    assert code(ben.post(path, misshapen, headers=stale)) == (422, "bad_arguments")
    assert code(ben.post(path, well, headers=stale)) == (403, "not_seated")
    assert code(other.post(path, {**well, "seat": turn}, headers=stale)) == (403, "not_seated")
    assert code(other.post(path, well, headers=stale)) == (412, "version_mismatch")
    assert code(other.post(path, well)) == (409, "not_your_turn")


def test_finished_match_accepts_no_moves(ada, ben, bots):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    for somebody in (ada, ben):
        assert code(somebody.plays(table, {"name": "resign"}, headers={"If-Match": '"1"'})) == (
            409,
            "match_over",
        )


# --- Concurrency ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "status"), [('"{}"', 200), ("*", 200), ('"0", "{}"', 200), ('"{}",', 200), ('W/"{}"', 412), ('"999"', 412)]
)
def test_if_match_header_is_respected(full_table, tag, status):
    table, players = full_table()
    version = players[0].sees(table)["version"]
    made = players[0].plays(table, headers={"If-Match": tag.format(version)})
    assert made.status_code == status


@pytest.mark.parametrize("name", ["If-Match", "If-None-Match"])
@pytest.mark.parametrize("tag", ["", "61", '"61', '61"', '"6"1"', '"1" "2"', '"1", *', "**", 'w/"61"', '"a b"'])
def test_malformed_if_match_is_refused_with_400_first(full_table, name, tag):
    table, players = full_table()
    version = players[0].sees(table)["version"]
    refused = players[0].plays(table, headers={name: tag})
    assert code(refused) == (400, "bad_request")
    assert f"`{name}`" in refused.json["detail"]
    assert players[0].sees(table)["version"] == version


def test_simultaneous_moves_of_two_seats_both_succeed(full_table):
    table, players = full_table()
    moves = [player.offers(table)["moves"][0]["example"] for player in players]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda player, move: player.plays(table, move).status_code, players, moves))
    assert made == [200] * 4


# --- Sending it again -------------------------------------------------------------------------------------


def test_repeated_move_is_made_once_and_gets_the_same_answer(full_table):
    table, players = full_table()
    move, key = players[0].offers(table)["moves"][0]["example"], {"Idempotency-Key": "k"}
    first = players[0].plays(table, move, headers=key)
    for other in players[1:]:
        other.plays(table)
    again = players[0].plays(table, move, headers=key)
    assert (again.status_code, again.json, again.headers["ETag"]) == (200, first.json, first.headers["ETag"])
    assert again.headers["Idempotency-Replayed"] == "true"
    assert [e["type"] for e in players[0].events(table)].count("PassChosen") == 4


def test_repeated_request_is_answered_before_any_other_check(full_table):
    table, players = full_table()
    move, key = players[0].offers(table)["moves"][0]["example"], {"Idempotency-Key": "k", "If-Match": "*"}
    players[0].plays(table, move, headers=key)
    assert players[0].plays(table, move, headers={**key, "If-Match": '"1"'}).status_code == 200
    assert code(players[0].plays(table, {"name": "resign"}, headers=key)) == (422, "idempotency_mismatch")


def test_concurrent_repeats_make_one_move(full_table):
    table, players = full_table()
    move, key = players[0].offers(table)["moves"][0]["example"], {"Idempotency-Key": "k"}
    again = [Client(players[0].app, players[0].token) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda client: client.plays(table, move, headers=key), again))
    assert {response.status_code for response in made} == {200}
    assert len({response.data for response in made}) == 1
    assert sum("Idempotency-Replayed" not in response.headers for response in made) == 1


@pytest.mark.parametrize("headers", [{}, {"If-Match": '"{}"'}])
def test_repeat_that_loses_the_race_to_the_first_gets_the_same_answer(full_table, headers, monkeypatch):
    table, players = full_table()
    version = players[0].sees(table)["version"]
    headers = {"Idempotency-Key": "k"} | {name: tag.format(version) for name, tag in headers.items()}
    move = players[0].offers(table)["moves"][0]["example"]
    first = players[0].plays(table, move, headers=headers)
    looked = []
    before = once.find_repeat
    monkeypatch.setattr(once, "find_repeat", lambda idem: before(idem) if looked else looked.append(1))
    again = players[0].plays(table, move, headers=headers)
    assert (again.status_code, again.json) == (200, first.json)


def test_retry_after_a_crash_between_commit_and_answer_returns_the_move(app, full_table, monkeypatch):
    table, players = full_table()
    move, key = players[0].offers(table)["moves"][0]["example"], {"Idempotency-Key": "k"}
    with monkeypatch.context() as crash:
        crash.setattr("api.resources.move_routes.raw_json_parts", lambda _: 1 / 0)
        assert players[0].plays(table, move, headers=key).status_code == 500
    again = players[0].plays(table, move, headers=key)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (200, "true")
    assert again.json["events"][0]["data"]["cards"] == sorted(again.json["events"][0]["data"]["cards"], key=_order)


def _order(card):
    return "CDHS".index(card[1]), "23456789TJQKA".index(card[0])


# --- The match after it -----------------------------------------------------------------------------------

WHOLE = {"Prefer": "return=representation"}


def test_move_returns_the_resulting_match_and_legal_moves_on_request(playing):
    table, players, turn = playing()
    short = players[turn].plays(table)
    assert not {"match", "offer"} & short.json.keys()
    assert "Preference-Applied" not in short.headers
    turn = short.json["to_act"][0]
    made = players[turn].plays(table, headers=WHOLE)
    assert made.headers["Preference-Applied"] == WHOLE["Prefer"]
    assert made.json["match"] == players[turn].sees(table)
    assert made.json["offer"] == players[turn].offers(table)
    assert made.json["version"] == made.json["match"]["version"] == made.json["offer"]["version"]


def test_fields_select_parts_of_the_match_after_a_move(playing):
    table, players, turn = playing()
    move, query = (
        players[turn].offers(table)["moves"][0]["example"],
        "fields=version,match.table,bare_scene,offer.moves",
    )
    made = players[turn].post(f"{table.path}/moves?{query}", move)
    assert made.mimetype == PART
    whole = players[turn].get(f"{table.path}?fields=version,table,bare_scene,offer.moves").json
    assert made.json == {
        "version": whole["version"],
        "match": {"table": whole["table"]},
        "bare_scene": whole["bare_scene"],
        "offer": whole["offer"],
    }


def test_unknown_field_is_refused_before_the_move(playing):
    table, players, turn = playing()
    move, before = players[turn].offers(table)["moves"][0]["example"], players[turn].sees(table)["version"]
    for query in ("fields=hand", "fields=", "field=version"):
        assert code(players[turn].post(f"{table.path}/moves?{query}", move)) == (422, "bad_arguments")
    assert players[turn].sees(table)["version"] == before


def test_other_preferences_change_nothing(playing):
    table, players, turn = playing()
    made = players[turn].plays(table, headers={"Prefer": "return=minimal, handling=strict"})
    assert not {"match", "offer"} & made.json.keys()


def test_repeat_shows_the_match_as_it_was_after_the_move(full_table):
    table, players = full_table()
    move, headers = players[0].offers(table)["moves"][0]["example"], {"Idempotency-Key": "k", **WHOLE}
    first = players[0].plays(table, move, headers=headers)
    for other in players[1:]:
        other.plays(table)
    again = players[0].plays(table, move, headers=headers)
    assert (again.json, again.headers["Idempotency-Replayed"]) == (first.json, "true")
    assert again.json["match"]["version"] < players[0].sees(table)["version"]


def test_idempotency_key_of_another_player_reveals_nothing(full_table, ben):
    table, players = full_table()
    move, headers = players[0].offers(table)["moves"][0]["example"], {"Idempotency-Key": "k", **WHOLE}
    players[0].plays(table, move, headers=headers)
    assert code(ben.plays(table, move, headers=headers)) == (403, "not_seated")


def test_player_with_several_seats_gets_the_view_of_the_seat_that_moved(ada):
    table = ada.creates(alone=True)
    for seat in (0, 2):
        move = ada.get(f"{table.path}/moves?seat={seat}").json["moves"][0]["example"]
        made = ada.plays(table, move, headers=WHOLE).json
        assert made["match"] == ada.get(f"{table.path}?seat={seat}").json
        assert made["offer"] == ada.get(f"{table.path}/moves?seat={seat}").json


def test_player_who_resigns_sees_the_table_as_a_spectator(playing, stranger):
    table, players, turn = playing()
    made = players[turn].plays(table, {"name": "resign"}, headers=WHOLE).json
    assert made["match"]["table"] == stranger.sees(table)["table"]
    assert (made["match"]["your_seat"], made["offer"]["moves"]) == (None, [])


# --- Commands of the match --------------------------------------------------------------------------------


def test_bot_plays_on_for_a_resigned_player(full_table):
    table, players = full_table()
    made = players[3].plays(table, {"name": "resign"}).json
    assert [event["type"] for event in made["events"]] == ["SeatResigned", "SeatHandedToBot"]
    assert players[0].sees(table)["seats"][3]["played_by_bot"]
    assert players[3].offers(table) == {**players[3].offers(table), "moves": [], "also": []}
    assert code(players[3].plays(table, {"name": "resign"})) == (409, "already_done")


def test_player_replaced_by_a_bot_takes_the_seat_back(app, full_table, clock):
    table, players = full_table(clock={"per_decision_seconds": 60, "on_expiry": "bot"})
    assert players[0].sees(table)["deadline"] is not None
    clock.passes(61)
    app.extensions["dealt"].context.settle(table["id"])
    assert "take_seat_back" in [also["name"] for also in players[1].offers(table)["also"]]
    assert players[1].plays(table, {"name": "take_seat_back"}).status_code == 200
    assert players[1].offers(table)["moves"]
