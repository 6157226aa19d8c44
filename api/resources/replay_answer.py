"""Shows the table as it was: after one event, and after each of many."""

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType, json

from api.http.common_fields import Status
from api.http.openapi_operations import Answer, Digest, NextCursor, Ordinal, Timestamp, of_game, says
from api.http.responses import time_or_none
from api.resources.match_answer import ResultAnswer, TableAnswer, result_answer, scene_answer, table_answer
from api.resources.scene_answer import SceneAnswer
from domain import match as life
from events.service.replay_steps import Step
from events.service.views import Seen
from events.times import write_time


class ReplayAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: Annotated[str, of_game("one"), says("The name of the game.")]
    version: Annotated[int, says("The number of the last event before this state.")]
    seat: Annotated[int | str, says("The seat's number, `all` or `spectators`.")]
    status: Annotated[Status, says("How far the match was.")]
    to_act: Annotated[Sequence[int], says("The seats whose decision the match waited for.")]
    deadline: Annotated[Timestamp | None, says("When the first of the open decisions fell due; null: none did.")]
    table: TableAnswer | None
    scene: Annotated[SceneAnswer | None, says("The table as data for all who draw it; null before the start.")]
    result: Annotated[ResultAnswer | None, says("How the match came out; null: it had not yet.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]


class StepAnswer(Answer):
    """A line of a replay is the table after one event."""

    version: Annotated[Ordinal, says("The number of the last event before this state.")]
    at: Annotated[Timestamp, says("When it happened.")]
    text: Annotated[str, says("The event in words, as you may know it now.")]
    status: Annotated[Status, says("How far the match was.")]
    to_act: Annotated[Sequence[int], says("The seats whose decision the match waited for.")]
    deadline: Annotated[Timestamp | None, says("When the first of the open decisions fell due; null: none did.")]
    scene: Annotated[SceneAnswer | None, says("The table as data for all who draw it; null before the start.")]
    result: Annotated[ResultAnswer | None, says("How the match came out; null: it had not yet.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    next: Annotated[int | UnsetType, says("With the last line of many: send it as `from` for those that follow.")] = (
        UNSET
    )


class MarkAnswer(Answer):
    at: Annotated[str, Meta(examples=["trick:2.7"]), says("The mark, as `at` takes it.")]
    version: Annotated[Ordinal, says("The number of the event that it stands for.")]
    text: Annotated[str, Meta(examples=["Hand 2, trick 7"]), says("The mark in words.")]


class MarksAnswer(Answer):
    items: Annotated[list[MarkAnswer], says("The marks, in order.")]
    next: NextCursor


STEP: Final = json.encode(
    StepAnswer(
        version=4,
        at="2026-11-21T10:00:00.000Z",
        text="The match starts: seat 0 is a player, seat 1 is a bot (steady).",
        status="playing",
        to_act=[],
        deadline=None,
        scene=None,
        result=None,
        head="e3fd37cdd22155e43fec061ef6d666f84102a266358bfb710de7cdbb0d9e3da6",
    )
)
"""A line, as an example."""


def replay_line(step: Step, after: int | UnsetType) -> bytes:
    """Write the table after an event; `after` is the version to go on from, with the last line of many."""
    then = step.seen
    m = then.match
    said = StepAnswer(
        version=then.version,
        at=write_time(step.at),
        text=step.text,
        status=m.status,
        to_act=life.to_act(m),
        deadline=time_or_none(life.first_due_time(m)),
        scene=scene_answer(then, step.text),
        result=result_answer(m),
        head=then.head,
        next=after,
    )
    return json.encode(said) + b"\n"


def replay_answer(then: Seen) -> ReplayAnswer:
    """Show the table as it was."""
    m = then.match
    return ReplayAnswer(
        id=then.match_id,
        game=m.game.name,
        version=then.version,
        seat=then.seat if then.seat is not None else then.reader,
        status=m.status,
        to_act=life.to_act(m),
        deadline=time_or_none(life.first_due_time(m)),
        table=table_answer(m, then.seat),
        scene=scene_answer(then),
        result=result_answer(m),
        head=then.head,
    )
