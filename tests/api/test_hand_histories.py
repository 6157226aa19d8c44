"""Tests reading poker hands of other servers over HTTP, without storing anything."""

import pytest

from api.app import create_app
from events.settings import Settings
from tests.api.client import Client, code
from tests.api.test_phh import FOLDED, SHOWN
from tests.api.test_poker_rank import Nowhere
from tests.formats.test_phh_import import BAD_UNITS, CENTS

PATH = "/v1/poker/hands"


@pytest.fixture
def stranger():
    return Client(create_app(Settings(dealt_rate_per_second=0), store=Nowhere()))


def reads(client, sent, asked="", form="application/toml"):
    return client.send("POST", PATH + asked, data=sent, content_type=form)


def test_hands_are_replayed_without_token_or_database(stranger):
    answered = reads(stranger, f"[1]\n{FOLDED}[2]\n{SHOWN}[3]\n{FOLDED.replace('NT', 'PO')}[4]\nvariant =\n")
    assert answered.status_code == 200
    assert "played elsewhere" in answered.json["not_verified"]
    folded, shown, omaha, broken = answered.json["items"]
    assert (folded["status"], folded["game"], folded["stacks"]) == ("played", "holdem", [109, 414, 97])
    assert (folded["played_at"], len(folded["assumed"])) == ("2024-02-29T12:00:00.000Z", 1)
    assert (shown["hand"], shown["stacks"], shown["played_at"]) == ("2", [200, 150], None)
    assert (omaha["status"], omaha["detail"]) == ("unsupported", "The variant 'PO' is not supported.")
    assert (broken["hand"], broken["status"], broken["stacks"]) == ("4", "malformed", None)


def test_fractional_amounts_need_a_unit(stranger):
    text = CENTS.format("1", "10.25")
    (refused,) = reads(stranger, text).json["items"]
    assert refused["status"] == "unsupported"
    assert "in the API `?unit=0.01`, fits this document" in refused["detail"]
    (played,) = reads(stranger, text, "?unit=0.01").json["items"]
    assert played["stacks"] == [1075, 1950]


@pytest.mark.parametrize("unit", BAD_UNITS)
def test_invalid_unit_is_refused(stranger, unit):
    refused = reads(stranger, FOLDED, f"?unit={unit}")
    assert code(refused) == (422, "bad_arguments")
    assert list(refused.json["errors"]) == ["unit"]


def test_invalid_hand_document_is_refused_in_words(stranger):
    for sent, why in ((b"\xff", "not TOML"), (b"x = ", "not TOML"), (b"", "not a hand history")):
        answered = reads(stranger, sent)
        assert code(answered) == (422, "bad_arguments")
        assert why in answered.json["errors"]["_schema"][0]


def test_hand_history_must_be_toml_within_the_size_limit(stranger):
    assert code(reads(stranger, FOLDED, form="application/json")) == (415, "unsupported_media_type")
    assert code(reads(stranger, FOLDED + "#" * 64 * 1024)) == (413, "content_too_large")
