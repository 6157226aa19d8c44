"""Tests that an arena pairs free entrants until its time is over, and that waiting or hiding gains nothing."""

from random import Random

import pytest

from domain.core.clock import read_time
from domain.core.fairness import is_link
from domain.core.game import Refused
from domain.core.values import with_fields
from domain.tournament.entrants import Enter, Withdraw
from domain.tournament.formats.arena import MOST_PAIRINGS, ComeBack, EndPairing, Rest, TablesPaired
from domain.tournament.formats.format_catalogue import ground_of, plan_faults
from domain.tournament.organiser import Pause, Resume
from domain.tournament.round_tables import RoundPaired, RuleTable
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import PlacePrize, TournamentPlan
from domain.tournament.tournament_standings import standings
from tests.tournament.evenings import OF, ORGANISER, Evening

ENDS = read_time("2026-11-23T11:00:00.000Z")
ARENA = TournamentPlan("arena", 2, 2, ends=ENDS)


def types(events):
    return [type(event).__name__ for event in events]


def at_table(one, entrant):
    """Return the open table of an entrant, or None."""
    return next((table for table in one.waiting() if entrant in one.state.tables[table]), None)


def wins(one, entrant):
    """Make an entrant win the open table."""
    table = at_table(one, entrant)
    return one.finish(table, tuple(1 if there == entrant else 2 for there in one.state.tables[table]))


def story():
    """Play an arena with all events that occur only in arenas."""
    one = Evening(ARENA).begun(7)
    one.told(Enter("late"))
    one.forfeit(0, one.state.tables[0][0])
    one.told(ComeBack(f"player {one.state.tables[0][0]}"))
    for _ in range(12):
        one.finish(one.waiting()[0], (1, 2))
    one.told(Rest("player 6"))
    one.finish(one.waiting()[-1], (1, 1))
    one.told(EndPairing())
    return one.play(Random(5))


ARENA_STORY = story().events


# --- Pairing ------------------------------------------------------------------------------------------------


def test_free_players_are_paired_while_other_tables_play():
    one = Evening(ARENA).begun(8)
    assert len(one.waiting()) == 4
    assert types(one.finish(0, (1, 2))) == ["TableFinished"]  # two alone would only meet again
    assert types(one.finish(1, (1, 2))) == ["TableFinished", "TablesPaired"]
    assert one.waiting() == [2, 3, 4, 5]
    winners, losers = one.state.tables[4:]
    assert {*winners} == {one.state.tables[0][0], one.state.tables[1][0]}
    assert {*losers} == {one.state.tables[0][1], one.state.tables[1][1]}


def test_two_free_players_wait_for_a_third():
    one = Evening(ARENA).begun(3)
    for _ in range(30):
        (table,) = one.waiting()
        before = {*one.state.tables[table]}
        one.finish(table, (1, 2))
        assert {*one.state.tables[-1]} != before


def test_two_remaining_players_meet_again():
    one = Evening(ARENA).begun(2)
    assert types(one.finish(0, (1, 2))) == ["TableFinished", "TablesPaired"]


def test_pairing_needs_an_eighth_of_present_players_free():
    one = Evening(ARENA).begun(80)
    counts = [types(one.finish(table, (1, 2))).count("TablesPaired") for table in range(5)]
    assert counts == [0, 0, 0, 0, 1]


def test_resting_player_does_not_count_as_present():
    one = Evening(ARENA).begun(80)
    for table in range(30, 38):
        for who in one.state.tables[table]:
            one.told(Rest(f"player {who}"))
    # When the last of 16 resting players leaves, 64 remain, and eight are an eighth of them.
    counts = [types(one.finish(table, (1, 2))).count("TablesPaired") for table in range(4)]
    assert counts == [0, 0, 0, 1]
    assert find_tournament_fault(OF, one.events) is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_players_play_equally_often_against_changing_opponents(seats):
    rng, one = Random(seats), Evening(TournamentPlan("arena", seats, 2, ends=ENDS)).begun(13)
    for _ in range(60):
        table = rng.choice(one.waiting())
        one.finish(table, tuple(rng.sample(range(1, seats + 1), seats)))
    count = [sum(who in table for table in one.state.tables) for who in range(13)]
    assert max(count) - min(count) <= 8
    latest = {}
    for table in one.state.tables:
        assert all(latest.get(who) != {*table} for who in table)
        latest |= {who: {*table} for who in table}
    assert find_tournament_fault(OF, one.events) is None


def test_arena_tables_count_when_they_end():
    one = Evening(ARENA).begun(4)
    winner = one.state.tables[0][0]
    one.finish(0, (1, 2))
    first, *_ = standings(one.state.order, ground_of(one.state).rounds, 2)
    assert (first.entrant, first.points) == (winner, 3)


@pytest.mark.long
def test_each_pairing_has_a_separate_seed_until_the_last():
    one = Evening(ARENA).begun(2)
    while one.state.status == "playing":
        one.finish(one.waiting()[0], (1, 2))
    drawn = [event for event in one.events if isinstance(event, RoundPaired | TablesPaired)]
    assert [event.link for event in drawn] == list(range(2, MOST_PAIRINGS + 2))
    assert is_link(drawn[-1].seed, drawn[-1].link, one.state.commitment)
    assert types(one.events[-2:]) == ["RoundClosed", "TournamentEnded"]


# --- Its time -----------------------------------------------------------------------------------------------


def test_open_tables_finish_before_the_prizes_of_an_arena():
    one = Evening(ARENA, prizes=(PlacePrize(1, {}, "p"),)).begun(8)
    assert types(one.told(EndPairing())) == ["PairingEnded"]
    assert one.told(EndPairing()) == ()
    for table in (0, 1, 2):
        assert types(one.finish(table, (1, 2))) == ["TableFinished"]
    assert types(one.finish(3, (1, 2))) == ["TableFinished", "RoundClosed", "PrizeAwarded", "TournamentEnded"]
    assert one.state.places == tuple(range(1, 9))


def test_arena_ends_immediately_without_open_tables():
    one = Evening(ARENA).begun(2)
    one.told(Rest("player 0"))
    wins(one, 1)
    assert one.waiting() == []
    assert types(one.told(EndPairing())) == ["PairingEnded", "RoundClosed", "TournamentEnded"]


def test_arena_that_has_not_started_by_its_end_is_cancelled():
    one = Evening(ARENA).entered(4)
    assert types(one.told(EndPairing())) == ["TournamentCancelled"]
    assert find_tournament_fault(OF, one.events) is None


def test_pause_delays_pairings():
    one = Evening(ARENA).begun(4)
    one.told(Pause(ORGANISER, "Fire drill."))
    one.finish(0, (1, 2))
    assert types(one.finish(1, (1, 2))) == ["TableFinished"]
    assert types(one.told(Resume(ORGANISER))) == ["TournamentResumed", "TablesPaired"]


# --- Coming and going ---------------------------------------------------------------------------------------


def test_late_player_is_paired_with_a_free_one():
    one = Evening(ARENA).begun(2)
    assert types(one.told(Enter("late"))) == ["PlayerEnteredLate"]
    wins(one, 0)
    assert 2 in one.state.tables[-1]
    one.told(EndPairing())
    with pytest.raises(Refused, match="wrong_phase"):
        one.told(Enter("too late"))


def test_resting_player_is_not_paired_until_back():
    one = Evening(ARENA).begun(5)
    free = next(who for who in range(5) if at_table(one, who) is None)
    one.told(Rest(f"player {free}"))
    for table in (0, 1):
        one.finish(table, (1, 2))
    assert at_table(one, free) is None
    one.told(ComeBack(f"player {free}"))
    for table in one.waiting():
        one.finish(table, (1, 2))
    assert at_table(one, free) is not None


def test_no_show_rests_and_a_second_no_show_is_eliminated():
    one = Evening(ARENA).begun(4)
    never = one.state.tables[0][0]
    assert types(one.forfeit(0, never)) == ["TableForfeited", "PlayerRested"]
    one.finish(1, (1, 2))
    assert at_table(one, never) is None
    one.told(ComeBack(f"player {never}"))
    while at_table(one, never) is None:
        one.finish(one.waiting()[0], (1, 2))
    assert types(one.forfeit(at_table(one, never), never))[:2] == ["TableForfeited", "PlayerDropped"]
    with pytest.raises(Refused, match="no_such_object"):
        one.told(ComeBack(f"player {never}"))
    assert find_tournament_fault(OF, one.events) is None


def test_player_who_left_cannot_return():
    one = Evening(ARENA).begun(4)
    one.told(Withdraw("player 1"))
    for again in (Enter("player 1"), ComeBack("player 1")):
        with pytest.raises(Refused):
            one.told(again)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Rest("player 0"), "already_done"),
        (ComeBack("player 1"), "already_done"),
        (Rest("nobody"), "no_such_object"),
    ],
)
def test_resting_and_returning_require_the_right_state(command, code):
    one = Evening(ARENA).begun(4)
    one.told(Rest("player 0"))
    with pytest.raises(Refused, match=code):
        one.told(command)


def test_other_formats_allow_no_rest_and_have_no_end_time():
    one = Evening().begun(4)
    for command in (Rest("player 0"), ComeBack("player 0"), EndPairing()):
        with pytest.raises(Refused, match="wrong_phase"):
            one.told(command)


# --- Who would gain by it -----------------------------------------------------------------------------------


def test_quick_loser_is_not_paired_again_while_others_are_free():
    one = Evening(ARENA).begun(6)
    farmer = one.state.tables[0][0]
    met = [one.state.tables[0][1]]
    while at_table(one, farmer) is not None and len(met) < 12:
        wins(one, farmer)
        for _ in range(3):
            if at_table(one, farmer) is None:
                one.finish(next(at for at in one.waiting() if farmer not in one.state.tables[at]), (1, 2))
        (other,) = {*one.state.tables[at_table(one, farmer)]} - {farmer}
        assert other != met[-1]
        met.append(other)
    assert len(met) == 12


def test_repeated_no_show_gives_points_once():
    one = Evening(ARENA).begun(2)
    one.forfeit(0, 0)
    assert one.waiting() == []
    one.told(ComeBack("player 0"))
    one.forfeit(1, 0)
    assert one.waiting() == []
    rows = standings(one.state.order, ground_of(one.state).rounds, 2)
    assert [row.points for row in rows] == [6, 0]
    with pytest.raises(Refused):
        one.told(Enter("player 0"))


def test_ruling_of_a_finished_table_pairs_no_one_twice():
    one = Evening(ARENA).begun(8)
    one.finish(0, (1, 2))
    one.told(RuleTable("hal", 0, (2, 2), "They had agreed on it."))
    one.finish(1, (1, 2))
    sitting = [who for table in one.waiting() for who in one.state.tables[table]]
    assert len(sitting) == len({*sitting}) == 8
    assert find_tournament_fault(OF, one.events) is None


@pytest.mark.parametrize("left_out", ["TablesPaired", "PlayerRested", "PairingEnded", "PlayerReturned"])
def test_omitted_event_is_found(left_out):
    events = list(ARENA_STORY)
    at = next(i for i, event in enumerate(events) if type(event).__name__ == left_out)
    assert find_tournament_fault(OF, events) is None
    assert find_tournament_fault(OF, events[:at] + events[at + 1 :]) is not None


def test_tables_that_differ_from_the_draw_are_found():
    events = list(ARENA_STORY)
    at = next(i for i, event in enumerate(events) if isinstance(event, TablesPaired))
    events[at] = with_fields(events[at], tables=tuple(table[::-1] for table in events[at].tables))
    assert find_tournament_fault(OF, events).place == at


@pytest.mark.parametrize(
    "plan",
    [
        with_fields(ARENA, ends=None),
        TournamentPlan("swiss", 2, 2, ends=ENDS),
        with_fields(ARENA, rounds=4),
        with_fields(ARENA, fill="bots"),
        with_fields(ARENA, late=1),
        with_fields(ARENA, legs=2),
    ],
)
def test_impossible_arena_plan_has_a_reason(plan):
    (why,) = plan_faults(plan)
    assert why.endswith(".")
