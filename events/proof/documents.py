"""Verifies a record of any kind: of a match, a collection, a tournament or a group."""

from itertools import chain
from typing import IO

from events import proof
from events.proof import record, tournament_record
from events.proof.collection_record import read_collection_record, verify_collection
from events.proof.findings import NO_EVIDENCE, Evidence, Report
from events.proof.group_record import read_group_record, verify_group


def verify_document(sent: IO[bytes], evidence: Evidence = NO_EVIDENCE) -> tuple[str, Report]:
    """Verify a record read from a file; return its kind, and the report. Raise `Unreadable`."""
    first = sent.readline(tournament_record.MOST_ABOUT + 1)
    if tournament_record.is_about_tournament(first):
        lines = chain([first.removesuffix(b"\n")], tournament_record.lines_of(sent))
        return "tournament", tournament_record.verify_tournament(
            tournament_record.read_tournament_record(lines), evidence
        )
    text = first + sent.read(record.MOST_BYTES + 1 - len(first))
    if of_cards := read_collection_record(text):
        return "collection", verify_collection(of_cards, evidence)
    if of_group := read_group_record(text):
        return "deal group", verify_group(of_group, evidence)
    read = record.read_record(text)
    return "match", proof.verify_match(read.match.id, record.facts(read), record.claims(read, evidence))
