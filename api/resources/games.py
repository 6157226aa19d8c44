"""The catalogue of games."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Blueprint, Response

from api.http.generated import moves_schemas, options_schema
from api.http.present import answer, listed
from api.http.problems import Problem
from domain.core.game import Game
from domain.games.catalogue import GAMES
from domain.games.hearts.play import variants

bp = Blueprint("games", __name__, url_prefix="/v1/games")


@bp.get("")
def index() -> Response:
    """List the games."""
    return answer(listed([described(game) for game in GAMES]))


@bp.get("/<game>")
def show(game: str) -> Response:
    """Describe a game."""
    if game not in GAMES:
        raise Problem("not_found")
    return answer(described(game))


@bp.get("/hearts/variants")
def hearts_variants() -> Response:
    """List the 256 variants of Hearts."""
    return answer(listed(variants()))


@cache
def described(game: str) -> dict[str, Any]:
    """Describe a game: its seats, options, presets and moves."""
    rules = GAMES[game]
    return {
        "game": rules.name,
        "title": rules.words.title,
        "seats": {"min": rules.setup.seats[0], "max": rules.setup.seats[-1], "usual": rules.setup.usual},
        "options": options_schema(rules),
        "presets": rules.setup.presets,
        "about": about(rules, {}),
        "about_presets": {name: about(rules, preset) for name, preset in rules.setup.presets.items()},
        "moves": moves_schemas(rules),
        "orders": f"/v1/games/{game}/orders",
    }


def about(rules: Game[Any, Any, Any, Any], options: Mapping[str, Any]) -> str:
    """Tell a person the rules of a game with these options, the others as they are by default, at its usual table."""
    return rules.words.about(
        rules.setup.options(**rules.setup.resolve(options, rules.setup.usual)), rules.setup.usual
    )
