"""Runs tournaments: closes entries, creates the matches of tables, reports their results, and awards prizes.

One runs with each dispatcher; any number may run. Pending work follows only from the database, and each step is written
once. So a runner may be killed between any two steps, and the next one continues.
"""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from domain.core.game import Refused
from domain.tournament.entrants import CloseEntries, LapseEntries
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.tournament_plan import MOST_OPEN_DAYS
from domain.tournament.tournament_state import Tournament
from events.errors import Unavailable
from events.follow.follower import PAGE as FOLLOWED
from events.follow.follower import Follower
from events.service import table_endings, tournament_tables, tournaments
from events.service.context import Context
from events.service.tournament_ends import TournamentEndHandler
from events.service.tournament_pods import waiting_pod_command
from events.store.tables import tournament_rows
from events.store.tournament_records import TableRow

PAUSE: Final = 0.5
"""The pause between two looks, in seconds."""
IDLE_PAUSE: Final = 2.0
"""The pause between two looks while no tournament is on, in seconds."""
PAGE: Final = 200
"""Maximum number of tables that are handled together."""
OPEN_MS: Final = 86_400_000 * MOST_OPEN_DAYS
"""The longest time for which entries are open, in milliseconds."""
FAILED_SECONDS: Final = 60.0
"""Seconds for which a tournament is skipped after a failure."""

log = logging.getLogger(__name__)


class TournamentRunner:
    """Advances tournaments; `done` is called after it has written."""

    def __init__(self, context: Context, done: Callable[[], None] = lambda: None) -> None:
        self._context = context
        self._done = done
        self._failed: dict[str, float] = {}
        self._ends = Follower(context.store, TournamentEndHandler(context), now=context.now)

    def look(self) -> float:
        """Do all due work; return the seconds until more can be due."""
        store = self._context.store
        followed = self._ends.step()
        if not tournament_rows.any_on(store):
            return 0.0 if followed == FOLLOWED else IDLE_PAUSE
        now, left = self._context.now(), self._left_alone()
        done = self._by_time(tournament_rows.find_due_to_close(store, now, PAGE, left), CloseEntries(None))
        done += self._by_time(tournament_rows.find_lapsed(store, now - OPEN_MS, PAGE, left), LapseEntries())
        done += self._by_time(tournament_rows.find_due_to_end(store, now, PAGE, left))
        done += self._by_tournament(tournament_rows.find_tables_to_create(store, PAGE, left), self._make)
        done += self._by_tournament(
            tournament_rows.find_finished_tables(store, PAGE, left), self._tell(table_endings.ending_command)
        )
        done += self._by_tournament(tournament_rows.find_begun_pods(store, PAGE, left), self._tell(waiting_pod_command))
        done += self._by_tournament(tournament_rows.find_no_show_tables(store, now, PAGE, left), self._expire)
        done += self._by_tournament(
            tournament_rows.find_overdue_tables(store, now, PAGE, left), self._tell(table_endings.adjudicate_command)
        )
        if done:
            self._done()
        return 0.0 if done or followed == FOLLOWED else PAUSE

    # --- What is to be done ---------------------------------------------------------------------------------

    def _by_time(self, tournament_ids: Iterable[str], *commands: Any) -> int:
        """Send tournaments the commands that are due; the end of an arena is sent before everything else."""

        def send_commands(tournament_id: str) -> bool:
            tournaments.command_tournament(self._context, tournament_id, commands, "timeout")
            return True

        return sum(self._try(one, send_commands) for one in tournament_ids)

    def _make(self, tournament_id: str, rows: list[TableRow]) -> bool:
        t = tournaments.load_tournament(self._context, tournament_id).state
        if format_of(t).has_same_deals:
            return tournament_tables.make_round(self._context, t, rows[0])
        made = any([tournament_tables.make_table(self._context, t, row) for row in rows])  # noqa: C419 -- all are made
        table_endings.resign_withdrawn(self._context, tournament_id, t)
        return made

    def _expire(self, tournament_id: str, rows: list[TableRow]) -> bool:
        t = tournaments.load_tournament(self._context, tournament_id).state
        return any([table_endings.expire_match(self._context, t, row) for row in rows])  # noqa: C419 -- all are ended

    def _tell(
        self, command: Callable[[Context, Tournament, TableRow], Any | None]
    ) -> Callable[[str, list[TableRow]], bool]:
        """Send a tournament the commands for all these tables, in one commit."""

        def send_commands(tournament_id: str, rows: list[TableRow]) -> bool:
            found = tournaments.load_tournament(self._context, tournament_id)
            here = [row for row in rows if row.round == found.state.round]
            commands = [one for row in here if (one := command(self._context, found.state, row)) is not None]
            try:
                if commands:
                    tournaments.command_loaded(self._context, found, commands, "auto")
            except Refused:
                return self._one_by_one(tournament_id, commands)
            return bool(commands)

        return send_commands

    def _one_by_one(self, tournament_id: str, commands: Sequence[Any]) -> bool:
        """Send a tournament its commands one by one, because one of them is refused and needs a ruling."""
        done = False
        for command in commands:
            try:
                before = tournaments.load_tournament(self._context, tournament_id)
                after = tournaments.command_loaded(self._context, before, [command], "auto")
                done |= after.head.version > before.head.version
            except Refused:
                log.exception(
                    "refused the result of a table: tournament=%s round=%d table=%d",
                    tournament_id,
                    command.round,
                    command.table,
                )
        return done

    # --- One after the other --------------------------------------------------------------------------------

    def _by_tournament(self, rows: Iterable[TableRow], work: Callable[[str, list[TableRow]], bool]) -> int:
        done = 0
        for tournament_id, there in groupby(rows, key=lambda row: row.tournament_id):
            tables = list(there)
            done += self._try(tournament_id, lambda one, tables=tables: work(one, tables))  # type: ignore[misc]
        return done

    def _try(self, tournament_id: str, work: Callable[[str], bool]) -> bool:
        """Advance one tournament. If that fails, the others continue, and it is skipped for a while."""
        try:
            return work(tournament_id)
        except Unavailable:
            raise
        except Exception:
            log.exception("cannot advance tournament=%s", tournament_id)
            self._failed[tournament_id] = time.monotonic() + FAILED_SECONDS
            return False

    def _left_alone(self) -> tuple[str, ...]:
        now = time.monotonic()
        self._failed = {one: until for one, until in self._failed.items() if until > now}
        return tuple(self._failed)
