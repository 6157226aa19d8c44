"""Checks the worked examples of Fivewells."""

from domain.card_sets.cards.boosters import open_booster
from domain.card_sets.cards.card_kinds import COLORS, Keyword, Mana, Rarity
from domain.card_sets.cards.card_text import card_text
from domain.card_sets.cards.library import CARDS, SETS
from domain.card_sets.decks.deck import DeckRules, constructed_rules, faults, limited_rules
from domain.core.collectible import Deck
from domain.core.fairness import DrawContext, chain
from domain.core.game import CHANCE
from domain.games.fivewells.casting import ManaSource, choose_sources
from domain.games.fivewells.characteristics import PRINTED
from domain.games.fivewells.events import CardDrawn, PermanentsLeft, SpellCountered, SpellFailed
from domain.games.fivewells.moves import (
    CastSpell,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    Mulligan,
    OrderBlockers,
    PassPriority,
)
from domain.games.fivewells.records import Blocks
from domain.games.fivewells.turn_events import CombatDamageDealt, TurnStarted
from domain.games.fivewells.waiting import ask
from tests.acceptance.reading import by_seat, cases
from tests.games.fivewells.table import IDS, PLAYER, Duel, aim

ROOT, LINKS = bytes(range(32)), 4
PLAIN = "Dawnwatch Recruit"
"""A creature without text."""

MANA = "STRFG" * 4
"""Lands that can pay for any card."""

NO_STOPS = {"stops": ((), ())}


# --- Tables -----------------------------------------------------------------------------------------


def creature(given):
    """Return a creature of the size and with the keywords of an example, or a card by its name."""
    if isinstance(given, str):
        return given
    printed = CARDS[IDS[PLAIN]]
    more = {
        "power": given.get("power", printed.power) - printed.power,
        "toughness": given.get("toughness", printed.toughness) - printed.toughness,
        "keywords": tuple(map(Keyword, given.get("keywords", ()))),
    }
    return PLAIN, more


def with_keywords(words):
    return creature({"power": 1, "toughness": 1, "keywords": words})


def before_combat(attackers, blockers, **fields):
    """Return a duel in which seat 0 is to declare its attackers."""
    return Duel(board=(list(attackers), list(blockers)), **NO_STOPS | {"held": 0} | fields).passes(0)


def attacked(attacker, blockers):
    """Return the same after the first creature of seat 0 has attacked."""
    duel = before_combat([attacker], blockers)
    return duel.play(0, DeclareAttackers((duel.state.ids[0],)))


def fight(case):
    """Attack with one creature and block with all of the opponent's; return the duel and its events."""
    duel = attacked(creature(case["attacker"]), [creature(one) for one in case["blockers"]])
    attacker, *_ = duel.state.ids
    blockers = tuple(p.object for p in duel.state.permanents if p.controller == 1 and PRINTED[p.card].creature)
    told = duel.events
    told += duel.play(1, DeclareBlockers(tuple(Blocks(one, attacker) for one in blockers))).events
    if len(blockers) > 1:
        told += duel.play(0, OrderBlockers(attacker, blockers)).events
    duel.events = told
    return duel, attacker, blockers


def amounts(rows):
    """Sum the damage by target."""
    sums = {}
    for row in rows:
        sums[row.to] = sums.get(row.to, 0) + row.amount
    return sums


# --- Kinds ------------------------------------------------------------------------------------------


def card_files(example):
    for case in cases(example):
        first, second = SETS.values()
        assert len(first.cards) == case.get("core", len(first.cards))
        assert len(second.cards) == case.get("expansion", len(second.cards))
    for one in SETS.values():
        tokens = {token.id: token for token in one.tokens}
        for card in one.cards:
            assert card.text == card_text(card, tokens), card.name


def combat(example):
    for case in cases(example):
        duel, attacker, blockers = fight(case)
        dealt = duel.told(CombatDamageDealt)
        dealt_to = amounts([row for one in dealt for row in one.rows])
        known = {attacker: "attacker"} | {one: f"blocker {n}" for n, one in enumerate(blockers, 1)}
        gone = [known[one] for left in duel.told(PermanentsLeft) for one in left.objects if one in known]
        happened = {
            "to_blockers": [dealt_to.get(one, 0) for one in blockers],
            "to_player": dealt_to.get(PLAYER[1], 0),
            "to_attacker": dealt_to.get(attacker, 0),
            "dies": sorted(gone),
        }
        wanted = {name: case[name] for name in happened if name in case}
        assert wanted
        assert happened | {name: sorted(x) if name == "dies" else x for name, x in wanted.items()} == happened


def block(example):
    for case in cases(example):
        duel = before_combat([with_keywords(case["attacker"])], [with_keywords(words) for words in case["blockers"]])
        attacker, *others = duel.state.ids
        duel.play(0, DeclareAttackers((attacker,)))
        if duel.state.step != "block":
            # Nothing could block, and nobody was asked.
            assert not case["ok"]
            continue
        code = duel.refusal(1, DeclareBlockers(tuple(Blocks(one, attacker) for one in others)))
        assert code == (None if case["ok"] else case.get("code", "illegal_block"))


def stack(example):
    for case in cases(example):
        steps = [step for step in case["when"] if step["does"].startswith("cast ")]
        named = [(step["seat"], step["does"].removeprefix("cast ").removesuffix(" on it")) for step in steps]
        hands = [[name for seat, name in named if seat == each] for each in (0, 1)]
        duel = Duel(hands=hands, lands=(MANA, MANA), stops=(("own main1", "own main2"), ("opponent main1",)))
        for step in case["when"]:
            seat, does = step["seat"], step["does"]
            if does == "pass_priority":
                duel.passes(seat)
            else:
                name = does.removeprefix("cast ").removesuffix(" on it")
                at = {"a": duel.state.stack[-1].item} if does.endswith(" on it") else {}
                duel.cast(seat, name, **at)
            holds_on_stack(duel, step["then"])


def holds_on_stack(duel, then):
    s = duel.state
    if then.get("step_ends"):
        assert s.step != "main1" or s.turn != 3
        return
    there = {"stack": len(s.stack), "priority": s.priority, "passes": s.passes}
    assert there | {name: x for name, x in then.items() if name in there} == there
    if "resolved" in then:
        assert PRINTED[duel.told(SpellCountered)[0].card].name
        owner = next(seat for seat in (0, 1) if then["resolved"] in duel.in_graveyard(seat))
        assert duel.in_graveyard(1 - owner)


def fizzle(example):
    """Remove the target in response to the spell."""
    for case in cases(example):
        duel = Duel(hands=([case["spell"]], ["Kindle Dart"]), board=([], [PLAIN]), lands=(MANA, MANA))
        duel.state.stops = (("own main1",), ("opponent main1",))
        duel.cast(0, case["spell"], a=duel.of(PLAIN)).cast(1, "Kindle Dart", a=duel.of(PLAIN)).passes(0)
        assert (duel.thing(PLAIN) is None) == case["target_left"]
        duel.resolve()
        assert [type(event).__name__ for event in duel.told(SpellFailed)] == [case["event"]]
        assert len(duel.told(CardDrawn)) == case["draws"]


def target(example):
    for case in cases(example):
        boards = ([case["target"]], []) if case["controller"] == "you" else ([], [case["target"]])
        duel = Duel(hands=([case["spell"]], []), board=boards, lands=(MANA, ""))
        move = CastSpell(duel.held(0, case["spell"]), aim({"a": duel.of(case["target"])}))
        assert duel.refusal(0, move) == (None if case["legal"] else case.get("code", "illegal_target"))


def deck_out(example):
    """Check that a seat that has to draw from an empty library loses."""
    for case in cases(example):
        loser = case["loser"]
        libraries = [["Sunfield"] * 5, ["Sunfield"] * 5]
        libraries[loser] = case["library"]
        duel = Duel(libraries=libraries, active=1 - loser, priority=1 - loser, life=tuple(case["life"]), **NO_STOPS)
        duel.state.held = 1 - loser
        duel.passes(1 - loser)
        assert (duel.state.ended.winners, duel.state.ended.reason) == ((1 - loser,), "library")


def both(example):
    for case in cases(example):
        duel = Duel(hands=([case["spell"]], []), lands=(MANA, ""), life=tuple(case["life"]))
        duel.cast(0, case["spell"], a=tuple(PLAYER[seat] for seat in case["targets"])).resolve()
        winner = case["winner"]
        assert duel.state.ended.winners == (() if winner is None else (winner,))


def attack(example):
    for case in cases(example):
        card = (case["card"], {"new": case["new"]})
        # A seat without a creature that can attack is not asked, so there is another one.
        duel = before_combat([card, PLAIN], [])
        chosen_one = duel.of(case["card"])
        code = duel.refusal(0, DeclareAttackers((chosen_one,)))
        assert code == (None if case["ok"] else case["code"])
        if "taps" in case:
            (declared,) = duel.play(0, DeclareAttackers((chosen_one,))).events[:1]
            assert (chosen_one in declared.tapped) == case["taps"]


def last_light(example):
    for case in cases(example):
        duel = Duel(board=([case["card"]], []), life=(case["life"], 20))
        thing = duel.thing(case["card"])
        assert [thing.power, thing.toughness] == case["pt"]
        for word in (one for one in Keyword if one.value in case):
            assert (word in thing.keywords) == case[word.value]


def together(example):
    for case in cases(example):
        boards = by_seat(case["given"]["board"])
        life = tuple(case["given"]["life"])
        board = tuple(list(boards.get(seat, ())) for seat in (0, 1))
        duel = Duel(hands=([case["spell"]], []), board=board, lands=(MANA, ""), life=life)
        duel.cast(0, case["spell"]).resolve()
        while duel.state.stack:
            duel.resolve()
        assert list(duel.state.life) == case["then"]["life"]


def deck(example):
    for case in cases(example):
        found = faults(deck_of(case), rules_of(case))
        code = found[0].code if found else None
        assert code == (None if case.get("ok") else case["refused"])


def deck_of(case):
    """Return a deck of this size with this many copies of a card; the rest are basic lands."""
    copies, beside = case.get("copies", 1), case.get("copies_in_sideboard", 0)
    card = IDS["Bramble Boar"]
    return Deck((card,) * copies + ("fw1-001",) * (case["main"] - copies), (card,) * beside)


def rules_of(case) -> DeckRules:
    if case["format"] == "constructed":
        return constructed_rules(tuple(SETS))
    return limited_rules([CARDS[IDS["Bramble Boar"]]] * (case.get("copies", 1) + case.get("copies_in_sideboard", 0)))


def booster(example):
    for case in cases(example):
        nonces = tuple(case["nonces"])
        n = case.get("n", 0)
        context = DrawContext(case["match_id"], case["epoch"], case["link"], case["purpose"], n, nonces)
        cards = open_booster(SETS[case["set"]], chain(ROOT, LINKS)[case["link"]], context)
        assert [card.id for card in cards] == case["cards"]
        assert cards[-1].rarity in (Rarity.RARE, Rarity.ULTRA_RARE)


def pay(example):
    for case in cases(example):
        rows = [
            ManaSource(int(name[1:]), None if kind == "any" else Mana[kind], 1, int(kind == "any"))
            for name, kind in case["sources"].items()
        ]
        cost = case["cost"]
        generic = int("".join(letter for letter in cost if letter.isdigit()) or 0)
        due = (*(cost.count(color.name) for color in COLORS), generic)
        paid = choose_sources((0,) * 6, sorted(rows, key=lambda one: (one.rank, one.id)), due)
        if "refused" in case:
            assert (paid, case["refused"]) == (None, "cannot_pay")
        else:
            assert sorted(f"o{one.id}" for one in paid) == case["taps"]


def mulligan(example):
    for case in cases(example):
        duel = Duel(libraries=(["Sunfield"] * 30, []), hands=(["Rootwood"] * 7, []), turn=0, step="")
        duel.state.kept = (False, True)
        for _ in range(case["mulligans"]):
            duel.play(0, Mulligan())
            while ask_of_chance(duel):
                duel.play(CHANCE, ask(duel.state).make(tuple(sorted(ask(duel.state).items))))
        for command in case["when"]:
            move = KeepHand(duel.state.hands[0][: command["args"]["bottom"]])
            then = command["then"]
            if "refused" in then:
                assert duel.refusal(0, move) == then["refused"]
            else:
                duel.play(0, move)
                assert len(duel.state.hands[0]) == then["hand"]


def ask_of_chance(duel):
    return any(duel.state.to_shuffle)


def freeze(example):
    for case in cases(example):
        frozen = ("Bramble Boar", {"tapped": case["tapped"], "frozen": case["frozen"]})
        stops = ("own main1",)
        duel = Duel(board=([], [frozen]), stops=(stops, stops))
        for name in ("after_first_untap", "after_second_untap"):
            duel.play(duel.state.priority, PassPriority())
            while not turn_of(duel, 1):
                duel.play(duel.state.priority, PassPriority())
            assert duel.thing("Bramble Boar").permanent.tapped == (case[name] == "tapped")


def turn_of(duel, seat):
    """Return whether the last move began a turn of this seat."""
    return any(event.seat == seat for event in duel.told(TurnStarted))


KINDS = {
    "fw_cards": card_files,
    "fw_combat": combat,
    "fw_block": block,
    "fw_stack": stack,
    "fw_fizzle": fizzle,
    "fw_target": target,
    "fw_deckout": deck_out,
    "fw_both": both,
    "fw_attack": attack,
    "fw_lastlight": last_light,
    "fw_together": together,
    "fw_deck": deck,
    "fw_booster": booster,
    "fw_pay": pay,
    "fw_mulligan": mulligan,
    "fw_freeze": freeze,
}

ABOUT = [
    (2, {"max_turns": 30}, "A game is drawn after 30 turns."),
    (2, {"sideboarding": False}, "Between games, decks stay as they are."),
    (2, {"format": "sealed", "sets": ("fw1",)}, "Each player opens six boosters of First Wells"),
    (2, {"second_deck": "TG"}, "Players without a deck get Sun with Root and Tide with Gloom."),
]
"""Check the rules summary of a table with these seats and options."""
