"""Every citation in the repository leads to a numbered section that is in the repository.

`(rules 1.7)` is section 1.7 of docs/rules.md, `(contract 6)` one of docs/contract.md, `(decision 2)` a page of
docs/decisions, and any other book the rulebook in the folder of that name. `(rules 1.3; contract 2, 5–7)` are several.
In a book `(4.2)` is its own section. `[rules 1.3](docs/rules.md)` is a citation that is a link, and leads to the book.
"""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [
    ROOT / name
    for name in subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True).split(
        "\n"
    )
]
READ = {
    path: path.read_text()
    for path in FILES
    if path.suffix in (".py", ".md", ".mjs", ".toml", ".yaml") and path.is_file()
}

SECTION = re.compile(r"^(?:#+ |\*\*)(\d+(?:\.\d+)*)\b", re.MULTILINE)
BOOKS = {path.parent.name: path for path in READ if path.name == "rulebook.md"}
BOOKS |= {name: ROOT / "docs" / f"{name}.md" for name in ("rules", "contract")}
SECTIONS = {book: set(SECTION.findall(READ[path])) for book, path in BOOKS.items()}
SECTIONS["decision"] = {str(int(path.name[:4])) for path in READ if re.match(r"\d{4}-", path.name)}

CITED = re.compile(r"(?:\(|; |\[(?=[^\]]*\]\())([a-z_]+) (\d+(?:\.\d+)*(?:(?:, |–)\d+(?:\.\d+)*)*)")
PROSE = {
    *("ace", "and", "below", "card", "cards", "clubs", "damaged", "deadwood", "draft", "else", "gives", "hand", "law"),
    *("migration", "return"),
    *("seat", "seats", "section", "with"),
    *("client_max_body_size", "proxy_http_version", "proxy_read_timeout"),  # of nginx
}
"""These words occur before a number in parentheses, and are not the name of a book."""

LINKED = re.compile(r"\[([a-z_]+) \d[\d.]*\]\(([^)#]*)")
"""A link whose text is a citation: the book, and the target of the link."""

ABSENT = re.compile(
    r"\b(?:RULES|CONTRACT|ARCHITECTURE|PLATFORM|HOUSE|STYLE)\b (?:\d|chapter|appendix)"  # names of plans
    r"|(?<!id: )\b[A-Z]{2}-\d+\b"  # rulings by letters; examples are named in the same way
    r"|\bissue \d|\.\./shared"
)  # fmt: skip


def dead(text):
    """Return the citations of a text that lead nowhere."""
    joined = re.sub(r"\n[ #]*", " ", text)
    cited = [(book, n) for book, row in CITED.findall(joined) for n in re.split(", |–", row)]
    asked = [(book, n) for book, n in cited if book not in PROSE]
    return [f"({book} {n})" for book, n in asked if n not in SECTIONS.get(book, ())] + ABSENT.findall(text)


def test_every_citation_leads_to_a_section():
    found = {
        str(path.relative_to(ROOT)): lost
        for path, text in READ.items()
        if path != Path(__file__) and (lost := dead(text))
    }
    assert not found, f"cited, but not there: {found}"


def strayed(path, text):
    """Return the links that cite a section of a book, but lead to another file."""
    return [
        f"[{book}]({target})"
        for book, target in LINKED.findall(text)
        if book in BOOKS and (path.parent / target).resolve() != BOOKS[book]
    ]


def test_every_link_that_cites_a_section_leads_to_its_book():
    texts = [(path, text) for path, text in READ.items() if path != Path(__file__)]
    found = {str(path.relative_to(ROOT)): lost for path, text in texts if (lost := strayed(path, text))}
    assert not found, f"linked, but not there: {found}"
    assert strayed(ROOT / "README.md", "[rules 1.7](docs/contract.md)") == ["[rules](docs/contract.md)"]


@pytest.mark.parametrize("book", BOOKS)
def test_rulebook_can_cite_its_own_sections(book):
    assert set(re.findall(r"\((\d+(?:\.\d+)*)\)", READ[BOOKS[book]])) <= SECTIONS[book]


@pytest.mark.parametrize("book", BOOKS)
def test_section_numbers_are_unique(book):
    numbers = SECTION.findall(READ[BOOKS[book]])
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("as it is (rules 1.7; contract 6)", []),
        ("of nothing (rules 1.99)", ["(rules 1.99)"]),
        ("in no book (ruels 1.3)", ["(ruels 1.3)"]),
        ("in no book (contrct 6)", ["(contrct 6)"]),
        ("in a link [rules 1.7](docs/rules.md)", []),
        ("in a link of nothing [rules 1.99](docs/rules.md)", ["(rules 1.99)"]),
        ("about cards (seat 3; with 2 others)", []),
        ("up to nothing (rules 1.3; contract 2, 5–99)", ["(contract 99)"]),
        ("elsewhere (RULES " + "1.7)", ["RULES 1"]),
    ],
)
def test_citation_of_a_missing_section_is_found(text, lost):
    assert dead(text) == lost
