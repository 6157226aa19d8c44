"""Defines the actions and events of a script: the sentences after `when`."""

from domain.core.game import CHANCE
from domain.games.fivewells.characteristics import PRINTED, board
from domain.games.fivewells.effects import trigger_options
from domain.games.fivewells.moves import (
    ActivateAbility,
    ActivateManaAbility,
    Arranged,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    DiscardAtRandom,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
)
from domain.games.fivewells.records import Blocks, Targets
from domain.games.fivewells.waiting import default
from tests.games.fivewells.script import MANA, SEATS, STEPS, Sentences, stops, understood_by
from tests.games.fivewells.table import IDS

WHEN: Sentences = []
when = understood_by(WHEN)

COST = r"(?: for (\w+))?"
ON = r"(?: on (.+?))?"


def to_blocks(script):
    script.go_on(lambda: script.state.step in ("block", "main2"))
    assert script.state.step == "block", "there is no block step"
    assert not script.state.declared, "nobody can block"


def declare(script, seat, text, *, ordered=True):
    """Declare blocks, such as `Wolf, Bramble Boar against Militia and with Fen Biter against Spirit`, in the order
    named."""
    rows = [row.split(" against ") for row in text.split(" and with ")]
    blockers = {script.one(attacker): script.all(names) for names, attacker in rows}
    pairs = tuple(Blocks(one, attacker) for attacker, row in blockers.items() for one in row)
    script.duel.play(seat, DeclareBlockers(pairs))
    while ordered and script.state.unordered:
        (attacker, *_) = script.state.unordered
        script.duel.play(1 - seat, OrderBlockers(attacker, blockers[attacker]))
    if ordered:
        script.settle()


def letter(script):
    """Return the letter of the targets that a trigger asks for."""
    return trigger_options(script.state)[0].id


def cards(script, seat, asked, names):
    """Return the handles of cards in a hand or a library, or of permanents, as the question requires."""
    zones = {"sacrifice": script.state.ids, "search": script.state.libraries[seat]}
    zone = list(zones.get(asked.choice, script.state.hands[seat]))
    found = []
    for name, _ in script.listed(names):
        card = script.card(name)
        known = {thing.object: thing.permanent.card for thing in board(script.state).things.values()}
        match = [
            h
            for h in zone
            if known.get(h, script.state.cards[h] if h < len(script.state.cards) else "") == IDS.get(card, card)
        ]
        found.append(match[0])
        zone.remove(match[0])
    return tuple(found)


@when(rf"(you|they) (activate|announce the ability of) (.+?){COST}(?: sacrificing (.+?))?{ON}")
def activate(script, who, verb, name, cost, sacrificed, on):
    seat, thing = SEATS[who], script.one(name)
    script.give_priority(seat)
    number = PRINTED[script.state.permanents[script.state.ids.index(thing)].card].activated[0][0]
    given = script.all(sacrificed) if sacrificed else None
    move = ActivateAbility(thing, number, script.targets(on), None, None, given)
    mana = str(dict(board(script.state).things[thing].printed.activated)[number].cost.mana)
    script.pay(seat, move, cost or mana, 0, exactly=cost is not None)
    if verb == "activate":
        script.settle()


@when(rf"(you|they) cast (.+?)(?: with X (\d+))? paid automatically{ON}")
def cast_with_own_mana(script, who, name, x, on):
    card = next(one for one in script.state.hands[SEATS[who]] if script.state.cards[one] == IDS[script.card(name)])
    script.act(SEATS[who], CastSpell(card, script.targets(on), None if x is None else int(x)))
    script.settle()


@when(rf"(you|they) (cast|announce) (.+?){COST}(?: with X (\d+))?{ON}")
def cast(script, who, verb, name, cost, x, on):
    seat = SEATS[who]
    if not (script.state.active == seat and script.state.priority == seat):
        script.give_priority(seat)
    card = next(one for one in script.state.hands[seat] if script.state.cards[one] == IDS[script.card(name)])
    printed = PRINTED[script.state.cards[card]]
    move = CastSpell(card, script.targets(on), None if x is None else int(x))
    script.pay(seat, move, cost or str(printed.cost), int(x or 0), exactly=cost is not None)
    if verb == "cast":
        script.settle()


@when(r"(you|they) play (.+)")
def play_land(script, who, name):
    seat = SEATS[who]
    card = next(one for one in script.state.hands[seat] if script.state.cards[one] == IDS[script.card(name)])
    script.duel.play(seat, PlayLand(card))
    script.settle()


@when(r"(you|they) tap (.+) for (\w+)")
def tap_for(script, who, name, mana):
    seat = SEATS[who]
    color = MANA.index(mana[0])
    before = script.state.pools[seat]
    free = [thing for thing in script.there(name) if not thing.permanent.tapped]
    script.act(seat, ActivateManaAbility(free[0].object, color))
    added = [now - then for now, then in zip(script.state.pools[seat], before, strict=True)]
    assert added == [mana.count(kind) for kind in MANA], f"it adds {added}"


@when(r"(you|they) attack with (.+)")
def attack(script, who, names):
    declare_attackers(script, who, names)
    script.settle()


@when(r"(you|they) declare (.+) as attackers")
def declare_attackers(script, who, names):
    """Attack without resolving triggers."""
    script.go_on(lambda: script.state.step == "attack" or script.state.active != SEATS[who])
    script.duel.play(SEATS[who], DeclareAttackers(() if names == "nothing" else script.all(names)))


@when(r"(you|they) block with (.+ against .+)")
def block(script, who, text):
    to_blocks(script)
    declare(script, SEATS[who], text)


@when(r"(you|they) declare (.+ against .+)")
def block_unordered(script, who, text):
    """Block, and leave the order of blockers to be chosen."""
    to_blocks(script)
    declare(script, SEATS[who], text, ordered=False)


@when(r"(you|they) order (.+) against (.+)")
def order(script, who, names, attacker):
    script.duel.play(SEATS[who], OrderBlockers(script.one(attacker), script.all(names)))


@when(r"(you|they) do not block")
def no_block(script, who):
    to_blocks(script)
    script.duel.play(SEATS[who], DeclareBlockers(()))


@when(r"(you|they) pass(?: until (the next turn|something is on the stack))?")
def passes(script, who, until):
    named = {None: None, "the next turn": "next_turn", "something is on the stack": "something_on_stack"}
    script.duel.play(SEATS[who], PassPriority(named[until]))


@when(r"(you|they) stop at (.+?)(?: and once at (.+))?")
def set_stops(script, who, always, once):
    script.duel.play(SEATS[who], SetStops(stops(always), stops(once or "nothing")))


@when(r"(you|they) let the clock run out")
def clock(script, who):
    script.duel.play(SEATS[who], default(script.state, SEATS[who]))
    script.settle()


@when(r"combat ends")
def combat(script):
    script.go_on(lambda: script.state.step == "main2")
    script.settle()


@when(r"first damage is dealt")
def first_damage(script):
    script.go_on(lambda: script.state.step == "first_damage")
    assert script.state.step == "first_damage"


@when(r"(your|their) next (\w+) comes")
def step_comes(script, whose, step):
    seat, turn = SEATS[whose], script.state.turn
    far = script.state.active != seat or STEPS.index(script.state.step) >= STEPS.index(step)
    script.go_on(
        lambda: script.state.active == seat and script.state.step == step and (script.state.turn > turn or not far)
    )
    script.settle()


@when(r"the turn ends")
def turn_ends(script):
    turn = script.state.turn
    script.go_on(lambda: script.state.turn > turn)


@when(r"the top of the stack resolves")
def resolves(script):
    top = script.state.stack[-1]
    script.go_on(lambda: top not in script.state.stack)


@when(r"all resolves")
def all_resolves(script):
    script.settle()


@when(r"(you|they) choose the (first|second) mode")
def mode(script, who, mode):
    script.duel.play(SEATS[who], Choose("mode", {"first": 0, "second": 1}[mode]))
    script.settle()


@when(r"(you|they) target (.+)")
def target(script, who, names):
    """Put a trigger with these targets on the stack without resolving it."""
    chosen = Targets() if names == "nothing" else Targets(**{letter(script): script.all(names)})
    script.duel.play(SEATS[who], Choose("trigger_targets", chosen))


@when(r"(you|they) choose (.+)")
def choose(script, who, names):
    asked = script.state.asked
    if asked.choice == "trigger_targets":
        target(script, who, names)
    else:
        value = () if names == "nothing" else cards(script, SEATS[who], asked, names)
        script.duel.play(SEATS[who], Choose(asked.choice, value))
    script.settle()


@when(r"(you|they) put (?:(.+?) under)?(?: and )?(?:(.+?) on top)?")
def scout(script, who, under, top):
    def handles(text):
        library = list(script.state.libraries[SEATS[who]])
        return tuple(
            next(h for h in library if script.state.cards[h] == IDS[name]) for name, _ in script.listed(text or "")
        )

    script.duel.play(SEATS[who], Choose("scout", Arranged(handles(under), handles(top))))
    script.settle()


@when(r"(you|they) say (yes|no)")
def say(script, who, yes):
    script.duel.play(SEATS[who], Choose(script.state.asked.choice, yes == "yes"))
    script.settle()


@when(r"chance takes (.+)")
def chance(script, name):
    assert script.state.random_discard >= 0, "chance is not asked"
    hand = script.state.hands[script.state.random_discard]
    script.duel.play(CHANCE, DiscardAtRandom([script.state.cards[card] for card in hand].index(IDS[name])))
    script.settle()
