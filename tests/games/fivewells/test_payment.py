"""Tests automatic and manual payment for spells and abilities."""

from itertools import combinations

import pytest

from domain.card_sets.cards.abilities import ManaAbility
from domain.card_sets.cards.card_kinds import COLORS, Mana
from domain.card_sets.cards.costs import Cost
from domain.card_sets.cards.filters import Itself
from domain.games.fivewells.casting import ManaSource, automatic, bill, choose_sources, paid_by_hand, pay_from_pool
from domain.games.fivewells.characteristics import PRINTED
from domain.games.fivewells.events import ManaAdded, SpellCast
from domain.games.fivewells.moves import ActivateAbility, ActivateManaAbility, CastSpell, Choose, PassPriority
from domain.games.fivewells.records import Paid, Targets
from tests.games.fivewells.table import IDS, PLAYER, Duel, refused, with_abilities

EMPTY = (0,) * 6


def due(cost):
    """Return the payment for a cost in card notation."""
    generic = int("".join(letter for letter in cost if letter.isdigit()) or 0)
    return (*(cost.count(color.name) for color in COLORS), generic)


def sources(**given):
    """Return lands by handle: a letter, or `any`."""
    rows = [(int(name[1:]), None if kind == "any" else Mana[kind]) for name, kind in given.items()]
    made = [ManaSource(handle, mana, 1, 1 if mana is None else 0) for handle, mana in rows]
    return sorted(made, key=lambda one: (one.rank, one.id))


@pytest.mark.parametrize(
    ("cost", "taps"),
    [("1S", [1, 3]), ("SS", [1, 2]), ("2R", [1, 2, 3]), ("RR", None), ("T", [3]), ("1", [1])],
)
def test_sources_are_tapped_in_the_order_of_the_rules(cost, taps):
    paid = choose_sources(EMPTY, sources(o1="S", o2="any", o3="T"), due(cost))
    assert (None if paid is None else sorted(one.id for one in paid)) == taps


def test_lands_pay_before_artifacts_and_artifacts_before_creatures():
    duel = Duel(
        hands=(["Fen Biter", "Fen Biter"], []),
        board=(["Sprigling", "Five-Bead Charm", "Crossroads Inn"], []),
        lands=("G", ""),
    )
    (cast,) = duel.cast(0, "Fen Biter").told(SpellCast)
    assert [one.id for one in cast.paid] == [duel.of("Gloomfen"), duel.of("Crossroads Inn")]
    (cast,) = duel.passes(1).cast(0, "Fen Biter").told(SpellCast)
    assert [one.id for one in cast.paid] == [duel.of("Five-Bead Charm"), duel.of("Sprigling")]


def test_cost_is_payable_if_any_payment_exists():
    """In order, the first source would pay for Sun, and nothing would be left for Tide."""
    rows = (ManaSource(1, Mana.S, 1, 0), ManaSource(1, Mana.T, 1, 0), ManaSource(2, Mana.S, 1, 3))
    assert [(one.id, one.color) for one in choose_sources(EMPTY, rows, due("ST"))] == [(2, Mana.S), (1, Mana.T)]


def test_mana_in_the_pool_pays_first():
    assert choose_sources((1, 0, 0, 0, 0, 1), sources(o1="S"), due("1S")) == ()


@pytest.mark.parametrize(
    ("cost", "pay", "gives"),
    [
        ("1S", [(1, None), (3, None)], [(1, Mana.S), (3, Mana.T)]),
        ("1S", [(1, None), (2, Mana.G)], [(1, Mana.S), (2, Mana.G)]),
        ("S", [(1, None), (3, None)], "bad_choice"),
        ("S", [(3, None)], "cannot_pay"),
        ("S", [(2, None)], "bad_choice"),
        ("S", [(2, Mana.N)], "bad_choice"),
        ("S", [(1, Mana.T)], "bad_choice"),
        ("S", [(9, None)], "bad_choice"),
    ],
)
def test_payment_by_hand_uses_exactly_the_named_sources(cost, pay, gives):
    given = tuple(Paid(*one) for one in pay)
    paid = paid_by_hand(EMPTY, sources(o1="S", o2="any", o3="T"), due(cost), given, ())
    assert (paid if isinstance(paid, str) else [(one.id, one.color) for one in paid]) == gives


@pytest.mark.parametrize(
    ("pool", "cost", "paid", "left"),
    [
        ("G", "2", "SS", "S"),
        ("GN", "2", "SS", "SS"),
        ("TG", "1", "", "G"),
        ("GN", "1", "", "G"),
        ("G", "1F", "FF", "F"),
        ("FG", "1F", "", ""),
        ("FG", "2F", "SS", "S"),
        ("", "1F", "FF", ""),
        ("T", "FF", "FF", "T"),
    ],
)
def test_mana_of_any_kind_is_spent_from_the_pool_before_that_of_sources(pool, cost, paid, left):
    """See (fivewells 3.6)."""
    assert pay_from_pool(mana(pool), due(cost), mana(paid)) == mana(left)


def mana(letters):
    """Return a pool of these letters."""
    return tuple(letters.count(kind) for kind in "STRFGN")


@pytest.mark.parametrize("by_hand", [False, True])
def test_mana_in_the_pool_pays_before_the_sources_that_are_tapped(by_hand):
    duel = Duel(hands=(["Trail Rations", "Five-Bead Charm"], []), board=(["Crown of Five Waters"], []), lands=("G", ""))
    duel.play(0, ActivateManaAbility(duel.of("Gloomfen")))
    crown = duel.of("Crown of Five Waters")
    (cast,) = duel.cast(0, "Five-Bead Charm", pay=(Paid(crown, Mana.S),) if by_hand else None).told(SpellCast)
    assert (cast.paid, cast.pool, duel.state.pools[0]) == ((Paid(crown, Mana.S),), mana("S"), mana("S"))


def test_paying_to_save_a_spell_uses_the_pool_first():
    duel = Duel(
        hands=(["Kindle Dart"], ["Gainsay the Wave"]),
        board=(["Crown of Five Waters"], []),
        lands=("FGG", "TT"),
    )
    duel.play(0, ActivateManaAbility(duel.of("Gloomfen"))).play(0, ActivateManaAbility(duel.of("Gloomfen", 1)))
    duel.cast(0, "Kindle Dart", a=PLAYER[1])
    duel.cast(1, "Gainsay the Wave", a=duel.state.stack[0].item).passes(0)
    duel.play(0, Choose("pay_or_not", value=True))
    assert duel.state.pools[0] == mana("S")


def test_sources_are_tapped_and_surplus_mana_stays_until_the_step_ends():
    duel = Duel(hands=(["Tin Lookout"], []), board=(["Crown of Five Waters", "Crown of Five Waters"], []))
    (cast,) = duel.cast(0, "Tin Lookout").told(SpellCast)
    assert {one.id for one in cast.paid} == {duel.of("Crown of Five Waters"), duel.of("Crown of Five Waters", 1)}
    assert sum(duel.state.pools[0]) == 1
    assert all(p.tapped for p in duel.state.permanents)
    duel.passes(1, 0)
    assert sum(duel.state.pools[0]) == 0


def test_a_spell_that_cannot_be_paid_is_refused_and_taps_nothing():
    duel = Duel(hands=(["Bramble Boar"], []), lands=("R", ""))
    assert refused(duel, 0, "Bramble Boar") == "cannot_pay"
    assert not any(p.tapped for p in duel.state.permanents)


def test_target_of_an_action_does_not_pay_for_it():
    duel = Duel(hands=(["Antler Charge"], []), board=(["Sprigling", "Bramble Boar"], []))
    assert refused(duel, 0, "Antler Charge", a=duel.of("Sprigling")) == "cannot_pay"
    assert refused(duel, 0, "Antler Charge", a=duel.of("Bramble Boar")) is None


@pytest.mark.parametrize("lands", ["", "F", "FF", "S", "FS"])
@pytest.mark.parametrize(("card", "x"), [("Twinned Sparks", None), ("Open the Crucible", 2)])
def test_action_is_offered_if_sources_outside_its_targets_can_pay(card, x, lands):
    """Equal sources are tried together; each choice of targets has the same result as if all were tried."""
    board = (["Sprigling", "Mothertree Seedling", "Sprigling", "Mothertree Seedling", "Bramble Boar"], ["Fen Biter"])
    duel = Duel(hands=([card], []), board=board, lands=(lands, ""))
    rule = PRINTED[IDS[card]].spell.targets[0]
    able = [p.object for p in duel.state.permanents if PRINTED[p.card].creature] + PLAYER
    aims = [aim for n in range(1, rule.max + 1) for aim in combinations(able, n)]
    for aim in aims:
        pays = automatic(duel.state, 0, bill(PRINTED[IDS[card]].cost, x or 0), aim)
        assert (refused(duel, 0, card, x, a=aim) is None) == (pays is not None), aim


def test_sacrificed_permanent_does_not_pay_for_the_action():
    duel = Duel(board=(["Marrow Broker", "Sprigling"], []))
    move = ActivateAbility(duel.of("Marrow Broker"), 0, None, None, None, (duel.of("Sprigling"),))
    assert duel.refusal(0, move) == "cannot_pay"


def test_mana_ability_resolves_immediately_without_changing_priority():
    duel = Duel(lands=("F", ""))
    (added,) = duel.play(0, ActivateManaAbility(duel.of("Forgehill"))).told(ManaAdded)
    assert (added.mana, added.amount, duel.state.priority, duel.state.passes) == (Mana.F, 1, 0, 0)
    assert duel.refusal(0, ActivateManaAbility(added.source)) == "not_untapped"


def test_source_of_any_colour_produces_the_named_one():
    duel = Duel(board=(["Five-Bead Charm"], []))
    charm = duel.of("Five-Bead Charm")
    assert duel.refusal(0, ActivateManaAbility(charm)) == "bad_choice"
    assert duel.play(0, ActivateManaAbility(charm, Mana.G)).state.pools[0][Mana.G] == 1


def test_new_creature_cannot_tap_for_mana():
    duel = Duel(board=([("Sprigling", {"new": True})], []))
    assert duel.refusal(0, ActivateManaAbility(duel.of("Sprigling"))) == "new_creature"


def test_source_sacrificed_for_mana_leaves_the_battlefield():
    with with_abilities("Five-Bead Charm", ManaAbility(Cost(sacrifice=Itself()), Mana.R, 2)):
        duel = Duel(board=(["Five-Bead Charm"], []))
        duel.play(0, ActivateManaAbility(duel.of("Five-Bead Charm")))
    assert duel.state.pools[0][Mana.R] == 2
    assert duel.in_graveyard(0) == ["Five-Bead Charm"]


@pytest.mark.parametrize(
    ("x", "code"), [(0, None), (3, None), (4, "cannot_pay"), (None, "bad_choice"), (-1, "bad_choice")]
)
def test_x_is_limited_by_available_mana(x, code):
    duel = Duel(hands=(["Open the Crucible"], []), lands=("FFFF", ""))
    assert refused(duel, 0, "Open the Crucible", x, a=PLAYER[1]) == code


def test_x_equals_the_amount_paid():
    duel = Duel(hands=(["Open the Crucible"], []), lands=("FFFF", ""))
    assert duel.cast(0, "Open the Crucible", 3, a=PLAYER[1]).passes(1).state.life == (20, 17)


def test_spell_without_x_refuses_an_x():
    duel = Duel(hands=(["Kindle Dart"], []), lands=("FF", ""))
    assert refused(duel, 0, "Kindle Dart", 1, a=PLAYER[1]) == "bad_choice"


def test_manual_payment_can_use_a_source_that_automatic_payment_would_keep():
    duel = Duel(hands=(["Kindle Dart"], []), board=(["Five-Bead Charm"], []), lands=("F", ""))
    charm = duel.of("Five-Bead Charm")
    duel.play(0, CastSpell(duel.held(0, "Kindle Dart"), Targets(a=(PLAYER[1],)), None, (Paid(charm, Mana.F),)))
    assert [p.object for p in duel.state.permanents if p.tapped] == [charm]


def test_mana_pool_is_empty_in_a_later_step():
    duel = Duel(lands=("F", ""))
    duel.play(0, ActivateManaAbility(duel.of("Forgehill")))
    assert sum(duel.state.pools[0]) == 1
    assert sum(duel.play(0, PassPriority()).state.pools[0]) == 0


@pytest.mark.parametrize(("lands", "code"), [("F", "cannot_pay"), ("FFF", "bad_choice")])
def test_unaffordable_action_is_refused_before_an_invalid_choice(lands, code):
    """The spell has no X (fivewells 4.2)."""
    duel = Duel(hands=(["Twinned Sparks"], []), lands=(lands, ""))
    assert refused(duel, 0, "Twinned Sparks", x=1, a=PLAYER[1]) == code
