"""Checks whether the signed head is in the transparency log of its server, and who witnessed it."""

from collections.abc import Sequence
from typing import Final

from domain.core.merkle import hash_leaf, is_included
from events.proof.checkpoints import EntryProof, read_entry_proof
from events.proof.findings import Claims, Evidence, Finding, bad, good, skip_check
from events.proof.log_entries import SALT, entry_of, head_text
from events.proof.signed_heads import SignedHead
from events.proof.signed_notes import ED25519, BadNote, NoteKey, find_signers

NAME: Final = "log"

MISSING: Final = "The record has no proof that its head is in the transparency log. Export it again in a minute."


def check_log(claims: Claims) -> tuple[Finding | None, bool]:
    """Check the proof of a record that its signed head is in the log.

    Return the finding, None if there is no proof and no witness was named, and whether a quorum has witnessed the log.
    """
    head, evidence = claims.signed, claims.evidence
    if head is None or head.logged is None:
        return (skip_check(NAME, MISSING) if evidence.witnesses else None), False
    try:
        proof = read_entry_proof(head.logged)
    except BadNote as error:
        return bad(NAME, head.version, f"The proof cannot be read. {error}"), False
    if not _is_in_tree(head, proof):
        return bad(NAME, head.version, "The proof does not lead to the root of its checkpoint."), False
    try:
        signers = find_signers(proof.note, [*_log_keys(head, proof, evidence), *evidence.witnesses])
    except BadNote as error:
        return bad(NAME, head.version, f"The checkpoint is invalid. {error}"), False
    return _judge(proof, [*signers], evidence)


def _is_in_tree(head: SignedHead, proof: EntryProof) -> bool:
    if len(proof.extra) != SALT:
        return False
    entry = entry_of(proof.extra, head_text(head.kind, head.id, head.version, head.head))
    return is_included(hash_leaf(entry), proof.place, proof.checkpoint.size, proof.hashes, proof.checkpoint.root)


def _log_keys(head: SignedHead, proof: EntryProof, evidence: Evidence) -> list[NoteKey]:
    """Return the keys of the server that may have signed the checkpoint; the head may have a later key."""
    keys = dict.fromkeys([head.key, *(key.key for key in evidence.keys)])
    return [NoteKey(proof.checkpoint.origin, ED25519, key) for key in keys if len(key) == 2 * SALT]


def _judge(proof: EntryProof, signers: Sequence[NoteKey], evidence: Evidence) -> tuple[Finding, bool]:
    seen = f"entry {proof.place} of the log {proof.checkpoint.origin}, which had {proof.checkpoint.size} entries then"
    count = len({witness for witness in evidence.witnesses if witness in signers})
    if not any(key.type == ED25519 and key not in evidence.witnesses for key in signers):
        return skip_check(NAME, f"It is {seen}, but none of the keys that you named signed the checkpoint."), False
    if not evidence.witnesses:
        return good(NAME, f"It is {seen}. No witness was named."), False
    if count < evidence.least_witnesses:
        said = f"It is {seen}. {count} of the named witnesses cosigned, but {evidence.least_witnesses} are required."
        return skip_check(NAME, said), False
    return good(NAME, f"It is {seen}. {count} of the named witnesses cosigned."), True
