"""Verification of records that anybody may send: read into a file, verified in another process, reported."""

import shutil
from tempfile import TemporaryFile
from typing import IO, Final

from flask import Blueprint, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.http.bodies import query
from api.http.context import here
from api.http.present import JSON, answer
from api.http.problems import Problem
from api.http.schemas import VerifyQuery
from events.proof.record import MEDIA_TYPE, MOST_BYTES
from events.proof.verifier import Unverifiable, verified

bp = Blueprint("verify", __name__, url_prefix="/v1/records")

RETRY_SECONDS: Final = 5
BUSY: Final = "Other records are being verified, or one of yours; send this one again after the time that `Retry-After` says."


@bp.post("/verify")
def verify() -> Response:
    """Verify the record in the body."""
    if request.mimetype not in (MEDIA_TYPE, JSON) or request.content_encoding not in (None, "identity"):
        raise Problem("unsupported_media_type", f"Send a record as {MEDIA_TYPE} or {JSON}, uncompressed.")
    asked = query(VerifyQuery())
    with TemporaryFile() as record:
        _receive(record)
        places, sender = here().verifying, str(request.remote_addr)
        if not places.take(sender):
            raise Problem("unavailable", BUSY, headers={"Retry-After": str(RETRY_SECONDS)})
        try:
            return answer(verified(record, asked["head"]))
        except Unverifiable as error:
            raise Problem("unreadable_record", str(error)) from None
        finally:
            places.leave(sender)


def _receive(record: IO[bytes]) -> None:
    """Put the body into a file. Raises 413."""
    request.max_content_length = (
        MOST_BYTES + 1
    )  # where a body's end is not told before, one of the most is refused
    try:
        shutil.copyfileobj(request.stream, record)
        whole = record.tell() <= MOST_BYTES
    except RequestEntityTooLarge:
        whole = False
    if not whole:
        raise Problem("content_too_large", f"A record has at most {MOST_BYTES} bytes.")
    record.seek(0)
