"""The catalogue of games."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final

from flask import Blueprint, Response
from msgspec import Meta

from api.http.generated import moves_schemas, options_schema
from api.http.operations import NOT_FOUND, Answer, Operation, Parameter, Reply, says
from api.http.present import answer
from api.http.problems import Problem
from domain.core.game import Game
from domain.games.catalogue import GAMES
from domain.games.hearts.play import variants

bp = Blueprint("games", __name__, url_prefix="/v1/games")


GAME: Final = Parameter("game", "path", example="hearts")


class GameSeatsAnswer(Answer):
    min: int
    max: int
    usual: Annotated[int, says("The seats of a match that is created without saying.")]


class GameAnswer(Answer):
    game: str
    title: str
    seats: GameSeatsAnswer
    options: Annotated[Mapping[str, Any], says("JSON Schema of the options.")]
    presets: Annotated[Mapping[str, Mapping[str, Any]], says("Options by the name of the preset.")]
    about: Annotated[str, says("The rules in a few sentences, with the default options and the usual seats.")]
    about_presets: Annotated[Mapping[str, str], says("The same by the name of the preset.")]
    moves: Annotated[Mapping[str, Mapping[str, Any]], says("JSON Schema of the arguments of each move.")]
    orders: Annotated[str, says("Where the JSON Schema of the game's standing orders is.")]


class GameListAnswer(Answer):
    items: list[GameAnswer]
    next: None


class VariantAnswer(Answer):
    index: Annotated[int, Meta(ge=1, le=256)]
    code: Annotated[str, Meta(examples=["2-2-2-3"])]
    slugs: Annotated[Sequence[str], Meta(min_length=4, max_length=4)]
    text: str


class VariantListAnswer(Answer):
    items: list[VariantAnswer]
    next: None


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
    return answer(GameListAnswer([described(game) for game in GAMES], None))


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
    return answer(described(game))


@bp.get("/hearts/variants")
@Operation(
    id="listHeartsVariants",
    tag="games",
    access="public",
    replies={200: Reply("The variants, by index.", VariantListAnswer)},
    needs_database=False,
)
def hearts_variants() -> Response:
    """List the 256 variants of Hearts."""
    return answer(VariantListAnswer([VariantAnswer(**one) for one in variants()], None))


@cache
def described(game: str) -> GameAnswer:
    """Describe a game: its seats, options, presets and moves."""
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
        orders=f"/v1/games/{game}/orders",
    )


def about(rules: Game[Any, Any, Any, Any], options: Mapping[str, Any]) -> str:
    """Tell a person the rules of a game with these options, the others as they are by default, at its usual table."""
    return rules.words.about(
        rules.setup.options(**rules.setup.resolve(options, rules.setup.usual)), rules.setup.usual
    )
