"""Nonces that anybody can guess are told from random ones."""

from random import Random

import pytest

from domain.core.fairness import is_guessable


@pytest.mark.parametrize(
    "nonce",
    [
        "0" * 16,
        "f" * 64,
        "ab" * 16,
        "00ff" * 8,
        "0000000000000001",
        "deadbeefdeadbeef",
        "0123456789abcdef",
        "fedcba9876543210",
        "00112233445566778899aabb",
        "00112233445566778899aabbccddeeff",
        "0123456789abcdef0123456789abcdef",
        "fedcba98765432100"[:16] * 2,
    ],
)
def test_a_nonce_is_guessable_if_it_is_constant_repeats_itself_or_counts(nonce):
    assert is_guessable(nonce)


def test_random_nonces_of_every_length_are_not_guessable():
    random = Random(7)
    drawn = ["".join(random.choices("0123456789abcdef", k=n)) for n in range(16, 65) for _ in range(40)]
    assert [nonce for nonce in drawn if is_guessable(nonce)] == []
