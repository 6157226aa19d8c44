"""Makes the matches at the tables of tournaments.

The id of a match follows from its table, so it is created only once, even by several processes.
"""

from collections.abc import Sequence
from contextlib import suppress

from domain import match as life
from domain.core.fairness import next_root
from domain.games.catalogue import GAMES
from domain.match import Match
from domain.match.creation import PREPARING, DealGroup, MatchCreated, SeatPlan, Series, TournamentTable
from domain.match.seating import Coming, Sit
from domain.match.stakes import BringStacks
from domain.tournament.deciding_match import terms_at
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.rounds import BOT
from domain.tournament.tournament_plan import MatchTerms
from domain.tournament.tournament_state import Tournament
from events.errors import AlreadyThere, GameNotInstalled
from events.ids import derived_id, match_of
from events.log.dealers import dealer_of
from events.log.streams import Decision
from events.service import group_tables
from events.service.context import Context
from events.service.match_kind import MATCH_KIND
from events.service.stream_writer import begin_stream, empty_stream, new_stream
from events.service.tournament_deals import root_of
from events.service.tournament_pods import LEVEL, pod_seats
from events.store.tournament_records import TableRow


def make_table(context: Context, t: Tournament, row: TableRow) -> bool:
    """Create the match of a table, with seats kept for the entrants; return False if it exists.

    Raises `GameNotInstalled`.
    """
    if not _is_there(t, row):
        return False
    created = _decide_match(context, t, row)
    with suppress(AlreadyThere):
        begin_stream(context, MATCH_KIND, created)
        return True
    return False


def _decide_match(context: Context, t: Tournament, row: TableRow, group: DealGroup | None = None) -> Decision[Match]:
    """Return the decision to create the match of a table. Raises `GameNotInstalled`."""
    terms, seats = _played_at(t, row)
    game = GAMES.get(terms.game)
    if game is None:
        raise GameNotInstalled
    created = MatchCreated(
        game=terms.game,
        rules=life.rules_of(game),
        options=terms.options,
        preset=terms.preset,
        seats=seats,
        visibility=t.entry.visibility,
        clock=terms.clock,
        series=Series(terms.best_of or game.setup.best_of),
        creator=None,
        tournament=TournamentTable(row.tournament_id, row.round, row.place, row.attempt),
        deal_group=group,
    )
    root = root_of(context, t, row)
    dealer = dealer_of(row.match_id, created, (root, next_root(root)), context.draw(32))
    now = context.now()
    m, happened = life.create_match(game, row.match_id, created, _stacks_and_players(t, row, seats), dealer, now)
    unborn = empty_stream(row.match_id, life.initial_match(game, row.match_id, created), dealer, now)
    return Decision(unborn, now, happened, m)


def _stacks_and_players(t: Tournament, row: TableRow, seats: Sequence[SeatPlan]) -> list[Coming]:
    """Return the stacks of a table with their players, who sit there from the start; empty without stacks."""
    if not t.stakes:
        return []
    there = [(seat, Sit(plan.player)) for seat, plan in enumerate(seats) if plan.player is not None]
    return [(0, BringStacks(t.stakes[row.place])), *there]


def _is_there(t: Tournament, row: TableRow) -> bool:
    """Return whether this table, or pod, still exists."""
    return t.round == row.round and row.place < len(t.pods if row.round == PREPARING else t.tables)


def _played_at(t: Tournament, row: TableRow) -> tuple[MatchTerms, tuple[SeatPlan, ...]]:
    """Return the game and the seats of a table or pod."""
    if row.round == PREPARING:
        assert t.preparation is not None
        return t.preparation.terms, pod_seats(t, row.place)
    return terms_at(t, row.place), tuple(_plan(t, one, len(t.tables[row.place])) for one in t.tables[row.place])


def _plan(t: Tournament, entrant: int | None, seats: int) -> SeatPlan:
    """Return the seat of an entrant, or of a bot."""
    if entrant is BOT or format_of(t).bot_sits_in(t, entrant, seats):
        return SeatPlan("bot", LEVEL, None)
    return SeatPlan("invite", None, t.players[entrant])


def make_round(context: Context, t: Tournament, row: TableRow) -> bool:
    """Create the matches of all open tables of a duplicate, with the same deals; return False if they exist.

    If some are replayed, wait for all of them. Raises `GameNotInstalled`.
    """
    waiting = [table for table, result in enumerate(t.results) if result is None] if t.round == row.round else []
    attempts = {t.attempts[table] for table in waiting}
    if len(attempts) != 1 or row.attempt not in attempts:
        return False
    if len(waiting) == 1:  # The other tables were ruled.
        return make_table(context, t, row)
    group_id = derived_id(b"tournament_deals", f"{row.tournament_id}|{row.round}|{row.attempt}")
    made = [
        _decide_match(context, t, _row(row, table), DealGroup(group_id, i, len(waiting)))
        for i, table in enumerate(waiting)
    ]
    with suppress(AlreadyThere):
        group_tables.store_group(context, group_id, "", [new_stream(context, MATCH_KIND, one) for one in made])
        context.woken()
        return True
    return False


def _row(row: TableRow, table: int) -> TableRow:
    """Return the row of another table of the same round."""
    match_id = match_of(row.tournament_id, row.round, table, row.attempt)
    return row._replace(place=table, match_id=match_id)
