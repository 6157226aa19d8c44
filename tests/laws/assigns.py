"""Reads the code of an `evolve`, and of all that it calls, and finds where it decides anything."""

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeGuard

PLACING: Final = frozenset({"add", "backs", "changed", "put", "remove", "shown"})
"""The functions of `domain.core` that only place values."""

LIBRARY: Final = frozenset({"assert_never", "replace"})
"""The functions of the standard library that may be called."""

BUILT_IN: Final = frozenset(
    {
        "bool",
        "dict",
        "enumerate",
        "getattr",
        "int",
        "len",
        "map",
        "range",
        "reversed",
        "sorted",
        "sum",
        "tuple",
        "zip",
    }
)

METHODS: Final = frozenset({"copy", "evolve", "index", "start"})
"""The methods that may be called on any value: of tuples and states, and the two of a game's record."""

DECIDING: Final = {
    ast.If: "an `if`",
    ast.IfExp: "a conditional expression",
    ast.While: "a `while`",
    ast.Try: "a `try`",
    ast.BoolOp: "an `and` or `or`",
    ast.Compare: "a comparison",
    ast.Not: "a `not`",
    ast.Lambda: "a function made on the spot",
}

Found = Iterator[tuple[ast.AST, str]]


def decisions(evolve: Callable[..., Any]) -> list[str]:
    """Give what is decided in a function and in those it calls, each as `file:line: what`."""
    faults, waiting, seen = [], [evolve], set[Any]()
    state = next(iter(inspect.signature(evolve).parameters))
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        reading = Reading(function, state)
        found = reading.faults()
        faults += [f"{reading.file}:{node.lineno}: {what}" for node, what in found]  # type: ignore[attr-defined]
        waiting += reading.called
    return sorted(faults)


class Reading:
    """The code of one function: what it decides, and which functions are to be read beside it."""

    def __init__(self, function: Callable[..., Any], state: str) -> None:
        module = inspect.getmodule(function)
        assert module is not None
        self.module, self.file = module, module.__file__
        self.tree, self.constants = parsed(module)
        self.body = next(node for node in ast.walk(self.tree) if is_code_of(node, function.__code__))
        self.state = state
        self.own = set(function.__code__.co_varnames + function.__code__.co_cellvars)
        self.called: list[Callable[..., Any]] = []

    def faults(self) -> Found:
        """Give the places where something is decided, and say how."""
        body = self.body.body
        for part in body if isinstance(body, list) else [body]:
            for node in walked(part):
                yield from self.fault(node)

    def fault(self, node: ast.AST) -> Found:
        """Say what a part of the code decides, if it does."""
        for kind, what in DECIDING.items():
            if isinstance(node, kind):
                yield node if hasattr(node, "lineno") else self.body, what
        match node:
            case ast.comprehension(ifs=[first, *_]):
                yield first, "a condition in a comprehension"
            case ast.Match():
                yield from self.matched(node)
            case ast.Call():
                yield from self.call(node)
            case ast.Name(ctx=ast.Load()) if isinstance(self.value(node), FunctionType):
                yield from self.used(node, self.value(node))
            case ast.Subscript(value=ast.Name(id=name)) if name in self.constants and not is_own_field(node.slice):
                yield node, f"a choice from the table `{name}`"
            case ast.Subscript(value=ast.Tuple() | ast.List() | ast.Dict()):
                yield node, "a choice from what is written there"
            case ast.Subscript(value=ast.Attribute(value=ast.Name() as owner)) if isinstance(self.value(owner), type):
                yield node, f"a choice from a table of `{owner.id}`"
            case ast.Attribute(value=ast.Attribute(attr="rules" | "options"), attr=name) if name != "seats":
                yield node, f"it reads the rule `{name}`"
            case ast.Attribute(attr=name):
                self.called += [p.fget for cls in vars(self.module).values() if (p := property_of(cls, name))]
            case ast.Assign(value=ast.Name(id=self.state)):
                yield node, "another name for the state"
            case ast.Assign(value=ast.Attribute(attr="rules" | "options")):
                yield node, "another name for the rules"

    def matched(self, node: ast.Match) -> Found:
        """Find what a `match` asks other than the class and the own fields of something that is recorded."""
        if not isinstance(node.subject, ast.Name) or node.subject.id == self.state:
            yield node, "a `match` on something that is no event"
        for case in node.cases:
            if case.guard:
                yield case.guard, "a condition of a `case`"
            one = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
            if any(isinstance(pattern, ast.MatchValue | ast.MatchSingleton) for pattern in one):
                yield case.pattern, "a `match` on a plain value"

    def call(self, node: ast.Call) -> Found:
        """Find calls that are not of the few functions that place values, nor of functions that are read too."""
        match node.func:
            case ast.Name():
                if not may_be_called(node.func.id, self.value(node.func)):
                    yield node, f"a call of `{node.func.id}`"
            case ast.Attribute(value=ast.Name() as name) if isinstance(self.value(name), ModuleType):
                yield from self.used(node, getattr(self.value(name), node.func.attr))
            case ast.Attribute(attr=name) if name not in METHODS:
                methods = [m for cls in vars(self.module).values() if (m := method(cls, name))]
                self.called += methods
                if not methods:
                    yield node, f"a call of the method `{name}`"

    def used(self, node: ast.AST, function: Any) -> Found:
        """Let a function be read too, unless it is one of the few of the core and the library that may be called."""
        home = function.__module__
        if home.startswith("domain.core."):
            if function.__name__ not in PLACING:
                yield node, f"a call of `{function.__name__}`, which does not only place values"
        elif inspect.getmodule(function) is None or home.split(".")[0] in ("dataclasses", "typing"):
            if function.__name__ not in LIBRARY:
                yield node, f"a call of `{function.__name__}`"
        else:
            self.called.append(function)

    def value(self, name: ast.Name) -> Any:
        """Give what a name stands for outside the function; None for what belongs to the function."""
        if name.id in self.own:
            return None
        return vars(self.module).get(name.id, getattr(builtins, name.id, None))


def walked(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through code, past types and assertions, which choose nothing, and what stands for a part not shown."""
    if isinstance(node, ast.Assert):
        return
    yield node
    inside = list(ast.iter_child_nodes(node))
    match node:
        case ast.AnnAssign():
            inside = [part for part in (node.target, node.value) if part]
        case ast.Call(func=ast.Name(id="shown"), args=[seen, _]):
            inside = [node.func, seen]
    for part in inside:
        yield from walked(part)


def is_own_field(node: ast.AST) -> bool:
    """Whether it is a field of the event, which may be looked up in a table as it may be matched."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "event"


def is_code_of(node: ast.AST, code: CodeType) -> TypeGuard[ast.FunctionDef | ast.Lambda]:
    """Whether a part of a module's code is that of a function."""
    if isinstance(node, ast.Lambda):
        return (code.co_name, code.co_firstlineno) == ("<lambda>", node.lineno)
    if not isinstance(node, ast.FunctionDef) or node.name != code.co_name:
        return False
    return code.co_firstlineno in (node.lineno, *(one.lineno for one in node.decorator_list))


def method(cls: Any, name: str) -> Any:
    """Give the function that is the method of a class, if it is one of its own."""
    found = vars(cls).get(name) if isinstance(cls, type) else None
    return found if isinstance(found, FunctionType) else None


def property_of(cls: Any, name: str) -> Any:
    """Give the property of a class, if it is one of its own that is read by a function."""
    found = vars(cls).get(name) if isinstance(cls, type) else None
    return found if isinstance(found, property) and isinstance(found.fget, FunctionType) else None


def may_be_called(name: str, x: Any) -> bool:
    """Whether it is one of the plain types and functions of the language, a record, or a function that is read too."""
    if vars(builtins).get(name) is x:
        return name in BUILT_IN
    return isinstance(x, FunctionType | type) or hasattr(x, "__supertype__")


@cache
def parsed(module: ModuleType) -> tuple[ast.Module, frozenset[str]]:
    """Give the code of a module, and its constants: its own, and those that it imports beside the core's."""
    assert module.__file__
    tree = ast.parse(Path(module.__file__).read_text())
    imported = {
        alias.asname or alias.name: node.module or ""
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    own = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    others = {name for name, home in imported.items() if not home.startswith("domain.core.")}
    return tree, frozenset(own | others)


def loaded(path: Path) -> ModuleType:
    """Give the module in a file."""
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
