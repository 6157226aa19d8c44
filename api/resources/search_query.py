"""Searches matches: checks a query against the game it names, and reads and writes the cursor."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

from msgspec import DecodeError, json

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import STATUSES, Cursor, GameName, Limit
from api.http.field_messages import with_value
from api.http.game_request_schemas import option_names, read_option
from api.http.problems import Problem, wrong_fields
from api.http.record_reader import Faults
from api.http.request_records import Request, choice, matches, sample
from api.http.sparse_fields import fields_of_answer
from api.resources.match_list_answer import ListedMatchAnswer
from domain.core.clock import Time
from domain.core.game import AnyGame
from domain.core.options import Length, Omissible, Range
from domain.games.catalogue import GAMES
from domain.match.creation import MOST_RATING
from events.service import players
from events.store.search_records import PagePlace, Search, option_text

MOST_VALUES: Final = 4
"""Maximum number of values of a filter. Each pair of a game and a status takes a separate query."""
_ID: Final = re.compile("[0-9a-z]{20}")
_PLAYER: Final = "@?[0-9A-Za-z][0-9A-Za-z_-]{1,29}"
_PLAYER_FORM: Final = "`me`, the handle of a player or the id of a player, 20 characters of a-z and 0-9"


class MatchesQuery(Request):
    game: Annotated[tuple[GameName, ...], Length(0, MOST_VALUES), sample(example=["hearts", "trio"])] = ()
    """Only matches of these games, even if no longer installed. Repeat it for several games."""
    status: Annotated[
        tuple[Annotated[str, choice(STATUSES)], ...], Length(0, MOST_VALUES), sample(example=["lobby", "playing"])
    ] = ()
    """Only matches with one of these statuses. Repeat it for several."""
    player: Annotated[
        tuple[Annotated[str, matches(_PLAYER, _PLAYER_FORM)], ...], Length(0, MOST_VALUES), sample(example=["me"])
    ] = ()
    """Only matches with this player: `me`, a handle or an id. Repeat it for matches with all of several players.

    A handle of 20 letters and digits needs `@` before it.
    """
    mine: Literal["true", "false"] = "false"
    """`true`: only matches in which you have a seat, and those not public that you created."""
    result: Omissible[Literal["won", "lost", "shared"]] = None
    """Only matches with this result for `player`; `shared` is a tie for first place."""
    variant: Omissible[Annotated[str, sample(example="2-2-2-3")]] = None
    """With `game`: only matches of this variant, by code or number."""
    option: Annotated[tuple[str, ...], sample(example=["target_score:50"])] = ()
    """With `game`: only matches with this option, as `name:value`. Repeat it for several options."""
    preset: Omissible[str] = None
    """With `game`: only matches created with this preset."""
    rating: Omissible[Annotated[int, Range(0, MOST_RATING)]] = None
    """Only lobbies with an open seat for a player of this rating."""
    created_after: Omissible[Time] = None
    """Only matches created at or after this time."""
    created_before: Omissible[Time] = None
    """Only matches created before this time."""
    ended_after: Omissible[Time] = None
    """Only matches that ended at or after this time."""
    ended_before: Omissible[Time] = None
    """Only matches that ended before this time."""
    cursor: Cursor = None
    limit: Limit = 50
    fields: Omissible[Annotated[str, fields_of_answer(ListedMatchAnswer)]] = None


def read_search(asked: MatchesQuery) -> Search:
    """Return the search of a query. Raise 422 for an invalid one, and 401 if an anonymous caller names themselves."""
    if asked.mine == "true":
        require_player()
    named = tuple(_player_id(each) for each in asked.player)
    if asked.result is not None and not named:
        raise _refused(result=f"Name the player of the result too: `player=me&result={asked.result}`.")
    if asked.result is not None and len(named) > 1:
        raise _refused(result="Must come with exactly one `player`, whose result it is.")
    return Search(
        game=asked.game or None,
        status=asked.status or None,
        player=named[0] if named else None,
        opponents=named[1:],
        mine=asked.mine == "true",
        result=asked.result,
        options=_options(asked),
        rating=asked.rating,
        created_after=asked.created_after,
        created_before=asked.created_before,
        ended_after=asked.ended_after,
        ended_before=asked.ended_before,
    )


def _player_id(name: str) -> str:
    """Return the id of a player who is named by `me`, by an id or by a handle."""
    if name == "me":
        return require_player().player_id
    if _ID.fullmatch(name):
        return name
    found = players.find_by_handle(app_state().context, name.removeprefix("@"))
    if found is None:
        raise _refused(player=with_value("Must be the current handle of a player.", name))
    return found.player_id


def _refused(**errors: str) -> Problem:
    return wrong_fields({name: [why] for name, why in errors.items()})


# --- Options ----------------------------------------------------------------------------------------------


def _options(asked: MatchesQuery) -> dict[str, str]:
    """Return the searched options by name, and the preset, in search form."""
    given = [("option", text) for text in asked.option]
    if asked.variant is not None:
        given.append(("variant", f"variant:{asked.variant}"))
    asked_for = [*dict(given), *(["preset"] if asked.preset is not None else [])]
    for field in asked_for:
        if not asked.game:
            raise _refused(**{field: f"Name the game too, in `game`: {_join_names(GAMES)}."})
        if len(asked.game) > 1:
            raise _refused(**{field: "Must come with exactly one `game`."})
        if asked.game[0] not in GAMES:
            raise _refused(
                **{field: f"The game {asked.game[0]} is not installed on this server, so its options are unknown."}
            )
    if not asked_for:
        return {}
    (game,) = asked.game
    found: dict[str, str] = {}
    for field, text in given:
        name, value = _option(GAMES[game], field, text)
        if name in found:
            raise _refused(**{field: f"Send {name} once."})
        found[name] = value
    if asked.preset is not None:
        found["preset"] = _preset(game, asked.preset)
    return found


def _option(game: AnyGame, field: str, text: str) -> tuple[str, str]:
    """Read `name:value` as an option of the game; a value is understood as at the creation of a match."""
    name, colon, said = text.partition(":")
    known = option_names(game)
    if not colon:
        raise _refused(**{field: "Write the option and its value as `name:value`, like `target_score:50`."})
    if name not in known:
        raise _refused(**{field: f"The options of {game.words.title}: {_join_names(known)}."})
    resolved = game.setup.resolve({name: _value(said)}, game.setup.usual)
    try:
        return name, option_text(read_option(game, name, resolved.get(name)))
    except Faults as faults:
        raise _refused(**{field: f"{name}: {' '.join(faults.sentences.values())}"}) from None


def _value(text: str) -> Any:
    """Read a number, `true`, `false` or `null` as JSON does, and anything else as text."""
    try:
        value = json.decode(text)
    except (DecodeError, UnicodeError):
        return text
    return value if value is None or isinstance(value, int) else text


def _preset(game: str, name: str) -> str:
    if name not in GAMES[game].setup.presets:
        raise _refused(preset=f"The presets of {GAMES[game].words.title}: {_join_names(GAMES[game].setup.presets)}.")
    return name


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(names)


# --- The cursor -------------------------------------------------------------------------------------------


def write_cursor(place: PagePlace | None) -> str | None:
    """Write a place in a list. It names a match and not its number, which would reveal how many there are."""
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
