"""Reads the texts of a module of the page: its strings, and the texts in its templates."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

READ_ALOUD = {"aria-label", "aria-valuetext", "aria-description", "title", "placeholder", "alt"}
"""The attributes whose values are shown to people."""
HOLE = "\0"
"""Marks the place of an expression in a template."""

_SKIPPED = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'")
_PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_BEFORE_PATTERN = re.compile(r"(?:^|[(,=:\[!&|?{};>]|\breturn)\s*$")


class Text(NamedTuple):
    """A text of a module: `html` is markup, in which expressions are holes."""

    is_html: bool
    said: str


def texts(code: str) -> list[Text]:
    """List the strings and templates of a module, nested ones after their containers."""
    found: list[Text] = []
    _reads(code, 0, found, is_inside=False)
    return found


def _reads(code: str, at: int, found: list[Text], *, is_inside: bool) -> int:
    """Read code to its end, or to the brace that ends the expression inside a template; return the end position."""
    depth = 0
    while at < len(code):
        one = code[at]
        if skipped := _SKIPPED.match(code, at):
            at = skipped.end()
        elif string := _STRING.match(code, at):
            found.append(Text(is_html=False, said=string[0][1:-1]))
            at = string.end()
        elif one == "/" and _BEFORE_PATTERN.search(code[:at]) and (pattern := _PATTERN.match(code, at)):
            at = pattern.end()
        elif one == "`":
            at = _reads_template(code, at, found)
        elif one == "}" and is_inside and not depth:
            return at + 1
        else:
            depth += {"{": 1, "}": -1}.get(one, 0)
            at += 1
    return at


def _reads_template(code: str, begin: int, found: list[Text]) -> int:
    said, at = "", begin + 1
    place = len(found)
    while code[at] != "`":
        if code.startswith("${", at):
            at = _reads(code, at + 2, found, is_inside=True)
            said += HOLE
        else:
            length = 2 if code[at] == "\\" else 1
            said += code[at : at + length]
            at += length
    found.insert(place, Text(is_html=code[:begin].endswith("html"), said=said))
    return at + 1


class _Markup(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.shown: list[str] = []

    def handle_data(self, data: str) -> None:
        self.shown.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.shown += [value or "" for name, value in attrs if name in READ_ALOUD]


def shown(markup: str) -> Iterator[str]:
    """Return the visible words of markup: texts between tags and in some attributes."""
    parser = _Markup()
    parser.feed(markup)
    parser.close()
    for one in parser.shown:
        if re.search(r"[^\W\d_]", one.replace(HOLE, "")):
            yield " ".join(one.replace(HOLE, "…").split())
