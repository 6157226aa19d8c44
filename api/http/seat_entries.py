"""Reads what seats bring to a lobby: the fields that games ask for, and the value that was sent."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Protocol, TypeVar, cast, get_type_hints

from msgspec import UNSET

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.problems import wrong_fields
from api.http.request_records import CheckedBy, Request
from domain.core.clock import Time
from domain.core.collectible import Deck
from domain.core.field_docs import field_docs
from domain.core.game import AnyGame, Entry
from domain.core.options import Length
from domain.core.types import Doc, fields_of
from domain.games.catalogue import GAMES
from events.errors import NotFound
from events.service import saved_decks

R = TypeVar("R", bound=Request)


def _check_past(at: Time) -> Time:
    if at > datetime.now(UTC).timestamp() * 1000:
        raise ValueError("Must be a time in the past.")
    return at


PAST: Final = CheckedBy({}, _check_past)
"""Marks a time that is not in the future."""


def entry_names() -> list[str]:
    """Name the entries of all games."""
    return [game.entry.field for game in GAMES.values() if game.entry]


def _field(title: str, entry: Entry[Any, Any]) -> Any:
    """Return the type of the field for a game's entry."""
    name = entry.field
    hint, doc = get_type_hints(entry.event, include_extras=True)[name], field_docs(entry.event).get(name)
    is_time = fields_of(entry.event)[name].of is Time
    marks = [*([PAST] if is_time else []), *([Doc(f"For {title}. {doc}")] if doc else [])]
    return Annotated[(hint, *marks)] if marks else hint


def with_entries(cls: type[R]) -> type[R]:
    """Add a field for each game's entry, by its name; without it, the value is `UNSET`."""
    types = {entry.field: _field(game.words.title, entry) for game in GAMES.values() if (entry := game.entry)}
    body = {"__annotations__": types, "__doc__": cls.__doc__, "__module__": cls.__module__}
    return cast("type[R]", type(cls.__name__, (cls,), body | dict.fromkeys(types, UNSET)))


@with_entries
class EntryBody(Request):
    pass


SavedDeckId = Annotated[
    str, Length(0, 40), Doc("One of your saved decks, to be brought in a game that asks for a deck.")
]


class BringsEntry(Protocol):
    """A request with the entry of a seat: in `entry`, in a field with the entry's name, or as a saved deck."""

    entry: EntryBody | None
    deck_id: str | None


def given_entries(sent: BringsEntry) -> Mapping[str, Any]:
    """Return the given entries by name, those next to `entry` first."""
    rows = [(name, getattr(part, name)) for part in (sent, sent.entry) if part for name in entry_names()]
    return {name: value for name, value in rows if value is not UNSET}


def unasked_fields(game: AnyGame, sent: BringsEntry) -> list[str]:
    """Return the names of entries that the game does not use."""
    asked, given = game.entry.field if game.entry else None, given_entries(sent)
    return [name for name in entry_names() if name in given and name != asked]


def entry_of(game: AnyGame, sent: BringsEntry) -> Any:
    """Return the entry for the game: from `entry`, from a field next to it, or from a saved deck; None without one.

    Raise 422 for the id of a deck that cannot be used.
    """
    brought = given_entries(sent).get(game.entry.field) if game.entry else None
    return brought if sent.deck_id is None else _saved(game, sent.deck_id, brought)


def _saved(game: AnyGame, deck: str, brought: Any) -> Any:
    """Return a saved deck of the caller, for a game with decks."""
    if game.entry is None or fields_of(game.entry.event)[game.entry.field].of is not Deck:
        raise wrong_fields({"deck_id": [f"{game.words.title} does not use decks."]})
    if brought is not None:
        raise wrong_fields({"deck_id": [f"Send `deck_id` or `{game.entry.field}`, not both."]})
    try:
        return saved_decks.find_deck(app_state().context, require_player().player_id, deck).deck
    except NotFound:
        raise wrong_fields({"deck_id": ["You have no such deck. `GET /v1/decks` lists yours."]}) from None
