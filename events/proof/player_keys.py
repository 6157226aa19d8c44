"""Describes what a player signs with their own key, and checks keys and signatures (docs/proof.md)."""

import re
from typing import Any, Final

from events.log.codec import canonical
from events.proof.signed_heads import KEY, is_valid_signature

SIGNATURE: Final = "[0-9a-f]{128}"
"""A signature as a regular expression."""

_P: Final = 2**255 - 19
"""The field of the curve (RFC 8032, 5.1)."""

_D: Final = -121665 * pow(121666, -1, _P) % _P


def is_player_key(key: Any) -> bool:
    """Return whether a seat can be taken with this key: a point of the curve, 32 bytes in hex, not of small order.

    A point of small order binds no one: signatures for it can be made without a secret.
    """
    if not isinstance(key, str) or not KEY.fullmatch(key):
        return False
    y = int.from_bytes(bytes.fromhex(key), "little") & (2**255 - 1)
    if y >= _P:
        return False
    square = y * y % _P
    small_order = y * (square - 1) * (_D * square * square + 2 * square - 1) % _P == 0
    # x² = u / v has a root exactly where u · v has one.
    u, v = square - 1, _D * square + 1
    return not small_order and pow(u * v, (_P - 1) // 2, _P) == 1


def move_message(match: str, seat: int, version: int, head: str, move: Any) -> bytes:
    """Return the bytes that a player signs: the move of a seat, `{name, args}`, on the event of this version."""
    return f"dealt-move/1|{match}|{seat}|{version}|{head}|".encode("ascii") + canonical(move)


def seat_message(player: str, match: str | None, seat: int) -> bytes:
    """Return the bytes that a player signs to take a seat with a key; `match` is None as a match is created."""
    return (f"dealt-seat/1|new|{player}" if match is None else f"dealt-seat/1|{match}|{seat}|{player}").encode()


def is_signed(key: str, signature: Any, signed: bytes) -> bool:
    """Return whether this is a valid signature, in hex, over these bytes by the key, in hex."""
    return (
        isinstance(signature, str)
        and re.fullmatch(SIGNATURE, signature) is not None
        and is_valid_signature(key, signature, signed)
    )
