"""Changes a match in its lobby: players sit down, leave and are invited, and its creator cancels it."""

from hmac import compare_digest
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.fairness import COPIED
from domain.core.game import Refused
from domain.core.values import value
from domain.match import Intent, Match
from domain.match.match_results import Cancel
from domain.match.seating import Leave, Sit
from domain.ratings.finished import pool_of
from events.errors import AlreadyThere, BadInvite
from events.ids import hash_secret, invite_code, new_id
from events.log.cache import Loaded
from events.proof.player_keys import is_signed, seat_message
from events.service import entry_backing, player_ratings
from events.service.access import Caller, check_creator, check_version, is_creator, open_match, seat_of
from events.service.blocks import check_no_block
from events.service.commands import CommandRequest, execute_command
from events.service.context import Context
from events.service.views import Seen, see_match
from events.store.records import Idempotency
from events.store.tables import idempotency_rows, invite_rows


@value
class Brought:
    """A player's data for a seat in the lobby; all of it is optional."""

    nonce: str | None = None
    nonce_hash: str | None = None
    entry: Any = None
    player_key: str | None = None
    key_proof: str | None = None
    accepts_known_deals: bool = False


EMPTY_HANDED: Final = Brought()
"""The value for a player without such data."""


def sit_down(
    context: Context,
    match_id: str,
    caller: Caller,
    seat: Seat,
    brought: Brought = EMPTY_HANDED,
    if_match: int | None = None,
) -> Seen:
    """Take a seat, or add to your seat in the lobby. Raise `Refused`, `BadInvite`, `Blocked`, `Conflict`, `NotFound`.

    A match with possibly known deals needs the player's consent; its creator knows them.
    """
    assert caller.player is not None
    player = caller.player

    def intent(loaded: Loaded) -> Intent:
        m = loaded.state
        if m.status == "lobby" and m.players[seat] is None and m.created.seats[seat].kind == "invite":
            _check_invite(context, loaded, seat, caller)
        stranger = m.players[seat] is None and not is_creator(m, caller)
        if m.status == "lobby" and m.created.deal_known is not None and stranger and not brought.accepts_known_deals:
            raise Refused("deals_known")
        if m.status == "lobby" and stranger and m.created.seats[seat].kind == "open":
            _check_rating(context, m, player)
        if m.status == "lobby" and m.players[seat] is None and m.created.seats[seat].kind != "bot":
            _check_block(context, m, player)
        _check_nonce(m, seat, brought)
        if m.players[seat] is None or brought.player_key is None:
            check_key_proof(brought.player_key, brought.key_proof, seat_message(player, match_id, seat))
        entry = entry_backing.backing_of_seat(context, caller, m, seat, brought.entry)
        return Intent("seat", seat, _sits(player, brought, entry))

    try:
        execute_command(context, match_id, CommandRequest(caller, intent, if_match))
    except AlreadyThere:
        raise Refused("at_another_table") from None
    return see_match(context, match_id, caller)


def leave_seat(context: Context, match_id: str, caller: Caller, seat: Seat, if_match: int | None = None) -> int:
    """Leave a seat before the start; return the new version of the match. Raise `Refused`, `Conflict`."""

    def intent(loaded: Loaded) -> Intent:
        return Intent("seat", seat_of(loaded.state, caller, seat), Leave())

    return execute_command(context, match_id, CommandRequest(caller, intent, if_match)).version


def cancel_match(context: Context, match_id: str, caller: Caller, if_match: int | None = None) -> int:
    """Cancel a match before its start; return its new version.

    Raises `Forbidden` for all but its creator, `Refused`, and `Conflict`.
    """

    def intent(loaded: Loaded) -> Intent:
        check_creator(loaded, caller)
        return Intent("seat", 0, Cancel())

    return execute_command(context, match_id, CommandRequest(caller, intent, if_match)).version


def _check_lobby(loaded: Loaded) -> None:
    if loaded.state.status != "lobby":
        raise Refused("already_started")


def _check_invite(context: Context, loaded: Loaded, seat: Seat, caller: Caller) -> None:
    if loaded.state.created.seats[seat].player == caller.player:
        return
    if loaded.state.created.tournament:
        raise Refused("bad_invite", "This seat is reserved for an entrant of the tournament, so it has no invite code.")
    stored = invite_rows.code(context.store, loaded.head.match_no, seat)
    if stored is None or not compare_digest(hash_secret(caller.invite or ""), stored):
        raise BadInvite


def _sits(player: str, brought: Brought, entry: Any) -> Sit:
    return Sit(player, brought.nonce, brought.nonce_hash, entry, brought.player_key, brought.key_proof)


def _check_block(context: Context, m: Match, player: str) -> None:
    """Raise `Blocked` if the player and another at the table, or its creator, do not play with each other.

    This comes after all other checks of a free seat: at a table that is closed to the player, it reveals nothing.
    """
    if player not in m.players and m.created.tournament is None:
        check_no_block(context, player, [*m.players, m.created.creator])


def _check_nonce(m: Match, seat: Seat, brought: Brought) -> None:
    """Refuse a nonce, or its hash, that was already given in the match: others know it, so it adds nothing."""
    hashes = {*m.shuffles.hashes, *(digest for _, _, hashes, _ in m.shuffles.collected for digest in hashes)}
    nonces = {*m.shuffles.nonces, *(nonce for _, _, _, nonces in m.shuffles.collected for nonce in nonces)}
    is_copied = brought.nonce_hash != m.shuffles.hashes[seat] and brought.nonce_hash in hashes - {None}
    if is_copied or (brought.nonce != m.shuffles.nonces[seat] and brought.nonce in nonces - {None}):
        raise Refused("bad_arguments", COPIED)


def _check_rating(context: Context, m: Match, player: str) -> None:
    """Raise `Refused` if the player's rating is outside the creator's limits for open seats."""
    least, most = m.common.least_rating, m.common.most_rating
    if least is None and most is None:
        return
    pool = pool_of(m.game, m.options, len(m.seats), m.clock)
    rating = player_ratings.entry_rating(context, player, pool, least, most)
    if (least is not None and rating < least) or (most is not None and rating > most):
        bounds = f"{'any' if least is None else least} to {'any' if most is None else most}"
        raise Refused(
            "rating_not_admitted", f"This seat requires a rating from {bounds}, and yours counts as {rating}."
        )


# --- Invitations ------------------------------------------------------------------------------------------


def issue_invite(
    context: Context,
    match_id: str,
    caller: Caller,
    seat: Seat,
    if_match: int | None = None,
    idempotency: Idempotency | None = None,
) -> tuple[str, int]:
    """Issue a new code for an invited seat, replacing the old one; return it with the match's version.

    The code of a repeatable request follows from its key, so that a repeat can show it again. Raise `Forbidden`,
    `Refused`, `Conflict`.
    """
    loaded = open_match(context, match_id, caller)
    check_creator(loaded, caller)
    check_version(loaded, if_match)
    _check_lobby(loaded)
    m = loaded.state
    if m.created.seats[seat].kind != "invite" or m.players[seat] is not None:
        raise Refused("seat_taken")
    code = _invite_of(match_id, caller, seat, idempotency)
    invite_rows.issue(context.store, loaded.head.match_no, seat, hash_secret(code))
    if idempotency is not None:
        idempotency_rows.remember_key(
            context.store, idempotency, context.now(), loaded.head.match_no, loaded.head.version
        )
    return code, loaded.head.version


def repeat_invite_answer(
    context: Context, match_id: str, caller: Caller, seat: Seat, idempotency: Idempotency
) -> str | None:
    """Return the code that a request with this key issued; None if it no longer opens the seat.

    With another token, the key would give a different code, one that was never issued.
    """
    code = _invite_of(match_id, caller, seat, idempotency)
    stored = invite_rows.code(context.store, open_match(context, match_id, caller).head.match_no, seat)
    return code if stored is not None and compare_digest(hash_secret(code), stored) else None


def open_invites(context: Context, seen: Seen, caller: Caller) -> dict[Seat, str | None]:
    """Return the codes of open invitations to the creator; None for a code reissued or from another token."""
    stored = invite_rows.read_invites(context.store, seen.match_no)
    codes = {s: invite_code(caller.token, seen.match_id, s, "") for s in stored}
    return {s: code if compare_digest(hash_secret(code), stored[s]) else None for s, code in codes.items()}


def first_invites(context: Context, seen: Seen, caller: Caller) -> dict[Seat, str | None]:
    """Return the codes from the creation of a match to its creator, used or not."""
    plans = seen.match.created.seats
    first = {
        s: invite_code(caller.token, seen.match_id, s, "")
        for s, plan in enumerate(plans)
        if plan.kind == "invite" and plan.player is None
    }
    return {**first, **open_invites(context, seen, caller)}


def _invite_of(match_id: str, caller: Caller, seat: Seat, idempotency: Idempotency | None) -> str:
    """Return the code that a request with this key issues; a new one without a key."""
    salt = new_id() if idempotency is None else idempotency.key_hash.hex()
    return invite_code(caller.token, match_id, seat, salt)


def check_key_proof(key: str | None, proof: str | None, signed: bytes) -> None:
    """Refuse a key whose secret the caller does not show to hold, and a proof without a key. Raises `Refused`."""
    if key is None and proof is not None:
        raise Refused("bad_arguments", "Send `key_proof` and `player_key` together, or neither.")
    if key is not None and not is_signed(key, proof, signed):
        raise Refused("bad_arguments", f"`key_proof` must be the signature by `player_key` over {signed.decode()}")
