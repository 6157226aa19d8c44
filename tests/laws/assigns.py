"""Reads the code of an `evolve`, and of all that it calls, and finds where it decides anything.

Two things it may work out, which are no rules of a game (decision 24). Who sits to the left of a seat is `next_seat`:
it is asked of one seat that is written, and never twice over. And how many cards lie face down, where a reader is not
shown them, may be counted from the options and the counts of others: it is told to nobody who is shown the cards, the
server among them.
"""

import ast
import builtins
import inspect
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
"""The functions of `domain.core` that only place values."""

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
"""The methods that may be called on any value: of tuples and states, and the two of a game's record."""

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
"""A value of such a part of code is a table that is written on the spot."""

Found = Iterator[tuple[ast.AST, str]]


def decisions(evolve: Callable[..., Any]) -> list[str]:
    """Give what is decided in a function and in those it calls, each as `file:line: what`."""
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
    """This is the code of one function: what it decides, and which functions are to be read beside it.

    `counting` says whether it stands, or is called, where the cards are counted that a reader is not shown.
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
        """Give the places where something is decided, and say how."""
        body = self.body.body
        for part in body if isinstance(body, list) else [body]:
            for node, hidden in walked(part, hidden=self.counting):
                self.counting = hidden
                yield from self.fault(node)
                if not hidden:
                    yield from self.worked_out(node)

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
            case ast.Subscript(value=table) if isinstance(table, WRITTEN):
                yield node, "a choice from what is written there"
            case ast.Subscript(value=ast.Name(id=name), slice=key) if name in self.written and self.reads_state(key):
                yield node, "a choice from what is written there"
            case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Load()) if (
                name in self.filled and not is_plain(key)
            ):
                yield node, "a choice from what is written there"
            case ast.Subscript(value=ast.Attribute(value=ast.Name() as owner)) if isinstance(self.value(owner), type):
                yield node, f"a choice from a table of `{owner.id}`"
            case ast.Subscript(value=ast.Call()):
                yield node, "a choice from what a call gives"
            case ast.Subscript(value=ast.Name(id=name)) if name in self.given:
                yield node, "a choice from what a call gives"
            case ast.Attribute(value=ast.Attribute(attr="rules" | "options"), attr=name) if self.is_rule(name):
                yield node, f"it reads the rule `{name}`"
            case ast.Attribute(attr=name):
                self.read(p.fget for cls in vars(self.module).values() if (p := property_of(cls, name)))
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

    def reads_state(self, node: ast.AST) -> bool:
        """Whether a part of the code reads the state, or a name that was given to a part of it."""
        return bool(self.of_state & names(node, ast.Load))

    def worked_out(self, node: ast.AST) -> Found:
        """Find numbers that are worked out: what is not counted up or down, nor a row of so many alike."""
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
        """Whether it may not be read of the options here: all but the number of seats, where cards are not counted."""
        return name != "seats" and not self.counting

    def read(self, functions: Iterable[Callable[..., Any]]) -> None:
        """Let functions be read too."""
        self.called += [(function, self.counting) for function in functions]

    def matched(self, node: ast.Match) -> Found:
        """Find what a `match` asks other than the class and the own fields of something that is recorded."""
        if not isinstance(node.subject, ast.Name) or node.subject.id not in self.matchable:
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
            case ast.Name(id="sum") if self.counting:
                pass
            case ast.Name(id="getattr") if not self.is_declared(node.args):
                yield node, "a field chosen by its name"
            case ast.Name(id="next_seat") if not is_left_of_one(node.args):
                yield node, "a seat farther on than the one to the left"
            case ast.Name(id="bool" | "map") if names_bool(node) and not is_own_field(node.args[-1]):
                yield node, "a comparison"
            case ast.Name(id="replace"):
                self.read(made for cls in vars(self.module).values() for made in constructors(cls))
            case ast.Name():
                if not may_be_called(node.func.id, self.value(node.func)):
                    yield node, f"a call of `{node.func.id}`"
                self.read(constructors(self.value(node.func)))
            case ast.Attribute(value=ast.Name() as name) if isinstance(self.value(name), ModuleType):
                yield from self.used(node, getattr(self.value(name), node.func.attr))
            case ast.Attribute(attr=name):
                methods = [m for cls in vars(self.module).values() if (m := method(cls, name))]
                self.read(methods)
                if not methods and name not in METHODS:
                    yield node, f"a call of the method `{name}`"

    def is_declared(self, args: list[ast.expr]) -> bool:
        """Whether a field is read of the event whose name the game's record has declared."""
        match args:
            case [ast.Name(id="event"), ast.Name(id=name)]:
                return name in self.fixed
            case _:
                return False

    def used(self, node: ast.AST, function: Any) -> Found:
        """Let a function be read too, unless it is one of the few of the core and the library that may be called."""
        home = function.__module__
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

    def value(self, name: ast.Name) -> Any:
        """Give what a name stands for outside the function; None for what belongs to the function."""
        if name.id in self.own:
            return None
        return vars(self.module).get(name.id, getattr(builtins, name.id, None))


def may_be_called(name: str, x: Any) -> bool:
    """Whether it is one of the plain types and functions of the language, a record, or a function that is read too."""
    if vars(builtins).get(name) is x:
        return name in BUILT_IN
    return isinstance(x, FunctionType | type) or hasattr(x, "__supertype__")
