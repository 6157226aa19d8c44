"""Serves the administrators: they find, rename, suspend and erase players, close matches and read all acts."""

from collections.abc import Callable
from typing import Annotated, Final, TypeVar

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player, require_role
from api.http.common_fields import LARGEST, NAME_LENGTH, PAGE, Name, prose
from api.http.openapi_operations import (
    MATCH_ID,
    Answer,
    Body,
    Count,
    Operation,
    Ordinal,
    Parameter,
    Reply,
    Timestamp,
    says,
)
from api.http.problems import wrong_fields
from api.http.request_parsing import load, read_body, read_query
from api.http.request_records import Request
from api.http.responses import json_answer, no_content, time_or_none
from api.resources.player_routes import HandleText, NewHandle
from domain.core.options import Length, Omissible, Range
from domain.core.types import Doc
from events.operations import administration_acts as acts
from events.service import administration
from events.service.administration import LONGEST_REASON, MOST_DAYS, Actor, ActRecord
from events.store.administration_records import FoundPlayer
from events.times import write_time

PLAYER_ID: Final = Parameter("player_id", "path", "The id of a player.", example="8n9y4jktn4n1gzhahebf")
REASON: Final = "The reason, without names. It is kept when the player is erased."
DONE: Final = {204: Reply("It was done and recorded.")}
RULES: Final = ("forbidden", "not_found")


Reason = Annotated[str, prose(LONGEST_REASON), Doc(REASON)]


class ActReasonBody(Request):
    """The reason for an act."""

    reason: Reason


class SuspensionBody(Request):
    """The length of a suspension, and the reason."""

    days: Annotated[int, Range(1, MOST_DAYS)]
    """Its length in days, from now."""
    reason: Annotated[str, prose(LONGEST_REASON)]
    """The reason, without names. The player sees it."""


class RenamingBody(Request):
    """A player's new name or handle, and the reason; omitted fields stay."""

    name: Omissible[Name] = None
    """The new name."""
    handle: Omissible[NewHandle] = None
    """The new handle."""
    reason: Reason


Act = TypeVar("Act", ActReasonBody, SuspensionBody, RenamingBody)


class PlayerQuery(Request):
    q: Annotated[str, Length(1, NAME_LENGTH)]
    """An id, a name, or the beginning of a handle."""


class LogQuery(Request):
    after: Annotated[int, Range(0, LARGEST)] = 0
    """Only acts after this number."""
    limit: Annotated[int, Range(1, PAGE)] = PAGE
    """Maximum number on a page."""


class ManagedPlayerAnswer(Answer):
    """A player as administrators see one."""

    id: Annotated[str, says("The id of the player.")]
    name: Annotated[str, says("The name that others see.")]
    handle: HandleText
    created_at: Annotated[Timestamp, says("Time of registration.")]
    administrator: Annotated[bool, says("Whether the player is an administrator.")]
    suspended_until: Annotated[Timestamp | None, says("End of the suspension; null without one.")]
    reason: Annotated[str | None, says("The reason of the suspension; null without one.")]


class ManagedPlayersAnswer(Answer):
    items: Annotated[list[ManagedPlayerAnswer], says("The players, by their handles; at most 50.")]


class ActAnswer(Answer):
    """An act of the administration."""

    no: Annotated[Ordinal, says("Number of the act in its stream.")]
    at: Annotated[Timestamp, says("Time of the act.")]
    type: Annotated[str, says("The kind of act, such as `PlayerSuspended`.")]
    by: Annotated[str, says("The id of the administrator, or `operator` for the command line.")]
    about: Annotated[str, says("The id of the player, the match or the report.")]
    until: Annotated[Timestamp | None, says("End of the suspension; null for other acts.")]
    reason: Annotated[str, says("The reason.")]


class ActsAnswer(Answer):
    items: Annotated[list[ActAnswer], says("The acts, the earliest first.")]
    next: Annotated[Count, says("Send this as `after`.")]


@Operation(
    tag="moderation",
    searches=("admin find player", "look up account"),
    scope="admin",
    query=PlayerQuery,
    replies={200: Reply("The players found.", ManagedPlayersAnswer)},
    refuses=("forbidden",),
)
def find_players() -> Response:
    """Search players.

    For administrators. Returns the players with this id or name, and those whose handle begins with it.
    """
    require_role(require_player())
    found = administration.find_players(app_state().context, read_query(PlayerQuery).q)
    return json_answer(ManagedPlayersAnswer([_managed(one) for one in found]))


def _managed(one: FoundPlayer) -> ManagedPlayerAnswer:
    until = one.suspended_ms
    suspended = until if until is not None and until > app_state().context.now() else None
    return ManagedPlayerAnswer(
        one.player_id,
        one.name,
        one.handle,
        write_time(one.created_ms),
        one.administrator,
        time_or_none(suspended),
        one.reason if suspended else None,
    )


@Operation(
    tag="moderation",
    searches=("admin rename player", "offensive name"),
    scope="admin",
    parameters=(PLAYER_ID,),
    body=Body(RenamingBody, example={"name": "Player 7", "reason": "The name was offensive."}),
    replies=DONE,
    refuses=(*RULES, "handle_taken", "too_many_handles"),
)
def rename_player(player_id: str) -> Response:
    """Update a player.

    For administrators. Changes a player's name or handle. The player can change them again.
    """

    def act(actor: Actor, given: RenamingBody) -> None:
        if given.name is None and given.handle is None:
            raise wrong_fields({"name": ["Send a name or a handle."]})
        acts.rename_player(app_state().context, actor, player_id, given.name, given.handle)

    return do_act(RenamingBody, act)


@Operation(
    tag="moderation",
    searches=("ban a player", "suspend a player"),
    scope="admin",
    parameters=(PLAYER_ID,),
    body=Body(SuspensionBody, example={"days": 7, "reason": "Insults in the chat of several matches."}),
    replies=DONE,
    refuses=RULES,
)
def suspend_player(player_id: str) -> Response:
    """Suspend a player.

    For administrators. Replaces any suspension. Until its end, the player can only read, export and erase their data,
    and revoke tokens; all else is refused with 403 `suspended`. Standing orders are still carried out, then deadlines
    run out as for an absent player. Only the player and administrators know of it.
    """
    return do_act(
        SuspensionBody,
        lambda actor, given: acts.suspend_player(app_state().context, actor, player_id, given.days),
    )


@Operation(
    tag="moderation",
    searches=("unban a player", "lift a suspension"),
    scope="admin",
    parameters=(PLAYER_ID,),
    body=Body(ActReasonBody, example={"reason": "The report was about another player."}),
    replies=DONE,
    refuses=RULES,
)
def reinstate_player(player_id: str) -> Response:
    """Reinstate a player.

    For administrators. Ends a suspension early.
    """
    return do_act(ActReasonBody, lambda actor, _: acts.lift_suspension(app_state().context, actor, player_id))


@Operation(
    tag="moderation",
    searches=("admin erase player", "erase a person without token"),
    scope="admin",
    parameters=(PLAYER_ID,),
    body=Body(ActReasonBody, example={"reason": "Asked for by mail; the token was lost."}),
    replies=DONE,
    refuses=RULES,
)
def erase_person(player_id: str) -> Response:
    """Erase a player.

    For administrators, if a person who lost the token asks for it. Has the effect of `DELETE /v1/players/me`.
    """
    return do_act(ActReasonBody, lambda actor, _: acts.erase_person(app_state().context, actor, player_id))


@Operation(
    tag="moderation",
    searches=("admin close match", "void a match"),
    scope="admin",
    parameters=(MATCH_ID,),
    body=Body(ActReasonBody, example={"reason": "Its result was arranged."}),
    replies=DONE,
    refuses=(*RULES, "wrong_phase", "already_started", "of_a_group", "game_not_installed"),
)
def close_match(match_id: str) -> Response:
    """Close a match.

    For administrators. Cancels an open lobby. Stops a running match, which ends without a result. Voids a finished
    match, which keeps its result but no longer counts. Tables of a tournament or of a duplicate group cannot be
    stopped.
    """
    return do_act(ActReasonBody, lambda actor, _: acts.close_match(app_state().context, actor, match_id))


@Operation(
    tag="moderation",
    searches=("admin log", "moderation log"),
    scope="admin",
    query=LogQuery,
    replies={200: Reply("The acts.", ActsAnswer)},
    refuses=("forbidden",),
)
def list_acts() -> Response:
    """List acts of administrators.

    For administrators. Includes those of the operator on the command line. Send `next` as `after` to continue.
    """
    require_role(require_player())
    asked = read_query(LogQuery)
    found = administration.read_acts(app_state().context, asked.after)[: asked.limit]
    reached = found[-1].number if found else asked.after
    return json_answer(ActsAnswer([_act(one) for one in found], reached))


def _act(one: ActRecord) -> ActAnswer:
    return ActAnswer(
        one.number,
        write_time(one.at_ms),
        type(one.event).__name__,
        one.event.by,
        administration.subject_of(one.event),
        time_or_none(getattr(one.event, "until", None)),
        one.event.reason,
    )


def do_act(form: type[Act], act: Callable[[Actor, Act], object]) -> Response:
    """Do what an administrator requests; the role is checked before anything else."""
    by = require_role(require_player())
    given = load(form, read_body())
    act(Actor(by, given.reason), given)
    return no_content()
