"""Tests how a duel begins and ends, and how chance answers."""

from random import Random

import pytest

from domain.core.game import CHANCE
from domain.core.visibility import view_event
from domain.games.fivewells.events import CardDrawn
from domain.games.fivewells.evolve import evolve
from domain.games.fivewells.moves import Arranged, Choose, KeepHand, Mulligan, PassPriority
from domain.games.fivewells.options import Options, two_coloured
from domain.games.fivewells.play import consequences, decide, explain
from domain.games.fivewells.state import start
from domain.games.fivewells.turn_events import CardsNumbered, GameEnded, HandDealt, MulliganTaken, TurnStarted
from domain.games.fivewells.turns import outcome, stop
from domain.games.fivewells.waiting import ask, default, legal, to_act
from tests.games.fivewells.table import PLAYER, Duel


def begun(seed=1, last=None):
    """Return a duel before any hand is kept."""
    duel = Duel()
    duel.state = start(Options(), 2, last)
    told, rng = [], Random(seed)
    while opening := consequences(duel.state):
        for event in opening:
            evolve(duel.state, event)
        told += opening
    while to_act(duel.state) == (CHANCE,):
        told += duel.play(CHANCE, ask(duel.state).sample(rng)).events
    duel.events = told
    return duel


def kept(duel):
    """Keep both hands."""
    told = duel.play(0, KeepHand()).events + duel.play(1, KeepHand()).events
    duel.events = told
    return duel


# --- The beginning ----------------------------------------------------------------------------------


def test_handles_are_numbered_by_a_hidden_shuffle():
    """Seat 0's cards come first, then seat 1's, each in a separate order (fivewells 9.6)."""
    numbered = begun().told(CardsNumbered)
    assert [(event.seat, event.first, event.count) for event in numbered] == [(0, 1, 60), (1, 61, 60)]
    assert sorted(numbered[0].cards) == list(two_coloured("SR").main)
    assert numbered[0].cards != two_coloured("SR").main
    assert {view_event(event, reader).cards for event in numbered for reader in (0, 1, None)} == {None}


def test_chance_is_asked_for_each_purpose_in_turn():
    """All results are drawn from one link, so purposes and numbers distinguish them (fivewells 9.24)."""
    duel, asked, rng = Duel(), [], Random(2)
    duel.state = start(Options(), 2, None)
    while to_act(duel.state) == (CHANCE,):
        asked.append((ask(duel.state).purpose, ask(duel.state).n))
        duel.play(CHANCE, ask(duel.state).sample(rng))
    assert asked == [("first_player", 0), ("ids.0", 0), ("ids.1", 0), ("library.0", 0), ("library.1", 0)]


def test_each_seat_is_dealt_seven_private_cards():
    duel = begun()
    (event,) = duel.told(HandDealt)
    assert event.counts == (7, 7) == tuple(map(len, event.cards))
    assert view_event(event, 1).cards == (None, event.cards[1])
    assert view_event(event, None).cards == (None, None)
    assert [len(library) for library in duel.state.libraries] == [53, 53]


def test_the_first_player_skips_its_first_draw():
    duel = kept(begun())
    (turn,) = duel.told(TurnStarted)
    assert (turn.seat, turn.turn) == (duel.state.first, 1)
    assert not duel.told(CardDrawn)


def test_the_second_player_draws_in_its_first_turn():
    duel = kept(begun())
    first = duel.state.first
    duel.state.stops = (("own main1",), ("own main1",))
    told = duel.play(first, PassPriority()).events
    turns = [event for event in told if isinstance(event, TurnStarted)]
    assert [(event.seat, event.draws, event.card is not None) for event in turns] == [(1 - first, 1, True)]
    assert sum(isinstance(event, CardDrawn) for event in told) == 0


def test_loser_begins_the_next_game_and_a_draw_keeps_the_first_player():
    """See (fivewells 9.1)."""
    lost = kept(begun()).state
    for event in stop(lost, (1,), "resignation"):
        evolve(lost, event)
    again = begun(last=lost).state
    assert (again.first, again.game_no, again.hand_no) == (1, 2, 2)
    for event in stop(again, (), "draw"):
        evolve(again, event)
    assert begun(last=again).state.first == 1


# --- Mulligans --------------------------------------------------------------------------------------


def test_each_mulligan_deals_a_new_hand_and_costs_one_card():
    duel, rng = begun(), Random(3)
    for count in (1, 2):
        duel.play(0, Mulligan())
        assert (duel.told(MulliganTaken)[0].count, ask(duel.state).purpose, ask(duel.state).n) == (
            count,
            "library.0",
            count,
        )
        duel.play(CHANCE, ask(duel.state).sample(rng))
    hand = duel.state.hands[0]
    assert duel.refusal(0, KeepHand(hand[:1])) == "wrong_count"
    assert explain(duel.state, 0, KeepHand(hand[:1])) == "Number of cards for the bottom: 2. You chose 1."
    assert duel.refusal(0, KeepHand((hand[0], hand[0]))) == "bad_arguments"
    assert duel.refusal(0, KeepHand((hand[0], 120))) == "card_not_in_hand"
    duel.play(0, KeepHand((hand[4], hand[2])))
    assert len(duel.state.hands[0]) == 5
    assert duel.state.libraries[0][-2:] == (hand[2], hand[4])
    assert duel.refusal(0, KeepHand()) == "already_done"


def test_one_card_is_kept_after_six_mulligans():
    duel, rng = begun(), Random(3)
    for _ in range(6):
        duel.play(0, Mulligan()).play(CHANCE, ask(duel.state).sample(rng))
    assert duel.refusal(0, Mulligan()) == "no_more_mulligans"
    duel.play(0, default(duel.state, 0))
    assert len(duel.state.hands[0]) == 1


def test_the_cards_of_the_highest_mana_value_go_under_the_library_by_default():
    """See (fivewells 9.12)."""
    duel = Duel(hands=(["Sunfield", "Kindle Dart", "Elderbark Colossus", "Old Grovehorn"], []))
    duel.state.kept, duel.state.mulligans = (False, True), (2, 0)
    assert default(duel.state, 0).bottom == (duel.of("Elderbark Colossus"), duel.of("Old Grovehorn"))


# --- The end ----------------------------------------------------------------------------------------


def test_drawing_from_an_empty_library_loses():
    duel = Duel(libraries=(["Sunfield"], []), stops=(("own main1",), ())).passes(0)
    assert outcome(duel.state).winners == (0,)
    assert duel.state.ended.reason == "library"


def test_game_is_drawn_after_the_last_turn():
    """See (fivewells 9.9)."""
    duel = Duel(turn=120, stops=(("own main1",), ()))
    duel.passes(0)
    assert (duel.state.ended.reason, outcome(duel.state).winners, outcome(duel.state).places) == ("turns", (), (1, 1))


def test_more_than_a_thousand_resolutions_in_a_turn_draw_the_game():
    """See (fivewells 9.9)."""
    duel = Duel(hands=(["Kindle Dart"], []), lands=("F", ""), happenings=1000)
    duel.cast(0, "Kindle Dart", a=PLAYER[1]).passes(1)
    assert (duel.state.ended.reason, duel.state.ended.winners) == ("endless", ())


def test_resigning_loses_and_an_agreed_draw_has_no_winner():
    """See (fivewells 9.23)."""
    (lost,) = stop(Duel().state, (0,), "resignation")
    (drawn,) = stop(Duel().state, (), "draw")
    assert (lost.winners, lost.ranking, lost.reason) == ((1,), (2, 1), "resignation")
    assert (drawn.winners, drawn.ranking, drawn.reason) == ((), (1, 1), "draw")


def test_finished_duel_has_no_moves():
    duel = Duel(life=(20, 0)).play(0, PassPriority())
    assert duel.told(GameEnded)
    assert (to_act(duel.state), legal(duel.state, 0), consequences(duel.state)) == ((), (), ())


# --- Cleanup and defaults ---------------------------------------------------------------------------


def test_player_with_more_than_seven_cards_discards_at_cleanup():
    hand = ["Sunfield"] * 6 + ["Elderbark Colossus", "Bramble Boar", "Kindle Dart"]
    duel = Duel(hands=(hand, []), stops=(("own main1",), ())).passes(0)
    assert (duel.state.asked.choice, duel.state.asked.most, duel.state.step) == ("cleanup_discard", 2, "cleanup")
    duel.play(0, default(duel.state, 0))
    assert duel.in_graveyard(0) == ["Sunfield", "Sunfield"]
    assert duel.state.turn > 3


@pytest.mark.parametrize(
    ("card", "lands", "then"),
    [
        ("Carrion Moth", "GGGG", Choose("may", False)),
        ("Meadow Chaplain", "SR", Choose("mode", 0)),
        ("Seedcaller Druid", "RRR", Choose("search", ())),
    ],
)
def test_clock_chooses_the_least_harmful_option(card, lands, then):
    """See (fivewells 9.12)."""
    duel = Duel(hands=([card], []), lands=(lands, "")).cast(0, card).passes(1).resolve()
    assert default(duel.state, 0) == then


def test_the_clock_keeps_all_scouted_cards_on_top_in_their_order():
    duel = Duel(hands=(["Brinewing Gull"], []), lands=("TT", "")).cast(0, "Brinewing Gull").passes(1).resolve()
    top = duel.state.libraries[0][0]
    assert default(duel.state, 0) == Choose("scout", Arranged((), (top,)))
    duel.play(0, default(duel.state, 0))
    assert duel.state.libraries[0][0] == top


def test_refused_move_has_the_first_applicable_reason():
    duel = Duel(hands=(["Long Study"], ["Kindle Dart"]))
    assert decide(duel.state, 0, PassPriority())
    assert duel.refusal(1, PassPriority()) == "not_your_turn"
    assert duel.refusal(0, KeepHand()) == "wrong_phase"
    assert duel.refusal(0, Choose("mode", 0)) == "wrong_phase"
