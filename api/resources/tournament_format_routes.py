"""Serves the tournament formats of a game, with the fields of each."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, Final, get_args

from flask import Response

from api.http.auth import player_or_none
from api.http.openapi_operations import Answer, JsonSchema, Operation, Ordinal, Reply, one_of, says
from api.http.problems import Problem
from api.http.request_records import request_schema
from api.http.responses import json_answer
from api.resources.announcement_request import SHOW_UP_SECONDS, complete_plan, complete_table, faults_at
from api.resources.game_routes import GAME
from api.resources.prize_parts import may_award
from api.resources.tournament_request import TournamentRequestBody
from domain.core.clock import Time
from domain.core.game import AnyGame, gains_for
from domain.games.catalogue import GAMES
from domain.tournament.formats.format_catalogue import FORMATS, can_begin
from domain.tournament.tournament_plan import Fill, FormatName, TournamentPlan
from events.service.new_match import NewMatch

ENDS: Final = Time(4_102_444_800_000)
"""A possible end of an arena, in milliseconds."""
FEW: Final = 12
"""The number of values to try from the bottom to find the minimum of a field."""
NOT_TRIED: Final = frozenset({"format", "seats", "ends_at", "most"})


class OfferedFormatAnswer(Answer):
    format: Annotated[str, one_of(get_args(FormatName)), says("How rounds are paired.")]
    seats: Annotated[Ordinal, says("The seats of each table.")]
    presets: Annotated[list[str], says("The presets that it supports.")]
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
    game: Annotated[str, says("The game that is played before the first round.")]
    preset: Annotated[str | None, says("Its preset; null if there is none.")]
    title: Annotated[str, says("Its display name.")]
    options: Annotated[Mapping[str, Any], says("The options of the tables that use the gains.")]


class TournamentFormatListAnswer(Answer):
    items: Annotated[list[OfferedFormatAnswer], says("All formats, each with the numbers of seats that it supports.")]
    preparations: Annotated[
        list[GamePreparationAnswer],
        says("Available preparations before the first round of a Swiss."),
    ]
    prizes: Annotated[
        bool,
        says("Whether you may award boosters: the game has collectible cards, and the operator has authorised you."),
    ]


@Operation(
    tag="tournaments",
    searches=("tournament formats", "swiss"),
    access="optional",
    parameters=(GAME,),
    replies={200: Reply("The formats.", TournamentFormatListAnswer)},
    refuses=("not_found",),
)
def list_tournament_formats(game: str) -> Response:
    """List tournament formats.

    Returns the fields and choices for each format and number of seats. Combinations that are not allowed are refused
    when the tournament is created.
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
    """Return the preparations whose gains these tables can use."""
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
    """Return the description of a format with this number of seats; None if the format does not allow it."""
    plain = TournamentRequestBody(
        name="", game=game.name, format=format_, seats=seats, show_up_seconds=SHOW_UP_SECONDS["live"]
    )
    tables = {name: made for name in game.setup.presets if (made := _table(game, name, seats))}
    begun = {name: one for name, made in tables.items() if (one := _begun(game, plain, seats, made))}
    if not begun:
        return None
    preset, usual = next(iter(begun.items()))

    def admits(**said: Any) -> bool:
        plan = complete_plan(game, seats, replace(usual, **said), tables[preset])
        return can_begin(plan) and not faults_at(game, plan, tables[preset])

    schema = _field_schemas()
    tried = [name for name in TournamentPlan.__dataclass_fields__ if name in schema and name not in NOT_TRIED]
    fields = {name: kept for name in tried if (kept := _admitted(name, schema[name], getattr(usual, name), admits))}
    needed = ["ends_at"] if usual.ends_at else []
    places, bounds = _places(fields, usual, schema["most"], admits)
    properties = {**fields, **places, **{name: schema[name] for name in needed}}
    described = {"type": "object", "properties": properties, "required": needed, **bounds}
    return OfferedFormatAnswer(format_, seats, list(begun), not FORMATS[format_].has_stacks, described)


@cache
def _field_schemas() -> Mapping[str, Mapping[str, Any]]:
    """Return the schemas of the fields, by name."""
    properties: Mapping[str, Mapping[str, Any]] = request_schema(TournamentRequestBody)["properties"]
    return properties


@cache
def _table(game: AnyGame, preset: str, seats: int) -> NewMatch | None:
    """Return the usual table of a preset; None if this number of seats cannot play it."""
    try:
        return complete_table(TournamentRequestBody(name="", game=game.name, preset=preset, format="swiss"), seats)
    except Problem:
        return None


def _begun(game: AnyGame, plain: TournamentRequestBody, seats: int, made: NewMatch) -> TournamentRequestBody | None:
    """Return the plan with the fewest fields; None if the format is not possible at such tables."""
    plans = (replace(plain, fill=fill, ends_at=ends) for fill in get_args(Fill) for ends in (None, ENDS))
    return next((one for one in plans if not faults_at(game, complete_plan(game, seats, one, made), made)), None)


Admits = Callable[..., bool]
"""Return whether a tournament can be created with usual values except this one."""


def _admitted(name: str, schema: Mapping[str, Any], usual: Any, admits: Admits) -> Mapping[str, Any] | None:
    """Narrow the schema of a field to its valid values; None if the field cannot be used."""
    if choices := schema.get("enum"):
        kept = [one for one in choices if admits(**{name: one})]
        return {**schema, "enum": kept, "default": usual} if kept != [schema["default"]] else None
    values = _range(schema, lambda one: one == usual or admits(**{name: one}))
    return {**schema, "minimum": values[0], "maximum": values[-1]} if values and [*values[:2]] != [usual] else None


def _range(schema: Mapping[str, Any], can: Callable[[int], bool]) -> range:
    """Return the valid numbers: up to a maximum, and from one of the first numbers tried."""
    values = range(schema["minimum"], schema["maximum"] + 1)
    values = values[next((i for i, one in enumerate(values[:FEW]) if can(one)), 0) :]
    return values[: bisect_left(values, True, key=lambda one: not can(one))]


Described = Mapping[str, Any]
"""A JSON Schema, or several by name."""


def _places(
    fields: Described, usual: TournamentRequestBody, schema: Described, admits: Admits
) -> tuple[Described, Described]:
    """Return the schema of the maximum entrants, and narrower bounds for some values of other fields.

    The minimum and maximum depend on the other fields.
    """

    def bounds(**said: Any) -> tuple[int, int]:
        values = _range(schema, lambda most: admits(**said, most=most))
        return values[0], values[-1]

    of_fields = {name: [(one, bounds(**{name: one})) for one in _few_values(of)] for name, of in fields.items()}
    found = [bounds(), *(each for of in of_fields.values() for _, each in of)]
    widest = min(least for least, _ in found), max(most for _, most in found)
    narrower = []
    for name, of in of_fields.items():
        of_field = dict.fromkeys(each for _, each in of)
        for each in of_field if len(of_field) > 1 else ():
            values = [one for one, other in of if other == each]
            if each != widest:
                narrower.append(
                    _if_field_is(name, values, {"most": _bounded(*each)}, is_usual=getattr(usual, name) in values)
                )
    return {"most": {**schema, **_bounded(*widest)}}, {"allOf": narrower} if narrower else {}


def _few_values(schema: Described) -> Sequence[Any]:
    """Return the values of a field that has few."""
    values = schema.get("enum") or range(schema["minimum"], schema["maximum"] + 1)
    return values if len(values) <= FEW else ()


def _bounded(least: int, most: int) -> Described:
    return {"minimum": least, "maximum": most}


def _if_field_is(name: str, values: Sequence[Any], then: Described, *, is_usual: bool) -> Described:
    """Return the condition that a field has one of these values, or is omitted if its default is among them."""
    condition = {"properties": {name: {"enum": values}}} | ({} if is_usual else {"required": [name]})
    return {"if": condition, "then": {"properties": then}}
