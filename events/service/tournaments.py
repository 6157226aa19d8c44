"""This module keeps tournaments, each a stream of its own: they are announced, seen, and told what happens."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

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
from domain.tournament.table_deals import deals_commitment, deals_secret
from domain.tournament.tournament_decide import decide
from domain.tournament.tournament_state import ANNOUNCED, PLAYING, Tournament
from domain.tournament.tournament_terms import Preparation
from events.errors import NotFound, Repeated
from events.ids import match_of, new_id
from events.log.cache import LoadedStream
from events.log.commits import digest_of
from events.log.streams import Decision
from events.service import player_ratings, players
from events.service.access import Caller
from events.service.context import Context
from events.service.stream_kinds import TOURNAMENT
from events.service.stream_writer import ONCE, Request, execute, new_stream
from events.store.records import Idempotency, Remembered
from events.store.tables import commit_rows, outage_rows, stream_rows, tournament_rows
from events.store.tournament_records import TournamentListing, TournamentRow

MOST_RUNNING: Final = 20
"""The most tournaments of an organiser that have not ended."""

NOT_LISTED: Final = (
    "This tournament writes down your {} for all who may see it. Be listed (in your profile, or by "
    "`PATCH /v1/players/me`), or leave it."
)
"""What a player is told of whom nothing is written down."""


HeldTournament = LoadedStream[Tournament]
"""A tournament as it was found."""


def load_tournament(context: Context, tournament_id: str) -> HeldTournament:
    """Give a tournament without asking who the caller is. Raises `NotFound`."""
    return context.found(TOURNAMENT, tournament_id)


def see_tournament(context: Context, tournament_id: str, caller: Caller) -> HeldTournament:
    """Give a tournament that the caller may see. Raises `NotFound`."""
    found = load_tournament(context, tournament_id)
    if not may_see_tournament(found.state, caller.player):
        raise NotFound
    return found


def may_see_tournament(t: Tournament, player: str | None) -> bool:
    """Say whether a player may see a tournament; None: a stranger."""
    if t.entry.visibility == "public":
        return True
    return player is not None and player in players_concerned(t)


def players_concerned(t: Tournament) -> frozenset[str]:
    """Give the players who have to do with a tournament: no text of it names them."""
    return frozenset((t.organiser, *t.helpers, *t.invited, *t.players, *t.waiting))


def tournament_identities(context: Context, tournament_id: str) -> str:
    """Give what others see of the players of a tournament, as one text to compare with a later one."""
    return tournament_rows.read_identity_text(context.store, tournament_id)


def announce_tournament(
    context: Context,
    announced: TournamentAnnounced,
    idempotency: Idempotency | None = None,
    preparation: Preparation | None = None,
) -> HeldTournament:
    """Announce a tournament. Raises `Refused`, and `Repeated`."""
    if tournament_rows.count_running(context.store, announced.organiser) >= MOST_RUNNING:
        raise Refused("forbidden", f"You run {MOST_RUNNING} tournaments already; end one of them first.")
    dealer = Dealer(new_id(), (context.draw(32),), context.draw(32))
    bound = dealer.seed(1, links_of(announced.plan), 0)
    events = announced_by(announced, bound, preparation, deals_commitment(deals_secret(dealer.seal_secret)))
    new = new_stream(context, TOURNAMENT, dealer, events, idempotency)
    if not commit_rows.create_all(context.store, [new]):
        raise Repeated
    return load_tournament(context, dealer.match)


def repeat_tournament_answer(context: Context, remembered: Remembered) -> HeldTournament:
    """Give a tournament as it was after a request that is repeated."""
    assert remembered.match_no is not None
    assert remembered.first is not None
    head = stream_rows.head_of(context.store, remembered.match_no)
    version = remembered.first + max((remembered.n or 0) - 1, 0)
    rows = stream_rows.rows(context.store, head.match_no, 0, upto=version)
    then = replace(head, version=version, head=bytes.fromhex(digest_of(rows[-1], version)))
    return replace(load_tournament(context, head.match_id), head=then, rows=rows, state=TOURNAMENT.fold(rows))


def command_tournament(
    context: Context, tournament_id: str, commands: Sequence[Any], cause: str = "move"
) -> HeldTournament:
    """Tell a tournament something, or several things at once; gives it as it then is.

    Where nothing comes of it nothing is written. Raises `NotFound`, and `Refused`, after which nothing is written.
    """
    return command_loaded(context, load_tournament(context, tournament_id), commands, cause)


def command_loaded(
    context: Context,
    found: HeldTournament,
    commands: Sequence[Any],
    cause: str = "move",
    request: Request = ONCE,
) -> HeldTournament:
    """Carry out a command as `command_tournament` does, first on the tournament that has just been read.

    Raises `Conflict` where the request insists on another version, and `Repeated` if its key was used before.
    """

    def decide_next(there: HeldTournament) -> Decision[Tournament]:
        return _decide_all(there, commands, context.now(), cause)

    return execute(context, TOURNAMENT, found.head.match_id, decide_next, request, found)


def find_tournaments(
    context: Context, viewer: str | None, listing: TournamentListing, behind: tuple[int, str] | None, limit: int
) -> Sequence[TournamentRow]:
    """Give public tournaments and those that the viewer has to do with, the latest first, behind one of them."""
    return tournament_rows.find_tournaments(context.store, viewer, listing, behind, limit)


def find_table_of_player(found: HeldTournament, player: str | None) -> str | None:
    """Give the id of the match at a player's table of the open round; None if there is none that is not over."""
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
    """Return until when players take their seats at a table that was made then; outages do not count."""
    has_ms = 1000 * tournament_rows.show_up_seconds(context.store, tournament_id)
    out = outage_rows.outages_since(context.store, created, context.now())
    return Time(outage_rows.end_of_time(created, has_ms, out))


def is_table_made(context: Context, match_id: str) -> bool:
    """Say whether the match of a table is there yet."""
    return tournament_rows.is_made(context.store, match_id)


def seats_taken(context: Context, tournament_id: str) -> str:
    """Give a line for each seat of a tournament's open matches: the match, and 1 if somebody sits there, else 0."""
    return tournament_rows.read_seat_text(context.store, tournament_id)


def find_next_match(context: Context, tournament_id: str, player: str | None) -> str | None:
    """Give the match of a tournament that a player plays, or has a seat in, now that another is over; None: none."""
    return None if player is None else tournament_rows.next_match(context.store, tournament_id, player)


def enter_tournament(
    context: Context, found: HeldTournament, player: str, club: str | None, nonce: str
) -> HeldTournament:
    """Let a player enter who may see it. The rating and the reliability are looked up where there are bounds.

    The event has them, so that anybody can verify who was admitted. Raises `Refused`, also for a player who does not
    let others see ratings.
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
    """Raise `Refused` where something would be written down of a player who does not let others see it."""
    if what and not players.is_listed(context, player):
        raise Refused("not_listed", NOT_LISTED.format(" and your ".join(what)))


def _reliability(context: Context, player: str) -> int:
    """Give how many decisions in a hundred a player took in time, rounded down; 100 if the player has taken none."""
    kept = players.reliability(context, [player])[player]
    decisions = kept.in_time + kept.late
    return 100 * kept.in_time // decisions if decisions else 100


def _rating(context: Context, t: Tournament, player: str) -> int:
    """Return the protected rating of a player in the pool of the matches at the tables."""
    game = GAMES[t.terms.game]
    pool = pool_of(game, _options(t), t.plan.seats, t.terms.clock)
    return player_ratings.entry_rating(context, player, pool, t.entry.least_rating, t.entry.most_rating)


def _options(t: Tournament) -> Any:
    """Give the options of the game alone that every table has."""
    options = GAMES[t.terms.game].setup.options
    return options(**{name: t.terms.options[name] for name in options.__dataclass_fields__})


def describe_rules(t: Tournament) -> str:
    """Say in a few sentences by which rules every table plays; nothing if the game is not installed here."""
    game = GAMES.get(t.terms.game)
    return "" if game is None else game.words.about(_options(t), t.plan.seats)


def _decide_all(found: HeldTournament, commands: Sequence[Any], now: Time, cause: str) -> Decision[Tournament]:
    """Return what comes of several commands, one after the other. Raises `Refused`."""
    t, events = found.state, list[Any]()
    for command in (*_by_time(t, now), *commands):
        happened = decide(t, command, found.dealer)
        t = reduce(TOURNAMENT.evolve, happened, t)
        events += happened
    return TOURNAMENT.make_decision(found, events, now, cause)


def _by_time(t: Tournament, now: Time) -> tuple[Any, ...]:
    """Give what time has to say before anybody: nobody is paired in an arena after its end."""
    ends = t.plan.ends
    is_over = ends is not None and ends <= now and t.status in (ANNOUNCED, PLAYING) and not t.pairing_over
    return (EndPairing(),) if is_over else ()
