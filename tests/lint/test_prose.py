"""Tests that the prose lint finds each fault, in each kind of text, and on the right line."""

import re

import pytest

from lint import prose

DATA = prose.load()
RULES = {rule.name: rule for rule in prose.rules(DATA) if rule.name != "glossary"}


def names(sentence, kind="docs"):
    return {rule.name for rule in prose.broken(sentence, prose.rules(DATA), kind)}


@pytest.mark.parametrize("name", RULES)
def test_rule_finds_its_bad_sentence_and_passes_its_good_one(name):
    about = DATA["rules"][name]
    kind = about.get("only", ["docs"])[0]
    assert name in names(about["bad"], kind)
    assert name not in names(about["good"], kind)


@pytest.mark.parametrize("good", [about["good"] for about in DATA["rules"].values()])
def test_good_sentence_breaks_no_other_rule(good):
    assert names(good) == set()


@pytest.mark.parametrize("word", ["looking back", "to the byte", "a stranger reads", "organizer", "for good"])
def test_glossary_finds_disallowed_words(word):
    assert names(f"It says {word}.") == {"glossary"}


def test_rule_applies_only_to_its_classes():
    assert names("Give the limit.", "docstrings") == {"give-for-return"}
    assert names("Give the limit.", "docs") == set()


def test_code_and_urls_are_not_prose():
    assert names("Send `who has it alone` to [the server](https://a.example/anew).") == set()


@pytest.mark.parametrize("question", ["What does a record of a match prove?", "Who may see my cards?"])
def test_question_may_begin_with_a_question_word(question):
    assert names(question) == set()


TEXTS = {
    "markdown": (
        "# A title of it\n\nOne line here\nand more. Next one here.\n\n```\nno prose in code\n```\n- an item of it\n",
        {1: "A title of it", 3: "One line here and more.", 4: "Next one here.", 9: "an item of it"},
    ),
    "docstrings": (
        'def f():\n    """Return some words.\n\n    More of them here.\n    """\n    return "No docstring is here."\n',
        {2: "Return some words.", 4: "More of them here."},
    ),
    "comments": (
        "x = 1  # a short comment\n\n# two lines of\n# one comment\n",
        {1: "a short comment", 3: "two lines of one comment"},
    ),
    "strings": (
        '"""A docstring is none."""\nx = f"It costs {x} chips."\ny = "SELECT this FROM that"\nz = "Too low a bet."\n',
        {2: "It costs `x` chips.", 4: "Too low a bet."},
    ),
    "help": (
        '@cli.command()\ndef play():\n    """Play a match."""\n\ndef helper():\n    """Return no help here."""\n',
        {3: "Play a match."},
    ),
    "tests": ("def test_a_bot_plays_on(): pass\ndef helper_of_a_test(): pass\n", {1: "A bot plays on"}),
    "words": (
        '// no words of it\nexport const a = "Show my cards";\n/* not\nthis */ export const b = `Wait ${n} seconds`;\n',
        {2: "Show my cards", 4: "Wait `x` seconds"},
    ),
    "summaries": ("get:\n  summary: Read one match\n  description: It has a text.\n", {2: "Read one match"}),
    "descriptions": (
        "get:\n  summary: Read one match\n  description: It has a text.\n  example: {description: not of this}\n",
        {3: "It has a text."},
    ),
}
"""A file for each reader, and the sentences that it finds, by line."""


@pytest.mark.parametrize("reader", TEXTS)
def test_reader_finds_each_sentence_on_its_line(reader):
    text, found = TEXTS[reader]
    pieces = prose.READERS[reader](text)
    assert dict(sentence for line, piece in pieces for sentence in prose.sentences(line, piece)) == found


def test_every_reader_is_tested():
    assert TEXTS.keys() == prose.READERS.keys()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a function that writes a project of one page and returns the exit code of the lint."""
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    monkeypatch.setattr(prose, "list_files", lambda: ["page.md"])

    def check(text, ceiling, *paths):
        about = {"files": ["*.md"], "read": "markdown", "ceiling": ceiling}
        allow = [{"rule": "told", "text": "She is told so often."}]
        monkeypatch.setattr(prose, "load", lambda: DATA | {"classes": {"docs": about}, "allow": allow})
        (tmp_path / "page.md").write_text(text)
        return prose.main(list(paths))

    return check


def test_finding_above_the_ceiling_is_an_error_with_place_rule_and_advice(project, capsys):
    assert project("# Title\n\nHe is told the score.\n", 0) == 1
    assert re.match(r"page\.md:3: \[told\] is notified.*\n    He is told the score\.", capsys.readouterr().out)


def test_class_at_its_ceiling_passes(project, capsys):
    assert project("He is told the score.\n", 1) == 0
    assert capsys.readouterr().out == ""


def test_class_below_its_ceiling_must_lower_it(project, capsys):
    assert project("The score is shown.\n", 1) == 0
    assert capsys.readouterr().out == "prose: docs has 0 findings: lower its ceiling of 1\n"


def test_allowed_sentence_is_not_reported(project):
    assert project("She is told so often.\n", 0) == 0


def test_paths_list_all_findings_whatever_the_ceiling(project, capsys):
    assert project("He is told the score.\n", 5, "page.md") == 0
    assert "[told]" in capsys.readouterr().out
