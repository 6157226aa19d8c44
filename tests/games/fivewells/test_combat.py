"""Tests combat: attackers, blockers and damage."""

import pytest

from domain.card_sets.cards.card_kinds import Keyword
from domain.card_sets.cards.library import TOKENS
from domain.core.values import with_fields
from domain.games.fivewells.events import PermanentsLeft
from domain.games.fivewells.moves import DeclareAttackers, DeclareBlockers, OrderBlockers
from domain.games.fivewells.records import Blocks, is_seat, name
from domain.games.fivewells.shown import scene
from domain.games.fivewells.turn_events import BlockersOrdered, CombatDamageDealt
from tests.games.fivewells.table import Duel

ALL = {"stops": (("own main1", "own main2"), ())}


def creature(power, toughness, *keywords):
    """Return a creature of this size: counters and pumps on a card without text, with power 2 and toughness 1."""
    return (
        "Dawnwatch Recruit",
        {"power": power - 2, "toughness": toughness - 1, "keywords": tuple(map(Keyword, keywords))},
    )


def fight(attacker, blockers, **fields):
    """Attack with the one creature of seat 0, and block with all of seat 1's, in order."""
    duel = Duel(board=([attacker], list(blockers)), **ALL | fields).passes(0)
    ids = duel.state.ids
    duel.play(0, DeclareAttackers((ids[0],)))
    told = duel.events
    if blockers:
        told += duel.play(1, DeclareBlockers(tuple(Blocks(one, ids[0]) for one in ids[1:]))).events
    if len(blockers) > 1:
        told += duel.play(0, OrderBlockers(ids[0], tuple(ids[1:]))).events
    duel.events = told
    return duel


@pytest.mark.parametrize(
    ("attacker", "blockers", "to_blockers", "to_player", "to_attacker", "dies"),
    [
        ((5, 4, "overrun"), [(2, 2), (1, 1)], [2, 1], 2, 3, [1, 2]),
        ((5, 4, "overrun", "venom"), [(2, 2), (1, 1)], [1, 1], 3, 3, [1, 2]),
        ((7, 7), [(2, 2), (1, 3)], [2, 5], 0, 3, [1, 2]),
        ((2, 2, "quickstrike"), [(4, 2)], [2], 0, 0, [1]),
        ((2, 2, "quickstrike"), [(4, 3, "quickstrike")], [2], 0, 4, [0]),
        ((3, 3), [], [], 3, 0, []),
        ((1, 1), [(1, 1), (1, 1)], [1], 0, 2, [0, 1]),
        ((3, 3), [(0, 9, "venom")], [3], 0, 0, []),
        ((3, 3), [(1, 9, "venom")], [3], 0, 1, [0]),
    ],
)
def test_damage_is_assigned_in_order_with_lethal_amounts(attacker, blockers, to_blockers, to_player, to_attacker, dies):
    duel = fight(creature(*attacker), [creature(*one) for one in blockers])
    wounds = [row for dealt in duel.told(CombatDamageDealt) for row in dealt.rows if not is_seat(row.to)]
    assert [wound.amount for wound in wounds if wound.source == 6] == to_blockers
    assert sum(wound.amount for wound in wounds if wound.to == 6) == to_attacker
    assert 20 - duel.state.life[1] == to_player
    gone = [handle for left in duel.told(PermanentsLeft) for handle in left.objects]
    fighters = [6, *range(12, 12 + len(blockers))]
    assert gone == [fighters[i] for i in dies]


def test_creature_with_quickstrike_deals_damage_only_in_the_first_step():
    duel = fight(creature(2, 9, "quickstrike"), [creature(1, 9)])
    assert [(dealt.step, len(dealt.rows)) for dealt in duel.told(CombatDamageDealt)] == [
        ("first_damage", 1),
        ("damage", 1),
    ]


@pytest.mark.parametrize("reader", [0, 1, None])
def test_table_names_a_blocked_token_after_it_has_left(reader):
    token = next(iter(TOKENS.values()))
    state = Duel(board=([(token.id, {"attacking": True})], ["Dawnwatch Recruit"])).state
    there, guard = state.permanents
    guard = with_fields(guard, blocks=there.object)
    state.permanents, state.cards = (there, guard), ("",)  # cards are numbered, and tokens are not cards
    assert f"blocks {token.name}" in marks_of(state, reader, guard)
    state.permanents, state.ids = (guard,), (guard.object,)
    assert "blocks" in marks_of(state, reader, guard)


def marks_of(state, reader, permanent):
    """Return the marks that a reader sees on a permanent."""
    spots = [spot for zone in scene(state, reader).zones for spot in zone.spots]
    return next(spot.marks for spot in spots if spot.id == name(permanent.object))


def test_leech_gives_life_for_damage_to_creatures_and_players():
    duel = fight(creature(5, 5, "leech", "overrun"), [creature(1, 2)])
    assert duel.state.life == (25, 17)


def test_creature_stays_blocked_after_its_blocker_has_left():
    duel = Duel(
        hands=(["Undertow Grasp"], []),
        board=([creature(5, 5)], [creature(1, 1)]),
        lands=("T", ""),
        stops=(("own main1", "own block"), ()),
    ).passes(0)
    attacker, blocker = duel.of("Dawnwatch Recruit"), duel.of("Dawnwatch Recruit", 1)
    duel.play(0, DeclareAttackers((attacker,))).play(1, DeclareBlockers((Blocks(blocker, attacker),)))
    duel.cast(0, "Undertow Grasp", a=blocker).passes(1, 0)
    assert duel.state.life == (20, 20)


def test_overrun_deals_all_damage_to_the_player_without_its_blocker():
    duel = Duel(
        hands=(["Undertow Grasp"], []),
        board=([creature(5, 5, "overrun")], [creature(1, 1)]),
        lands=("T", ""),
        stops=(("own main1", "own block"), ()),
    ).passes(0)
    attacker, blocker = duel.of("Dawnwatch Recruit"), duel.of("Dawnwatch Recruit", 1)
    duel.play(0, DeclareAttackers((attacker,))).play(1, DeclareBlockers((Blocks(blocker, attacker),)))
    duel.cast(0, "Undertow Grasp", a=blocker).passes(1, 0)
    assert duel.state.life == (20, 15)


# --- Attackers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "fields", "code"),
    [
        ("Bramble Boar", {"new": True}, "new_creature"),
        ("Coalback Hound", {"new": True}, None),
        ("Tin Lookout", {}, "may_not_attack"),
        ("Bramble Boar", {"tapped": True}, "not_untapped"),
        ("Five-Bead Charm", {}, "no_such_object"),
    ],
)
def test_legal_attackers_are_untapped_and_not_new(card, fields, code):
    duel = Duel(board=([(card, fields), "Bramble Boar"], [])).passes(0)
    assert duel.refusal(0, DeclareAttackers((duel.of(card),))) == code


@pytest.mark.parametrize(("card", "taps"), [("Shieldbearer of Callow Stair", False), ("Bramble Boar", True)])
def test_attackers_tap_unless_they_are_steadfast(card, taps):
    duel = Duel(board=([card], [])).passes(0)
    duel.play(0, DeclareAttackers((duel.of(card),)))
    assert duel.thing(card).permanent.tapped == taps


def test_static_attack_restriction_applies():
    duel = Duel(board=(["Bramble Boar"], ["Reckless Scrapper", "Fen Biter"]), **ALL).passes(0)
    boar = duel.of("Bramble Boar")
    duel.play(0, DeclareAttackers((boar,)))
    assert duel.refusal(1, DeclareBlockers((Blocks(duel.of("Reckless Scrapper"), boar),))) == "may_not_block"


# --- Blockers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "blockers", "ok"),
    [
        (["flying"], [[]], False),
        (["flying"], [["skyguard"]], True),
        (["flying"], [["flying"]], True),
        ([], [["sentinel"]], True),
        (["daunting"], [[]], False),
        (["daunting"], [[], []], True),
        (["daunting", "flying"], [["flying"], []], False),
    ],
)
def test_legal_blockers_respect_flying_and_daunting(attacker, blockers, ok):
    # Another attacker, and more blockers, so that seat 1 is asked in any case.
    board = ([creature(2, 2, *attacker), "Bramble Boar"], [creature(1, 1, *one) for one in blockers] + ["Tin Lookout"])
    duel = Duel(board=board, **ALL).passes(0)
    first = duel.of("Dawnwatch Recruit")
    duel.play(0, DeclareAttackers((first, duel.of("Bramble Boar"))))
    theirs = [duel.of("Dawnwatch Recruit", 1 + i) for i in range(len(blockers))]
    code = duel.refusal(1, DeclareBlockers(tuple(Blocks(one, first) for one in theirs)))
    assert code == (None if ok else "illegal_block")


def test_repeated_blockers_and_blocks_of_non_attackers_are_refused():
    """See (fivewells 9.22)."""
    duel = Duel(board=(["Bramble Boar", "Old Grovehorn", "Tidewall Crab"], ["Fen Biter"]), **ALL).passes(0)
    boar, horn, crab, biter = map(duel.of, ("Bramble Boar", "Old Grovehorn", "Tidewall Crab", "Fen Biter"))
    duel.play(0, DeclareAttackers((boar, horn)))
    assert duel.refusal(1, DeclareBlockers((Blocks(biter, boar), Blocks(biter, horn)))) == "bad_arguments"
    assert duel.refusal(1, DeclareBlockers((Blocks(biter, crab),))) == "illegal_block"


def test_a_tapped_creature_cannot_block():
    duel = Duel(board=(["Bramble Boar"], [("Fen Biter", {"tapped": True}), "Tin Lookout"]), **ALL).passes(0)
    duel.play(0, DeclareAttackers((duel.of("Bramble Boar"),)))
    pair = Blocks(duel.of("Fen Biter"), duel.of("Bramble Boar"))
    assert duel.refusal(1, DeclareBlockers((pair,))) == "not_untapped"


def test_game_waits_until_the_blockers_are_ordered():
    duel = Duel(board=(["Old Grovehorn"], ["Fen Biter", "Tidewall Crab"]), **ALL).passes(0)
    horn, biter, crab = map(duel.of, ("Old Grovehorn", "Fen Biter", "Tidewall Crab"))
    duel.play(0, DeclareAttackers((horn,))).play(1, DeclareBlockers((Blocks(biter, horn), Blocks(crab, horn))))
    assert duel.state.unordered == (horn,)
    assert duel.refusal(0, OrderBlockers(horn, (crab,))) == "bad_choice"
    duel.play(0, OrderBlockers(horn, (crab, biter)))
    assert duel.told(BlockersOrdered)
    (dealt,) = duel.told(CombatDamageDealt)
    assert [(wound.to, wound.amount) for wound in dealt.rows if wound.source == horn] == [(crab, 4), (biter, 1)]


def test_without_attackers_left_there_is_no_block_step():
    duel = Duel(
        hands=([], ["Undertow Grasp"]),
        board=(["Bramble Boar"], ["Fen Biter"]),
        lands=("", "T"),
        stops=(("own main1", "own main2"), ("opponent attack",)),
    ).passes(0)
    duel.play(0, DeclareAttackers((duel.of("Bramble Boar"),))).cast(1, "Undertow Grasp", a=duel.of("Bramble Boar"))
    duel.passes(0).passes(1)
    assert [begun.step for begun in duel.begun()] == ["main2"]


def test_combat_damage_to_a_player_triggers_once():
    duel = fight(("Nerith, Mind of the Trench", {}), [])
    assert duel.state.life == (20, 16)
    assert [one.source for one in duel.state.stack] == [duel.of("Nerith, Mind of the Trench")]


def test_combat_ends_with_the_second_main_step():
    duel = fight(creature(1, 5), [creature(1, 5)])
    assert duel.state.step == "main2"
    assert not any(p.attacking or p.blocked or p.blocks for p in duel.state.permanents)


def test_pump_for_attackers_counts_at_resolution():
    duel = Duel(board=(["Stairguard Captain", "Dawnwatch Recruit", "Bramble Boar"], []), **ALL).passes(0)
    captain, recruit = duel.of("Stairguard Captain"), duel.of("Dawnwatch Recruit")
    duel.play(0, DeclareAttackers((captain, recruit)))
    duel.resolve()
    assert (duel.size("Dawnwatch Recruit"), duel.size("Bramble Boar")) == ((3, 1), (3, 2))
    assert duel.state.life[1] == 20 - 2 - 3


def test_blocker_without_a_legal_block_is_not_asked():
    duel = Duel(board=(["Cindermaw Wyrm"], ["Fen Biter"]), **ALL).passes(0)
    duel.play(0, DeclareAttackers((duel.of("Cindermaw Wyrm"),)))
    assert duel.state.life[1] == 15
