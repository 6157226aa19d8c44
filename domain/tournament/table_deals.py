"""Derives the deals at tables from a secret that a tournament commits to before entries open (tournament 8.4)."""

import hmac
from hashlib import sha256
from typing import Any, Final

from domain.core.game import Refused
from domain.core.values import value
from domain.tournament.format import Draws, TournamentFormat, TournamentPart
from domain.tournament.tournament_state import Tournament


@value
class DealsDisclosed:
    """The tournament and all its matches are over, and the secret that their deals follow from is disclosed."""

    seed: str
    """The secret, in hex."""


@value
class DiscloseDeals:
    """Disclose the secret of the deals, in hex: the tournament and all its matches are over."""

    seed: str


@value
class TableDeals:
    """The deals of one match, by its round, table and attempt; a pod is a table of round 0.

    `table` is None if all tables of the round share them.
    """

    round: int
    table: int | None
    attempt: int


def deals_secret(seal_secret: bytes) -> bytes:
    """Return the secret of a tournament's deals, which does not reveal the seal secret that it follows from."""
    return hmac.digest(seal_secret, b"deals", "sha256")


def deals_commitment(secret: bytes) -> str:
    """Return the commitment to a secret, in hex."""
    return sha256(secret).hexdigest()


def first_root(secret: bytes, tournament: str, deals: TableDeals, nonces: tuple[str, ...]) -> bytes:
    """Return the root of the first epoch of a match, 32 bytes."""
    table = "" if deals.table is None else deals.table
    text = f"ct1|deals|{tournament}|{deals.round}|{table}|{deals.attempt}|{','.join(nonces)}"
    return hmac.digest(secret, text.encode("ascii"), "sha256")


def disclose_deals(t: Tournament, command: DiscloseDeals, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Disclose the secret of the deals, once, after the end."""
    if t.deals_seed is not None:
        return ()
    if not t.ended:
        raise Refused("wrong_phase", "Deals are disclosed after the tournament.")
    secret = bytes.fromhex(command.seed)
    if command.seed != secret.hex() or deals_commitment(secret) != t.deals:
        raise Refused("bad_arguments", "The deals do not match the secret.")
    return (DealsDisclosed(command.seed),)


def evolve_deals(t: Tournament, event: Any) -> None:
    """Assign to the tournament the secret of its deals."""
    match event:
        case DealsDisclosed():
            t.deals_seed = event.seed


DEALS: Final = TournamentPart(
    events=(DealsDisclosed,),
    evolve=evolve_deals,
    decisions={DiscloseDeals: disclose_deals},
    causes={DealsDisclosed: lambda t, e: DiscloseDeals(e.seed)},
)
