"""Lists the bots that play the games; only the workers know them.

A module of an installed game that cannot be loaded has no row, and `REFUSED` has the reason. No worker then starts.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from random import Random
from typing import Any

from domain.core.bot_levels import BotPlayer, any_of, player
from domain.core.cards import Seat
from domain.core.game import AnyGame
from domain.core.monte_carlo import BRIEF, SearchBudget
from domain.core.type_faults import NO_FAULT
from domain.games.catalogue import GAMES

Bot = BotPlayer
"""A bot: its arguments are the level, the table as its seat knows it, the seat, the events shown to it, a random
generator and its budget.
"""


def bot_of(game: AnyGame) -> Bot:
    """Return the bot of a game: `choose` of the module `bot` in its package, or one that plays at random."""
    module = f"{game.words.rulebook}.bot"
    if find_spec(module) is None:
        return player(any_of(game.legal), any_of(game.legal))
    return with_budget(import_module(module).choose)


def with_budget(bot: Callable[..., Any]) -> Bot:
    """Return a bot that can be given a budget; one that does not search ignores it."""
    if "budget" in signature(bot).parameters:
        return bot

    def choose(
        level: str, state: Any, seat: Seat, shown: Sequence[Any], rng: Random, budget: SearchBudget = BRIEF
    ) -> Any:
        return bot(level, state, seat, shown, rng)

    return choose


def load_bots(games: Mapping[str, AnyGame]) -> tuple[dict[str, Bot], list[str]]:
    """Return the bots of these games; and a sentence for each that cannot be loaded."""
    bots: dict[str, Bot] = {}
    refused: list[str] = []
    for name, game in games.items():
        try:
            bots[name] = bot_of(game)
        except NO_FAULT:
            raise
        except BaseException as error:  # An installed module may raise anything, and may exit.
            refused.append(f"The bot of the game {name} cannot be loaded: {type(error).__name__}: {error}.")
    return bots, refused


_loaded, REFUSED = load_bots(GAMES)

BOTS: Mapping[str, Bot] = _loaded
