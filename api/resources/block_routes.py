"""Serves the players that a player has blocked or muted."""

from collections.abc import Iterator
from typing import Annotated

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.openapi_operations import Answer, Operation, Reply, Timestamp, says
from api.http.problems import Problem
from api.http.responses import json_answer, no_content
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from api.resources.player_routes import HANDLE_IN_PATH, require_player_by_handle
from events.service import blocks, collections, players
from events.times import write_time


class BlockAnswer(Answer):
    player: Annotated[SeatedPlayerAnswer, says("The player you block.")]
    since: Annotated[Timestamp, says("When you blocked the player.")]


class BlocksAnswer(Answer):
    items: Annotated[list[BlockAnswer], says("The players you block, the latest first; at most 500.")]


@Operation(
    tag="players",
    searches=("block list", "blocked players"),
    replies={200: Reply("The players you block.", BlocksAnswer)},
)
def list_blocks() -> Response:
    """List blocked players.

    Only you can read this list, with your main token.
    """
    return json_answer(BlocksAnswer([BlockAnswer(*who) for who in _list_players(blocks.BLOCKED)]))


@Operation(
    tag="players",
    searches=("block", "block a player"),
    parameters=(HANDLE_IN_PATH,),
    replies={204: Reply("You block the player.")},
    refuses=("not_found", "cannot_block_yourself", "too_many_blocks"),
)
def block_player(handle: str) -> Response:
    """Block a player.

    You and the player can no longer take seats at each other's tables, invite each other or trade; open offers between
    you end. You do not see the player's chat messages. Matches that you have both joined go on. You can both enter the
    same tournament, and it can pair you. The player is not notified, but may find out from a refusal.
    """
    me, other = _add_player(blocks.BLOCKED, handle, "cannot_block_yourself")
    collections.end_all_offers(app_state().context, me, other)
    return no_content()


@Operation(
    tag="players",
    searches=("unblock", "unblock a player"),
    parameters=(HANDLE_IN_PATH,),
    replies={204: Reply("You do not block the player.")},
    refuses=("not_found",),
)
def unblock_player(handle: str) -> Response:
    """Unblock a player.

    You see the player's earlier chat messages again.
    """
    return _remove_player(blocks.BLOCKED, handle)


class MuteAnswer(Answer):
    player: Annotated[SeatedPlayerAnswer, says("The player you mute.")]
    since: Annotated[Timestamp, says("When you muted the player.")]


class MutesAnswer(Answer):
    items: Annotated[list[MuteAnswer], says("The players you mute, the latest first; at most 500.")]


@Operation(
    tag="players",
    searches=("mute list", "muted players"),
    replies={200: Reply("The players you mute.", MutesAnswer)},
)
def list_mutes() -> Response:
    """List muted players.

    Only you can read this list, with your main token.
    """
    return json_answer(MutesAnswer([MuteAnswer(*who) for who in _list_players(blocks.MUTED)]))


@Operation(
    tag="players",
    searches=("mute", "hide chat of a player"),
    parameters=(HANDLE_IN_PATH,),
    replies={204: Reply("You mute the player.")},
    refuses=("not_found", "cannot_mute_yourself", "too_many_mutes"),
)
def mute_player(handle: str) -> Response:
    """Mute a player.

    You do not see the player's chat messages. Nothing else changes, and the player is not notified.
    """
    _add_player(blocks.MUTED, handle, "cannot_mute_yourself")
    return no_content()


@Operation(
    tag="players",
    searches=("unmute", "show chat of a player"),
    parameters=(HANDLE_IN_PATH,),
    replies={204: Reply("You do not mute the player.")},
    refuses=("not_found",),
)
def unmute_player(handle: str) -> Response:
    """Unmute a player.

    You see the player's earlier chat messages again.
    """
    return _remove_player(blocks.MUTED, handle)


def _list_players(kind: blocks.PlayerList) -> Iterator[tuple[SeatedPlayerAnswer, str]]:
    """Yield the players on the caller's list, each with the time."""
    found = blocks.listed_players(app_state().context, kind, require_player().player_id)
    known = players.player_identities(app_state().context, {one.player_id for one in found})
    return ((person_answer(one.player_id, known), write_time(one.at_ms)) for one in found)


def _add_player(kind: blocks.PlayerList, handle: str, refusal: str) -> tuple[str, str]:
    """Add a player to the caller's list; return the ids of both. Raise a problem for the caller's own handle."""
    me, other = require_player().player_id, require_player_by_handle(handle).player_id
    if me == other:
        raise Problem(refusal)
    blocks.add_to_list(app_state().context, kind, me, other)
    return me, other


def _remove_player(kind: blocks.PlayerList, handle: str) -> Response:
    me, other = require_player().player_id, require_player_by_handle(handle).player_id
    blocks.remove_from_list(app_state().context, kind, me, other)
    return no_content()
