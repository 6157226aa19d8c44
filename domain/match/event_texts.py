"""Tells the events of a match in words."""

from dataclasses import replace
from typing import Any, Final

from domain.core import text as words
from domain.match.creation import MatchCreated
from domain.match.match_parts import gather

TEXTS: Final = gather(lambda part: part.texts)
_text = words.event_text(TEXTS, gather(lambda part: part.words))


def life_event_text(event: Any, title: str) -> str:
    """Write an event of a match's life in one English line; `title` is that of the game."""
    return _text(replace(event, game=title) if type(event) is MatchCreated else event)
