"""Checks the declaration of a game, field by field, without calling the game's functions.

A fault is the path of a field and a sentence: `lifecycle.hand_starts`, "Dealt is not among the events."
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, field, fields, is_dataclass, replace
from importlib.resources import files
from typing import Any, Final

from domain.core.cards import is_seat
from domain.core.collectible import Collectibles
from domain.core.contract_texts import (
    MOST_OF_A_NAME,
    MOST_OF_A_SENTENCE,
    MOST_OF_A_TITLE,
    MOST_OF_A_VERSION,
    NO_NAME,
    is_name,
    unfit_line,
)
from domain.core.game import MOST_GAMES, MOST_SEATS, FactKind, Game
from domain.core.json_form import Leaf, Unwritable, as_object, as_text, compile_form
from domain.core.options import Odd, Pattern, Range
from domain.core.refusals import COMMON, MALFORMED, OF_THE_API, Refusal
from domain.core.strengths import BOT_LEVELS, LEAST_BETA, MOST_BETA
from domain.core.type_faults import NO_FAULT, ContractFault, describe_error, find_type_faults, name_value, type_name
from domain.core.types import Doc, Title, Typed, fields_of, key, parse_hint
from domain.core.values import value
from domain.core.visibility import Secrecy, seat_field, secret_fields

REVEALS: Final = ("hand_end", "game_end", "match_end", "never")


@value
class Reserved:
    """The names that are already in use: games, event types, moves, options, and refusals with their texts.

    `hand_histories` are the codes of poker games, and `cards` the collectible cards of other games.
    """

    games: Collection[str] = ()
    events: Collection[str] = ()
    moves: Collection[str] = ()
    options: Collection[str] = ()
    refusals: Mapping[str, Refusal] = field(default_factory=dict)
    hand_histories: Collection[str] = ()
    cards: Collectibles | None = None


def declaration_faults(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    """Find the faults in a game's declaration, without calling the game's functions.

    If a field has the wrong type, only such fields are reported, because the others cannot be read then.
    """
    if not isinstance(game, Game):
        yield "The game", f"{name_value(game)} is not a `Game`."
        return
    found = list(find_type_faults("", parse_hint(Game), game))
    if not found:
        found = [fault for part in _PARTS for fault in _faults_of(part, game, reserved)]
    yield from dict.fromkeys(found)


Part = Callable[[Any, Reserved], Iterator[ContractFault]]


def _faults_of(part: Part, game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    """Check a part of the declaration; an exception from the game's own classes is a fault too."""
    try:
        yield from part(game, reserved)
    except NO_FAULT:
        raise
    except BaseException as error:
        yield part.__name__.strip("_"), f"checking it raises {describe_error(error)}."


# --- Types -----------------------------------------------------------------------------------------


def unwritable_part(t: Typed, leaf: Leaf) -> str | None:
    """Return the part of a type that cannot be written as JSON and read again; None if there is none."""
    try:
        compile_form(t, leaf, as_object)
    except Unwritable as error:
        return type_name(error.part)
    return None


# --- The parts of the record ------------------------------------------------------------------------


def _name(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    if not is_name(game.name):
        yield (
            "name",
            f"{name_value(game.name)} is not made of small letters, digits and underscores, {MOST_OF_A_NAME} at most.",
        )
    if game.name in reserved.games:
        yield "name", f"There is a game {game.name} already."
    if "." in game.rules:
        yield "rules", "The version of the rules must be a text without dots."
    elif odd := unfit_line(game.rules, MOST_OF_A_VERSION):
        yield "rules", odd


def _strengths(strengths: Any) -> Iterator[ContractFault]:
    yield from _figures("setup.strengths.usual", strengths.usual)
    for name, figures in strengths.apart.items():
        if not is_name(name):
            yield f"setup.strengths.apart[{name_value(name)}]", NO_NAME
        yield from _figures(f"setup.strengths.apart[{name_value(name)}]", figures)


def _figures(at: str, figures: Any) -> Iterator[ContractFault]:
    if not LEAST_BETA <= figures.beta <= MOST_BETA:
        yield f"{at}.beta", f"{figures.beta} is not from {LEAST_BETA:g} to {MOST_BETA:g} points."
    if not 0 <= figures.lower_places_weight <= 1:
        yield f"{at}.lower_places_weight", f"{figures.lower_places_weight} is not from 0 to 1."
    for level, strength in figures.bots.items():
        if level not in BOT_LEVELS or type(strength) is not int:
            yield (
                f"{at}.bots[{name_value(level)}]",
                f"It must be a whole number for one of the levels {', '.join(BOT_LEVELS)}.",
            )


def _setup(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    setup = game.setup
    if not setup.seats or setup.seats.step != 1 or setup.seats[0] < 1:
        yield "setup.seats", f"{setup.seats} is not a range of seat counts."
    elif setup.seats[-1] > MOST_SEATS:
        yield "setup.seats", f"{setup.seats} goes beyond {MOST_SEATS} seats."
    elif setup.usual not in setup.seats:
        yield "setup.usual", f"{setup.usual} is not in {setup.seats}."
    if setup.reveal not in REVEALS:
        yield "setup.reveal", f"{setup.reveal!r} is not one of {', '.join(REVEALS)}."
    if setup.best_of not in range(1, MOST_GAMES + 1, 2):
        yield "setup.best_of", f"{setup.best_of} is not an odd number from 1 to {MOST_GAMES}."
    if setup.cards is not None and reserved.cards not in (None, setup.cards):
        yield "setup.cards", "Another game already has collectible cards, and a server supports only one."
    yield from _strengths(setup.strengths)
    for name in setup.presets:
        if not is_name(name):
            yield f"setup.presets[{name_value(name)}]", NO_NAME
    if setup.usual_preset not in setup.presets:
        yield "setup.usual_preset", f"{name_value(setup.usual_preset)} is not in `setup.presets`."
    named = {"preset_titles": setup.preset_titles, "strengths.titles": setup.strengths.titles}
    for at, titles in {**named, **_titles_of(setup)}.items():
        for name, title in titles.items():
            if odd := unfit_line(title, MOST_OF_A_TITLE):
                yield f"setup.{at}[{name_value(name)}]", odd
    for i, variant in enumerate(setup.variants):
        for part, text in {"code": variant.code, "text": variant.text}.items():
            if odd := unfit_line(text, MOST_OF_A_SENTENCE):
                yield f"setup.variants[{i}].{part}", odd
    if not is_dataclass(setup.options):
        yield "setup.options", f"{name_value(setup.options)} is not a dataclass."
        return
    for f, t in zip(fields(setup.options), fields_of(setup.options).values(), strict=True):
        at = f"setup.options.{f.name}"
        if f.name in reserved.options:
            yield at, "All games have an option of this name."
        if f.default is MISSING:
            yield at, "An option needs a default."
        if f.name != key(f.name):
            yield at, "The name of an option does not end in an underscore."
        if bad := _unsendable(t):
            yield at, f"A client cannot send a {bad}."


def _titles_of(setup: Any) -> Mapping[str, Mapping[str, str]]:
    """Return the titles of choices by their place in the setup."""
    return {f"titles[{name_value(name)}]": titles for name, titles in setup.titles.items()}


_SENDABLE: Final = (Range, Odd, Pattern, Doc, Title)
"""The possible marks on fields of moves and options."""


def _unsendable(t: Typed) -> str | None:
    """Return the part of a type that a client cannot send; None if there is none."""
    strange = [mark for mark in t.marks if mark != "seat" and not isinstance(mark, _SENDABLE)]
    return str(strange[0]) if strange else unwritable_part(t, as_text)


def _moves(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    named: dict[Any, str] = {}
    for move, cls in game.moves.items():
        at = f"moves[{name_value(move)}]"
        if (first := named.setdefault(cls, move)) != move:
            yield at, f"{cls.__name__} is already the move {first}."
        if not is_name(move):
            yield at, NO_NAME
        if move in reserved.moves:
            yield at, "Every match has a move of this name."
        if not is_dataclass(cls):
            yield at, f"{cls.__name__} is not a dataclass."
            continue
        for name, t in fields_of(cls).items():
            if bad := _unsendable(t):
                yield f"{at}.{name}", f"A client cannot send a {bad}."
        for name, other in _written_alike(cls):
            yield f"{at}.{name}", f"In JSON, it has the same name as {other}."
    if not game.moves:
        yield "moves", "There are none."


def _events(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    names = [cls.__name__ for cls in game.events]
    for i, cls in enumerate(game.events):
        at = f"events[{i}]"
        if names.index(cls.__name__) != i or cls.__name__ in reserved.events:
            yield at, f"There is an event {cls.__name__} already."
        if not is_dataclass(cls) or cls.__hash__ is None:
            yield at, f"{names[i]} is not a frozen dataclass; make it with `@value`."
            continue
        for name, sentence in _fields_of(cls):
            yield f"{at}.{name}", f"{names[i]}.{name} {sentence}"


def _fields_of(cls: Any) -> Iterator[ContractFault]:
    """Find the faults in the fields of an event."""
    marks = secret_fields(cls)
    for name, t in fields_of(cls).items():
        if bad := unwritable_part(t, as_text):
            yield name, f"cannot hold a {bad}."
        if marks.get(name) is Secrecy.OWN and (seat_field(cls) or name) in marks:
            yield name, "is private, and no public field of the type `Seat` says whose it is."
    for name, other in _written_alike(cls):
        yield name, f"has the same name in JSON as {other}."


def _written_alike(cls: Any) -> Iterator[tuple[str, str]]:
    """Return the fields whose JSON name equals that of an earlier field, each with that field."""
    first: dict[str, str] = {}
    for name in fields_of(cls):
        if first.setdefault(key(name), name) != name:
            yield name, first[key(name)]


def _lifecycle(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    life = game.lifecycle
    named = {"game_starts": life.game_starts, "game_ends": life.game_ends, "hand_starts": life.hand_starts}
    ends = {f"hand_ends[{i}]": cls for i, cls in enumerate(life.hand_ends)}
    tricks = {f"tricks[{cls.__name__}]": cls for cls in life.tricks}
    for at, cls in {**named, **ends, **tricks}.items():
        if cls not in game.events:
            yield f"lifecycle.{at}", f"{cls.__name__} is not among the events."
    others = {*named.values(), *life.tricks, *game.answers.by}
    for at, cls in ends.items():
        if cls in others:
            yield f"lifecycle.{at}", f"{cls.__name__} cannot end a hand, because it has another role."
    for at, cls in {**named, **ends}.items():
        if cls in game.events and secret_fields(cls):
            yield (
                f"lifecycle.{at}",
                f"{cls.__name__} has secret fields, which are allowed only in events during a hand.",
            )
    if game.setup.reveal == "hand_end" and not life.hand_ends:
        yield "lifecycle.hand_ends", "There are none, but setup.reveal is 'hand_end'."
    yield from _numbered("lifecycle.game_no", life.game_starts, life.game_no)
    yield from _numbered("lifecycle.hand_no", life.hand_starts, life.hand_no)
    for cls, name in life.tricks.items():
        yield from _numbered(f"lifecycle.tricks[{cls.__name__}]", cls, name)
    for name, kinds in life.moments.items():
        yield from _moments(f"lifecycle.moments[{name_value(name)}]", name, kinds, game)


MARKED: Final = ("game", "hand", "trick")
"""Every replay has marks of these names."""


def _moments(at: str, name: str, kinds: Collection[type], game: Any) -> Iterator[ContractFault]:
    """Find the faults in moments of a kind."""
    if not is_name(name):
        yield at, NO_NAME
    if name in MARKED:
        yield at, "Every replay has marks of this name already."
    for cls in kinds:
        if cls not in game.events:
            yield f"{at}[{cls.__name__}]", f"{cls.__name__} is not among the events."


def _numbered(at: str, cls: Any, name: str) -> Iterator[ContractFault]:
    t = fields_of(cls).get(name) if is_dataclass(cls) else None
    if name != key(name):
        yield at, "The name of the field does not end in an underscore."
    if t is None or replace(t, marks=tuple(mark for mark in t.marks if not isinstance(mark, Doc))) != Typed(
        "leaf", int
    ):
        yield at, f"{name_value(cls)} has no public field {name} that is a whole number."


def _answers(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    if not game.answers.by:
        yield "answers.by", "There are none, so no clock would ever stop."
    for cls, name in game.answers.by.items():
        if cls not in game.events:
            yield f"answers.by[{cls.__name__}]", f"{cls.__name__} is not among the events."
        elif not is_seat(fields_of(cls).get(name)):
            yield f"answers.by[{cls.__name__}]", f"{cls.__name__} has no field {name} of the type `Seat`."
    for cls in game.answers.takes_back:
        if cls not in game.events:
            yield "answers.takes_back", f"{cls.__name__} is not among the events."
        elif cls not in game.answers.by:
            yield "answers.takes_back", f"{cls.__name__} is not in answers.by, which names its seat."
    for cls in game.answers.off_turn - set(game.moves.values()):
        yield "answers.off_turn", f"{cls.__name__} is not among the moves."


def _entry(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    if game.entry is None:
        return
    cls = game.entry.event
    if cls not in game.events:
        yield "entry.event", f"{cls.__name__} is not among the events."
    elif list(secret_fields(cls).values()) != [Secrecy.OWN] or len(fields_of(cls)) != 2:
        yield "entry.event", f"{cls.__name__} must have two fields: a `Seat`, and one of `Private`."


def _words(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    if odd := unfit_line(game.words.title, MOST_OF_A_TITLE):
        yield "words.title", odd
    if game.words.summary and (odd := unfit_line(game.words.summary, 2 * MOST_OF_A_SENTENCE)):
        yield "words.summary", odd
    if game.words.unseen and (odd := unfit_line(game.words.unseen, MOST_OF_A_SENTENCE)):
        yield "words.unseen", odd
    for code, refusal in game.words.refusals.items():
        at = f"words.refusals[{name_value(code)}]"
        if not is_name(code):
            yield at, NO_NAME
        for part, text in {"title": refusal.title, "advice": refusal.advice}.items():
            if odd := unfit_line(text, MOST_OF_A_SENTENCE):
                yield f"{at}.{part}", odd
        if {**COMMON, **MALFORMED, **reserved.refusals}.get(code, refusal) != refusal:
            yield at, "This code already has another meaning."
        if code in OF_THE_API:
            yield at, "The API uses this code itself."
    for i, code in enumerate(game.words.hand_history):
        if odd := unfit_line(code, MOST_OF_A_NAME):
            yield f"words.hand_history[{i}]", odd
        if code in reserved.hand_histories:
            yield "words.hand_history", f"There is a game with the code {code} already."
    package = game.words.rulebook
    try:
        found = files(package).joinpath("rulebook.md").is_file()
    except (ImportError, TypeError, ValueError):  # there is no package of this name, or it has no name
        yield "words.rulebook", f"{name_value(package)} is not a package."
    else:
        if not found:
            yield "words.rulebook", f"There is no rulebook.md in the package {package}."


_MEANT: Final = {"phase": FactKind.WORD, "led": FactKind.SUIT, "winning": FactKind.CARD}
"""Facts with a special meaning for standing orders, and the kind that each must have."""


def _facts(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    for name, kind in game.facts.kinds.items():
        if not is_name(name):
            yield f"facts.kinds[{name_value(name)}]", NO_NAME
        if (due := _MEANT.get(name, kind)) is not kind:
            yield f"facts.kinds[{name!r}]", f"A fact of this name must be a {due.value}."
    for cls in game.facts.completes - set(game.moves.values()):
        yield "facts.completes", f"{cls.__name__} is not among the moves."


def _deal(game: Any, reserved: Reserved) -> Iterator[ContractFault]:
    for cls in game.deal.sees:
        if cls not in game.events:
            yield f"deal.sees[{cls.__name__}]", f"{cls.__name__} is not among the events."


_PARTS: Final[tuple[Part, ...]] = (_name, _setup, _moves, _events, _lifecycle, _answers, _entry, _words, _facts, _deal)
