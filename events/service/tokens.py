"""Creates and revokes scoped tokens, which give a program part of the player's rights."""

import hmac
from collections.abc import Sequence
from contextlib import suppress
from secrets import token_bytes
from typing import Final

from events.errors import Unavailable
from events.ids import derived_id, hash_secret, new_id, url_safe
from events.service.context import Context
from events.store.player_records import Player, TokenRow
from events.store.records import Idempotency
from events.store.tables import player_rows, token_rows

DAY_MS: Final = 24 * 3600 * 1000


def check_in_force(context: Context, found: Player | None) -> Player | None:
    """Return the player of a token unless it has expired; record its use once a day."""
    if found is None or found.scoped is None:
        return found
    now, token = context.now(), found.scoped
    if token.until_ms is not None and token.until_ms <= now:
        return None
    today = now - now % DAY_MS
    if token.used_ms != today:
        with suppress(Unavailable):  # reading continues while nothing can be written
            token_rows.note_use(context.store, token.token_id, today)
    return found


def make_token(
    context: Context,
    main: str,
    named: tuple[str, str],
    scopes: Sequence[str],
    seconds: int | None,
    idem: Idempotency | None,
) -> tuple[TokenRow, str]:
    """Create a token for the holder of a main one: `named` are the player's id and the token's name.

    Returns it with its secret, of which only the hash is stored. Raises `Gone`, `Repeated`, `TooManyTokens`.
    """
    now, (player_id, name) = context.now(), named
    until = None if seconds is None else now + 1000 * seconds
    token_id = new_id() if idem is None else _id_of(idem)
    token = TokenRow(token_id, player_id, name, " ".join(scopes), token_bytes(32), now, until)
    secret = _secret(main, token)
    token_rows.add_token(context.store, token, hash_secret(secret), idem)
    return token, secret


def repeat_token_answer(context: Context, main: str, player_id: str, idem: Idempotency) -> tuple[TokenRow, str] | None:
    """Return the valid token that a request with this key made; the same main token derives its secret."""
    token_id = _id_of(idem)
    token = next((one for one in tokens_of_player(context, player_id) if one.token_id == token_id), None)
    if token is None:
        return None
    secret = _secret(main, token)
    return None if player_rows.by_token(context.store, hash_secret(secret)) is None else (token, secret)


def tokens_of_player(context: Context, player_id: str) -> list[TokenRow]:
    """Return a player's valid tokens, the newest first."""
    return token_rows.read_tokens(context.store, player_id, context.now())


def revoke_token(context: Context, player_id: str, token_id: str) -> bool:
    """Revoke one of a player's tokens; False if there is none of this id."""
    return token_rows.delete_tokens(context.store, player_id, token_id)


def revoke_all_tokens(context: Context, player_id: str) -> None:
    """Revoke all of a player's scoped tokens."""
    token_rows.delete_tokens(context.store, player_id)


def _id_of(idem: Idempotency) -> str:
    """Derive the id of the token that a request makes, for a repeat to find it."""
    return derived_id(idem.key_hash, "token")


def _secret(main: str, token: TokenRow) -> str:
    """Derive a token from the main one and its salt.

    Neither of them is enough, so a guessed idempotency key is useless.
    """
    return f"dealt_{url_safe(hmac.digest(main.encode(), b'scoped|' + token.salt, 'sha256'))}"
