"""Shows by play what a card is: its types, its cost, its size, its keywords, and its possible targets.

A claim is a phrase, such as `2/2 creature for 2S with flying`. For each claim, small duels are set up that end in one
way if it is true, and in another way if it is not.
"""

import re
from dataclasses import dataclass

from domain.card_sets.cards.card_kinds import Keyword
from domain.card_sets.cards.costs import read_cost
from domain.games.fivewells.characteristics import PRINTED, board
from domain.games.fivewells.effects import trigger_options
from domain.games.fivewells.moves import (
    ActivateAbility,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    PassPriority,
    PlayLand,
)
from domain.games.fivewells.records import Blocks, Targets, of_seat
from domain.games.fivewells.waiting import ALL_STOPS
from tests.games.fivewells.table import IDS, PLAYER, Duel

MANA = "STRFGN"
STOPS = (ALL_STOPS, ALL_STOPS)
KEYWORDS = tuple(Keyword)


@dataclass
class Claim:
    """The claims about a card."""

    size: tuple[int, int] | None
    types: tuple[str, ...]
    basic: bool
    cost: str | None
    keywords: tuple[str, ...]


def claimed(text):
    """Parse a claim, such as `2/2 artifact creature for 3 with flying, leech`."""
    said = re.fullmatch(
        r"(?:an? )?(?:(\d+)/(\d+) )?(basic )?([a-z ]+?)(?: for (\w+))?(?: with ([a-z, ]+))?(?: and no keyword)?", text
    )
    size = (int(said[1]), int(said[2])) if said[1] else None
    keywords = tuple(said[6].split(", ")) if said[6] else ()
    return Claim(size, tuple(said[4].split()), bool(said[3]), said[5], keywords)


def shown(name, text, targets):
    """Check all claims about a card; `AssertionError` names the one that fails."""
    claim = claimed(text)
    if claim.types == ("land",):
        is_a_land(name, basic=claim.basic)
    else:
        costs(name, claim, targets)
    if claim.size:
        is_of_size(name, *claim.size)
        for keyword in KEYWORDS:
            said = keyword in claim.keywords
            assert SHOWS[keyword](name, claim) in (said, None), f"{name}: {'no ' * said}{keyword}"
        assert ("artifact" in claim.types) == is_artifact(name), f"{name} is an artifact, or is none"
    elif "artifact" in claim.types:
        assert is_artifact(name), f"{name} is an artifact"


def shown_token(name, text):
    """Check all claims about a token."""
    claim = claimed(text)
    is_of_size(name, *claim.size)
    for keyword in KEYWORDS:
        if keyword != "ambush":
            assert SHOWS[keyword](name, claim) in (keyword in claim.keywords, None), f"{name}: {keyword}"
    assert ("artifact" in claim.types) == is_artifact(name)


def pooled(duel, seat, pool):
    """Give a seat this mana."""
    duel.state.pools = tuple(tuple(pool) if at == seat else (0,) * 6 for at in (0, 1))
    return duel


# --- What it is, and what it costs ---------------------------------------------------------------------------


def is_a_land(name, *, basic):
    """A land is played, not cast; a search finds it if it is basic."""
    duel = Duel(hands=([name], []), stops=STOPS)
    duel.play(0, PlayLand(duel.of(name)))
    assert duel.thing(name), f"{name} is no land"
    duel = Duel(hands=(["Seedcaller Druid"], []), libraries=([name], []), stops=STOPS)
    pooled(duel, 0, (0, 0, 3, 0, 0, 0)).cast(0, "Seedcaller Druid").passes(1, 0, 1)
    found = [duel.of(name)] if basic else []
    assert [face.object for face in duel.state.asked.cards] == found, f"{name} is basic, or is not"


def costs(name, claim, phrase):
    """A card can be cast for exactly its cost: not for less, or with another colour instead.

    Instants and creatures with ambush can also be cast in the opponent's turn, all others only in the player's own main
    step.
    """
    phrase = None if phrase and re.match("when|ability", phrase) else phrase
    duel, targets = stage(name, phrase)
    cost = read_cost(claim.cost)
    x = 2 if cost.x else None
    pool = [*cost.colored, cost.generic + (x or 0)]
    move = CastSpell(duel.of(name), targets, x)
    for kind in [kind for kind in range(6) if pool[kind]]:
        less = [have - (at == kind) for at, have in enumerate(pool)]
        rows = [less]
        if kind < 5:
            rows += [[have + (at == other) for at, have in enumerate(less)] for other in range(6) if other != kind]
        for row in rows:
            code = pooled(duel, 0, row).refusal(0, move)
            assert code == "cannot_pay", f"{name} is paid with {row}, or refused as {code}"
    code = pooled(duel, 0, pool).refusal(0, move)
    assert code is None, f"{name} for {claim.cost} is refused as {code}"
    assert pooled(duel, 0, pool).refusal(0, CastSpell(duel.of(name), targets, None if cost.x else 1)) == "bad_choice"
    duel, targets = stage(name, phrase, active=1)
    if duel.state.priority:
        duel.play(1, PassPriority())
    quick = "instant" in claim.types or "ambush" in claim.keywords
    code = pooled(duel, 0, pool).refusal(0, CastSpell(duel.of(name), targets, x))
    assert code == (None if quick else "wrong_timing"), f"{name} in their turn: {code}"
    if claim.types[-1] in ("instant", "sorcery"):
        duel, targets = stage(name, phrase)
        pooled(duel, 0, pool).play(0, CastSpell(duel.of(name), targets, x))
        assert [one.spell for one in duel.state.stack][-1]
        while duel.state.stack and not duel.state.asked and duel.state.random_discard < 0 and not duel.state.ended:
            duel.play(duel.state.priority, PassPriority())
        assert not duel.thing(name), f"{name} stays"


def is_of_size(name, power, toughness):
    """Unblocked, it deals its power to the player; it dies from damage equal to its toughness, but not from less."""
    duel = Duel(board=([(name, {"attacking": True, "tapped": True})], []), step="block", declared=True, stops=STOPS)
    duel.passes(0, 1)
    assert 20 - duel.state.life[1] == power, f"{name} deals {20 - duel.state.life[1]}"
    for damage, dies in ((toughness - 1, False), (toughness, True)):
        duel = Duel(board=([(name, {"damage": damage}), "Sunfield"], []), stops=STOPS).passes(0)
        assert (duel.thing(name) is None) == dies, f"{name} {'lives' if dies else 'dies'} with {damage} damage"
    duel = Duel(board=([name], []), stops=STOPS)
    assert duel.size(name) == (power, toughness)


def is_artifact(name):
    """Return whether its controller can destroy it as an artifact."""
    duel = Duel(hands=(["Rust and Lichen"], []), board=([name], []), stops=STOPS)
    pooled(duel, 0, (0, 0, 2, 0, 0, 0))
    return duel.refusal(0, CastSpell(duel.of("Rust and Lichen"), Targets(a=(duel.of(name),)))) is None


# --- Keywords ---------------------------------------------------------------------------------------------


def combat(name, blockers, power=1, toughness=0, **more):
    """Set up an attack by the creature with extra strength, blocked by these creatures, if any."""
    mine = (name, {"attacking": True, "tapped": True, "blocked": bool(blockers), "power": power, **more})
    mine[1]["toughness"] = toughness
    duel = Duel(board=([mine], []), step="block", declared=True, stops=STOPS)
    attacker = duel.of(name)
    theirs = [(card, fields | {"blocks": attacker}) for card, fields in blockers]
    return Duel(board=([mine], theirs), step="block", declared=True, stops=STOPS)


def blocks(name, *blockers):
    """Return the refusal code of these blocks of this attacker.

    Two fliers can also block, so that the player is asked.
    """
    theirs = [*blockers, "Stormglass Drake", "Cindermaw Wyrm"]
    duel = Duel(
        board=([(name, {"attacking": True, "tapped": True})], theirs),
        step="block",
        declared=False,
        stops=STOPS,
        priority=-1,
    )
    pairs = tuple(Blocks(duel.of(one), duel.of(name)) for one in blockers)
    return duel.refusal(1, DeclareBlockers(pairs))


def another(name, first, second):
    """Return one of two cards that is not the given one."""
    return second if name == first else first


def flying(name, claim):
    return blocks(name, "Tidewall Crab", "Hollowlog Bear") == "illegal_block"


def daunting(name, claim):
    return blocks(name, another(name, "Skylark Courier", "Harbor Marshal")) == "illegal_block"


def skyguard(name, claim):
    """A flier can also block fliers, so return None: its blocks prove nothing."""
    if "flying" in claim.keywords:
        return None
    board = ([("Cindermaw Wyrm", {"attacking": True, "tapped": True})], [name, "Stormglass Drake"])
    duel = Duel(board=board, step="block", declared=False, stops=STOPS, priority=-1)
    code = duel.refusal(1, DeclareBlockers((Blocks(duel.of(name), duel.of("Cindermaw Wyrm")),)))
    return None if code == "may_not_block" else code is None


def attacking(name, **fields):
    """Return the refusal code for attacking with it, or None, and the duel in which it attacks."""
    duel = Duel(board=([(name, fields), "Bramble Boar"], []), stops=STOPS).passes(0, 1)
    move = DeclareAttackers((duel.of(name),))
    code = duel.refusal(0, move)
    return code, duel if code else duel.play(0, move)


def haste(name, claim):
    return attacking(name, new=True)[0] != "new_creature"


def sentinel(name, claim):
    return attacking(name)[0] == "may_not_attack"


def steadfast(name, claim):
    code, duel = attacking(name)
    return None if code else not duel.thing(name).permanent.tapped


def overrun(name, claim):
    return combat(name, [("Mothertree Seedling", {})], power=9).passes(0, 1).state.life[1] < 20


def quickstrike(name, claim):
    duel = combat(name, [(another(name, "Hollowlog Bear", "Furnace Brute"), {"power": 20})], power=9)
    while duel.state.step in ("block", "first_damage"):
        duel.passes(0, 1)
    return duel.thing(name) is not None


def venom(name, claim):
    big = another(name, "Bark Bulwark", "Tin Lookout")
    duel = combat(name, [(big, {"toughness": 40})])
    while duel.state.step in ("block", "first_damage"):
        duel.passes(0, 1)
    return duel.thing(big) is None


def leech(name, claim):
    return combat(name, []).passes(0, 1).state.life[0] > 20


def warded(name, claim):
    duel = Duel(hands=([], ["Kindle Dart"]), board=([name], []), stops=STOPS).passes(0)
    pooled(duel, 1, (0, 0, 0, 1, 0, 0))
    return duel.refusal(1, CastSpell(duel.of("Kindle Dart"), Targets(a=(duel.of(name),)))) == "illegal_target"


def ambush(name, claim):
    duel = Duel(hands=([name], []), active=1, priority=1, stops=STOPS).passes(1)
    return pooled(duel, 0, (9,) * 6).refusal(0, CastSpell(duel.of(name))) is None


SHOWS = {
    "flying": flying,
    "skyguard": skyguard,
    "haste": haste,
    "steadfast": steadfast,
    "overrun": overrun,
    "quickstrike": quickstrike,
    "venom": venom,
    "leech": leech,
    "warded": warded,
    "daunting": daunting,
    "sentinel": sentinel,
    "ambush": ambush,
}
"""Functions that check each keyword: whether a card has it, or None if the card cannot show it."""


# --- Targets ----------------------------------------------------------------------------------------------

MINE = [
    "Bramble Boar",
    ("Old Grovehorn", {"tapped": True}),
    "Resonant Bell",
    "Iron Galloper",
    ("Gloomfen", {"tapped": True}),
]
THEIRS = [
    "Tidewall Crab",
    ("Furnace Brute", {"tapped": True}),
    ("Orrery of the Five Wells", {"tapped": True}),
    "Thawing Automaton",
]
GRAVEYARDS = (["Fen Biter", "Skylark Courier", "Long Study"], ["Squall Kite", "Mirror Eddy"])
FIGHTERS = (
    ("Anvil Guard", {"attacking": True, "tapped": True, "blocked": True}),
    ("Coalback Hound", {"attacking": True, "tapped": True}),
)

CREATURES = {
    "your creature": ["Bramble Boar", "Old Grovehorn", "Iron Galloper"],
    "their creature": ["Tidewall Crab", "Furnace Brute", "Thawing Automaton"],
}
ALLOWED = {
    **CREATURES,
    "creature": [name for row in CREATURES.values() for name in row],
    "creature or player": [*(name for row in CREATURES.values() for name in row), 0, 1],
    "tapped creature": ["Old Grovehorn", "Furnace Brute"],
    "fighting creature": ["Anvil Guard", "Coalback Hound", "Hollowlog Bear"],
    "artifact": ["Resonant Bell", "Iron Galloper", "Orrery of the Five Wells", "Thawing Automaton"],
    "opponent": [1],
    "spell": ["Hold the Terrace", "Antler Charge"],
    "creature card in your graveyard": ["Fen Biter", "Skylark Courier"],
    "creature card in a graveyard": ["Fen Biter", "Skylark Courier", "Squall Kite"],
}
"""The objects on the stage that each phrase allows: cards by name, players by seat."""

COUNTS = {"": (1, 1), "up to one ": (0, 1), "up to two ": (0, 2), "one or two ": (1, 2)}


def read_phrase(phrase):
    """Parse the possible targets, such as `up to two their creature`: how many, and of what kind."""
    count = next(words for words in sorted(COUNTS, key=len, reverse=True) if phrase.startswith(words))
    return COUNTS[count], phrase.removeprefix(count)


def rows_of(phrase):
    """Return the phrase for each letter of targets; `a: x; b: y` has two."""
    if not phrase:
        return {}
    phrase = re.sub(r"^when it \w+: |^ability: ", "", phrase)
    if ": " in phrase:
        return dict(row.split(": ") for row in phrase.split("; "))
    return {"a": phrase}


def stage(name, phrase, active=0, fields=None, *, there=False):
    """Set up a board with objects of every kind, the card in hand or in play, and possible first targets."""
    rows = {letter: read_phrase(row) for letter, row in rows_of(phrase).items()}
    what = [kind for _, kind in rows.values()]
    mine, theirs = list(MINE), list(THEIRS)
    extra = {"step": "main1"}
    if "fighting creature" in what:
        mine += FIGHTERS
        extra = {"step": "block", "declared": True}
    spells = "spell" in what
    hands = ([], ["Antler Charge"]) if spells else ([], [])
    (mine if there else hands[0]).append((name, fields or {}) if there else name)
    if spells:
        hands[0].append("Hold the Terrace")
    duel = Duel(
        hands=hands,
        board=(mine, theirs),
        graveyards=GRAVEYARDS,
        active=active,
        priority=active,
        stops=STOPS,
        **extra,
    )
    if "fighting creature" in what:
        guard = duel.of("Anvil Guard")
        theirs.append(("Hollowlog Bear", {"blocks": guard}))
        duel = Duel(
            hands=hands,
            board=(mine, theirs),
            graveyards=GRAVEYARDS,
            active=active,
            priority=active,
            stops=STOPS,
            **extra,
        )
    if spells:
        for seat, card in ((0, "Hold the Terrace"), (1, "Antler Charge"))[active:]:
            pooled(duel, seat, (1, 0, 1, 0, 0, 0)).cast(seat, card, a=duel.of("Tidewall Crab"))
    chosen = {letter: tuple(handle_of(duel, one) for one in ALLOWED[kind][-1:]) for letter, (_, kind) in rows.items()}
    return duel, Targets(**chosen) if chosen else None


def handle_of(duel, one):
    """Return the handle of an object that a phrase allows."""
    if one in (0, 1):
        return PLAYER[one]
    on_stack = next((item.item for item in duel.state.stack if PRINTED[item.card].name == one), None)
    return duel.of(one) if on_stack is None else on_stack


def targets_are(name, phrase):
    """Check that only objects named by the phrase can be targets, and only in the stated number."""
    duel, move = targeting(name, phrase)
    rows = {letter: read_phrase(row) for letter, row in rows_of(phrase).items()}
    for letter, ((least, most), kind) in rows.items():
        others = {other: (handle_of(duel, ALLOWED[k][0]),) for other, (_, k) in rows.items() if other != letter}
        allowed = {handle_of(duel, one) for one in ALLOWED[kind]}
        for one in everything(duel, name):
            code = duel.refusal(0, move(Targets(**others, **{letter: (one,)})))
            assert code == (None if one in allowed else "illegal_target"), f"{name} at {said(duel, one)}: {code}"
        for count in range(min(most + 1, len(allowed)) + 1):
            code = duel.refusal(0, move(Targets(**others, **{letter: tuple(sorted(allowed))[:count]})))
            assert code == (None if least <= count <= most else "wrong_target_count"), f"{name} at {count}: {code}"


def said(duel, one):
    return {of_seat(0): "you", of_seat(1): "them"}.get(one) or duel.names[one - 1] if one < 1000 else "a spell"


def everything(duel, name):
    """Return all objects that could be a target, except the card itself: permanents, players, spells, cards in
    graveyards."""
    s = duel.state
    return [
        *(thing.object for thing in board(s).things.values() if PRINTED[thing.permanent.card].name != name),
        *PLAYER,
        *(one.item for one in s.stack if one.spell),
        *(card for pile in s.graveyards for card in pile if duel.names[card - 1] != name),
    ]


def targeting(name, phrase):
    """A duel at the choice of targets, and how a move names them."""
    pool = (9,) * 6
    if not (when := re.match(r"when it (\w+)|(ability)", phrase)):
        duel, _ = stage(name, phrase)
        pooled(duel, 0, pool)
        x = 1 if PRINTED[IDS[name]].cost.x else None
        return duel, lambda targets: CastSpell(duel.of(name), targets, x)
    if when[2]:
        duel, _ = stage(name, phrase, there=True)
        number = PRINTED[IDS[name]].activated[0][0]
        return pooled(duel, 0, pool), lambda targets: ActivateAbility(duel.of(name), number, targets)
    if when[1] == "enters":
        duel, _ = stage(name, phrase)
        pooled(duel, 0, pool).cast(0, name).passes(1)
    elif when[1] == "dies":
        duel, _ = stage(name, phrase, there=True, fields={"damage": 99})
        duel.passes(0)
    else:
        duel, _ = stage(name, phrase, there=True)
        duel.passes(0, 1).play(0, DeclareAttackers((duel.of(name),)))
    assert duel.state.asked, f"{name} asks for no targets"
    assert duel.state.asked.choice == "trigger_targets"
    assert len(trigger_options(duel.state)) == 1
    return duel, lambda targets: Choose("trigger_targets", targets)
