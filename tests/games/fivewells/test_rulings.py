"""Tests every ruling of the rulebook, with the duels of `rulings.yaml` and, where sentences are not enough, here."""

import re
from pathlib import Path

import pytest

import domain.games.fivewells
from domain.card_sets.cards.abilities import SpellAbility, TriggeredAbility
from domain.card_sets.cards.card_kinds import CardType, Controller, TargetKind, Trigger
from domain.card_sets.cards.costs import read_cost
from domain.card_sets.cards.effects import CounterSpell, GainLife, Mill, ReturnToHand
from domain.card_sets.cards.filters import ChosenX, ControllerOf, Filter, Party, Targeted, TargetRule
from domain.card_sets.cards.library import SETS
from domain.core.game import CHANCE
from domain.core.types import fields_of
from domain.core.visibility import Secrecy, secret_fields
from domain.games.fivewells import GAME
from domain.games.fivewells.events import CardsMilled
from domain.games.fivewells.moves import Choose
from domain.games.fivewells.waiting import ask
from tests.games.fivewells.specified import play, read
from tests.games.fivewells.table import PLAYER, Duel, refused, with_abilities

RULINGS = read("rulings.yaml")


@pytest.mark.parametrize("title", RULINGS)
def test_ruling_of_the_rulebook_is_implemented(title):
    play(RULINGS[title])


def test_every_ruling_of_the_rulebook_has_a_test():
    book = (Path(domain.games.fivewells.__file__).parent / "rulebook.md").read_text("utf-8")
    here = "".join(file.read_text("utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    shown = {title.split()[0] for title in RULINGS} | set(re.findall(r"fivewells (9\.[0-9]+)", here))
    assert set(re.findall(r"^\*\*(9\.[0-9]+)\*\*", book, re.MULTILINE)) <= shown


def test_rulebook_lists_every_event_with_its_fields_and_readers():
    book = (Path(domain.games.fivewells.__file__).parent / "rulebook.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[A-Z].*?) \| (.*?) \|", book.partition("## 13 ")[2], re.MULTILINE)
    listed = {name: re.findall(r"`(\w+)`(\**)", told) for names, told in rows for name in re.findall(r"\w+", names)}
    stars = {Secrecy.NOBODY: "**", None: ""}
    for event in GAME.events:
        secret = secret_fields(event)
        fields = [(name.rstrip("_"), stars.get(secret.get(name), "*")) for name in fields_of(event)]
        assert listed.pop(event.__name__) == fields
    assert not listed


def test_duel_has_two_seats():
    assert list(GAME.setup.seats) == [2]


def test_sets_are_in_order_of_release():
    assert [one.released for one in SETS.values()] == [1, 2]
    assert list(SETS) == ["fw1", "bt1"]


@pytest.mark.parametrize(
    ("x", "code"), [(-1, "bad_choice"), (None, "bad_choice"), (0, None), (3, None), (4, "cannot_pay")]
)
def test_x_is_at_least_0_and_limited_by_available_mana(x, code):
    """See (fivewells 9.20)."""
    duel = Duel(hands=(["Open the Crucible"], []), lands=("FSSS", ""))
    assert refused(duel, 0, "Open the Crucible", x=x, a=PLAYER[1]) == code


@pytest.mark.parametrize(("x", "asked"), [(2, True), (3, False)])
def test_payment_of_x_uses_the_x_of_the_spell(x, asked):
    spell = TargetRule("a", TargetKind.SPELL, Controller.ANY, 1, 1)
    counter = SpellAbility((CounterSpell(Targeted("a"), ChosenX()),), (spell,))
    duel = Duel(hands=(["Kindle Dart"], ["Gainsay the Wave"]), lands=("FFF", "TTTT"))
    with with_abilities("Gainsay the Wave", counter, cost=read_cost("XT")):
        duel.cast(0, "Kindle Dart", a=PLAYER[1]).cast(1, "Gainsay the Wave", x=x, a=duel.state.stack[0].item).passes(0)
        assert bool(duel.state.asked) == asked
        if asked:
            duel.play(0, Choose("pay_or_not", True))
            assert sum(p.tapped for p in duel.state.permanents if p.controller == 0) == 3


def test_payment_is_not_requested_when_x_is_0():
    spell = TargetRule("a", TargetKind.SPELL, Controller.ANY, 1, 1)
    counter = SpellAbility((CounterSpell(Targeted("a"), ChosenX()),), (spell,))
    duel = Duel(hands=(["Kindle Dart"], ["Gainsay the Wave"]), lands=("F", "T"))
    with with_abilities("Gainsay the Wave", counter, cost=read_cost("XT")):
        duel.cast(0, "Kindle Dart", a=PLAYER[1]).cast(1, "Gainsay the Wave", x=0, a=duel.state.stack[0].item)
        duel.passes(0, 0, 1)
    assert duel.state.life == (20, 18)


def test_last_turn_is_the_one_given_by_max_turns():
    """See (fivewells 9.9)."""
    duel = Duel(turn=119, active=0, stops=(("own main1",), ("own main1",))).passes(0)
    assert (duel.state.turn, duel.state.ended) == (120, None)
    duel.passes(1)
    assert (duel.state.turn, duel.state.ended.reason) == (120, "turns")


def test_searched_land_enters_and_triggers_abilities():
    landfall = TriggeredAbility(Trigger.ENTERS, (GainLife(Party.YOU, 2),), Filter((CardType.LAND,), Controller.YOU))
    hands, libraries = (["Seedcaller Druid"], []), (["Sunfield"], ["Sunfield"])
    duel = Duel(hands=hands, board=(["Lantern Acolyte"], []), libraries=libraries, lands=("RRR", ""))
    with with_abilities("Lantern Acolyte", landfall):
        duel.cast(0, "Seedcaller Druid").passes(1).resolve()
        duel.play(0, Choose("search", (duel.of("Sunfield"),)))
        duel.play(CHANCE, ask(duel.state).make(())).resolve()
    assert duel.state.life == (22, 20)


def test_controllers_of_several_targets_follow_the_order_of_handles():
    """See (fivewells 9.19)."""
    two = TargetRule("a", TargetKind.CREATURE, Controller.ANY, 1, 2)
    away = SpellAbility((ReturnToHand(Targeted("a")), Mill(ControllerOf("a"), 1)), (two,))
    duel = Duel(hands=(["Drag Under"], []), board=(["Bramble Boar"], ["Fen Biter"]), lands=("TTT", ""))
    with with_abilities("Drag Under", away):
        duel.cast(0, "Drag Under", a=(duel.of("Fen Biter"), duel.of("Bramble Boar"))).passes(1)
    milled = [event.seat for event in duel.events if isinstance(event, CardsMilled)]
    assert milled == [0, 1]
    assert [len(pile) for pile in duel.state.graveyards] == [2, 1]
