"""Tests that a game that breaks the contract is refused with a sentence that names the field, by the check or at
start."""

import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from random import Random
from typing import Any

import pytest

from api.game_checks import checks
from api.game_checks.checks import check_options, check_table, checks_of
from domain.core.cards import BACK, Card, Cards, Seat
from domain.core.choices import Choice, proposals
from domain.core.contract import declaration_faults
from domain.core.dealing import WrongDeal
from domain.core.game import Answers, Entry, FactKind, Facts, Memory, Variant
from domain.core.game_guard import guard_game
from domain.core.refusals import Refusal
from domain.core.scene_pointers import MOVE, zone_pointer
from domain.core.type_faults import name_value
from domain.core.values import value
from domain.core.visibility import Hidden, Private, Secrecy, secret_fields
from domain.games import catalogue
from domain.games.catalogue import BUILT_IN, InstalledGame, reserved_names
from tests.laws.games import ENTRIES
from tests.laws.play import steps

GAME = next(game for game in BUILT_IN if game.answers.takes_back and game.facts.kinds)
OTHERS = reserved_names(game for game in BUILT_IN if game is not GAME)
EVENT = next(steps(next(entry for entry in ENTRIES if entry.game is GAME), GAME.setup.options(), Random(0))).events[0]


def raises(*args):
    raise KeyError("table")


def faults(record):
    """Return the faults that `dealt check-game` finds in a definition: in its declaration, else its options, else in
    play."""
    found = [*declaration_faults(record, OTHERS)] or [*check_options(record)]
    found = found or [*check_table(record, record.setup.usual, {}, seed=0)]
    return [f"{at}: {sentence}" for at, sentence in found]


@value
class Unheard:
    seat: Seat


@value
class Bag:
    cards: set[int]


@value
class Global:
    global_: bool = False


@value
class Round:
    round_: int


@value
class Whispered:
    cards: Private[Card]


@value
class Sealed:
    hand_no: int
    deck: Hidden[Cards]


@value
class Twins:
    hand_no: int
    hand_no_: int


@dataclass
class Loose:
    hand_no: int


def broken():
    """Yield definitions with one invalid field, and the beginning of the expected sentence."""
    life, setup, words = GAME.lifecycle, GAME.setup, GAME.words
    more = len(GAME.events)
    yield replace(GAME, name="High Card"), "name: 'High Card' is not made of small letters"
    yield replace(GAME, name=OTHERS.games[0]), f"name: There is a game {OTHERS.games[0]} already."
    yield replace(GAME, rules=2), "rules: 2 is not a str."
    yield replace(GAME, view=None), "view: None is not a Callable."
    yield replace(GAME, setup=replace(setup, seats=(2, 3))), "setup.seats: (2, 3) is not a range."
    yield replace(GAME, setup=replace(setup, usual=99)), "setup.usual: 99 is not in range("
    yield (
        replace(GAME, setup=replace(setup, reveal="soon")),
        "setup.reveal: 'soon' is not one of hand_end, game_end",
    )
    yield (
        replace(GAME, setup=replace(setup, presets={"odd": {"no_such": 1}}, usual_preset="odd")),
        "setup.presets['odd']: There is no option",
    )
    yield replace(GAME, setup=replace(setup, seats=range(2, 10**9))), "setup.seats: range(2, 1000000000) goes beyond 32"
    huge = replace(setup, seats=range(2, 10**12), usual=10**11)
    yield replace(GAME, setup=huge), "setup.seats: range(2, 1000000000000) goes beyond 32 seats."
    yield (
        replace(GAME, setup=replace(setup, usual_preset="none")),
        "setup.usual_preset: 'none' is not in `setup.presets`",
    )
    yield replace(GAME, setup=replace(setup, presets={"\0": {}})), "setup.presets['\\x00']: The name is not made of"
    wild = Variant("9a\n", (), "Nine.")
    yield replace(GAME, setup=replace(setup, variants=(wild,))), "setup.variants[0].code: '9a\\n' is not one line of"
    for bad in ("1\x07", "1\n", "1\u202e", "1" * 10_000, " 1"):
        yield replace(GAME, rules=bad), f"rules: {name_value(bad)} is not one line of at most 20 printable characters"
        yield (
            replace(GAME, words=replace(words, title=bad * 9)),
            f"words.title: {name_value(bad * 9)} is not one line of at most 80",
        )
    yield replace(GAME, rules=" "), "rules: It is empty."
    yield replace(GAME, rules="1.0"), "rules: The version of the rules must be a text without dots."
    yield replace(GAME, name="a" * 61), f"name: {name_value('a' * 61)} is not made of small letters"
    yield replace(GAME, words=replace(words, unseen="\0")), "words.unseen: '\\x00' is not one line of at most 500"
    unclear = {"no_card": Refusal("No card", "")}
    yield replace(GAME, words=replace(words, refusals=unclear)), "words.refusals['no_card'].advice: It is empty."
    yield replace(GAME, moves={}), "moves: There are none."
    twice = {**GAME.moves, "again": next(iter(GAME.moves.values()))}
    yield (
        replace(GAME, moves=twice),
        f"moves['again']: {twice['again'].__name__} is already the move {next(iter(twice))}.",
    )
    yield replace(GAME, moves={"resign": Unheard}), "moves['resign']: Every match has a move of this name."
    yield replace(GAME, moves={"lay": Bag}), "moves['lay'].cards: A client cannot send a set."
    yield replace(GAME, events=(*GAME.events, Bag)), f"events[{more}].cards: Bag.cards cannot hold a set."
    yield replace(GAME, moves={"lay": Twins}), "moves['lay'].hand_no_: In JSON, it has the same name as hand_no."
    yield (
        replace(GAME, events=(*GAME.events, Twins)),
        f"events[{more}].hand_no_: Twins.hand_no_ has the same name in JSON",
    )
    yield replace(GAME, events=(*GAME.events, Loose)), f"events[{more}]: Loose is not a frozen dataclass"
    yield (
        replace(GAME, events=(*GAME.events, Whispered)),
        f"events[{more}].cards: Whispered.cards is private, and no public field of the type `Seat` says whose it is.",
    )
    yield replace(GAME, events=(*GAME.events, GAME.events[0])), f"events[{more}]: There is an event"
    yield (
        replace(GAME, lifecycle=replace(life, hand_starts=Unheard)),
        "lifecycle.hand_starts: Unheard is not among the events.",
    )
    yield (
        replace(GAME, lifecycle=replace(life, hand_no="round")),
        f"lifecycle.hand_no: {life.hand_starts.__name__} has no",
    )
    yield (
        replace(GAME, events=(*GAME.events, Round), lifecycle=replace(life, hand_starts=Round, hand_no="round_")),
        "lifecycle.hand_no: The name of the field does not end in an underscore.",
    )
    yield (
        replace(GAME, setup=replace(setup, options=Global, presets={})),
        "setup.options.global_: The name of an option does not end in an underscore.",
    )
    yield (
        replace(GAME, events=(*GAME.events, Sealed), lifecycle=replace(life, hand_starts=Sealed)),
        "lifecycle.hand_starts: Sealed has secret fields",
    )
    yield (
        replace(GAME, setup=replace(setup, reveal="hand_end"), lifecycle=replace(life, hand_ends=())),
        "lifecycle.hand_ends: There are none, but setup.reveal is 'hand_end'.",
    )
    yield (
        replace(GAME, lifecycle=replace(life, game_starts="Begun")),
        "lifecycle.game_starts: 'Begun' is not a type.",
    )
    for kind in (life.hand_starts, life.game_starts, life.game_ends, *GAME.answers.by, *life.tricks):
        yield (
            replace(GAME, lifecycle=replace(life, hand_ends=(kind,))),
            f"lifecycle.hand_ends[0]: {kind.__name__} cannot end a hand, because it has another role.",
        )
    yield replace(GAME, lifecycle=replace(life, hand_ends=life.game_ends)), "lifecycle.hand_ends: "
    for name, told, fault in (
        ("turn", {Unheard: str}, "lifecycle.moments['turn'][Unheard]: Unheard is not among the events."),
        ("hand", {}, "lifecycle.moments['hand']: Every replay has marks of this name already."),
        ("A turn", {}, "lifecycle.moments['A turn']: The name is not made of small letters"),
        ("turn", {life.hand_starts: lambda: ""}, "lifecycle.moments['turn']["),
    ):
        yield replace(GAME, lifecycle=replace(life, moments={name: told})), fault
    yield replace(GAME, lifecycle=replace(life, hand_ends=(int,))), "lifecycle.hand_ends[0]: int is not among the"
    answers = GAME.answers
    yield replace(GAME, answers=replace(answers, by={})), "answers.by: There are none, so no clock would ever stop."
    taken_back = next(iter(answers.takes_back))
    fewer = {kind: name for kind, name in answers.by.items() if kind is not taken_back}
    yield (
        replace(GAME, answers=replace(answers, by=fewer)),
        f"answers.takes_back: {taken_back.__name__} is not in answers.by",
    )
    yield (
        replace(GAME, answers=Answers({Unheard: "seat"}, answers.move_of)),
        "answers.by[Unheard]: Unheard is not among",
    )
    mine = next(iter(answers.by))
    yield (
        replace(GAME, answers=Answers({mine: "who"}, answers.move_of)),
        f"answers.by[{mine.__name__}]: {mine.__name__} has no field who",
    )
    yield (
        replace(GAME, answers=replace(answers, off_turn=frozenset([Unheard]))),
        "answers.off_turn: Unheard is not among the moves.",
    )
    yield replace(GAME, words=replace(words, title="")), "words.title: It is empty."
    yield (
        replace(GAME, words=replace(words, rulebook="tests")),
        "words.rulebook: There is no rulebook.md in the package tests.",
    )
    yield replace(GAME, words=replace(words, rulebook="no.such")), "words.rulebook: 'no.such' is not a package."
    other = {"wrong_phase": Refusal("Otherwise", "Not so.")}
    yield (
        replace(GAME, words=replace(words, refusals=other)),
        "words.refusals['wrong_phase']: This code already has another meaning",
    )
    taken = {"not_found": Refusal("No such card", "Look again.")}
    yield (
        replace(GAME, words=replace(words, refusals=taken)),
        "words.refusals['not_found']: The API uses this code itself.",
    )
    yield replace(GAME, facts=Facts({"hand": "cards"})), "facts.kinds['hand']: 'cards' is not a FactKind."
    yield (
        replace(GAME, facts=Facts({"phase": FactKind.NUMBER})),
        "facts.kinds['phase']: A fact of this name must be a word.",
    )
    yield (
        replace(GAME, deal=replace(GAME.deal, sees={Unheard: print})),
        "deal.sees[Unheard]: Unheard is not among",
    )
    yield replace(GAME, start=lambda options, seats, last: object()), "start: object is not a dataclass"
    yield (
        replace(GAME, start=lambda options, seats, last: 1 // 0),
        "start: It raises ZeroDivisionError",
    )
    yield replace(GAME, setup=replace(setup, resolve=raises)), "setup.resolve: It raises KeyError: 'table'."
    yield replace(GAME, setup=replace(setup, resolve=lambda given, seats: None)), "setup.resolve: None is not a Map"
    yield replace(GAME, setup=replace(setup, bad_options=raises)), "setup.bad_options: It raises KeyError: 'table'."
    yield replace(GAME, outcome=raises), "outcome: It raises KeyError: 'table'."


@pytest.mark.parametrize(
    ("record", "sentence"), list(broken()), ids=lambda x: x.split(":")[0] if isinstance(x, str) else ""
)
def test_definition_that_breaks_the_contract_is_refused_with_the_field(record, sentence):
    assert any(fault.startswith(sentence) for fault in faults(record)), faults(record)


GAME_MOVE = next(iter(GAME.moves.values()))


@value
class Brought:
    seat: Seat
    token: Private[int]


def but(evolve, kind):
    """Return an `evolve` that ignores one type of event."""
    return lambda s, event: None if type(event) is kind else evolve(s, event)


def with_part(function, **parts):
    """Return a function whose result has other fields."""
    return lambda *args: (made := function(*args)) and replace(made, **parts)


def changing(function):
    """Return a function that changes the phase of the state it is given."""

    def changed(s, seat):
        given = function(s, seat)
        s.phase += "?"
        return given

    return changed


def with_setup(**parts):
    return replace(GAME, setup=replace(GAME.setup, **parts))


def facts_known(known):
    return replace(GAME, facts=replace(GAME.facts, known=known))


def other_deal(dealing, event):
    raise WrongDeal("The hands do not follow from the seed.")


def remembering():
    """Return a game with fields that fade."""
    return next(game for game in BUILT_IN if game.memory)


def always_the_first():
    """Return the correct seat, but always the move that was made first."""
    first = {}

    def move_of(event):
        found = GAME.answers.move_of(event)
        return found and (found[0], first.setdefault(type(event), found[1]))

    return move_of


def ends_hands_by(game, *names):
    """Return the game with a definition whose hands end with the events of these names."""
    kinds = {kind.__name__: kind for kind in game.events}
    return replace(game, lifecycle=replace(game.lifecycle, hand_ends=tuple(kinds[name] for name in names)))


def untrue():
    """Yield definitions that look correct except for one function, with the expected fault."""
    words, answers = GAME.words, GAME.answers
    yield replace(GAME, scene=lambda: None), "scene: It takes 0 arguments, but is called with 2."
    yield replace(GAME, evolve=lambda s: None), "evolve: It takes 1 argument, but is called with 2."
    yield (
        replace(GAME, words=replace(words, about=lambda: "")),
        "words.about: It takes 0 arguments, but is called with 2.",
    )
    yield with_setup(bad_options=lambda options, seats: None), "setup.bad_options: None is not a Mapping."
    yield with_setup(deciding=lambda options, seats: 1), "setup.deciding: 1 is not a Mapping"
    yield with_setup(deciding=lambda options, seats: {"no_such": 1}), "setup.deciding: There is no option no_such."
    yield with_setup(may_chat=raises), "setup.may_chat: It raises KeyError: 'table'."
    yield with_setup(most_hands=lambda options, seats: -1), "setup.most_hands: -1 is not a number of hands."
    yield with_setup(sides=lambda options, seats: (0,)), "setup.sides: (0,) does not give each of "
    yield with_setup(best_of=101), "setup.best_of: 101 is not an odd number from 1 to 99."
    poker = next(game.words.hand_history for game in BUILT_IN if game.words.hand_history)
    taken = replace(words, hand_history=poker)
    yield replace(GAME, words=taken), f"words.hand_history: There is a game with the code {poker[0]} already."
    yield replace(GAME, view=raises), "view: It raises KeyError: 'table'."
    yield replace(GAME, view=lambda s, seat: sys.exit(3)), "view: It raises SystemExit: 3."
    yield replace(GAME, scene=lambda s, seat: {}), "scene: {} is not a Scene."
    yield replace(GAME, evolve=raises), "evolve: It raises KeyError: 'table'."
    yield replace(GAME, consequences=lambda s: (EVENT,)), "consequences: After "
    knows = replace(GAME, to_act=lambda s: GAME.to_act(s)[:: 1 if any(BACK in hand for hand in s.hands) else -1])
    yield knows, "to_act: Seat 0 cannot know it: it depends on cards that the seat was not shown."
    yield replace(GAME, legal=lambda s, seat: None), "legal: None is not a tuple."
    yield replace(GAME, legal=lambda s, seat: (5,)), "legal[0]: 5 is not a Choice."
    yield replace(GAME, legal=lambda s, seat: ()), "legal: Seat "
    all_moves = replace(answers, off_turn=frozenset(GAME.moves.values()))
    yield replace(GAME, answers=all_moves), "legal: Seat 0 is to act, but has no legal move."
    yield replace(GAME, legal=lambda s, seat: GAME.legal(s, 0), to_act=lambda s: GAME.to_act(s)[:1]), "legal: Seat "
    yield replace(GAME, to_act=lambda s: ()), "to_act: It names no seat, but the game is not over."
    yield replace(GAME, to_act=lambda s: (99,)), "to_act: There is no seat 99."
    yield replace(GAME, ask=raises), "ask: It raises KeyError"
    for name in ("PassChosen", "CardPlayed"):
        fewer = {kind: seat for kind, seat in answers.by.items() if kind.__name__ != name}
        by = replace(answers, by=fewer, takes_back=frozenset(answers.takes_back & fewer.keys()))
        yield replace(GAME, answers=by), "answers.by: Seat "
    yield (
        ends_hands_by(GAME, "CardCut"),
        "lifecycle.hand_ends: decide returns CardCut, which only `consequences` may return.",
    )
    short = next(game for game in BUILT_IN if game.words.hand_history)
    short = replace(short, words=replace(short.words, hand_history=()))
    yield (
        ends_hands_by(short, "PotAwarded", "HandSettled"),
        "lifecycle.hand_ends: HandSettled ends a hand, but none has begun.",
    )
    yield ends_hands_by(short, "PlayerWithdrawn"), "lifecycle.hand_ends: HandStarted begins a hand while another has"
    yield replace(GAME, decide=lambda s, seat, move: (Unheard(0),)), "decide: Unheard is not among the events."
    yield replace(GAME, words=replace(words, text=raises)), "words.text: It raises KeyError: 'table'."
    yield replace(GAME, words=replace(words, text=lambda event: 5)), "words.text: 5 is not a str."
    yield replace(GAME, words=replace(words, text=lambda event: "")), "words.text: Its text "
    yield replace(GAME, evolve=lambda s, event: None), "evolve: After "
    yield replace(GAME, evolve=but(GAME.evolve, next(iter(GAME.answers.by)))), "evolve: After "
    yield replace(GAME, refusal=lambda s, seat, move: "no"), "refusal: 'no' is neither a common code nor one of"
    yield replace(GAME, view=lambda s, seat: {"cards": {1, 2}}), "view: It holds {1, 2}, which cannot be written"
    lost = {cls: {MOVE: zone_pointer("attic")} for cls in GAME.moves.values()}
    yield replace(GAME, answers=replace(GAME.answers, where=lambda s, seat: lost)), "answers.where: '/zones/attic' of"
    odd = {cls: {"no_such": zone_pointer("hand", 0)} for cls in GAME.moves.values()}
    missing = f"answers.where: {GAME_MOVE.__name__} has no argument no_such."
    yield replace(GAME, answers=replace(GAME.answers, where=lambda s, seat: odd)), missing
    yield replace(GAME, scene=lambda s, seat: GAME.scene(s, 0)), "scene: Its seat is 0, but it is drawn for 1."
    yield replace(GAME, to_act=lambda s: GAME.to_act(s) * 2), "to_act: ("
    for name in ("legal", "view", "scene"):
        yield replace(GAME, **{name: changing(getattr(GAME, name))}), f"{name}: It changes the state that it is given."
    yield replace(GAME, scene=with_part(GAME.scene, seats=())), "scene: It must show each seat once"
    yield replace(GAME, scene=with_part(GAME.scene, phase="dusk")), "scene: Its phase is 'dusk', but the game is"
    yield replace(GAME, timing=replace(GAME.timing, default=lambda s, seat: Unheard(0))), "timing.default: Unheard("
    yield replace(GAME, view=lambda s, seat: {"note": "\ud800"}), "view: It holds '\\ud800', which cannot be written"
    yield replace(GAME, timing=replace(GAME.timing, seconds=lambda s: 10**12)), "timing.seconds: 1000000000000 is not"
    yield replace(GAME, timing=replace(GAME.timing, seconds=lambda s: -5)), "timing.seconds: -5 is not"
    yield replace(GAME, leaving=replace(GAME.leaving, out=lambda s: (99,))), "leaving.out: (99,) are not seats."
    stop = replace(GAME.leaving, stop=lambda s, seats, reason: ())
    yield replace(GAME, leaving=stop), "leaving.stop: It must end the game."
    stop = replace(GAME.leaving, stop=lambda s, seats, reason: GAME.leaving.stop(s, (0,), reason))
    yield replace(GAME, leaving=stop), "leaving.stop: Seats "
    yield (
        replace(GAME, outcome=with_part(GAME.outcome, places=())),
        "outcome: It must have a place and a score for each",
    )
    yield facts_known(lambda s, seat: {"no_such": 1}), "facts.known: 'no_such' is not among facts.kinds."
    number = next(name for name, kind in GAME.facts.kinds.items() if kind is FactKind.NUMBER)
    yield facts_known(lambda s, seat: {number: "one"}), f"facts.known: '{number}' is 'one', which is not a number."
    completed = replace(GAME.facts, completes=frozenset([GAME_MOVE]), completed=lambda *_: Unheard(0))
    yield replace(GAME, facts=completed), f"facts.completed: Unheard(seat=0) is no {GAME_MOVE.__name__}."
    dealt = next(kind for kind in GAME.deal.sees if Secrecy.EACH in secret_fields(kind).values())
    wrong = replace(GAME.deal, sees={**GAME.deal.sees, dealt: other_deal})
    yield replace(GAME, deal=wrong), f"deal.sees[{dealt.__name__}]: It raises WrongDeal: "
    asks = replace(GAME.deal, sees={**GAME.deal.sees, dealt: lambda dealing, event: dealing.shuffled("odd", ())})
    yield replace(GAME, deal=asks), f"deal.sees[{dealt.__name__}]: It raises ValueError: chance was not asked for 'odd'"
    yield replace(GAME, deal=replace(GAME.deal, sees={})), "deal.sees: No event is compared with the answers of "
    entry = Entry(Brought, lambda s, brought: (Unheard(0),))
    yield replace(GAME, events=(*GAME.events, Brought), entry=entry), "entry.opening: Unheard is not among the events."
    yield (
        replace(GAME, lifecycle=replace(GAME.lifecycle, gains=lambda s: ())),
        "lifecycle.gains: () does not give the gains of each of ",
    )
    memory = replace(remembering(), memory=Memory(lambda s, seat, event: None))
    yield memory, "memory.remembered: None is not a bool."
    yield replace(GAME, answers=replace(answers, move_of=lambda event: None)), "answers.move_of: It does not give the"
    yield replace(GAME, answers=replace(answers, move_of=always_the_first())), "answers.move_of: It does not give the"


@pytest.mark.parametrize(("record", "sentence"), list(untrue()), ids=lambda x: x if isinstance(x, str) else "")
def test_unplayable_definition_is_refused_with_the_field(record, sentence):
    assert [said[: len(sentence)] for said in faults(replace(record, name="mine"))[:1]] == [sentence]


# --- At the start -------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["start", "to_act", "legal", "decide", "consequences", "evolve", "view", "scene"])
def test_unplayable_game_is_refused_at_start_with_the_function(field):
    broken = replace(GAME, name="mine", **{field: raises})
    games, refused = catalogue.admit_games([InstalledGame("mine", "a package", broken)])
    assert "mine" not in games
    (said,) = refused
    assert said.startswith(
        f"The game of a package is not admitted. mine: {field} raises KeyError at test_admission.py:"
    )
    assert said.endswith(" `dealt check-game mine` says more.")


@pytest.mark.parametrize(
    ("field", "function", "why"),
    [
        ("to_act", lambda s: (), "mine: to_act names no seat, and the game is not over."),
        ("legal", lambda s, seat: (), "mine: legal returns no move for seat "),
        ("view", lambda s, seat: 5, "mine: view returns a value of the wrong type."),
    ],
)
def test_game_that_raises_is_refused_at_the_start(field, function, why):
    broken = replace(GAME, name="mine", **{field: function})
    _, (said,) = catalogue.admit_games([InstalledGame("mine", "a package", broken)])
    assert why in said


def test_unchecked_game_starts_quickly():
    begun = time.process_time()
    games, _ = catalogue.admit_games([InstalledGame("mine", "a package", replace(GAME, name="mine"))])
    assert "mine" in games
    assert time.process_time() - begun < 2


# --- Choices of a game's own --------------------------------------------------------------------------


@value
class Own:
    """A choice with its own class, some parts of which are replaced."""

    of_game: Choice
    others: Mapping[str, Any]

    def __getattr__(self, name):
        return self.others[name] if name in self.others else getattr(self.of_game, name)


class Vague(Own):
    """A choice with a part that cannot be read."""

    @property
    def exact(self):
        return raises()


def offering(cls=Own, **others):
    """Return the game with choices of this class and these parts."""
    return replace(GAME, legal=lambda s, seat: tuple(cls(choice, others) for choice in GAME.legal(s, seat)))


def with_schema(schema):
    return offering(schema=lambda: schema)


SCHEMA = "is not the JSON Schema of an object, with its `properties`."
OF_CHOICES = [
    (offering(make=Unheard), "make: Unheard is not among the moves."),
    (offering(make=5), "make: 5 is not among the moves."),
    (offering(exact="yes"), "exact: 'yes' is not a bool."),
    (offering(of=7), "of: 7 is not a tuple."),
    (with_schema(None), f"schema: None {SCHEMA}"),
    (with_schema({"type": "string"}), "schema: {'type': 'string'} is not the JSON Schema of an object"),
    (with_schema({"properties": {"x": {1}}}), "schema: It holds {1}, which cannot be written as JSON."),
    (with_schema({"properties": {}, "required": 5}), "schema: Its `required` is 5, which is not a list."),
    (with_schema({"properties": {}, "required": [{}]}), "schema: Its `required` has {}, which is not a name."),
    (with_schema({"properties": {"cards": {"required": [5]}}}), "schema: Its `required` has 5, which is not a name."),
    (with_schema({"properties": {"no_such": {}}}), f"schema: {GAME_MOVE.__name__} has no argument no_such."),
    (with_schema({"properties": {}}), "schema: The argument "),
    (with_schema({"properties": {"cards": 5}}), "schema: 5 is not a JSON Schema."),
    (with_schema({"properties": {"cards": {"items": None}}}), "schema: None is not a JSON Schema."),
    (with_schema({"properties": {"cards": {"type": "cards"}}}), "schema: Its `type` has 'cards', which is not a JSON"),
    (with_schema({"properties": {"cards": {"type": {}}}}), "schema: Its `type` has {}, which is not a JSON"),
    (with_schema({"properties": {"cards": {"enum": 5}}}), "schema: Its `enum` is 5, which is not a list."),
    (with_schema({"properties": {"cards": {"maximum": float("nan")}}}), "schema: It holds nan, which cannot be"),
    (offering(schema=raises), "It raises KeyError: 'table'."),
    (offering(sample=lambda rng: None), f"sample: None is not a {GAME_MOVE.__name__}."),
    (offering(sample=lambda rng: GAME_MOVE(5)), f"sample: {GAME_MOVE.__name__}."),
    (offering(sample=lambda rng: GAME_MOVE(())), f"sample: It returns {GAME_MOVE.__name__}("),
    (offering(admits=lambda move: 1), "admits: 1 is not a bool."),
    (offering(proposals=lambda: None), "proposals: None is not a tuple."),
    (offering(proposals=lambda: (GAME_MOVE(()),)), f"proposals: It returns {GAME_MOVE.__name__}("),
    (offering(Vague), "It raises KeyError: 'table'."),
]


@pytest.mark.parametrize(("record", "sentence"), OF_CHOICES, ids=[sentence for _, sentence in OF_CHOICES])
def test_undescribable_choice_is_refused_with_its_class_and_part(record, sentence):
    (fault,) = faults(record)
    begins = sentence if sentence.startswith("It raises") else f"Own.{sentence}"
    assert fault.startswith(f"legal: {begins}")


def test_valid_custom_choice_is_admitted():
    assert list(faults(offering())) == []


def test_optional_parts_of_a_choice_may_be_none_on_trial_and_live():
    game = offering(of=None, plain=None, proposals=None)
    assert list(faults(game)) == []
    played = steps(next(entry for entry in ENTRIES if entry.game is GAME), GAME.setup.options(), Random(0))
    state, seat = next((step.state, seat) for step in played for seat in GAME.to_act(step.state) if seat >= 0)
    (choice, *_) = guard_game(game).legal(state, seat)
    assert (choice.of, choice.plain, proposals(choice)) == (None, None, ())


# --- Time, and what modules raise ---------------------------------------------------------------------


def for_ever(*_):
    while True:
        time.sleep(0.001)


@pytest.mark.parametrize("name", ["legal", "evolve"])
def test_slow_check_names_the_function(name, monkeypatch):
    monkeypatch.setattr(checks, "CHECK_SECONDS", 0.5)
    slow = replace(GAME, name="mine", **{name: for_ever})
    (fault,) = checks_of(InstalledGame("mine", "a package", slow), ())[2].faults()
    assert fault == f"{name}: While it ran, the check took longer than 0.5 s."
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_game_whose_functions_are_slow_in_total_is_refused(monkeypatch):
    monkeypatch.setattr(catalogue, "SHORT_GAME_SECONDS", 0.5)

    def consequences(s):
        time.sleep(0.05)
        return GAME.consequences(s)

    _, (refused,) = catalogue.admit_games(
        [InstalledGame("mine", "a package", replace(GAME, name="mine", consequences=consequences))]
    )
    assert "The game: a short game took longer than 0.5 s." in refused


def test_uninterruptible_call_ends_the_process():
    endless = """
from itertools import repeat
from domain.core.time_limit import time_limit
with time_limit("the trial", 0.2):
    sum(repeat(0))
"""
    done = subprocess.run([sys.executable, "-c", endless], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "Timeout" in done.stderr


MODULES = {
    "import sys\nsys.exit('Goodbye')": "SystemExit: Goodbye.",
    "class Odd(BaseException): pass\nraise Odd('no')": "Odd: no.",
    "import time\nwhile True: time.sleep(0.01)": "the import took longer than 0.5 s.",
}


@pytest.mark.parametrize(("code", "why"), MODULES.items(), ids=MODULES.values())
def test_module_that_cannot_be_imported_is_refused(code, why, monkeypatch, tmp_path):
    monkeypatch.setattr(catalogue, "IMPORT_SECONDS", 0.5)
    (tmp_path / "leaves.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("mine", "leaves:GAME", catalogue.GROUP)
    monkeypatch.setattr(catalogue, "entry_points", lambda group: [entry])
    _, refused = catalogue.admit_games(catalogue.installed_games())
    assert refused == [f"The game of a package, entry point mine is not admitted. leaves:GAME cannot be loaded: {why}"]


@pytest.mark.parametrize(
    ("offered", "why"),
    [
        (InstalledGame("mine", "a package", GAME), f"name: There is a game {GAME.name} already."),
        (
            InstalledGame("mine", "a package", replace(GAME, name="other")),
            "name: 'other' is not the name of its entry point.",
        ),
        (InstalledGame("mine", "a package", 5), "The game: 5 is not a `Game`."),
        (
            InstalledGame("mine", "a package", "mine:GAME cannot be loaded: ImportError: no."),
            "mine:GAME cannot be loaded",
        ),
    ],
)
def test_installed_game_that_breaks_the_contract_is_left_out(offered, why):
    games, refused = catalogue.admit_games([offered])
    assert list(games) == [game.name for game in BUILT_IN]
    assert refused[0].startswith(f"The game of a package is not admitted. {why}")


def test_installed_game_that_keeps_the_contract_is_admitted():
    games, refused = catalogue.admit_games([InstalledGame("mine", "a package", replace(GAME, name="mine"))])
    assert list(games)[-1] == "mine"
    assert refused == []
