"""Serves the catalogue of games."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final

from flask import Response

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
from api.http.request_records import Request
from api.http.responses import IF_NONE_MATCH, json_answer
from api.http.sparse_fields import fields_of_answer, select_fields
from domain.core.game import AnyGame, Game, gains_for
from domain.core.options import Omissible
from domain.games.catalogue import GAMES
from events.service.replay import name_release

GAME: Final = Parameter("game", "path", "The name of the game.", example="hearts")


class GameSeatsAnswer(Answer):
    min: Annotated[int, says("Minimum seats of a match.")]
    max: Annotated[int, says("Maximum seats of a match.")]
    usual: Annotated[int, says("Seats of a match that is created without `seats`.")]


class GameMinutesAnswer(Answer):
    least: Annotated[int, says("Minutes of a short match.")]
    most: Annotated[int, says("Minutes of a long match.")]


class GameBroughtToAnswer(Answer):
    game: Annotated[str, says("The name of the game.")]
    title: Annotated[str, says("The display name of the game.")]
    options: Annotated[Mapping[str, Any], says("The options of such a match.")]
    named_by: Annotated[str, says("The option that names the match with the gains, by id.")]


class GameAnswer(Answer):
    game: Annotated[str, says("The name of the game in requests.")]
    title: Annotated[str, says("The display name of the game.")]
    seats: Annotated[GameSeatsAnswer, says("The number of seats of a match.")]
    summary: Annotated[str, says("A summary in two sentences, for new players.")]
    minutes: Annotated[
        GameMinutesAnswer | None,
        says("The usual length of a match between people, with the default options; null if unknown."),
    ]
    options: Annotated[
        JsonSchema,
        says("JSON Schema of the options, each with a `title`. Next to an `enum`, `x-titles` has display names."),
    ]
    presets: Annotated[Mapping[str, Mapping[str, Any]], says("Options by the name of the preset.")]
    preset_titles: Annotated[
        Mapping[str, str], says("Display names of presets, by the name of the preset, for presets that need one.")
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
        says("Games whose matches can use the gains of a finished match of this game."),
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


class GamesQuery(Request):
    fields: Omissible[Annotated[str, fields_of_answer(GameAnswer)]] = None


MOST_VARIANTS: Final = max(len(game.setup.variants) for game in GAMES.values())
"""Maximum variants of a game."""
SLUGS: Final = {len(variant.slugs) for game in GAMES.values() for variant in game.setup.variants} or {0}
"""A variant consists of this many rules."""


class VariantAnswer(Answer):
    index: Annotated[int, says("The number of the variant.", minimum=1, maximum=MOST_VARIANTS)]
    code: Annotated[str, says("The code of the variant.", examples=["2-2-2-3"])]
    slugs: Annotated[Sequence[str], says("The names of its rules.", minItems=min(SLUGS), maxItems=max(SLUGS))]
    text: Annotated[str, says("The variant in words.")]


class VariantListAnswer(Answer):
    items: Annotated[list[VariantAnswer], says("The variants, by number.")]
    next: NextCursor


@Operation(
    tag="games",
    searches=("games", "available games"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    query=GamesQuery,
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

    Includes games from other installed packages. `release` changes whenever the answer may have changed.
    """
    listed = GameListAnswer([describe_game(game, public_link("")) for game in GAMES], name_release(), None)
    return answer_everybody(select_fields(json_answer(listed), read_query(GamesQuery).fields))


@Operation(
    tag="games",
    searches=("rules of a game", "game options"),
    access="public",
    parameters=(GAME, IF_NONE_MATCH),
    replies={200: Reply("The game.", GameAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
    needs_database=False,
)
def get_game(game: str) -> Response:
    """Get a game.

    Returns all that a client needs to offer the game: seats, options and moves as JSON Schema, presets, and the rules
    in a few sentences.
    """
    if game not in GAMES:
        raise Problem("not_found")
    return answer_everybody(json_answer(describe_game(game, public_link(""))))


@Operation(
    tag="games",
    searches=("game variants", "variants of a game"),
    access="public",
    parameters=(GAME, IF_NONE_MATCH),
    replies={200: Reply("The variants, by number.", VariantListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
    needs_database=False,
)
def list_variants(game: str) -> Response:
    """List a game's variants.

    Each has its number, the code that `options.variant` takes, and what it means. The list of most games is empty.
    """
    if game not in GAMES:
        raise Problem("not_found")
    rows = [VariantAnswer(i, one.code, one.slugs, one.text) for i, one in enumerate(GAMES[game].setup.variants, 1)]
    return answer_everybody(json_answer(VariantListAnswer(rows, None)))


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
    """Name the games that accept gains of a match of this one."""
    for game in GAMES.values():
        if game.entry and (gained := game.entry.gained) and gains_for(rules, game.setup.cards):
            yield GameBroughtToAnswer(game.name, game.words.title, gained.options, gained.named_by)


def _minutes(usual: range | None) -> GameMinutesAnswer | None:
    """Write how long a match usually takes."""
    return None if usual is None else GameMinutesAnswer(usual[0], usual[-1])


def explain_variant(rules: Game[Any, Any, Any, Any], options: Mapping[str, Any]) -> str:
    """Return the rules of a game with these options at its usual table, as text."""
    return rules.words.about(rules.setup.options(**rules.setup.resolve(options, rules.setup.usual)), rules.setup.usual)
