"""The client reads streams, and resumes one that was cut."""

import asyncio

import httpx
import pytest
from dealt_client import AsyncClient, Client, Refused, StreamMessage
from dealt_client.streams import StreamReader

STREAM = ': a comment\n\nid: 1\nevent: CardCut\ndata: {"text":"Ä\u2028B"}\n\nid: 2\ndata: [1,\ndata: 2]\n\n'
MESSAGES = [StreamMessage("1", "CardCut", {"text": "Ä\u2028B"}), StreamMessage("2", "message", [1, 2])]


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_messages_are_read_from_pieces_of_any_size(size, end):
    reader, sent = StreamReader(None), STREAM.replace("\n", end).encode()
    pieces = [sent[at : at + size] for at in range(0, len(sent), size)]
    assert [message for piece in pieces for message in reader.feed(piece)] == MESSAGES
    assert reader.last_event_id == "2"


def test_incomplete_message_is_forgotten():
    reader = StreamReader(None)
    assert len([*reader.feed(STREAM.encode() + b"id: 3\nevent: Half\ndata: [3")]) == 2
    reader.restart()
    assert reader.last_event_id == "2"
    assert [*reader.feed(b"id: 3\ndata: 3\n\n")] == [StreamMessage("3", "message", 3)]


def stream_of(*answers):
    """Return the messages of a stream with these answers, and the ids with which it was requested."""
    asked, left = [], [*answers]

    def answer(request):
        asked.append(request.headers.get("Last-Event-ID"))
        return left.pop(0)

    client = Client("http://cards.example", http=httpx.Client(transport=httpx.MockTransport(answer)))
    return [message.id for message in client.stream_events("m")], asked


def test_stream_is_requested_until_it_has_ended():
    ids, asked = stream_of(
        httpx.Response(200, text="id: 1\ndata: 1\n\nid: 2\nda"),
        httpx.Response(200, text="id: 2\ndata: 2\n\n"),
        httpx.Response(204),
    )
    assert (ids, asked) == (["1", "2"], [None, "1", "2"])


def test_stream_waits_as_long_as_the_server_asks(monkeypatch):
    pauses = []
    monkeypatch.setattr("time.sleep", pauses.append)
    stream_of(
        httpx.Response(200, text=": no_room\nretry: 9000\n\n"),
        httpx.Response(503, headers={"Retry-After": "4"}),
        httpx.Response(204),
    )
    assert pauses == [9, 4]


def test_refused_stream_raises():
    with pytest.raises(Refused, match="another_history"):
        stream_of(httpx.Response(409, json={"code": "another_history"}))


@pytest.fixture
def match_id(ann):
    """Play a match to its end."""
    match_id = ann.create_match({"game": "hearts", "options": {"target_score": 1}})["id"]
    for turn in ann.turns(match_id):
        turn.play(turn.moves[0]["example"])
    return match_id


def test_stream_that_is_cut_continues_where_it_was(ann, wire, match_id):
    wire.cuts_next(f"GET /v1/matches/{match_id}/events", at=3000)
    with Client(f"http://127.0.0.1:{wire.port}", ann.token) as client:
        streamed = [message.data for message in client.stream_events(match_id)]
    assert wire.cuts == 1
    assert streamed == ann.list_events(match_id)["items"]


def test_coroutine_continues_a_stream_that_is_cut(ann, wire, match_id):
    wire.cuts_next(f"GET /v1/matches/{match_id}/events", at=3000)

    async def read():
        async with AsyncClient(f"http://127.0.0.1:{wire.port}", ann.token) as client:
            return [message.data async for message in client.stream_events(match_id)]

    assert asyncio.run(read()) == ann.list_events(match_id)["items"]
    assert wire.cuts == 1


def test_stream_is_resumed_in_another_process(ann, match_id):
    events = ann.list_events(match_id)["items"]
    assert [message.data for message in ann.stream_events(match_id, last_event_id=str(events[4]["seq"]))] == events[5:]
