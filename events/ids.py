"""Ids and codes that nobody can guess."""

import hmac
import secrets
from base64 import b32encode
from hashlib import sha256
from typing import Final

ID_LENGTH: Final = 20
"""Characters of an id: 100 random bits."""

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id() -> str:
    """Draw an id for a match or a player: lower case, without letters that look like digits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Say whether the text may be an id that `new_id` drew."""
    return len(text) == ID_LENGTH and all(letter in _ALPHABET for letter in text)


def new_token() -> str:
    """Draw a player's token, 256 random bits, recognisable by its beginning."""
    return f"dealt_{secrets.token_urlsafe(32)}"


def hashed(secret: str) -> bytes:
    """Give what is stored of a token or an invite."""
    return sha256(secret.encode()).digest()


def invite_code(token: str, match_id: str, seat: int, salt: str) -> str:
    """Derive the invite for a seat from its creator's token, 160 bits.

    Only its hash is stored; the creator's own requests bring the token with which it can be shown again.
    """
    code = hmac.digest(token.encode(), f"invite|{match_id}|{seat}|{salt}".encode(), "sha256")
    return b32encode(code[:20]).decode().lower()
