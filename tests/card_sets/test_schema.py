"""The schema of files of cards admits what can be read, and nothing else."""

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


def test_the_schema_is_one():
    Draft202012Validator.check_schema(file_schema())


@pytest.mark.parametrize("code", SETS)
def test_the_printed_sets_are_as_the_schema_says(code):
    assert [error.message for error in SCHEMA.iter_errors(rows(code))] == []


def broken(x):
    """Give every value that has something else in one place: another type, another word, a key more or less."""
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
    """Say whether it can be read, numbers that must agree with one another apart."""
    try:
        read(x)
    except BadCards as bad:
        return "as many as there are" in bad.fault
    return True


# Cards that together have every effect, ability, condition and amount of the printed sets, and of those to come.
SEEN = ["fw1-024", "fw1-029", "fw1-037", "fw1-038", "fw1-043", "fw1-056", "fw1-060", "fw1-065", "fw1-077", "bt1-001",
        "bt1-002", "bt1-008", "bt1-023", "bt1-026", "bt1-027", "bt1-028", "bt1-034", "bt1-035", "tc1-004", "tc1-005",
        "tc1-006", "tc1-007", "tc1-010", "tc1-012"]  # fmt: skip


@pytest.mark.parametrize("card", first_of(SEEN))
def test_file_broken_in_one_place_is_read_only_if_the_schema_accepts_it(card):
    every = [*FILE["cards"], *(row for code in SETS for row in rows(code)["cards"])]
    row = next(row for row in every if row["id"] == card)
    refused = 0
    for other in broken(row.get("abilities", [])):
        could = can_be_read(lambda other: read_card(BEAR | {"abilities": other}, "card"), other)
        assert could is ABILITIES.is_valid(other), other
        refused += not could
    assert refused > 20


def test_of_the_rest_of_the_file_the_same_is_true():
    for file in broken(SET | {"tokens": rows("bt1")["tokens"][:1]}):
        assert can_be_read(read_set, file) is SCHEMA.is_valid(file), file
