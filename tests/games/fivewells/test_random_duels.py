"""Tests laws that apply at every moment of a duel, over random duels with all cards of the sets (rules 2)."""

import json
from random import Random

import jsonschema
import pytest

from domain.card_sets.cards.card_kinds import COLORS
from domain.card_sets.cards.library import CARDS
from domain.core.collectible import Deck
from domain.core.game import CHANCE, is_admitted
from domain.core.json_form import as_object, as_text, compile_form
from domain.core.refusals import COMMON, MALFORMED
from domain.core.types import parse_hint
from domain.core.visibility import view_event
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.evolve import evolve
from domain.games.fivewells.moves import REFUSALS, move_of
from domain.games.fivewells.options import Options, Rules
from domain.games.fivewells.play import consequences, decide, refusal
from domain.games.fivewells.shown import scene
from domain.games.fivewells.state import start
from domain.games.fivewells.turns import WINDOWS
from domain.games.fivewells.waiting import StopsToSet, ask, default, legal, phase, to_act
from tests.draws import draws
from tests.laws.assigns import decisions

CODES = {*REFUSALS, *COMMON, *MALFORMED}
READERS = (0, 1, None)


def drawn_deck(rng):
    """Return forty cards of two colours, of all rarities."""
    colors = rng.sample(COLORS, 2)
    spells = [card.id for card in CARDS.values() if not card.basic and set(card.colors) <= set(colors)]
    lands = [f"fw1-00{color + 1}" for color in colors]
    return tuple(sorted(rng.sample(spells, 24) + rng.choices(lands, k=16)))


class Moment:
    """A moment of a duel: the seat, its move and events, and the states before, the true one and the readers'."""

    def __init__(self, state, own, seat, move):
        self.state, self.own, self.seat, self.move = state, own, seat, move
        self.events, self.first = (), ()


def moments(rng):
    """Play a random duel."""
    state = start(Options(), 2, None)
    state.rules = Rules((Deck(drawn_deck(rng)), Deck(drawn_deck(rng))))
    own = {reader: state.copy() for reader in READERS}
    while actors := to_act(state):
        seat = rng.choice(actors)
        move = ask(state).sample(rng) if seat == CHANCE else any_move(state, seat, rng)
        moment = Moment(state.copy(), {reader: s.copy() for reader, s in own.items()}, seat, move)
        moment.first = happening = decide(state, seat, move)
        while happening:
            for event in happening:
                evolve(state, event)
                for reader, s in own.items():
                    evolve(s, view_event(event, reader))
            moment.events += happening
            happening = consequences(state)
        moment.after = state
        yield moment


def any_move(state, seat, rng):
    choices = [choice for choice in legal(state, seat) if not isinstance(choice, StopsToSet)]
    return rng.choice(choices).sample(rng)


def as_sent(move):
    """Return a move as a client sends it."""
    return json.loads(json.dumps(compile_form(parse_hint(type(move)), as_text, as_object).write(move)))


def every_reader_sees_a_table(moment):
    for reader, state in moment.own.items():
        assert scene(state, reader).zones


@pytest.mark.parametrize("seed", range(draws(4)))
def test_random_duel_obeys_the_laws(seed):
    rng, moves = Random(seed), []
    for moment in moments(rng):
        every_card_is_in_one_place(moment.after)
        no_creature_lives_that_should_not(moment.after)
        every_reader_sees_a_table(moment)
        what_a_seat_may_do_it_knows_itself(moment)
        a_move_is_read_off_its_first_event(moment)
        if moment.seat == CHANCE:
            continue
        moves = [*moves[-20:], moment.move]
        the_clock_plays_a_legal_move(moment)
        what_is_not_admitted_is_refused_with_a_code(moment, moves)
        schemas_describe_the_moves(moment, rng)
    assert moment.after.ended.reason in ("life", "library")


def every_card_is_in_one_place(s):
    if s.numbered < 2:
        return
    lying = [card for zone in (s.libraries, s.hands, s.graveyards) for pile in zone for card in pile]
    lying += [one.source for one in s.stack if one.spell]
    lying += [p.object for p in s.permanents if not p.token]
    assert sorted(lying) == list(range(1, 1 + sum(s.sizes)))


def no_creature_lives_that_should_not(s):
    assert s.ended or s.resolving or not board(s).doomed
    assert s.asked or s.unordered or s.step in WINDOWS or not all(s.kept) or s.ended or to_act(s) == (CHANCE,)


def what_a_seat_may_do_it_knows_itself(moment):
    for reader, own in moment.own.items():
        assert (to_act(own), phase(own)) == (to_act(moment.state), phase(moment.state))
        if reader is not None:
            assert legal(own, reader) == legal(moment.state, reader)
        for zones in ("libraries", "hands", "graveyards"):
            assert list(map(len, getattr(own, zones))) == list(map(len, getattr(moment.state, zones)))


def a_move_is_read_off_its_first_event(moment):
    assert not any(map(move_of, moment.events[1:]))
    if moment.seat == CHANCE:
        assert move_of(moment.events[0]) is None
        return
    seat, move = move_of(moment.events[0])
    assert seat == moment.seat
    assert is_admitted(legal(moment.state, seat), move)
    assert decide(moment.state, seat, move) == moment.first


def the_clock_plays_a_legal_move(moment):
    assert is_admitted(legal(moment.state, moment.seat), default(moment.state, moment.seat))


def what_is_not_admitted_is_refused_with_a_code(moment, moves):
    for move in moves:
        for seat in (0, 1):
            if not is_admitted(legal(moment.state, seat), move):
                before = moment.state.copy()
                assert refusal(moment.state, seat, move) in CODES
                assert refusal(moment.own[seat], seat, move) == refusal(moment.state, seat, move)
                assert moment.state == before


def schemas_describe_the_moves(moment, rng):
    """Samples of a choice are admitted and match the schema; an exact schema admits nothing else."""
    for choice in legal(moment.state, moment.seat):
        move = choice.sample(rng)
        assert choice.admits(move)
        schema = choice.schema()
        assert schema["additionalProperties"] is False
        sent = as_sent(move)
        jsonschema.Draft202012Validator(schema).validate(sent)


def test_evolve_depends_only_on_the_event():
    assert decisions(evolve) == []
