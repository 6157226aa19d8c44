"""Tests ranking poker hands over HTTP, with the reason in words (poker 1)."""

import json

import pytest

from api.app import create_app
from domain.core.cards import NAMES
from events.settings import Settings
from tests.api.client import Client, code


class Nowhere:
    """A store that must not be used."""

    def ready(self):
        return False


@pytest.fixture
def stranger():
    return Client(create_app(Settings(dealt_rate_per_second=0), store=Nowhere()))


def rank(client, *hands, board="", **more):
    """Send hands, each with its cards, or with a name and cards."""
    sent = [
        {"cards": hand.split()} if isinstance(hand, str) else {"name": hand[0], "cards": hand[1].split()}
        for hand in hands
    ]
    return client.post("/v1/poker/rank", {"hands": sent, "board": board.split(), **more})


def test_hands_are_ranked_without_token_or_database(stranger):
    answered = rank(stranger, "AS KS 9S 4S 2S", "6C 6D 6H TS TD", "7C 7D 7H KD 2C")
    assert answered.status_code == 200
    assert answered.json == {
        "hands": [
            {
                "name": None, "place": 2, "category": "flush", "value": [5, 14, 13, 9, 4, 2],
                "best_five": ["AS", "KS", "9S", "4S", "2S"], "text": "flush, ace high",
            },
            {
                "name": None, "place": 1, "category": "full_house", "value": [6, 6, 10],
                "best_five": ["6C", "6D", "6H", "TD", "TS"], "text": "full house, sixes full of tens",
            },
            {
                "name": None, "place": 3, "category": "three_of_a_kind", "value": [3, 7, 13, 2],
                "best_five": ["7C", "7D", "7H", "KD", "2C"], "text": "three of a kind, sevens",
            },
        ],
        "winners": [1],
        "text": "hand 1 wins: full house, sixes full of tens, over flush, ace high",
    }  # fmt: skip


def test_single_hand_is_ranked(stranger):
    answered = rank(stranger, "5c 4♦ 10h 3h 2s as 9d").json
    assert answered["text"] == "straight, five high"
    assert answered["winners"] == [0]
    assert answered["hands"][0]["best_five"] == ["5C", "4D", "3H", "2S", "AS"]


def test_board_counts_for_every_hand(stranger):
    answered = rank(stranger, ("Ada", "6H TD"), ("Ben", "AH AC"), board="AS 6C 6D TS 2H").json
    assert [(hand["name"], hand["place"]) for hand in answered["hands"]] == [("Ada", 2), ("Ben", 1)]
    assert answered["text"] == "Ben wins: full house, aces full of sixes, over full house, sixes full of tens"


def test_board_can_be_the_best_hand(stranger):
    answered = rank(stranger, "2C 3D", "AH AD", "", board="AS KS QS JS TS").json
    assert answered["winners"] == [0, 1, 2]
    assert answered["text"] == "hand 0, hand 1 and hand 2 tie: royal flush"
    assert {hand["place"] for hand in answered["hands"]} == {1}


def test_kicker_can_decide(stranger):
    answered = rank(stranger, ("Ada", "AH AD QC 7S 2D"), ("Ben", "AC AS KD 7H 3C")).json
    assert answered["text"] == "Ben wins: one pair, aces; the kicker decides, king over queen"


def test_equal_hands_tie_ahead_of_the_others(stranger):
    answered = rank(stranger, "2H 3H", ("Ada", "AH JD"), ("Ben", "AC JS"), board="AS KD 9C 7H 4S").json
    assert answered["winners"] == [1, 2]
    assert [hand["place"] for hand in answered["hands"]] == [3, 1, 1]
    assert answered["text"] == "Ada and Ben tie: one pair, aces, over high card, ace"


def test_tied_hands_share_a_place_in_the_order_of_all_hands(stranger):
    answered = rank(
        stranger, "2C 3D 4H 5S 7C", "2D 3H 4S 5C 7D", "AC AD 5H 6H 7H", "2H 3S 4C 5D 8C", one_pack=True
    ).json
    assert [hand["place"] for hand in answered["hands"]] == [3, 3, 1, 2]


def test_thousand_hands_from_separate_packs_can_be_ranked(stranger):
    hands = [" ".join(NAMES[(start + 5 * i) % 52] for i in range(7)) for start in range(1_000)]
    answered = rank(stranger, *hands, one_pack=False).json
    assert len(answered["hands"]) == 1_000
    best = max(hand["value"] for hand in answered["hands"])
    assert answered["winners"] == [i for i, hand in enumerate(answered["hands"]) if hand["value"] == best]


# --- What is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "more", "where"),
    [
        (["AS KS QS JS TS", "AC KC QC JC AS"], {}, "hands.1.cards"),
        (["AS KS", "2C 3C"], {"board": "QS JS TS AS 4D"}, "hands.0.cards"),
        (["AS KS"], {"board": "QS JS TS AS 4D", "one_pack": False}, "hands.0.cards"),
        (["AS KS QS JS AS"], {}, "hands.0.cards"),
        (["2C 3C"], {"board": "QS JS TS QS 4D"}, "board"),
    ],
)
def test_repeated_card_is_refused_with_its_position(stranger, hands, more, where):
    answered = rank(stranger, *hands, **more)
    assert code(answered) == (422, "duplicate_card")
    assert list(answered.json["errors"]) == [where]


def test_hands_of_several_packs_may_have_the_same_card(stranger):
    answered = rank(stranger, "AS KS QS JS TS", "AS KS QS JS TS", one_pack=False)
    assert answered.json["text"] == "hand 0 and hand 1 tie: royal flush"
    assert answered.json["winners"] == [0, 1]


def test_error_message_names_the_cards(stranger):
    errors = rank(stranger, "AS KS QS JS TS", "AS KS QC JC TC").json["errors"]
    assert errors == {"hands.1.cards": ["AS and KS: already on the board or in another hand."]}


@pytest.mark.parametrize(
    ("hands", "more", "where"),
    [
        (["AS KS QS JS"], {}, "hands.0.cards"),
        (["2C 3C 4C 5C 6C", "7C 8C 9C TC JC QC KC AC"], {}, "hands.1.cards"),
        (["2C 3C 4C", "7C 8C"], {"board": "2D 3D 4D 5D 6D"}, "hands.0.cards"),
        (["AS KS QS JS 1S"], {}, "hands.0.cards.4"),
        (["AS KS QS JS ??"], {}, "hands.0.cards.4"),
        ([], {}, "hands"),
        (["AS KS QS JS TS"] * 1_001, {"one_pack": False}, "hands"),
        ([(" ", "AS KS QS JS TS")], {}, "hands.0.name"),
        (["AS KS QS JS TS"], {"one_pack": "no"}, "one_pack"),
        (["AS KS QS JS TS"], {"jokers": 1}, "jokers"),
    ],
)
def test_invalid_hands_are_rejected_field_by_field(stranger, hands, more, where):
    answered = rank(stranger, *hands, **more)
    assert code(answered) == (422, "bad_arguments")
    assert list(answered.json["errors"]) == [where]


def test_malformed_request_is_refused_before_card_faults(stranger):
    for sent, content_type, refused in (
        (b"{", "application/json", (400, "bad_request")),
        (b"[]", "application/json", (400, "bad_request")),
        (b"{}", "text/plain", (415, "unsupported_media_type")),
        (b" " * 70_000, "application/json", (413, "content_too_large")),
        (b"{}", "application/json", (422, "bad_arguments")),
    ):
        answered = stranger.send("POST", "/v1/poker/rank", data=sent, content_type=content_type)
        assert code(answered) == refused


def test_invented_tokens_count_against_the_address():
    app = create_app(Settings(dealt_rate_per_second=1, dealt_rate_burst=2), store=Nowhere())
    sent = json.dumps({"hands": [{"cards": ["AS", "KS", "QS", "JS", "TS"]}]})
    statuses = [
        Client(app, token).send("POST", "/v1/poker/rank", data=sent, content_type="application/json").status_code
        for token in map(str, range(8))
    ]
    assert statuses[:2] == [200, 200]
    assert 429 in statuses
