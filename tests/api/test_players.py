"""Players, their tokens, and being forgotten."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from uuid import UUID

import pytest

from api.http.idempotency import is_unguessable
from events.ids import hash_secret
from events.store import tables
from tests.api.client import Client, code
from tests.factories import NewPlayer

pytestmark = pytest.mark.both_databases

RANDOM = "9f86d081884c7d659a2feaa0c55ad015"
ANN = {"name": "Ann"}


def drawn_by(seed):
    """Draw a key that cannot be guessed, as a browser does."""
    return f"{Random(seed).getrandbits(128):032x}"


def test_a_player_is_made_and_known_by_the_token(app, stranger):
    made = stranger.post("/v1/players", NewPlayer(name="  Ada ")).json
    assert made["name"] == "Ada"
    assert Client(app, made["token"]).get("/v1/players/me").json == {
        "id": made["id"],
        "name": "Ada",
        "handle": made["handle"],
        "reliability": {
            "aborted_after_commitments": 0,
            "unopened_commitments": 0,
            "decisions_in_time": 0,
            "decisions_late": 0,
        },
        "listed": True,
    }


def test_only_the_hash_of_a_token_is_stored(store, stranger):
    made = stranger.post("/v1/players", NewPlayer()).json
    assert tables.player_rows.by_token(store, hash_secret(made["token"])).player_id == made["id"]


FLAG = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
"""The flag of England, of which all but the first character is unseen."""


JOINED = [
    "👩🏽\u200d🚀",
    "❤\ufe0f\u200d🔥",
    "🙂\u200d↔\ufe0f",
    "ශ\u0dca\u200dර\u0dd3",  # Sri, in Sinhala
    "♥\ufe0f",
    "1\ufe0f\u20e3",
    "葛\U000e0100城",  # a form of the first letter that people are named with
    "\u1828\u180b",
]
"""Names that would be drawn otherwise without what is unseen in them."""
LOOK_ALIKES = [
    *("A\u200dnn", "Ann\u200d", "\u200dAnn", "♥\u200dAnn", "An\u200d♥", "Ада\u200d", "阿\u200d达"),
    *("An\u2060n", "An\ufeffn", "An\u200en", "An\u2063n", "An\u061cn", "An\u180en", "Ann\U000e0041"),
    *("An\ufe0fn", "An\ufe00n", "An\u034fn", "An\U000e0100n", "An\u180bn", "1\ufe0f", "Ann\u17b4", "阿\ufe00"),
]
"""Names with an unseen character that nothing needs."""


@pytest.mark.parametrize("name", ["x", "x" * 40, "Ada Lovelace", "Ödön", "阿达", "♥ Queen", "👩‍👧", FLAG, *JOINED])
def test_names_people_can_see_are_welcome(stranger, name):
    assert stranger.post("/v1/players", {"name": name}).json["name"] == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 41,
        "a\nb",
        "a\x00",
        "a\u202eb",
        "\u200b",
        "\u200d",
        "An\u200cn",
        "An\u00adn",
        "\u3164",
        "a\u3164",
        "\ufe0f",
        7,
        None,
        True,
        ["x"],
        *LOOK_ALIKES,
    ],
)
def test_other_names_are_refused(stranger, name):
    refused = stranger.post("/v1/players", {"name": name})
    assert code(refused) == (422, "bad_arguments")
    assert list(refused.json["errors"]) == ["name"]


def test_a_refused_name_says_which_character_to_take_out(stranger):
    refused = stranger.post("/v1/players", {"name": "A\u200dnn"})
    assert refused.json["errors"]["name"] == ["Use only visible characters. Remove U+200D."]


def test_an_unknown_field_is_refused_never_ignored(stranger):
    refused = stranger.post("/v1/players", {"name": "Ada", "admin": True})
    assert (code(refused), list(refused.json["errors"])) == ((422, "bad_arguments"), ["admin"])


def test_a_player_whose_answer_was_lost_is_made_once(app, stranger):
    key = {"headers": {"Idempotency-Key": drawn_by(1)}}
    made = stranger.post("/v1/players", ANN, **key)
    again = stranger.post("/v1/players", ANN, **key)
    assert (made.status_code, "Idempotency-Replayed" in made.headers) == (201, False)
    assert (again.status_code, again.json, again.headers["Idempotency-Replayed"]) == (201, made.json, "true")
    assert Client(app, made.json["token"]).get("/v1/players/me").json["id"] == made.json["id"]
    assert code(stranger.post("/v1/players", {"name": "Another"}, **key)) == (422, "idempotency_mismatch")


def test_a_key_from_which_a_new_token_would_follow_must_not_be_guessed(stranger):
    for guess in ("a", "0" * 32, "0123456789abcdef" * 2):
        refused = stranger.post("/v1/players", ANN, headers={"Idempotency-Key": guess})
        assert code(refused) == (400, "bad_request")


def test_a_player_who_has_another_token_by_now_is_not_given_away_by_the_key(app, stranger):
    key = {"headers": {"Idempotency-Key": drawn_by(2)}}
    made = stranger.post("/v1/players", ANN, **key).json
    Client(app, made["token"]).post("/v1/players/me/token")
    assert code(stranger.post("/v1/players", ANN, **key)) == (401, "unauthenticated")


@pytest.mark.both_databases
def test_of_the_same_request_at_the_same_time_one_makes_the_player(app, stranger):
    key, clients = {"Idempotency-Key": drawn_by(3)}, [Client(app) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda one: one.post("/v1/players", ANN, headers=key), clients))
    assert {one.status_code for one in made} == {201}
    assert len({one.json["id"] for one in made}) == 1


def test_a_refused_player_may_be_asked_for_again_with_the_key(stranger, ada):
    key = {"headers": {"Idempotency-Key": drawn_by(4)}}
    assert code(stranger.post("/v1/players", ANN | {"handle": ada.handle}, **key)) == (409, "handle_taken")
    assert stranger.post("/v1/players", ANN, **key).status_code == 201


def test_a_new_token_takes_the_place_of_the_old(app, ada):
    new = ada.post("/v1/players/me/token").json["token"]
    assert code(ada.get("/v1/players/me")) == (401, "unauthenticated")
    assert Client(app, new).get("/v1/players/me").json["id"] == ada.id


def test_a_repeated_change_of_token_gives_the_new_token_again(app, ada):
    key = {"Idempotency-Key": "change"}
    new = ada.post("/v1/players/me/token", headers=key).json["token"]
    again = Client(app, new).post("/v1/players/me/token", headers=key)
    assert (again.json["token"], again.headers["Idempotency-Replayed"]) == (new, "true")


def test_a_change_of_token_whose_answer_was_lost_is_asked_for_again_with_the_old(app, ada):
    key = {"Idempotency-Key": RANDOM}
    new = ada.post("/v1/players/me/token", headers=key).json
    again = ada.post("/v1/players/me/token", headers=key)
    assert (again.status_code, again.json, again.headers["Idempotency-Replayed"]) == (201, new, "true")
    assert new["token"].startswith("dealt_")
    assert Client(app, new["token"]).get("/v1/players/me").json["id"] == ada.id
    assert code(ada.get("/v1/players/me")) == (401, "unauthenticated")
    for other in ({}, {"Idempotency-Key": "other"}):
        assert code(ada.post("/v1/players/me/token", headers=other)) == (401, "unauthenticated")
    misused = ada.post("/v1/players/me/token", {"x": 1}, headers=key)
    assert code(misused) == (422, "idempotency_mismatch")


@pytest.mark.parametrize(
    "guess",
    [
        "change", "1", "0" * 32, "00000000-0000-0000-0000-000000000001", "ab" * 40, RANDOM[1:], "-".join(RANDOM),
        "0123456789abcdef" * 2, "fedcba9876543210" * 2, "0123456789abcdeffedcba9876543210", RANDOM[:16] * 2,
        "02468ace13579bdf02468ace13579bdf", "01234567-89ab-4cde-8f01-23456789abcd",
        "c232ab00-9414-11ec-b3c8-9f6bdeced846",
    ],
)  # fmt: skip
def test_who_finds_the_old_token_does_not_get_the_new_by_guessing_the_key(guess, app, ada):
    key = {"Idempotency-Key": guess}
    new = ada.post("/v1/players/me/token", headers=key).json["token"]
    assert code(ada.post("/v1/players/me/token", headers=key)) == (401, "unauthenticated")
    assert Client(app, new).post("/v1/players/me/token", headers=key).json["token"] == new


def test_what_is_drawn_at_random_is_a_key_that_nobody_guesses():
    draw = Random(1)
    for _ in range(1_000):
        drawn = UUID(int=draw.getrandbits(128), version=4)
        assert all(is_unguessable(key) for key in (str(drawn), drawn.hex, f"{draw.getrandbits(1_016):0254x}"))


def test_a_random_uuid_is_a_key_that_nobody_guesses(ada):
    key = {"Idempotency-Key": "5F0C9A4E-6f52-4a53-9c8e-2f4f2ad0a1b7"}
    new = ada.post("/v1/players/me/token", headers=key).json
    assert ada.post("/v1/players/me/token", headers=key).json == new


def test_a_token_that_has_been_replaced_again_is_refused(app, ada):
    key = {"Idempotency-Key": RANDOM}
    new = Client(app, ada.post("/v1/players/me/token", headers=key).json["token"])
    assert new.post("/v1/players/me/token", headers={"Idempotency-Key": "next"}).status_code == 201
    assert code(ada.post("/v1/players/me/token", headers=key)) == (401, "unauthenticated")


def test_the_same_change_of_token_many_times_at_once_is_one(app, ada):
    key, clients = {"Idempotency-Key": RANDOM}, [Client(app, ada.token) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda client: client.post("/v1/players/me/token", headers=key), clients))
    assert {(response.status_code, response.json["token"]) for response in made} == {(201, made[0].json["token"])}


@pytest.mark.parametrize("header", ["Bearer nobody", "Bearer ", "Basic YTpi", "x", ""])
def test_a_token_that_is_nobodys_is_refused_even_where_none_is_needed(ada, stranger, header):
    table = ada.creates()
    refused = stranger.get(table.path, headers={"Authorization": header})
    assert code(refused) == (401, "unauthenticated")
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_forgotten_player_leaves_an_id_without_a_name(ada, ben):
    table = ada.creates()
    assert ada.delete("/v1/players/me").status_code == 204
    assert code(ada.get("/v1/players/me")) == (401, "unauthenticated")
    assert ben.sees(table)["seats"][0]["player"] == {"id": ada.id, "name": None, "handle": None}
