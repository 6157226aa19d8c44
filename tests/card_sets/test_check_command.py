"""`dealt cards check` tells who writes a set what is wrong with its file, and where."""

import json
from importlib.resources import files

import pytest
from click.testing import CliRunner

from api.cli.cards_command import cards
from domain.card_sets.cards import library
from tests.card_sets.test_pages import example


@pytest.fixture
def checked(tmp_path):
    """Check a text as a file of cards; gives the exit code and the output."""

    def check(written, *options):
        path = tmp_path / "ex1.json"
        path.write_text(written)
        done = CliRunner().invoke(cards, ["check", str(path), *options])
        return done.exit_code, done.output

    return check


def changed(change):
    """The example of the how-to, with a change."""
    file = json.loads(example("json"))
    change(file)
    return json.dumps(file)


def test_the_example_of_the_how_to_is_a_set(checked):
    assert checked(example("json")) == (0, "2 cards: nothing is refused.\n")


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (
            lambda file: file["cards"][0].update(power="two"),
            ["refused  cards.0.power: This must be a whole number."],
        ),
        (
            lambda file: file["cards"][0].update(text="When this creature enters: draw a card."),
            [
                (
                    "refused  cards.0.text: The abilities say: When this creature enters:"
                    " you create a 1/1 Ember token with haste."
                )
            ],
        ),
        (
            lambda file: file["booster"].update(size=3, slots=[{"rarity": "common", "count": 3}]),
            ["refused  booster.slots.0.count: There are 2 cards for this slot, all of which differ in a booster."],
        ),
        (
            lambda file: file["cards"][0]["abilities"][0]["triggered"].update(
                {"if": {"life_at_most": {"who": "you", "n": 0}}}
            ),
            [
                (
                    "refused  cards.0.abilities.0.triggered.if.life_at_most.n:"
                    " This never holds: a player with less than 1 life has lost."
                )
            ],
        ),
        (
            lambda file: file["set"].update(code="fw1"),
            ["refused  set.code: There is a set fw1 already."],
        ),
    ],
)
def test_fault_is_reported_with_its_place(checked, change, lines):
    code, output = checked(changed(change))
    assert code == 1
    assert output.splitlines()[: len(lines)] == lines
    assert output.splitlines()[-1].startswith("2 cards: ")


def test_existing_set_is_reported_once(checked):
    """Who changes a set that is built in is not told of every card that it is there."""
    written = (files(library.__package__) / "sets" / "fw1.json").read_text("utf-8")
    code, output = checked(written)
    assert (code, output.splitlines()) == (
        1,
        ["refused  set.code: There is a set fw1 already.", "80 cards: 1 place refused."],
    )


def test_a_warning_refuses_nothing(checked):
    code, output = checked(changed(lambda file: file["cards"][1].update(rarity="rare")))
    assert (code, output.splitlines()) == (
        0,
        ["warning  cards.1: No booster holds this card.", "2 cards: nothing is refused, and 1 warning."],
    )


def test_programs_get_it_as_json(checked):
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
        ('{"format": }', "is no JSON: Expecting value, line 1, column 12."),
        ("[" * 100_000, "is nested too deeply."),
        ("[]", "refused  the file: This must be an object."),
    ],
)
def test_file_without_a_set_gets_a_sentence(checked, written, sentence):
    code, output = checked(written)
    assert code == 1
    assert sentence in output


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    done = CliRunner().invoke(cards, ["check", str(tmp_path / "none.json")])
    assert (done.exit_code, "cannot be read: No such file or directory." in done.output) == (1, True)


def test_a_file_cannot_speak_to_the_terminal(checked):
    code, output = checked(changed(lambda file: file["cards"][0].update({"\x1b[2J": 1})))
    assert code == 1
    assert "\x1b" not in output
