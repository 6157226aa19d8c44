"""Tests extracting the path from a request target (RFC 9112, section 3.2)."""

import pytest

from api.http.wsgi_calls import path_of


@pytest.mark.parametrize(
    ("target", "path"),
    [
        (b"/v1/games", b"/v1/games"),
        (b"*", b"*"),
        (b"http://cards.example/v1/games", b"/v1/games"),
        (b"http://cards.example/v1/games?limit=1#top", b"/v1/games"),
        (b"http://cards.example", b""),
        (b"http://[::1/", b"/"),
        (b"http://[::1", b""),
        (b"://", b""),
    ],
)
def test_path_is_found_in_any_target(target, path):
    assert path_of(target) == path
