"""Tests that the surface frozen from version 1.0 on only grows (docs/compatibility.md); tests/api checks the API."""

import json
from copy import deepcopy
from typing import Any

import pytest

from tests.frozen_surface import FROZEN, breaks, surface

KEPT: Any = json.loads(FROZEN.read_text())


def test_frozen_surface_is_unchanged() -> None:
    """Before 1.0, `python -m tests.frozen_surface` writes the surface again."""
    assert list(breaks(KEPT, surface())) == []


def added_field(now: Any, since: int) -> None:
    event = now["events"]["match.SeatTaken"]
    event["v"] = max(event["v"], since)
    event["fields"]["rung"] = {"of": "int", "secret": None, "since": since}


GROWS = {
    "event": lambda now: now["events"].update({"match.Rung": {"v": 1, "fields": {}}}),
    "field of a later version": lambda now: added_field(now, 2),
    "setting": lambda now: now["settings"].update(dealt_rung="setting"),
    "optional part of a game": lambda now: now["games"]["Game"].update(rung="optional"),
    "field of a record that may be left out": lambda now: now["record"]["Item"].update(rung="optional"),
}

BREAKS = {
    "events: match.SeatTaken is gone": lambda now: now["events"].pop("match.SeatTaken"),
    "events: match.SeatTaken: seat is changed or gone": lambda now: now["events"]["match.SeatTaken"]["fields"].pop(
        "seat"
    ),
    "events: match.SeatTaken: rung is new, and no later version has added it": lambda now: added_field(now, 1),
    "settings: database_url is gone": lambda now: now["settings"].pop("database_url"),
    "games: Game.memory must be given now": lambda now: now["games"]["Game"].update(memory="needed"),
    "games: Game.rung must be given now": lambda now: now["games"]["Game"].update(rung="needed"),
    "record: Item.digest is gone": lambda now: now["record"]["Item"].pop("digest"),
}


@pytest.mark.parametrize("what", GROWS)
def test_frozen_surface_may_grow(what: str) -> None:
    now = deepcopy(KEPT)
    GROWS[what](now)
    assert (list(breaks(KEPT, now)), now == KEPT) == ([], False)


@pytest.mark.parametrize("what", BREAKS)
def test_breaking_change_is_found(what: str) -> None:
    now = deepcopy(KEPT)
    BREAKS[what](now)
    assert list(breaks(KEPT, now)) == [what]
