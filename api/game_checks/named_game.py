"""Finds a game by the name of its entry point, by its own name, or by its module."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from api.game_checks.checks import GameCheck, checks_of
from domain.core.type_faults import NO_FAULT, describe_error
from domain.games.catalogue import BUILT_IN, GAMES, InstalledGame, installed_games


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
    """Import a game's record from a module on the path or in the current directory."""
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
    except BaseException as error:  # a module may raise anything, and may exit
        raise GameNotFound(f"{name} cannot be loaded: {describe_error(error)}.") from error


def checks_of_offer(offer: InstalledGame, seed: int = 0) -> list[GameCheck]:
    """Return the checks of a game next to all others on this machine."""
    return checks_of(offer, [game for game in GAMES.values() if game.name != offer.name], seed)
