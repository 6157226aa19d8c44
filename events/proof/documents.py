"""This module verifies what a caller has, whatever it is a record of: a match, a collection, a tournament, a group."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import IO

from events import proof
from events.proof import collection_record, group_record, record, tournament_record
from events.proof.findings import Report
from events.proof.signed_heads import KnownKey, NonceReceipt


def verify_document(
    sent: IO[bytes],
    kept: Sequence[tuple[int, str]] = (),
    keys: Sequence[KnownKey] = (),
    receipts: Sequence[NonceReceipt] = (),
) -> tuple[str, Report]:
    """Verify a record that is read from a file; gives what it is of, and the report. Raises `Unreadable`.

    `kept` are heads that the caller kept, `keys` the servers' keys that they trust, and `receipts` those of nonces.
    """
    first = sent.readline(tournament_record.MOST_ABOUT + 1)
    if tournament_record.is_about_tournament(first):
        lines = chain([first.removesuffix(b"\n")], tournament_record.lines_of(sent))
        return "tournament", tournament_record.verify_tournament(
            tournament_record.read_tournament_record(lines), kept, keys, receipts
        )
    text = first + sent.read(record.MOST_BYTES + 1 - len(first))
    if of_cards := collection_record.read_collection_record(text):
        return "collection", collection_record.verify_collection(of_cards, kept, keys, receipts)
    if of_group := group_record.read_group_record(text):
        return "deal group", group_record.verify_group(of_group, kept, keys, receipts)
    read = record.read_record(text)
    claims = replace(record.claims(read, kept, keys), receipts=receipts)
    return "match", proof.verify_match(read.match.id, record.facts(read), claims)
