"""Defines the assertions of a script: the sentences after `then`."""

import re

from domain.card_sets.cards.costs import read_cost
from domain.games.fivewells.characteristics import PRINTED
from domain.games.fivewells.events import PermanentTapped
from domain.games.fivewells.moves import (
    ActivateAbility,
    ActivateManaAbility,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
)
from domain.games.fivewells.records import Blocks
from domain.games.fivewells.shown import view
from domain.games.fivewells.waiting import to_act
from tests.games.fivewells.script import MANA, SEATS, WORDS, Sentences, changed, understood_by
from tests.games.fivewells.table import IDS

THEN: Sentences = []
then = understood_by(THEN)

CODE = r"(?: \((\w+)\))?"


@then(r"(you win|they win|the game is drawn)")
def over(script, who):
    assert script.state.ended is not None, "it goes on"
    winners = {"you win": (0,), "they win": (1,), "the game is drawn": ()}[who]
    assert script.state.ended.winners == winners, script.state.ended


@then(r"the game goes on")
def goes_on(script):
    assert script.state.ended is None, script.state.ended


@then(r"(you|they) cannot cast (.+?)(?: with X (\d+))? paid automatically(?: on (.+?))? \((\w+)\)")
def cannot_pay(script, who, name, x, on, code):
    card = next(one for one in script.state.hands[SEATS[who]] if script.state.cards[one] == IDS[script.card(name)])
    found = script.duel.refusal(SEATS[who], CastSpell(card, script.targets(on), None if x is None else int(x)))
    assert found == code, found


@then(r"(you|they) cannot cast (.+?)(?: for (\w+))?(?: with X (\d+))?(?: on (.+?))? \((\w+)\)")
def cannot_cast(script, who, name, cost, x, on, code):
    seat = SEATS[who]
    card = next(one for one in script.state.hands[seat] if script.state.cards[one] == IDS[script.card(name)])
    due = read_cost(cost) if cost else PRINTED[script.state.cards[card]].cost
    before, pools = script.state.pools, list(script.state.pools)
    script.state.pools = changed(pools, seat, [*due.colored, due.generic + int(x or 0)])
    script.give_priority(seat)
    found = script.duel.refusal(seat, CastSpell(card, script.targets(on), None if x is None else int(x)))
    script.state.pools = before
    assert found == code, found


@then(r"(you|they) cannot activate (.+?)(?: sacrificing (.+?))?(?: on (.+?))? \((\w+)\)")
def cannot_activate(script, who, name, sacrificed, on, code):
    thing = script.one(name)
    script.give_priority(SEATS[who])
    number, ability = PRINTED[script.state.permanents[script.state.ids.index(thing)].card].activated[0]
    given = script.all(sacrificed) if sacrificed else None
    pools = script.state.pools
    script.state.pools = changed(list(pools), SEATS[who], [*ability.cost.mana.colored, ability.cost.mana.generic])
    move = ActivateAbility(thing, number, script.targets(on), None, None, given)
    found = script.duel.refusal(SEATS[who], move)
    script.state.pools = pools
    assert found == code, found


@then(r"(you|they) cannot tap (.+) for (\w) \((\w+)\)")
def cannot_tap(script, who, name, mana, code):
    found = script.duel.refusal(SEATS[who], ActivateManaAbility(script.one(name), MANA.index(mana)))
    assert found == code, found


@then(r"(you|they) cannot choose (.+)")
def cannot_choose(script, who, names):
    seat, asked = SEATS[who], script.state.asked
    assert script.duel.refusal(seat, Choose(asked.choice, script.all(names))) == "bad_choice"


@then(rf"(you|they) cannot attack with (.+?){CODE}")
def cannot_attack(script, who, names, code):
    script.go_on(lambda: script.state.step in ("attack", "main2"))
    if script.state.step == "attack":
        found = script.duel.refusal(SEATS[who], DeclareAttackers(script.all(names)))
        assert found is not None
        assert code in (None, found), found


@then(r"(you|they) can attack with (.+)")
def can_attack(script, who, names):
    script.go_on(lambda: script.state.step in ("attack", "main2"))
    assert script.duel.refusal(SEATS[who], DeclareAttackers(script.all(names))) is None


@then(rf"(you|they) cannot block with (.+) against (.+?){CODE}")
def cannot_block(script, who, names, attacker, code):
    script.go_on(lambda: script.state.step in ("block", "main2"))
    if not script.state.declared:
        pairs = tuple(Blocks(one, script.one(attacker)) for one in script.all(names))
        found = script.duel.refusal(SEATS[who], DeclareBlockers(pairs))
        assert found is not None
        assert code in (None, found), found


@then(r"(your|their) life is (\d+)")
def life(script, whose, life):
    assert view(script.state, None)["life"][SEATS[whose]] == int(life), script.state.life


@then(r"(your|their) pool is (\w+)")
def pool_is(script, whose, mana):
    found = script.state.pools[SEATS[whose]]
    assert list(found) == [0 if mana == "empty" else mana.count(kind) for kind in MANA], found


@then(r"the bottom of (your|their) library is (.+)")
def bottom_is(script, whose, text):
    expected = [script.card(name) for name, _ in script.listed(text)]
    assert script.zone(whose, "library")[-len(expected) :] == expected, script.zone(whose, "library")


@then(r"(your|their) (hand|library|graveyard) has (\w+) cards?")
def zone_has(script, whose, zone, number):
    shown = view(script.state, SEATS[whose])
    count = {"hand": shown["hand_counts"], "library": shown["library_counts"]}.get(zone)
    found = count[SEATS[whose]] if count else len(script.zone(whose, zone))
    assert found == (WORDS[number] if number in WORDS else int(number)), found


@then(r"(your|their) (hand|library|graveyard) is (.+)")
def zone_is(script, whose, zone, text):
    expected = [] if text == "empty" else [script.card(name) for name, _ in script.listed(text)]
    found = script.zone(whose, zone)
    if zone == "library":
        assert found[: len(expected)] == expected, found
    else:
        assert sorted(found) == sorted(expected), found


@then(r"it is (your|their) (\w+)")
def step_is(script, whose, step):
    assert (script.state.active, script.state.step) == (SEATS[whose], step), (script.state.active, script.state.step)


@then(r"the stack is (.+)")
def stack_is(script, text):
    found = [PRINTED[one.card].name for one in script.state.stack]
    assert found == ([] if text == "empty" else [script.card(name) for name, _ in script.listed(text)]), found


@then(r"nothing is tapped by it")
def taps_nothing(script):
    assert script.duel.told(PermanentTapped) == [], "an event tells of it"


@then(r"nobody is asked")
def nobody_is_asked(script):
    assert script.state.asked is None, script.state.asked
    assert script.state.random_discard < 0


@then(r"(you|they) (?:are|is) asked (?:for|to|about) (.+)")
def is_asked(script, who, choice):
    asked = script.state.asked
    assert (asked.seat, asked.choice) == (SEATS[who], choice.replace(" ", "_"))


@then(r"(you|they) are to (act|attack|block|order blockers)")
def is_to_act(script, who, what):
    assert to_act(script.state) == (SEATS[who],), to_act(script.state)
    asked = "order_blockers" if script.state.unordered else script.state.step
    declared = script.state.declared or asked not in ("attack", "block")
    assert what == "act" or (asked == what.replace(" ", "_") and (script.state.unordered or not declared)), asked


@then(r"(you|they) have priority(?: after (\w+) pass(?:es)?)?")
def has_priority(script, who, passes):
    assert script.state.priority == SEATS[who], script.state.priority
    assert passes is None or script.state.passes == WORDS[passes], script.state.passes


@then(r"(you|they) have (\w+) (.+)")
def has(script, who, number, name):
    things = [thing for thing in script.there(name) if thing.controller == SEATS[who]]
    assert len(things) == WORDS[number], len(things)


@then(r"(.+) has (no|one|two|three|four|five) (?:growth )?counters?")
def counters(script, name, number):
    assert script.there(name), "it is not there"
    for thing in script.there(name):
        assert thing.permanent.counters == WORDS[number], thing.permanent.counters


@then(r"(.+) (has no|has) (\w+(?:(?:, | and | or )\w+)*)")
def keyword(script, name, has, words):
    for thing in script.there(name) or [None]:
        for word in re.findall(r"\w+", words.replace(" and ", " ").replace(" or ", " ")):
            assert (word in thing.keywords) == (has == "has"), sorted(thing.keywords)


@then(r"(.+) is in (your|their) (hand|library|graveyard)")
def is_in(script, name, whose, zone):
    assert not script.there(name), "it is on the battlefield"
    assert script.card(name) in script.zone(whose, zone), script.zone(whose, zone)


@then(r"(.+) is (-?\d+)/(-?\d+)")
def size(script, name, power, toughness):
    things = script.there(name)
    assert things, "it is not there"
    for thing in things:
        assert (thing.power, thing.toughness) == (int(power), int(toughness)), (thing.power, thing.toughness)


@then(r"(.+) is gone")
def gone(script, name):
    assert not script.there(name), "it is there"


@then(r"(.+) stays")
def stays(script, name):
    assert script.there(name), "it is gone"


@then(r"(.+) is (tapped|untapped|frozen|not frozen|new|attacking|not attacking|undamaged|damaged \d+)")
def mark(script, name, mark):
    things = script.there(name)
    assert things, "it is not there"
    for p in (thing.permanent for thing in things):
        match mark.split():
            case ["tapped"]:
                assert p.tapped
            case ["untapped"]:
                assert not p.tapped
            case ["frozen"]:
                assert p.frozen
            case ["attacking"]:
                assert p.attacking
            case ["not", "attacking"]:
                assert not p.attacking
            case ["not", "frozen"]:
                assert not p.frozen
            case ["new"]:
                assert p.new
            case ["damaged", number]:
                assert p.damage == int(number), p.damage
            case ["undamaged"]:
                assert p.damage == 0, p.damage
