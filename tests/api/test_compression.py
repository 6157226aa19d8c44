"""Tests compression for clients that accept it, by the weights in `Accept-Encoding` (RFC 9110, 12.5.3)."""

import zlib

import pytest
from flask import Flask, Response

from api.http.compression import GZIP_BITS, compress

BODY = b"It is long enough to become shorter. " * 20


def answered(said):
    """Return the answer to a client that accepts these encodings."""
    with Flask(__name__).test_request_context(headers={} if said is None else {"Accept-Encoding": said}):
        return compress(Response(BODY))


@pytest.mark.parametrize(
    "said", ["gzip", "GZIP", "*", "br, gzip;q=0.5", "br, *;q=0.1", "gzip;q=0.001", "gzip, identity", "identity;q=0, *"]
)
def test_client_that_accepts_gzip_gets_it(said):
    answer = answered(said)
    assert (answer.headers["Content-Encoding"], answer.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert zlib.decompress(answer.data, GZIP_BITS) == BODY


@pytest.mark.parametrize(
    "said",
    [None, "", "br", "identity", "gzip;q=0", "gzip;q=0.000", "gzip;q=0, *", "*, gzip;q=0", "*;q=0", "gzip;q=a lot"],
)
def test_client_that_does_not_accept_gzip_gets_plain_answers(said):
    answer = answered(said)
    assert ("Content-Encoding" not in answer.headers, answer.data) == (True, BODY)
    assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("said", ["identity, gzip;q=0.5", "identity;q=0.9, *;q=0.2"])
def test_client_that_prefers_plain_answers_gets_them(said):
    assert "Content-Encoding" not in answered(said).headers
