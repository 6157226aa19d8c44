"""Every game keeps to its record: what it declares is so, and what happens is declared."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from domain.core.backing import OfMatch
from domain.core.contract import faults
from domain.core.contract_texts import MOST_OF_A_TITLE, unfit_line
from domain.core.game import CHANCE, fold
from domain.core.options import misfit
from domain.core.scene import SHORT_BADGES, TURN, UNASKED
from domain.core.strengths import Figures, Strengths
from domain.games.catalogue import GAMES, reserved
from domain.games.trio import GAME as TRIO
from events.log.codec import EVERYBODY, Shape
from tests.laws.games import ENTRIES
from tests.laws.play import steps

TABLES = {f"{entry.game.name} {entry.seats}": entry for entry in ENTRIES}
LONGEST = 2_000
"""Moves of a game that is played here, at most."""


@pytest.mark.parametrize("game", list(GAMES.values()), ids=lambda game: game.name)
def test_every_record_keeps_to_the_contract(game):
    assert list(faults(game, reserved(other for other in GAMES.values() if other is not game))) == []


def test_figures_beyond_what_ratings_can_take_are_faults():
    figures = Figures(beta=1.0, bots={"genius": 1500}, lower_places_weight=1.5)
    game = replace(TRIO, setup=replace(TRIO.setup, strengths=Strengths(figures)))
    beta, below, bots = faults(game, reserved(()))
    assert beta.startswith("setup.strengths.usual.beta: 1.0 is not from")
    assert below == "setup.strengths.usual.lower_places_weight: 1.5 is not from 0 to 1."
    assert bots.startswith("setup.strengths.usual.bots['genius']: ")


# --- What happens -----------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_what_happens_is_what_the_record_declares(table):
    entry, rng = TABLES[table], Random(table)
    keeps_to_its_record(entry, rng.choice(rng.choice(list(entry.blocks.values()))), rng)


def keeps_to_its_record(entry, options, rng):
    """Play two games of a series, some hands each, and compare all that happens with the record."""
    hand_no, last = 0, None
    for game_no in (1, 2):
        begun = []
        for _, step in zip(range(LONGEST), steps(entry, options, rng, 2, last), strict=False):
            for event in step.events:
                it_is_declared(entry, event)
            it_is_answered(entry, step)
            it_names_its_phase(entry, step)
            its_moments_can_be_told(entry, step)
            begun += step.events
            last = step.after
        hand_no = numbered(entry.game, begun, game_no, hand_no)
        if entry.game.outcome(last) is None:
            last = fold(entry.game, last, entry.game.leaving.stop(last, (), "agreed"))


def it_is_declared(entry, event):
    """An event is one of the record's, of its types, and is the same once it was written and read."""
    assert type(event) in entry.game.events
    assert misfit(event) == []
    shape = Shape(type(event))
    data, parts = shape.data(event), shape.parts(event, entry.seats)
    assert shape.event(data, entry.seats, parts, EVERYBODY) == event
    assert {name: set(part) for name, part in parts.items()} == shape.readers_of(data, entry.seats, shape.version)


def it_is_answered(entry, step):
    """A seat that was asked answers by an event that the record names, in the field it names, or chance goes on."""
    by, first = entry.game.answers.by, step.events[0]
    if step.seat == CHANCE:
        assert entry.game.answers.move_of(first) is None
        return
    assert entry.game.answers.move_of(first)[0] == step.seat
    if type(first) in by:
        assert getattr(first, by[type(first)]) == step.seat
    waited = step.seat in entry.game.to_act(step.state)
    still = {step.seat, CHANCE} & set(entry.game.to_act(step.after))
    assert not waited or still or any(type(event) in by for event in step.events)


def it_names_its_phase(entry, step):
    """Seats are asked something in the phases that the record declares, and the scene says that it is their turn."""
    game = entry.game
    asked = set(game.to_act(step.state)) - {CHANCE}
    if game.facts.phases and "phase" in game.facts.kinds:
        assert {game.facts.known(step.own[seat], seat)["phase"] for seat in asked} <= game.facts.phases
    scene = game.scene(step.state, None)
    assert scene.phase == game.phase(step.state)
    assert {shown.seat for shown in scene.seats if TURN in shown.badges} == asked
    its_badges_mean_the_same_everywhere(scene)


def its_badges_mean_the_same_everywhere(scene):
    """A badge with an abbreviation is held once; a seat that takes part no longer is asked nothing (contract 4.7)."""
    held = Counter(badge for shown in scene.seats for badge in shown.badges)
    assert [badge for badge in SHORT_BADGES if held[badge] > 1] == []
    assert [shown for shown in scene.seats if TURN in shown.badges and UNASKED.intersection(shown.badges)] == []


def its_moments_can_be_told(entry, step):
    """What a replay may jump to is told by the public part of an event, in one line."""
    for name, told in entry.game.lifecycle.moments.items():
        for event in step.events:
            if tell := told.get(type(event)):
                said = tell(Shape(type(event)).data(event))
                assert not said or unfit_line(said, MOST_OF_A_TITLE) is None, (name, said)


def numbered(game, events, game_no, hand_no):
    """Games and hands are counted over the whole series, tricks from 1 in each hand; give the last hand's number."""
    life, led = game.lifecycle, 0
    begins = [event for event in events if type(event) is life.game_starts]
    assert [getattr(event, life.game_no) for event in begins] == [game_no]
    for event in events:
        if type(event) is life.hand_starts:
            hand_no, led = hand_no + 1, 0
            assert getattr(event, life.hand_no) == hand_no
        elif type(event) in life.tricks:
            number = getattr(event, life.tricks[type(event)])
            assert number in (led, led + 1)
            led = number
    return hand_no


GAINED = {entry.game.name: entry.game for entry in ENTRIES if entry.game.entry and entry.game.entry.gained}


@pytest.mark.parametrize("game", GAINED.values(), ids=GAINED)
def test_a_match_to_which_is_brought_what_was_gained_in_another_asks_that_one_for_it(game):
    gained = game.entry.gained
    said = {**gained.options, gained.named_by: "0" * 20}
    options = game.setup.options(**game.setup.resolve(said, game.setup.usual))
    assert game.entry.backing(options) == OfMatch("0" * 20)
