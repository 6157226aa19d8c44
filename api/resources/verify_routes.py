"""Verifies records: saves one to a file, verifies it in another process, and returns a report."""

import shutil
from tempfile import TemporaryFile
from typing import IO, Annotated, Final, Literal

from flask import Response, request
from msgspec import convert
from werkzeug.exceptions import RequestEntityTooLarge

from api.http.app_state import app_state
from api.http.client_networks import network_of
from api.http.common_fields import VerificationQuery
from api.http.openapi_games import one_of
from api.http.openapi_operations import JSON, Answer, Body, Count, Digest, Operation, Reply, says, text
from api.http.problems import Problem
from api.http.request_parsing import check_media_type, read_query
from api.http.responses import json_answer
from api.resources.record_examples import MATCH_RECORD, TOURNAMENT_RECORD
from events.proof.collection_record import FORMAT as COLLECTION_FORMAT
from events.proof.findings import Report
from events.proof.group_record import FORMAT as GROUP_FORMAT
from events.proof.limited_process import Hindered
from events.proof.own_keys import by_own_keys, keys_of
from events.proof.record import FORMAT, MEDIA_TYPE, MOST_BYTES
from events.proof.signed_heads import KnownKey
from events.proof.tournament_record import MEDIA_TYPE as LINES
from events.proof.verifier import Unverifiable, verify_file

RETRY_SECONDS: Final = 5
WAIT_SECONDS: Final = 30.0
"""A verification waits for a slot for this time at most: longer than the computing time of another one."""
BUSY: Final = "Another verification is running. Try again after `Retry-After` seconds."

TOO_BUSY: Final = "The server is too busy. Try again after `Retry-After` seconds."


class CheckAnswer(Answer):
    name: Annotated[
        Literal[
            "chain",
            "seals",
            "shuffles",
            "rules",
            "result",
            "moves",
            "signatures",
            "log",
            "codes",
            "projections",
            "tables",
        ],
        says("The name of the check."),
    ]
    ok: Annotated[bool, says("Whether the check passed.")]
    skipped: Annotated[bool, says("Whether it was skipped, as `detail` says; `ok` is then true.")]
    detail: Annotated[str, says("The result in words.")]
    seq: Annotated[int | None, says("The first event that fails.")]


class SignedAnswer(Answer):
    server: Annotated[str, says("The name that the server claims.")]
    key: Annotated[Digest, says("Its public key, in hex.")]
    known: Annotated[
        bool,
        says(
            "Whether the key is this server's or was named in the request. If not, the signature proves nothing:"
            " anyone can sign in any name with a new key."
        ),
    ]


class SignedSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    key: Annotated[Digest, says("The public key of the seat; ask the player whether it is theirs.")]


class ReportAnswer(Answer):
    ok: Annotated[bool, says("Whether the verdict is `verified`.")]
    verdict: Annotated[
        Literal["verified", "failed", "unverifiable"],
        says("`unverifiable`: no check failed, but one was skipped, as its `detail` says."),
    ]
    match: Annotated[str, says("The id of the match, tournament, collection or group.")]
    game: Annotated[str | None, says("The game; null if it is unknown, or the record is not of a match.")]
    version: Annotated[Count, says("The number of the last event.")]
    head: Annotated[str, says("The digest of the last event.")]
    signed: Annotated[SignedAnswer | None, says("The server that signed the head; null if it is not signed.")]
    checks: Annotated[list[CheckAnswer], says("What was checked.")]
    signed_seats: Annotated[
        list[SignedSeatAnswer], says("The seats whose moves need the signatures of their players' keys.")
    ]
    contributed: Annotated[list[int], says("The seats whose nonces count in the shuffles of the last epoch.")]
    unopened: Annotated[list[int], says("The seats that committed to a nonce that the record does not reveal.")]
    unvouched: Annotated[list[int], says("The seats of other players that contributed nothing to the shuffles.")]
    attested: Annotated[
        Literal["witnessed", "signed", "unsigned"] | None,
        says(
            "`witnessed`: a named key signed the head, and the named witnesses cosigned the log; `signed`: only a named"
            " key signed it. Null in an audit."
        ),
    ]


JSON_FORMATS: Final = (FORMAT, COLLECTION_FORMAT, GROUP_FORMAT)
AS_RECORD: Final = (MEDIA_TYPE, JSON)
OF_TOURNAMENT: Final = text(TOURNAMENT_RECORD, "The record of a tournament: lines of JSON.")
SENT: Final = {
    "description": "The record of a match, collection or duplicate group, as exported.",
    **one_of("format", dict(zip(JSON_FORMATS, ("Record", "CollectionRecord", "GroupRecord"), strict=True))),
}


@Operation(
    tag="history",
    searches=("verify", "check a record"),
    access="public",
    query=VerificationQuery,
    body=Body(SENT, example=MATCH_RECORD, forms=AS_RECORD, most_bytes=MOST_BYTES, others={LINES: OF_TOURNAMENT}),
    replies={200: Reply("The report.", ReportAnswer)},
    refuses=("unreadable_record", "unavailable"),
    needs_database=False,
)
def verify_record() -> Response:
    """Verify a record.

    Checks a record by its contents. For a match: the chain of digests, the seals, the shuffles, every move by the
    rules, and the result. For a collection: the chain, and each pack and trade. For a tournament: the chain, each draw,
    pairing, bye, standing and prize, and the included match records.

    It also checks the signature. For a record of another server, send that server's keys as `key`, or the head of the
    last event, if you kept it, as `head`. Otherwise the record is `unverifiable`.

    Needs no token and stores nothing. A record that fails verification gets a report, too. Returns 422
    `unreadable_record` for anything else: no record, more than 50,000 events or 65,536 links, or more than 25 seconds
    of computing. Returns 413 above 16 MiB. One record per sender is verified at a time, and the server's settings limit
    all of them. Others wait in order of arrival for up to 30 seconds; beyond that, it returns 503.
    """
    check_media_type(*AS_RECORD, LINES)
    asked = read_query(VerificationQuery)
    with TemporaryFile() as record:
        _receive(record)
        places, sender = app_state().verifying, network_of(request.remote_addr)
        if not places.take(sender, WAIT_SECONDS):
            raise Problem("unavailable", BUSY, headers={"Retry-After": str(RETRY_SECONDS)})
        try:
            trusted = [*keys_of(app_state().keys), *map(KnownKey, asked.key)]
            return json_answer(report_answer(convert(verify_file(record, asked.head, trusted), Report)))
        except Hindered:
            raise Problem("unavailable", TOO_BUSY, headers={"Retry-After": str(RETRY_SECONDS)}) from None
        except Unverifiable as error:
            raise Problem("unreadable_record", str(error)) from None
        finally:
            places.leave(sender)


def report_answer(report: Report) -> ReportAnswer:
    """Return a report; it fails if another server has signed in this server's name."""
    return convert(by_own_keys(report, app_state().keys), ReportAnswer, from_attributes=True)


def _receive(record: IO[bytes]) -> None:
    """Save the body to a file. Raises 413."""
    # Without a Content-Length, a body of exactly the limit would be refused.
    request.max_content_length = MOST_BYTES + 1
    # A body that is announced as too large has not been read.
    whole = (request.content_length or 0) <= MOST_BYTES
    try:
        if whole:
            shutil.copyfileobj(request.stream, record)
            whole = record.tell() <= MOST_BYTES
    except RequestEntityTooLarge:
        whole = False
    if not whole:
        raise Problem("content_too_large", f"A record may have at most {MOST_BYTES} bytes.")
    record.seek(0)
