"""Defines handles, the unique names of players next to their display names, and draws new ones."""

import re
import secrets
import unicodedata
from hashlib import sha256
from typing import Final

HANDLE: Final = "[a-z0-9][a-z0-9_-]{2,29}"
"""A handle as a regular expression."""
LONGEST: Final = 30
MOST: Final = 5
"""Maximum handles per player, including former ones, so that players cannot hoard them."""
RESERVED: Final = frozenset(
    (
        *("abuse", "admin", "administrator", "help", "moderator", "official", "postmaster", "recovery", "root"),
        *("security", "staff", "support", "webmaster", "api", "dealt", "host", "server", "system"),
        *("bot", "bots", "dealer", "guest", "open", "player", "players", "spectator", "spectators", "you"),
        *("anonymous", "anybody", "everybody", "everyone", "nobody", "somebody"),
        *("deleted", "erased", "none", "null", "undefined", "unknown"),
    )
)
"""Handles that could be mistaken for the server's or for no one's."""

_ENDING: Final = 6
_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"


def read(text: str) -> str | None:
    """Return the handle of a text, in lower case; None if it is not a handle."""
    # A letter of another alphabet may have a lower-case form in this one.
    handle = text.lower() if text.isascii() else ""
    return handle if re.fullmatch(HANDLE, handle) else None


def made_from(name: str) -> str:
    """Build a handle from a player's name, with a random ending of 29 bits."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: LONGEST - _ENDING - 1].strip("-")
    ending = "".join(secrets.choice(_LETTERS) for _ in range(_ENDING))
    return f"{words if words and words not in RESERVED else 'player'}-{ending}"


def hash_handle(handle: str) -> bytes:
    """Return the digest of a handle. It is stored forever, so that no other player gets the handle."""
    return sha256(handle.encode()).digest()
