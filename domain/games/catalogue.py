"""Lists the available games: the built-in ones, one row each, and those of installed packages.

Installed games are loaded once, when this module is imported, so that all processes of a service know the same games
from the start. Each declaration is checked, and a short game is played; `dealt check-game` checks more. A game that
breaks the contract is left out, and `REFUSED` has the reason. No service then starts, but matches of other games can
still be read and verified. The functions of an admitted game are guarded: an exception harms only its match.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from domain.core import contract
from domain.core.collectible import NO_CARDS
from domain.core.game import AnyGame
from domain.core.game_guard import GameFailed, guard_game
from domain.core.short_game import play_short_game
from domain.core.time_limit import TimeOver, time_limit
from domain.core.type_faults import NO_FAULT, ContractFault, describe_error
from domain.core.values import value
from domain.games.absent import absent
from domain.games.crazy_eights import GAME as CRAZY_EIGHTS
from domain.games.five_card_draw import GAME as FIVE_CARD_DRAW
from domain.games.fivewells import GAME as FIVEWELLS
from domain.games.fivewells_draft import GAME as FIVEWELLS_DRAFT
from domain.games.gin_rummy import GAME as GIN_RUMMY
from domain.games.hearts import GAME as HEARTS
from domain.games.holdem import GAME as HOLDEM
from domain.games.trio import GAME as TRIO
from domain.games.two_handed_hearts import GAME as TWO_HANDED_HEARTS
from domain.match import match_parts
from domain.match.creation import Common
from domain.match.match_parts import SEAT_COMMANDS

BUILT_IN = (
    HEARTS,
    TWO_HANDED_HEARTS,
    CRAZY_EIGHTS,
    GIN_RUMMY,
    TRIO,
    FIVE_CARD_DRAW,
    HOLDEM,
    FIVEWELLS,
    FIVEWELLS_DRAFT,
)

GROUP: Final = "dealt.games"
"""Installed packages offer games under this entry point: the name of the game, and its `Game` record."""


@value
class InstalledGame:
    """A game of an installed package: its name, its source and its record, or a sentence why it cannot be loaded."""

    name: str
    by: str
    record: Any


IMPORT_SECONDS: Final = 30.0
"""The modules of an installed game are imported in this time, or the game is not admitted."""

SHORT_GAME_SECONDS: Final = 15.0
"""Checking an installed game's declaration and playing a short game may take this long; built-in games take 0.1 s."""


def installed_games() -> Iterator[InstalledGame]:
    """Yield the games of installed packages, by name."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        by = f"{entry.dist.name if entry.dist else 'a package'}, entry point {entry.name}"
        yield InstalledGame(entry.name, by, _loaded(entry))


def _loaded(entry: EntryPoint) -> Any:
    """Return the object that an entry point names, or a sentence on why it cannot be loaded."""
    try:
        with time_limit("the import", IMPORT_SECONDS):
            return entry.load()
    except TimeOver as over:
        return f"{entry.value} cannot be loaded: {over}."
    except NO_FAULT:
        raise
    except BaseException as error:  # An installed module may raise anything, and may exit.
        return f"{entry.value} cannot be loaded: {describe_error(error)}."


def admit_games(offers: Iterable[InstalledGame]) -> tuple[dict[str, AnyGame], list[str]]:
    """Return the games that obey the contract, the built-in ones first, and a sentence for each of the others."""
    games: dict[str, AnyGame] = {game.name: game for game in BUILT_IN}
    refused: list[str] = []
    for offer in offers:
        if why := _refusal(offer, games):
            refused.append(f"The game of {offer.by} is not admitted. {why}")
        else:
            games[offer.name] = guard_game(offer.record)
    return games, refused


def offer_faults(offer: InstalledGame, others: Iterable[AnyGame]) -> list[ContractFault]:
    """Return the faults in the declaration of a game, compared with other games."""
    if isinstance(offer.record, str):
        return [("The game", offer.record)]
    faults = list(contract.declaration_faults(offer.record, reserved_names(others)))
    if not faults and offer.record.name != offer.name:
        faults = [("name", f"{offer.record.name!r} is not the name of its entry point.")]
    return faults


def _refusal(offer: InstalledGame, games: Mapping[str, AnyGame]) -> str | None:
    """Return why a game is not admitted; None if it is."""
    if isinstance(offer.record, str):
        return offer.record
    why = _first_fault(offer, games)
    return f"{why} `dealt check-game {offer.name}` says more." if why else None


def _first_fault(offer: InstalledGame, games: Mapping[str, AnyGame]) -> str | None:
    """Check the declaration of a game, then play a short game; return the first fault."""
    try:
        with time_limit("a short game", SHORT_GAME_SECONDS):
            for at, sentence in offer_faults(offer, games.values()):
                return f"{at}: {sentence}"
            play_short_game(guard_game(offer.record))
    except TimeOver as over:
        return f"The game: {over}."
    except NO_FAULT:
        raise
    except GameFailed as failed:
        return f"{failed}."
    except BaseException as error:  # A game may raise any exception, and may exit.
        return f"A short game raises {describe_error(error)}."
    return None


def reserved_names(games: Iterable[AnyGame]) -> contract.Reserved:
    """Return the names that an additional game may not use."""
    taken = tuple(games)
    return contract.Reserved(
        games=[game.name for game in taken],
        events=[kind.__name__ for kind in match_parts.EVENTS],
        moves=[*SEAT_COMMANDS],
        options=[*Common.__dataclass_fields__],
        refusals={code: refusal for game in taken for code, refusal in game.words.refusals.items()},
        hand_histories=[code for game in taken for code in game.words.hand_history],
        cards=next((game.setup.cards for game in taken if game.setup.cards is not None), None),
    )


def folder_of(game: AnyGame) -> Path:
    """Return the folder of a game's code."""
    return Path(str(files(game.words.rulebook)))


def game_of(name: str) -> AnyGame:
    """Return the game of a match, or the replacement of a game that is not installed."""
    return GAMES.get(name) or absent(name)


_admitted, REFUSED = admit_games(installed_games())

GAMES: Mapping[str, AnyGame] = _admitted

CARDS: Final = reserved_names(GAMES.values()).cards or NO_CARDS
"""The collectible cards that games are played with."""
