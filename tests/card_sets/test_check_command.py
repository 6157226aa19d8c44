"""Tests that `dealt cards check` shows authors the faults in their files."""

import json
from importlib.resources import files

import pytest
from click.testing import CliRunner

from api.cli.cards_command import cards
from domain.card_sets.cards import library
from tests.card_sets.test_pages import example_set


@pytest.fixture
def checked(tmp_path):
    """Check a text as a card file; return the exit code and the output."""

    def check(written, *options):
        path = tmp_path / "ex1.json"
        path.write_text(written)
        done = CliRunner().invoke(cards, ["check", str(path), *options])
        return done.exit_code, done.output

    return check


def changed(change):
    """Return the example of the guide with a change."""
    file = json.loads(example_set())
    change(file)
    return json.dumps(file)


def test_example_set_of_the_guide_passes_the_check(checked):
    assert checked(example_set()) == (0, "2 cards: no faults.\n")


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (
            lambda file: file["cards"][0].update(power="two"),
            ["fault  cards.0.power: This must be a whole number."],
        ),
        (
            lambda file: file["cards"][0].update(text="When this creature enters: draw a card."),
            [
                (
                    "fault  cards.0.text: The abilities say: When this creature enters:"
                    " you create a 1/1 Ember token with haste."
                )
            ],
        ),
        (
            lambda file: file["booster"].update(size=3, slots=[{"rarity": "common", "count": 3}]),
            ["fault  booster.slots.0.count: This must be from 1 to 2, the number of cards for this slot."],
        ),
        (
            lambda file: file["cards"][0]["abilities"][0]["triggered"].update(
                {"if": {"life_at_most": {"who": "you", "n": 0}}}
            ),
            [
                (
                    "fault  cards.0.abilities.0.triggered.if.life_at_most.n:"
                    " This is never true: a player with less than 1 life has lost."
                )
            ],
        ),
        (
            lambda file: file["set"].update(code="fw1"),
            ["fault  set.code: A set fw1 already exists."],
        ),
    ],
)
def test_fault_is_reported_with_its_place(checked, change, lines):
    code, output = checked(changed(change))
    assert code == 1
    assert output.splitlines()[: len(lines)] == lines
    assert output.splitlines()[-1].startswith("2 cards: ")


def test_fault_of_an_existing_set_is_reported_once(checked):
    """A changed copy of a built-in set is reported once, not once per card."""
    written = (files(library.__package__) / "sets" / "fw1.json").read_text("utf-8")
    code, output = checked(written)
    assert (code, output.splitlines()) == (
        1,
        ["fault  set.code: A set fw1 already exists.", "80 cards: 1 fault."],
    )


def test_warning_does_not_fail_the_check(checked):
    code, output = checked(changed(lambda file: file["cards"][1].update(rarity="rare")))
    assert (code, output.splitlines()) == (
        0,
        ["warning  cards.1: No booster holds this card.", "2 cards: no faults, and 1 warning."],
    )


def test_check_command_prints_json(checked):
    code, output = checked(changed(lambda file: file["cards"][0].update(power="two")), "--json")
    assert code == 1
    assert json.loads(output) == {
        "ok": False,
        "faults": [{"path": "cards.0.power", "sentence": "This must be a whole number."}],
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ('{"format": }', "is not JSON: Expecting value, line 1, column 12."),
        ("[" * 100_000, "is nested too deeply."),
        ("[]", "fault  the file: This must be an object."),
    ],
)
def test_file_without_a_set_is_reported_in_a_sentence(checked, written, sentence):
    code, output = checked(written)
    assert code == 1
    assert sentence in output


def test_missing_file_is_reported_in_a_sentence(tmp_path):
    done = CliRunner().invoke(cards, ["check", str(tmp_path / "none.json")])
    assert (done.exit_code, "cannot be read: No such file or directory." in done.output) == (1, True)


def test_file_cannot_send_control_characters_to_the_terminal(checked):
    code, output = checked(changed(lambda file: file["cards"][0].update({"\x1b[2J": 1})))
    assert code == 1
    assert "\x1b" not in output
