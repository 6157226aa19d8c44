"""Draws ids and codes that cannot be guessed."""

import hmac
import secrets
from base64 import b32encode, urlsafe_b64encode
from hashlib import sha256
from typing import Final

ID_LENGTH: Final = 20
"""The length of an id, in characters; it has 100 random bits."""

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id() -> str:
    """Draw an id for a match or a player: lower case, without letters that look like digits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(ID_LENGTH))


def derived_id(secret: bytes, what: str) -> str:
    """Derive an id from a secret, always the same."""
    number = int.from_bytes(hmac.digest(secret, what.encode("ascii"), "sha256"), "big")
    return "".join(_ALPHABET[number >> 5 * i & 31] for i in range(ID_LENGTH))


def match_of(tournament_id: str, round_: int, table: int, attempt: int) -> str:
    """Return the id of the match at a tournament table; `attempt` counts from 0 how often it was replayed."""
    return derived_id(b"tournament", f"{tournament_id}|{round_}|{table}|{attempt}")


def is_id(text: str) -> bool:
    """Return whether the text may be an id of `new_id`."""
    return len(text) == ID_LENGTH and all(letter in _ALPHABET for letter in text)


def new_token() -> str:
    """Draw a player's token: a recognisable prefix and 256 random bits."""
    return f"dealt_{secrets.token_urlsafe(32)}"


def hash_secret(secret: str) -> bytes:
    """Return the digest by which a token or an invite code is stored."""
    return sha256(secret.encode()).digest()


def invite_code(token: str, match_id: str, seat: int, salt: str) -> str:
    """Derive the invite for a seat from its creator's token, 160 bits.

    Only its hash is stored; the creator's token, sent with their requests, gives the code again.
    """
    code = hmac.digest(token.encode(), f"invite|{match_id}|{seat}|{salt}".encode(), "sha256")
    return b32encode(code[:20]).decode().lower()


def from_bytes(random: bytes) -> str:
    """Return an id of at least 20 random bytes, in the form of `new_id`."""
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in random[:ID_LENGTH])


def url_safe(random: bytes) -> str:
    """Write random bytes in a form for URLs."""
    return urlsafe_b64encode(random).decode().rstrip("=")


def new_secret() -> str:
    """Draw a secret for a URL, 192 random bits."""
    return secrets.token_urlsafe(24)
