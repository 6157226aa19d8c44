"""Finds invisible characters in names and texts.

A character that is unseen makes two names look alike. In a name one is admitted only where writing or an emoji is
drawn otherwise without it.
"""

import re
import unicodedata
from typing import Final

_FLAG: Final = re.compile("(\U0001f3f4)[\U000e0020-\U000e007e]+\U000e007f")
"""The flag of a region: a black flag, and unseen tags that spell which."""
_BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, vowels and a symbol of which nothing is seen."""
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
_JOINER: Final = "\u200d"
_OF_WRITING: Final = str.maketrans("", "", "\u200c\u200d\u00ad")
"""Ordinary texts have these unseen: they part or join letters in Persian, and say where a word may be hyphenated."""
_VIRAMA: Final = 9
"""The combining class of the signs after which the writing of India draws a joined letter otherwise."""
_LOOKS: Final = frozenset("\ufe0e\ufe0f")
"""These choose whether a character is drawn as text or as a picture."""
_KEYCAP: Final = "\u20e3"
_ALSO_PICTURES: Final = frozenset("ℹ‼⁉↔⤴⤵〰◻◼◽◾")
"""Emoji that are no symbols by their category."""
_VARIANTS: Final = (
    (re.compile("[\U000e0100-\U000e01ef]"), "CJK UNIFIED IDEOGRAPH"),
    (re.compile("[\u180b-\u180d\u180f]"), "MONGOLIAN"),
)
"""These choose a form of the letter before them, which has a name that begins so."""
_SELECTORS: Final = re.compile("[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Marks of which nothing is seen."""


def unseen_in_name(name: str) -> str | None:
    """Return the first character of a name that cannot be seen and that nothing needs, or None.

    A name of which nothing at all is seen gives its first character; no name gives None.
    """
    plain = _FLAG.sub(r"\1", name)
    for i, character in enumerate(plain):
        if _is_unseen(character) and not _is_needed(character, plain[:i], plain[i + 1 :]):
            return character
    return None if _shows_something(plain) else name[:1] or None


def is_visible_text(text: str) -> bool:
    """Return whether all of a text can be seen, but for the joiners and hyphens of ordinary writing."""
    plain = _FLAG.sub(r"\1", text.translate(_OF_WRITING))
    return _UNSEEN.isdisjoint(map(unicodedata.category, plain)) and _shows_something(plain)


def _is_unseen(character: str) -> bool:
    category = unicodedata.category(character)
    return category in _UNSEEN or character in _BLANK or _SELECTORS.fullmatch(character) is not None


def _shows_something(text: str) -> bool:
    return any(unicodedata.category(c)[0] in "LNPS" for c in text if c not in _BLANK)


def _is_needed(character: str, before: str, after: str) -> bool:
    """Return whether what is drawn would differ without this character."""
    last, following = before[-1:], after[:1]
    if not last:
        return False
    if character == _JOINER:
        if unicodedata.combining(last) == _VIRAMA:
            return True
        return _is_picture(before.rstrip("\ufe0f")[-1:]) and _is_picture(following)
    if character in _LOOKS:
        return _is_picture(last) or (last in "0123456789#*" and following == _KEYCAP)
    return any(
        kind.fullmatch(character) and unicodedata.name(last, "").startswith(letter) for kind, letter in _VARIANTS
    )


def _is_picture(character: str) -> bool:
    """Return whether this is an emoji or another symbol, or the tone of the skin of one."""
    if not character:
        return False
    skin = "\U0001f3fb" <= character <= "\U0001f3ff"
    return skin or character in _ALSO_PICTURES or unicodedata.category(character) == "So"
