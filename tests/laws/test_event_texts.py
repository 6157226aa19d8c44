"""Tests that no text of an event has an empty part, for any of the words in its fields."""

import re
from itertools import islice
from random import Random

import pytest

from domain.core.types import fields_of
from domain.core.values import with_fields
from domain.games.catalogue import GAMES
from domain.match.evolve import life_event_text
from domain.match.match_parts import EVENTS
from tests.draws import draws
from tests.laws.games import OF
from tests.laws.play import steps
from tests.recorded import FINISHED, OTHERS

HOLE = re.compile(r"^$|^[\s.,:;)]|\s$|\s\s|[:,;(]$|\s[.,:;)]|[.:,;(]\s*[.,:;)]|\(\s")
"""Patterns of a text with an empty part."""
TRIES = draws(3)
"""The number of games whose texts are checked."""
HANDS = 20
LONG = 300
"""The maximum number of moves whose texts are checked, per game."""
RECORDED = [*FINISHED.values(), *(make for make, _ in OTHERS.values())]


def has_words(cls):
    """Return whether a field of an event has one of several words."""
    return any(field.kind == "words" for field in fields_of(cls).values())


def variants(event):
    """Yield an event with each possible word in each of its fields, one field at a time."""
    yield event
    for name, field in fields_of(type(event)).items():
        if field.kind == "words":
            yield from (with_fields(event, **{name: word}) for word in field.of)


def holes(events, text):
    """Return the texts of events that have an empty part, and each event without a text."""
    for event in events:
        for one in variants(event):
            try:
                said = text(one)
            except LookupError as e:
                yield f"{one}: {e!r}"
            else:
                if HOLE.search(said):
                    yield said


@pytest.mark.parametrize("said", ["A: .", "A", "A  b.", "A ()", "A: ", ": b.", "A , b.", "A: , b.", "", "A ( b)."])
def test_empty_part_of_a_text_is_found(said):
    assert bool(HOLE.search(said)) == (said != "A")


@pytest.mark.parametrize("game", OF)
def test_no_text_of_a_game_has_an_empty_part(game):
    played, rng = GAMES[game], Random(game)
    setups = [(entry, options) for entry in OF[game] for rows in entry.blocks.values() for options in rows]
    for _ in range(TRIES):
        entry, options = rng.choice(setups)
        events = [event for step in islice(steps(entry, options, rng, HANDS), LONG) for event in step.events]
        assert list(holes(events, played.words.text)) == []


def test_no_text_of_a_recorded_match_has_an_empty_part():
    wrong, seen = set(), set()
    for make in RECORDED:
        table = make()
        events = [h.event for h in table.said]
        seen |= {type(event) for event in events}
        wrong |= set(holes([e for e in events if type(e) in EVENTS], lambda event: life_event_text(event, "Hearts")))
        wrong |= set(holes([e for e in events if type(e) not in EVENTS], table.match.game.words.text))
    assert wrong == set()
    with_words = {cls for cls in (*EVENTS, *(one for game in GAMES.values() for one in game.events)) if has_words(cls)}
    assert len(with_words & seen) > len(with_words) / 2
