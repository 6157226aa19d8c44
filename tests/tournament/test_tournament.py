"""Tests a tournament from its announcement to its end: it follows the rules, and everything follows from its events."""

from functools import reduce
from random import Random

import msgspec
import pytest

from domain.core.field_docs import field_docs
from domain.core.game import Refused
from domain.core.type_schema import of_event
from domain.core.types import fields_of
from domain.core.values import is_same, with_fields
from domain.tournament import tournament_events as ev
from domain.tournament.announcement import announce_tournament
from domain.tournament.entrants import BarPlayer, CloseEntries, Disqualify, Enter, EntriesClosed, Withdraw
from domain.tournament.formats.format_catalogue import links_of
from domain.tournament.organiser import CancelTournament, InvitePlayers, Pause, Resume
from domain.tournament.place_prizes import PrizeAwarded
from domain.tournament.round_tables import (
    ByeGiven,
    FinishTable,
    RoundClosed,
    RoundPaired,
    RuleTable,
    TableFinished,
    TableRuled,
)
from domain.tournament.rounds import met_of, points_by_entrant
from domain.tournament.table_deals import DiscloseDeals
from domain.tournament.tournament_events import evolve
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import EntryTerms, PlacePrize, TournamentPlan
from domain.tournament.tournament_standings import standings
from domain.tournament.tournament_state import Tournament
from events.log.codec import shapes_of
from tests.draws import draws
from tests.tournament.evenings import DEALS, OF, ORGANISER, Evening, announced, commitment
from tests.tournament.nights import Night, many
from tests.tournament.prepared import PREPARED
from tests.tournament.test_arena import ARENA_STORY

SWISS = TournamentPlan("swiss", 2, 2, rounds=3)
PRIZES = (PlacePrize(1, {"fw1": 4}, "fw1-001"), PlacePrize(2, {"fw1": 2}, None))


def types(events):
    return [type(event).__name__ for event in events]


def story():
    """Apply everything that can happen in a tournament, except its cancellation."""
    one = Evening(TournamentPlan("swiss", 2, 2, rounds=3, cut=4, most=6, late=2), prizes=PRIZES)
    one.entered(6, nonce="yes")
    one.told(Enter("who waits", "the club", "00" * 8))
    one.told(Enter("who gives up"))
    one.told(Withdraw("who gives up"))
    one.told(Withdraw("player 2"))
    one.told(CloseEntries("hal"))
    one.finish(0, (2, 1))
    one.told(Pause("hal", "Tea."))
    one.finish(1, (1, 1))
    one.told(RuleTable(ORGANISER, 2, (2, 2), "Neither came."))
    one.told(Withdraw("player 0"))
    one.told(Enter("late", "the club"))
    one.told(Resume(ORGANISER))
    one.told(Disqualify("hal", one.state.tables[0][0], "Two accounts."))
    return one.play(Random(3), draws=0.4)


STORY = story().events
CANCELLED = Evening(SWISS).entered(2)
CANCELLED.told(CancelTournament(ORGANISER, "Too few came."))
CANCELLED.told(DiscloseDeals(DEALS.hex()))


def missed():
    """Return a tournament by invitation with no-shows at some tables, and one overdue table."""
    one = Evening(
        with_fields(SWISS, round_days=7),
        entry=EntryTerms("private", by_invite=True, least_rating=1000, least_reliability=90),
    )
    invited = tuple(f"player {n}" for n in range(5))
    one.told(InvitePlayers("hal", (*invited, "player 5")))
    one.told(BarPlayer("hal", "player 5", "Two accounts."))
    for player in invited:
        one.told(Enter(player, rating=1500, reliability=95))
    one.told(CloseEntries(ORGANISER))
    never = one.state.tables[0][0]
    one.forfeit(0, never)
    one.late(1, one.state.tables[1][1])
    at = next(at for at, table in enumerate(one.state.tables) if never in table)
    one.forfeit(at, never)
    return one.play(Random(4))


MISSED = missed().events
NIGHT = Night(many(seats=4)).begun(9).plays().events


# --- The course ---------------------------------------------------------------------------------------------


def test_rounds_are_paired_when_entries_close_and_tables_end():
    one = Evening(SWISS).entered(4)
    assert types(one.told(CloseEntries(ORGANISER))) == ["EntriesClosed", "RoundPaired"]
    assert types(one.finish(1, (1, 2))) == ["TableFinished"]
    assert types(one.finish(0, (2, 1))) == ["TableFinished", "RoundClosed", "RoundPaired"]


def test_tournament_ends_with_the_last_round_and_awards_prizes():
    one = Evening(SWISS, prizes=PRIZES).begun(4).play()
    assert types(one.events[-4:]) == ["RoundClosed", "PrizeAwarded", "PrizeAwarded", "TournamentEnded"]
    first, second = one.state.awarded
    assert (first.entrant, second.entrant) == one.state.ranked[:2]
    assert one.state.places == (1, 2, 3, 4)


def test_odd_number_of_entrants_gets_a_bye():
    one = Evening(SWISS).begun(5)
    assert types(one.events[-2:]) == ["RoundPaired", "ByeGiven"]
    one.play()
    byes = [event.entrant for event in one.events if isinstance(event, ByeGiven)]
    assert len(set(byes)) == 3


def test_table_result_counts_once_and_not_after_a_ruling():
    one = Evening(SWISS).begun(4)
    one.told(RuleTable("hal", 0, (1, 2), "No-show."))
    assert one.finish(0, (2, 1)) == ()
    assert one.state.results[0].places == (1, 2)
    (over, *_) = one.finish(1, (1, 2))
    again = FinishTable(1, 1, 0, over.match, over.head, (2, 1), (0, 1), 1, 0)
    assert one.told(again) == ()  # the round is closed
    assert one.state.played[0].tables[1].places == (1, 2)
    this = FinishTable(2, 1, 0, "this", over.head, (2, 1), (0, 1), 1, 0)
    assert types(one.told(this)) == ["TableFinished"]
    assert one.told(this) == ()


def test_tie_at_a_larger_table_is_replayed_until_earlier_rounds_decide_it():
    one = Evening(TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots")).begun(8)
    assert types(one.finish(0, (1, 2, 2, 4))) == ["TableDrawn"]
    assert types(one.finish(0, (1, 1, 3, 4))) == ["TableFinished"]
    assert types(one.finish(1, (4, 1, 2, 3))) == ["TableFinished", "RoundClosed", "RoundPaired"]
    assert len(one.state.tables) == 1
    with pytest.raises(Refused, match="bad_arguments"):
        one.told(RuleTable("hal", 0, (2, 3, 1, 4)[:3], "Short."))
    assert types(one.finish(0, (2, 3, 1, 4))) == ["TableFinished", "RoundClosed", "TournamentEnded"]
    assert one.state.places == (1, 2, 3, 4, 5, 5, 5, 5)


def test_result_of_another_round_or_of_a_replayed_match_is_ignored():
    one = Evening(TournamentPlan("single_elimination", 2, 2)).begun(2)
    assert types(one.finish(0, (1, 1))) == ["TableDrawn"]
    assert one.state.attempts == (1,)
    assert types(one.finish(0, (1, 1))) == ["TableDrawn"]
    assert types(one.finish(0, (2, 1))) == ["TableFinished", "RoundClosed", "TournamentEnded"]
    assert one.finish(0, (1, 2)) == ()


def test_too_few_entrants_at_closing_time_cancel_the_tournament():
    one = Evening(SWISS, closes=1_800_000_000_000).entered(1)
    assert types(one.told(CloseEntries(None))) == ["TournamentCancelled"]
    assert find_tournament_fault(OF, one.events) is None


# --- Who does not come, and who is late ---------------------------------------------------------------------


def test_no_show_loses_the_table_and_a_second_no_show_is_eliminated():
    one = Evening(SWISS).begun(4)
    never = one.state.tables[0][0]
    (lost,) = one.forfeit(0, never)
    assert (lost.result.places, lost.result.games) == ((2, 1), 0)
    one.finish(1, (1, 2))
    at = next(at for at, table in enumerate(one.state.tables) if never in table)
    assert types(one.forfeit(at, never)) == ["TableForfeited", "PlayerDropped"]
    one.finish(1 - at, (1, 2))
    assert never not in {one_ for table in one.state.tables for one_ in table} | {*one.state.byes}
    rows = standings(one.state.order, one.state.played, 2)
    assert [row.points for row in rows if row.entrant == never] == [0]


def test_all_seats_lose_if_none_showed_up():
    one = Evening(SWISS).begun(4)
    (lost,) = one.forfeit(0, *one.state.tables[0])
    assert lost.result.places == (2, 2)
    assert one.forfeit(0, one.state.tables[0][0]) == ()  # it counts once


def test_no_show_at_a_larger_elimination_table_is_replayed():
    one = Evening(TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots")).begun(8)
    never = one.state.tables[0][0]
    (lost,) = one.forfeit(0, never)
    assert (lost.result, lost.attempt, one.state.attempts[0]) == (None, 1, 1)
    assert types(one.forfeit(0, never)) == ["TableForfeited", "PlayerDropped"]
    assert one.state.results[0] is None
    assert types(one.finish(0, (4, 1, 2, 3))) == ["TableFinished"]


def test_overdue_table_is_lost_by_the_seat_to_move_or_drawn():
    for overdue, places in (("lost", (1, 2)), ("drawn", (1, 1))):
        one = Evening(with_fields(SWISS, round_days=7, overdue=overdue)).begun(4)
        (late,) = one.late(0, one.state.tables[0][1])
        assert late.result.places == places
        assert one.finish(0, (2, 1)) == ()
    bracket = Evening(TournamentPlan("single_elimination", 2, 2, round_days=7)).begun(4)
    (late,) = bracket.late(0, *bracket.state.tables[0])
    assert late.result.places == (2, 2)


# --- Who may enter ------------------------------------------------------------------------------------------


def test_only_invited_players_and_organisers_can_enter_by_invitation():
    one = Evening(SWISS, entry=EntryTerms(by_invite=True))
    assert types(one.told(InvitePlayers("hal", ("ann", "ann", "bob")))) == ["PlayersInvited"]
    assert one.told(InvitePlayers("hal", ("ann",))) == ()
    for player in ("ann", "hal", ORGANISER):
        one.told(Enter(player))
    with pytest.raises(Refused, match="forbidden"):
        one.told(Enter("eve"))


@pytest.mark.parametrize(("rating", "enters"), [(None, False), (999, False), (1000, True), (1500, True), (1501, False)])
def test_rating_bounds_hold(rating, enters):
    one = Evening(SWISS, entry=EntryTerms(least_rating=1000, most_rating=1500))
    if enters:
        assert one.told(Enter("ann", rating=rating))[0].rating == rating
    else:
        with pytest.raises(Refused, match="rating_not_admitted"):
            one.told(Enter("ann", rating=rating))


@pytest.mark.parametrize(("reliability", "enters"), [(None, False), (89, False), (90, True), (100, True)])
def test_reliability_bound_holds_for_early_waiting_and_late_entries(reliability, enters):
    entry = EntryTerms(least_reliability=90)
    takes, waits = Evening(SWISS, entry=entry), Evening(with_fields(SWISS, most=2), entry=entry)
    for one in (takes, waits):
        for player in ("ben", "cem"):
            one.told(Enter(player, reliability=95))
    late = Evening(with_fields(SWISS, late=2), entry=entry)
    for player in ("ben", "cem", "dan", "eve"):
        late.told(Enter(player, reliability=95))
    late.told(CloseEntries(ORGANISER))
    for one, kind in ((takes, "PlayerEntered"), (waits, "PlayerWaits"), (late, "PlayerEnteredLate")):
        if enters:
            (event,) = one.told(Enter("ann", reliability=reliability))
            assert (type(event).__name__, event.reliability) == (kind, reliability)
        else:
            with pytest.raises(Refused, match="reliability_not_admitted"):
                one.told(Enter("ann", reliability=reliability))


@pytest.mark.parametrize("most_waiting", [0, 2])
def test_waiting_list_has_its_announced_maximum(most_waiting):
    one = Evening(with_fields(SWISS, most=2, most_waiting=most_waiting)).entered(2)
    for n in range(most_waiting):
        assert types(one.told(Enter(f"waiting {n}"))) == ["PlayerWaits"]
    with pytest.raises(Refused, match="forbidden"):
        one.told(Enter("ann"))
    if most_waiting:
        one.told(Withdraw("waiting 0"))
    else:
        one.told(Withdraw("player 0"))
    assert types(one.told(Enter("ann")))[0] == ("PlayerWaits" if most_waiting else "PlayerEntered")


# --- Going on -----------------------------------------------------------------------------------------------


def test_pause_delays_the_next_round():
    one = Evening(SWISS).begun(2)
    one.told(Pause(ORGANISER, "Supper."))
    assert types(one.finish(0, (1, 2))) == ["TableFinished"]
    assert types(one.told(Resume(ORGANISER)))[1:] == ["RoundClosed", "RoundPaired"]


def test_first_on_the_waiting_list_moves_up_when_a_place_becomes_free():
    one = Evening(with_fields(SWISS, most=2)).entered(2)
    assert types(one.told(Enter("zoe"))) == ["PlayerWaits"]
    assert types(one.told(Withdraw("player 0"))) == ["PlayerWithdrew", "PlayerMovedUp"]
    one.told(CloseEntries(ORGANISER))
    assert sorted(one.state.order) == [1, 2]
    assert one.state.players[2] == "zoe"


def test_late_entrant_has_missed_the_earlier_rounds():
    one = Evening(with_fields(SWISS, late=1)).begun(4)
    one.told(Enter("late"))
    for table in (0, 1):
        one.finish(table, (1, 2))
    assert {one_ for table in one.state.tables for one_ in table} | {*one.state.byes} == set(range(5))
    with pytest.raises(Refused, match="wrong_phase"):
        one.told(Enter("later"))


def test_withdrawn_entrant_is_not_paired_and_keeps_points():
    one = Evening(SWISS).begun(4)
    gone = one.state.tables[0][0]
    one.finish(0, (1, 2))
    one.told(Withdraw(f"player {gone}"))
    one.finish(1, (1, 2))
    assert all(gone not in table for table in one.state.tables)
    one.play()
    rows = standings(one.state.order, one.state.played, 2)
    assert [(row.points, row.rounds) for row in rows if row.entrant == gone] == [(3, 1)]


def test_draw_depends_on_nonces_and_the_tournament_id():
    orders = set()
    for nonce in ("", "yes"):
        one = Evening(SWISS).entered(12, nonce)
        orders.add(one.told(CloseEntries(ORGANISER))[0].order)
    assert len(orders) == 2


def test_seed_reveals_nothing_about_later_seeds():
    one = Evening(SWISS).begun(4).play()
    links = [event.link for event in one.events if isinstance(event, EntriesClosed | RoundPaired)]
    assert links == [1, 2, 3, 4]
    assert max(links) < links_of(SWISS)


@pytest.mark.parametrize("entrants", [2, 3, 5, 9])
@pytest.mark.parametrize(
    "plan",
    [
        TournamentPlan("swiss", 2, 2),
        TournamentPlan("swiss", 2, 2, fill="bots"),
        TournamentPlan("round_robin", 2, 2, most=10),
        TournamentPlan("league", 2, 2, legs=2, most=10),
        TournamentPlan("single_elimination", 2, 2),
        TournamentPlan("double_elimination", 2, 2),
        TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots"),
        TournamentPlan("single_elimination", 3, 2, fill="short"),
        TournamentPlan("shoot_out", 4, 2, fill="short"),
        TournamentPlan("swiss", 2, 2, cut=4),
        TournamentPlan("swiss", 3, 2, fill="short"),
        TournamentPlan("swiss", 4, 4, rounds=2, fill="bots"),
    ],
)
def test_every_format_ends_despite_leavers_and_verifies(plan, entrants):
    for leaves in (0, 0.1):
        rng, one = Random(f"{plan} {entrants}"), Evening(plan).begun(entrants)
        while one.state.status == "playing":
            table = rng.choice(one.waiting())
            seats = len(one.state.tables[table])
            one.finish(table, (1,) * seats if rng.random() < 0.2 else tuple(rng.sample(range(1, seats + 1), seats)))
            staying = [who for who, _ in enumerate(one.state.players) if who not in one.state.left]
            if one.state.status == "playing" and len(staying) > 1 and rng.random() < leaves:
                one.told(Withdraw(f"player {rng.choice(staying)}"))
        assert sorted(one.state.ranked) == list(range(entrants))
        assert one.state.places[0] == 1
        assert find_tournament_fault(OF, one.events) is None
        if plan.format == "round_robin" and not leaves:
            assert set(met_of(one.state.played).values()) == {1}


# --- What is refused ----------------------------------------------------------------------------------------

RUNNING = Evening(with_fields(SWISS, late=1)).begun(4)
OPEN = Evening(with_fields(SWISS, most=2)).entered(2)


@pytest.mark.parametrize(
    ("one", "command", "code"),
    [
        (OPEN, Enter("player 1"), "already_done"),
        (OPEN, Enter("zoe", nonce="XYZ"), "bad_arguments"),
        (OPEN, Withdraw("zoe"), "no_such_object"),
        (OPEN, CloseEntries("player 1"), "forbidden"),
        (OPEN, CloseEntries(None), "wrong_phase"),
        (OPEN, InvitePlayers("player 1", ("zoe",)), "forbidden"),
        (OPEN, Disqualify("player 1", 0, ""), "forbidden"),
        (OPEN, Disqualify("hal", 2, ""), "no_such_object"),
        (OPEN, Pause("hal", ""), "wrong_phase"),
        (OPEN, RuleTable("hal", 0, (1, 2), ""), "no_such_object"),
        (OPEN, CancelTournament("player 0", ""), "forbidden"),
        (RUNNING, Enter("player 0"), "already_done"),
        (RUNNING, Enter("late", nonce="00" * 8), "wrong_phase"),
        (RUNNING, CloseEntries("hal"), "already_started"),
        (RUNNING, Resume("hal"), "wrong_phase"),
        (RUNNING, RuleTable("player 0", 0, (1, 2), ""), "forbidden"),
        (RUNNING, RuleTable("hal", 2, (1, 2), ""), "no_such_object"),
        (RUNNING, RuleTable("hal", 0, (1, 3), ""), "bad_arguments"),
        (RUNNING, RuleTable("hal", 0, (1,), ""), "bad_arguments"),
        (CANCELLED, Enter("zoe"), "match_over"),
        (CANCELLED, Resume(ORGANISER), "match_over"),
    ],
)
def test_refused_command_changes_nothing(one, command, code):
    before, events = one.state.copy(), len(one.events)
    with pytest.raises(Refused, match=code):
        one.told(command)
    assert (one.state, len(one.events)) == (before, events)


def test_disqualified_or_withdrawn_entrant_cannot_return():
    one = Evening(with_fields(SWISS, late=2)).entered(5)
    one.told(Disqualify("hal", 0, "Two accounts."))
    with pytest.raises(Refused, match="forbidden"):
        one.told(Enter("player 0"))
    one.told(CloseEntries(ORGANISER))
    one.told(Withdraw("player 1"))
    with pytest.raises(Refused, match="wrong_phase") as left:
        one.told(Enter("player 1"))
    assert "left" in left.value.sentence


def test_refused_late_entry_says_whether_entries_are_closed_or_full():
    full, closed = Evening(with_fields(SWISS, most=4, late=1)).begun(4), Evening(SWISS).begun(4)
    for one, why in ((full, "All places are taken."), (closed, "Entries are closed.")):
        with pytest.raises(Refused, match="wrong_phase") as refused:
            one.told(Enter("late"))
        assert refused.value.sentence == why


def test_too_few_entrants_cannot_start():
    one = Evening(TournamentPlan("swiss", 4, 3)).entered(3)
    with pytest.raises(Refused, match="wrong_phase"):
        one.told(CloseEntries(ORGANISER))


def test_ruling_cannot_let_both_win_a_drawn_elimination_table():
    one = Evening(TournamentPlan("single_elimination", 2, 2)).begun(4)
    with pytest.raises(Refused, match="bad_arguments"):
        one.told(RuleTable("hal", 0, (1, 1), "Even."))
    one.told(RuleTable("hal", 0, (2, 2), "Neither came."))
    one.play(Random(1), draws=0)
    assert sorted(one.state.places) == [1, 3, 3, 3]  # nobody was there to play the final with, and to be second


@pytest.mark.parametrize(
    ("plan", "entrants", "places"),
    [
        (TournamentPlan("single_elimination", 2, 2), 4, [3] * 4),
        (TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots"), 8, [5] * 8),
        (TournamentPlan("shoot_out", 4, 2, fill="bots"), 8, [3] * 8),
        (TournamentPlan("double_elimination", 2, 2), 4, [3] * 4),
    ],
    ids=["single", "larger tables", "shoot-out", "double"],
)
def test_unwon_places_stay_empty(plan, entrants, places):
    one = Evening(plan).begun(entrants)
    while one.state.status == "playing":
        for table in one.waiting():
            seats = len(one.state.tables[table])
            one.told(RuleTable("hal", table, (seats,) * seats, "All have left."))
    assert list(one.state.places) == places
    assert find_tournament_fault(OF, one.events) is None


def test_final_that_both_players_lose_has_no_winner():
    prizes = (PlacePrize(1, {"core": 4}, "card-1"), PlacePrize(2, {"core": 3}, None), PlacePrize(3, {}, "card-3"))
    one = Evening(TournamentPlan("single_elimination", 2, 2), prizes=prizes).begun(4)
    for table in (0, 1):
        one.finish(table, (1, 2))
    one.told(RuleTable("hal", 0, (2, 2), "Both have left."))
    assert list(one.state.places) == [2, 2, 4, 4]
    given = [(each.entrant, each.prize) for each in one.state.awarded]
    first, second, *_ = one.state.ranked
    assert given == [(first, PlacePrize(2, {"core": 2}, "card-3")), (second, PlacePrize(2, {"core": 1}, None))]


@pytest.mark.parametrize(
    "wrong",
    [
        announced(TournamentPlan("round_robin", 4, 4, most=8)),
        announced(prizes=(PRIZES[0], PRIZES[0])),
        announced(entry=EntryTerms("private")),
        announced(with_fields(SWISS, show_up_seconds=1)),
        announced(with_fields(SWISS, round_days=0)),
        announced(TournamentPlan("double_elimination", 2, 2, overdue="drawn")),
        announced(TournamentPlan("single_elimination", 4, 2, fill="bots", round_days=3)),
        announced(TournamentPlan("shoot_out", 4, 2, fill="bots", overdue="drawn")),
        announced(prizes=(PlacePrize(0, {}, None),)),
        announced(prizes=(PlacePrize(1, {"fw1": 0}, None),)),
        announced(prizes=(PlacePrize(1, {"fw1": True}, None),)),
    ],
)
def test_unplayable_tournament_is_refused(wrong):
    with pytest.raises(Refused, match="bad_options"):
        announce_tournament(wrong, commitment(SWISS))


@pytest.mark.parametrize(
    ("places", "wins", "games", "drawn"),
    [
        ((1, 2, 2), (1, 0), 1, 0),
        ((1, 3), (1, 0), 1, 0),
        ((0, 1), (1, 0), 1, 0),
        ((1, 2), (1,), 1, 0),
        ((1, 2), (2, 0), 1, 0),
        ((1, 2), (1, -1), 1, 0),
        ((1, 2), (1, 0), 1, 1),
        ((1, 2), (1, 0), 1, -1),
    ],
)
def test_impossible_table_result_is_refused(places, wins, games, drawn):
    with pytest.raises(Refused, match="bad_arguments"):
        RUNNING.told(FinishTable(1, 0, 0, "m", "00" * 32, places, wins, games, drawn))


@pytest.mark.parametrize("table", [-1, 2])
def test_result_of_an_unknown_table_is_ignored(table):
    assert RUNNING.told(FinishTable(1, table, 0, "m", "00" * 32, (1, 2), (1, 0), 1, 0)) == ()


# --- What is stored -----------------------------------------------------------------------------------------


def test_played_tournaments_cover_every_event():
    told = (*STORY, *CANCELLED.events, *MISSED, *NIGHT, *ARENA_STORY, *PREPARED)
    assert set(types(told)) == {cls.__name__ for cls in ev.EVENTS}


@pytest.mark.parametrize("cls", ev.EVENTS, ids=lambda cls: cls.__name__)
def test_every_event_has_a_description_and_a_json_form(cls):
    known = shapes_of(ev.EVENTS)
    described = of_event(cls)["properties"]
    assert set(described) == set(fields_of(cls))
    assert all(doc.endswith(".") for doc in field_docs(cls).values())
    for event in (*STORY, *CANCELLED.events, *MISSED, *NIGHT, *ARENA_STORY, *PREPARED):
        if type(event) is cls:
            shape = known[cls.__name__]
            stored = msgspec.json.decode(msgspec.json.encode(shape.data(event)))
            assert is_same(shape.event(stored, 0, {}, "spectators"), event)


@pytest.mark.parametrize("events", [STORY, NIGHT], ids=["rounds", "many tables"])
def test_evolving_does_not_change_earlier_states(events):
    state = Tournament()
    for event in events:
        before = state.copy()
        after = evolve(state, event)
        assert state == before
        state = after
    assert state == reduce(evolve, events, Tournament())


# --- What is judged -----------------------------------------------------------------------------------------


def test_played_tournaments_follow_the_rules():
    assert find_tournament_fault(OF, STORY) is None
    assert find_tournament_fault(OF, CANCELLED.events) is None
    assert find_tournament_fault(OF, MISSED) is None


def test_same_events_under_another_id_fail_verification():
    assert find_tournament_fault("another", STORY).why == "The rules give a different result."


def tampered(event, rng):
    """Return the event with one changed field, or None if none can change."""
    for name in rng.sample(list(fields_of(type(event))), len(fields_of(type(event)))):
        was = getattr(event, name)
        if isinstance(was, bool) or was is None or name in ("rating", "reliability"):  # the server reports its findings
            continue
        if isinstance(was, int):
            return with_fields(event, **{name: was + 1})
        if isinstance(was, tuple) and len(was) > 1 and was[0] != was[1]:
            return with_fields(event, **{name: (was[1], was[0], *was[2:])})
    return None


FREE = ("TournamentAnnounced", "DrawsCommitted", "PlayersInvited")
"""Events that the organiser and the server choose freely. A change contradicts later events, or has no consequences."""


def test_changed_event_is_found_at_or_after_its_place():
    rng, found = Random(20261123), 0
    for story, at, event in [(told, at, event) for told in (STORY, MISSED) for at, event in enumerate(told)]:
        for _ in range(draws(1)):
            if type(event).__name__ in FREE or (other := tampered(event, rng)) is None:
                continue
            what = find_tournament_fault(OF, [*story[:at], other, *story[at + 1 :]])
            assert what is not None, (at, event, other)
            assert what.place >= at
            found += 1
    assert found > 20


@pytest.mark.parametrize("cls", [ByeGiven, RoundClosed, RoundPaired, PrizeAwarded, EntriesClosed])
def test_omitted_event_is_found(cls):
    at = next(i for i, event in enumerate(STORY) if isinstance(event, cls))
    assert find_tournament_fault(OF, [*STORY[:at], *STORY[at + 1 :]]).place == at


def test_log_that_ends_before_an_automatic_event_is_found():
    at = next(i for i, event in enumerate(STORY) if isinstance(event, RoundClosed))
    assert find_tournament_fault(OF, STORY[:at]).why == "An event that must follow automatically is missing."


def test_drawn_table_is_verified_by_its_result():
    """The two entrants tied for the last advancing place have equal points, and the entrant before them has fewer."""
    one = Evening(TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots")).begun(16)
    for table in range(4):
        one.finish(table, (1, 2, 3, 4))
    had = points_by_entrant(one.state.played, 4)
    points = [had[who] for who in one.state.tables[0]]
    first = points.index(4)
    places = tuple(1 if seat == first else 2 if had == 6 else 4 for seat, had in enumerate(points))
    assert sorted(places) == [1, 2, 2, 4]
    assert types(one.finish(0, places)) == ["TableDrawn"]
    assert find_tournament_fault(OF, one.events) is None


def test_repeated_and_malformed_seeds_do_not_count():
    at = [i for i, event in enumerate(STORY) if isinstance(event, RoundPaired)]
    for wrong in (with_fields(STORY[at[1]], link=2), with_fields(STORY[at[1]], seed="none")):
        assert find_tournament_fault(OF, [*STORY[: at[1]], wrong, *STORY[at[1] + 1 :]]).place == at[1]
    assert find_tournament_fault(OF, [STORY[0], with_fields(STORY[1], commitment="")]).place == 1


def test_changed_seed_is_found():
    at = next(i for i, event in enumerate(STORY) if isinstance(event, RoundPaired))
    forged = with_fields(STORY[at], seed="11" * 32)
    assert find_tournament_fault(OF, [*STORY[:at], forged, *STORY[at + 1 :]]).place == at
    one = Evening(SWISS)
    first = [with_fields(one.events[0]), with_fields(one.events[1], commitment="22" * 32)]
    one = Evening(SWISS).begun(2)
    assert find_tournament_fault(OF, [*first, *one.events[2:]]).why == "The seed does not match the commitment."


def test_organiser_cannot_change_a_result_without_an_event():
    at = next(i for i, event in enumerate(STORY) if isinstance(event, TableFinished))
    won = STORY[at].result
    swapped = with_fields(STORY[at], result=with_fields(won, places=won.places[::-1]))
    assert find_tournament_fault(OF, [*STORY[:at], swapped, *STORY[at + 1 :]]) is not None
    ruled = TableRuled(1, 0, won, "I say so.", "player 3")
    assert find_tournament_fault(OF, [*STORY[:at], ruled]).why.startswith("The rules refuse this")
