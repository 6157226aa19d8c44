"""Finds invisible characters in names and texts.

A character that is unseen makes two names look alike. In a name one is admitted only where writing or an emoji is
drawn otherwise without it.
"""

import re
import unicodedata
from typing import Final

_REGIONS: Final = ("gbeng", "gbsct", "gbwls")
_FLAG: Final = re.compile(
    f"(\U0001f3f4)(?:{'|'.join(''.join(chr(0xE0000 + ord(c)) for c in region) for region in _REGIONS)})\U000e007f"
)
"""The flag of England, Scotland or Wales: a black flag, and unseen tags that spell which. Others are drawn black."""
_BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, vowels and a symbol of which nothing is seen."""
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
_JOINER: Final = "\u200d"
_NON_JOINER: Final = "\u200c"
_HAMZA: Final = "\u0621"
_OF_WRITING: Final = str.maketrans("", "", "\u200c\u200d\u00ad")
"""Ordinary texts have these unseen: they part or join letters in Persian, and say where a word may be hyphenated."""
_VIRAMA: Final = 9
"""The combining class of the signs after which the writing of India draws a joined letter otherwise."""
_UNJOINED: Final = re.compile(
    "[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699"
    "\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2-\u06d5]"
)
"""Arabic letters that never join the next one."""
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
        if _is_joined_sign(before):
            return True
        return _is_picture(before.rstrip("\ufe0f")[-1:]) and _is_picture(following)
    if character == _NON_JOINER:
        return _is_joined_sign(before) or (_joins_next(last) and _joins_previous(following))
    if character in _LOOKS:
        return _is_picture(last) or (last in "0123456789#*" and following == _KEYCAP)
    return any(
        kind.fullmatch(character) and unicodedata.name(last, "").startswith(letter) for kind, letter in _VARIANTS
    )


def _is_joined_sign(text: str) -> bool:
    """Return whether a text ends with a sign that joins letters, on a letter of the same writing."""
    sign = text[-1:]
    letter = next((c for c in reversed(text) if unicodedata.category(c)[0] != "M"), "")
    return unicodedata.combining(sign) == _VIRAMA and _writing(letter) == _writing(sign)


def _writing(character: str) -> str:
    """Return the first word of a character's name, which is that of its writing."""
    return unicodedata.name(character, "").partition(" ")[0] if character else ""


def _is_arabic(character: str) -> bool:
    return unicodedata.category(character or " ") == "Lo" and unicodedata.name(character, "").startswith(
        "ARABIC LETTER"
    )


def _joins_next(character: str) -> bool:
    return _is_arabic(character) and not _UNJOINED.fullmatch(character)


def _joins_previous(character: str) -> bool:
    return _is_arabic(character) and character != _HAMZA


def _is_picture(character: str) -> bool:
    """Return whether this is an emoji or another symbol, or the tone of the skin of one."""
    if not character:
        return False
    skin = "\U0001f3fb" <= character <= "\U0001f3ff"
    return skin or character in _ALSO_PICTURES or unicodedata.category(character) == "So"
