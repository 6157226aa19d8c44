"""Tests the record of a match over HTTP, and the chain of a running match, which anyone can verify."""

import hmac
import json
import re
from hashlib import sha256

import pytest

from api.http import compression
from events.proof import record
from tests.api.client import code
from tests.tampered import failing, verified

RECORD = "application/vnd.dealt.record+json"


def taken(client, table, query="", **headers):
    return client.get(f"{table.path}/record{query}", headers=headers)


@pytest.fixture
def over(ada, bots):
    """Return a finished match of bots."""

    def made(**chosen):
        table = ada.creates(bots_only=True, options={"target_score": 1, **chosen})
        bots(table)
        return table

    return made


# --- What is served ---------------------------------------------------------------------------------------


def test_record_has_its_media_type_and_file_name(ada, over):
    table = over()
    got = taken(ada, table)
    assert got.mimetype == RECORD
    assert got.headers["Content-Disposition"] == f'attachment; filename="hearts-{table["id"]}.json"'
    for accept in ("*/*", f"{RECORD}, application/json;q=0.5", "application/*"):
        assert taken(ada, table, Accept=accept).mimetype == RECORD
    assert taken(ada, table, Accept="application/json").mimetype == "application/json"
    assert taken(ada, table, Accept="application/json").data == got.data
    assert code(taken(ada, table, Accept="text/html")) == (406, "not_acceptable")


def test_finished_match_can_be_verified_by_anyone(stranger, over):
    got = taken(stranger, over())
    report = verified(got.json)
    assert report.ok


@pytest.mark.parametrize("what", ["record", "events"])
@pytest.mark.parametrize("form", [RECORD, "application/x-ndjson", "application/json", "text/plain"])
def test_only_finished_and_disclosed_records_are_compressed(what, form, ada, stranger, over, playing):
    def coding(client, table):
        answer = client.get(f"{table.path}/{what}", headers={"Accept-Encoding": "gzip", "Accept": f"{form}, */*;q=0.1"})
        assert answer.status_code == 200
        return answer.headers.get("Content-Encoding")

    ended, (going, players, _) = over(), playing()
    assert (coding(ada, ended), coding(stranger, ended)) == ("gzip", "gzip")
    assert coding(players[0], going) is None


def test_compressed_pages_of_events_are_not_cached(stranger, over):
    ended, before = over(), compression._whole.cache_info().currsize
    for after in range(5):
        page = stranger.get(f"{ended.path}/events?after={after}", headers={"Accept-Encoding": "gzip"})
        assert page.headers["Content-Encoding"] == "gzip"
    assert compression._whole.cache_info().currsize == before


def test_record_has_the_same_match_data_as_the_match(playing):
    table, players, _ = playing()
    made, match = taken(players[2], table).json["match"], players[2].sees(table)
    assert made.pop("reader") == "2"
    seats = [{name: seat[name] for name in made["seats"][0]} for seat in match["seats"]]
    for seat in seats:  # handles belong to this server alone
        seat["player"].pop("handle")
    assert made.pop("seats") == seats
    assert set(made) == {
        "id", "game", "rules", "version", "head", "status", "visibility", "preset", "options", "series",
        "clock", "created_at", "result",
    }  # fmt: skip
    assert made == {name: match[name] for name in made}


def test_the_record_of_a_running_match_is_the_callers_feed(playing, stranger):
    table, players, _ = playing()
    for client in (*players, stranger):
        made = taken(client, table).json
        assert made["events"] == [{n: x for n, x in e.items() if n != "text"} for e in client.events(table)]
        assert failing(verified(made)) == []


def test_record_of_an_undisclosed_match_stays_the_readers_feed(ada, stranger, over):
    table = over(fairness_reveal="never")
    made = taken(stranger, table).json
    assert made["match"]["status"] == "finished"
    assert not any("unseal" in e or "disclosed" in e for e in made["events"])
    report = verified(made)
    assert report.verdict == "unverifiable"
    assert {check.name for check in report.checks if check.skipped} == {
        "seals",
        "shuffles",
        "rules",
        "result",
    }


def test_a_player_with_several_seats_chooses_one(ada, stranger):
    table = ada.creates(alone=True)
    assert taken(ada, table).json["match"]["reader"] == "0"
    third = taken(ada, table, "?seat=2").json
    assert third["match"]["reader"] == "2"
    assert failing(verified(third)) == []
    dealt = next(e for e in third["events"] if e["type"] == "HandDealt")
    assert list(dealt["unseal"]["cards"]) == ["2"]
    assert code(taken(stranger, table, "?seat=2")) == (403, "not_seated")
    assert code(taken(ada, table, "?seat=x")) == (422, "bad_arguments")


def test_record_requires_read_access(ada, ben):
    table = ada.creates(private=True)
    assert code(taken(ben, table)) == (404, "not_found")
    assert taken(ada, table).status_code == 200


def test_record_etag_changes_with_the_version_and_with_names(full_table):
    table, players = full_table(visibility="public")
    got = taken(players[0], table)
    tag = got.headers["ETag"]
    assert re.fullmatch(f'"{got.json["match"]["version"]}-[0-9a-f]{{8}}"', tag)
    assert taken(players[0], table).data == got.data
    assert taken(players[0], table, **{"If-None-Match": tag}).status_code == 304
    assert players[3].patch("/v1/players/me", {"name": "Dora"}).status_code == 200
    renamed = taken(players[0], table, **{"If-None-Match": tag})
    assert renamed.json["match"]["seats"][3]["player"] == {"id": players[3].id, "name": "Dora"}
    tag = renamed.headers["ETag"]
    assert players[3].delete("/v1/players/me").status_code == 204
    erased = taken(players[0], table, **{"If-None-Match": tag})
    assert erased.status_code == 200
    assert erased.json["match"]["seats"][3]["player"] == {"id": players[3].id, "name": None}
    assert failing(verified(erased.json)) == []
    assert taken(players[0], table, **{"If-None-Match": erased.headers["ETag"]}).status_code == 304


def test_record_too_long_to_verify_is_served(ada, over, monkeypatch):
    table = over()
    monkeypatch.setattr(record, "MOST_EVENTS", 50)
    got = taken(ada, table)
    assert got.status_code == 200
    with pytest.raises(record.Unreadable, match="50 events"):
        record.read_record(got.data)


def test_lobby_warns_if_nothing_will_be_disclosed(ada):
    never = ada.creates(options={"fairness_reveal": "never"})["fairness"]
    assert (never["reveal"], never["provable"]) == ("never", False)
    assert "check" in never["note"]
    usual = ada.creates()["fairness"]
    assert (usual["reveal"], usual["provable"], usual["note"]) == ("hand_end", True, None)


@pytest.mark.parametrize("game", ["holdem", "five_card_draw"])
@pytest.mark.parametrize(
    ("reveal", "provable", "sentence"),
    [
        (None, True, "when the match is over. Then everyone can see all cards, including folded and mucked hands"),
        ("hand_end", True, "after each hand. Then everyone can see all cards, including folded and mucked hands"),
        ("game_end", True, "after each game. Then everyone can see all cards, including folded and mucked hands"),
        ("never", False, "no one can check how its cards were shuffled"),
    ],
)
def test_poker_lobby_states_who_will_see_folded_hands(ada, game, reveal, provable, sentence):
    options = {} if reveal is None else {"fairness_reveal": reveal}
    lobby = ada.creates(game=game, options=options)["fairness"]
    assert (lobby["reveal"], lobby["provable"]) == (reveal or "match_end", provable)
    assert sentence in lobby["note"]
    costs = "no one could check how" if provable else "folded and mucked hands stay hidden permanently"
    assert costs in lobby["note"]


# --- Live verification, written from the contract alone (contract 6) --------------------------------------


def canonical(x):
    return json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def chain(match_id, events):
    """Verify the chain of a feed and every part it shows; return the digests by version."""
    digests = {0: "0" * 64}
    for n, e in enumerate(events, 1):
        assert e["seq"] == n
        public = {name: x for name, x in e["data"].items() if name not in e["seals"]}
        envelope = {"at": e["at"], "cause": e["cause"], "commit": e["commit"], "data": public, "match": match_id,
                    "seals": e["seals"], "seq": n, "type": e["type"], "v": e["v"]}  # fmt: skip
        digests[n] = sha256(digests[n - 1].encode() + canonical(envelope)).hexdigest()
        assert digests[n] == e["digest"], n
        for field, keys in e.get("unseal", {}).items():
            for reader, key in keys.items():
                shown = e.get("disclosed", {}).get(field, {})
                value = shown[reader] if reader in shown else e["data"][field]
                message = canonical({"field": field, "reader": reader, "seq": n, "value": value})
                assert len(bytes.fromhex(key)) == 32
                made = hmac.new(bytes.fromhex(key), message, "sha256").hexdigest()
                assert made == e["seals"][field][reader], (n, field)
    return digests


def test_seats_and_spectators_can_verify_the_chain_during_the_match(playing, stranger):
    table, players, turn = playing()
    kept = {}
    for _ in range(8):
        made = players[turn].plays(table).json
        kept[made["version"]] = made["head"]
        now = players[turn].sees(table)
        turn = now["to_act"][0]
    heads = [chain(table["id"], client.events(table)) for client in (*players, stranger)]
    assert all(other == heads[0] for other in heads)
    for version, head in kept.items():
        assert heads[0][version] == head
    assert heads[0][now["version"]] == now["head"]
    hidden = [e for e in stranger.events(table) if e["seals"]]
    assert hidden
    assert not any("unseal" in e for e in hidden)


def test_every_answer_about_a_version_has_its_head(playing, stranger):
    table, players, turn = playing()
    players[turn].plays(table)
    digests = chain(table["id"], stranger.events(table))
    for version in (3, 7, len(digests) - 1):
        assert stranger.get(f"{table.path}/replay?version={version}").json["head"] == digests[version]


def test_two_heads_expose_a_server_that_shows_two_chains(playing, stranger):
    table, players, _ = playing()
    mine = players[0].events(table)
    theirs = json.loads(json.dumps(stranger.events(table)))
    theirs[2]["data"]["extra"] = 1
    before = theirs[1]["digest"]
    for e in theirs[2:]:
        public = {name: x for name, x in e["data"].items() if name not in e["seals"]}
        envelope = {"at": e["at"], "cause": e["cause"], "commit": e["commit"], "data": public, "match": table["id"],
                    "seals": e["seals"], "seq": e["seq"], "type": e["type"], "v": e["v"]}  # fmt: skip
        before = e["digest"] = sha256(before.encode() + canonical(envelope)).hexdigest()
    a, b = chain(table["id"], mine), chain(table["id"], theirs)
    assert a[2] == b[2]
    assert all(a[n] != b[n] for n in range(3, len(a)))
