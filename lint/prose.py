"""Checks how the project writes against the rules and ceilings in `prose.toml`.

It reads Markdown, docstrings, comments, messages, names of tests, the page's words and the description of the API.
"""

import ast
import inspect
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

ROOT: Final = Path(__file__).parents[1]
SPLIT: Final = re.compile(r"(?<=[.!?])[\"”)*_]*\s+(?=[A-Z*`\"“(\[])")
SQL: Final = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH)\b")
SHORT: Final = 3
"""Fewer words are a label, not a sentence."""


class Rule(NamedTuple):
    """A fault that sentences may have."""

    name: str
    find: re.Pattern[str]
    say: str
    only: tuple[str, ...] = ()


class Finding(NamedTuple):
    """A rule that a sentence breaks."""

    path: str
    line: int
    rule: Rule
    sentence: str

    def __str__(self) -> str:
        """Return the place, the rule, the advice and the sentence."""
        return f"{self.path}:{self.line}: [{self.rule.name}] {self.rule.say}\n    {self.sentence}"


Texts = Iterator[tuple[int, str]]
"""Pieces of text, each with the number of its first line. A reader finds them in a file."""


def read_markdown(text: str) -> Texts:
    """Find paragraphs, items, headings and the cells of tables; skip code."""
    start, lines, in_code = 0, list[str](), False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        bare = line.strip()
        fence = bare.startswith(("```", "~~~"))
        in_code ^= fence
        opens = re.match(r"(?:[-*]|\d+\.|>|#+) +", bare)
        if lines and (not bare or opens or fence or bare.startswith("|")):
            yield start, "\n".join(lines)
            lines = []
        if in_code or fence or not bare or (line.startswith("    ") and not lines):
            continue
        if bare.startswith("|"):
            yield from ((number, cell.strip()) for cell in bare.strip("|").split(" | "))
        else:
            start = start if lines else number
            lines.append(bare[opens.end() :] if opens else bare)


@cache
def nodes(text: str) -> list[ast.AST]:
    """Parse a module, and return all its nodes."""
    return list(ast.walk(ast.parse(text)))


def read_docstrings(text: str) -> Texts:
    """Find docstrings, and the strings that describe a constant or a field below it; skip code and tables in them."""
    for node in nodes(text):
        match node:
            case ast.Expr(value=ast.Constant(value=str(doc))):
                yield node.lineno, re.sub(r"^(?: {4}|\|).*", "", inspect.cleandoc(doc), flags=re.MULTILINE)


def read_strings(text: str) -> Texts:
    """Find messages: strings that begin like a sentence, but no docstrings and no SQL."""
    docs = {id(node.value) for node in nodes(text) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in nodes(text) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes(text):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in docs | parts:
            message = as_text(node)
            if re.match(r"[A-Z`{]", message) and not SQL.search(message):
                yield node.lineno, message


def as_text(node: ast.expr) -> str:
    """Return a string with `x` for the values in it, empty for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(as_text(value) for value in values)
    return "`x`" if isinstance(node, ast.FormattedValue) else ""


def read_help(text: str) -> Texts:
    """Find the help of commands and the messages that they print."""
    for node in nodes(text):
        if isinstance(node, ast.FunctionDef) and any("command" in ast.unparse(d) for d in node.decorator_list):
            yield node.body[0].lineno, ast.get_docstring(node, clean=False) or ""
    yield from read_strings(text)


def read_comments(text: str) -> Texts:
    """Find comments; those on following lines are one text."""
    last, start, lines = 0, 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        comment = token.string.lstrip("#: ")
        if token.type != tokenize.COMMENT or re.match(r"noqa|type:|pragma|fmt|---|!", comment):
            continue
        if lines and token.start[0] != last + 1:
            yield start, "\n".join(lines)
            lines = []
        last = token.start[0]
        start = start if lines else last
        lines.append(comment)
    if lines:
        yield start, "\n".join(lines)


def read_tests(text: str) -> Texts:
    """Find the names of tests, as sentences, and docstrings."""
    for node in nodes(text):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.lineno, node.name[5:].replace("_", " ").capitalize()
    yield from read_docstrings(text)


def read_words(text: str) -> Texts:
    """Find the strings of a script of the page's words."""
    code = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
    for found in re.finditer(r'^\s*//.*$|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', code, re.MULTILINE):
        said = found[1] or found[2] or ""
        if not said.startswith("./"):
            yield code.count("\n", 0, found.start()) + 1, re.sub(r"\$\{[^}]*\}", "`x`", said)


def read_field(field: str, text: str) -> Texts:
    """Find the values of a field in YAML, each once, but not in examples."""
    seen, ahead = set[str](), [document(text)]
    while ahead:
        match ahead.pop():
            case yaml.MappingNode(value=pairs):
                for name, value in reversed(pairs):
                    if name.value == field and isinstance(value, yaml.ScalarNode) and value.value not in seen:
                        seen.add(value.value)
                        yield value.start_mark.line + 1, value.value
                    elif name.value not in ("example", "examples"):
                        ahead.append(value)
            case yaml.SequenceNode(value=values):
                ahead += reversed(values)


@cache
def document(text: str) -> yaml.Node | None:
    """Parse YAML into nodes, which know their lines."""
    return yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


READERS: Final[dict[str, Callable[[str], Texts]]] = {
    "markdown": read_markdown,
    "docstrings": read_docstrings,
    "strings": read_strings,
    "help": read_help,
    "comments": read_comments,
    "tests": read_tests,
    "words": read_words,
    "summaries": partial(read_field, "summary"),
    "descriptions": partial(read_field, "description"),
}


def load() -> dict[str, Any]:
    """Load the classes, the rules, the glossary and the allow list."""
    return tomllib.loads((ROOT / "lint/prose.toml").read_text())


def rules(data: dict[str, Any]) -> list[Rule]:
    """Return the rules, and one for each word of the glossary."""
    found = [Rule(name, re.compile(r["find"]), r["say"], tuple(r.get("only", ()))) for name, r in data["rules"].items()]
    words = data["glossary"].items()
    return found + [Rule("glossary", re.compile(rf"\b(?:{word})\b", re.IGNORECASE), ours) for word, ours in words]


def sentences(line: int, text: str) -> Texts:
    """Split a text into sentences, each with its line."""
    at = 0
    for end in [*(found.end() for found in SPLIT.finditer(text)), len(text)]:
        sentence = " ".join(text[at:end].split())
        if len(sentence.split()) >= SHORT:
            yield line + text.count("\n", 0, at), sentence
        at = end


def plain(sentence: str) -> str:
    """Return a sentence without emphasis, addresses and code."""
    without_code = re.sub(r"`[^`]*`", "`x`", sentence)
    return re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", without_code).replace("*", "").strip()


def broken(sentence: str, among: list[Rule], kind: str) -> list[Rule]:
    """Return the rules that a sentence of a class breaks."""
    bare = plain(sentence)
    return [rule for rule in among if (not rule.only or kind in rule.only) and rule.find.search(bare)]


def findings(kind: str, data: dict[str, Any], paths: list[str]) -> Iterator[Finding]:
    """Check the files of a class."""
    about, among, allowed = data["classes"][kind], rules(data), data["allow"]
    for path in paths:
        for line, text in READERS[about["read"]]((ROOT / path).read_text()):
            for at, sentence in sentences(line, text):
                for rule in broken(sentence, among, kind):
                    if not any(a["rule"] == rule.name and a["text"] in sentence for a in allowed):
                        yield Finding(path, at, rule, sentence)


def list_files() -> list[str]:
    """Return the files of the project, as Git knows them."""
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True)
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]


def files(about: dict[str, Any], names: list[str]) -> list[str]:
    """Return the files of a class among all files."""
    skipped = about.get("except", [])
    return [n for n in names if any(fnmatch(n, p) for p in about["files"]) and not any(fnmatch(n, p) for p in skipped)]


def main(wanted: list[str]) -> int:
    """Compare each class with its ceiling, or list all findings below some paths; return the exit code."""
    data, names = load(), [name for name in list_files() if not wanted or name.startswith(tuple(wanted))]
    failed = 0
    for kind, about in data["classes"].items():
        found = sorted(findings(kind, data, files(about, names)))
        too_many = len(found) > about["ceiling"] and not wanted
        if wanted or (too_many and not about["ceiling"]):
            print("\n".join(map(str, found)), end="\n" * bool(found))
        if too_many:
            print(f"prose: {kind} has {len(found)} findings, and its ceiling is {about['ceiling']}")
        elif not wanted and len(found) < about["ceiling"]:
            print(f"prose: {kind} has {len(found)} findings: lower its ceiling of {about['ceiling']}")
        failed |= too_many
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
