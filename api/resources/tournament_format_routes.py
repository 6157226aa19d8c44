"""Serves the formats in which tournaments of a game are played, with what may be said of each when it is announced."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, get_args

from flask import Blueprint, Response

from api.http.auth import player_or_none
from api.http.openapi_operations import Answer, JsonSchema, Operation, Ordinal, Reply, one_of, says
from api.http.problems import Problem
from api.http.responses import json_answer
from api.http.strict_fields import schema_of
from api.resources.announcement_request import SHOW_UP_SECONDS, complete_plan, complete_table, faults_at
from api.resources.game_routes import GAME
from api.resources.prize_parts import may_award
from api.resources.tournament_request import TournamentRequestBody
from domain.core.game import AnyGame, gains_for
from domain.games.catalogue import GAMES
from domain.tournament.formats.format_catalogue import FORMATS, can_begin
from domain.tournament.tournament_plan import FormatName, TournamentPlan
from events.service.new_match import NewMatch

bp = Blueprint("tournament_formats", __name__, url_prefix="/v1/games/<game>/tournament-formats")

ENDS: Final = 4_102_444_800_000
"""A time at which an arena may end, in milliseconds."""
FEW: Final = 12
"""So many of the least numbers are tried to find the least that can be said."""
NOT_TRIED: Final = frozenset({"format", "seats", "ends_at", "most"})


class OfferedFormatAnswer(Answer):
    format: Annotated[str, one_of(get_args(FormatName)), says("How rounds are paired.")]
    seats: Annotated[Ordinal, says("The seats of each table.")]
    presets: Annotated[list[str], says("The presets with which it is played.")]
    whole_matches: Annotated[
        bool, says("Whether each table is its own match, which can be rated and have several games.")
    ]
    fields: Annotated[
        JsonSchema,
        says(
            "JSON Schema of the other fields of such a plan, as far as each field can be described separately. With"
            " some values of another field the bounds of `most` are narrower, as `allOf` says."
        ),
    ]


class GamePreparationAnswer(Answer):
    game: Annotated[str, says("The name of the game that is played before the first round.")]
    preset: Annotated[str | None, says("Its preset; null if there is none.")]
    title: Annotated[str, says("What it is, for people.")]
    options: Annotated[Mapping[str, Any], says("The options of the tables to which the gains are brought.")]


class TournamentFormatListAnswer(Answer):
    items: Annotated[list[OfferedFormatAnswer], says("Each format with each number of seats that it is played by.")]
    preparations: Annotated[
        list[GamePreparationAnswer],
        says("Available preparations before the first round of a Swiss; empty if there are none."),
    ]
    prizes: Annotated[
        bool,
        says("Whether you may award boosters: the game has collectible cards, and the operator has named you for it."),
    ]


@bp.get("")
@Operation(
    tag="tournaments",
    access="optional",
    parameters=(GAME,),
    replies={200: Reply("The formats.", TournamentFormatListAnswer)},
    refuses=("not_found",),
)
def list_tournament_formats(game: str) -> Response:
    """List tournament formats.

    Has all that a client needs to create tournaments: the fields and the choices for each format and number of seats.
    Combinations that are not allowed are refused when the tournament is created.
    """
    if game not in GAMES:
        raise Problem("not_found")
    known, made = player_or_none(), _formats(game)
    awards = made.prizes and may_award(None if known is None else known.player_id)
    return json_answer(TournamentFormatListAnswer(made.items, made.preparations, awards))


@cache
def _formats(game: str) -> TournamentFormatListAnswer:
    rules = GAMES[game]
    sizes = [seats for seats in rules.setup.seats if seats > 1] if rules.setup.winnable else []
    items = [one for name in get_args(FormatName) for seats in sizes if (one := _offered(rules, name, seats))]
    return TournamentFormatListAnswer(items, list(_preparations(rules)), rules.setup.cards is not None)


def _preparations(tables: AnyGame) -> Iterator[GamePreparationAnswer]:
    """Give what may be gained before the first round, and brought to these tables."""
    brought = tables.entry.prepared if tables.entry else None
    for game in GAMES.values() if brought else ():
        if not gains_for(game, tables.setup.cards):
            continue
        for preset in game.setup.presets:
            kind = game.setup.preset_titles.get(preset, preset.replace("_", " ")) if game.setup.presets[preset] else ""
            title = f"{game.words.title}: {kind}" if kind else game.words.title
            assert brought is not None
            yield GamePreparationAnswer(game.name, preset, title, brought.get(preset, brought[""]))


def _offered(game: AnyGame, format_: FormatName, seats: int) -> OfferedFormatAnswer | None:
    """Give a format with this number of seats; None if that is not played."""
    plain = {"format": format_, "seats": seats}
    tables = {name: made for name in game.setup.presets if (made := _table(game, name, seats))}
    begun = {name: one for name, made in tables.items() if (one := _begun(game, plain, made))}
    if not begun:
        return None
    preset, usual = next(iter(begun.items()))

    def admits(**said: Any) -> bool:
        plan = complete_plan(game, seats, {**usual, **said}, tables[preset])
        return can_begin(plan) and not faults_at(game, plan, tables[preset])

    schema = _said()
    tried = [name for name in TournamentPlan.__dataclass_fields__ if name in schema and name not in NOT_TRIED]
    fields = {name: kept for name in tried if (kept := _admitted(name, schema[name], usual[name], admits))}
    needed = ["ends_at"] if usual["ends_at"] else []
    places, bounds = _places(fields, usual, schema["most"], admits)
    properties = {**fields, **places, **{name: schema[name] for name in needed}}
    described = {"type": "object", "properties": properties, "required": needed, **bounds}
    return OfferedFormatAnswer(format_, seats, list(begun), not FORMATS[format_].has_stacks, described)


@cache
def _said() -> Mapping[str, Mapping[str, Any]]:
    """Give the schemas of what is said of a tournament, by name."""
    properties: Mapping[str, Mapping[str, Any]] = schema_of(TournamentRequestBody())["properties"]
    return properties


@cache
def _table(game: AnyGame, preset: str, seats: int) -> NewMatch | None:
    """Give a table as it is usual with a preset; None where this number of seats cannot play it."""
    usual = {"game": game.name, "preset": preset, "options": {}, "clock": {}, "series": {}, "visibility": "public"}
    try:
        return complete_table(usual, seats)
    except Problem:
        return None


def _begun(game: AnyGame, plain: Mapping[str, Any], made: NewMatch) -> Mapping[str, Any] | None:
    """Give a plan of which as little is said as can be; None where the format is not played at such tables."""
    schema = _said()
    usual = {name: one.get("default") for name, one in schema.items()} | {"show_up_seconds": SHOW_UP_SECONDS["live"]}
    starts = [{"fill": fill, "ends_at": ends} for fill in schema["fill"]["enum"] for ends in (None, ENDS)]
    plans = ({**usual, **plain, **start} for start in starts)
    return next(
        (one for one in plans if not faults_at(game, complete_plan(game, plain["seats"], one, made), made)), None
    )


Admits = Callable[..., bool]
"""Says whether a tournament can be announced of which all is usual but this."""


def _admitted(name: str, schema: Mapping[str, Any], usual: Any, admits: Admits) -> Mapping[str, Any] | None:
    """Narrow the schema of a field to the values that can be said; None where there is nothing to say."""
    if choices := schema.get("enum"):
        kept = [one for one in choices if admits(**{name: one})]
        return {**schema, "enum": kept, "default": usual} if kept != [schema["default"]] else None
    values = _range(schema, lambda one: one == usual or admits(**{name: one}))
    return {**schema, "minimum": values[0], "maximum": values[-1]} if values and [*values[:2]] != [usual] else None


def _range(schema: Mapping[str, Any], can: Callable[[int], bool]) -> range:
    """Give the numbers that can be said: no larger than some, and no less than one of the first that are tried."""
    values = range(schema["minimum"], schema["maximum"] + 1)
    values = values[next((i for i, one in enumerate(values[:FEW]) if can(one)), 0) :]
    return values[: bisect_left(values, True, key=lambda one: not can(one))]


Described = Mapping[str, Any]
"""A JSON Schema, or several by name."""


def _places(fields: Described, usual: Described, schema: Described, admits: Admits) -> tuple[Described, Described]:
    """Give the schema of the most entrants, and narrower bounds that hold with some values of another field.

    How few make a table, and how many can all meet, follows from what else is said.
    """

    def bounds(**said: Any) -> tuple[int, int]:
        values = _range(schema, lambda most: admits(**said, most=most))
        return values[0], values[-1]

    of_fields = {name: [(one, bounds(**{name: one})) for one in _few(of)] for name, of in fields.items()}
    found = [bounds(), *(each for of in of_fields.values() for _, each in of)]
    widest = min(least for least, _ in found), max(most for _, most in found)
    narrower = []
    for name, of in of_fields.items():
        of_field = dict.fromkeys(each for _, each in of)
        for each in of_field if len(of_field) > 1 else ():
            values = [one for one, other in of if other == each]
            if each != widest:
                narrower.append(_if(name, values, {"most": _bounded(*each)}, is_usual=usual[name] in values))
    return {"most": {**schema, **_bounded(*widest)}}, {"allOf": narrower} if narrower else {}


def _few(schema: Described) -> Sequence[Any]:
    """Give the values of a field where there are few."""
    values = schema.get("enum") or range(schema["minimum"], schema["maximum"] + 1)
    return values if len(values) <= FEW else ()


def _bounded(least: int, most: int) -> Described:
    return {"minimum": least, "maximum": most}


def _if(name: str, values: Sequence[Any], then: Described, *, is_usual: bool) -> Described:
    """Describe what holds where a field has one of these values; that it has, too, where it is not said."""
    condition = {"properties": {name: {"enum": values}}} | ({} if is_usual else {"required": [name]})
    return {"if": condition, "then": {"properties": then}}
