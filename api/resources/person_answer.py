"""Presents players as others see them."""

from collections.abc import Mapping
from typing import Annotated

from api.http.openapi_operations import Answer, says
from events.store.player_records import Identity


class SeatedPlayerAnswer(Answer):
    id: Annotated[str, says("The id of the player.")]
    name: Annotated[str | None, says("Null if the player was erased, or an import had no name.")]
    handle: Annotated[str | None, says("Null if the player was erased, and in an imported match.")]


def person_answer(player_id: str, known: Mapping[str, Identity]) -> SeatedPlayerAnswer:
    """Return a player as others see one; an unknown player has neither a name nor a handle."""
    return SeatedPlayerAnswer(player_id, *known.get(player_id, Identity()))


def person_or_none(player_id: str | None, known: Mapping[str, Identity]) -> SeatedPlayerAnswer | None:
    """Return a player as others see one; None for none."""
    return None if player_id is None else person_answer(player_id, known)
