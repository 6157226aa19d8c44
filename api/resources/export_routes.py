"""Serves the export of all data about a player outside the log."""

from typing import Annotated, Any

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.openapi_operations import Answer, Operation, Reply, Timestamp, says
from api.http.responses import json_answer
from events.service import players
from events.times import write_time


class ExportAnswer(Answer):
    """All data about you that is outside the log."""

    player: Annotated[str, says("Your id.")]
    at: Annotated[Timestamp, says("Time of the export.")]
    data: Annotated[
        dict[str, list[dict[str, Any]]], says("The rows about you, by table; times in milliseconds since 1970.")
    ]


@Operation(
    makes="exports",
    tag="players",
    searches=("export my data", "personal data download"),
    replies={200: Reply("Your data.", ExportAnswer)},
)
def export_me() -> Response:
    """Export your data.

    Contains your profile, tokens without their secrets, matches, chat messages, notes, blocks, mutes, mail address,
    webhooks, ratings, decks, collection and reports. Get the events of each match with `GET /v1/matches/{id}/record`.
    Needs the main token. Suspended players can export too.
    """
    player, context = require_player().player_id, app_state().context
    found = players.export_player(context, player)
    return json_answer(ExportAnswer(player, write_time(context.now()), found))
