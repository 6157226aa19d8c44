"""Joins the modules of the page into few files, so that a start asks for one and not for thirty (decision 27).

Each module becomes a function of its own that gives what it exports; the text of its code stays as it is, without its
comments. The first file has all that a start needs, and what its modules export are names of the whole file. A file
that is brought later has what that one lacks, and takes the rest from it, so that no module is there twice.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from posixpath import dirname, join, normpath, relpath
from typing import Final

from api.resources.docs_routes import WEB
from domain.games.catalogue import GAMES, folder_of

STATIC: Final = WEB / "static"
KINDS: Final = {"js": "text/javascript", "mjs": "text/javascript", "css": "text/css"}
"""The kinds of files that browsers load, by the ends of their names."""

START: Final = "table/page.js"
"""The module with which the page begins."""
AGAIN: Final = "table/later.js"
"""The module that says by what address a file is asked for again."""
NOT_OURS: Final = "table/vendor/"

_COMMENT: Final = re.compile(r"(?s:/\*\*.*?\*/) ?|^[ \t]*//.*$|  // .*$", re.MULTILINE)
SPACED: Final = re.compile(r" (=>|[!=]==|&&|\|\||\?\?|=) ")
"""Signs of code, which no text of the page has, and which need no space around them."""
_STYLE_COMMENT: Final = re.compile(rb"(?s:/\*.*?\*/)")
_STYLE_SPACE: Final = re.compile(rb"\s*([{};,\n])\s*|(?<=:) ")
"""Space that says nothing in a style."""
_IMPORT: Final = re.compile(r'\bimport\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)";?')
_BROUGHT: Final = re.compile(r'\bimport\("(\.[^"]+)"\)')
_BESIDE: Final = re.compile(r'\bnew URL\("(?:\./)?([^"]+)", import\.meta\.url\)')
_EXPORTED: Final = re.compile(r"^export ((?:async )?function\*?|const|class) (\w+)", re.MULTILINE)
_LISTED: Final = re.compile(r'\bexport\s*\{([^}]*)\}(?:\s*from\s*"(\.[^"]+)")?;?')


class NotJoined(ValueError):
    """A module imports or exports in a way that is not understood here."""


@cache
def browser_files() -> dict[str, bytes]:
    """Give the files that browsers load, by their paths, with what games bring for the verifier of matches."""
    kept = sorted(path for path in STATIC.rglob("*") if path.suffix[1:] in KINDS)
    parts = {f"past/verify/games/{name}.mjs": folder_of(game) / "verify.mjs" for name, game in GAMES.items()}
    return {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in kept} | {
        name: path.read_bytes() for name, path in parts.items() if path.is_file()
    }


@cache
def files_digest() -> str:
    """Give the digest of all files, which import each other by paths and so have it in one place."""
    seen = sha256()
    for name, data in browser_files().items():
        seen.update(f"{name} {len(data)} ".encode() + data)
    return seen.hexdigest()[:16]


@cache
def read_served_file(name: str) -> bytes:
    """Give a file as browsers get it: a module with those that it imports. Raises KeyError if there is none."""
    if not name.endswith("js"):
        return _STYLE_SPACE.sub(rb"\1", _STYLE_COMMENT.sub(b"", browser_files()[name]))
    return "\n".join(_of_start() if name == START else _brought(name)).encode()


def _of_start() -> Iterator[str]:
    """Write the modules of the start, each of which sees what the others export. No two may export one name."""
    yield "export const modules={};"
    seen: dict[str, str] = {}
    for name in _closure(START):
        given = [(said, held) for said, held in _exports(name) if said in _wanted().get(name, ())]
        for said, _ in given:
            if said in seen:
                raise NotJoined(f"{seen[said]} and {name} both export {said}.")
            seen[said] = name
        naming = f"export const {{{','.join(said for said, _ in given)}}}=" if given else ""
        yield f"{naming}(()=>{{\n{_code(name, START)}\n{_giving(given)}}})();"
        if name == AGAIN:
            yield "export const $again=again;"  # modules have names of their own, and none that begins so


@cache
def _wanted() -> Mapping[str, Collection[str]]:
    """Give what is imported of each module, by its name."""
    wanted: dict[str, set[str]] = {}
    for name in (one for one in browser_files() if one.endswith(".js")):
        for m in _IMPORT.finditer(_text(name)):
            of = normpath(join(dirname(name), m[2]))
            wanted.setdefault(of, set()).update(said for said, _ in _names(m[1]))
    return wanted


def _brought(name: str) -> Iterator[str]:
    """Write a module that is brought later, with those of its modules that the start lacks."""
    there = _closure(START)
    yield f'import * as $start from "{_from(name, START)}";'
    yield "const {modules}=$start;"
    for one in _closure(name):
        if one not in there:
            yield f'modules["{one}"]??=(()=>{{\n{_code(one, name)}\n{_giving([*_exports(one)])}}})();'
    yield f'export const {{{", ".join(sorted({said for said, _ in _exports(name)}))}}} = modules["{name}"];'


@cache
def _text(name: str) -> str:
    """Give the text of a module, without our comments. Others' have their licences in them."""
    text = browser_files()[name].decode()
    return text if name.startswith(NOT_OURS) else SPACED.sub(r"\1", _COMMENT.sub("", text))


@cache
def _closure(name: str) -> list[str]:
    """List a module and all that it imports, each after those that it needs."""
    found: list[str] = []

    def add(one: str, above: tuple[str, ...]) -> None:
        if one in above:
            raise NotJoined(f"{' > '.join([*above, one])} go round in a circle.")
        for other in _imported(one):
            if other not in found:
                add(other, (*above, one))
        found.append(one)

    add(name, ())
    return found


def _imported(name: str) -> list[str]:
    places = [m[2] for m in _IMPORT.finditer(_text(name))] + [m[2] for m in _LISTED.finditer(_text(name)) if m[2]]
    return list(dict.fromkeys(_at(name, place) for place in places))


def _at(name: str, place: str) -> str:
    found = normpath(join(dirname(name), place))
    if found not in browser_files():
        raise NotJoined(f"{name} imports {place}, which is not there.")
    return found


def _from(name: str, other: str) -> str:
    """Write the way from one file to another."""
    way = relpath(other, dirname(name))
    return way if way.startswith(".") else f"./{way}"


def _code(name: str, inside: str) -> str:
    """Give the code of a module with what it imports; `inside` is the file that it is written into."""
    for m in _IMPORT.finditer(_text(name)):
        wanted = {said for said, _ in _names(m[1])}
        if missing := wanted - {said for said, _ in _exports(_at(name, m[2]))}:
            raise NotJoined(f"{name} imports {sorted(missing)} of {m[2]}, which does not export that by itself.")
    code = _IMPORT.sub(lambda m: _taken(_names(m[1]), _at(name, m[2]), inside), _text(name))
    code = _BROUGHT.sub(lambda m: f'import("{_from(inside, _at(name, m[1]))}"+{_again(inside)}.by)', code)
    code = _BESIDE.sub(lambda m: f'new URL("{_from(inside, _at(name, m[1]))}", import.meta.url)', code)
    code = _EXPORTED.sub(r"\1 \2", _LISTED.sub("", code))
    if left := re.search(r"^(?:import|export)\b(?!\().*", code, re.MULTILINE):
        raise NotJoined(f"{name} has {left[0]!r}, which is not understood here.")
    return re.sub(r"\n\s+", "\n", code).strip()


def _taken(names: list[tuple[str, str]], of: str, inside: str) -> str:
    """Write how a module takes what another one exports."""
    if inside == START:
        renamed = ",".join(f"{held}={said}" for said, held in names if said != held)
        return f"const {renamed};" if renamed else ""
    held = "$start" if of in _closure(START) else f'modules["{of}"]'
    return f"const {{{_pairs(names)}}}={held};"


def _again(inside: str) -> str:
    return "$again" if inside == START else "$start.$again"


def _giving(given: Iterable[tuple[str, str]]) -> str:
    return f"return {{{_pairs(given)}}};\n"


def _pairs(names: Iterable[tuple[str, str]]) -> str:
    return ",".join(said if said == held else f"{said}:{held}" for said, held in names)


def _names(listed: str) -> list[tuple[str, str]]:
    """Read a list of names: what each is, and what it is called."""
    each = (one.strip().partition(" as ") for one in listed.split(",") if one.strip())
    return [(said, held or said) for said, _, held in each]


def _exports(name: str) -> Iterator[tuple[str, str]]:
    """Give what a module exports: the name, and what it stands for inside."""
    text = _text(name)
    for match in _EXPORTED.finditer(text):
        yield match[2], match[2]
    for names, place in ((m[1], m[2]) for m in _LISTED.finditer(text)):
        held = f'modules["{_at(name, place)}"].' if place else ""
        yield from ((outer, f"{held}{inner}") for inner, outer in _names(names))
