"""Reads the code of an `evolve`, and of all that it calls, and finds where it decides anything.

It may work out two things, which are not rules of a game (decision 24):

- The seat to the left of a written seat, by a call of `next_seat` that is not nested.
- The number of face-down cards that a reader does not see, counted from the options and other counts. The server, and
  readers who see the cards, do not count.
"""

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any, Final

from tests.laws.code_parts import (
    bindings,
    constructors,
    heedless,
    is_code_of,
    is_left_of_one,
    is_of_event,
    is_own_field,
    is_plain,
    is_rest,
    is_size,
    method,
    names,
    names_bool,
    parsed,
    property_of,
    walked,
)

PLACING: Final = frozenset({"add_cards", "backs", "next_seat", "or_back", "put_at", "remove_cards", "with_fields"})
"""The functions of `domain.core` that only put values together."""

LIBRARY: Final = frozenset({"assert_never", "replace"})
"""The functions of the standard library that may be called."""

BUILT_IN: Final = frozenset(
    {
        "bool",
        "dict",
        "enumerate",
        "getattr",
        "len",
        "map",
        "range",
        "reversed",
        "tuple",
        "zip",
    }
)

METHODS: Final = frozenset({"copy", "evolve", "index", "start"})
"""The methods that may be called on any value: those of tuples and states, and the two of a game definition."""

DECIDING: Final = {
    ast.If: "an `if`",
    ast.IfExp: "a conditional expression",
    ast.While: "a `while`",
    ast.Try: "a `try`",
    ast.TryStar: "a `try`",
    ast.With: "a `with`",
    ast.Break: "a `break`",
    ast.Continue: "a `continue`",
    ast.BoolOp: "an `and` or `or`",
    ast.Compare: "a comparison",
    ast.Not: "a `not`",
    ast.Lambda: "a function made on the spot",
}

WRITTEN: Final = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.ListComp, ast.DictComp)
"""A literal of this kind is a table that is written in place."""

PARTS_OF_RULES: Final = re.compile(r"domain\.(?!core\.).+")
"""The modules whose classes and functions are read too."""

Found = Iterator[tuple[ast.AST, str]]


def decisions(evolve: Callable[..., Any]) -> list[str]:
    """Return the decisions in a function and in those it calls, each as `file:line: what`."""
    faults, waiting, seen = [], [(evolve, False)], set[Any]()
    state = next(iter(inspect.signature(evolve).parameters))
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        function, counting = one
        reading = Reading(function, state, counting=counting)
        found = reading.faults()
        faults += [f"{reading.file}:{node.lineno}: {what}" for node, what in found]  # type: ignore[attr-defined]
        waiting += reading.called
    return sorted(faults)


class Reading:
    """The code of one function: its decisions, and the functions that it calls.

    `counting` says whether it is code that counts the cards hidden from a reader, or is called from it.
    """

    def __init__(self, function: Callable[..., Any], state: str, *, counting: bool) -> None:
        function = inspect.unwrap(function)  # the functions of an installed game are guarded
        module = inspect.getmodule(function)
        assert module is not None
        self.module, self.file = module, module.__file__
        self.tree, self.constants = parsed(module)
        self.body = next(node for node in ast.walk(self.tree) if is_code_of(node, function.__code__))
        self.state, self.counting = state, counting
        self.own = set(function.__code__.co_varnames + function.__code__.co_cellvars)
        self.fixed = set(function.__code__.co_freevars)
        self.bound = [binding for node in ast.walk(self.body) for binding in bindings(node)]
        self.given = {name for name, value in self.bound if isinstance(value, ast.Call)}
        self.written = {name for name, value in self.bound if isinstance(value, WRITTEN)}
        self.filled = self.written - {
            name for name, value in self.bound if isinstance(value, ast.Dict) and not value.keys
        }
        self.of_state = {state}
        self.of_state |= {name for name, value in self.bound if self.reads_state(value)}
        self.matchable = self.own - {name for name, value in self.bound if not is_of_event(value)} - {state}
        self.called: list[tuple[Callable[..., Any], bool]] = []

    def faults(self) -> Found:
        """Yield the places where something is decided, with a description."""
        body = self.body.body
        for part in body if isinstance(body, list) else [body]:
            for node, hidden in walked(part, hidden=self.counting):
                self.counting = hidden
                yield from self.fault(node)
                if not hidden:
                    yield from self.worked_out(node)

    def fault(self, node: ast.AST) -> Found:
        """Describe what a part of the code decides, or return None."""
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
            case ast.Attribute(value=ast.Name() as owner) if isinstance(self.member(owner, node.attr), FunctionType):
                yield from self.used(node, self.member(owner, node.attr))
            case ast.Subscript(value=ast.Name(id=name)) if name in self.constants and not is_own_field(node.slice):
                yield node, f"a choice from the table `{name}`"
            case ast.Subscript(value=table) if isinstance(table, WRITTEN):
                yield node, "a choice from what is written there"
            case ast.Subscript(value=ast.Name(id=name), slice=key) if name in self.written and self.reads_state(key):
                yield node, "a choice from what is written there"
            case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Load()) if (
                name in self.filled and not is_plain(key)
            ):
                yield node, "a choice from what is written there"
            case ast.Subscript(value=ast.Attribute(value=ast.Name() as owner)) if isinstance(
                self.value(owner), type | ModuleType
            ) and not is_own_field(node.slice):
                yield node, f"a choice from a table of `{owner.id}`"
            case ast.Subscript(value=ast.Attribute(value=ast.Attribute(value=ast.Name() as owner, attr=name))) if (
                isinstance(self.member(owner, name), type)
            ):
                yield node, f"a choice from a table of `{name}`"
            case ast.Subscript(value=ast.Call()):
                yield node, "a choice from what a call gives"
            case ast.Subscript(value=ast.Name(id=name)) if name in self.given:
                yield node, "a choice from what a call gives"
            case ast.Attribute(value=ast.Attribute(attr="rules" | "options"), attr=name) if self.is_rule(name):
                yield node, f"it reads the rule `{name}`"
            case ast.Attribute(attr=name):
                self.read(p.fget for cls in self.visible() if (p := property_of(cls, name)))
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call()) if any(map(is_rest, parts)):
                yield node, "a choice from what a call gives"
            case ast.For() if self.reads_state(node.iter):
                yield from ((line, "a loop that asks whether there is anything") for line in heedless(node))
        for _, value in bindings(node):
            match value:
                case ast.Name(id=self.state):
                    yield value, "another name for the state"
                case ast.Attribute(attr="rules" | "options"):
                    yield value, "another name for the rules"

    def visible(self) -> list[Any]:
        """Return what the module can name: its own names, and those of modules that it imports, except the core's."""
        named = list(vars(self.module).values())
        modules = [
            value for value in named if isinstance(value, ModuleType) and PARTS_OF_RULES.fullmatch(value.__name__)
        ]
        return named + [value for module in modules for value in vars(module).values()]

    def reads_state(self, node: ast.AST) -> bool:
        """Return whether a part of the code reads the state, or a name given to a part of it."""
        return bool(self.of_state & names(node, ast.Load))

    def worked_out(self, node: ast.AST) -> Found:
        """Yield computed numbers, except counting up or down and repeated values."""
        match node:
            case ast.BinOp(op=ast.Add()) | ast.AugAssign(op=ast.Add()):
                pass
            case ast.BinOp(op=ast.Sub(), left=ast.Constant() | ast.Set() | ast.SetComp()):
                yield node, "arithmetic"
            case ast.BinOp(op=ast.Sub()) | ast.AugAssign(op=ast.Sub()):
                pass
            case ast.BinOp(op=ast.Mult(), left=ast.Tuple(), right=right) if is_size(right):
                pass
            case ast.BinOp() | ast.AugAssign() | ast.UnaryOp(op=ast.Invert()):
                yield node, "arithmetic"

    def is_rule(self, name: str) -> bool:
        """Return whether the option may not be read here: all but the number of seats, unless cards are counted."""
        return name != "seats" and not self.counting

    def read(self, functions: Iterable[Callable[..., Any]]) -> None:
        """Queue functions for reading."""
        self.called += [(function, self.counting) for function in functions]

    def matched(self, node: ast.Match) -> Found:
        """Yield the parts of a `match` that examine more than the class and the fields of a recorded value."""
        if not isinstance(node.subject, ast.Name) or node.subject.id not in self.matchable:
            yield node, "a `match` on something that is no event"
        for case in node.cases:
            if case.guard:
                yield case.guard, "a condition of a `case`"
            one = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
            if any(isinstance(pattern, ast.MatchValue | ast.MatchSingleton) for pattern in one):
                yield case.pattern, "a `match` on a plain value"

    def call(self, node: ast.Call) -> Found:
        """Yield calls other than those of the few functions that put values together and of functions that are read
        too."""
        match node.func:
            case ast.Name(id="sum") if self.counting:
                pass
            case ast.Name(id="getattr") if not self.is_declared(node.args):
                yield node, "a field chosen by its name"
            case ast.Name(id="next_seat") if not is_left_of_one(node.args):
                yield node, "a seat farther on than the one to the left"
            case ast.Name(id="bool" | "map") if names_bool(node) and not is_own_field(node.args[-1]):
                yield node, "a comparison"
            case ast.Name(id="replace"):
                self.read(made for cls in self.visible() for made in constructors(cls))
            case ast.Name():
                if not may_be_called(node.func.id, self.value(node.func)):
                    yield node, f"a call of `{node.func.id}`"
                self.read(constructors(self.value(node.func)))
            case ast.Attribute(value=ast.Name() as name) if isinstance(self.value(name), ModuleType):
                yield from self.used(node, getattr(self.value(name), node.func.attr))
            case ast.Attribute(attr=name):
                methods = [m for cls in self.visible() if (m := method(cls, name))]
                self.read(methods)
                if not methods and name not in METHODS:
                    yield node, f"a call of the method `{name}`"

    def is_declared(self, args: list[ast.expr]) -> bool:
        """Return whether the field belongs to the event whose name is declared in the game definition."""
        match args:
            case [ast.Name(id="event"), ast.Name(id=name)]:
                return name in self.fixed
            case _:
                return False

    def used(self, node: ast.AST, function: Any) -> Found:
        """Queue a function for reading, unless it is one of the few of the core and the library that may be called."""
        home = function.__module__
        if hasattr(function, "__supertype__"):
            return
        if home.startswith("domain.core."):
            if function.__name__ not in PLACING:
                yield node, f"a call of `{function.__name__}`, which does not only place values"
        elif inspect.getmodule(function) is None or home.split(".")[0] in ("dataclasses", "typing"):
            if function.__name__ not in LIBRARY:
                yield node, f"a call of `{function.__name__}`"
        elif isinstance(function, type):
            self.read(constructors(function))
        else:
            self.read([function])

    def member(self, name: ast.Name, attribute: str) -> Any:
        """Return what a module that the function names has under an attribute; None for other names."""
        module = self.value(name)
        return getattr(module, attribute, None) if isinstance(module, ModuleType) else None

    def value(self, name: ast.Name) -> Any:
        """Return the value of a name outside the function; None for a name of the function itself."""
        if name.id in self.own:
            return None
        return vars(self.module).get(name.id, getattr(builtins, name.id, None))


def may_be_called(name: str, x: Any) -> bool:
    """Return whether it is a plain type or function of the language, a value class, or a function that is read too."""
    if vars(builtins).get(name) is x:
        return name in BUILT_IN
    return isinstance(x, FunctionType | type) or hasattr(x, "__supertype__")
