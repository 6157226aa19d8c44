"""Tests poker in a match: resigning, pauses, clocks, timed levels, disclosure."""

from random import Random

import pytest

from domain import match as life
from domain.core.cards import card_names
from domain.core.clock import Clock
from domain.core.game import Refused
from domain.core.scene import as_json
from domain.core.scene_pointers import follow_pointer
from domain.match.clocks import ContinueMatch, TimeOut
from domain.match.resignations import Resign
from domain.poker.betting_events import CardsShown, GameEnded, HandSettled, HandStarted, LevelRaised, LevelsTimed
from domain.poker.betting_moves import AllIn, Call, Check, Fold, LeaveTable, ShowCards
from domain.poker.betting_options import LAST_LEVEL
from tests.match.table import Table, last_state


def holdem(*seats, game="holdem", **said):
    return Table(game=game, seats=seats, **said)


def folds(table, until=lambda m: False):
    """Fold with every seat, or confirm the next hand, until the match is over or `until` returns true."""
    while not table.match.over and not until(table.match):
        seat = life.to_act(table.match)[0]
        if life.is_paused(table.match):
            table.does(seat, ContinueMatch())
        else:
            table.does(seat, Fold(), "bot" if table.match.by_bot[seat] else "move")


@pytest.mark.parametrize(
    ("game", "seats", "chosen"),
    [
        ("holdem", 2, {"hands": 5, "starting_stack": 30}),
        ("holdem", 7, {"format": "sng", "starting_stack": 60}),
        ("five_card_draw", 4, {"hands": 5, "rebuy": "each_hand"}),
    ],
)
def test_match_runs_to_its_end_and_folds_to_the_same_state(game, seats, chosen):
    played = holdem(*["bot"] * seats, game=game, chosen=chosen)
    played.plays_on(Random(seats))
    assert played.match.status == "finished"
    assert last_state(played) == played.match


def test_no_shuffle_is_disclosed_before_the_match_is_over():
    played = holdem(*["bot"] * 3, chosen={"hands": 3})
    played.plays_on(Random(1))
    kinds = played.kinds()
    assert kinds.count("SeedRevealed") == 3
    assert kinds[-4:] == ["SeedRevealed"] * 3 + ["MatchEnded"]


# --- Giving up -----------------------------------------------------------------------------------------


def test_resigned_seat_among_several_folds_without_a_bot():
    table = holdem("me", "bot", "bot", chosen={"format": "sng"})
    table.plays_on(until=lambda m: 0 in life.to_act(m))
    assert table.does(0, Resign())[:3] == ["SeatResigned", "PlayerFolded", "PlayerWithdrawn"]
    folds(table)
    assert "SeatHandedToBot" not in table.kinds()
    assert table.match.result.places[0] == 3
    ended = table.events[-1]
    assert ended.reason == "played"


@pytest.mark.parametrize("on_resign", ["bot", "end"])
def test_on_resign_has_no_effect_in_poker(on_resign):
    table = holdem("me", "bot", "bot", chosen={"format": "sng", "on_resign": on_resign})
    table.plays_on(until=lambda m: 0 in life.to_act(m))
    table.does(0, Resign())
    assert table.match.status == "playing"


def test_resigning_heads_up_ends_the_game_immediately():
    table = holdem("me", "bot", best_of=3)
    table.plays_on(until=lambda m: 0 in life.to_act(m))
    happened = table.does(0, Resign())
    assert happened[:3] == ["SeatResigned", "PlayerFolded", "PlayerWithdrawn"]
    assert happened.index("PotAwarded") < happened.index("GameEnded")
    assert table.match.series.winners == (1,)
    assert table.match.status == "playing", "the series goes on"
    assert table.match.game.outcome(table.match.table) is None


def test_player_of_two_can_resign_the_whole_match():
    table = holdem("me", "bot", best_of=3)
    table.plays_on(until=lambda m: 0 in life.to_act(m))
    table.does(0, Resign(whole_match=True))
    assert table.match.status == "finished"
    assert table.match.result.winners == (1,)
    assert table.events[-1].reason == "resignation"


def test_later_resignation_is_placed_above_an_earlier_elimination():
    """The game itself ranks seats that resigned; in other formats they always come last."""
    table = holdem("bot", "me", "bot", "bot", chosen={"format": "sng", "starting_stack": 100}, seed=5)
    table.plays_on(Random(2), until=lambda m: any(m.table.places) and not m.table.places[1] and 1 in life.to_act(m))
    assert not table.match.over
    out = next(seat for seat, place in enumerate(table.match.table.places) if place == 4)
    table.does(1, Resign())
    table.plays_on(Random(2))
    assert table.match.result.places[out] == 4
    assert table.match.result.places[1] == 3


def test_forfeit_by_the_clock_counts_as_a_resignation():
    clock = Clock(per_decision_seconds=10, on_expiry="forfeit")
    table = holdem("me", "bot", "bot", chosen={"format": "sng"}, clock=clock)
    table.plays_on(until=lambda m: 0 in life.to_act(m))
    table.now += 11_000
    happened = table.does(0, TimeOut(), "timeout")
    assert happened[:4] == ["DecisionTimedOut", "SeatResigned", "PlayerFolded", "PlayerWithdrawn"]
    assert table.match.status == "playing"


def test_series_continues_without_resigned_seats_until_one_is_left():
    table = holdem("me", "bot", "bot", chosen={"hands": 1}, best_of=3)
    table.plays_on(until=lambda m: 0 in life.to_act(m))
    table.does(0, Resign())
    table.plays_on(Random(3))
    later = [e for e in table.events if isinstance(e, HandStarted)][1:]
    assert later
    assert all(hand.stacks[0] == 0 for hand in later)
    assert table.match.result.places[0] == 3


# --- The clock -----------------------------------------------------------------------------------------


def test_clock_checks_if_possible_and_otherwise_folds():
    table = holdem("me", "me", "bot", clock=Clock(per_decision_seconds=10, max_defaults=9))
    for _ in range(2):
        table.plays_on(until=lambda m: not m.by_bot[life.to_act(m)[0]])
        seat = life.to_act(table.match)[0]
        owes = table.match.table.round.current > table.match.table.round.committed[seat]
        table.now += 11_000
        happened = table.does(seat, TimeOut(), "timeout")
        assert ("PlayerFolded" if owes else "PlayerChecked") in happened[:3]


def test_timed_levels_use_the_time_of_the_match():
    chosen = {"format": "sng", "minutes_per_level": 1}
    table = holdem("bot", "bot", "bot", chosen=chosen)
    for _ in range(40):
        table.now += 5_000
        table.does(life.to_act(table.match)[0], Fold(), "bot")
    begun = next(e for e in table.events if isinstance(e, LevelsTimed))
    raised = [(i, e) for i, e in enumerate(table.events) if isinstance(e, LevelRaised)]
    assert begun.at == 1_000_000
    assert [e.level for _, e in raised] == [2, 3, 4]
    for i, _ in raised:
        assert isinstance(table.events[i + 1], HandStarted), "it takes effect with the next hand"


def test_each_game_of_a_series_times_its_own_levels():
    chosen = {"format": "sng", "minutes_per_level": 1, "starting_stack": 40}
    table = holdem("bot", "bot", best_of=3, chosen=chosen)
    table.plays_on(Random(3))
    kinds = [k for k in table.kinds() if k in ("GameStarted", "LevelsTimed", "GameEnded")]
    assert table.match.status == "finished"
    assert kinds == ["GameStarted", "LevelsTimed", "GameEnded"] * (len(kinds) // 3)
    assert len(kinds) > 3


def test_levels_stop_when_the_blinds_exceed_all_chips():
    table = holdem("bot", "bot", "bot", chosen={"format": "sng", "minutes_per_level": 1})
    hand = table.match.table.hand_no
    table.now += 30 * 24 * 3600 * 1000
    folds(table, until=lambda m: m.table.hand_no > hand)
    assert table.match.table.level == LAST_LEVEL
    assert 10 * 1_000_000 < table.match.table.stakes.big < 2**53


# --- Giving up between two games ---------------------------------------------------------------------


def between(m):
    return m.table is not None and m.table.ended is not None and life.is_paused(m)


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_between_games_of_two_players_loses_the_match(seat):
    table = holdem("me", "me", best_of=3, chosen={"hands": 1, "pause_between_hands": True})
    folds(table, until=between)
    assert table.does(seat, Resign(whole_match=True))[0] == "SeatResigned"
    assert table.match.result.winners == (1 - seat,)
    assert table.events[-1].reason == "resignation"


@pytest.mark.parametrize("on_resign", ["bot", "end"])
def test_next_game_omits_a_seat_that_resigned_between_games(on_resign):
    chosen = {"hands": 1, "pause_between_hands": True, "on_resign": on_resign}
    table = holdem("me", "bot", "bot", best_of=3, chosen=chosen)
    folds(table, until=between)
    assert "SeatHandedToBot" not in table.does(0, Resign())
    folds(table)
    assert table.match.result.places[0] == 3


@pytest.mark.parametrize("chosen", [{"format": "sng", "starting_stack": 100}, {"hands": 3}])
def test_eliminated_seat_that_resigns_plays_no_later_game(chosen):
    table = holdem("me", "bot", "bot", best_of=3, chosen={"pause_between_hands": True, **chosen})

    def goes_out(m):
        return m.table is not None and 0 in m.game.leaving.out(m.table)

    table.plays_on(Random(1), until=lambda m: 0 in life.to_act(m) or goes_out(m))
    while not goes_out(table.match):
        seat = life.to_act(table.match)[0]
        if life.is_paused(table.match):
            table.does(seat, ContinueMatch())
        elif seat == 0 and "hands" in chosen:
            table.does(0, Fold())
            table.does(0, LeaveTable())
        else:
            made = [c.make for c in table.match.game.legal(table.match.table, seat)]
            move = next(m() for m in ((AllIn, Call) if seat == 0 else (Check, Call)) if m in made)
            table.does(seat, move, "move" if seat == 0 else "bot")
    assert not table.match.over
    assert table.match.table.ended is None
    table.does(0, Resign())
    folds(table)
    assert table.match.table.game_no > 1
    assert table.match.table.stacks[0] == 0


def test_resignation_ends_the_match_even_in_the_last_hand():
    table = holdem("me", "bot", chosen={"hands": 1})
    table.plays_on(until=lambda m: 0 in life.to_act(m))
    table.does(0, Resign())
    ended = next(e for e in table.events if isinstance(e, GameEnded))
    assert ended.reason == "resignation"


# --- Between two hands ----------------------------------------------------------------------------------


def pausing(**chosen):
    table = holdem("me", "me", "bot", chosen={"pause_between_hands": True, **chosen})
    folds(table, until=life.is_paused)
    return table


def test_cards_can_be_shown_while_the_table_pauses():
    table = pausing()
    own = table.match.table.hands[0]
    table.does(0, ShowCards(own[:1]))
    assert isinstance(table.events[-1], CardsShown)
    with pytest.raises(Refused, match="card_not_in_hand"):
        table.does(0, ShowCards(table.match.table.hands[1]))
    with pytest.raises(Refused, match="wrong_phase"):
        table.does(0, Fold())


def test_cards_to_show_point_to_the_folded_hand():
    m = pausing().match
    folded = next(seat for seat, live in enumerate(m.table.round.live) if not live)
    scene = as_json(m.game.scene(m.table, folded))
    shown = follow_pointer(scene, m.game.answers.where(m.table, folded)[ShowCards]["cards"])
    assert shown["kind"] == "folded"
    assert {spot["card"] for spot in shown["spots"]} == set(card_names(m.table.hands[folded]))


def test_showing_cards_does_not_confirm_the_next_hand():
    clock = Clock(per_decision_seconds=60, bank_seconds=60)
    table = holdem("me", "me", "bot", chosen={"pause_between_hands": True}, clock=clock)
    folds(table, until=life.is_paused)
    table.now += 70_000
    asked = table.match.clocks.asked
    assert table.does(0, ShowCards(table.match.table.hands[0])) == ["CardsShown"]
    assert table.match.clocks.asked == asked
    assert 0 in life.to_act(table.match)


def test_match_does_not_wait_for_a_seat_that_left():
    table = pausing()
    table.does(1, ContinueMatch())
    assert "HandStarted" in table.does(0, LeaveTable())
    folds(table, until=life.is_paused)
    assert life.to_act(table.match) == (1,)
    assert life.legal(table.match, 0) == ()
    with pytest.raises(Refused, match="wrong_phase"):
        table.does(0, ContinueMatch())


def test_match_does_not_wait_for_an_eliminated_seat():
    """Seat 0 loses everything in its first hand, and the bots play on without a pause."""
    chosen = {"pause_between_hands": True, "format": "sng"}
    table, rng = holdem("me", "bot", "bot", "bot", chosen=chosen, seed=1), Random(1)
    while not table.match.over:
        seat = life.to_act(table.match)[0]
        choices = table.match.game.legal(table.match.table, seat)
        everything = [c for c in choices if seat == 0 and c.make is AllIn]
        table.does(seat, (everything or [rng.choice(choices)])[0].sample(rng), "bot" if seat else "move")
    assert table.match.result.places[0] > 1
    assert table.kinds().count("HandStarted") > 10
    assert "HandContinued" not in table.kinds()


def test_cards_can_be_shown_only_during_a_pause():
    table = holdem("me", "me", "bot", chosen={"hands": 2})
    folds(table)
    for i, event in enumerate(table.events):
        if isinstance(event, HandSettled):
            assert type(table.events[i + 1]).__name__ in ("HandStarted", "GameEnded")
