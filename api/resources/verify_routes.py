"""Verifies records that anybody may send: saves one to a file, verifies it in another process, and reports."""

import shutil
from tempfile import TemporaryFile
from typing import IO, Annotated, Final, Literal

from flask import Blueprint, Response, request
from msgspec import convert
from werkzeug.exceptions import RequestEntityTooLarge

from api.http.app_state import app_state
from api.http.client_networks import network_of
from api.http.common_fields import VerificationQuery
from api.http.openapi_games import one_of
from api.http.openapi_operations import (
    JSON,
    Answer,
    Body,
    Count,
    Digest,
    Operation,
    Reply,
    says,
    text,
)
from api.http.problems import Problem
from api.http.request_parsing import read_query
from api.http.responses import json_answer
from api.resources.tournament_record_routes import RECORD_EXAMPLE
from events.proof.collection_record import FORMAT as COLLECTION_FORMAT
from events.proof.findings import Report
from events.proof.group_record import FORMAT as GROUP_FORMAT
from events.proof.limited_process import Hindered
from events.proof.own_keys import by_own_keys, keys_of
from events.proof.record import FORMAT, MEDIA_TYPE, MOST_BYTES
from events.proof.signed_heads import KnownKey
from events.proof.tournament_record import MEDIA_TYPE as LINES
from events.proof.verifier import Unverifiable, verify_file

bp = Blueprint("verify", __name__, url_prefix="/v1/records")

RETRY_SECONDS: Final = 5
BUSY: Final = "Other verifications are running, or one of yours. Try again after `Retry-After` seconds."

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
        says("What is checked."),
    ]
    ok: Annotated[bool, says("It was found to be right.")]
    skipped: Annotated[bool, says("It could not be checked, as `detail` says; `ok` is then true.")]
    detail: Annotated[str, says("What was found, in words.")]
    seq: Annotated[int | None, says("The first event that fails.")]


class SignedAnswer(Answer):
    server: Annotated[str, says("The name of the server, as it says itself.")]
    key: Annotated[Digest, says("The public key by which it has signed, in hex.")]
    known: Annotated[
        bool,
        says(
            "The key is one of this server's, or one that the request named. If not, the signature proves nothing:"
            " anyone can create a key and sign in any name."
        ),
    ]


class SignedSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    key: Annotated[Digest, says("The public key that the seat was taken with; whose it is, the player says.")]


class ReportAnswer(Answer):
    ok: Annotated[bool, says("The verdict is `verified`.")]
    verdict: Annotated[
        Literal["verified", "failed", "unverifiable"],
        says("`unverifiable`: no check fails, and one was skipped, as its `detail` says."),
    ]
    match: Annotated[str, says("The id of the match, tournament, collection or group.")]
    game: Annotated[str | None, says("Null: not known here, or the record is of no match.")]
    version: Annotated[Count, says("The number of the last event.")]
    head: Annotated[str, says("The digest of the last event.")]
    signed: Annotated[SignedAnswer | None, says("The server that signed the head; null if it is not signed.")]
    checks: Annotated[list[CheckAnswer], says("What was checked.")]
    signed_seats: Annotated[
        list[SignedSeatAnswer], says("The seats that move only by signatures of their players' own keys.")
    ]
    contributed: Annotated[list[int], says("The seats whose nonces count in the shuffles of the last epoch.")]
    unopened: Annotated[
        list[int], says("The seats that committed to a nonce which the record does not open, whoever left it out.")
    ]
    unvouched: Annotated[
        list[int], says("The other players' seats: the record shows no part of theirs in the shuffles.")
    ]
    attested: Annotated[
        Literal["witnessed", "signed", "unsigned"] | None,
        says(
            "`witnessed`: a named key signed the head, and the named witnesses cosigned the log; `signed`: only a named"
            " key signed it. Null in an audit."
        ),
    ]


JSON_FORMATS: Final = (FORMAT, COLLECTION_FORMAT, GROUP_FORMAT)
AS_RECORD: Final = (MEDIA_TYPE, JSON)
OF_TOURNAMENT: Final = text(RECORD_EXAMPLE, "The record of a tournament: lines of JSON.")
SENT: Final = {
    "description": "The record of a match, of a collection or of a duplicate group, as the call that gives it answers.",
    **one_of("format", dict(zip(JSON_FORMATS, ("Record", "CollectionRecord", "GroupRecord"), strict=True))),
}


@bp.post("/verify")
@Operation(
    tag="history",
    access="public",
    query=VerificationQuery(),
    body=Body(SENT, forms=AS_RECORD, most_bytes=MOST_BYTES, others={LINES: OF_TOURNAMENT}),
    replies={200: Reply("What was found.", ReportAnswer)},
    refuses=("unreadable_record", "unavailable"),
    needs_database=False,
)
def verify_record() -> Response:
    """Verify a record.

    It is the record of a match, tournament, collection or duplicate group. Checks a record using only its contents. For
    a match: the chain of digests, the seals, the shuffles, every move by the rules, and the result. For a collection:
    the chain, and each pack and trade by the rules. For a tournament: the chain, each draw, pairing, bye, standing and
    prize by the rules, and the included match records.

    The signature of the record is checked as well. A record that this server signed needs nothing else. For a record of
    another server name that server's keys as `key`, or the head of the last event, if you kept it, as `head`. Otherwise
    the record is `unverifiable`.

    Needs no token; what is sent is not kept. Records that fail verification get a report, too. Anything else returns
    422 `unreadable_record`: no record, more than 50,000 events or 65,536 links, or more than 25 seconds of computing.
    More than 16 MiB returns 413. Of one sender's records one is verified at a time, and at most so many of all as the
    settings of the server say; beyond, and if the server is too busy, the answer is 503.
    """
    if request.mimetype not in (*AS_RECORD, LINES) or request.content_encoding not in (None, "identity"):
        raise Problem("unsupported_media_type", f"Send a record as {MEDIA_TYPE}, {JSON} or {LINES}, uncompressed.")
    asked = read_query(VerificationQuery())
    with TemporaryFile() as record:
        _receive(record)
        places, sender = app_state().verifying, network_of(request.remote_addr)
        if not places.take(sender):
            raise Problem("unavailable", BUSY, headers={"Retry-After": str(RETRY_SECONDS)})
        try:
            trusted = [*keys_of(app_state().keys), *map(KnownKey, asked["key"])]
            return json_answer(report_answer(convert(verify_file(record, asked["head"], trusted), Report)))
        except Hindered:
            raise Problem("unavailable", TOO_BUSY, headers={"Retry-After": str(RETRY_SECONDS)}) from None
        except Unverifiable as error:
            raise Problem("unreadable_record", str(error)) from None
        finally:
            places.leave(sender)


def report_answer(report: Report) -> ReportAnswer:
    """Return a report as it is served; it fails if somebody else has signed in this server's name."""
    return convert(by_own_keys(report, app_state().keys), ReportAnswer, from_attributes=True)


def _receive(record: IO[bytes]) -> None:
    """Put the body into a file. Raises 413."""
    # Where the length of a body is not sent before, one of exactly the limit would be refused.
    request.max_content_length = MOST_BYTES + 1
    # What is announced as too large has not been read at all.
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
