"""Calls, at one moment of play, every function of a game under check except those for moves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from api.game_checks.safe_calls import CheckedTable, CheckFailed, ask_of, call, run
from domain.core.cards import NAMES, Seat
from domain.core.choice_faults import part_fault, unwritable
from domain.core.choices import Choice
from domain.core.contract_texts import MOST_OF_A_TITLE, unfit_line
from domain.core.game import CHANCE, FactKind, is_admitted, no_prompt, shown_facts
from domain.core.options import misfit
from domain.core.refusals import COMMON, MALFORMED
from domain.core.scene import SHORT_BADGES, TURN, UNASKED, Scene, as_json
from domain.core.scene_pointers import follow_pointer, pointers
from domain.core.type_faults import name_value
from domain.core.types import fields_of, key
from domain.core.visibility import view_event
from events.log.codec import EVERYBODY, Shape

HOLES: Final = ("None", "{", "??")
"""Parts of a text that show a missing value, one that the reader is not shown."""


def check_events(game: Any, at: str, events: Sequence[Any]) -> None:
    """Check that events are declared and have fields of their types. Raise `CheckFailed`."""
    for event in events:
        kind = type(event)
        if kind not in game.events:
            raise CheckFailed(at, f"{kind.__name__} is not among the events.")
        if wrong := misfit(event):
            raise CheckFailed(at, f"{kind.__name__}.{wrong[0]} has a value of the wrong type.")


def check_stored_form(game: Any, event: Any, seats: int) -> None:
    """Write an event as the log does and read it again. Raise `CheckFailed` unless it is the same."""
    kind: Any = type(event)
    at, shape = f"events[{game.events.index(kind)}]", shape_of(kind)
    data, parts = run(at, shape.data, event), run(at, shape.parts, event, seats)
    if run(at, shape.event, data, seats, parts, EVERYBODY) != event:
        raise CheckFailed(at, f"{name_value(event)} changes when it is written and read back.")
    if {name: set(part) for name, part in parts.items()} != shape.readers_of(data, seats, shape.version):
        raise CheckFailed(at, f"{name_value(event)} has secret parts for other readers than its public fields say.")
    for name, moments in game.lifecycle.moments.items():
        if tell := moments.get(type(event)):
            line = run(f"lifecycle.moments[{name!r}]", tell, data)
            if line and (odd := unfit_line(line, MOST_OF_A_TITLE)):
                raise CheckFailed(f"lifecycle.moments[{name!r}]", odd)


@cache
def shape_of(cls: Any) -> Shape:
    """Return how events of a class are written."""
    return Shape(cls)


def check_text(game: Any, event: Any, seats: int) -> None:
    """Check that an event has a text of at least one sentence for every reader. Raise `CheckFailed`."""
    for reader in (None, *range(seats)):
        part = run("decide", view_event, event, reader)
        line = call(game, "words.text", part)
        if "\n" in line or not line.endswith(".") or any(hole in line for hole in HOLES):
            raise CheckFailed(
                "words.text", f"Its text for {name_value(part)} is {line!r}, which is not one line of full sentences."
            )


SAMPLES: Final = 4
"""Number of moves drawn from each choice in a full check."""


def offer(table: CheckedTable, seat: Seat) -> None:
    """Check that the moves a seat may make can be described and drawn. Raise `CheckFailed`."""
    for choice in ask_of(table.game, "legal", table.own[seat], seat):
        make = _part(choice, "make")
        if make not in table.game.moves.values():
            raise _failed(choice, "make", f"{name_value(make)} is not among the moves.")
        for part in _ATTRIBUTES:
            if _part(choice, part) is not None:
                _checked_part(choice, part, _part(choice, part))
        _checked_part(choice, "schema", run("legal", choice.schema))
        for i in range(SAMPLES):
            draw_move(choice, Random(i))
        if proposals := _part(choice, "proposals"):
            for move in _checked_part(choice, "proposals", run("legal", proposals)):
                _admit(choice, "proposals", move)


_ATTRIBUTES: Final = ("exact", "of", "plain")


def draw_move(choice: Choice, rng: Random) -> Any:
    """Draw a move of a choice, which must admit it. Raise `CheckFailed`."""
    move = _checked_part(choice, "sample", run("legal", choice.sample, rng))
    _admit(choice, "sample", move)
    return move


def _admit(choice: Choice, part: str, move: Any) -> None:
    if not _checked_part(choice, "admits", run("legal", choice.admits, move)):
        raise _failed(choice, part, f"It returns {name_value(move)}, which `admits` rejects.")


def _part(choice: Choice, part: str) -> Any:
    """Return an attribute of a choice; None if it has none of this name."""
    return run("legal", getattr, choice, part, None)


def _checked_part(choice: Choice, part: str, given: Any) -> Any:
    """Return the result of a method of a choice, which must have its declared type."""
    if fault := run("legal", part_fault, part, choice.make, given):
        raise _failed(choice, part, fault)
    return given


def _failed(choice: Choice, part: str, sentence: str) -> CheckFailed:
    return CheckFailed("legal", f"{type(choice).__name__}.{part}: {sentence}")


LONGEST_SECONDS: Final = 366 * 24 * 60 * 60
"""Maximum time limit of a game for a decision."""


def check_questions(table: CheckedTable, probes: Mapping[Seat, Sequence[Any]]) -> None:
    """Ask for all pending decisions; each seat also tries its probes. Raise `CheckFailed`."""
    if not set(out := ask_of(table.game, "leaving.out", table.state)) <= {*table.seats}:
        raise CheckFailed("leaving.out", f"{out} are not seats.")
    if not 0 <= (seconds := ask_of(table.game, "timing.seconds", table.state)) <= LONGEST_SECONDS:
        raise CheckFailed("timing.seconds", f"{seconds} is not a number from 0 to {LONGEST_SECONDS:,}.")
    for at in ("to_act", "outcome", "consequences"):
        ask_of(table.game, at, table.state)
    actors = [seat for seat in acting(table) if seat != CHANCE]
    for seat in table.seats:
        _answers(table, seat, asked=seat in actors)
    for reader in table.own:
        _look(table, reader, actors)
        if reader is not None:
            _point(table, reader)
            offer(table, reader)
            _ask_facts(table, reader)
            _refuse(table, reader, actors, probes.get(reader, ()))
            _know(table, reader)
    for seat in actors:
        _default(table, seat)
        _prompt(table, seat)


def acting(table: CheckedTable) -> tuple[Seat, ...]:
    """Return the seats to act: none if the game is over. Raise `CheckFailed`."""
    actors: tuple[Seat, ...] = call(table.game, "to_act", table.state)
    over = call(table.game, "outcome", table.state) is not None
    if not actors and not over:
        raise CheckFailed("to_act", "It names no seat, but the game is not over.")
    if actors and over:
        raise CheckFailed("to_act", f"It names seats {actors}, but the game is over.")
    if len(set(actors)) != len(actors):
        raise CheckFailed("to_act", f"{actors} names a seat twice.")
    for seat in actors:
        if seat != CHANCE and seat not in table.seats:
            raise CheckFailed("to_act", f"There is no seat {seat}.")
    return actors


def _answers(table: CheckedTable, seat: Seat, *, asked: bool) -> None:
    """Check that a seat has legal moves exactly if it must decide."""
    legal = ask_of(table.game, "legal", table.own[seat], seat)
    answers = [choice.make for choice in legal if choice.make not in table.game.answers.off_turn]
    if asked and not answers:
        raise CheckFailed("legal", f"Seat {seat} is to act, but has no legal move.")
    if answers and not asked:
        raise CheckFailed("legal", f"Seat {seat} is not to act, and {answers[0].__name__} is not in answers.off_turn.")


MOST_WORDS: Final = 12
"""Maximum words of a prompt."""


def _prompt(table: CheckedTable, seat: Seat) -> None:
    """Check that a game with prompts has one for the seat's decision, which reveals nothing to the seat."""
    game = table.game
    if game.words.prompt is no_prompt:
        return
    asked = ask_of(game, "words.prompt", table.own[seat], seat)
    if not asked or len(asked.split()) > MOST_WORDS or asked.endswith("."):
        raise CheckFailed("words.prompt", f"{name_value(asked)} is not 1 to {MOST_WORDS} words without a full stop.")
    if asked != call(game, "words.prompt", table.state, seat):
        raise CheckFailed("words.prompt", f"Seat {seat} sees too little to know it.")


# --- What readers see ---------------------------------------------------------------------------------


def _look(table: CheckedTable, reader: Seat | None, actors: Sequence[Seat]) -> None:
    game, own = table.game, table.own[reader]
    if odd := unwritable(ask_of(game, "view", own, reader)):
        raise CheckFailed("view", f"It holds {name_value(odd[0])}, which cannot be written as JSON.")
    scene = ask_of(game, "scene", own, reader)
    if scene.seat != reader:
        raise CheckFailed("scene", f"Its seat is {scene.seat}, but it is drawn for {reader}.")
    if [shown.seat for shown in scene.seats] != [*table.seats]:
        raise CheckFailed("scene", "It must show each seat once, in order.")
    if len({zone.id for zone in scene.zones}) != len(scene.zones):
        raise CheckFailed("scene", "Two zones have the same id.")
    if scene.phase != ask_of(game, "phase", own):
        raise CheckFailed("scene", f"Its phase is {scene.phase!r}, but the game is in another phase.")
    _check_badges(scene, actors)


def _check_badges(scene: Scene, actors: Sequence[Seat]) -> None:
    """Check the badges that programs know (contract 4.7)."""
    if (turns := [shown.seat for shown in scene.seats if TURN in shown.badges]) != sorted(actors):
        raise CheckFailed("scene", f"Seats {turns} have the badge {TURN!r}, but seats {sorted(actors)} are to act.")
    held = Counter(badge for shown in scene.seats for badge in shown.badges)
    if twice := [badge for badge in SHORT_BADGES if held[badge] > 1]:
        raise CheckFailed("scene", f"More than one seat has the badge {twice[0]!r}.")
    for shown in scene.seats:
        if TURN in shown.badges and UNASKED.intersection(shown.badges):
            raise CheckFailed("scene", f"Seat {shown.seat} is to act, but has the badges {shown.badges}.")


def _know(table: CheckedTable, seat: Seat) -> None:
    """Compare the state that a seat can work out from its events with the true state. Raise `CheckFailed`."""
    game, own = table.game, table.own[seat]
    for at, args in (("to_act", ()), ("outcome", ()), ("legal", (seat,))):
        if call(game, at, own, *args) != call(game, at, table.state, *args):
            raise CheckFailed(at, f"Seat {seat} cannot know it: it depends on cards that the seat was not shown.")
    if seat in call(game, "to_act", own) and call(game, "timing.default", own, seat) != call(
        game, "timing.default", table.state, seat
    ):
        raise CheckFailed(
            "timing.default", f"Seat {seat} cannot know it: it depends on cards that the seat was not shown."
        )
    known, true = call(game, "scene", own, seat), call(game, "scene", table.state, seat)
    if {zone.id: zone.count for zone in known.zones} != {zone.id: zone.count for zone in true.zones}:
        raise CheckFailed("scene", f"Seat {seat} is shown a wrong number of cards.")
    there = {zone.id: _face_up(zone) for zone in true.zones}
    for zone in known.zones:
        if wrong := _face_up(zone) - there[zone.id]:
            raise CheckFailed("scene", f"Seat {seat} sees {name_value(min(wrong))} in {zone.id}, but it is not there.")


def _face_up(zone: Any) -> Counter[str]:
    return Counter(spot.card for spot in zone.spots if spot.card is not None)


def _point(table: CheckedTable, seat: Seat) -> None:
    """Check that pointers of moves lead into the scene."""
    game, own = table.game, table.own[seat]
    scene, where = as_json(ask_of(game, "scene", own, seat)), ask_of(game, "answers.where", own, seat)
    for cls, lie in where.items():
        if odd := [name for name in lie if name and name.split(".")[0] not in map(key, fields_of(cls))]:
            raise CheckFailed("answers.where", f"{cls.__name__} has no argument {odd[0]}.")
    for choice in ask_of(game, "legal", own, seat):
        for pointer in pointers(where.get(choice.make, {})):
            try:
                follow_pointer(scene, pointer)
            except (LookupError, ValueError):
                said = f"{name_value(pointer)} of {choice.make.__name__} is not in the scene."
                raise CheckFailed("answers.where", said) from None


# --- What a seat may do -------------------------------------------------------------------------------


def _default(table: CheckedTable, seat: Seat) -> None:
    game = table.game
    move = ask_of(game, "timing.default", table.state, seat)
    if not run("legal", is_admitted, ask_of(game, "legal", table.state, seat), move):
        raise CheckFailed("timing.default", f"{name_value(move)} is not legal for seat {seat}.")
    if type(move) in game.answers.off_turn:
        raise CheckFailed("timing.default", f"{name_value(move)} does not answer what seat {seat} is asked.")


def _refuse(table: CheckedTable, seat: Seat, actors: Sequence[Seat], probes: Sequence[Any]) -> None:
    """Try moves that are legal for the seats to act, and these probes, for the seat."""
    game, own = table.game, table.own[seat]
    legal = ask_of(game, "legal", own, seat)
    choices = [choice for actor in actors for choice in call(game, "legal", table.own[actor], actor)]
    for move in (*(draw_move(choice, table.rng) for choice in choices), *probes):
        if run("legal", is_admitted, legal, move):
            continue
        code = ask_of(game, "refusal", own, seat, move)
        if code not in {*COMMON, *MALFORMED, *game.words.refusals}:
            raise CheckFailed("refusal", f"{code!r} is neither a common code nor one of words.refusals.")
        said = call(game, "words.explain", own, seat, move)
        if (code, said) != (
            ask_of(game, "refusal", table.state, seat, move),
            call(game, "words.explain", table.state, seat, move),
        ):
            raise CheckFailed(
                "refusal", f"Seat {seat} cannot tell from its own view why {name_value(move)} is refused."
            )


# --- Facts for standing orders ------------------------------------------------------------------------


def _ask_facts(table: CheckedTable, seat: Seat) -> None:
    game, own = table.game, table.own[seat]
    known = shown_facts(game, ask_of(game, "view", own, seat)) | ask_of(game, "facts.known", own, seat)
    for name, fact in known.items():
        if name not in game.facts.kinds:
            raise CheckFailed("facts.known", f"{name!r} is not among facts.kinds.")
        if fact is not None and not _IS_OF[game.facts.kinds[name]](fact):
            raise CheckFailed(
                "facts.known", f"{name!r} is {name_value(fact)}, which is not a {game.facts.kinds[name].value}."
            )
    if game.facts.phases and seat in game.to_act(own) and known.get("phase") not in game.facts.phases:
        raise CheckFailed("facts.known", f"The phase {known.get('phase')!r} is not among facts.phases.")
    for cls in game.facts.completes:
        move = ask_of(game, "facts.completed", own, seat, cls) if seat in game.to_act(own) else None
        if move is not None and type(move) is not cls:
            raise CheckFailed("facts.completed", f"{name_value(move)} is no {cls.__name__}.")


def _is_card(x: Any) -> bool:
    return isinstance(x, str) and x in NAMES


_IS_OF: Final[Mapping[FactKind, Any]] = {
    FactKind.NUMBER: lambda x: type(x) is int,
    FactKind.WORD: lambda x: isinstance(x, str),
    FactKind.SUIT: lambda x: isinstance(x, str),
    FactKind.CARD: _is_card,
    FactKind.CARDS: lambda x: isinstance(x, list | tuple) and all(map(_is_card, x)),
}


# --- Resigning ----------------------------------------------------------------------------------------


def check_stopping(table: CheckedTable, options: Any) -> None:
    """Stop copies of the game as it is: one seat resigns, or it is drawn. Raise `CheckFailed`."""
    quitter = table.rng.choice(table.seats)
    resigned = _stopped(table, (quitter,), "resignation")
    at = "leaving.stop"
    sides = call(table.game, "setup.sides", options, len(table.seats))
    lost = [seat for seat in table.seats if sides[seat] == sides[quitter]]
    if set(lost) & set(resigned.winners):
        raise CheckFailed(at, f"Seats {resigned.winners} win a game that {quitter} resigned.")
    if resigned.places[quitter] != max(resigned.places):
        raise CheckFailed(at, f"Seat {quitter} resigned, but is not placed last.")
    if any(resigned.places[seat] <= resigned.places[winner] for seat in lost for winner in resigned.winners):
        raise CheckFailed(at, f"Seat {quitter} resigned, but its side is not placed behind the winners.")
    if bool(resigned.winners) != table.game.setup.winnable:
        raise CheckFailed(at, f"Seats {resigned.winners} win, but setup.winnable is {table.game.setup.winnable}.")
    if (drawn_game := _stopped(table, (), "draw")).winners:
        raise CheckFailed(at, f"Seats {drawn_game.winners} win a game that no seat resigned.")


def _stopped(table: CheckedTable, gave_up: tuple[Seat, ...], reason: str) -> Any:
    """Stop a copy of the game, and return its outcome."""
    game, at = table.game, "leaving.stop"
    events, state = call(game, at, table.state, gave_up, reason), run("start", table.state.copy)
    check_events(game, at, events)
    for event in events:
        call(game, "evolve", state, event)
    outcome = call(game, "outcome", state)
    if outcome is None:
        raise CheckFailed(at, "It must end the game.")
    if {len(outcome.places), len(outcome.scores)} != {len(table.seats)}:
        raise CheckFailed("outcome", "It must have a place and a score for each seat.")
    if outcome.reason != reason:
        raise CheckFailed(at, f"Its reason is {outcome.reason!r}, but the game was stopped for {reason!r}.")
    if game.lifecycle.gains is not None and len(gained := call(game, "lifecycle.gains", state)) != len(table.seats):
        raise CheckFailed("lifecycle.gains", f"{gained} does not give the gains of each of {len(table.seats)} seats.")
    return outcome
