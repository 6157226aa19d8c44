"""Reads a server's match data for the screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from api.safe_text import name_seats
from api.terminal import choosing
from domain.core.scene import Scene, from_json

KEPT: Final = 400
"""Maximum number of the last events in the log."""


@dataclass(frozen=True)
class TableSeen:
    """A snapshot is what the player knows of the match at a version: the table, the log, the moves, the chat."""

    version: int = 0
    title: str = ""
    names: Sequence[str] = ()
    scene: Scene | None = None
    to_act: Sequence[int] = ()
    mine: int | None = None
    status: str = ""
    outcome: str = ""
    log: tuple[str, ...] = ()
    prompt: str = ""
    rows: tuple[choosing.Row, ...] = ()
    trouble: str = ""


def apply_events_to_table(
    before: TableSeen, match: Mapping[str, Any], events: Sequence[Mapping[str, Any]], offer: Mapping[str, Any]
) -> TableSeen:
    """Return the table after these events; the title does not change."""
    names = [name(seat) for seat in match["seats"]]
    lines = (*before.log, *(name_seats(event["text"], names) for event in events))
    return TableSeen(
        version=events[-1]["seq"],
        title=before.title,
        names=names,
        scene=match["scene"] and from_json(match["scene"]),
        to_act=match["to_act"],
        mine=match["your_seat"],
        status=match["status"],
        outcome=lines[-1]
        if match["result"] is not None or match["status"] in ("finished", "abandoned", "stopped")
        else "",
        log=lines[-KEPT:],
        prompt=name_seats(str(offer.get("prompt", "")), names),
        rows=choosing.move_rows(offer["moves"], offer["also"]),
    )


def nothing(_: Any) -> None:
    """Ignore an answer."""


def titles(said: Any) -> dict[str, str]:
    """Read the titles of the games from the list of them."""
    found = {each["game"]: each["title"] for each in said["items"]}
    if not all(isinstance(text, str) for text in (*found, *found.values())):
        raise TypeError("a title is not text")
    return found


def events(said: Any) -> list[Mapping[str, Any]]:
    """Read a list of events."""
    return [dict(each) for each in said["items"]]


def messages(said: Any) -> tuple[list[str], int]:
    """Read the chat, and the number of the last change."""
    return [f"{m['player']['name']}: {m['text']}" for m in said["items"] if m["text"]], int(said["next"])


def seated_at(said: Any) -> tuple[Mapping[str, Any], bool, str]:
    """Read a match; return it, whether it may wait for the player, and its game."""
    return said, said["your_seat"] is not None and said["status"] == "playing", str(said["game"])


def path(match_id: str) -> str:
    """Return the path of a match below `/v1`."""
    return f"/matches/{quote(match_id, safe='')}"


def name(seat: Mapping[str, Any]) -> str:
    """Return the name of the player in a seat."""
    player = seat.get("player")
    return str(player["name"])[:24] if player and player.get("name") else f"{str(seat['kind']).title()} {seat['seat']}"
