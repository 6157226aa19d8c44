"""Tests that a game declares exactly the refusal codes that it uses."""

import ast
import inspect
from pathlib import Path
from textwrap import dedent

import pytest

from domain.core.refusals import COMMON, MALFORMED
from domain.games.catalogue import GAMES


def called(function, follows=ast.walk):
    """Return all functions of the game reachable from a function, including itself, by the calls in these parts of
    each."""
    found, ahead = set(), [function]
    while ahead:
        if (now := inspect.unwrap(ahead.pop())) in found or now.__module__.startswith("domain.core"):
            continue
        found.add(now)
        calls = (node.func for node in follows(tree(now)) if isinstance(node, ast.Call))
        ahead += filter(inspect.isfunction, (value(call, now.__globals__) for call in calls))
    return found


def tree(function):
    """Return the body of a function without its docstring."""
    (definition,) = ast.parse(dedent(inspect.getsource(function))).body
    return ast.Module(definition.body[ast.get_docstring(definition) is not None :], [])


def value(node, names):
    """Return the value of a name, or of a name in a module."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return getattr(names.get(node.value.id), node.attr, None)
    return names.get(node.id) if isinstance(node, ast.Name) else None


def given_back(body):
    """Yield the parts of a function's body that determine its value: what is returned, and what a returned name is
    set to."""
    ahead = [node.value for node in ast.walk(body) if isinstance(node, ast.Return) and node.value]
    seen = []
    while ahead:
        node = ahead.pop()
        if node not in seen and not isinstance(node, ast.Compare):
            seen.append(node)
            ahead += parts(node, body)
    return seen


def parts(node, body):
    """Yield the expressions that the value of an expression comes from."""
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.Call):
        return node.args if is_choice(node) else []
    return assigned(body, node.id) if isinstance(node, ast.Name) else ast.iter_child_nodes(node)


def assigned(body, name):
    """Yield all values that a name is set to in the body of a function."""
    for node in ast.walk(body):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if name in [target.id for target in targets if isinstance(target, ast.Name)]:
                yield node.value


def is_choice(call):
    """Return whether a call returns one of its arguments, as `next` does."""
    return isinstance(call.func, ast.Name) and call.func.id in ("next", "min", "max")


def texts(node):
    """Yield the strings in code that are not compared with anything."""
    if isinstance(node, ast.Compare | ast.MatchValue):
        return set()
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    return {text for child in ast.iter_child_nodes(node) for text in texts(child)}


def codes(function):
    """Return the strings that a function returns directly."""
    words = (node.value for node in given_back(tree(function)) if isinstance(node, ast.Constant))
    return {word for word in words if isinstance(word, str) and word}


@pytest.mark.parametrize("name", GAMES)
def test_every_code_of_a_refusal_is_declared(name):
    given = {code for function in called(GAMES[name].refusal, given_back) for code in codes(function)}
    assert given - {*COMMON, *MALFORMED, *GAMES[name].words.refusals} == set()
    assert "wrong_phase" in given


@pytest.mark.parametrize("name", GAMES)
def test_every_declared_code_is_used_by_the_game(name):
    folder = Path(inspect.getfile(GAMES[name].refusal)).parent
    files = {*folder.glob("*.py"), *(Path(inspect.getfile(function)) for function in called(GAMES[name].refusal))}
    states = {code for path in files if path.stem != "refusals" for code in texts(ast.parse(path.read_text()))}
    assert set(GAMES[name].words.refusals) - states == set()


def test_a_code_that_two_games_have_means_the_same():
    tables = [COMMON, MALFORMED, *(game.words.refusals for game in GAMES.values())]
    declared = {(code, said) for table in tables for code, said in table.items()}
    assert sorted(code for code, _ in declared) == sorted({code for code, _ in declared})
