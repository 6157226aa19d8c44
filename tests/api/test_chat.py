"""Tests the chat at a table, and who can read it."""

import json
import logging
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from events.operations.imports import import_record
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.schema.metadata import metadata
from events.talk import messages as talk
from tests.api.client import Client, Table, code, waits
from tests.api.test_events import parsed
from tests.bound import Matches
from tests.imported_matches import finished, record_of

DAY = 24 * 3600


@pytest.fixture
def table(ada, ben):
    """Return a match of Ada and Ben with two bots."""
    made = ada.creates(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}])
    assert ben.put(f"{made.path}/seats/1").status_code == 200
    return made


def says(client, table, text, **kwargs):
    return client.post(f"{table.path}/chat", {"text": text}, **kwargs)


def chat(client, table, query=""):
    response = client.get(f"{table.path}/chat{query}")
    assert response.status_code == 200, response.json
    return response.json


def texts(client, table):
    return {m["no"]: m["text"] for m in chat(client, table)["items"]}


def stream(client, table, last=0, **kwargs):
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
    return client.get(f"{table.path}/chat", headers=headers, **kwargs)


# --- Talking ----------------------------------------------------------------------------------------------


def test_players_talk_with_each_other(ada, ben, table):
    made = says(ada, table, "Good luck!")
    assert made.status_code == 201
    assert made.json | {"at": ""} == {
        "no": 1, "change": 1, "seat": 0, "player": {"id": ada.id, "name": "Ada", "handle": ada.handle}, "at": "",
        "text": "Good luck!", "blocked": False, "muted": False, "deleted": None,
    }  # fmt: skip
    says(ben, table, "And you")
    page = chat(ben, table)
    assert page["items"][0] == made.json
    assert [(m["no"], m["seat"], m["text"]) for m in page["items"]] == [
        (1, 0, "Good luck!"),
        (2, 1, "And you"),
    ]
    assert chat(ada, table, f"?after={page['next']}") == {"items": [], "next": 2}
    assert chat(ada, table, "?after=99") == {"items": [], "next": 2}


def test_chat_pages_have_no_gaps(ada, ben, table):
    for n in range(5):
        says(ben, table, f"{n}")
    seen, after = [], 0
    while (page := chat(ada, table, f"?after={after}&limit=2"))["items"]:
        assert len(page["items"]) <= 2
        seen, after = seen + [m["text"] for m in page["items"]], page["next"]
    assert seen == ["0", "1", "2", "3", "4"]


def test_lobby_has_a_chat_that_later_players_can_read(ada, ben):
    lobby = ada.creates(open_table=True)
    assert says(ada, lobby, "Who joins?").status_code == 201
    assert code(ben.get(f"{lobby.path}/chat")) == (403, "not_seated")
    ben.put(f"{lobby.path}/seats/1")
    assert texts(ben, lobby) == {1: "Who joins?"}


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("  two\r\nlines\n\n", "two\nlines"),
        ("<b>bold</b> &amp; [x](javascript:1)", "<b>bold</b> &amp; [x](javascript:1)"),
        ("e\u0301", "\u00e9"),
        ("👩\u200d👩\u200d👧 ok", "👩\u200d👩\u200d👧 ok"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        (
            "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
            "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        ),
        ("Kar\u00adte", "Kar\u00adte"),
        ("x" * 500, "x" * 500),
    ],
)
def test_message_text_is_stored_unchanged(ada, ben, table, sent, kept):
    assert says(ada, table, sent).status_code == 201
    assert texts(ben, table) == {1: kept}


@pytest.mark.parametrize(
    "body",
    [
        {}, {"text": ""}, {"text": " \n "}, {"text": "x" * 501}, {"text": 5}, {"text": None}, {"text": ["x"]},
        {"text": "a\x00b"}, {"text": "a\tb"}, {"text": "a\x1b[2J"}, {"text": "a\u202eb"}, {"text": "\u200d"},
        {"text": "\u200c"}, {"text": "\u00ad"}, {"text": "a\U000e0067b"}, {"text": "🏴\U000e0067"},
        {"text": "\u3164 \u3164"}, {"text": "a\u2028b"}, {"text": "x", "seat": 0},
    ],
)  # fmt: skip
def test_invalid_message_is_refused(ada, table, body):
    refused = ada.post(f"{table.path}/chat", body)
    assert code(refused) == (422, "bad_arguments")
    assert texts(ada, table) == {}


def test_lone_surrogate_is_refused_as_text(ada, table):
    headers = {"Content-Type": "application/json"}
    refused = ada.post(f"{table.path}/chat", data=b'{"text": "\\ud83d"}', headers=headers)
    assert refused.status_code in (400, 422)


@pytest.mark.parametrize(
    "query",
    [
        "after=-1", "after=x", "after=2147483648", "limit=0", "limit=101", "wait=31", "wait=1.5", "cursor=1",
        "after=1&after=2",
    ],
)  # fmt: skip
def test_invalid_chat_query_is_refused(ada, table, query):
    assert code(ada.get(f"{table.path}/chat?{query}")) == (422, "bad_arguments")


# --- Who may ----------------------------------------------------------------------------------------------


def test_spectators_can_neither_read_nor_write(stranger, player, ada, table):
    says(ada, table, "Between us")
    cara = player()
    for refused in (cara.get(f"{table.path}/chat"), says(cara, table, "Hey"), stream(cara, table)):
        assert code(refused) == (403, "not_seated")
    for refused in (cara.delete(f"{table.path}/chat/1"), cara.delete(f"{table.path}/chat/2")):
        assert code(refused) == (403, "not_seated")
    for refused in (
        stranger.get(f"{table.path}/chat"),
        says(stranger, table, "Hey"),
        stranger.delete(f"{table.path}/chat/1"),
    ):
        assert code(refused) == (401, "unauthenticated")
    assert texts(ada, table) == {1: "Between us"}


def test_chat_of_a_private_match_is_hidden_from_others(player, ada):
    table = ada.creates(private=True)
    says(ada, table, "x")
    cara, nowhere = player(), Table(id="0" * 20)
    for there in (table, nowhere, Table(id="x")):
        asked = (cara.get(f"{there.path}/chat"), says(cara, there, "x"), cara.delete(f"{there.path}/chat/1"))
        assert [code(refused) for refused in asked] == [(404, "not_found")] * 3


def test_creator_without_a_seat_reads_and_deletes_but_cannot_write(ada, ben):
    table = ada.creates(private=True, seats=[{"kind": "invite"}, *[{"kind": "bot"}] * 3])
    ben.put(f"{table.path}/seats/0", {"invite": table["invites"][0]["invite"]})
    says(ben, table, "Rude")
    assert texts(ada, table) == {1: "Rude"}
    assert code(says(ada, table, "Be kind")) == (403, "not_seated")
    assert ada.delete(f"{table.path}/chat/1").status_code == 204
    (gone,) = chat(ben, table)["items"]
    assert (gone["text"], gone["player"]["id"], gone["deleted"]["by"]["name"]) == (None, ben.id, "Ada")


# --- Deleting ---------------------------------------------------------------------------------------------


def test_deleted_message_leaves_a_placeholder(ada, ben, table, clock):
    says(ben, table, "Oops")
    says(ada, table, "What?")
    clock.passes(60)
    assert ben.delete(f"{table.path}/chat/1").status_code == 204
    (gone,) = chat(ada, table, "?after=2")["items"]
    assert (gone["no"], gone["change"], gone["text"], gone["seat"], gone["player"]["name"]) == (
        1,
        3,
        None,
        1,
        "Ben",
    )
    assert (gone["deleted"]["by"]["id"], gone["deleted"]["at"] > gone["at"]) == (ben.id, True)
    clock.passes(60)
    assert ben.delete(f"{table.path}/chat/1").status_code == 204
    assert chat(ada, table, "?after=2")["items"] == [gone]


def test_only_its_author_and_the_creator_can_delete_a_message(ada, ben, table):
    says(ada, table, "Mine")
    assert code(ben.delete(f"{table.path}/chat/1")) == (403, "forbidden")
    assert code(ben.delete(f"{table.path}/chat/2")) == (404, "not_found")
    for no in ("0", "x", "-1", "9" * 10):
        assert code(ben.delete(f"{table.path}/chat/{no}")) == (404, "not_found")
    assert texts(ben, table) == {1: "Mine"}


def test_player_who_left_can_still_delete_their_messages(ada, ben):
    table = ada.creates(private=True, invited=True)
    ben.put(f"{table.path}/seats/1", {"invite": table["invites"][0]["invite"]})
    says(ben, table, "I am in")
    ben.delete(f"{table.path}/seats/1")
    assert code(ben.get(f"{table.path}/chat")) == (404, "not_found")
    assert ben.delete(f"{table.path}/chat/1").status_code == 204
    assert texts(ada, table) == {1: None}


def test_erasing_a_player_deletes_their_messages(ada, ben, table):
    says(ben, table, "I was here")
    ben.delete("/v1/players/me")
    (gone,) = chat(ada, table, "?after=1")["items"]
    assert (gone["text"], gone["player"], gone["deleted"]["by"]) == (
        None,
        {"id": ben.id, "name": None, "handle": None},
        gone["player"],
    )


# --- Sent twice, too often ------------------------------------------------------------------------------


def test_message_sent_twice_appears_once(ada, ben, table):
    key = {"Idempotency-Key": "k"}
    first, again = (says(ada, table, "Hello", headers=key) for _ in range(2))
    assert (again.status_code, again.json, again.headers["Idempotency-Replayed"]) == (201, first.json, "true")
    assert code(says(ada, table, "Other", headers=key)) == (422, "idempotency_mismatch")
    assert says(ben, table, "Hello", headers=key).json["no"] == 2
    ada.delete(f"{table.path}/chat/1")
    assert says(ada, table, "Hello", headers=key).json["text"] is None


def test_concurrent_repeats_send_one_message(ada, table):
    key, clients = {"Idempotency-Key": "k"}, [Client(ada.app, ada.token) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda client: says(client, table, "Hello", headers=key), clients))
    assert [(response.status_code, response.json["no"]) for response in made] == [(201, 1)] * 4
    assert texts(ada, table) == {1: "Hello"}


def test_too_many_messages_are_refused_with_the_time_to_wait(ada, ben, table, clock):
    for n in range(20):
        assert says(ada, table, f"{n}").status_code == 201
    clock.passes(20)
    refused = says(ada, table, "more")
    assert (code(refused), refused.headers["Retry-After"]) == ((429, "too_many_requests"), "40")
    assert says(ben, table, "I may").json["no"] == 21
    clock.passes(40)
    assert says(ada, table, "more").json["no"] == 22


# --- When nobody may write ------------------------------------------------------------------------------


def trio(ada, ben, **options):
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}]
    table = ada.creates(game="trio", options={"teams": True, **options}, seats=seats)
    assert says(ada, table, "In the lobby").status_code == 201
    assert ben.put(f"{table.path}/seats/1").status_code == 200
    return table


def test_partners_cannot_chat_during_a_team_match(ada, ben):
    table = trio(ada, ben)
    refused = says(ben, table, "I have a 7")
    assert code(refused) == (409, "chat_closed")
    assert "Partners" in refused.json["detail"]
    assert texts(ben, table) == {1: "In the lobby"}
    assert ada.delete(f"{table.path}/chat/1").status_code == 204


def test_partners_can_chat_after_a_team_match(ada, ben, store):
    table = trio(ada, ben, max_turns=1)
    matches = ada.app.extensions["dealt"].context
    for _ in range(400):
        if (m := matches.loaded(table["id"]).state).over:
            break
        seat = matches.bot_to_move(table["id"])
        if seat is not None:
            matches.bot_move(seat, m.game.legal(m.table, seat.seat)[0].sample(__import__("random").Random(1)))
        else:
            for who in (ada, ben):
                if who.offers(table)["moves"]:
                    who.plays(table)
    assert ada.sees(table)["status"] == "finished"
    assert says(ben, table, "Well played").status_code == 201


def test_partners_can_chat_if_the_options_allow_it(ada, ben):
    assert says(ben, trio(ada, ben, chat_for_teams=True), "I have a 7").status_code == 201


def test_trio_without_teams_has_a_chat(ada, ben):
    assert says(ben, trio(ada, ben, teams=False), "Hello").status_code == 201


@pytest.fixture
def over(ada, bots):
    """Return a match that Ada has finished."""
    table = ada.creates(alone=True, short=True)
    while ada.sees(table)["status"] == "playing":
        for seat in range(4):
            moves = ada.get(f"{table.path}/moves?seat={seat}").json["moves"]
            if moves:
                assert ada.plays(table, {**moves[0]["example"], "seat": seat}).status_code == 200
    return table


def test_chat_closes_some_time_after_the_match(ada, over, clock):
    assert says(ada, over, "Good game").status_code == 201
    clock.passes(30 * DAY - 1)
    assert says(ada, over, "Still there?").status_code == 201
    clock.passes(1)
    refused = says(ada, over, "Too late")
    assert code(refused) == (409, "chat_closed")
    assert "30 days" in refused.json["detail"]
    began = time.monotonic()
    assert chat(ada, over, "?after=2&wait=20") == {"items": [], "next": 2}
    assert time.monotonic() - began < 15
    assert [m["text"] for _, _, m in parsed(stream(ada, over).text)] == ["Good game", "Still there?"]
    assert stream(ada, over, last=2).status_code == 204
    assert ada.delete(f"{over.path}/chat/1").status_code == 204


def test_imported_match_has_no_chat(app, ada, clock, tmp_path):
    migrate(f"sqlite:///{tmp_path}/there.sqlite3")
    there = open_store(f"sqlite:///{tmp_path}/there.sqlite3")
    elsewhere = Matches(there, now=clock)
    table = Table(id=import_record(app.extensions["dealt"].context, record_of(elsewhere, finished(elsewhere))).match_id)
    there.close()
    assert code(says(ada, table, "Hello")) == (409, "chat_closed")
    assert chat(ada, table, "?wait=20") == {"items": [], "next": 0}
    assert stream(ada, table).status_code == 204
    assert code(ada.delete(f"{table.path}/chat/1")) == (404, "not_found")


# --- Waiting ----------------------------------------------------------------------------------------------


def test_waiting_reader_gets_messages_and_deletions_immediately(ada, ben, table):
    for act in (lambda: says(ada, table, "Hello"), lambda: ada.delete(f"{table.path}/chat/1")):
        after = chat(ben, table)["next"]
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(chat, Client(ben.app, ben.token), table, f"?after={after}&wait=20")
            waits(ben.app)
            assert not waiting.done()
            began = time.monotonic()
            act()
            assert [m["no"] for m in waiting.result(timeout=60)["items"]] == [1]
            assert time.monotonic() - began < 15


def test_waiting_reader_gets_an_empty_page_after_the_wait(ada, table):
    asked = ada.get(f"{table.path}/chat", headers={"Prefer": "wait=1"})
    assert (asked.json, asked.headers["Preference-Applied"]) == ({"items": [], "next": 0}, "wait=1")


def test_stream_has_messages_and_deletions(ada, ben, table):
    says(ada, table, "one")
    heard = stream(Client(ben.app, ben.token), table, buffered=False)
    chunks = (chunk for chunk in heard.response if not chunk.startswith(b":"))
    (first,) = parsed(next(chunks).decode())
    assert (first[0], first[1], first[2]["text"]) == (1, "message", "one")
    says(ada, table, "two")
    assert [m["text"] for _, _, m in parsed(next(chunks).decode())] == ["two"]
    ada.delete(f"{table.path}/chat/1")
    assert [(n, m["no"], m["text"]) for n, _, m in parsed(next(chunks).decode())] == [(3, 1, None)]
    heard.close()
    again = stream(Client(ben.app, ben.token), table, last=2, buffered=False)
    chunks = (chunk for chunk in again.response if not chunk.startswith(b":"))
    assert [n for n, _, _ in parsed(next(chunks).decode())] == [3]
    again.close()


def test_stream_ends_for_a_player_who_leaves_the_table(ada, ben):
    table = ada.creates(open_table=True)
    ben.put(f"{table.path}/seats/1")
    heard = stream(Client(ben.app, ben.token), table, buffered=False)
    chunks = (chunk for chunk in heard.response if not chunk.startswith(b":"))
    ben.delete(f"{table.path}/seats/1")
    says(ada, table, "He is gone")
    assert list(chunks) == []


@pytest.mark.parametrize("last", ["x", "-1", "9" * 11])
def test_invalid_change_number_is_refused(ada, table, last):
    assert code(stream(ada, table, last=last)) == (422, "bad_arguments")


# --- Beside the match, not in it --------------------------------------------------------------------------


@pytest.mark.parametrize("failing", [False, True])
def test_messages_and_notes_appear_in_no_other_answer_table_or_log(ada, over, store, caplog, monkeypatch, failing):
    spoken, noted, refused = "sphinx of black quartz", "judge my vow", "pack my box"
    caplog.set_level(logging.DEBUG)
    key = {"Idempotency-Key": "k"}
    # A match says only whether its reader has notes.
    assert ada.put(f"{over.path}/notes", {"text": "some"}).status_code == 200
    before = _answers_about(ada, over)
    assert says(ada, over, spoken, headers=key).status_code == 201
    assert ada.put(f"{over.path}/notes", {"text": noted}).status_code == 200
    answers = [
        says(ada, over, refused, headers=key),
        ada.post(f"{over.path}/chat", {"text": refused * 100}),
        ada.put(f"{over.path}/notes", {"text": noted}, headers={"If-Match": '"0"'}),
        ada.put(f"{over.path}/notes", {"text": refused, "more": refused}),
    ]
    if failing:

        def fails(*args, **_):
            raise RuntimeError(args)

        monkeypatch.setattr(talk, "say", fails)
        monkeypatch.setattr(talk, "note", fails)
        answers += [says(ada, over, refused), ada.put(f"{over.path}/notes", {"text": refused})]
        assert [answer.status_code for answer in answers[-2:]] == [500, 500]
    assert all(answer.status_code >= 400 for answer in answers)
    assert _answers_about(ada, over) == before
    everything = [answer.get_data(as_text=True) for answer in answers] + [caplog.text, *_rows(store)]
    assert caplog.records or not failing
    for text in (spoken, noted, refused):
        assert not any(text in found for found in everything)


def _answers_about(ada, table):
    """Return all answers about a match and its player, except chat and notes."""
    forms = ("application/json", "application/x-ndjson", "text/event-stream", "text/plain")
    replies = [ada.get(f"{table.path}/events", headers={"Accept": form}).data for form in forms]
    paths = ("", "/record", "/audit", "/replay?seat=all", "/replay/marks", "/moves")
    replies += [ada.get(f"{table.path}{path}").data for path in paths]
    return replies + [ada.get(path).data for path in ("/v1/inbox", "/v1/matches?player=me", "/v1/players/me")]


def _rows(store):
    """Yield every row of every other table."""
    for table in metadata.sorted_tables:
        if table.name not in ("messages", "notes"):
            yield from map(str, store.read(select(table)))


def test_searched_rows_contain_the_texts_that_were_sent(ada, over, store):
    """The test above could not fail if there were no rows."""
    assert any(over["id"] in row for row in _rows(store))
    says(ada, over, "sphinx")
    assert any("sphinx" in str(row) for row in store.read(select(metadata.tables["messages"])))
    assert json.loads(ada.get(f"{over.path}/record").data)["match"]["id"] == over["id"]
