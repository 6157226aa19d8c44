"""Tests that the specifications detect changes of cards.

`python -m tests.games.fivewells.mutate_cards` tries every change of every card; some are tried here.
"""

from random import Random

import pytest

from tests.draws import draws
from tests.games.fivewells.mutants import ROWS, mutants
from tests.games.fivewells.mutate_cards import dies, is_alike
from tests.games.fivewells.specified import CARD_SPECS


@pytest.mark.parametrize("seed", range(draws(1)))
def test_a_changed_card_fails_its_specifications(seed):
    rng = Random(seed)
    for name in rng.sample(list(CARD_SPECS), 40):
        what, card = rng.choice([(what, card) for what, card in mutants(ROWS[name]) if not is_alike(name, what)])
        assert dies(card), f"{name}: {what}"


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("Kindle Dart", ["cost F -> 1F", "what creature_or_player -> player", "max 1 -> 2", "amount 2 -> 3"]),
        ("Barrow King", ["power 5 -> 4", "keywords left out", "who you -> opponent", "of.other True -> False"]),
        ("Stairguard Captain", ["attacking left out", "keywords with venom", "event attacks -> blocks"]),
        ("Meltwater Ford", ["abilities.0 left out", "add any -> S"]),
    ],
)
def test_mutants_cover_every_part_of_a_card(name, changes):
    made = [what for what, _ in mutants(ROWS[name])]
    for change in changes:
        assert any(what.endswith(change) for what in made), made
