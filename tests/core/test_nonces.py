"""Tests that guessable nonces are distinguished from random ones."""

from random import Random

import pytest

from domain.core.fairness import is_guessable

GUESSABLE = [
    "0" * 16,
    "f" * 64,
    "ab" * 16,
    "00ff" * 8,
    "0000000000000001",
    "deadbeefdeadbeef",
    "0123456789abcdef",
    "fedcba9876543210",
    "00112233445566778899aabb",
    "000102030405060708090a0b0c0d0e0f",
    "f0efeeedecebeae9e8e7",
    "f8f9fafbfcfdfeff00010203",
    "eeff00112233445566778899",
    "00010002000300040005",
    "00112233445566778899aabbccddeeff",
    "0123456789abcdef0123456789abcdef",
    "fedcba98765432100"[:16] * 2,
]


@pytest.mark.parametrize("nonce", GUESSABLE)
def test_constant_repeating_and_counting_nonces_are_guessable(nonce):
    assert is_guessable(nonce)


def test_random_nonces_of_every_length_are_not_guessable():
    random = Random(7)
    drawn = ["".join(random.choices("0123456789abcdef", k=n)) for n in range(16, 65) for _ in range(40)]
    assert [nonce for nonce in drawn if is_guessable(nonce)] == []
