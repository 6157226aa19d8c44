"""Every code with which a game refuses a move is declared, and every one that it declares is used."""

import ast
import inspect
from pathlib import Path
from textwrap import dedent

import pytest

from domain.core.refusals import COMMON, MALFORMED
from domain.games.catalogue import GAMES


def called(function):
    """All functions of the game that a function leads to, itself included."""
    found, ahead = set(), [function]
    while ahead:
        if (now := inspect.unwrap(ahead.pop())) in found or now.__module__.startswith("domain.core"):
            continue
        found.add(now)
        calls = (node.func for node in ast.walk(tree(now)) if isinstance(node, ast.Call))
        ahead += filter(inspect.isfunction, (value(call, now.__globals__) for call in calls))
    return found


def tree(function):
    """The body of a function, without its docstring."""
    (definition,) = ast.parse(dedent(inspect.getsource(function))).body
    return ast.Module(definition.body[ast.get_docstring(definition) is not None :], [])


def value(node, names):
    """What a name, or a name of a module, stands for."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return getattr(names.get(node.value.id), node.attr, None)
    return names.get(node.id) if isinstance(node, ast.Name) else None


def texts(node):
    """The words in code that nothing is compared with."""
    if isinstance(node, ast.Compare | ast.MatchValue):
        return set()
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    return {text for child in ast.iter_child_nodes(node) for text in texts(child)}


@pytest.mark.parametrize("name", GAMES)
def test_every_code_of_a_refusal_is_declared(name):
    given = {code for function in called(GAMES[name].refusal) for code in texts(tree(function))}
    assert given - {*COMMON, *MALFORMED, *GAMES[name].words.refusals} == set()
    assert "wrong_phase" in given


@pytest.mark.parametrize("name", GAMES)
def test_every_declared_code_stands_in_the_code_of_the_game(name):
    folder = Path(inspect.getfile(GAMES[name].refusal)).parent
    states = {
        code for path in folder.glob("*.py") if path.stem != "refusals" for code in texts(ast.parse(path.read_text()))
    }
    assert set(GAMES[name].words.refusals) - states == set()


def test_a_code_that_two_games_have_means_the_same():
    tables = [COMMON, MALFORMED, *(game.words.refusals for game in GAMES.values())]
    declared = {(code, said) for table in tables for code, said in table.items()}
    assert sorted(code for code, _ in declared) == sorted({code for code, _ in declared})
