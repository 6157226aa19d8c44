"""Tests players, their tokens and their erasure."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from uuid import UUID

import pytest

from api.http.idempotency import is_unguessable
from events.ids import hash_secret
from events.store.tables import player_rows
from tests.api.client import Client, code
from tests.factories import NewPlayer

pytestmark = pytest.mark.both_databases

RANDOM = "9f86d081884c7d659a2feaa0c55ad015"
ANN = {"name": "Ann"}


def drawn_by(seed):
    """Draw an unguessable key, as a browser does."""
    return f"{Random(seed).getrandbits(128):032x}"


def test_registered_player_is_identified_by_the_token(app, stranger):
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
    assert player_rows.by_token(store, hash_secret(made["token"])).player_id == made["id"]


FLAG = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
"""The flag of England, of which all characters except the first are invisible."""


JOINED = [
    "👩🏽\u200d🚀",
    "❤\ufe0f\u200d🔥",
    "🙂\u200d↔\ufe0f",
    "ශ\u0dca\u200dර\u0dd3",  # Sri, in Sinhala
    "علی\u200cرضا",  # Alireza, in Persian
    "न्\u200cया",
    "♥\ufe0f",
    "1\ufe0f\u20e3",
    "葛\U000e0100城",  # a form of the first letter that people are named with
    "\u1828\u180b",
]
"""Names that would look different without their invisible characters."""
LOOK_ALIKES = [
    *("A\u200dnn", "Ann\u200d", "\u200dAnn", "♥\u200dAnn", "An\u200d♥", "Ада\u200d", "阿\u200d达"),
    *("ا\u200cب", "ب\u200cء", "ب\u200c", "ب\u200cn", "\u200cب", "阿\u200c达"),
    *("An\u2060n", "An\ufeffn", "An\u200en", "An\u2063n", "An\u061cn", "An\u180en", "Ann\U000e0041"),
    *("A\u094d\u200dB", "é\u094d\u200cB", "न\u0dca\u200dය"),
    FLAG.replace("\U000e0067\U000e007f", "\U000e0078\U000e007f"),
    *("An\ufe0fn", "An\ufe00n", "An\u034fn", "An\U000e0100n", "An\u180bn", "1\ufe0f", "Ann\u17b4", "阿\ufe00"),
    *("An\U0001d159n", "Ann\U00016fe4"),  # a note without a head, and a filler of Khitan writing
]
"""Names with an unnecessary invisible character."""


@pytest.mark.parametrize("name", ["x", "x" * 40, "Ada Lovelace", "Ödön", "阿达", "♥ Queen", "👩‍👧", FLAG, *JOINED])
def test_visible_names_are_accepted(stranger, name):
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
def test_invisible_and_confusing_names_are_refused(stranger, name):
    refused = stranger.post("/v1/players", {"name": name})
    assert code(refused) == (422, "bad_arguments")
    assert list(refused.json["errors"]) == ["name"]


def test_refused_name_lists_the_invalid_character(stranger):
    refused = stranger.post("/v1/players", {"name": "A\u200dnn"})
    assert refused.json["errors"]["name"] == ["Use only visible characters. Remove U+200D."]


def test_unknown_field_is_refused_and_not_ignored(stranger):
    refused = stranger.post("/v1/players", {"name": "Ada", "admin": True})
    assert (code(refused), list(refused.json["errors"])) == ((422, "bad_arguments"), ["admin"])


def test_repeated_registration_returns_the_same_player(app, stranger):
    key = {"headers": {"Idempotency-Key": drawn_by(1)}}
    made = stranger.post("/v1/players", ANN, **key)
    again = stranger.post("/v1/players", ANN, **key)
    assert (made.status_code, "Idempotency-Replayed" in made.headers) == (201, False)
    assert (again.status_code, again.json, again.headers["Idempotency-Replayed"]) == (201, made.json, "true")
    assert Client(app, made.json["token"]).get("/v1/players/me").json["id"] == made.json["id"]
    assert code(stranger.post("/v1/players", {"name": "Another"}, **key)) == (422, "idempotency_mismatch")


def test_guessable_idempotency_key_is_refused_at_registration(stranger):
    for guess in ("a", "0" * 32, "0123456789abcdef" * 2):
        refused = stranger.post("/v1/players", ANN, headers={"Idempotency-Key": guess})
        assert code(refused) == (400, "bad_request")


def test_idempotency_key_does_not_reveal_a_rotated_token(app, stranger):
    key = {"headers": {"Idempotency-Key": drawn_by(2)}}
    made = stranger.post("/v1/players", ANN, **key).json
    Client(app, made["token"]).post("/v1/players/me/token")
    assert code(stranger.post("/v1/players", ANN, **key)) == (401, "unauthenticated")


@pytest.mark.both_databases
def test_concurrent_registrations_with_one_key_create_one_player(app, stranger):
    key, clients = {"Idempotency-Key": drawn_by(3)}, [Client(app) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda one: one.post("/v1/players", ANN, headers=key), clients))
    assert {one.status_code for one in made} == {201}
    assert len({one.json["id"] for one in made}) == 1


def test_refused_registration_can_be_retried_with_its_key(stranger, ada):
    key = {"headers": {"Idempotency-Key": drawn_by(4)}}
    assert code(stranger.post("/v1/players", ANN | {"handle": ada.handle}, **key)) == (409, "handle_taken")
    assert stranger.post("/v1/players", ANN, **key).status_code == 201


def test_new_token_replaces_the_old_one(app, ada):
    new = ada.post("/v1/players/me/token").json["token"]
    assert code(ada.get("/v1/players/me")) == (401, "unauthenticated")
    assert Client(app, new).get("/v1/players/me").json["id"] == ada.id


def test_repeated_token_rotation_returns_the_new_token(app, ada):
    key = {"Idempotency-Key": "change"}
    new = ada.post("/v1/players/me/token", headers=key).json["token"]
    again = Client(app, new).post("/v1/players/me/token", headers=key)
    assert (again.json["token"], again.headers["Idempotency-Replayed"]) == (new, "true")


def test_lost_token_rotation_can_be_repeated_with_the_old_token(app, ada):
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
def test_old_token_with_a_guessable_key_does_not_reveal_the_new_token(guess, app, ada):
    key = {"Idempotency-Key": guess}
    new = ada.post("/v1/players/me/token", headers=key).json["token"]
    assert code(ada.post("/v1/players/me/token", headers=key)) == (401, "unauthenticated")
    assert Client(app, new).post("/v1/players/me/token", headers=key).json["token"] == new


def test_random_keys_count_as_unguessable():
    draw = Random(1)
    for _ in range(1_000):
        drawn = UUID(int=draw.getrandbits(128), version=4)
        assert all(is_unguessable(key) for key in (str(drawn), drawn.hex, f"{draw.getrandbits(1_016):0254x}"))


def test_retry_with_a_random_uuid_returns_the_same_new_token(ada):
    key = {"Idempotency-Key": "5F0C9A4E-6f52-4a53-9c8e-2f4f2ad0a1b7"}
    new = ada.post("/v1/players/me/token", headers=key).json
    assert ada.post("/v1/players/me/token", headers=key).json == new


def test_token_replaced_a_second_time_is_refused(app, ada):
    key = {"Idempotency-Key": RANDOM}
    new = Client(app, ada.post("/v1/players/me/token", headers=key).json["token"])
    assert new.post("/v1/players/me/token", headers={"Idempotency-Key": "next"}).status_code == 201
    assert code(ada.post("/v1/players/me/token", headers=key)) == (401, "unauthenticated")


def test_concurrent_token_rotations_with_one_key_create_one_token(app, ada):
    key, clients = {"Idempotency-Key": RANDOM}, [Client(app, ada.token) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda client: client.post("/v1/players/me/token", headers=key), clients))
    assert {(response.status_code, response.json["token"]) for response in made} == {(201, made[0].json["token"])}


MALFORMED = ('error="invalid_request"', "malformed")


@pytest.mark.parametrize(
    ("header", "error", "reason"),
    [
        ("Bearer nobody", 'error="invalid_token"', "malformed"),
        (f"Bearer dealt_{'x' * 43}", 'error="invalid_token"', "revoked or replaced"),
        ("Bearer ", *MALFORMED),
        ("Basic YTpi", *MALFORMED),
        ("x", *MALFORMED),
        ("", *MALFORMED),
    ],
)
def test_invalid_token_is_refused_with_its_fault_even_on_public_routes(ada, stranger, header, error, reason):
    table = ada.creates()
    refused = stranger.get(table.path, headers={"Authorization": header})
    assert code(refused) == (401, "unauthenticated")
    assert reason in refused.json["detail"]
    assert refused.headers["WWW-Authenticate"] == f'Bearer realm="dealt", {error}'


def test_missing_token_is_not_reported_as_invalid(stranger):
    refused = stranger.get("/v1/inbox")
    assert code(refused) == (401, "unauthenticated")
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="dealt"'


def test_erased_player_keeps_an_id_but_no_name(ada, ben):
    table = ada.creates()
    assert ada.delete("/v1/players/me").status_code == 204
    assert code(ada.get("/v1/players/me")) == (401, "unauthenticated")
    assert ben.sees(table)["seats"][0]["player"] == {"id": ada.id, "name": None, "handle": None}
