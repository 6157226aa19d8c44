"""Every game keeps to its record: what it declares is so, and what happens is declared.

A record that breaks the contract is refused, with a sentence that names the field.
"""

import sys
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from random import Random

import pytest

from domain.core.cards import Card, Cards, Seat
from domain.core.contract import faults
from domain.core.dealing import WrongDeal
from domain.core.game import CHANCE, Answers, Entry, FactKind, Facts, Memory, fold
from domain.core.options import misfit
from domain.core.refusals import Refusal
from domain.core.scene import TURN
from domain.core.values import value
from domain.core.visibility import Hidden, Private, Secrecy, secret_fields
from domain.games import catalogue
from domain.games.catalogue import BUILT_IN, GAMES, Offer, reserved
from events.log.codec import EVERYBODY, Shape
from tests.laws.games import ENTRIES
from tests.laws.play import steps

GAME = next(game for game in BUILT_IN if game.answers.takes_back and game.facts.kinds)
OTHERS = reserved(game for game in BUILT_IN if game is not GAME)
EVENT = next(steps(next(entry for entry in ENTRIES if entry.game is GAME), GAME.setup.options(), Random(0))).events[0]
TABLES = {f"{entry.game.name} {entry.seats}": entry for entry in ENTRIES}
LONGEST = 2_000
"""Moves of a game that is played here, at most."""


@pytest.mark.parametrize("game", list(GAMES.values()), ids=lambda game: game.name)
def test_every_record_keeps_to_the_contract(game):
    assert list(faults(game, reserved(other for other in GAMES.values() if other is not game))) == []


# --- What is refused --------------------------------------------------------------------------------


@value
class Unheard:
    seat: Seat


@value
class Bag:
    cards: set[int]


@value
class Whispered:
    cards: Private[Card]


@value
class Sealed:
    hand_no: int
    deck: Hidden[Cards]


@dataclass
class Loose:
    hand_no: int


def broken():
    """A record with one field broken, and how the sentence begins."""
    life, setup, words = GAME.lifecycle, GAME.setup, GAME.words
    more = len(GAME.events)
    yield replace(GAME, name="High Card"), "name: 'High Card' is not made of small letters"
    yield replace(GAME, name=OTHERS.games[0]), f"name: There is a game {OTHERS.games[0]} already."
    yield replace(GAME, rules=2), "rules: 2 is not str."
    yield replace(GAME, view=None), "view: None is not Callable."
    yield replace(GAME, setup=replace(setup, seats=(2, 3))), "setup.seats: (2, 3) is not range."
    yield replace(GAME, setup=replace(setup, usual=99)), "setup.usual: 99 is not in range("
    yield (
        replace(GAME, setup=replace(setup, reveal="soon")),
        "setup.reveal: 'soon' is none of hand_end, game_end",
    )
    yield (
        replace(GAME, setup=replace(setup, presets={"odd": {"no_such": 1}})),
        "setup.presets['odd']: There is no option",
    )
    yield replace(GAME, moves={}), "moves: There are none."
    yield replace(GAME, moves={"resign": Unheard}), "moves['resign']: Every match has a move of this name."
    yield replace(GAME, moves={"lay": Bag}), "moves['lay'].cards: A client cannot send a set."
    yield replace(GAME, events=(*GAME.events, Bag)), f"events[{more}].cards: Bag.cards cannot hold a set."
    yield replace(GAME, events=(*GAME.events, Loose)), f"events[{more}]: Loose is no frozen dataclass"
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
        replace(GAME, events=(*GAME.events, Sealed), lifecycle=replace(life, hand_starts=Sealed)),
        "lifecycle.hand_starts: Sealed has secret fields",
    )
    yield (
        replace(GAME, setup=replace(setup, reveal="hand_end"), lifecycle=replace(life, hand_ends=())),
        "lifecycle.hand_ends: There are none, and setup.reveal is 'hand_end'.",
    )
    yield (
        replace(GAME, lifecycle=replace(life, game_starts="Begun")),
        "lifecycle.game_starts: 'Begun' is not type.",
    )
    answers = GAME.answers
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
    other = {"wrong_phase": Refusal("Otherwise", "Not so.")}
    yield (
        replace(GAME, words=replace(words, refusals=other)),
        "words.refusals['wrong_phase']: This code means something else",
    )
    taken = {"not_found": Refusal("No such card", "Look again.")}
    yield (
        replace(GAME, words=replace(words, refusals=taken)),
        "words.refusals['not_found']: The API answers with this code itself.",
    )
    yield replace(GAME, facts=Facts({"hand": "cards"})), "facts.kinds['hand']: 'cards' is not FactKind."
    yield (
        replace(GAME, facts=Facts({"phase": FactKind.NUMBER})),
        "facts.kinds['phase']: A fact of this name is a word.",
    )
    yield (
        replace(GAME, deal=replace(GAME.deal, sees={Unheard: print})),
        "deal.sees[Unheard]: Unheard is not among",
    )
    yield replace(GAME, start=lambda options, seats, last: object()), "start: object is no dataclass"
    yield (
        replace(GAME, start=lambda options, seats, last: 1 // 0),
        "start: checking it raises ZeroDivisionError",
    )


@pytest.mark.parametrize(
    ("record", "sentence"), list(broken()), ids=lambda x: x.split(":")[0] if isinstance(x, str) else ""
)
def test_a_record_that_breaks_the_contract_is_refused_by_the_name_of_the_field(record, sentence):
    assert any(fault.startswith(sentence) for fault in faults(record, OTHERS)), list(faults(record, OTHERS))


def raises(*args):
    raise KeyError("table")


GAME_MOVE = next(iter(GAME.moves.values()))


@value
class Brought:
    seat: Seat
    token: Private[int]


def but(evolve, kind):
    """An `evolve` that leaves out one type of event."""
    return lambda s, event: None if type(event) is kind else evolve(s, event)


def with_part(function, **parts):
    """A function whose record has other fields."""
    return lambda *args: (made := function(*args)) and replace(made, **parts)


def with_setup(**parts):
    return replace(GAME, setup=replace(GAME.setup, **parts))


def facts_known(known):
    return replace(GAME, facts=replace(GAME.facts, known=known))


def other_deal(dealing, event):
    raise WrongDeal("The hands are not what the seed gives.")


def remembering():
    """A game with fields that fade."""
    return next(game for game in BUILT_IN if game.memory)


def always_the_first():
    """Give the right seat, and again and again the move that was made first."""
    first = {}

    def move_of(event):
        found = GAME.answers.move_of(event)
        return found and (found[0], first.setdefault(type(event), found[1]))

    return move_of


def untrue():
    """A record that looks right, with one function that is not, and what is said of it."""
    words, answers = GAME.words, GAME.answers
    yield replace(GAME, scene=lambda: None), "scene: It takes 0 arguments, and is called with 2."
    yield replace(GAME, evolve=lambda s: None), "evolve: It takes 1 argument, and is called with 2."
    yield (
        replace(GAME, words=replace(words, about=lambda: "")),
        "words.about: It takes 0 arguments, and is called with 2.",
    )
    yield with_setup(bad_options=lambda options, seats: None), "setup.bad_options: None is not Mapping."
    yield with_setup(may_chat=raises), "setup.may_chat: It raises KeyError: 'table'."
    yield with_setup(most_hands=lambda options, seats: -1), "setup.most_hands: -1 is no number of hands."
    yield with_setup(sides=lambda options, seats: (0,)), "setup.sides: (0,) does not give each of "
    yield with_setup(best_of=101), "setup.best_of: 101 is not an odd number from 1 to 99."
    poker = next(game.words.hand_history for game in BUILT_IN if game.words.hand_history)
    taken = replace(words, hand_history=poker)
    yield replace(GAME, words=taken), f"words.hand_history: There is a game with the code {poker[0]} already."
    yield replace(GAME, view=raises), "view: It raises KeyError: 'table'."
    yield replace(GAME, view=lambda s, seat: sys.exit(3)), "view: It raises SystemExit: 3."
    yield replace(GAME, scene=lambda s, seat: {}), "scene: {} is not Scene."
    yield replace(GAME, evolve=raises), "evolve: It raises KeyError: 'table'."
    yield replace(GAME, consequences=lambda s: (EVENT,)), "consequences: After "
    yield replace(GAME, legal=lambda s, seat: None), "legal: None is not tuple."
    yield replace(GAME, legal=lambda s, seat: (5,)), "legal[0]: 5 is not Choice."
    yield replace(GAME, legal=lambda s, seat: ()), "legal: Seat "
    all_moves = replace(answers, off_turn=frozenset(GAME.moves.values()))
    yield replace(GAME, answers=all_moves), "legal: Seat 0 is to act, and has no legal move."
    yield replace(GAME, legal=lambda s, seat: GAME.legal(s, 0), to_act=lambda s: GAME.to_act(s)[:1]), "legal: Seat "
    yield replace(GAME, to_act=lambda s: ()), "to_act: It names no seat, and the game is not over."
    yield replace(GAME, to_act=lambda s: (99,)), "to_act: There is no seat 99."
    yield replace(GAME, ask=raises), "ask: It raises KeyError"
    yield replace(GAME, decide=lambda s, seat, move: (Unheard(0),)), "decide: Unheard is not among the events."
    yield replace(GAME, words=replace(words, text=raises)), "words.text: It raises KeyError: 'table'."
    yield replace(GAME, words=replace(words, text=lambda event: 5)), "words.text: 5 is not str."
    yield replace(GAME, words=replace(words, text=lambda event: "")), "words.text: It tells "
    yield replace(GAME, evolve=lambda s, event: None), "evolve: After "
    yield replace(GAME, evolve=but(GAME.evolve, next(iter(GAME.answers.by)))), "evolve: After "
    yield replace(GAME, refusal=lambda s, seat, move: "no"), "refusal: 'no' is neither a common code nor one of"
    yield replace(GAME, view=lambda s, seat: {"cards": {1, 2}}), "view: It holds {1, 2}, which cannot be written"
    yield replace(GAME, scene=with_part(GAME.scene, seats=())), "scene: It does not show each seat once"
    yield replace(GAME, scene=with_part(GAME.scene, phase="dusk")), "scene: Its phase is 'dusk', and that of the game"
    yield replace(GAME, timing=replace(GAME.timing, default=lambda s, seat: Unheard(0))), "timing.default: Unheard("
    yield replace(GAME, view=lambda s, seat: {"note": "\ud800"}), "view: It holds '\\ud800', which cannot be written"
    yield replace(GAME, timing=replace(GAME.timing, seconds=lambda s: 10**12)), "timing.seconds: 1000000000000 is not"
    yield replace(GAME, timing=replace(GAME.timing, seconds=lambda s: -5)), "timing.seconds: -5 is not"
    yield replace(GAME, leaving=replace(GAME.leaving, out=lambda s: (99,))), "leaving.out: (99,) are not seats."
    stop = replace(GAME.leaving, stop=lambda s, seats, reason: ())
    yield replace(GAME, leaving=stop), "leaving.stop: After it the game is not over."
    stop = replace(GAME.leaving, stop=lambda s, seats, reason: GAME.leaving.stop(s, (0,), reason))
    yield replace(GAME, leaving=stop), "leaving.stop: Seats "
    yield replace(GAME, outcome=with_part(GAME.outcome, places=())), "outcome: It has not a place and a score for each"
    yield facts_known(lambda s, seat: {"no_such": 1}), "facts.known: 'no_such' is not among facts.kinds."
    number = next(name for name, kind in GAME.facts.kinds.items() if kind is FactKind.NUMBER)
    yield facts_known(lambda s, seat: {number: "one"}), f"facts.known: '{number}' is 'one', and no number."
    completed = replace(GAME.facts, completes=frozenset([GAME_MOVE]), completed=lambda *_: Unheard(0))
    yield replace(GAME, facts=completed), f"facts.completed: Unheard(seat=0) is no {GAME_MOVE.__name__}."
    dealt = next(kind for kind in GAME.deal.sees if Secrecy.EACH in secret_fields(kind).values())
    wrong = replace(GAME.deal, sees={**GAME.deal.sees, dealt: other_deal})
    yield replace(GAME, deal=wrong), f"deal.sees[{dealt.__name__}]: It raises WrongDeal: "
    asks = replace(GAME.deal, sees={**GAME.deal.sees, dealt: lambda dealing, event: dealing.shuffled("odd", ())})
    yield replace(GAME, deal=asks), f"deal.sees[{dealt.__name__}]: It raises ValueError: chance was not asked for 'odd'"
    yield replace(GAME, deal=replace(GAME.deal, sees={})), "deal.sees: What chance answers for "
    entry = Entry(Brought, lambda s, brought: (Unheard(0),))
    yield replace(GAME, events=(*GAME.events, Brought), entry=entry), "entry.opening: Unheard is not among the events."
    memory = replace(remembering(), memory=Memory(lambda s, seat, event: None))
    yield memory, "memory.remembered: None is not bool."
    yield replace(GAME, answers=replace(answers, move_of=lambda event: None)), "answers.move_of: It does not give the"
    yield replace(GAME, answers=replace(answers, move_of=always_the_first())), "answers.move_of: It does not give the"


@pytest.mark.parametrize(("record", "sentence"), list(untrue()), ids=lambda x: x if isinstance(x, str) else "")
def test_a_record_by_which_the_game_cannot_be_played_is_refused_by_the_name_of_the_field(record, sentence):
    games, refused = catalogue.admitted([Offer("mine", "a package", replace(record, name="mine"))])
    assert "mine" not in games
    assert [said.removeprefix("The game of a package is not admitted. ")[: len(sentence)] for said in refused] == [
        sentence
    ]


def test_a_module_that_ends_the_process_when_it_is_loaded_is_refused(monkeypatch, tmp_path):
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit('Goodbye')\n")
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("mine", "leaves:GAME", catalogue.GROUP)
    monkeypatch.setattr(catalogue, "entry_points", lambda group: [entry])
    _, refused = catalogue.admitted(catalogue.installed())
    assert refused == [
        "The game of a package, entry point mine is not admitted. leaves:GAME cannot be loaded: SystemExit: Goodbye."
    ]


@pytest.mark.parametrize(
    ("offered", "why"),
    [
        (Offer("mine", "a package", GAME), f"name: There is a game {GAME.name} already."),
        (
            Offer("mine", "a package", replace(GAME, name="other")),
            "name: 'other' is not the name of its entry point.",
        ),
        (Offer("mine", "a package", 5), "The game: 5 is no `Game`."),
        (
            Offer("mine", "a package", "mine:GAME cannot be loaded: ImportError: no."),
            "mine:GAME cannot be loaded",
        ),
    ],
)
def test_what_is_offered_and_breaks_the_contract_is_left_out(offered, why):
    games, refused = catalogue.admitted([offered])
    assert list(games) == [game.name for game in BUILT_IN]
    assert refused[0].startswith(f"The game of a package is not admitted. {why}")


def test_what_is_offered_and_keeps_to_the_contract_is_played():
    games, refused = catalogue.admitted([Offer("mine", "a package", replace(GAME, name="mine"))])
    assert list(games)[-1] == "mine"
    assert refused == []


# --- What happens -----------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_what_happens_is_what_the_record_declares(table):
    entry, rng = TABLES[table], Random(table)
    keeps_to_its_record(entry, rng.choice(rng.choice(list(entry.blocks.values()))), rng)


def keeps_to_its_record(entry, options, rng):
    """Play two games of a series, some hands each, and compare all that happens with the record."""
    hand_no, last = 0, None
    for game_no in (1, 2):
        begun = []
        for _, step in zip(range(LONGEST), steps(entry, options, rng, 2, last), strict=False):
            for event in step.events:
                it_is_declared(entry, event)
            it_is_answered(entry, step)
            it_names_its_phase(entry, step)
            begun += step.events
            last = step.after
        hand_no = numbered(entry.game, begun, game_no, hand_no)
        if entry.game.outcome(last) is None:
            last = fold(entry.game, last, entry.game.leaving.stop(last, (), "agreed"))


def it_is_declared(entry, event):
    """An event is one of the record's, of its types, and is the same once it was written and read."""
    assert type(event) in entry.game.events
    assert misfit(event) == []
    shape = Shape(type(event))
    data, parts = shape.data(event), shape.parts(event, entry.seats)
    assert shape.event(data, entry.seats, parts, EVERYBODY) == event
    assert {name: set(part) for name, part in parts.items()} == shape.readers_of(data, entry.seats)


def it_is_answered(entry, step):
    """A seat that was asked answers by an event that the record names, in the field it names, or chance goes on."""
    by, first = entry.game.answers.by, step.events[0]
    if step.seat == CHANCE:
        assert entry.game.answers.move_of(first) is None
        return
    assert entry.game.answers.move_of(first)[0] == step.seat
    if type(first) in by:
        assert getattr(first, by[type(first)]) == step.seat
    waited = step.seat in entry.game.to_act(step.state)
    still = {step.seat, CHANCE} & set(entry.game.to_act(step.after))
    assert not waited or still or any(type(event) in by for event in step.events)


def it_names_its_phase(entry, step):
    """Seats are asked something in the phases that the record declares, and the scene says that it is their turn."""
    game = entry.game
    asked = set(game.to_act(step.state)) - {CHANCE}
    if game.facts.phases and "phase" in game.facts.kinds:
        assert {game.facts.known(step.own[seat], seat)["phase"] for seat in asked} <= game.facts.phases
    scene = game.scene(step.state, None)
    assert scene.phase == game.phase(step.state)
    assert {shown.seat for shown in scene.seats if TURN in shown.badges} == asked


def numbered(game, events, game_no, hand_no):
    """Games and hands are counted over the whole series, tricks from 1 in each hand; give the last hand's number."""
    life, led = game.lifecycle, 0
    begins = [event for event in events if type(event) is life.game_starts]
    assert [getattr(event, life.game_no) for event in begins] == [game_no]
    for event in events:
        if type(event) is life.hand_starts:
            hand_no, led = hand_no + 1, 0
            assert getattr(event, life.hand_no) == hand_no
        elif type(event) in life.tricks:
            number = getattr(event, life.tricks[type(event)])
            assert number in (led, led + 1)
            led = number
    return hand_no
