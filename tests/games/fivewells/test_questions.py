"""Tests that players see each question with its reason, and answer with objects on the table or with words."""

import pytest

from domain.core.choices import proposals
from domain.core.scene import as_json
from domain.games.fivewells.events import Scouted
from domain.games.fivewells.moves import Arranged, CastSpell, Choose, DeclareAttackers, DeclareBlockers, OrderBlockers
from domain.games.fivewells.records import Blocks
from domain.games.fivewells.shown import argument_places, scene
from domain.games.fivewells.waiting import legal
from tests.games.fivewells.examples import PLAIN, before_combat
from tests.games.fivewells.table import PLAYER, Duel


def asked(duel, seat=0):
    """Return the schema of the answer that a seat is asked for."""
    return legal(duel.state, seat)[0].schema()


def countered():
    """Return a creature spell that is countered unless its controller pays."""
    duel = Duel(hands=([PLAIN], ["Gainsay the Wave"]), lands=("SSSSSSSS", "TT"))
    duel.cast(0, PLAIN).cast(1, "Gainsay the Wave", a=duel.state.stack[0].item)
    return duel.resolve()


MODES = ("you gain 3 life", "put a growth counter on this creature")
BY_A_WORD = {
    "mode": (
        lambda: Duel(hands=(["Meadow Chaplain"], []), lands=("SR", "")).cast(0, "Meadow Chaplain").resolve().resolve(),
        f"Meadow Chaplain: When this creature enters: choose one: {' / '.join(MODES)}",
        {i: f"{text[0].upper()}{text[1:]}" for i, text in enumerate(MODES)},
    ),
    "may": (
        lambda: Duel(hands=(["Carrion Moth"], []), lands=("GGGG", "")).cast(0, "Carrion Moth").resolve().resolve(),
        "Carrion Moth: When this creature enters: you may have each player mill two cards",
        {True: "Yes", False: "No"},
    ),
    "pay_or_not": (
        countered,
        "Gainsay the Wave: Counter target spell unless its controller pays 3",
        {True: "Pay 3", False: "Do not pay"},
    ),
}


@pytest.mark.parametrize("choice", BY_A_WORD)
def test_yes_or_no_question_names_each_answer(choice):
    begin, says, answers = BY_A_WORD[choice]
    duel = begin()
    schema = asked(duel)
    assert (duel.state.asked.choice, schema["description"]) == (choice, f"{says}.")
    value = schema["properties"]["value"]
    names = {str(one).lower(): text for one, text in answers.items()}
    assert (value["enum"], value["x-names"]) == ([*answers], names)
    assert schema["required"][0] == "value"  # the chosen one comes first
    duel.play(0, Choose(choice, value["enum"][-1]))


SOME = {
    "Pry Loose": ("Cards to discard for Pry Loose", Duel(hands=([PLAIN] * 3, ["Pry Loose"]), lands=("", "GGG"))),
    "Night's Levy": (
        "Permanents to sacrifice for Night's Levy",
        Duel(hands=([], ["Night's Levy"]), board=([PLAIN, PLAIN], []), lands=("", "GG")),
    ),
}


@pytest.mark.parametrize("card", SOME)
def test_choice_among_cards_names_the_asking_card(card):
    says, duel = SOME[card]
    duel.state.active = duel.state.priority = 1
    duel.cast(1, card, a=PLAYER[0]).resolve()
    schema = asked(duel)
    assert schema["properties"]["value"]["description"] == says
    assert schema["description"].startswith(f"{card}: Target opponent ")


def test_cleanup_discard_prompt_names_the_hand_limit():
    duel = Duel(hands=([PLAIN] * 9, []), step="dusk", stops=((), ()), held=0).passes(0)
    assert asked(duel)["properties"]["value"]["description"] == "Cards to discard, down to seven"
    assert "description" not in asked(duel)


def test_blocker_order_prompt_names_the_attacker():
    duel = before_combat([PLAIN, PLAIN], [PLAIN, PLAIN])
    second = duel.of(PLAIN, 1)
    duel.play(0, DeclareAttackers((second,)))
    duel.play(1, DeclareBlockers((Blocks(duel.of(PLAIN, 2), second), Blocks(duel.of(PLAIN, 3), second))))
    says = asked(duel)["properties"]["order"]["description"]
    assert [*argument_places(duel.state, 0)[OrderBlockers]] == ["order"]  # the attacker cannot be pressed
    assert says == f"Blockers of {PLAIN} (2nd), in the order of damage"


@pytest.mark.parametrize(
    ("bottom", "top", "left"),
    [((), (), (0, 1)), ((0,), (), (1,)), ((), (1,), (1, 0)), ((1, 0), (), ()), ((0,), (1,), (1,))],
)
def test_unnamed_scouted_cards_stay_on_top_in_order(bottom, top, left):
    duel = Duel(board=(["Orrery of the Five Wells"], []), step="dusk", active=1, priority=0, passes=1, turn=2)
    while duel.state.asked is None:
        duel.passes(duel.state.priority)
    lie = [face.object for face in duel.state.asked.cards]
    at = argument_places(duel.state, 0)[Choose]
    assert at == dict.fromkeys(("value.bottom", "value.top"), "/zones/looked_at-0")
    put = Arranged(tuple(lie[i] for i in bottom), tuple(lie[i] for i in top))
    [told] = duel.play(0, Choose("scout", put)).told(Scouted)
    assert told.top == tuple(lie[i] for i in left)
    assert duel.state.libraries[0][: len(left)] == told.top


def test_library_count_for_the_opponent_includes_looked_at_cards():
    duel = Duel(board=(["Orrery of the Five Wells"], []), step="dusk", active=1, priority=0, passes=1, turn=2)
    while duel.state.asked is None:
        duel.passes(duel.state.priority)
    library, looked_at = len(duel.state.libraries[0]), len(duel.state.asked.cards)
    zones = [{zone.id: zone.count for zone in scene(duel.state, reader).zones} for reader in (0, 1)]
    assert (zones[0]["library-0"], zones[0]["looked_at-0"]) == (library - looked_at, looked_at)
    assert zones[1]["library-0"] == library
    assert "looked_at-0" not in zones[1]


def at(duel):
    """Return the marks on the stack's spots."""
    return [spot["marks"] for spot in as_json(scene(duel.state, 0))["zones"]["stack"]["spots"]]


def test_stack_object_names_its_targets():
    duel = Duel(hands=(["Kindle Dart"], []), board=([PLAIN], [PLAIN, PLAIN, "Anvil Guard"]), lands=("F", ""))
    before = duel.state.copy()
    targets = {
        PLAYER[1]: "seat 1",
        duel.of(PLAIN, 2): f"{PLAIN} (2nd) of seat 1",
        duel.of(PLAIN): f"{PLAIN} of seat 0",
        duel.of("Anvil Guard"): "Anvil Guard",  # the other has none
    }
    for target, says in targets.items():
        duel.state = before.copy()
        assert at(duel.cast(0, "Kindle Dart", a=target)) == [[f"at {says}"]]


def test_counterspell_names_its_target():
    duel = Duel(hands=([PLAIN], ["Mirror Eddy"]), lands=("SSSSSSSS", "TTT"))
    duel.cast(0, PLAIN).cast(1, "Mirror Eddy", a=duel.state.stack[0].item)
    assert at(duel) == [[], [f"at {PLAIN}"]]


def test_highest_payable_number_is_proposed():
    duel = Duel(hands=(["Open the Crucible"], []), board=([PLAIN], []), lands=("FFFF", ""))
    casts = [one for one in legal(duel.state, 0) if one.make is CastSpell]
    assert [[move.x for move in proposals(one)] for one in casts] == [[3], [3]]
    assert all(one.admits(move) for one in casts for move in proposals(one))
