"""Checks that players hold the keys with which they take seats."""

from domain.core.game import Refused
from events.proof.player_keys import is_signed


def check_key_proof(key: str | None, proof: str | None, signed: bytes) -> None:
    """Refuse a key whose secret the caller does not show to hold, and a proof without a key. Raises `Refused`."""
    if key is None and proof is not None:
        raise Refused("bad_arguments", "`key_proof` goes with `player_key`: send both, or neither.")
    if key is not None and not is_signed(key, proof, signed):
        raise Refused("bad_arguments", f"`key_proof` must be the signature by `player_key` over {signed.decode()}")
