"""Finds players' names in texts of a log, which would stay when a player is erased.

Case, accents, characters between letters and an s at the end of a word do not count: "bertas CARL-" names Berta Carl. A
name inside a longer word does not count.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from events.service.context import Context
from events.service.players import player_identities

LONGEST: Final = 100
"""Maximum letters of a searched name; names and handles are shorter."""


def named_in(context: Context, text: str, player_ids: Collection[str]) -> str | None:
    """Return a name or handle of one of these players in a text; None if there is none."""
    written = _rows_of(_words(text))
    for identity in player_identities(context, player_ids).values():
        for name in filter(None, identity):
            if not written.isdisjoint(_spellings(_words(name))):
                return name
    return None


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters without accents."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return re.findall(r"[^\W_]+", plain.casefold())


def _rows_of(words: Sequence[str]) -> set[str]:
    """Yield all sequences of words, each written as one word, in every spelling."""
    return {row for at in range(len(words)) for row in _rows_from(words[at:])}


def _rows_from(words: Sequence[str]) -> Iterator[str]:
    length = 0
    for count, word in enumerate(words, 1):
        length += len(word)
        if length > LONGEST:
            return
        yield from _spellings(words[:count])


def _spellings(words: Sequence[str]) -> set[str]:
    """Return words as one word, unchanged and without a final s; nothing if there are none."""
    return {"".join(words), "".join(word.removesuffix("s") or word for word in words)} - {""}
