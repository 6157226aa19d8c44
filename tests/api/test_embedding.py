"""Tests how other sites find and frame the board of a match (oEmbed 1.0)."""

import pytest

from events.ids import new_id
from tests import built
from tests.factories import MatchBody


@pytest.fixture(autouse=True, scope="module")
def page():
    built.page()


@pytest.fixture
def get(app):
    """Return the function that requests an address, without a token."""
    return app.test_client().get


def test_only_the_board_may_be_framed_by_other_sites(get, player):
    match = player().post("/v1/matches", MatchBody()).json["id"]
    board = get(f"/embed/{match}")
    assert board.status_code == 200
    assert "frame-ancestors *" in board.headers["Content-Security-Policy"]
    assert "script-src 'self'" in board.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in get("/play").headers["Content-Security-Policy"]


def test_board_says_nothing_of_whether_a_match_exists(get, player):
    match, none = player().post("/v1/matches", MatchBody()).json["id"], new_id()
    boards = [get(f"/embed/{each}").get_data(as_text=True).replace(each, "") for each in (match, none)]
    assert boards[0] == boards[1]


@pytest.mark.parametrize("address", ["/embed/ID", "/play?m=ID", "/play#m=ID", "/play#v=3&m=ID", "/v1/matches/ID"])
def test_address_of_a_match_leads_to_a_frame(get, address):
    match = new_id()
    answer = get("/oembed", query_string={"url": address.replace("ID", match), "maxwidth": "300"})
    assert answer.status_code == 200
    assert {name: answer.json[name] for name in ("version", "type", "width", "height")} == {
        "version": "1.0",
        "type": "rich",
        "width": 300,
        "height": 480,
    }
    assert f'src="/embed/{match}"' in answer.json["html"]


@pytest.mark.parametrize(
    "url", ["", "https://elsewhere.example/embed/ID", "/embed/x", '/embed/"><script>', "/play#m=1", "//[/embed/ID"]
)
def test_other_addresses_have_no_frame(get, url):
    answer = get("/oembed", query_string={"url": url.replace("ID", new_id())})
    assert answer.status_code == 404


def test_board_is_described_as_json_only(get):
    asked = {"url": f"/embed/{new_id()}", "format": "xml"}
    assert get("/oembed", query_string=asked).status_code == 404
