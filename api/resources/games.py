"""Serves the catalogue of games."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final

from flask import Blueprint, Response, request
from msgspec import Meta

from api.http.game_schemas import moves_schemas, options_schema
from api.http.openapi_operations import NOT_FOUND, Answer, Operation, Parameter, Reply, says
from api.http.present import answer
from api.http.problems import Problem
from domain.core.game import AnyGame, Game
from domain.games.catalogue import GAMES

bp = Blueprint("games", __name__, url_prefix="/v1/games")


GAME: Final = Parameter("game", "path", "The name of the game.", example="hearts")


class GameSeatsAnswer(Answer):
    min: Annotated[int, says("The fewest seats of a match.")]
    max: Annotated[int, says("The most seats of a match.")]
    usual: Annotated[int, says("The seats of a match that is created without saying.")]


class GameAnswer(Answer):
    game: Annotated[str, says("The name of the game, as requests have it.")]
    title: Annotated[str, says("The name of the game, as people have it.")]
    seats: Annotated[GameSeatsAnswer, says("How many seats a match has.")]
    options: Annotated[Mapping[str, Any], says("JSON Schema of the options.")]
    presets: Annotated[Mapping[str, Mapping[str, Any]], says("Options by the name of the preset.")]
    about: Annotated[str, says("The rules in a few sentences, with the default options and the usual seats.")]
    about_presets: Annotated[Mapping[str, str], says("The same by the name of the preset.")]
    moves: Annotated[Mapping[str, Mapping[str, Any]], says("JSON Schema of the arguments of each move.")]
    orders: Annotated[str, says("Where the JSON Schema of the game's standing orders is.")]


class GameListAnswer(Answer):
    items: Annotated[list[GameAnswer], says("The games.")]
    next: Annotated[None, says("Always null: all of them are here.")]


MOST_VARIANTS: Final = max(len(game.setup.variants) for game in GAMES.values())
"""A game has at most this many variants."""
SLUGS: Final = {len(variant.slugs) for game in GAMES.values() for variant in game.setup.variants} or {0}
"""A variant consists of this many rules."""


class VariantAnswer(Answer):
    index: Annotated[int, Meta(ge=1, le=MOST_VARIANTS), says("The number of the variant.")]
    code: Annotated[str, Meta(examples=["2-2-2-3"]), says("The code of the variant.")]
    slugs: Annotated[
        Sequence[str], Meta(min_length=min(SLUGS), max_length=max(SLUGS)), says("The name of each of its rules.")
    ]
    text: Annotated[str, says("The variant in words.")]


class VariantListAnswer(Answer):
    items: Annotated[list[VariantAnswer], says("The variants, by number.")]
    next: Annotated[None, says("Always null: all of them are here.")]


@bp.get("")
@Operation(
    id="listGames",
    tag="games",
    access="public",
    replies={200: Reply("All games, with the JSON Schemas of their options and moves.", GameListAnswer)},
    needs_database=False,
)
def index() -> Response:
    """List the games."""
    return answer(GameListAnswer([described(game, request.script_root) for game in GAMES], None))


@bp.get("/<game>")
@Operation(
    id="getGame",
    tag="games",
    access="public",
    parameters=(GAME,),
    replies={200: Reply("The game.", GameAnswer)},
    refuses=(NOT_FOUND,),
    needs_database=False,
)
def show(game: str) -> Response:
    """Describe a game."""
    if game not in GAMES:
        raise Problem("not_found")
    return answer(described(game, request.script_root))


def lists_variants(game: AnyGame) -> Callable[[], Response]:
    """Make the view that lists the variants of a game."""
    rows = [VariantAnswer(i, one.code, one.slugs, one.text) for i, one in enumerate(game.setup.variants, 1)]

    def variants() -> Response:
        return answer(VariantListAnswer(rows, None))

    variants.__doc__ = f"List the {len(rows)} variants of {game.words.title}."
    described = Operation(
        id=f"list{game.name.title().replace('_', '')}Variants",
        tag="games",
        access="public",
        replies={200: Reply("The variants, by index.", VariantListAnswer)},
        needs_database=False,
    )
    return described(variants)


for _game in GAMES.values():
    if _game.setup.variants:
        bp.add_url_rule(f"/{_game.name}/variants", f"{_game.name}_variants", lists_variants(_game))


@cache
def described(game: str, root: str) -> GameAnswer:
    """Describe a game: its seats, options, presets and moves. Addresses begin with `root`."""
    rules = GAMES[game]
    return GameAnswer(
        game=rules.name,
        title=rules.words.title,
        seats=GameSeatsAnswer(rules.setup.seats[0], rules.setup.seats[-1], rules.setup.usual),
        options=options_schema(rules),
        presets=rules.setup.presets,
        about=about(rules, {}),
        about_presets={name: about(rules, preset) for name, preset in rules.setup.presets.items()},
        moves=moves_schemas(rules),
        orders=f"{root}/v1/games/{game}/orders",
    )


def about(rules: Game[Any, Any, Any, Any], options: Mapping[str, Any]) -> str:
    """Tell a person the rules of a game with these options, the others as they are by default, at its usual table."""
    return rules.words.about(rules.setup.options(**rules.setup.resolve(options, rules.setup.usual)), rules.setup.usual)
