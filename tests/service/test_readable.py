"""Tests that unverifiable parts of an imported match must have the form that a server writes (contract 7)."""

import json

import pytest

from domain import match as life
from events.log import imported_players
from events.log.seals import NO_EVENT, digest
from events.operations import imports
from events.operations.imports import NotImported, import_record
from events.proof import record
from events.service import replay_marks
from events.service.access import Caller
from events.store.follow_records import START
from tests.bound import Matches
from tests.imported_matches import ANN, BOB, finished, record_of
from tests.recorded import FINISHED

STRANGER = Caller()


@pytest.fixture(scope="module")
def there(shared_sqlite):
    return Matches(shared_sqlite)


@pytest.fixture(scope="module")
def shut(there):
    """Return the record of a match of Hearts whose cards were never disclosed."""
    return json.loads(record_of(there, finished(there, fairness_reveal="never")))


@pytest.fixture
def here(store):
    return Matches(store)


def remade(made, change):
    """Return a changed record with recomputed digests, as a lying server could write it."""
    made = json.loads(json.dumps(made))
    change(made)
    head = NO_EVENT
    for e in made["events"]:
        envelope = {name: e[name] for name in ("at", "cause", "commit", "seals", "seq", "type", "v")}
        public = {name: x for name, x in e["data"].items() if name not in e["seals"]}
        head = e["digest"] = digest(head, {**envelope, "data": public, "match": made["match"]["id"]})
    made["match"] |= {"head": head, "result": made["events"][-1]["data"]["result"]}
    return json.dumps(made).encode()


def with_(event, name, x):
    def change(made):
        for e in made["events"]:
            if e["type"] == event:
                e["data"][name] = x

    return change


def without(event):
    def change(made):
        for e in made["events"]:
            if e["type"] == event:
                e["data"] = {name: x for name, x in e["data"].items() if name in e["seals"]}

    return change


def judged_by_others(change):
    """Nothing in it is judged if it was played by other rules than today's."""

    def changed(made):
        change(made)
        made["match"]["rules"] = made["events"][0]["data"]["rules"] = "0"

    return changed


NEVER_WRITTEN = [
    with_("CardPlayed", "trick_no", "x"),
    with_("CardPlayed", "trick_no", None),
    with_("CardPlayed", "trick_no", True),
    with_("CardPlayed", "card", None),
    with_("CardPlayed", "card", "ZZ"),
    with_("CardPlayed", "seat", 77),
    with_("CardPlayed", "seat", -1),
    with_("CardPlayed", "seat", True),
    with_("CardPlayed", "more", 1),
    with_("TrickTaken", "winner", 4),
    without("TrickTaken"),
    with_("GameStarted", "game_no", [1]),
    with_("HandStarted", "hand_no", "3"),
    with_("HandStarted", "hand_no", None),
    with_("HandStarted", "hand_no", {"a": 1}),
    with_("HandStarted", "dealer", "x"),
    with_("MatchStarted", "seats", [{}]),
    with_("MatchEnded", "result", "x"),
    with_("MatchEnded", "result", {"winners": "all", "places": [None]}),
    with_("MatchEnded", "result", {"winners": [9], "places": [1], "wins": [1], "scores": [0]}),
]


@pytest.mark.parametrize("change", NEVER_WRITTEN)
def test_impossible_stored_data_is_refused(shut, here, change):
    with pytest.raises(NotImported, match=r"not one that a server writes|Verification failed|not a record"):
        import_record(here, remade(shut, judged_by_others(change)), partial=True)
    assert here.store.follow(START, 10) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made["events"].pop(0),
        lambda made: made["events"][0]["data"].pop("seats"),
        with_("SeatTaken", "player", ["a"]),
        with_("MatchCreated", "options", {"target_score": "x"}),
        with_("GameEnded", "winners", [0, 1, 2, 3]),
        with_("MatchEnded", "result", None),
        with_("HandScored", "points", []),
        with_("HandStarted", "hand_no", 1),
    ],
)
def test_import_refuses_with_a_sentence_or_yields_a_readable_match(shut, here, change):
    def forge(made):
        change(made)
        for seq, e in enumerate(made["events"], 1):
            e["seq"] = e["commit"] = seq
        made["match"]["version"] = len(made["events"])

    try:
        taken = import_record(here, remade(shut, judged_by_others(forge)), partial=True)
    except NotImported:
        return
    past = here.past(taken.match_id, STRANGER)
    for mark in here.marks(past):
        assert here.marked(past, mark.at) <= taken.version
        here.replay(past, mark.version, None)
    assert len(list(here.feed(here.see(taken.match_id, STRANGER), 0))) == taken.version


@pytest.mark.parametrize(
    "broken",
    [(replay_marks, "find_marks"), (life, "describe_event"), (imports, "_looked_at")],
    ids=lambda b: b[1],
)
def test_unreadable_values_are_refused(shut, here, monkeypatch, broken):
    def breaks(*_):
        raise ZeroDivisionError

    text = remade(shut, lambda _: None)
    with monkeypatch.context() as patched:
        patched.setattr(*broken, breaks)
        with pytest.raises(NotImported, match="cannot be replayed"):
            import_record(here, text, partial=True)
    assert here.store.follow(START, 10) == []
    assert import_record(here, text, partial=True).match_id == shut["match"]["id"]


@pytest.mark.parametrize("game", list(FINISHED))
def test_records_written_by_a_server_are_accepted(game):
    made = record.read_record(json.dumps(FINISHED[game]().record()).encode())
    assert imports.find_alien_event(made.match.game, record.facts(made), len(made.match.seats)) is None


def test_import_that_uses_the_id_of_a_local_player_is_refused(shut, here):
    """Otherwise, two players of one match could get the same name here."""

    def forge(made):
        text = json.dumps(made).replace(ANN.player, "alice")
        text = text.replace(BOB.player, imported_players.foreign_id(made["match"]["id"], "alice"))
        made |= json.loads(text)

    with pytest.raises(NotImported, match="id of a player is not one"):
        import_record(here, remade(shut, forge), partial=True)
