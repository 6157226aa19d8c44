"""Finds invisible characters in names and texts.

Invisible characters could make two names look alike. A name may have one only if a script or an emoji would be drawn
differently without it.
"""

import re
import unicodedata
from typing import Final

_REGIONS: Final = ("gbeng", "gbsct", "gbwls")
_FLAG: Final = re.compile(
    f"(\U0001f3f4)(?:{'|'.join(''.join(chr(0xE0000 + ord(c)) for c in region) for region in _REGIONS)})\U000e007f"
)
"""The flag of England, Scotland or Wales: a black flag, and invisible tags that spell which. Others are drawn black."""
_BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159")
"""Letters, vowels and symbols that are invisible."""
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
_JOINER: Final = "\u200d"
_NON_JOINER: Final = "\u200c"
_HAMZA: Final = "\u0621"
_OF_WRITING: Final = str.maketrans("", "", "\u200c\u200d\u00ad")
"""Invisible characters of ordinary texts: they separate or join letters in Persian, or mark possible hyphenation."""
_VIRAMA: Final = 9
"""The combining class of the signs after which Indian scripts draw joined letters differently."""
_UNJOINED: Final = re.compile(
    "[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699"
    "\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2-\u06d5]"
)
"""Arabic letters that never join the next one."""
_LOOKS: Final = frozenset("\ufe0e\ufe0f")
"""Characters that select whether the one before is drawn as text or as a picture."""
_KEYCAP: Final = "\u20e3"
_ALSO_PICTURES: Final = frozenset("ℹ‼⁉↔⤴⤵〰◻◼◽◾")
"""Emoji whose category is not a symbol."""
_VARIANTS: Final = (
    (re.compile("[\U000e0100-\U000e01ef]"), "CJK UNIFIED IDEOGRAPH"),
    (re.compile("[\u180b-\u180d\u180f]"), "MONGOLIAN"),
)
"""Characters that select a form of the letter before them, with the beginning of that letter's name."""
_SELECTORS: Final = re.compile("[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Invisible marks."""


def unseen_in_name(name: str) -> str | None:
    """Return the first invisible character that a name does not need, or None.

    For a name without any visible character, return its first character; for an empty name, None.
    """
    plain = _FLAG.sub(r"\1", name)
    for i, character in enumerate(plain):
        if _is_unseen(character) and not _is_needed(character, plain[:i], plain[i + 1 :]):
            return character
    return None if _shows_something(plain) else name[:1] or None


def is_visible_text(text: str) -> bool:
    """Return whether all of a text is visible, except for the joiners and hyphens of ordinary writing."""
    plain = _FLAG.sub(r"\1", text.translate(_OF_WRITING))
    return _UNSEEN.isdisjoint(map(unicodedata.category, plain)) and _shows_something(plain)


def _is_unseen(character: str) -> bool:
    category = unicodedata.category(character)
    return category in _UNSEEN or character in _BLANK or _SELECTORS.fullmatch(character) is not None


def _shows_something(text: str) -> bool:
    return any(unicodedata.category(c)[0] in "LNPS" for c in text if c not in _BLANK)


def _is_needed(character: str, before: str, after: str) -> bool:
    """Return whether the text would be drawn differently without this character."""
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
    """Return whether a text ends with a sign that joins letters, on a letter of the same script."""
    sign = text[-1:]
    letter = next((c for c in reversed(text) if unicodedata.category(c)[0] != "M"), "")
    return unicodedata.combining(sign) == _VIRAMA and _writing(letter) == _writing(sign)


def _writing(character: str) -> str:
    """Return the first word of a character's name, which is its script."""
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
    """Return whether this is an emoji or another symbol, or the skin tone of one."""
    if not character:
        return False
    skin = "\U0001f3fb" <= character <= "\U0001f3ff"
    return skin or character in _ALSO_PICTURES or unicodedata.category(character) == "So"
