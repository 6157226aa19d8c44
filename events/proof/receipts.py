"""Receipts by which a server acknowledges nonces: a record that lacks one of these convicts the server."""

from collections.abc import Sequence
from typing import Any, Final

from domain.core.fairness import nonce_hash
from events.proof.findings import Claims, Fact, Finding, bad, good, skipped
from events.proof.signed_heads import KEY, NonceReceipt, holds, is_server

NAME: Final = "receipts"


def message(server: str, match: str, stage: str, place: tuple[int, int], digest: str, at: tuple[int, str]) -> bytes:
    """Return the bytes that a server signs; `place` is seat and epoch, `at` version and head."""
    seat, epoch = place
    version, head = at
    return f"dealt-nonce/1|{server}|{match}|{stage}|{seat}|{epoch}|{digest}|{version}|{head}".encode("ascii")


def is_signed(receipt: NonceReceipt) -> bool:
    """Return whether a receipt was signed with its key."""
    if not (is_server(receipt.server) and receipt.match.isascii() and KEY.fullmatch(receipt.hash)):
        return False
    if not KEY.fullmatch(receipt.head) or receipt.version < 1:
        return False
    place, at = (receipt.seat, receipt.epoch), (receipt.version, receipt.head)
    text = message(receipt.server, receipt.match, receipt.stage, place, receipt.hash, at)
    return holds(receipt.key, receipt.signature, text)


def check(match_id: str, facts: Sequence[Fact], claims: Claims) -> Finding:
    """Check that the nonces which a server has acknowledged are in the record; the first that fails counts."""
    findings = [_acknowledged(match_id, facts, claims, receipt) for receipt in claims.receipts]
    wrong = [found for found in findings if not found.ok]
    return next(iter([*wrong, *(found for found in findings if found.skipped), *findings]))


def _acknowledged(match_id: str, facts: Sequence[Fact], claims: Claims, receipt: NonceReceipt) -> Finding:
    if receipt.match != match_id or not is_signed(receipt):
        return skipped(NAME, "A receipt is of another match, or its signature does not hold: it proves nothing.")
    if receipt.key not in {known.key for known in claims.keys}:
        return skipped(NAME, f"A receipt is signed with a key that you have not named: {receipt.key}.")
    what = f"{receipt.server} has signed by {receipt.key} that it had the nonce of seat {receipt.seat}"
    if receipt.version > len(facts):
        if any(fact.type == "MatchEnded" for fact in facts):
            return bad(NAME, len(facts), f"{what} at version {receipt.version}, which the record does not have.")
        return skipped(NAME, f"The record ends before version {receipt.version} of a receipt.")
    if facts[receipt.version - 1].digest != receipt.head:
        return bad(NAME, receipt.version, f"{what} in another history than this one.")
    if not any(_is_of(receipt, fact) for fact in facts[: receipt.version]):
        return bad(NAME, receipt.version, f"{what}, and it is not in the record.")
    return good(NAME, f"{what}, and it is in the record.")


def _is_of(receipt: NonceReceipt, fact: Fact) -> bool:
    kind, given = ("NonceCommitted", "hash") if receipt.stage == "hashes" else ("NonceSubmitted", "nonce")
    named: Any = (fact.type, fact.data.get("seat"), fact.data.get("epoch"))
    value = fact.data.get(given)
    if named != (kind, receipt.seat, receipt.epoch) or not isinstance(value, str) or not value.isascii():
        return False
    return receipt.hash == (value if given == "hash" else nonce_hash(value))
