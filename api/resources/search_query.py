"""Searches matches: checks a query against the game it names, and reads and writes the cursor."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import ValidationError
from msgspec import DecodeError, json

from api.http.auth import require_player
from api.http.game_request_schemas import options_request_schema
from api.http.problems import Problem
from domain.games.catalogue import GAMES
from events.store.search_records import PagePlace, Search, option_text

BETWEEN = ("created_after", "created_before", "ended_after", "ended_before")


def read_search(asked: Mapping[str, Any]) -> Search:
    """Return the search of a query. Raise 422 for an invalid one, and 401 if an anonymous caller uses `me`."""
    player = require_player().player_id if asked.get("player") == "me" else asked.get("player")
    if "result" in asked and player is None:
        raise _refused(result=f"Name the player of the result too: `player=me&result={asked['result']}`.")
    return Search(
        game=asked.get("game"),
        status=asked.get("status"),
        player=player,
        result=asked.get("result"),
        options=_options(asked),
        rating=asked.get("rating"),
        **{name: asked.get(name) for name in BETWEEN},
    )


def _refused(**errors: str) -> Problem:
    return Problem("bad_arguments", errors={name: [why] for name, why in errors.items()})


# --- Options ----------------------------------------------------------------------------------------------


def _options(asked: Mapping[str, Any]) -> dict[str, str]:
    """Return the searched options by name, and the preset, in search form."""
    given = [("option", text) for text in asked.get("option", ())]
    if "variant" in asked:
        given.append(("variant", f"variant:{asked['variant']}"))
    for field in [*dict(given), *(["preset"] if "preset" in asked else [])]:
        if "game" not in asked:
            raise _refused(**{field: f"Name the game too, in `game`: {_listed(GAMES)}."})
        if asked["game"] not in GAMES:
            raise _refused(**{field: f"The game {asked['game']} is not installed here, and its options are not known."})
    found: dict[str, str] = {}
    for field, text in given:
        name, value = _option(asked["game"], field, text)
        if name in found:
            raise _refused(**{field: f"Give {name} once."})
        found[name] = value
    if "preset" in asked:
        found["preset"] = _preset(asked["game"], asked["preset"])
    return found


def _option(game: str, field: str, text: str) -> tuple[str, str]:
    """Read `name:value` as an option of the game; a value is understood as at the creation of a match."""
    name, colon, said = text.partition(":")
    known = options_request_schema(game).load_fields
    if not colon:
        raise _refused(**{field: "Write the option and its value as `name:value`, like `target_score:50`."})
    if name not in known:
        raise _refused(**{field: f"The options of {GAMES[game].words.title}: {_listed(known)}."})
    try:
        resolved = GAMES[game].setup.resolve({name: _value(said)}, GAMES[game].setup.usual)
        return name, option_text(known[name].deserialize(resolved.get(name)))
    except ValidationError as error:
        raise _refused(**{field: f"{name}: {' '.join(map(str, error.messages))}"}) from None


def _value(text: str) -> Any:
    """Read a number, `true`, `false` or `null` as JSON does, and anything else as text."""
    try:
        value = json.decode(text)
    except (DecodeError, UnicodeError):
        return text
    return value if value is None or isinstance(value, int) else text


def _preset(game: str, name: str) -> str:
    if name not in GAMES[game].setup.presets:
        raise _refused(preset=f"The presets of {GAMES[game].words.title}: {_listed(GAMES[game].setup.presets)}.")
    return name


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


# --- The cursor -------------------------------------------------------------------------------------------


def write_cursor(place: PagePlace | None) -> str | None:
    """Write a place in a list. It names a match and not its number, which would tell how many there are."""
    if place is None:
        return None
    return urlsafe_b64encode(f"{place.at_ms}.{place.match_id}".encode()).decode().rstrip("=")


def read_cursor(text: str | None) -> PagePlace | None:
    """Read what `cursor` wrote. Raises 422."""
    if text is None:
        return None
    try:
        plain = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode("ascii")
    except ValueError:
        plain = ""
    found = re.fullmatch(r"([0-9]{1,15})\.([0-9a-z]{20})", plain)
    if found is None:
        raise _refused(cursor="Send the unchanged `next` of the previous page.")
    return PagePlace(int(found[1]), found[2])
