"""Tests replays: the table at an earlier version."""

import gzip
import json

import pytest

from events.service import replay
from tests.api.client import Table, code


def at(client, table, query=""):
    return client.get(f"{table.path}/replay{query}")


def test_last_version_equals_the_current_table(playing):
    table, players, _ = playing()
    now = players[1].sees(table)
    shown = at(players[1], table).json
    keys = ("table", "scene", "to_act", "head", "status", "version")
    assert {key: now[key] for key in keys} == {key: shown[key] for key in keys}
    assert shown["seat"] == 1


def test_replay_of_a_version_is_the_table_at_that_version(full_table):
    table, players = full_table()
    then = {}
    for player in players:
        then[players[0].sees(table)["version"]] = players[0].sees(table)
        player.plays(table)
    for version, seen in then.items():
        shown = at(players[0], table, f"?version={version}").json
        keys = ("table", "scene", "head", "to_act")
        assert [shown[key] for key in keys] == [seen[key] for key in keys]


def test_other_seats_can_be_viewed_only_once_the_hand_is_disclosed(ada, ben, bots):
    table = ada.creates(bots_only=True, options={"target_score": 30})
    dealt = next(e["seq"] for e in ada.events(table) if e["type"] == "HandDealt")
    for seat in ("0", "all"):
        assert code(at(ben, table, f"?version={dealt}&seat={seat}")) == (403, "forbidden")
    assert at(ben, table, "?seat=spectators").status_code == 200
    bots(table)
    hands = at(ben, table, f"?version={dealt}&seat=all").json["table"]["hands"]
    assert sorted(len(set(hand)) for hand in hands) == [13] * 4
    assert at(ben, table, f"?version={dealt}&seat=02").json["seat"] == 2
    assert at(ben, table, f"?version={dealt}&seat=2").json["table"]["hand"] == hands[2]


def test_undisclosed_parts_stay_hidden(ada, bots):
    table = ada.creates(bots_only=True, options={"target_score": 1, "fairness_reveal": "never"})
    bots(table)
    assert code(at(ada, table, "?seat=all")) == (403, "forbidden")


@pytest.mark.parametrize(
    "query",
    [
        "?version=0",
        "?version=9999",
        "?version=x",
        "?seat=4",
        "?seat=me",
        "?seat=99",
        "?at=1",
        "?at=hand:0",
        "?at=hand:2",
        "?at=trick:1",
        "?at=pot:1",
        "?version=1&at=hand:1",
        "?to=1",
    ],
)
def test_unknown_version_is_refused(ada, query):
    assert code(at(ada, ada.creates(), query)) == (422, "bad_arguments")


# --- Many versions at once --------------------------------------------------------------------------------


def lines(client, table, query="", status=200):
    response = client.get(f"{table.path}/replay{query}", headers={"Accept": "application/x-ndjson"})
    assert response.status_code == status, response.text
    return [json.loads(line) for line in response.text.splitlines()] if status == 200 else response


def test_replay_line_has_the_table_at_its_version(full_table):
    table, players = full_table()
    for _ in range(6):
        players[players[0].sees(table)["to_act"][0]].plays(table)
    for client, query in ((players[0], ""), (players[1], "&seat=spectators")):
        told = lines(client, table, f"?{query}")
        assert [line["version"] for line in told] == [*range(1, players[0].sees(table)["version"] + 1)]
        keys = ("version", "status", "to_act", "deadline", "scene", "result", "head")
        for line in told:
            alone = at(client, table, f"?version={line['version']}{query}").json
            assert {key: line[key] for key in keys} == {key: alone[key] for key in keys}
    assert [(line["text"], line["at"], line["commit"]) for line in lines(players[0], table)] == [
        (event["text"], event["at"], event["commit"]) for event in players[0].events(table)
    ]


def test_replay_lines_with_fading_fields_match_single_versions(ada, bots):
    body = {"game": "trio", "options": {"memory": "strict", "first_player": "pick", "first_player_seat": 0}}
    table = Table(ada.post("/v1/matches", body | {"seats": [{"kind": "me"}, *[{"kind": "bot"}] * 2]}).json)
    for _ in range(2):
        bots(table)
        while 0 in ada.sees(table)["to_act"]:
            ada.plays(table)
    for line in lines(ada, table, "?from=5"):
        assert line["scene"] == at(ada, table, f"?version={line['version']}").json["scene"]


def test_long_replay_is_split_and_each_part_names_the_next(ada, bots, monkeypatch):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    whole = lines(ada, table)
    monkeypatch.setattr(replay, "MOST", 30)
    parts, first = [], 1
    while first:
        part = lines(ada, table, f"?from={first}&to={len(whole) - 1}")
        assert len(part) <= 30
        first = part[-1].pop("next", None)
        parts += part
    assert parts == whole[:-1]


def test_three_answers_contain_1500_versions():
    assert 3 * replay.MOST >= 1_500


def test_replay_of_a_finished_match_is_cached_per_release(ada, bots):
    release = ada.get("/v1/games").json["release"]
    table, running = ada.creates(bots_only=True, short=True), ada.creates()
    bots(table)
    accept = {"Accept": "application/x-ndjson"}

    def kept(path, query):
        return ada.get(f"{path}/replay{query}", headers=accept).headers["Cache-Control"]

    assert kept(table.path, f"?from=1&to=9&release={release}") == "private, max-age=31536000, immutable"
    for path, query in (
        (table.path, "?from=1&to=9"),
        (table.path, f"?from=1&release={release}"),
        (table.path, f"?from=1&to=9&release={'0' * 16}"),
        (running.path, f"?from=1&to=3&release={release}"),
    ):
        assert kept(path, query) == "private, no-store"
    first = ada.get(f"{table.path}/replay?to=9", headers=accept)
    assert first.headers["Vary"].startswith("Authorization, Accept")
    again = ada.get(f"{table.path}/replay?to=9", headers={**accept, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.text) == (304, "")


def test_lines_are_compressed_only_once_all_of_them_are_disclosed(ada, bots):
    headers = {"Accept": "application/x-ndjson", "Accept-Encoding": "gzip"}

    def asks(table):
        return ada.get(f"{table.path}/replay", headers=headers)

    over, never = (
        ada.creates(bots_only=True, options={"target_score": 1, "fairness_reveal": reveal})
        for reveal in ("hand_end", "never")
    )
    bots(over)
    bots(never)
    assert gzip.decompress(asks(over).data).decode().splitlines() == [*map(str, asks_plain(ada, over))]
    assert asks(over).headers["Content-Encoding"] == "gzip"
    for closed in (never, ada.creates()):
        assert "Content-Encoding" not in asks(closed).headers


def asks_plain(client, table):
    return client.get(f"{table.path}/replay", headers={"Accept": "application/x-ndjson"}).text.splitlines()


@pytest.mark.long
def test_replay_from_another_seat_needs_disclosed_hands(ada, ben, bots):
    table = ada.creates(bots_only=True, options={"target_score": 30})
    dealt = next(e["seq"] for e in ada.events(table) if e["type"] == "HandDealt")
    assert code(lines(ben, table, f"?to={dealt}&seat=all", 403)) == (403, "forbidden")
    bots(table)
    last = lines(ben, table, f"?to={dealt}&seat=all")[-1]
    assert {len(last["scene"]["zones"][f"hand-{seat}"]["spots"]) for seat in range(4)} == {13}


@pytest.mark.parametrize("query", ["?from=0", "?from=9&to=8", "?to=9999", "?version=3", "?at=hand:1", "?release=x"])
def test_replay_lines_out_of_range_are_refused(ada, query):
    assert code(lines(ada, ada.creates(), query, 422)) == (422, "bad_arguments")


def test_single_replay_table_is_selected_by_version(ada):
    refused = at(ada, ada.creates(), "?from=1&to=2")
    assert code(refused) == (422, "bad_arguments")
    assert set(refused.json["errors"]) == {"from", "to"}


# --- Marks ------------------------------------------------------------------------------------------------


def marks(client, table):
    return {mark["at"]: mark["version"] for mark in client.get(f"{table.path}/replay/marks").json["items"]}


@pytest.mark.long
def test_bookmarks_lead_to_games_hands_and_tricks(ada, bots):
    table = ada.creates(bots_only=True, options={"target_score": 45, "variant": "2-2-2-3"})
    bots(table)
    events, there = ada.events(table), marks(ada, table)
    started = [e for e in events if e["type"] == "HandStarted"]
    assert [f"hand:{e['data']['hand_no']}" for e in started] == [at for at in there if at.startswith("hand")]
    # A game with a shared first place is played again.
    games = [e for e in events if e["type"] == "GameStarted"]
    assert len(there) == len(games) + len(started) * (1 + 13)
    for e in started:
        hand = e["data"]["hand_no"]
        version = there[f"hand:{hand}"]
        assert version == max(other["seq"] for other in events if other["commit"] == e["commit"])
        assert at(ada, table, f"?at=hand:{hand}").json == at(ada, table, f"?version={version}").json
    seventh = at(ada, table, "?at=trick:2.7").json
    lead = events[seventh["version"]]
    assert (lead["type"], lead["data"]["trick_no"], seventh["table"]["trick"]) == (
        "CardPlayed",
        7,
        [],
    )
    assert len(seventh["table"]["hand_counts"]) == 4
    assert set(seventh["table"]["hand_counts"]) == {7}
    assert at(ada, table, "?at=game:1").json["version"] == there["game:1"]


def test_unknown_bookmark_is_refused_with_the_valid_ones(ada, bots):
    table = ada.creates(bots_only=True, options={"target_score": 30})
    bots(table)
    for mark, said in {
        "hand:99": "There is no hand:99. Choose from hand:1 to hand:",
        "trick:1.14": "There is no trick:1.14. Choose from trick:1.1 to trick:1.13.",
        "trick:77.1": "There is no hand:77. Choose from hand:1 to hand:",
        "game:9": "There is no game:9. ",
    }.items():
        refused = at(ada, table, f"?at={mark}")
        assert code(refused) == (422, "bad_arguments")
        assert refused.json["errors"]["at"][0].startswith(said)


def test_match_has_no_bookmarks_before_the_start(ada):
    table = ada.creates(open_table=True)
    assert marks(ada, table) == {}
    assert at(ada, table, "?at=hand:1").json["errors"]["at"] == ["No hand has begun yet."]


def test_trick_bookmark_is_refused_in_a_game_without_tricks(ada):
    table = ada.creates(game="gin_rummy", seats=[{"kind": "me"}, {"kind": "bot", "level": "random"}])
    assert list(marks(ada, table)) == ["game:1", "hand:1"]
    assert at(ada, table, "?at=trick:1.1").json["errors"]["at"] == [
        "Gin Rummy has no tricks. Jump to a hand, such as hand:1."
    ]


def test_bookmarks_lead_to_the_key_moments_of_the_game(ada, bots):
    table = ada.creates(game="fivewells", seats=[{"kind": "me"}, {"kind": "bot", "level": "easy"}])
    bots(table)
    while ada.sees(table)["table"]["turn"] < 5:
        assert ada.plays(table).status_code == 200
        bots(table)
    events, there = ada.events(table), marks(ada, table)
    turns = [e for e in events if e["type"] == "TurnStarted"]
    assert [f"turn:1.{e['data']['turn']}" for e in turns] == [at for at in there if at.startswith("turn")]
    attacks = [e for e in events if e["type"] == "AttackersDeclared" and e["data"]["attackers"]]
    assert len(attacks) == sum(at.startswith("combat") for at in there)
    fourth = at(ada, table, "?at=turn:1.4").json
    assert fourth["version"] == there["turn:1.4"]
    assert fourth["table"]["turn"] >= 4
    for mark, said in {
        "turn:1.99": "There is no turn:1.99. Choose from turn:1.1 to turn:1.",
        "turn:2.1": "There is no hand:2. The only mark is hand:1.",
        "trick:1.1": "Fivewells has no tricks. Jump to a hand, such as hand:1.",
        "showdown:1.1": "Fivewells has no marks of the kind showdown. Jump to a hand, such as hand:1.",
    }.items():
        refused = at(ada, table, f"?at={mark}")
        assert code(refused) == (422, "bad_arguments")
        assert refused.json["errors"]["at"][0].startswith(said)


def test_replay_of_a_private_match_needs_read_access(ada, ben):
    table = ada.creates(private=True)
    for path in ("", "/marks"):
        assert ada.get(f"{table.path}/replay{path}").status_code == 200
        assert code(ben.get(f"{table.path}/replay{path}")) == (404, "not_found")
