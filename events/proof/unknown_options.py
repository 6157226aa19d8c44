"""This module finds the options of a match that this code does not know: they may change the rules and the deals."""

from collections.abc import Mapping, Sequence

from domain.core.types import fields_of, key
from domain.games.catalogue import GAMES
from domain.match.creation import Common
from events.proof.findings import Fact


def unknown_options(game: str, facts: Sequence[Fact]) -> list[str]:
    """Return the names of unknown options, sorted. An option that is null says nothing and is left out."""
    known = {key(name) for cls in (GAMES[game].setup.options, Common) for name in fields_of(cls)}
    given = facts[0].data.get("options")
    chosen = given if isinstance(given, Mapping) else {}
    return sorted(name for name, setting in chosen.items() if setting is not None and name not in known)
