"""Carries out the consequences of a tournament's end: grants prizes, and discloses pods and deals.

A follower finds the ends in the log. Each step happens once: if a process ends between two steps, or before the
checkpoint moves, the next one repeats only the missing steps.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.tournament.organiser import TournamentCancelled
from domain.tournament.round_steps import TournamentEnded
from events.log.commits import MATCH_ENDS
from events.service import collections, players, tournaments
from events.service.context import Context
from events.service.stream_kinds import TOURNAMENT
from events.service.tournament_deals import disclose_deals
from events.service.tournament_pods import disclose_pods
from events.service.tournaments import HeldTournament
from events.store.follow_records import Followed
from events.store.records import MATCH
from events.store.tables import stream_rows, tournament_rows


def grant_prizes(context: Context, found: HeldTournament) -> None:
    """Grant all prizes of a tournament that were not granted before; erased players get none."""
    t = found.state
    known = players.player_identities(context, {t.players[one.entrant] for one in t.awarded})
    for one in t.awarded:
        player, prize = t.players[one.entrant], one.prize
        if player in known and known[player].name is not None:
            promos = () if prize.promo is None else (prize.promo,)
            reason = f"tournament {found.head.match_id}, place {prize.place}"
            collections.grant_cards(context, player, prize.boosters, promos, reason)


ENDS: Final = tuple(f'"type":"{kind.__name__}"' for kind in (TournamentEnded, TournamentCancelled))
OF_TOURNAMENT: Final = '"tournament":{'

log = logging.getLogger(__name__)


class TournamentEndHandler:
    """Carries out the consequences of tournament ends in the log."""

    name: Final = tournament_rows.FOLLOWER

    def __init__(self, context: Context) -> None:
        self._context = context
        self._any = False

    def wants_commits(self) -> bool:
        """Return whether any tournament was ever announced."""
        self._any = self._any or tournament_rows.any_announced(self._context.store)
        return self._any

    def read(self, page: Sequence[Followed]) -> Callable[[Any], None]:
        """Carry out the consequences of the ends on a page.

        If one fails, the others continue, and the page is read again.
        """
        failed: Exception | None = None
        for followed in page:
            try:
                self._follow(followed)
            except Exception as error:
                log.exception("cannot process the end of a tournament or match: stream=%s", followed.match_no)
                failed = error
        if failed is not None:
            raise failed
        return lambda connection: None

    def _follow(self, followed: Followed) -> None:
        if followed.kind == TOURNAMENT.name and any(end in followed.row.events for end in ENDS):
            found = tournaments.load_tournament(
                self._context, stream_rows.head_of(self._context.store, followed.match_no).match_id
            )
            grant_prizes(self._context, found)
            disclose_pods(self._context, found)
            disclose_deals(self._context, found)
        elif followed.kind == MATCH and MATCH_ENDS in followed.row.events:
            self._match_ended(followed.match_no)

    def _match_ended(self, match_no: int) -> None:
        """Disclose the deals of a tournament that ended before its last match did."""
        first, *_ = stream_rows.rows(self._context.store, match_no, 0, upto=1)
        if OF_TOURNAMENT not in first.events:
            return
        match_id = stream_rows.head_of(self._context.store, match_no).match_id
        of = self._context.loaded(match_id).state.created.tournament
        found = None if of is None else self._context.stream(TOURNAMENT, of.id)
        if found is not None:
            disclose_deals(self._context, found)
