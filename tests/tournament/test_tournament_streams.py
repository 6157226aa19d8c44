"""Tests that a tournament is a separate stream, written once despite concurrent writers, rebuilt and audited."""

import pytest
from sqlalchemy import select

from domain.core.game import Refused
from domain.tournament.entrants import CloseEntries, Disqualify, Enter, Withdraw
from domain.tournament.organiser import InvitePlayers
from domain.tournament.round_tables import FinishTable, RuleTable
from domain.tournament.tournament_events import evolve
from domain.tournament.tournament_plan import EntryTerms, TournamentPlan
from domain.tournament.tournament_state import Tournament
from events.errors import NotFound, Repeated
from events.ids import match_of
from events.operations.audit_streams import audit_stream
from events.operations.rebuild import rebuild_kind
from events.service import tournaments
from events.service.access import Caller
from events.service.context import Context
from events.service.stream_kinds import TOURNAMENT
from events.service.tournament_lines import changed_lines, tournament_lines
from events.store.records import Head, Idempotency
from events.store.schema.metadata import metadata
from events.store.tables import idempotency_rows, stream_rows, tournament_rows
from events.store.tables.tournament_rows import TABLES
from events.store.tournament_records import TournamentListing
from tests.tournament.evenings import OF, ORGANISER, announced
from tests.tournament.prepared import PREPARED
from tests.tournament.test_arena import ARENA_STORY
from tests.tournament.test_duplicate import DUPLICATE_STORY
from tests.tournament.test_tournament import MISSED, NIGHT, STORY

STORIES = {"all": STORY, "missed": MISSED, "arena": ARENA_STORY, "night": NIGHT, "duplicate": DUPLICATE_STORY}
STORIES |= {"prepared": PREPARED}
HOUR = 3_600_000
ALL = TournamentListing()


class Hands:
    """A clock controlled by the test."""

    at = 1_800_000_000_000

    def __call__(self):
        return self.at


@pytest.fixture
def now():
    return Hands()


@pytest.fixture
def context(store, now):
    return Context(store, now=now)


def begun(context, count=4, plan=None, **more):
    """Return a tournament with this many entrants."""
    one = tournaments.announce_tournament(context, announced(plan, **more))
    return tournaments.command_tournament(context, one.head.match_id, [Enter(f"player {n}") for n in range(count)])


def finish(context, tournament_id, table, places=(1, 2)):
    t = tournaments.load_tournament(context, tournament_id).state
    match = match_of(tournament_id, t.round, table, t.attempts[table])
    told = FinishTable(t.round, table, t.attempts[table], match, "00" * 32, places, (1, 0), 1, 0)
    return tournaments.command_tournament(context, tournament_id, [told], "auto")


def lines(store):
    """Return all rows of the projections."""
    tables = [metadata.tables[name] for name in TABLES]
    return {table.name: sorted(map(repr, store.read(select(table)))) for table in tables}


def played(context):
    """Return a tournament in its second round in which many different things have happened."""
    one = begun(context, 7, TournamentPlan("swiss", 2, 2, most=6, rounds=3), helpers=("hal",))
    tournament_id = one.head.match_id
    for command in (Withdraw("player 1"), InvitePlayers("hal", ("zoe", "player 3")), CloseEntries("hal")):
        tournaments.command_tournament(context, tournament_id, [command])
    finish(context, tournament_id, 0)
    tournaments.command_tournament(context, tournament_id, [RuleTable("hal", 1, (2, 1), "Both agreed.")])
    finish(context, tournament_id, 2, (2, 1))
    tournaments.command_tournament(context, tournament_id, [Disqualify(ORGANISER, 0, "Two accounts.")])
    return tournament_id


# --- What stands beside the log -----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_rows_of_a_tournament_follow_from_its_stream(context, store):
    for _ in range(2):
        played(context)
    begun(context, 2, closes=HOUR)
    before = lines(store)
    assert [len(before[name]) for name in TABLES] == [3, 2 * 11 + 4, 2 * 3]
    for name in TABLES:
        store.change(metadata.tables[name].delete())
    assert list(rebuild_kind(Context(store), TOURNAMENT)) == [3]
    assert lines(store) == before


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_incremental_rows_equal_rows_from_all_events(story):
    head, t, kept = Head(1, OF, 1, bytes(32), 0), Tournament(), None
    for event in story:
        before, t = t, evolve(t, event)
        all_rows = {name: {repr(row) for row in rows} for name, rows in tournament_lines(head, t).items()}
        gone, new = ({n: {*map(repr, rows)} for n, rows in part.items()} for part in changed_lines(head, before, t))
        if kept is not None:
            assert {name: (kept[name] - gone[name]) | new[name] for name in TABLES} == all_rows
            assert all(kept[name] & all_rows[name] & (gone[name] | new[name]) == set() for name in TABLES[1:])
        kept = all_rows


@pytest.mark.both_databases
def test_lists_contain_public_tournaments_and_your_own_latest_first(context, store, now):
    ids = []
    for visibility in ("public", "private", "public"):
        now.at += HOUR
        entry = EntryTerms(visibility, by_invite=visibility == "private")
        ids.append(tournaments.announce_tournament(context, announced(entry=entry, organiser="olga")).head.match_id)
    first, hidden, last = ids
    tournaments.command_tournament(context, hidden, [InvitePlayers("olga", ("ann",))])
    tournaments.command_tournament(context, last, [Enter("bob")])

    def found(viewer, listing=ALL, behind=None, limit=9):
        rows = tournament_rows.find_tournaments(store, viewer, listing, behind, limit)
        return [row.tournament_id for row in rows]

    assert found(None) == found("bob") == [last, first]
    assert found("ann") == found("olga") == [last, hidden, first]
    assert found("bob", TournamentListing(mine=True)) == [last]
    assert found("olga", TournamentListing(status="playing")) == []
    assert found("olga", TournamentListing(game="any")) == ids[::-1]
    assert found("olga", limit=1) == [last]
    row = tournament_rows.find_tournaments(store, "olga", TournamentListing(), None, 1)[0]
    assert found("olga", behind=(row.created_ms, row.tournament_id)) == [hidden, first]


@pytest.mark.both_databases
def test_waiting_work_is_found_by_its_time(context, store, now):
    tournament_id = begun(context, 4, closes=now.at + HOUR).head.match_id
    assert tournament_rows.find_due_to_close(store, now.at, 9) == []
    assert tournament_rows.find_due_to_close(store, now.at + HOUR, 9) == [tournament_id]
    tournaments.command_tournament(context, tournament_id, [CloseEntries(None)], "timeout")
    assert tournament_rows.find_due_to_close(store, now.at + HOUR, 9) == []
    tables = [
        (row.round, row.place, row.attempt, row.match_id) for row in tournament_rows.find_tables_to_create(store, 9)
    ]
    assert tables == [(1, table, 0, match_of(tournament_id, 1, table, 0)) for table in (0, 1)]
    finish(context, tournament_id, 0)
    assert [row.place for row in tournament_rows.find_tables_to_create(store, 9)] == [1]
    for ask in (tournament_rows.find_finished_tables(store, 9), tournament_rows.find_no_show_tables(store, now.at, 9)):
        assert ask == []  # there is no match yet


# --- Who writes at once -------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_slower_writer_retries_and_a_table_counts_once(context, store):
    tournament_id = begun(context).head.match_id
    found = tournaments.load_tournament(context, tournament_id)
    tournaments.command_tournament(context, tournament_id, [Enter("first")])
    tournaments.command_loaded(context, found, [Enter("second")])
    tournaments.command_tournament(context, tournament_id, [CloseEntries(ORGANISER)])
    t = tournaments.load_tournament(context, tournament_id).state
    assert t.players[4:] == ("first", "second")
    version = finish(context, tournament_id, 0).head.version
    told = FinishTable(1, 0, 0, match_of(tournament_id, 1, 0, 0), "00" * 32, (2, 1), (0, 1), 1, 0)
    again = tournaments.command_tournament(context, tournament_id, [told], "auto")
    assert (again.head.version, again.state.results[0].places) == (version, (1, 2))


def test_several_commands_write_nothing_if_one_is_refused(context):
    tournament_id = begun(context).head.match_id
    before = tournaments.load_tournament(context, tournament_id)
    with pytest.raises(Refused, match="already_done"):
        tournaments.command_tournament(context, tournament_id, [Enter("new"), Enter("player 0")])
    assert tournaments.load_tournament(context, tournament_id) == before


@pytest.mark.both_databases
def test_idempotency_key_creates_one_tournament(context, store):
    key = Idempotency(b"k" * 32, b"b" * 32)
    one = tournaments.announce_tournament(context, announced(), key)
    with pytest.raises(Repeated):
        tournaments.announce_tournament(context, announced(), key)
    tournaments.command_tournament(context, one.head.match_id, [Enter("ann")])
    remembered = idempotency_rows.find_key(store, key.key_hash)
    then = tournaments.repeat_tournament_answer(context, remembered)
    assert (then.head.match_id, then.head.version, then.state) == (one.head.match_id, 2, one.state)


def test_running_tournaments_per_organiser_are_limited(context, monkeypatch):
    monkeypatch.setattr(tournaments, "MOST_RUNNING", 1)
    tournaments.announce_tournament(context, announced())
    with pytest.raises(Refused, match="forbidden"):
        tournaments.announce_tournament(context, announced())


def test_draws_use_the_committed_chain(context):
    assert {begun(context).state.commitment for _ in range(2)} != 1
    orders = set()
    for _ in range(2):
        tournament_id = begun(context, 12).head.match_id
        orders.add(tournaments.command_tournament(context, tournament_id, [CloseEntries(ORGANISER)]).state.order)
    assert len(orders) == 2


# --- What is kept in memory ---------------------------------------------------------------------------------


def test_only_new_events_are_read(context, store, now, monkeypatch):
    tournament_id = begun(context, 4).head.match_id
    elsewhere = Context(store, now=now)
    tournaments.load_tournament(elsewhere, tournament_id)
    asked = []
    read = stream_rows.load
    monkeypatch.setattr(stream_rows, "load", lambda *given: asked.append(given[2]) or read(*given))
    for player in ("ann", "ben"):
        tournaments.command_tournament(context, tournament_id, [Enter(player)])
    version = tournaments.load_tournament(context, tournament_id).head.version
    assert asked == [version - 2, version - 1, version]
    there = tournaments.load_tournament(elsewhere, tournament_id)
    assert asked.pop() == version - 2
    assert (
        there
        == tournaments.load_tournament(context, tournament_id)
        == tournaments.load_tournament(Context(store, now=now), tournament_id)
    )
    assert asked.pop() == 0
    tournaments.command_tournament(elsewhere, tournament_id, [CloseEntries(ORGANISER)])
    assert tournaments.load_tournament(context, tournament_id).state.status == "playing"


# --- Who may see it -----------------------------------------------------------------------------------------


def test_private_tournament_is_hidden_from_outsiders(context):
    entry = EntryTerms("private", by_invite=True)
    tournament_id = tournaments.announce_tournament(context, announced(entry=entry)).head.match_id
    with pytest.raises(Refused, match="forbidden"):
        tournaments.command_tournament(context, tournament_id, [Enter("ann")])
    for stranger in (Caller(), Caller("ann")):
        with pytest.raises(NotFound):
            tournaments.see_tournament(context, tournament_id, stranger)
    tournaments.command_tournament(context, tournament_id, [InvitePlayers("hal", ("ann",))])
    for player in ("ann", "hal", ORGANISER):
        assert tournaments.see_tournament(context, tournament_id, Caller(player)).head.match_id == tournament_id
    tournaments.command_tournament(context, tournament_id, [Enter("ann")])


@pytest.mark.parametrize("tournament_id", ["", "nobody", "0" * 20, "z" * 21])
def test_unknown_tournament_is_not_found(context, tournament_id):
    with pytest.raises(NotFound):
        tournaments.see_tournament(context, tournament_id, Caller(ORGANISER))


# --- What an audit finds ------------------------------------------------------------------------------------


def verdicts(store, tournament_id):
    report = audit_stream(store, tournament_id)
    return {check.name: check.ok for check in report.checks}


@pytest.mark.parametrize(
    ("touched", "check"),
    [
        ("UPDATE tournaments SET entrants = 9", "projections"),
        ("DELETE FROM tournament_players", "projections"),
        ("UPDATE tournament_tables SET attempt = 1", "projections"),
        ("UPDATE commits SET events = replace(events, 'Both agreed.', 'I agreed.')", "chain"),
        ("UPDATE commits SET mac = NULL", "codes"),
    ],
)
def test_audit_finds_changes_of_a_tournament(context, store, owner, touched, check):
    tournament_id = played(context)
    assert [name for name, ok in verdicts(store, tournament_id).items() if not ok] == ["agreement"]  # there is no match
    owner(touched)
    assert verdicts(store, tournament_id)[check] is False
