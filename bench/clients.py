"""Runs light clients: four players at a table, each on their own connection, who move in turn."""

import json
import socket
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, count

from bench.crew import Tasks
from bench.played import played, some_id, stored
from events import times
from events.ids import hash_secret
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import player_rows

Request = tuple[int, bytes]
"""A request: its player's number, and the bytes to send."""

READY = 3
"""Each table has this many matches ready at the beginning; later ones are made when they are needed."""


def table(number: int, servers: dict[str, tuple[int, str]]) -> Tasks:
    """Return a task for each server, given by its port and database: each call makes one move, and reads the answer."""
    return {name: _table(f"{name} {number}", port, url) for name, (port, url) in servers.items()}


def _table(name: str, port: int, url: str) -> Callable[[], None]:
    store = open_store(url)
    people = [f"{name} {seat}" for seat in range(4)]
    for person in people:
        player_rows.add_player(store, some_id(person), person, hash_secret(_token(person)), times.now())
    matches = (_match(store, f"{name} {n}", people) for n in count())
    ready = [next(matches) for _ in range(READY)]
    requests = chain.from_iterable(chain(ready, matches))
    lines = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in people]
    for line in lines:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return partial(_move, lines, requests)


def _token(person: str) -> str:
    return f"dealt_{some_id(f'token of {person}')}"


def _match(store: Store, name: str, people: list[str]) -> list[Request]:
    """Begin a match in the store, and return the requests that play it to its end."""
    made = played(name, tuple(map(some_id, people)), at=times.now())
    stored(store, made, commits=1)
    return [(seat, _request(made.match_id, people[seat], json.dumps(move).encode())) for seat, move in made.moves]


def _request(match_id: str, person: str, body: bytes) -> bytes:
    head = (
        f"POST /v1/matches/{match_id}/moves HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {_token(person)}\r\n"
        f"Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _move(lines: list[socket.socket], requests: Iterator[Request]) -> None:
    seat, request = next(requests)
    lines[seat].sendall(request)
    answer = _answer(lines[seat])
    assert answer.startswith(b"HTTP/1.1 200"), (request, answer)


def _answer(line: socket.socket) -> bytes:
    """Read one answer, with the length in its head."""
    answer = line.recv(65_536)
    while (end := answer.find(b"\r\n\r\n")) < 0:
        answer += _more(line)
    head = answer[:end].lower()
    at = head.index(b"content-length:") + 15
    length = int(head[at:].split(b"\r\n", 1)[0])
    while len(answer) < end + 4 + length:
        answer += _more(line)
    return answer


def _more(line: socket.socket) -> bytes:
    got = line.recv(65_536)
    if not got:
        raise ConnectionError("the server hung up")
    return got
