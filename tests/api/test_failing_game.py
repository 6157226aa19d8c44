"""Tests that a game that fails during a match, or is removed, affects only that match."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from api.http.app_state import store_app_state
from domain.core.choices import Choice, SomeCards
from domain.core.game_guard import GameFailed, guard_game
from domain.core.values import value
from domain.games.catalogue import GAMES
from domain.orders.carry import forced_move
from events.log.codec import shapes
from events.notify.handler import NoticeHandler
from events.operations.audit_streams import audit_stream
from events.settings import Settings
from events.store.follow_records import Followed
from events.store.records import MATCH
from events.store.tables import stream_rows
from tests.bound import Matches
from workers.celery_app import LOOK, PLAY, SETTLE, celery_app

NAME = next(name for name, game in GAMES.items() if 2 in game.setup.seats)
FIELDS = (
    "view", "scene", "to_act", "legal", "phase", "outcome", "consequences", "decide", "evolve", "start", "refusal",
    "words.text", "facts.known", "answers.move_of", "timing.default", "timing.seconds", "leaving.out",
)  # fmt: skip
OF_ANOTHER_TYPE = {"view": [7], "consequences": (7,), "timing.seconds": "soon"}


@value
class Mine:
    cards: tuple[int, ...]


def with_field(record, path, part):
    """Return the definition with another value at this path."""
    name, _, rest = path.partition(".")
    return replace(record, **{name: with_field(getattr(record, name), rest, part) if rest else part})


def raises(*_):
    raise KeyError("AS")


@pytest.fixture
def tables(ada, app, clock, store):
    """Return a match that will fail, a match of another game in which it is Ada's turn, and a restarted service."""
    other = ada.creates(alone=True)
    failing = ada.creates(
        game=NAME, options={"standing_orders": True}, clock={"per_decision_seconds": 60}, seats=[{"kind": "me"}] * 2
    )
    for _ in range(3):
        assert ada.plays(failing).status_code == 200
    ada.post("/v1/players/me/feeds")

    def restarted():
        matches = Matches(store, now=clock)
        store_app_state(app, replace(app.extensions["dealt"], context=matches))
        return matches

    return SimpleNamespace(failing=failing, other=other, restarted=restarted)


def others_are_unharmed(ada, store, tables, matches):
    """Check lists, the inbox, feeds, the moves and the audit of another match, and the workers."""
    listed = ada.get("/v1/matches?player=me").json["items"]
    assert {tables.failing["id"], tables.other["id"]} <= {item["id"] for item in listed}
    waiting = ada.get("/v1/inbox")
    assert waiting.status_code == 200
    assert tables.other["id"] in {item["match"] for item in waiting.json["items"]}
    assert ada.sees(tables.other)["playable"]
    assert ada.plays(tables.other).status_code == 200
    assert audit_stream(store, tables.other["id"]).ok
    assert audit_stream(store, tables.failing["id"]).match == tables.failing["id"]
    tasks = celery_app(Settings(), "memory://", lambda: matches).tasks
    for task in (PLAY, SETTLE, LOOK):
        tasks[task](tables.failing["id"])
    number = stream_rows.head(store, tables.failing["id"]).match_no
    page = [Followed(MATCH, number, row) for row in stream_rows.rows(store, number)]
    NoticeHandler(store).read(page)


@pytest.mark.parametrize(
    ("field", "part"),
    [
        *(pytest.param(field, raises, id=field) for field in FIELDS),
        *(pytest.param(at, lambda *_, x=x: x, id=f"type of {at}") for at, x in OF_ANOTHER_TYPE.items()),
    ],
)
def test_failing_game_affects_only_its_match(field, part, ada, clock, store, tables, monkeypatch):
    """A game fails if one of its functions raises an exception or returns another type than declared."""
    monkeypatch.setitem(GAMES, NAME, guard_game(with_field(GAMES[NAME], field, part)))
    matches = tables.restarted()
    for path in ("", "/moves", "/events", "/record", "/replay"):
        answer = ada.get(f"{tables.failing.path}{path}")
        assert answer.status_code == 200 or "The game of this match has failed" in answer.json["detail"], path
    clock.passes(seconds=60)  # its deadline has passed
    others_are_unharmed(ada, store, tables, matches)


@pytest.mark.parametrize("field", ["view", "scene", "to_act"])
def test_record_does_not_change_if_the_game_fails(field, ada, tables, monkeypatch):
    before = ada.get(f"{tables.failing.path}/record")
    monkeypatch.setitem(GAMES, NAME, guard_game(with_field(GAMES[NAME], field, raises)))
    tables.restarted()
    after = ada.get(f"{tables.failing.path}/record")
    assert (before.status_code, after.status_code) == (200, 200)
    assert after.data == before.data


OWN_CHOICE = ("make", "exact", "admits", "schema", "sample")


@pytest.mark.parametrize("method", OWN_CHOICE)
def test_failing_choice_of_a_game_affects_only_its_match(method, ada, clock, store, tables, monkeypatch, caplog):
    class Own:
        def __init__(self, choice):
            self.choice = choice

        def __getattr__(self, name):
            return raises() if name == method else getattr(self.choice, name)

    legal = GAMES[NAME].legal
    own = replace(GAMES[NAME], legal=lambda table, seat: tuple(map(Own, legal(table, seat))))
    monkeypatch.setitem(GAMES, NAME, guard_game(own))
    matches = tables.restarted()
    offered = ada.get(f"{tables.failing.path}/moves")
    if method != "sample":  # the example is what the clock would play
        assert f"legal, Own.{method} raises KeyError at test_failing_game.py:" in caplog.text
    assert offered.status_code == 200 or "The game of this match has failed" in offered.json["detail"]
    clock.passes(seconds=60)  # its deadline has passed
    others_are_unharmed(ada, store, tables, matches)


@pytest.mark.parametrize("field", ["view", "scene", "phase"])
def test_match_is_not_created_if_its_game_fails_at_the_start(field, ada, monkeypatch):
    monkeypatch.setitem(GAMES, NAME, guard_game(with_field(GAMES[NAME], field, raises)))
    headers = {"Idempotency-Key": "once"}
    for _ in range(2):
        made = ada.post("/v1/matches", {"game": NAME, "seats": [{"kind": "me"}] * 2}, headers=headers)
        assert made.status_code == 500
        assert "The game of this match has failed" in made.json["detail"]
    assert ada.get("/v1/matches?player=me").json["items"] == []


class Odd(BaseException):
    """An exception that is no subclass of `Exception`."""


def raises_odd(*_):
    raise Odd


MISTYPED = "returns a value of the wrong type"


@pytest.mark.parametrize(
    ("part", "given", "fails"),
    [
        ("schema", lambda: None, MISTYPED),
        ("schema", lambda: {"type": "object"}, MISTYPED),
        ("admits", lambda move: 1, MISTYPED),
        ("schema", raises_odd, "raises Odd at test_failing_game.py:"),
    ],
)
def test_results_of_a_custom_choice_are_type_checked(part, given, fails, ada, tables, monkeypatch, caplog):
    class Own:
        def __init__(self, choice):
            self.choice = choice

        def __getattr__(self, name):
            return given if name == part else getattr(self.choice, name)

    legal = GAMES[NAME].legal
    own = replace(GAMES[NAME], legal=lambda table, seat: tuple(map(Own, legal(table, seat))))
    monkeypatch.setitem(GAMES, NAME, guard_game(own))
    tables.restarted()
    offered = ada.get(f"{tables.failing.path}/moves")
    assert "The game of this match has failed" in offered.json["detail"]
    assert f"legal, Own.{part} {fails}" in caplog.text


def test_failure_is_logged_with_name_and_place_but_without_its_message(ada, tables, monkeypatch, caplog):
    monkeypatch.setitem(GAMES, NAME, guard_game(with_field(GAMES[NAME], "view", raises)))
    tables.restarted()
    answer = ada.get(tables.failing.path)
    assert (answer.status_code, answer.json["code"]) == (500, "internal_error")
    assert f"{NAME}: view raises KeyError at test_failing_game.py:" in caplog.text
    assert "AS" not in caplog.text


@pytest.fixture
def catalogue():
    """Return the games; the original ones are restored after the test."""
    before = dict(GAMES)
    yield GAMES
    GAMES.clear()
    GAMES.update(before)


@pytest.mark.both_databases
def test_removed_game_affects_only_its_matches(ada, store, tables, catalogue):
    events = ada.events(tables.failing)
    del catalogue[NAME]
    shapes.cache_clear()
    matches = tables.restarted()
    seen = ada.sees(tables.failing)
    assert (seen["playable"], seen["table"], seen["to_act"]) == (False, None, [])
    assert [event["data"] for event in ada.events(tables.failing)] == [event["data"] for event in events]
    refused = ada.get(f"{tables.failing.path}/moves")
    assert (refused.status_code, refused.json["code"]) == (409, "game_not_installed")
    listed = ada.get(f"/v1/matches?player=me&game={NAME}").json["items"]
    assert [(item["id"], item["playable"]) for item in listed] == [(tables.failing["id"], False)]
    asked = ada.get(f"/v1/matches?game={NAME}&option=no_such:1")
    assert (asked.status_code, list(asked.json["errors"])) == (422, ["option"])
    others_are_unharmed(ada, store, tables, matches)
    shapes.cache_clear()


def test_guarded_choice_is_an_instance_of_its_base_choice():
    class Discard(SomeCards):
        pass

    own = Discard(Mine, (1, 2), 2)
    (choice,) = guard_game(replace(GAMES[NAME], legal=lambda table, seat: (own,))).legal(None, 0)
    assert choice is not own
    assert isinstance(choice, Choice)
    assert forced_move((choice,)) == Mine((1, 2))
    assert not hasattr(choice, "plain")


def test_move_refused_by_the_rules_is_not_a_failure():
    game = guard_game(GAMES[NAME])
    state = game.start(game.setup.options(), 2, None)
    assert game.to_act(state) == GAMES[NAME].to_act(state)
    with pytest.raises(GameFailed, match=r"view raises \w+ at rules.py"):
        game.view(None, 0)
