"""Tests that `evolve` only assigns.

Events record all decisions, so a corrected rule never changes the meaning of a log.
"""

import sys
from itertools import product
from pathlib import Path

import pytest

from domain import deal_group
from domain.collection import collection_state
from domain.core.game_guard import guard_game
from domain.games.catalogue import GAMES
from domain.match.evolve import steps_of
from domain.tournament import tournament_events
from tests.laws.assigns import decisions
from tests.laws.code_parts import loaded


def report(faults: list[str]) -> str:
    """Begin with the number of decisions found, then list the places."""
    return "\n".join([f"evolve decides in {len(faults)} places; let an event say it", *faults])


@pytest.mark.parametrize("name", GAMES)
def test_evolve_of_a_game_only_assigns(name: str) -> None:
    faults = decisions(GAMES[name].evolve)
    assert not faults, report(faults)


def test_evolve_of_an_installed_game_is_checked_inside_its_guard() -> None:
    game = next(iter(GAMES.values()))
    assert decisions(guard_game(game).evolve) == decisions(game.evolve)


def test_evolve_of_a_duplicate_group_only_assigns() -> None:
    faults = decisions(deal_group.evolve)
    assert not faults, report(faults)


def test_evolve_of_a_collection_only_assigns() -> None:
    faults = decisions(collection_state.evolve)
    assert not faults, report(faults)


def test_evolve_of_a_tournament_only_assigns() -> None:
    faults = sorted({fault for part in tournament_events.PARTS for fault in decisions(part.evolve)})
    assert not faults, report(faults)


def test_evolve_of_a_match_only_assigns() -> None:
    kinds = product(GAMES.values(), (False, True), (False, True))
    tables = [steps_of(*kind) for kind in kinds]
    steps = {step for table in tables for row in table.values() for step in row}
    faults = sorted({fault for step in steps for fault in decisions(step)})
    assert not faults, report(faults)


MODULE = """
from dataclasses import dataclass, field, replace

from domain.core import cards, choices
from domain.core.cards import RANK_OF, add_cards, backs, keep_cards, next_seat
from domain.core.values import or_back, put_at

NEXT = {"draw": "discard"}

def taken(s, seat):
    return max(s.cards)

def placed(s, seat):
    return put_at(s.row, seat, 0)

def evolve(s, event):
    match event:
        case Drawn(kind="ante"):
            s.row = placed(s, event.seat)
            s.cards = or_back(event.cards, backs(s.rules.size))
            s.turn = next_seat(event.seat, s.rules.seats)
            s.rest = or_back(event.rest, backs(s.rules.size - sum(event.counts)))
        case _:
            assert event.seat >= 0
            s.ranks = tuple(RANK_OF[c] for c in event.cards)
            CHANGED

class Drawn:
    AFTER = {"draw": "discard"}

@dataclass
class Pile:
    cards: tuple[int, ...]

    def __post_init__(self):
        self.top = max(self.cards)

@dataclass
class Fan:
    cards: tuple[int, ...] = field(default_factory=lambda: max((1,), (2,)))

class Heap:
    def __init__(self, cards):
        self.cards = min(cards)

@dataclass
class Row:
    cards: tuple[int, ...]

    @classmethod
    def made(cls, cards):
        return Row(max(cards))

    @staticmethod
    def start(cards):
        return min(cards)

class State:
    @property
    def first(self):
        return max(self.row)
"""

DECIDES = {
    "s.turn = 0": "",
    "s.seats += (event.seat,)": "",
    "if s.phase: s.turn = 0": "an `if`",
    "s.turn = 0 if event.seat else 1": "a conditional expression",
    "s.turn = event.seat or 1": "an `and` or `or`",
    "s.over = event.seat == 1": "a comparison",
    "s.over = not event.seat": "a `not`",
    "while s.row: s.row = ()": "a `while`",
    "s.row = tuple(x for x in s.row if x)": "a condition in a comprehension",
    "s.phase = NEXT[event.kind]": "",
    "s.phase = NEXT[s.phase]": "a choice from the table `NEXT`",
    "s.phase = NEXT.get(s.phase)": "a call of the method `get`",
    "s.turn = max(s.row)": "a call of `max`",
    "s.turn = next_seat(s.turn, 2)": "",
    "s.turn = next_seat(s.row.index(event.seat), s.rules.seats)": "",
    "s.turn = next_seat(next_seat(event.seat, 4), 4)": "a seat farther on than the one to the left",
    "s.turn = next_seat(event.seat + 1, 4)": "a seat farther on than the one to the left",
    "s.turn = next_seat(event.seat, event.count)": "a seat farther on than the one to the left",
    "s.turn = taken(s, event.seat)": "a call of `max`",
    "s.row = keep_cards(s.row, s.cards)": "a call of `keep_cards`, which does not only place values",
    "s.row = tuple(map(taken, s.row))": "a call of `max`",
    "s.row = tuple(filter(None, s.row))": "a call of `filter`",
    "s.phase = s.rules.first": "it reads the rule `first`",
    "s.turn = (lambda x: x)(1)": "a function made on the spot",
    "s.turn = s.first": "a call of `max`",
    "s.turn = (0, 1)[s.drawn]": "a choice from what is written there",
    "s.phase = {'draw': 'discard'}[s.phase]": "a choice from what is written there",
    "s.phase = Drawn.AFTER[s.phase]": "a choice from a table of `Drawn`",
    "s.phase = cards.RANK_OF[s.phase]": "a choice from a table of `cards`",
    "s.phase = choices.Shuffle.__annotations__[s.phase]": "a choice from a table of `Shuffle`",
    "s.row = tuple(map(cards.keep_cards, s.row))": ("a call of `keep_cards`, which does not only place values"),
    "s.pile = Pile(event.cards)": "a call of `max`",
    "s.pile = replace(s.pile, cards=event.cards)": "a call of `max`",
    "s.fan = Fan()": "a call of `max`",
    "s.heap = Heap(event.cards)": "a call of `min`",
    "s.row = Row(event.cards)": "",
    "s.row = Row.made(event.cards)": "a call of `max`",
    "s.row = Row.start(event.cards)": "a call of `min`",
    "s.turn = sorted(s.row)[0]": "a call of `sorted`",
    "s.turn = add_cards(s.row, ())[0]": "a choice from what a call gives",
    "row = add_cards(s.row, ()); s.turn = row[0]": "a choice from what a call gives",
    "s.turn, *rest = add_cards(s.row, ())": "a choice from what a call gives",
    "s.score = sum(s.row)": "a call of `sum`",
    "s.turn = (s.turn + 1) % 4": "arithmetic",
    "s.turn %= 4": "arithmetic",
    "s.turn = 1 - s.turn": "arithmetic",
    "s.score = s.score * 2": "arithmetic",
    "s.score = s.score // 2": "arithmetic",
    "s.out = (event.seat,) * s.over": "arithmetic",
    "s.out = {*s.row} - {0}": "arithmetic",
    "s.over = bool(s.row)": "a comparison",
    "s.over = tuple(map(bool, s.row))": "a comparison",
    "s.row = (0,) * s.rules.seats": "",
    "s.chips = s.chips - event.amount": "",
    "s.turn = getattr(s, event.kind)": "a field chosen by its name",
    "s.turn = getattr(event, f'{event.kind}_seat')": "a field chosen by its name",
    "s.row = or_back(event.row, s.row if s.over else ())": "a conditional expression",
    "s.row = or_back(event.row, keep_cards(s.row, s.cards))": (
        "a call of `keep_cards`, which does not only place values"
    ),
    "t = {0: 'over', 1: 'play'}; s.phase = t[s.left]": "a choice from what is written there",
    "t = ('over', 'play'); s.phase = t[s.left]": "a choice from what is written there",
    "t, _ = ('over', 'play'), 0; s.phase = t[s.left]": "a choice from what is written there",
    "t = {n: 'over' for n in (0,)}; s.phase = t[s.left]": "a choice from what is written there",
    "s.phase = {n: 'over' for n in (0,)}[s.left]": "a choice from what is written there",
    "t = ('over', 'play'); s.phase = t[event.left]": "",
    "t = {}; t[0] = 'over'; t[1] = 'play'; left = s.left; s.phase = t[left]": "a choice from what is written there",
    "for _ in s.hand: break\n            else: s.phase = 'over'": "a `break`",
    "for _ in s.hand: s.phase = 'play'": "a loop that asks whether there is anything",
    "hand = s.hand\n            for _ in hand: s.phase = 'play'": "a loop that asks whether there is anything",
    "for seat in s.seats: s.row = put_at(s.row, seat, 0)": "",
    "for seat in event.seats: s.row = put_at(s.row, seat, 0)": "",
    "with suppress(ValueError): s.turn = s.row.index(0)": "a `with`",
    "t = s": "another name for the state",
    "t: object = s": "another name for the state",
    "o = s.rules": "another name for the rules",
    "o: object = s.rules; s.size = o.size": "another name for the rules",
    "s.size = (o := s.rules).size": "another name for the rules",
    "for o in (s.rules,): s.size = o.size": "another name for the rules",
    "o, _ = s.rules, 0; s.size = o.size": "another name for the rules",
    "s.size = tuple(o.size for o in (s.rules,))": "another name for the rules",
}


@pytest.mark.parametrize(("line", "what"), DECIDES.items())
def test_code_that_decides_in_evolve_is_found(
    line: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.py"
    path.write_text(MODULE.replace("CHANGED", line))
    module = loaded(path)
    monkeypatch.setitem(sys.modules, "game", module)
    faults = decisions(module.evolve)
    assert [fault.rpartition(": ")[2] for fault in faults][:1] == ([what] if what else []), faults
    assert all(fault.startswith(f"{path}:") for fault in faults)


@pytest.mark.parametrize(
    ("head", "what"),
    [
        ("match s.phase:", "a `match` on something that is no event"),
        ("match s:", "a `match` on something that is no event"),
        ("row = s.row\n    match row:", "a `match` on something that is no event"),
        ("row, _ = s.row, 0\n    match row:", "a `match` on something that is no event"),
        (
            "pile: object = s.pile\n    match pile:\n        case Pile(cards=()): s.turn = 0",
            "a `match` on something that is no event",
        ),
    ],
)
def test_pattern_matching_on_the_state_is_found(
    head: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.py"
    path.write_text(MODULE.replace("match event:", head).replace("CHANGED", "pass"))
    module = loaded(path)
    monkeypatch.setitem(sys.modules, "game", module)
    assert [fault.rpartition(": ")[2] for fault in decisions(module.evolve)] == [what]
