"""Draws the deals at the tables of a tournament from its secret, which is disclosed once all its matches are over."""

from collections.abc import Mapping
from typing import Any

from domain.games.catalogue import GAMES
from domain.match.creation import PREPARING
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.table_deals import DiscloseDeals, TableDeals, deals_secret, first_root
from domain.tournament.tournament_plan import MatchTerms
from domain.tournament.tournament_state import Tournament
from events.ids import match_of
from events.service import tournaments
from events.service.context import Context
from events.service.tournament_rounds import rounds_of
from events.service.tournaments import HeldTournament
from events.store.tables import match_rows
from events.store.tournament_records import TableRow


def root_of(context: Context, t: Tournament, row: TableRow) -> bytes:
    """Return the root of the deals of a match; all tables of a duplicate round have the same."""
    secret = deals_secret(tournaments.load_tournament(context, row.tournament_id).dealer.seal_secret)
    is_shared = format_of(t).has_same_deals and row.round != PREPARING
    deals = TableDeals(row.round, None if is_shared else row.place, row.attempt)
    return first_root(secret, row.tournament_id, deals, t.nonces)


def disclose_deals(context: Context, found: HeldTournament) -> None:
    """Disclose the secret of the deals of a finished tournament, if no hidden deal follows from it.

    It stays secret while a match is running, and forever if the seeds of matches are never disclosed.
    """
    t = found.state
    if not t.ended or t.deals is None or t.deals_seed is not None or not _discloses(t):
        return
    if match_rows.any_on(context.store, _matches_of(found)):
        return
    secret = deals_secret(found.dealer.seal_secret)
    tournaments.command_loaded(context, found, [DiscloseDeals(secret.hex())], "auto")


def _matches_of(found: HeldTournament) -> list[str]:
    """Return the ids of all matches of pods and of tables."""
    t, tournament_id = found.state, found.head.match_id
    pods = [
        match_of(tournament_id, PREPARING, pod, attempt)
        for pod, last in enumerate(t.pod_attempts)
        for attempt in range(last + 1)
    ]
    return pods + [match_id for one in rounds_of(found) for table in one.tables for match_id in table.matches]


def _discloses(t: Tournament) -> bool:
    terms = [t.terms] if t.preparation is None else [t.terms, t.preparation.terms]
    return all(_reveals(one, options) for one in terms for options in (one.options, one.deciding or one.options))


def _reveals(terms: MatchTerms, options: Mapping[str, Any]) -> bool:
    game = GAMES.get(terms.game)
    return game is not None and (options.get("fairness_reveal") or game.setup.reveal) != "never"
