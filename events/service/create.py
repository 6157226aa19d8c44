"""Creates matches: new ones, rematches, and those with deals that were played before."""

from bisect import bisect_left
from contextlib import suppress
from dataclasses import replace

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Clock, Time
from domain.core.fairness import Dealer
from domain.core.game import Refused
from domain.core.values import value
from domain.core.visibility import reader_of
from domain.games.catalogue import GAMES
from domain.match import Match
from domain.match.creation import MatchCreated, SeatPlan
from domain.match.seating import Bring, Sit
from domain.match.state import DEALT
from events.errors import AlreadyThere, NothingEndsIt, Repeated
from events.ids import derived_id, hash_secret, invite_code, new_id
from events.log import imported_players
from events.log.cache import Loaded
from events.log.dealers import dealer_of
from events.log.streams import Decision
from events.proof.player_keys import seat_message
from events.service import entry_backing, practice
from events.service.access import Caller, may_read, open_match, seats_of
from events.service.blocks import check_no_block
from events.service.context import Context
from events.service.lobby import check_key_proof
from events.service.match_kind import MATCH_KIND
from events.service.new_match import NewMatch, SeatRequest
from events.service.stream_writer import begin_stream, empty_stream
from events.service.views import Seen, see_match, view_at_version
from events.store.records import Idempotency, Invite, Remembered
from events.store.tables import idempotency_rows, match_rows, stream_rows


def create_match(context: Context, caller: Caller, new: NewMatch, idempotency: Idempotency | None = None) -> Seen:
    """Create a match with the caller in the seat `me`. Raises `Repeated`, `NothingEndsIt`, `TooManyBotMatches`."""
    return _created(context, new_id(), caller, new, idempotency)


def repeat_create_answer(context: Context, caller: Caller, remembered: Remembered) -> Seen:
    """Rebuild the match as its creator saw it when it was created."""
    assert remembered.match_no is not None
    assert remembered.first is not None
    assert remembered.n is not None
    row = match_rows.row(context.store, remembered.match_no)
    assert row is not None
    now = see_match(context, row.match_id, caller)
    then = view_at_version(context, now, remembered.first + remembered.n - 1)
    mine = seats_of(then.match, caller)
    reader = reader_of(mine[0] if mine else None)
    return view_at_version(context, replace(then, reader=reader, seats=mine), then.version)


def _created(
    context: Context,
    match_id: str,
    caller: Caller,
    new: NewMatch,
    idempotency: Idempotency | None = None,
    root: bytes | None = None,
) -> Seen:
    check_no_block(context, caller.player, [place.player for place in new.places])
    dealer = dealer_of(match_id, new, (root or context.draw(32), context.draw(32)), context.draw(32))
    created, invites = decide_creation(context, caller, new, MatchOpening(match_id, dealer, context.now()))
    match = created.state
    _check_shown(match, next(iter(seats_of(match, caller)), None))
    check = None
    if life.bots_alone(match):
        check = match_rows.check_bot_matches(caller.player or "", context.bot_matches)
    begin_stream(context, MATCH_KIND, created, idempotency, invites, check)
    return see_match(context, match_id, caller)


def _check_shown(m: Match, seat: Seat | None) -> None:
    """Show a new table once, so that the first answer of a stored match cannot fail. Raises `GameFailed`."""
    if m.table is not None:
        for show in (m.game.view, m.game.scene):
            show(m.table, seat)
        m.game.phase(m.table)


@value
class MatchOpening:
    """The beginning of a match: its id, the dealer with its secrets, and the time."""

    match_id: str
    dealer: Dealer
    now: Time


def decide_creation(
    context: Context, caller: Caller, new: NewMatch, opening: MatchOpening
) -> tuple[Decision[Match], list[Invite]]:
    """Decide the creation of a match; return the decision, and its invites. Raises `NothingEndsIt`."""
    created = MatchCreated(
        game=new.game,
        rules=life.rules_of(GAMES[new.game]),
        options=new.options,
        preset=new.preset,
        seats=tuple(_planned(place) for place in new.places),
        visibility=new.visibility,  # type: ignore[arg-type]
        clock=new.clock,
        series=new.series,
        creator=caller.player,
        deal_group=new.deal_group,
        deal_known=new.deal_known,
    )
    match_id, dealer, now = opening.match_id, opening.dealer, opening.now
    assert caller.player is not None
    empty = life.initial_match(GAMES[new.game], match_id, created)
    entry_backing.check_source(context, caller, empty)
    for place in new.places:
        check_key_proof(place.player_key, place.key_proof, seat_message(caller.player, None, 0))
    mine = [
        (s, Sit(caller.player, p.nonce, p.nonce_hash, entry, p.player_key, p.key_proof))
        for s, p in enumerate(new.places)
        if p.kind == "me"
        for entry in [entry_backing.backing_of_seat(context, caller, empty, s, p.entry)]
    ]
    brought = [(s, Bring(entry)) for s, entry in entry_backing.backing_of_bots(context, caller, empty)]
    match, happened = life.create_match(GAMES[new.game], match_id, created, [*mine, *brought], dealer, now)
    if life.bots_alone(match) and (why := match.game.setup.endless(match.options, len(match.seats))):
        raise NothingEndsIt(why)
    invites = [
        (s, hash_secret(invite_code(caller.token, match_id, s, "")))
        for s, p in enumerate(new.places)
        if p.kind == "invite" and p.player is None
    ]
    return Decision(empty_stream(match_id, empty, dealer, now), now, happened, match), invites


def _planned(place: SeatRequest) -> SeatPlan:
    """Return the seat at the creation of the match: open while it is empty, or kept for one player."""
    kind = "invite" if place.player else "open" if place.kind == "me" else place.kind
    return SeatPlan(kind, place.level, place.player)  # type: ignore[arg-type]


# --- Repeated requests -------------------------------------------------------------------------------------


def create_rematch(
    context: Context,
    match_id: str,
    caller: Caller,
    idempotency: Idempotency | None = None,
    player_key: str | None = None,
    key_proof: str | None = None,
) -> tuple[Seen, bool]:
    """Create the same match again, each seat held for the player to its right; or return the existing rematch.

    The caller sits down, with `player_key` if given. The seats of the other players are kept for them. The result says
    whether the rematch is new. Raises `NotFound`, `Repeated`, and `Refused` if the match is running, for players of
    other matches, and for callers who already sit in the rematch without this key.
    """
    loaded = open_match(context, match_id, caller)
    m = loaded.state
    if not seats_of(m, caller):
        raise Refused("not_seated")
    if m.status not in DEALT:
        raise Refused("wrong_phase")
    new_match_id = _rematch_id(context, loaded)
    if stream_rows.head(context.store, new_match_id) is None:
        c = m.created
        turned = [m.seats[s - 1] for s in m.seats]
        places = tuple(_rematch_plan(c.seats[s], m.players[s], caller, (player_key, key_proof)) for s in turned)
        new = NewMatch(c.game, c.options, c.preset, places, c.visibility, c.clock, c.series)
        with suppress(AlreadyThere):
            return _created(context, new_match_id, caller, new, idempotency), True
    seen = see_match(context, new_match_id, caller)
    if player_key is not None and any(seen.match.keys[s] != player_key for s in seats_of(seen.match, caller)):
        raise Refused("key_is_fixed")
    if idempotency is not None and not idempotency_rows.remember_key(
        context.store, idempotency, context.now(), seen.match_no, seen.version
    ):
        raise Repeated
    return seen, False


def find_rematch(context: Context, seen: Seen, caller: Caller) -> str | None:
    """Return the id of the rematch of a finished match, if it exists and the caller can read it."""
    if seen.match.status not in DEALT or seen.imported is not None:
        return None
    loaded = context.load(seen.match_id)
    rematch = context.load(_rematch_id(context, loaded)) if loaded else None
    return rematch.head.match_id if rematch and may_read(context.store, rematch, caller) else None


def _rematch_id(context: Context, loaded: Loaded) -> str:
    """Return the id of the current rematch, or of the one to create after those that expired or were cancelled.

    No rematch follows a current one, so binary search finds the last one among many.
    """

    def rematch_id(n: int) -> str:
        return derived_id(loaded.dealer.seal_secret, f"rematch|{n}" if n else "rematch")

    def free(n: int) -> bool:
        return stream_rows.head(context.store, rematch_id(n)) is None

    beyond = 1
    while not free(beyond - 1):
        beyond *= 2
    n = bisect_left(range(beyond), True, key=free)
    if n and context.loaded(rematch_id(n - 1)).state.status not in ("cancelled", "expired"):
        return rematch_id(n - 1)
    return rematch_id(n)


def _rematch_plan(
    plan: SeatPlan, player: str | None, caller: Caller, key: tuple[str | None, str | None]
) -> SeatRequest:
    """Return the seat request for this seat's player in a rematch.

    `key` is the caller's, with its proof.
    """
    if player is None:
        return SeatRequest("bot", plan.level or "steady")
    if player == caller.player:
        return SeatRequest("me", player=player, player_key=key[0], key_proof=key[1])
    return SeatRequest("invite", player=player)


@value
class PracticeRequest:
    """The requested practice: the first hand with known deals, by default hand 1.

    Without `places`, the caller has the old seat against bots.
    """

    hand_no: int | None
    places: tuple[SeatRequest, ...] | None
    visibility: str
    clock: Clock


def create_practice(
    context: Context,
    match_id: str,
    caller: Caller,
    request: PracticeRequest,
    idempotency: Idempotency | None = None,
) -> Seen:
    """Create a match with the deals that a finished one has disclosed, from a hand on.

    Raises `NotFound`, `Refused` while the match is running, `practice.NoDeals`, `practice.TooVisible`, `Repeated`,
    `NothingEndsIt`, `TooManyBotMatches`.
    """
    loaded = open_match(context, match_id, caller)
    m, match_no = loaded.state, loaded.head.match_no
    if m.status != "finished":
        raise Refused("wrong_phase")
    abroad = imported_players.import_of(loaded.head)
    if practice.is_more_visible(request.visibility, abroad.visibility if abroad else m.created.visibility):
        raise practice.TooVisible
    known, root = practice.known_deals(context.store, match_no, m, request.hand_no)
    options = practice.practice_options(context.store, match_no, m, known.hand_no, orders=request.clock.ticks)
    mine = next(iter(seats_of(m, caller)), 0)
    bots = tuple(SeatRequest("me") if s == mine else SeatRequest("bot", "steady") for s in m.seats)
    places = request.places or bots
    own = sum(place.kind == "me" for place in places)
    options = {**options, "seats_per_player": max(own, options.get("seats_per_player") or len(m.seats))}
    series, visibility = m.created.series, request.visibility
    new = NewMatch(m.game.name, options, None, places, visibility, request.clock, series, deal_known=known)
    return _created(context, new_id(), caller, new, idempotency, root)
