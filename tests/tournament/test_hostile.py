"""Tests hostile organisers, servers and entrants: what each cannot do, and where their actions are visible."""

from functools import reduce
from random import Random

import pytest

from domain.core.fairness import Dealer, chain
from domain.core.game import Refused
from domain.core.values import with_fields
from domain.tournament.announcement import announce_tournament
from domain.tournament.entrants import BarPlayer, CloseEntries, Disqualify, Enter, PlayerMovedUp, Withdraw
from domain.tournament.formats.format_catalogue import links_of
from domain.tournament.organiser import InvitePlayers
from domain.tournament.place_prizes import PrizeAwarded
from domain.tournament.round_tables import FinishTable, ForfeitTable, RoundPaired, RuleTable, TableFinished
from domain.tournament.rounds import byes_of, points_by_entrant
from domain.tournament.tournament_decide import decide
from domain.tournament.tournament_events import evolve
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import PlacePrize, TournamentPlan
from domain.tournament.tournament_state import Tournament
from tests.tournament.evenings import OF, ORGANISER, ROOT, Evening, announced

SWISS = TournamentPlan("swiss", 2, 2, rounds=3)
LATE = with_fields(SWISS, late=2)


def pairings(one):
    return [event.tables for event in one.events if isinstance(event, RoundPaired)]


def nonces(count, last):
    """Return nonces of this many entrants, the last of which is given."""
    return [*(f"{n:016x}" for n in range(count - 1)), last]


def begun(given, plan=SWISS):
    one = Evening(plan)
    for n, nonce in enumerate(given):
        one.told(Enter(f"player {n}", nonce=nonce))
    one.told(CloseEntries(ORGANISER))
    return one


@pytest.mark.parametrize("barred", [0, 1])
def test_prize_of_a_disqualified_entrant_is_not_passed_on(barred):
    prizes = tuple(PlacePrize(place, {}, f"card-{place}") for place in (1, 2))
    one = Evening(with_fields(SWISS, rounds=1), prizes=prizes).begun(4)
    one.finish(0, (1, 2))
    winner = one.state.tables[0][barred]
    one.told(Disqualify(ORGANISER, winner, "Two accounts."))
    one.finish(1, (1, 2))
    places = dict(zip(one.state.ranked, one.state.places, strict=True))
    due = {(who, place) for who, place in places.items() if place <= 2 and who != winner}
    assert {(each.entrant, each.prize.place) for each in one.state.awarded} == due
    assert len(due) == 1 + barred
    assert find_tournament_fault(OF, one.events) is None


# --- An organiser, with the server or without ------------------------------------------------------------------


def test_seeds_are_committed_before_entries():
    one = begun(nonces(4, "ab" * 8))
    assert [type(event).__name__ for event in one.events[:3]] == [
        "TournamentAnnounced",
        "DrawsCommitted",
        "PlayerEntered",
    ]
    bound, entered = one.events[1], one.events[2]
    assert find_tournament_fault(OF, [one.events[0], entered, bound, *one.events[3:]]).place == 0


def test_every_nonce_is_part_of_every_draw():
    """The last nonce, given after the seeds are committed, defeats any draw that the server tried out before."""
    orders, rounds = set(), set()
    for last in ("00" * 8, "11" * 8, "22" * 8, ""):
        one = begun(nonces(12, last))
        orders.add(one.state.order)
        for table in range(len(one.state.tables)):
            one.finish(table, (1, 1))
        rounds.add(one.state.tables)
    assert (len(orders), len(rounds)) == (4, 4)


def test_seeds_outside_the_commitment_are_found():
    """An organiser who could choose the seeds is still bound to those of the commitment."""
    other_root = bytes(range(1, 33))
    dealer = Dealer(OF, (other_root,), bytes(32))
    events = [*Evening(SWISS).entered(4).events]
    t = reduce(evolve, events, Tournament())
    events += decide(t, CloseEntries(ORGANISER), dealer)
    assert find_tournament_fault(OF, events).why == "The seed does not match the commitment."
    again = list(announce_tournament(announced(SWISS), chain(other_root, links_of(SWISS))[0].hex()))
    # But that is a different tournament: its first events differ.
    assert find_tournament_fault(OF, [*again, *events[2:]]) is None
    assert chain(ROOT, links_of(SWISS))[0].hex() != again[1].commitment


def test_drawn_pairing_cannot_be_replaced():
    one = begun(nonces(6, "ab" * 8))
    at = next(i for i, event in enumerate(one.events) if isinstance(event, RoundPaired))
    (first, second, third) = one.events[at].tables
    for tables in (
        ((first[0], second[0]), (first[1], second[1]), third),
        (first[::-1], second, third),
        (second, first, third),
        (first, second),
        (first, second, third, third),
    ):
        forged = with_fields(one.events[at], tables=tables)
        assert find_tournament_fault(OF, [*one.events[:at], forged]).place == at


def test_ruling_is_recorded_with_organiser_and_reason_in_an_open_round():
    one = Evening(SWISS).begun(4)
    one.finish(0, (1, 2))
    (ruled,) = one.told(RuleTable("hal", 0, (2, 1), "The first has cheated."))
    assert (ruled.by, ruled.reason, ruled.result.games) == ("hal", "The first has cheated.", 0)
    finished = next(event for event in one.events if isinstance(event, TableFinished))
    assert finished.result.places == (1, 2)  # the log still has the result of the match
    one.finish(1, (1, 2))
    with pytest.raises(Refused, match="no_such_object"):
        one.told(RuleTable("hal", 2, (1, 2), "Of the round before."))
    closed = one.state.played[0]
    assert closed.tables[0].places == (2, 1)
    for by in ("player 0", "nobody", ""):
        with pytest.raises(Refused, match="forbidden"):
            one.told(RuleTable(by, 0, (1, 2), "I say so."))


def test_omitted_and_repeated_results_are_found():
    one = Evening(SWISS).begun(4).play(Random(2), draws=0)
    at = next(i for i, event in enumerate(one.events) if isinstance(event, TableFinished))
    twice = [*one.events[: at + 1], one.events[at], *one.events[at + 1 :]]
    assert find_tournament_fault(OF, twice).place == at + 1
    assert find_tournament_fault(OF, [*one.events[:at], *one.events[at + 1 :]]) is not None


def test_no_show_must_be_an_entrant_of_the_table():
    one = Evening(SWISS).begun(4)
    (other,) = {*one.state.tables[1]} - {one.state.tables[1][0]}
    for absent in ((other,), (one.state.tables[0][0], other), (), (one.state.tables[0][0],) * 2):
        with pytest.raises(Refused, match="bad_arguments"):
            one.told(ForfeitTable(1, 0, 0, "match", "00" * 32, absent))
    assert find_tournament_fault(OF, one.events) is None


def test_prizes_and_plan_must_match_the_announcement():
    prize = PlacePrize(1, {"fw1": 4}, None)
    one = Evening(SWISS, prizes=(prize,)).begun(4).play()
    at = next(i for i, event in enumerate(one.events) if isinstance(event, PrizeAwarded))
    for forged in (
        with_fields(one.events[at], prize=with_fields(prize, boosters={"fw1": 5})),
        with_fields(one.events[at], entrant=9),
    ):
        assert find_tournament_fault(OF, [*one.events[:at], forged, *one.events[at + 1 :]]).place == at
    assert find_tournament_fault(OF, [*one.events[:at], *one.events[at + 1 :]]).place == at
    assert find_tournament_fault(OF, [*one.events[: at + 1], one.events[at], *one.events[at + 1 :]]).place == at + 1


# --- An entrant -----------------------------------------------------------------------------------------------


def test_reentry_is_a_new_entrant_with_the_first_nonce_kept():
    """So no entrant can withdraw their part in the draws, or take part in them twice."""
    one = Evening(SWISS)
    one.told(Enter("ann", nonce="00" * 8))
    one.told(Enter("ben"))
    one.told(Withdraw("ann"))
    (again,) = one.told(Enter("ann", nonce="11" * 8))
    assert again.entrant == 2
    assert one.state.nonces == ("00" * 8, "", "11" * 8)
    with pytest.raises(Refused, match="already_done"):
        one.told(Enter("ann"))
    one.told(CloseEntries(ORGANISER))
    assert sorted(one.state.order) == [1, 2]


@pytest.mark.parametrize("leaves", [Withdraw("player 0"), Disqualify("hal", 0, "Has cheated.")])
def test_reentry_after_the_start_is_refused(leaves):
    one = Evening(LATE).begun(5)
    one.told(leaves)
    with pytest.raises(Refused):
        one.told(Enter("player 0"))
    one.told(Enter("somebody else"))
    assert one.state.players.count("player 0") == 1


def test_late_entrant_gets_nothing_for_earlier_rounds():
    one = Evening(LATE).begun(4)
    for table in (0, 1):
        one.finish(table, (1, 2))
    (late,) = one.told(Enter("late"))
    assert points_by_entrant(one.state.played, 2)[late.entrant] == 0
    with pytest.raises(Refused, match="wrong_phase"):
        one.told(Enter("later", nonce="00" * 8))  # a nonce after the seeds are used would choose pairings


def test_leaving_does_not_cancel_the_opponents_result():
    one = Evening(SWISS).begun(4)
    loser, winner = one.state.tables[0]
    one.told(Withdraw(f"player {loser}"))
    assert one.state.tables[0] == (loser, winner)
    one.finish(0, (2, 1))
    one.finish(1, (1, 2))
    points = points_by_entrant(one.state.played, 2)
    assert (points[loser], points[winner]) == (0, 3)


def test_player_who_leaves_to_avoid_an_opponent_cannot_return():
    """A bye goes to an entrant present at the pairing. Entrants who left get no further bye, and cannot return."""
    one = Evening(LATE).begun(5)
    had = one.state.byes[0]
    one.told(Withdraw(f"player {had}"))
    one.play(Random(3))
    byes = byes_of(one.state.played)
    assert byes[had] == 1
    assert all(had not in table.seats for each in one.state.played[1:] for table in each.tables)
    assert byes.total() == 1  # four are left, and none of them has a bye


def test_second_account_can_be_disqualified_and_its_results_ruled():
    """The rules refuse a player twice. That two accounts belong to one person is for the organisers to notice."""
    one = Evening(SWISS).begun(4)
    first, second = one.state.tables[0]
    ruled, *_ = one.told(RuleTable("hal", 0, (2, 2), "Both are one person."))
    taken = one.told(Disqualify("hal", second, "The second account of another."))
    assert ruled.result.places == (2, 2)
    assert taken[0].entrant == second
    one.finish(1, (1, 2))
    one.play(Random(1))
    assert all(second not in table.seats for each in one.state.played[1:] for table in each.tables)
    assert first in one.state.ranked


def test_result_counts_only_from_the_current_match_of_a_table():
    """A table ends only by its match of this attempt and this round; other results are ignored."""
    one = Evening(SWISS).begun(4)
    for command in (
        FinishTable(1, 0, 1, "another", "00" * 32, (1, 2), (1, 0), 1, 0),
        FinishTable(2, 0, 0, "another", "00" * 32, (1, 2), (1, 0), 1, 0),
        FinishTable(1, 7, 0, "another", "00" * 32, (1, 2), (1, 0), 1, 0),
    ):
        assert one.told(command) == ()


def test_waiting_players_keep_their_order():
    one = Evening(with_fields(SWISS, most=2)).entered(2)
    for player in ("first", "second"):
        one.told(Enter(player))
    one.told(Withdraw("first"))
    one.told(Enter("first"))
    assert one.told(Withdraw("player 0"))[1].player == "second"
    at = next(i for i, event in enumerate(one.events) if isinstance(event, PlayerMovedUp))
    forged = with_fields(one.events[at], player="first", waiting=("second",))
    assert find_tournament_fault(OF, [*one.events[:at], forged]).place == at


# --- Leaving before being taken out ----------------------------------------------------------------------------


def leader_who_leaves():
    """Return a Swiss whose leader leaves while the last table is open, and the number of the leader."""
    prizes = tuple(PlacePrize(place, {}, f"card-{place}") for place in (1, 2))
    one = Evening(with_fields(SWISS, rounds=1), prizes=prizes).begun(4)
    one.finish(0, (1, 2))
    leader = one.state.tables[0][0]
    one.told(Withdraw(one.state.players[leader]))
    return one, leader


def test_player_who_left_can_be_disqualified_and_gets_no_prize():
    one, leader = leader_who_leaves()
    left = one.state.left
    (out,) = one.told(Disqualify(ORGANISER, leader, "Two accounts."))
    assert (out.entrant, out.after, one.state.left) == (leader, 1, left)
    one.finish(1, (1, 1))
    assert one.state.ranked[0] == leader
    assert [each.prize.place for each in one.state.awarded] == [2]
    assert find_tournament_fault(OF, one.events) is None


def test_player_who_left_keeps_earlier_pairings():
    one = Evening(SWISS).begun(4)
    one.told(Withdraw("player 3"))
    first = one.state.left[3]
    for table in one.waiting():
        one.finish(table, (1, 2))
    (out,) = one.told(Disqualify(ORGANISER, 3, "Two accounts."))
    assert (out.after, one.state.left[3], one.state.round) == (first, first, 2)
    forged = with_fields(out, after=2)
    assert find_tournament_fault(OF, [*one.events[:-1], forged]).place == len(one.events) - 1


def test_reentered_player_is_disqualified_by_the_later_number_once():
    one = Evening(SWISS).entered(3)
    one.told(Withdraw("player 0"))
    one.told(Enter("player 0"))
    with pytest.raises(Refused, match="no_such_object"):
        one.told(Disqualify(ORGANISER, 0, "Two accounts."))
    one.told(Disqualify(ORGANISER, 3, "Two accounts."))
    for number in (0, 3):
        with pytest.raises(Refused, match="already_done"):
            one.told(Disqualify(ORGANISER, number, "Once more."))
    with pytest.raises(Refused, match="no_such_object"):
        one.told(Disqualify(ORGANISER, -1, "Nobody."))


def test_waiting_and_invited_players_can_be_barred():
    one = Evening(with_fields(SWISS, most=2)).entered(4)
    assert tuple(one.state.waiting) == ("player 2", "player 3")
    one.told(InvitePlayers(ORGANISER, ("player 9",)))
    one.told(BarPlayer("hal", "player 2", "Two accounts."))
    one.told(BarPlayer(ORGANISER, "player 9", "Two accounts."))
    assert tuple(one.state.waiting) == ("player 3",)
    for player in ("player 2", "player 9"):
        with pytest.raises(Refused, match="forbidden"):
            one.told(Enter(player))
        with pytest.raises(Refused, match="already_done"):
            one.told(BarPlayer(ORGANISER, player, "Once more."))
    for player in ("player 0", "player 8"):
        with pytest.raises(Refused, match="no_such_object"):
            one.told(BarPlayer(ORGANISER, player, "Has entered, or is unknown."))
    with pytest.raises(Refused, match="forbidden"):
        one.told(BarPlayer("player 1", "player 3", "Is nobody who runs it."))
    assert find_tournament_fault(OF, one.events) is None


def test_barred_player_is_removed_from_the_waiting_list():
    one = Evening(with_fields(SWISS, most=2)).entered(3)
    one.told(Withdraw("player 0"))
    one.told(Enter("player 0"))
    one.told(Disqualify(ORGANISER, 0, "Two accounts."))
    assert (one.state.barred, dict(one.state.waiting)) == (("player 0",), {})
    assert find_tournament_fault(OF, one.events) is None
