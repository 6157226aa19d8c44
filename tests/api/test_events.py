"""Tests the feed: pages, lines, streams and waiting."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from events.settings import Settings
from tests.api.client import Client, code, waits


def parsed(stream):
    """Parse server-sent events into `(id, event, data)`."""
    blocks = [b for b in stream.split("\n\n") if b and not b.startswith(":")]
    rows = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [(int(row["id"]), row["event"], json.loads(row["data"])) for row in rows]


# --- Pages and lines --------------------------------------------------------------------------------------


def test_event_pages_have_no_gaps(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    after, seen = 0, []
    while (page := ada.get(f"{table.path}/events?after={after}&limit=7").json)["items"]:
        assert len(page["items"]) <= 7
        seen += page["items"]
        after = page["next"]
    assert [event["seq"] for event in seen] == list(range(1, ada.sees(table)["version"] + 1))
    assert seen == ada.events(table)
    assert page["next"] == after == seen[-1]["seq"]


def test_feed_as_json_lines_equals_the_paged_feed(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    lines = ada.get(f"{table.path}/events?limit=1", headers={"Accept": "application/x-ndjson"}).text.splitlines()
    assert [json.loads(line) for line in lines] == ada.events(table)


def test_feed_has_visible_fields_and_seals_for_hidden_ones(full_table, stranger):
    table, players = full_table()
    dealt = {name: next(e for e in c.events(table) if e["type"] == "HandDealt")
             for name, c in (("seat", players[1]), ("spectator", stranger))}  # fmt: skip
    assert list(dealt["seat"]["unseal"]["cards"]) == ["1"]
    assert "cards" not in dealt["spectator"]["data"]
    assert "unseal" not in dealt["spectator"]
    assert list(dealt["spectator"]["seals"]["cards"]) == ["0", "1", "2", "3"]
    assert dealt["seat"]["digest"] == dealt["spectator"]["digest"]


def test_event_texts_reveal_only_what_the_reader_may_see(full_table, stranger):
    table, players = full_table()
    own = {name: next(e for e in c.events(table) if e["type"] == "HandDealt")
           for name, c in (("seat", players[1]), ("spectator", stranger))}  # fmt: skip
    cards = " ".join(own["seat"]["data"]["cards"])
    assert own["seat"]["text"] == f"The cards were dealt: seat 1 got {cards}."
    assert own["spectator"]["text"] == "The cards were dealt."
    assert all(e["text"].endswith(".") for e in players[1].events(table))


def test_move_answer_equals_the_feed(playing):
    table, players, seat = playing()
    version = players[seat].sees(table)["version"]
    done = players[seat].plays(table).json
    assert done["events"] == players[seat].events(table, f"?after={version}")
    card = done["events"][0]["data"]["card"]
    assert done["events"][0]["text"] == f"Seat {seat} played {card}."


def test_log_can_be_read_as_plain_text(ada, bots):
    table = ada.creates(bots_only=True, options={"target_score": 20})
    bots(table)
    answer = ada.get(f"{table.path}/events", headers={"Accept": "text/plain"})
    lines = answer.text.splitlines()
    assert answer.content_type == "text/plain; charset=utf-8"
    assert lines[0].startswith(f"Hearts: match {table['id']}, finished")
    assert "  Seat 3: random bot" in lines
    for event in ada.events(table):
        assert sum(line.endswith(f"{event['at'][11:19]}  {event['text']}")
                   and line.split()[0] == str(event["seq"]) for line in lines) == 1  # fmt: skip
    hands = [i for i, line in enumerate(lines) if "  Hand " in line]
    assert all(lines[i - 1] == "" for i in hands)
    later = ada.get(f"{table.path}/events?after=20", headers={"Accept": "text/plain"}).text.splitlines()
    assert later[1:] == lines[-len(later) + 1 :]
    assert later[1].split()[0] == "21"


def test_readable_text_reveals_no_more_than_the_feed(full_table, stranger):
    table, players = full_table()
    hand = " ".join(players[1].sees(table)["table"]["hand"])
    mine = players[1].get(f"{table.path}/events", headers={"Accept": "text/plain"}).text
    others = [c.get(f"{table.path}/events", headers={"Accept": "text/plain"}).text for c in (stranger, players[0])]
    assert hand in mine
    assert not any(hand in text for text in others)
    assert players[0].name in mine


def test_unknown_media_types_are_refused(ada):
    table = ada.creates()
    assert code(ada.get(f"{table.path}/events", headers={"Accept": "text/csv"})) == (406, "not_acceptable")


def test_page_after_the_last_event_is_empty(ada):
    table = ada.creates()
    page = ada.get(f"{table.path}/events?after={table['version']}").json
    assert page == {"game": "hearts", "items": [], "next": table["version"]}


@pytest.mark.parametrize("form", ["application/json", "application/x-ndjson", "text/plain", "text/event-stream"])
@pytest.mark.parametrize("waits", ["", "&wait=20"])
def test_resuming_after_an_unknown_event_is_a_conflict_in_every_form(ada, form, waits):
    table = ada.creates()
    beyond = table["version"] + 1
    refused = ada.get(f"{table.path}/events?after={beyond}{waits}", headers={"Accept": form})
    assert code(refused) == (409, "another_history")
    assert f"events after {beyond}, but there are only {beyond - 1}." in refused.json["detail"]


def test_resuming_a_stream_after_an_unknown_event_is_a_conflict_after_the_end(ada, bots):
    table = ada.creates(bots_only=True, options={"target_score": 1})
    bots(table)
    beyond = {"Accept": "text/event-stream", "Last-Event-ID": str(ada.sees(table)["version"] + 1)}
    assert code(ada.get(f"{table.path}/events", headers=beyond)) == (409, "another_history")


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=1001", "wait=31", "wait=1.5", "since=1"])
def test_invalid_event_query_is_refused(ada, query):
    assert code(ada.get(f"{ada.creates().path}/events?{query}")) == (422, "bad_arguments")


# --- Waiting ----------------------------------------------------------------------------------------------


def test_waiting_request_is_answered_on_the_next_event(full_table):
    table, players = full_table()
    version = players[0].sees(table)["version"]
    watcher = Client(players[0].app, players[0].token)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(watcher.get, f"{table.path}/events?after={version}&wait=20")
        waits(watcher.app)
        assert not waiting.done()
        moved = time.monotonic()
        players[1].plays(table)
        items = waiting.result(timeout=60).json["items"]
    assert [event["type"] for event in items] == ["PassChosen"]
    assert time.monotonic() - moved < 15


def test_waiting_request_gets_an_empty_page_after_the_wait(ada):
    table = ada.creates()
    version = ada.sees(table)["version"]
    began = time.monotonic()
    page = ada.get(f"{table.path}/events?after={version}", headers={"Prefer": "wait=1"})
    assert (page.json, page.headers["Preference-Applied"]) == (
        {"game": "hearts", "items": [], "next": version},
        "wait=1",
    )
    assert 0.9 < time.monotonic() - began < 15


def test_request_on_a_finished_match_does_not_wait(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    began = time.monotonic()
    assert ada.get(f"{table.path}/events?after={ada.sees(table)['version']}&wait=20").json["items"] == []
    assert time.monotonic() - began < 15


def test_request_waits_at_most_half_a_minute(ada):
    path = f"{ada.creates().path}/events"
    assert code(ada.get(path, headers={"Prefer": "wait=31"})) == (422, "bad_arguments")


class TestACapOfOne:
    @pytest.fixture
    def settings(self):
        return Settings(dealt_rate_per_second=0, dealt_max_waiters=1)

    def test_request_over_the_limit_does_not_wait(self, ada):
        table = ada.creates()
        stream = ada.get(f"{table.path}/events", headers={"Accept": "text/event-stream"}, buffered=False)
        path = f"{table.path}/events?after={table['version']}&wait=5"
        refused = ada.get(path)
        assert code(refused) == (503, "too_many_waiters")
        assert int(refused.headers["Retry-After"]) >= 1
        stream.close()
        assert ada.get(path.replace("wait=5", "wait=1")).status_code == 200


# --- Streams ----------------------------------------------------------------------------------------------


def test_stream_sends_every_event_and_ends_with_the_match(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    with ThreadPoolExecutor(1) as pool:
        watcher = Client(ada.app, ada.token)
        stream = pool.submit(lambda: watcher.get(f"{table.path}/events", headers={"Accept": "text/event-stream"}).text)
        bots(table)
        events = parsed(stream.result(timeout=60))
    feed = ada.events(table)
    assert [event for _, _, event in events] == [
        _without_disclosure(e, s) for e, (_, _, s) in zip(feed, events, strict=True)
    ]
    assert [(seq, kind) for seq, kind, _ in events] == [(event["seq"], event["type"]) for event in feed]


def _without_disclosure(event, streamed):
    """An event was streamed before its contents were disclosed."""
    return {key: value for key, value in event.items() if key in streamed} | {
        key: streamed[key] for key in ("unseal", "disclosed") if key in streamed
    }


def test_stream_resumes_after_its_last_event(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    version = ada.sees(table)["version"]
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(version - 3)}
    stream = ada.get(f"{table.path}/events", headers=headers)
    assert stream.mimetype == "text/event-stream"
    assert [seq for seq, _, _ in parsed(stream.text)] == [version - 2, version - 1, version]


def test_stream_of_a_finished_match_is_answered_with_204(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(ada.sees(table)["version"])}
    assert ada.get(f"{table.path}/events", headers=headers).status_code == 204


@pytest.mark.parametrize("last", ["x", "-1", "9" * 10, "9" * 11, "9" * 5000, "²"])
def test_invalid_event_id_is_refused(ada, last):
    headers = {"Accept": "text/event-stream", "Last-Event-ID": last.encode().decode("latin-1")}
    assert code(ada.get(f"{ada.creates().path}/events", headers=headers)) == (422, "bad_arguments")


def test_stream_ends_when_its_reader_loses_access(ada, ben):
    table = ada.creates(private=True, invited=True)
    invite = table["invites"][0]["invite"]
    headers = {"Accept": "text/event-stream", "Dealt-Invite": invite}
    stream = Client(ada.app).get(f"{table.path}/events", headers=headers, buffered=False)
    chunks = iter(stream.response)
    assert next(chunks).startswith(b":")
    assert ben.put(f"{table.path}/seats/1", {"invite": invite}).status_code == 200
    assert [parsed(chunk.decode())[0][0] for chunk in chunks] == list(range(1, table["version"] + 1))
    stream.close()
