"""Serves the players that a player has blocked or muted."""

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
    found = blocks.blocks_of(app_state().context, require_player().player_id)
    known = players.player_identities(app_state().context, {one.blocked_id for one in found})
    items = [BlockAnswer(person_answer(one.blocked_id, known), write_time(one.at_ms)) for one in found]
    return json_answer(BlocksAnswer(items))


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
    me, other = require_player().player_id, require_player_by_handle(handle).player_id
    if me == other:
        raise Problem("cannot_block_yourself")
    blocks.block_player(app_state().context, me, other)
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
    blocks.unblock_player(app_state().context, require_player().player_id, require_player_by_handle(handle).player_id)
    return no_content()


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
    found = blocks.mutes_of(app_state().context, require_player().player_id)
    known = players.player_identities(app_state().context, {one.muted_id for one in found})
    items = [MuteAnswer(person_answer(one.muted_id, known), write_time(one.at_ms)) for one in found]
    return json_answer(MutesAnswer(items))


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
    me, other = require_player().player_id, require_player_by_handle(handle).player_id
    if me == other:
        raise Problem("cannot_mute_yourself")
    blocks.mute_player(app_state().context, me, other)
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
    blocks.unmute_player(app_state().context, require_player().player_id, require_player_by_handle(handle).player_id)
    return no_content()
