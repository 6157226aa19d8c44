"""Lists the checks of a game: its declaration, its options, and play at tables of several sizes and presets."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from random import Random
from typing import Any, Final

from api.game_checks.option_checks import check_options, options_of, unfit_options
from api.game_checks.play_checks import MOVES, SELDOM, checked_steps
from api.game_checks.safe_calls import CheckFailed, call
from api.game_checks.secret_checks import check_secrets
from api.game_checks.subject import Subject
from domain.core.game import AnyGame
from domain.core.time_limit import TimeOver, time_limit
from domain.core.type_faults import NO_FAULT, ContractFault, describe_error, place_of
from domain.games.catalogue import InstalledGame, offer_faults

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
        except BaseException as error:  # the code of a game may raise anything, and may exit
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
    """Play at a table with the options of a preset; find the first thing that is wrong with play, or with secrets.

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
