"""Receipts by which a server acknowledges nonces: a record that lacks one of these convicts the server."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from domain.core.fairness import nonce_hash
from domain.core.values import value
from events.proof.findings import Claims, Fact, Finding, bad, good, skip_check
from events.proof.signed_heads import (
    COLLECTION,
    ID,
    KEY,
    MATCH,
    TOURNAMENT,
    NonceReceipt,
    is_server,
    is_valid_signature,
)

NAME: Final = "receipts"


GivenFor = Literal["match", "tournament", "collection"]
"""The kinds of streams that take nonces; a duplicate group takes those of its matches."""


@value
class GivenNonce:
    """A nonce, or the hash of one, as a receipt names it.

    A match names the seat that gave it, a tournament the player; a collection has only one player.
    """

    kind: GivenFor
    id: str
    stage: Literal["hashes", "nonces"]
    epoch: int
    hash: str
    seat: int | None = None
    player: str | None = None


def receipt_message(server: str, given: GivenNonce, version: int, head: str) -> bytes:
    """Return the bytes that a server signs: a nonce is among the events up to a version with this head."""
    seat = "" if given.seat is None else given.seat
    place = f"{given.kind}|{given.id}|{given.stage}|{seat}|{given.player or ''}|{given.epoch}"
    return f"dealt-nonce/1|{server}|{place}|{given.hash}|{version}|{head}".encode("ascii")


def is_signed(receipt: NonceReceipt) -> bool:
    """Return whether a receipt is well formed and was signed with its key."""
    if not (is_server(receipt.server) and ID.fullmatch(receipt.id) and _has_giver(receipt)):
        return False
    if not (KEY.fullmatch(receipt.hash) and KEY.fullmatch(receipt.head)) or receipt.version < 1:
        return False
    given = GivenNonce(
        receipt.kind, receipt.id, receipt.stage, receipt.epoch, receipt.hash, receipt.seat, receipt.player
    )
    return is_valid_signature(
        receipt.key, receipt.signature, receipt_message(receipt.server, given, receipt.version, receipt.head)
    )


def _has_giver(receipt: NonceReceipt) -> bool:
    """Return whether a receipt names the giver, stage and epoch that nonces of its kind have."""
    seat, player = receipt.seat, receipt.player
    match receipt.kind:
        case "match":
            return seat is not None and seat >= 0 and player is None and receipt.epoch >= 1
        case "tournament":
            named = player is not None and ID.fullmatch(player) is not None
            return named and seat is None and (receipt.stage, receipt.epoch) == ("nonces", 1)
        case "collection":
            return seat is None and player is None and receipt.stage == "nonces" and receipt.epoch >= 1
    return False


def checks(kind: str, of: str, facts: Sequence[Fact], claims: Claims) -> list[Finding]:
    """Check that the nonces which a server has acknowledged are in the record; nothing without receipts.

    The first receipt that fails counts, then the first that is skipped.
    """
    findings = [_acknowledged(kind, of, facts, claims, receipt) for receipt in claims.evidence.receipts]
    wrong = [found for found in findings if not found.ok]
    return [*wrong, *(found for found in findings if found.skipped), *findings][:1]


def _acknowledged(kind: str, of: str, facts: Sequence[Fact], claims: Claims, receipt: NonceReceipt) -> Finding:
    if (receipt.kind, receipt.id) != (kind, of) or not is_signed(receipt):
        return skip_check(NAME, "A receipt belongs to another record, or its signature is invalid: it proves nothing.")
    if receipt.key not in {known.key for known in claims.evidence.keys}:
        return skip_check(NAME, f"A receipt is signed with a key that you did not name: {receipt.key}.")
    what = f"{receipt.server} has signed with {receipt.key} that it had {_name_nonce(receipt)}"
    if receipt.version > len(facts):
        if any(fact.type in _ENDS for fact in facts):
            return bad(NAME, len(facts), f"{what} at version {receipt.version}, which the record does not have.")
        return skip_check(NAME, f"The record ends before version {receipt.version} of a receipt.")
    if facts[receipt.version - 1].digest != receipt.head:
        return bad(NAME, receipt.version, f"{what} in a history other than this one.")
    if not any(_is_of(receipt, fact) for fact in facts[: receipt.version]):
        return bad(NAME, receipt.version, f"{what}, but it is not in the record.")
    return good(NAME, f"{what}, and it is in the record.")


_ENDS: Final = frozenset({"MatchEnded", "TournamentEnded", "TournamentCancelled"})
"""After one of these events no nonce is taken."""


def _name_nonce(receipt: NonceReceipt) -> str:
    if receipt.kind == MATCH:
        return f"the nonce of seat {receipt.seat}"
    return f"the nonce of player {receipt.player}" if receipt.kind == TOURNAMENT else "the nonce of a pack"


_EVENTS: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    (MATCH, "hashes"): frozenset({"NonceCommitted"}),
    (MATCH, "nonces"): frozenset({"NonceSubmitted"}),
    (TOURNAMENT, "nonces"): frozenset({"PlayerEntered", "PlayerWaits"}),
    (COLLECTION, "nonces"): frozenset({"PackOpened"}),
}
"""The types of the events that bring a nonce, by kind and stage."""


def _is_of(receipt: NonceReceipt, fact: Fact) -> bool:
    """Return whether an event brought the nonce of a receipt, in the name of the one who gave it."""
    if fact.type not in _EVENTS[receipt.kind, receipt.stage]:
        return False
    due: dict[str, Any] = {"seat": receipt.seat, "player": receipt.player}
    if receipt.kind != TOURNAMENT:
        due["epoch"] = receipt.epoch
    if any(value is not None and not _equals(fact.data.get(name), value) for name, value in due.items()):
        return False
    value = fact.data.get("hash" if receipt.stage == "hashes" else "nonce")
    if not isinstance(value, str) or not value.isascii():
        return False
    return receipt.hash == (value if receipt.stage == "hashes" else nonce_hash(value))


def _equals(said: Any, due: Any) -> bool:
    """Return whether two values are equal; a truth value is no number."""
    return type(said) is type(due) and said == due
