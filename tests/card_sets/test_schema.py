"""Tests that the schema of card files admits exactly the readable files."""

import json
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from domain.card_sets.cards import library
from domain.card_sets.cards.card_schema import file_schema
from domain.card_sets.cards.library import SETS
from domain.card_sets.cards.read import BadCards, read_card, read_set
from tests.card_sets.test_reading import BEAR, SET
from tests.card_sets.to_come import FILE
from tests.draws import first_of

SCHEMA = Draft202012Validator(file_schema())
ABILITIES = Draft202012Validator(
    {"type": "array", "items": {"$ref": "#/$defs/ability"}, "$defs": file_schema()["$defs"]}
)


def rows(code):
    return json.loads((files(library.__package__) / "sets" / f"{code}.json").read_text())


def test_card_schema_is_a_valid_json_schema():
    Draft202012Validator.check_schema(file_schema())


@pytest.mark.parametrize("code", SETS)
def test_printed_sets_match_the_schema(code):
    assert [error.message for error in SCHEMA.iter_errors(rows(code))] == []


def broken(x):
    """Yield every value with one difference: another type, another word, a key more or less."""
    yield from (other for other in (None, {}, [], "nonsense", True, -7, 1.5) if other != x)
    if isinstance(x, dict):
        yield {**x, "nonsense": 1}
        for name, inner in x.items():
            yield {other: y for other, y in x.items() if other != name}
            yield from ({**x, name: other} for other in broken(inner))
    elif isinstance(x, list):
        for i, inner in enumerate(x):
            yield from ([*x[:i], other, *x[i + 1 :]] for other in broken(inner))


def can_be_read(read, x):
    """Return whether the value can be read, apart from numbers that must agree with each other."""
    try:
        read(x)
    except BadCards as bad:
        return "the number of cards" in bad.fault
    return True


# Together these cards have every effect, ability, condition and amount of the printed sets and of those to come.
SEEN = ["fw1-024", "fw1-029", "fw1-037", "fw1-038", "fw1-043", "fw1-056", "fw1-060", "fw1-065", "fw1-077", "bt1-001",
        "bt1-002", "bt1-008", "bt1-023", "bt1-026", "bt1-027", "bt1-028", "bt1-034", "bt1-035", "tc1-004", "tc1-005",
        "tc1-006", "tc1-007", "tc1-010", "tc1-012"]  # fmt: skip


@pytest.mark.parametrize("card", first_of(SEEN))
def test_file_with_one_fault_is_read_only_if_the_schema_accepts_it(card):
    every = [*FILE["cards"], *(row for code in SETS for row in rows(code)["cards"])]
    row = next(row for row in every if row["id"] == card)
    refused = 0
    for other in broken(row.get("abilities", [])):
        could = can_be_read(lambda other: read_card(BEAR | {"abilities": other}, "card"), other)
        assert could is ABILITIES.is_valid(other), other
        refused += not could
    assert refused > 20


def test_schema_matches_the_rest_of_the_file_too():
    for file in broken(SET | {"tokens": rows("bt1")["tokens"][:1]}):
        assert can_be_read(read_set, file) is SCHEMA.is_valid(file), file
