"""Creates, reads and changes tournaments; each is a stream."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from msgspec import json

from domain.core.clock import Time
from domain.core.fairness import COPIED, Dealer
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.match.creation import PREPARING
from domain.ratings.finished import pool_of
from domain.tournament.announcement import TournamentAnnounced
from domain.tournament.announcement import announce_tournament as announced_by
from domain.tournament.entrants import Enter
from domain.tournament.formats.arena import EndPairing
from domain.tournament.formats.format_catalogue import links_of
from domain.tournament.pods import PodFinished, PodRepeated
from domain.tournament.round_tables import TableAdjudicated, TableDrawn, TableFinished, TableForfeited
from domain.tournament.table_deals import deals_commitment, deals_secret
from domain.tournament.tournament_decide import decide
from domain.tournament.tournament_plan import Preparation
from domain.tournament.tournament_state import ANNOUNCED, PLAYING, Tournament
from events.errors import NotFound
from events.ids import match_of, new_id
from events.log.cache import LoadedStream
from events.log.commits import digest_of, read_events, serve_events
from events.log.streams import Decision
from events.proof.signed_heads import SignedHead
from events.proof.tournament_record import FORMAT, AboutTournament
from events.service import player_ratings, players
from events.service.access import Caller, check_version
from events.service.context import Context
from events.service.stream_kinds import TOURNAMENT
from events.service.stream_writer import begin_stream, decide_beginning, execute
from events.store.records import Idempotency, Remembered
from events.store.tables import outage_rows, stream_rows, tournament_rows
from events.store.tournament_records import TournamentListing, TournamentRow

MOST_RUNNING: Final = 20
"""Maximum number of unfinished tournaments of one organiser."""

NOT_LISTED: Final = (
    "This tournament records your {} for everyone who can see it. Set `listed` (in your profile, or by "
    "`PATCH /v1/players/me`), or withdraw."
)
"""The refusal of an unlisted player whose rating or reliability the tournament would record."""


HeldTournament = LoadedStream[Tournament]
"""A tournament as read from its log."""


def load_tournament(context: Context, tournament_id: str) -> HeldTournament:
    """Return a tournament, without checking the caller's rights. Raises `NotFound`."""
    return context.require_stream(TOURNAMENT, tournament_id)


def see_tournament(context: Context, tournament_id: str, caller: Caller) -> HeldTournament:
    """Return a tournament that the caller can see. Raises `NotFound`."""
    found = load_tournament(context, tournament_id)
    if not may_see_tournament(found.state, caller.player):
        raise NotFound
    return found


def may_see_tournament(t: Tournament, player: str | None) -> bool:
    """Return whether a player (None: anonymous) can see a tournament."""
    if t.entry.visibility == "public":
        return True
    return player is not None and player in players_concerned(t)


def players_concerned(t: Tournament) -> frozenset[str]:
    """Return the players whose names may not be in texts of the tournament."""
    return frozenset((t.organiser, *t.helpers, *t.invited, *t.players, *t.waiting))


def tournament_identities(context: Context, tournament_id: str) -> str:
    """Return the visible data of a tournament's players, as a text to compare with a later one."""
    return tournament_rows.read_identity_text(context.store, tournament_id)


def announce_tournament(
    context: Context,
    announced: TournamentAnnounced,
    idempotency: Idempotency | None = None,
    preparation: Preparation | None = None,
) -> HeldTournament:
    """Create a tournament. Raises `Refused`, and `Repeated`."""
    if tournament_rows.count_running(context.store, announced.organiser) >= MOST_RUNNING:
        raise Refused(
            "forbidden", f"You already run {MOST_RUNNING} tournaments, the maximum. Finish or cancel one first."
        )
    dealer = Dealer(new_id(), (context.draw(32),), context.draw(32))
    bound = dealer.seed(1, links_of(announced.plan), 0)
    events = announced_by(announced, bound, preparation, deals_commitment(deals_secret(dealer.seal_secret)))
    beginning = decide_beginning(context, TOURNAMENT, dealer, events)
    return begin_stream(context, TOURNAMENT, beginning, idempotency)


def repeat_tournament_answer(context: Context, remembered: Remembered) -> HeldTournament:
    """Return the tournament of a repeated request."""
    assert remembered.match_no is not None
    assert remembered.first is not None
    head = stream_rows.head_of(context.store, remembered.match_no)
    version = remembered.first + max((remembered.n or 0) - 1, 0)
    rows = stream_rows.rows(context.store, head.match_no, 0, upto=version)
    then = replace(head, version=version, head=bytes.fromhex(digest_of(rows[-1], version)))
    return replace(
        load_tournament(context, head.match_id), head=then, rows=rows, state=TOURNAMENT.fold(then, rows, None)
    )


def command_tournament(
    context: Context, tournament_id: str, commands: Sequence[Any], cause: str = "move"
) -> HeldTournament:
    """Carry out commands on a tournament; return it in its new state.

    Without effect, nothing is written. Raises `NotFound`, and `Refused`, after which nothing is written.
    """
    return command_loaded(context, load_tournament(context, tournament_id), commands, cause)


def command_loaded(
    context: Context,
    found: HeldTournament,
    commands: Sequence[Any],
    cause: str = "move",
    idempotency: Idempotency | None = None,
    if_match: int | None = None,
) -> HeldTournament:
    """Carry out a command like `command_tournament`, first on a tournament that was just read.

    Raises `Conflict` if the request requires another version, and `Repeated` if its key was used before.
    """

    def decide_next(there: HeldTournament) -> Decision[Tournament]:
        check_version(there, if_match)
        return _decide_all(there, commands, context.now(), cause)

    return execute(context, TOURNAMENT, found.head.match_id, decide_next, idempotency, found)


def find_tournaments(
    context: Context, viewer: str | None, listing: TournamentListing, behind: tuple[int, str] | None, limit: int
) -> Sequence[TournamentRow]:
    """Return a page of the tournaments that the viewer can see in lists, the latest first."""
    return tournament_rows.find_tournaments(context.store, viewer, listing, behind, limit)


def find_table_of_player(found: HeldTournament, player: str | None) -> str | None:
    """Return the id of the running match at a player's table of the open round, or None."""
    t = found.state
    mine = {one for one, who in enumerate(t.players) if who == player}
    if player is None:
        return None
    if False in t.pods_over:
        pods = (pod for pod, there in enumerate(t.pods) if not t.pods_over[pod] and mine & {*there})
        return next((match_of(found.head.match_id, PREPARING, pod, t.pod_attempts[pod]) for pod in pods), None)
    if not t.open:
        return None
    tables = (table for table, seats in enumerate(t.tables) if t.results[table] is None and mine & {*seats})
    return next((match_of(found.head.match_id, t.round, table, t.attempts[table]) for table in tables), None)


def seats_open_until(context: Context, tournament_id: str, created: Time) -> Time:
    """Return the deadline for taking seats at a table made at a time; outages do not count."""
    has_ms = 1000 * tournament_rows.show_up_seconds(context.store, tournament_id)
    out = outage_rows.outages_since(context.store, created, context.now())
    return Time(outage_rows.end_of_time(created, has_ms, out))


def is_table_made(context: Context, match_id: str) -> bool:
    """Return whether the match of a table has been created."""
    return tournament_rows.is_made(context.store, match_id)


def seats_taken(context: Context, tournament_id: str) -> str:
    """Return a line for each seat of a tournament's open matches: the match, and 1 if the seat is taken, else 0."""
    return tournament_rows.read_seat_text(context.store, tournament_id)


def find_next_match(context: Context, tournament_id: str, player: str | None) -> str | None:
    """Return the next match of a player in a tournament once a match is over, or None."""
    return None if player is None else tournament_rows.next_match(context.store, tournament_id, player)


def enter_tournament(
    context: Context, found: HeldTournament, player: str, club: str | None, nonce: str
) -> HeldTournament:
    """Enter a player who can see the tournament; look up the rating and reliability if there are bounds.

    The event records both, so that anyone can verify the admission. Raises `Refused`, also for a player who is not
    `listed`.
    """
    entry = found.state.entry
    bounded = entry.least_rating is not None or entry.most_rating is not None
    written_down = (("rating", bounded), ("reliability", entry.least_reliability is not None))
    _check_listed(context, player, [name for name, is_asked in written_down if is_asked])
    rating = _rating(context, found.state, player) if bounded else None
    reliability = _reliability(context, player) if entry.least_reliability is not None else None
    given = {*found.state.nonces, *(applicant.nonce for applicant in found.state.waiting.values())}
    if nonce and nonce in given:
        raise Refused("bad_arguments", COPIED)
    return command_loaded(context, found, [Enter(player, club, nonce, rating, reliability)])


def _check_listed(context: Context, player: str, what: Sequence[str]) -> None:
    """Raise `Refused` if the event would record ratings or reliability of an unlisted player."""
    if what and not players.is_listed(context, player):
        raise Refused("not_listed", NOT_LISTED.format(" and your ".join(what)))


def _reliability(context: Context, player: str) -> int:
    """Return the percentage of a player's decisions that were on time, rounded down; 100 without any."""
    kept = players.reliability(context, [player])[player]
    decisions = kept.in_time + kept.late
    return 100 * kept.in_time // decisions if decisions else 100


def _rating(context: Context, t: Tournament, player: str) -> int:
    """Return the protected rating of a player in the pool of the matches at the tables."""
    game = GAMES[t.terms.game]
    pool = pool_of(game, _options(t), t.plan.seats, t.terms.clock)
    return player_ratings.entry_rating(context, player, pool, t.entry.least_rating, t.entry.most_rating)


def _options(t: Tournament) -> Any:
    """Return the game's own options at every table."""
    options = GAMES[t.terms.game].setup.options
    return options(**{name: t.terms.options[name] for name in options.__dataclass_fields__})


def describe_rules(t: Tournament) -> str:
    """Return the rules of every table in a few sentences; empty if the game is not installed."""
    game = GAMES.get(t.terms.game)
    return "" if game is None else game.words.about(_options(t), t.plan.seats)


def _decide_all(found: HeldTournament, commands: Sequence[Any], now: Time, cause: str) -> Decision[Tournament]:
    """Return the events of several commands, one after the other. Raises `Refused`."""
    t, events = found.state, list[Any]()
    for command in (*_by_time(t, now), *commands):
        happened = decide(t, command, found.dealer)
        t = reduce(TOURNAMENT.evolve, happened, t)
        events += happened
    return TOURNAMENT.make_decision(found, events, now, cause)


def _by_time(t: Tournament, now: Time) -> tuple[Any, ...]:
    """Return the events that are due by time: no pairing in an arena after its end."""
    ends = t.plan.ends
    is_over = ends is not None and ends <= now and t.status in (ANNOUNCED, PLAYING) and not t.pairing_over
    return (EndPairing(),) if is_over else ()


def export_lines(found: HeldTournament, signed: SignedHead | None = None) -> Iterator[bytes]:
    """Return the lines of a record without its matches: a header, and one line per event.

    `signed` is its signed head, if this server has a key.
    """
    head = found.head
    yield json.encode(AboutTournament(FORMAT, head.match_id, head.version, head.head.hex(), signed))
    yield from serve_events(found.rows)


def cited_matches(found: HeldTournament) -> tuple[str, ...]:
    """Return the ids of the matches that ended tables or had to be replayed, in their order."""
    events = read_events(found.rows, TOURNAMENT.shapes, 0)
    over = TableFinished | TableDrawn | TableForfeited | TableAdjudicated | PodFinished | PodRepeated
    return tuple(dict.fromkeys(event.match for event in events if isinstance(event, over)))
