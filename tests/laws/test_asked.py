"""Tests a seat's due decisions and other legal moves in whole matches of every game (contract 5.1)."""

from random import Random

import pytest

from domain import match as life
from domain.core.choices import NoArguments
from domain.core.game import is_admitted
from domain.games.catalogue import GAMES
from domain.match.clocks import ContinueMatch
from tests.draws import draws
from tests.laws.games import SETUPS
from tests.match.table import Table

STEPS = 150
"""The number of moves after which the next match begins."""


@pytest.mark.parametrize(("game", "seats", "options"), SETUPS)
def test_seat_has_a_prompt_exactly_while_the_match_waits_for_it(game, seats, options):
    for seed in range(draws(1)):
        rng = Random(f"{game} {seats} {seed}")
        paused = {"pause_between_hands": bool(rng.getrandbits(1)), **options}
        table = Table(game, ("me",) * (seats - 1) + ("bot",), paused, seed=seed)
        for _ in range(STEPS):
            if table.match.over:
                break
            holds(table.match)
            plays(table, rng)


def holds(m):
    for seat in m.seats:
        asked, also = life.legal_answers(m, seat), life.other_legal_moves(m, seat)
        waited_for = seat in life.to_act(m) and not m.by_bot[seat]
        assert bool(asked) == waited_for, f"seat {seat} in {life.decision(m)}"
        answers = [ContinueMatch] if life.is_paused(m) else set(m.game.moves.values()) - m.game.answers.off_turn
        assert all(choice.make in answers for choice in asked)
        assert not {choice.make for choice in asked} & {choice.make for choice in also}
        assert {c.make for c in life.legal(m, seat)} <= {c.make for c in (*asked, *also)}
        if waited_for and not life.is_paused(m):
            assert is_admitted(asked, m.game.timing.default(m.table, seat))


def plays(table, rng):
    """Make an offered move: mostly one that the seat is asked for, now and then another one of the game."""
    m = table.match
    seat = rng.choice(life.to_act(m))
    if m.by_bot[seat]:
        table.does(seat, rng.choice(m.game.legal(m.table, seat)).sample(rng), "bot")
        return
    aside = [(s, c) for s in m.seats for c in life.other_legal_moves(m, s) if c.make in m.game.answers.off_turn]
    if aside and rng.random() < 0.1:
        seat, choice = rng.choice(aside)
    else:
        choice = rng.choice(life.legal_answers(m, seat))
    table.does(seat, choice.sample(rng))


@pytest.mark.parametrize("game", ["holdem", "five_card_draw"])
def test_folded_seat_has_no_decision_and_may_leave(game):
    fold, leave = (GAMES[game].moves[name] for name in ("fold", "leave_table"))
    table = Table(game, ("me",) * 3)
    while not any(is_admitted(life.legal_answers(table.match, s), fold()) for s in life.to_act(table.match)):
        table.defaults(life.to_act(table.match)[0])
    (seat,) = life.to_act(table.match)
    table.does(seat, fold())
    assert life.legal_answers(table.match, seat) == ()
    assert leave in [
        choice.make for choice in life.other_legal_moves(table.match, seat) if isinstance(choice, NoArguments)
    ]


def test_seat_to_play_may_also_claim_a_revoke():
    table = Table("two_handed_hearts", ("me", "me"), {"revoke_mode": "honour", "revoke_detection": "claim"})
    rng, claim = Random(0), GAMES["two_handed_hearts"].moves["claim_revoke"]
    while not any(c.make is claim for c in life.other_legal_moves(table.match, 0)):
        seat = life.to_act(table.match)[0]
        table.does(seat, rng.choice(life.legal_answers(table.match, seat)).sample(rng))
    for seat in table.match.seats:
        assert claim in [choice.make for choice in life.other_legal_moves(table.match, seat)]
        assert claim not in [choice.make for choice in life.legal_answers(table.match, seat)]


def test_seat_is_asked_to_continue_between_paused_hands():
    table = Table("holdem", ("me",) * 2, {"pause_between_hands": True})
    table.defaults(life.to_act(table.match)[0])
    assert life.is_paused(table.match)
    assert life.legal_answers(table.match, 0) == (NoArguments(ContinueMatch),)
    assert GAMES["holdem"].moves["show_cards"] in [choice.make for choice in life.other_legal_moves(table.match, 0)]
    table.does(0, ContinueMatch())
    assert life.legal_answers(table.match, 0) == ()
