"""Tests the header `Host` (RFC 9112, section 3.2)."""

import pytest

from api.http.host_header import has_valid_host

VALID = [
    b"x",
    b"cards.example",
    b"cards.example:8000",
    b"127.0.0.1:80",
    b"[::1]",
    b"[::1]:80",
    b"a_b",
    b"x%20y",
    b"x:",
    b"x:65535",
    b"[::1]:65535",
]
INVALID = [
    b"",
    b":80",
    b"a b",
    b"a/b",
    b"a@b",
    b"a?b",
    b"a#b",
    b"x:y",
    b"x:123456",
    b"x:65536",
    b"x:99999",
    b"[::1]:99999",
    b"x:-1",
    b"x:+80",
    b"x: 80",
    b"x:80:80",
    b"x,y z",
    b"x\\y",
    b"<x>",
    b"x\x00y",
    b"[::1]x",
    b"[::1%25eth0]",
    b"[127.0.0.1]",
    b"[]",
    b"%",
    b"http://x",
    b"%zz",
    b"\xc3\xa9",
    b"[::1",
    b"[::::]",
    b"[x]",
    b"::1",
]


@pytest.mark.parametrize("value", VALID)
def test_host_is_valid(value):
    assert has_valid_host((1, 1), [(b"accept", b"*/*"), (b"host", value)])


@pytest.mark.parametrize("version", [(1, 0), (1, 1)])
@pytest.mark.parametrize("value", INVALID)
def test_host_is_invalid(value, version):
    assert not has_valid_host(version, [(b"host", value)])


@pytest.mark.parametrize("version", [(1, 0), (1, 1)])
def test_host_is_invalid_when_sent_twice(version):
    assert not has_valid_host(version, [(b"host", b"x"), (b"host", b"x")])


def test_host_may_be_missing_only_in_http_1_0():
    assert has_valid_host((1, 0), [])
    assert not has_valid_host((1, 1), [])
