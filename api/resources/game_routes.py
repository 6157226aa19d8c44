"""Serves the catalogue of games."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final

from flask import Blueprint, Response
from msgspec import Meta

from api.http.compression import answer_everybody
from api.http.game_request_schemas import moves_schemas, options_titled
from api.http.openapi_operations import (
    ETAG,
    NOT_MODIFIED,
    Answer,
    JsonSchema,
    NextCursor,
    Operation,
    Parameter,
    Reply,
    says,
)
from api.http.path_prefix import public_link
from api.http.problems import Problem
from api.http.request_parsing import read_query
from api.http.responses import IF_NONE_MATCH, json_answer
from api.http.sparse_fields import fields_parameter, select_fields
from api.http.strict_fields import Strict
from domain.core.game import AnyGame, Game, gains_for
from domain.games.catalogue import GAMES
from events.service.replay_steps import name_release

bp = Blueprint("games", __name__, url_prefix="/v1/games")


GAME: Final = Parameter("game", "path", "The name of the game.", example="hearts")


class GameSeatsAnswer(Answer):
    min: Annotated[int, says("The fewest seats of a match.")]
    max: Annotated[int, says("Maximum seats of a match.")]
    usual: Annotated[int, says("The seats of a match that is created without saying.")]


class GameMinutesAnswer(Answer):
    least: Annotated[int, says("The minutes that a short match takes.")]
    most: Annotated[int, says("The minutes that a long match takes.")]


class GameBroughtToAnswer(Answer):
    game: Annotated[str, says("The name of the game.")]
    title: Annotated[str, says("The name of the game, as people have it.")]
    options: Annotated[Mapping[str, Any], says("The options with which such a match is created.")]
    named_by: Annotated[str, says("The option that has the id of the match in which it was gained.")]


class GameAnswer(Answer):
    game: Annotated[str, says("The name of the game, as requests have it.")]
    title: Annotated[str, says("The name of the game, as people have it.")]
    seats: Annotated[GameSeatsAnswer, says("How many seats a match has.")]
    summary: Annotated[str, says("The game in two sentences, for people who do not know it.")]
    minutes: Annotated[
        GameMinutesAnswer | None,
        says("How long a match of people usually takes, with the default options; null where that is not known."),
    ]
    options: Annotated[
        JsonSchema,
        says(
            "JSON Schema of the options, each with a `title`. Next to an `enum`, `x-titles` names choices for people,"
            " if they need it."
        ),
    ]
    presets: Annotated[Mapping[str, Mapping[str, Any]], says("Options by the name of the preset.")]
    preset_titles: Annotated[
        Mapping[str, str], says("The names of presets for people, by the name of the preset, where they need one.")
    ]
    usual_preset: Annotated[
        str,
        says("The preset to offer people first. A match that is created without a preset has the defaults instead."),
    ]
    about: Annotated[str, says("The rules in a few sentences, with the default options and the usual seats.")]
    about_presets: Annotated[Mapping[str, str], says("The same by the name of the preset.")]
    moves: Annotated[Mapping[str, JsonSchema], says("JSON Schema of the arguments of each move.")]
    orders: Annotated[str, says("Address of the JSON Schema of the game's standing orders.")]
    hand_history: Annotated[bool, says("Whether its records are also available as poker hands (`format=phh`).")]
    brought_to: Annotated[
        list[GameBroughtToAnswer],
        says("The games to whose matches players may bring what they have gained in a finished match of this one."),
    ]


class GameListAnswer(Answer):
    items: Annotated[list[GameAnswer], says("The games.")]
    release: Annotated[
        str,
        says(
            "The code of the server and its games; lines of a replay are kept for it.",
            pattern="^[0-9a-f]{16}$",
            examples=["3f9a51c07be2d846"],
        ),
    ]
    next: NextCursor


class GamesQuery(Strict):
    wanted = fields_parameter(GameAnswer)


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
    next: NextCursor


@bp.get("")
@Operation(
    tag="games",
    access="public",
    parameters=(IF_NONE_MATCH,),
    query=GamesQuery(),
    replies={
        200: Reply(
            "All games, with the JSON Schemas of their options and moves.",
            GameListAnswer,
            headers=(ETAG,),
        ),
        304: NOT_MODIFIED,
    },
    needs_database=False,
)
def list_games() -> Response:
    """List games.

    Includes the games that come with the server and those of other installed packages. `release` says whether anything
    may have changed since you asked last.
    """
    listed = GameListAnswer([describe_game(game, public_link("")) for game in GAMES], name_release(), None)
    return answer_everybody(select_fields(json_answer(listed), read_query(GamesQuery())))


@bp.get("/<game>")
@Operation(
    tag="games",
    access="public",
    parameters=(GAME, IF_NONE_MATCH),
    replies={200: Reply("The game.", GameAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
    needs_database=False,
)
def get_game(game: str) -> Response:
    """Get a game.

    All that a client needs to offer it: seats, options and moves as JSON Schema, presets, and the rules in a
    few sentences.
    """
    if game not in GAMES:
        raise Problem("not_found")
    return answer_everybody(json_answer(describe_game(game, public_link(""))))


def make_variants_view(game: AnyGame) -> Callable[[], Response]:
    """Make the view that lists the variants of a game."""
    rows = [VariantAnswer(i, one.code, one.slugs, one.text) for i, one in enumerate(game.setup.variants, 1)]

    def variants() -> Response:
        return answer_everybody(json_answer(VariantListAnswer(rows, None)))

    said = "Each with its number, the code that `options.variant` takes, and what it means."
    variants.__name__ = f"list_{game.name}_variants"
    variants.__doc__ = f"List {game.words.title} variants.\n\nThere are {len(rows)}. {said}"
    described = Operation(
        tag="games",
        access="public",
        parameters=(IF_NONE_MATCH,),
        replies={200: Reply("The variants, by index.", VariantListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
        needs_database=False,
    )
    return described(variants)


for _game in GAMES.values():
    if _game.setup.variants:
        bp.add_url_rule(f"/{_game.name}/variants", f"{_game.name}_variants", make_variants_view(_game))


@cache
def describe_game(game: str, root: str) -> GameAnswer:
    """Describe a game: its seats, options, presets and moves. Addresses begin with `root`."""
    rules = GAMES[game]
    return GameAnswer(
        game=rules.name,
        title=rules.words.title,
        seats=GameSeatsAnswer(rules.setup.seats[0], rules.setup.seats[-1], rules.setup.usual),
        summary=rules.words.summary or explain_variant(rules, {}),
        minutes=_minutes(rules.setup.minutes),
        options=options_titled(rules),
        presets=rules.setup.presets,
        preset_titles=rules.setup.preset_titles,
        usual_preset=rules.setup.usual_preset,
        about=explain_variant(rules, {}),
        about_presets={name: explain_variant(rules, preset) for name, preset in rules.setup.presets.items()},
        moves=moves_schemas(rules),
        orders=f"{root}/v1/games/{game}/orders",
        hand_history=bool(rules.words.hand_history),
        brought_to=list(_brought_to(rules)),
    )


def _brought_to(rules: AnyGame) -> Iterator[GameBroughtToAnswer]:
    """Name the games to which is brought what is gained in a match of this one."""
    for game in GAMES.values():
        if game.entry and (gained := game.entry.gained) and gains_for(rules, game.setup.cards):
            yield GameBroughtToAnswer(game.name, game.words.title, gained.options, gained.named_by)


def _minutes(usual: range | None) -> GameMinutesAnswer | None:
    """Write how long a match usually takes."""
    return None if usual is None else GameMinutesAnswer(usual[0], usual[-1])


def explain_variant(rules: Game[Any, Any, Any, Any], options: Mapping[str, Any]) -> str:
    """Tell a person the rules of a game with these options, the others as they are by default, at its usual table."""
    return rules.words.about(rules.setup.options(**rules.setup.resolve(options, rules.setup.usual)), rules.setup.usual)
