"""The client sends a request again if that is safe, and then the server does it once."""

import asyncio

import httpx
import pytest
from dealt_client import AsyncClient, Client, NoAnswer, Refused

PROBLEM = {"code": "not_your_turn", "detail": "Wait for your turn.", "status": 409}


@pytest.fixture
def pauses(monkeypatch):
    """Record the pauses instead of making them."""
    made = []

    async def pause(seconds):
        made.append(seconds)

    monkeypatch.setattr("time.sleep", made.append)
    monkeypatch.setattr("asyncio.sleep", pause)
    return made


class Server:
    """Answers requests one after the other, and keeps them; an exception is an answer that is lost."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []

    def __call__(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self):
        return Client("http://cards.example", "token", http=httpx.Client(transport=httpx.MockTransport(self)))


LOST = httpx.ReadError("lost")


def test_repeated_request_is_the_same(pauses):
    server = Server(LOST, httpx.ReadTimeout("late"), httpx.Response(502), httpx.Response(200, json={"version": 2}))
    assert server.client().make_move("m", {"name": "pass_turn"})["version"] == 2
    first, *others = server.requests
    assert len(first.headers["Idempotency-Key"]) == 32
    assert [(one.content, one.headers) for one in others] == [(first.content, first.headers)] * 3
    assert len(pauses) == 3


def test_each_move_has_its_own_key():
    server = Server(httpx.Response(200, json={}), httpx.Response(200, json={}))
    client = server.client()
    for _ in range(2):
        client.make_move("m", {"name": "pass_turn"})
    assert len({request.headers["Idempotency-Key"] for request in server.requests}) == 2


def test_your_key_is_sent():
    server = Server(httpx.Response(200, json={}))
    server.client().make_move("m", {"name": "pass_turn"}, idempotency_key="mine")
    assert server.requests[0].headers["Idempotency-Key"] == "mine"


@pytest.mark.parametrize("status", [429, 503])
def test_client_waits_as_long_as_the_server_asks(pauses, status):
    server = Server(httpx.Response(status, headers={"Retry-After": "7"}), httpx.Response(200, json={"items": []}))
    assert server.client().get_inbox()["items"] == []
    assert pauses == [7]


def test_long_wait_is_left_to_the_caller(pauses):
    server = Server(httpx.Response(429, headers={"Retry-After": "3600"}))
    with pytest.raises(Refused) as refused:
        server.client().rotate_secret("w")
    assert (refused.value.status, pauses) == (429, [])


def test_request_without_a_key_is_not_repeated_after_a_lost_answer(pauses):
    server = Server(LOST)
    with pytest.raises(NoAnswer):
        server.client().begin_collection()
    assert (len(server.requests), pauses) == (1, [])
    assert "Idempotency-Key" not in server.requests[0].headers


def test_request_without_a_key_is_repeated_if_it_was_not_sent(pauses):
    server = Server(httpx.ConnectError("refused"), httpx.Response(201, json={"cards": []}))
    assert server.client().begin_collection() == {"cards": []}
    assert len(pauses) == 1


def test_client_gives_up_after_eight_attempts(pauses):
    server = Server(*[LOST] * 8)
    with pytest.raises(NoAnswer, match="GET /v1/inbox: no answer"):
        server.client().get_inbox()
    assert len(pauses) == 7
    assert max(pauses) <= 8


def test_refusal_names_the_code_and_the_fix():
    server = Server(httpx.Response(409, json=PROBLEM))
    with pytest.raises(Refused, match="409 not_your_turn Wait for your turn") as refused:
        server.client().make_move("m", {"name": "pass_turn"})
    assert (refused.value.status, refused.value.code) == (409, "not_your_turn")


@pytest.mark.parametrize("content", [b"<h1>Bad gateway</h1>", b'["text"]'])
def test_refusal_of_another_program_has_no_code(content):
    server = Server(httpx.Response(500, content=content))
    with pytest.raises(Refused) as refused:
        server.client().get_me()
    assert (refused.value.status, refused.value.code) == (500, "")


def test_parts_of_the_address_are_escaped():
    server = Server(httpx.Response(200, json={}))
    server.client().get_player("a/b?c")
    assert server.requests[0].url.raw_path == b"/v1/players/a%2Fb%3Fc"


def match_whose_answer_will_be_cut(ann, wire):
    """Begin a match of two seats that wait only for each other; cut the answer to the next move in it."""
    seats = {"seats": [{"kind": "me"}, {"kind": "me"}], "options": {"seats_per_player": 2}}
    match_id = ann.create_match({"game": "crazy_eights", **seats})["id"]
    wire.cuts_next(f"POST /v1/matches/{match_id}/moves", at=30)
    return match_id, ann.list_moves(match_id)


def digests(events):
    return [event["digest"] for event in events]


def test_move_whose_answer_is_cut_is_made_once(ann, wire):
    match_id, offer = match_whose_answer_will_be_cut(ann, wire)
    with Client(f"http://127.0.0.1:{wire.port}", ann.token) as client:
        made = client.make_move(match_id, offer["moves"][0]["example"])
    assert wire.cuts == 1
    assert digests(made["events"]) == digests(ann.list_events(match_id, after=offer["version"])["items"])


def test_coroutine_makes_a_move_whose_answer_is_cut_once(ann, wire):
    match_id, offer = match_whose_answer_will_be_cut(ann, wire)

    async def move():
        async with AsyncClient(f"http://127.0.0.1:{wire.port}", ann.token) as client:
            return await client.make_move(match_id, offer["moves"][0]["example"])

    made = asyncio.run(move())
    assert wire.cuts == 1
    assert digests(made["events"]) == digests(ann.list_events(match_id, after=offer["version"])["items"])
