"""Tests notifications of tournaments: tables, free places and the end; each once, and only to the players concerned."""

from collections import Counter

import pytest

from domain.core.staking import LeavingStack
from domain.tournament.entrants import CloseEntries, Disqualify, Enter, Withdraw
from domain.tournament.formats.many_tables import StackMoved
from domain.tournament.organiser import CancelTournament, InvitePlayers
from domain.tournament.round_tables import FinishTable, RuleTable
from domain.tournament.rounds import BOT
from domain.tournament.tournament_plan import EntryTerms, TournamentPlan
from events.follow.follower import Follower
from events.ids import match_of
from events.log.commits import read_events
from events.notify import lanes, ledger, tournament_notices
from events.notify.handler import NoticeHandler
from events.operations.erasure import erase_player
from events.service import tournaments
from events.service.context import Context
from events.service.stream_kinds import TOURNAMENT
from events.store.follow_records import START
from events.store.tables import checkpoint_rows, player_rows
from tests.notify.log import follow, noted
from tests.tournament.evenings import announced
from tests.tournament.lives import Hands, terms
from tests.workers.test_many_tables_run import Night

CLOSED = CloseEntries("zoe")


@pytest.fixture
def evening(store, now):
    """Create a tournament of Zoe's; return a function that sends it a command, and its id."""
    context = Context(store, now=now)

    def made(*entrants, plan=None, **more):
        plan = plan or TournamentPlan("swiss", 2, 2, rounds=2)
        first = announced(plan, **{"organiser": "zoe", "helpers": (), "terms": terms()} | more)
        tournament_id = tournaments.announce_tournament(context, first).head.match_id

        def tell(*commands):
            return tournaments.command_tournament(context, tournament_id, commands).state

        if entrants:
            tell(*map(Enter, entrants))
        return tell, tournament_id

    return made


def told(store, player=None):
    """Return the kinds of the recorded notifications, in order."""
    return [notice.kind.removeprefix("tournament_") for notice in noted(store, player)]


def finished(t, table):
    """Report a win of the first seat."""
    return FinishTable(t.round, table, t.attempts[table], "match", "00" * 32, (1, 2), (1, 0), 1, 0)


@pytest.mark.both_databases
def test_pairing_and_end_of_a_tournament_are_notified(store, office, hook, evening):
    hook("ann"), hook("ben"), hook("zoe")
    tell, tournament_id = evening("ann", "ben", "cat")
    t = tell(CLOSED)
    office.look()
    for player in ("ann", "ben"):
        (notice,) = noted(store, player)
        seat = next((seat for seat, one in enumerate(t.tables[0]) if t.players[one] == player), None)
        match = "" if seat is None else match_of(tournament_id, 1, 0, 0)
        assert (notice.kind, notice.tournament_id, notice.round) == ("tournament_round_paired", tournament_id, 1)
        assert (notice.seat, notice.match_id, notice.game) == (seat, match, t.terms.game)
    t = tell(finished(t, 0))
    tell(finished(t, 0))
    office.look()
    assert told(store, "ann") == told(store, "ben") == ["round_paired", "round_paired", "over"]
    assert told(store, "zoe") == ["over"]  # the player the player who closed entries is not told of it
    assert told(store, "cat") == []  # a player who wants no notices gets none
    versions = [notice.version for notice in noted(store, "ann")]
    assert versions == sorted(versions)


def test_waiting_player_is_notified_of_a_free_place_or_of_closed_entries(store, office, hook, evening):
    hook("cat"), hook("dan"), hook("zoe")
    tell, _ = evening("ann", "ben", "cat", "dan", plan=TournamentPlan("swiss", 2, 2, most=2), closes=1)
    tell(Withdraw("ann"))
    tell(CloseEntries(None))
    office.look()
    assert told(store, "cat") == ["moved_up", "round_paired"]
    assert told(store, "dan") == told(store, "zoe") == ["entries_closed"]


def test_waiting_player_is_notified_of_a_cancellation_only_while_waiting(store, office, hook, evening):
    hook("cat"), hook("dan")
    plan = TournamentPlan("swiss", 2, 2, most=2)
    (taking, _), (begun, _) = evening("ann", "ben", "cat", plan=plan), evening("ann", "ben", "dan", plan=plan, closes=1)
    begun(CloseEntries(None))
    for tell in (taking, begun):
        tell(CancelTournament("zoe", "Rain."))
    office.look()
    assert told(store, "cat") == ["over"]
    assert told(store, "dan") == ["entries_closed"]


def test_invited_and_disqualified_players_are_notified_but_not_leavers(store, office, hook, evening):
    for player in ("ann", "ben", "cat", "dan"):
        hook(player)
    tell, _ = evening(entry=EntryTerms("private", by_invite=True))
    tell(InvitePlayers("zoe", ("ann", "ben", "cat", "zoe")))
    tell(Enter("ann"), Enter("ben"), Enter("cat"), Enter("zoe"))
    tell(Withdraw("cat"))
    tell(Disqualify("zoe", 1, "Two accounts."))
    tell(CLOSED)
    t = tell(CancelTournament("zoe", "Rain."))
    office.look()
    assert told(store, "ann") == ["invited", "round_paired", "over"]
    assert told(store, "ben") == ["invited", "dropped"]
    assert told(store, "cat") == ["invited"]
    assert told(store, "dan") == []  # may not see it
    assert all(tournaments.may_see_tournament(t, notice.player_id) for notice in noted(store))


@pytest.mark.both_databases
def test_each_notification_is_sent_once_by_killed_or_restarted_followers(store, hook, evening, now, monkeypatch):
    for player in ("ann", "ben", "cat", "dan"):
        hook(player)
    tell, _ = evening("ann", "ben", "cat", "dan")
    followers = [Follower(store, NoticeHandler(store, now=now), now=now) for _ in range(2)]
    t = tell(CLOSED)
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "set_alarms", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            follow(store, followers[0].step)
    assert noted(store) == []
    for table in (0, 1):
        follow(store, *(one.step for one in followers))
        t = tell(finished(t, table))
    for table in (0, 1):
        follow(store, *(one.step for one in followers))
        t = tell(RuleTable("zoe", table, (1, 2), "It was agreed."))
    follow(store, *(one.step for one in followers))
    once = noted(store)
    assert Counter(notice.kind for notice in once) == {"tournament_round_paired": 8, "tournament_over": 4}
    checkpoint_rows.save_position(store, NoticeHandler.name, START)
    follow(store, Follower(store, NoticeHandler(store, now=now), now=now).step)
    assert noted(store) == once


def test_tournament_cache_can_be_lost_at_any_time(store, office, hook, evening, monkeypatch):
    monkeypatch.setattr(tournament_notices, "MOST", 0)
    hook("ann")
    tell, _ = evening("ann", "ben")
    t = tell(CLOSED)
    office.look()
    tell(finished(t, 0))
    office.look()
    assert told(store, "ann") == ["round_paired", "round_paired"]


def test_unreadable_tournament_does_not_delay_other_notifications(store, office, hook, evening, monkeypatch, caplog):
    hook("ann")
    (bad, bad_id), (good, good_id) = evening("ann", "ben"), evening("ann", "ben")
    of_tournament = tournament_notices.match_of
    monkeypatch.setattr(
        tournament_notices, "match_of", lambda one, *more: of_tournament(one, *more) if one == good_id else 1 / 0
    )
    bad(CLOSED), good(CLOSED)
    office.look()
    assert [notice.tournament_id for notice in noted(store, "ann")] == [good_id]
    assert f"cannot send the notifications of tournament={bad_id}" in caplog.text


def test_erased_player_is_not_notified_and_leaves_no_data(store, office, hook, evening, now):
    hook("ann"), hook("ben")
    tell, _ = evening("ann", "ben")
    t = tell(CLOSED)
    office.look()
    erase_player(store, "ann", now())
    tell(finished(t, 0))
    office.look()
    assert noted(store, "ann") == []
    assert told(store, "ben") == ["round_paired", "round_paired"]


@pytest.mark.both_databases
def test_webhook_gets_its_chosen_types_with_a_link(store, office, hook, evening, receiver):
    hook("ann", kinds=["tournament_round_paired"])
    tell, tournament_id = evening("ann", "ben")
    t = tell(CLOSED)
    assert BOT not in t.tables[0]
    assert office.deliver() == 1
    (got,) = receiver.got
    assert got["type"] == "tournament_round_paired"
    assert {name: got["data"][name] for name in ("tournament", "round", "match", "link")} == {
        "tournament": tournament_id,
        "round": 1,
        "match": match_of(tournament_id, 1, 0, 0),
        "link": f"https://cards.example/v1/tournaments/{tournament_id}",
    }
    tell(CancelTournament("zoe", "Rain."))
    assert office.deliver() == 0
    assert lanes.claim(store, 1 << 50) == []


def test_two_identical_tournaments_send_separate_notifications(store, office, hook, evening):
    hook("ann")
    for tell, _ in (evening("ann"), evening("ann")):
        tell(CancelTournament("zoe", "Rain."))
    office.look()
    assert told(store, "ann") == ["over", "over"]


def test_each_arena_table_is_notified_with_its_number(store, office, hook, evening, now):
    hook("ann")
    plan = TournamentPlan("arena", 2, 2, ends=now() + 3_600_000)
    tell, tournament_id = evening("ann", "ben", plan=plan)
    tell(finished(tell(CLOSED), 0))
    office.look()
    assert [notice.match_id for notice in noted(store, "ann")] == [match_of(tournament_id, 1, n, 0) for n in (0, 1)]


def test_player_at_many_tables_is_notified_of_moves_but_not_of_each_hand(store, office, hook, evening):
    names = ("ann", "ben", "cat", "dan")
    for name in names:
        hook(name)
    tell, tournament_id = evening(*names, plan=TournamentPlan("multi_table", 3, 2, fill="short", stack=1000))
    t = tell(CLOSED)
    busts = LeavingStack(0, 2000, 0, 0), LeavingStack(1, 0, 1, 1000)
    stays = LeavingStack(0, 1000, 0, 0), LeavingStack(1, 1000, 0, 0)
    t = tell(FinishTable(1, 0, 0, "match 0", "00" * 32, (1, 2), (1, 0), 1, 0, busts))
    t = tell(FinishTable(1, 1, 0, "match 1", "00" * 32, (1, 1), (0, 0), 1, 1, stays))
    (moved,) = t.moved
    office.look()
    for one, name in enumerate(t.players):
        notices = noted(store, name)
        assert [notice.round for notice in notices] == ([1, 2] if one == moved.entrant else [1])
    assert noted(store, t.players[moved.entrant])[1].match_id == match_of(tournament_id, 2, moved.table, 0)


def test_player_at_many_tables_is_notified_of_the_last_match_only(store, office, hook):
    one = Night(store, Hands(), 8, seats=4)
    one.daring = 1
    for n, player in enumerate(one.state.players):
        player_rows.add_player(store, player, f"Nobody {n}", bytes([n]) * 32, 0)
        hook(player)
    one.to_its_end()
    office.look()
    for player in one.state.players:
        heard = told(store, player)
        hands = heard.count("match_started")
        assert heard.count("match_over") == 1, heard
        assert heard.count("round_paired") <= 1 + len([move for move in moved(one) if move == player])
        assert hands >= 1
    assert any(told(store, player).count("match_started") > 1 for player in one.state.players)


def moved(one):
    """Return the players who moved to another table, each as often as they did."""
    held = tournaments.load_tournament(one.matches, one.id)
    events = read_events(held.rows, TOURNAMENT.shapes, 0)
    return [held.state.players[event.entrant] for event in events if type(event) is StackMoved]
