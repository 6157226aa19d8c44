"""Lists the checks of a game: its declaration, its options, and play at tables of several sizes and presets."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import partial
from importlib import import_module
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, Final

from api.game_checks.play_checks import MOVES, SELDOM, checked_steps
from api.game_checks.safe_calls import CheckFailed, call, run
from api.game_checks.secret_checks import check_secrets
from api.game_checks.subject import Subject
from domain.core.contract import unwritable_part
from domain.core.contract_texts import is_name
from domain.core.game import AnyGame
from domain.core.json_form import in_a_state
from domain.core.options import misfits
from domain.core.time_limit import TimeOver, time_limit
from domain.core.type_faults import NO_FAULT, ContractFault, describe_error, name_value, place_of
from domain.core.types import compiled_fields, fields_of
from domain.core.values import Copied
from domain.games.catalogue import BUILT_IN, GAMES, InstalledGame, installed_games, offer_faults

CHECK_SECONDS: Final = 120.0
"""The time limit of one check."""


@dataclass(frozen=True)
class GameCheck:
    """A check by its name; `find` yields the faults that it finds."""

    name: str
    find: Callable[[], Iterator[ContractFault]]

    def faults(self) -> list[str]:
        """Run the check, and return its faults as sentences."""
        try:
            with time_limit("the check", CHECK_SECONDS):
                return [f"{at}: {sentence}" for at, sentence in self.find()]
        except TimeOver as over:
            return [f"The game: {over}."]
        except NO_FAULT:
            raise
        except BaseException as error:  # The code of a game may raise any exception, and may exit.
            return [f"The game: it raises {describe_error(error)}. See {place_of(error)}."]


def checks_of(offer: InstalledGame, others: Iterable[AnyGame], seed: int = 0) -> list[GameCheck]:
    """Return the checks of a game next to others; only the first of them, if its declaration has faults."""
    faults = offer_faults(offer, others)
    declaration = GameCheck("declaration", lambda: iter(faults))
    return [declaration] if faults else [declaration, *_play_checks(offer.record, seed)]


def _play_checks(game: AnyGame, seed: int) -> Iterator[GameCheck]:
    yield GameCheck("options", lambda: check_options(game))
    setup = game.setup
    tables: list[tuple[str, int, Mapping[str, Any]]]
    tables = [(f"{seats} seats", seats, {}) for seats in sorted({setup.seats[0], setup.usual, setup.seats[-1]})]
    tables += [(f"preset {name}", setup.usual, preset) for name, preset in setup.presets.items()]
    for name, seats, preset in tables:
        yield GameCheck(name, partial(check_table, game, seats, preset, seed))


def check_table(game: AnyGame, seats: int, preset: Mapping[str, Any], seed: int) -> Iterator[ContractFault]:
    """Play at a table with the options of a preset; return the first fault in play or secrets.

    A preset that does not fit this number of seats is no fault, and nothing is played.
    """
    rng = Random(f"{seed} {seats} {sorted(preset)}")
    try:
        chosen = call(game, "setup.resolve", preset, seats)
        if not unfit_options(game, chosen, seats):
            play_table(Subject(game=game, seats=seats), options_of(game, chosen), rng)
    except CheckFailed as failed:
        yield failed.fault


def play_table(subject: Subject, options: Any, rng: Random, moves: int = MOVES, seldom: int = SELDOM) -> None:
    """Play a series of games, and each again in two worlds. Raise `CheckFailed`."""
    for _, game in groupby(checked_steps(subject, options, rng, moves, seldom), lambda step: step.game_no):
        steps = [*game]
        for reader in (None, *range(subject.seats)):
            check_secrets(subject, steps, reader, rng)


def check_options(game: Any) -> Iterator[ContractFault]:
    """Find what is wrong with the presets, and with the state at the start of a game with the default options."""
    try:
        yield from _check_presets(game)
        yield from _check_start(game)
    except CheckFailed as failed:
        yield failed.fault


def _check_presets(game: Any) -> Iterator[ContractFault]:
    setup = game.setup
    for name, preset in {"": {}, **setup.presets}.items():
        at = f"setup.presets[{name!r}]" if name else "setup.options"
        chosen = call(game, "setup.resolve", preset, setup.usual)
        if wrong := unfit_options(game, chosen, setup.usual):
            yield at, wrong
            continue
        options = options_of(game, chosen)
        if (rated := call(game, "setup.strengths.classes", options, setup.usual)) and not is_name(rated):
            yield (
                "setup.strengths.classes",
                f"{name_value(rated)} may contain only lowercase letters, digits and underscores.",
            )
        changes = call(game, "setup.deciding", options, setup.usual)
        if changes is not None and (wrong := unfit_options(game, {**chosen, **changes}, setup.usual)):
            yield "setup.deciding", wrong


def unfit_options(game: Any, chosen: Mapping[str, Any], seats: int) -> str | None:
    """Return why this number of seats cannot have these options; None if it can."""
    setup = game.setup
    if unknown := [option for option in chosen if option not in setup.options.__dataclass_fields__]:
        return f"There is no option {unknown[0]}."
    if wrong := misfits(setup.options, chosen):
        return f"{wrong[0]} has a value of the wrong type."
    return "; ".join(call(game, "setup.bad_options", options_of(game, chosen), seats).values()) or None


def options_of(game: Any, chosen: Mapping[str, Any]) -> Any:
    """Return the options with these values. Raise `CheckFailed`."""
    return run("setup.options", lambda: game.setup.options(**chosen))


def _check_start(game: Any) -> Iterator[ContractFault]:
    setup = game.setup
    options = options_of(game, call(game, "setup.resolve", {}, setup.usual))
    state = run("start", game.start, options, setup.usual, None)
    cls = type(state)
    if not isinstance(state, Copied) or not is_dataclass(cls):
        yield "start", f"{cls.__name__} is not a dataclass derived from `Copied`."
        return
    again = compiled_fields(cls)
    for name, t in fields_of(cls).items():
        if name not in again and (bad := unwritable_part(t, in_a_state)):
            yield "start", f"{cls.__name__}.{name} cannot hold a {bad}, unless it is `Compiled`."
    if call(game, "outcome", state) is not None:
        yield "outcome", "A game that has not begun is over."


class GameNotFound(Exception):
    """No game has this name, and no module either; the message is a sentence for the author."""


def find_games(name: str | None) -> list[InstalledGame]:
    """Return the game of this name, or all that installed packages offer. Raise `GameNotFound`.

    A name is that of an entry point or of a built-in game, or a module: `high_card`, or `high_card.rules:GAME`.
    """
    offers = [*installed_games()]
    if name is None:
        return offers
    built_in = [InstalledGame(game.name, "dealt", game) for game in BUILT_IN]
    for offer in (*offers, *built_in):
        if offer.name == name:
            return [offer]
    record = _imported(name)
    return [InstalledGame(getattr(record, "name", name), name, record)]


def _imported(name: str) -> Any:
    """Import a game's definition from a module on the path or in the current directory."""
    module, _, attribute = name.partition(":")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        return getattr(import_module(module), attribute or "GAME")
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise GameNotFound(f"{name} cannot be loaded: {describe_error(missing)}.") from missing
        games = ", ".join(sorted({offer.name for offer in installed_games()} | {game.name for game in BUILT_IN}))
        raise GameNotFound(f"There is no game and no module {name}. The games are {games}.") from missing
    except NO_FAULT:
        raise
    except BaseException as error:  # A module may raise any exception, and may exit.
        raise GameNotFound(f"{name} cannot be loaded: {describe_error(error)}.") from error


def checks_of_offer(offer: InstalledGame, seed: int = 0) -> list[GameCheck]:
    """Return the checks of a game next to all others on this machine."""
    return checks_of(offer, [game for game in GAMES.values() if game.name != offer.name], seed)
