"""Parses the modules of an `evolve`, and classifies the parts of their code."""

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeGuard

from domain.core import values
from domain.core.values import Copied

CONSTRUCTING: Final = ("__new__", "__init__", "__post_init__")
"""The methods of a class that are called when an instance is created."""


def walked(node: ast.AST, *, hidden: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Walk through code, skipping types and assertions, which decide nothing.

    Each part comes with whether it is in the replacement for a hidden part.
    """
    if isinstance(node, ast.Assert):
        return
    yield node, hidden
    inside = [(part, hidden) for part in ast.iter_child_nodes(node)]
    match node:
        case ast.AnnAssign():
            inside = [(part, hidden) for part in (node.target, node.value) if part]
        case ast.Call(func=ast.Name(id="or_back"), args=[seen, back]):
            inside = [(node.func, hidden), (seen, hidden), (back, True)]
    for part, below in inside:
        yield from walked(part, hidden=below)


def bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a part of code assigns, each with its value; for an unpacked tuple, each with its own
    value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _bound(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            yield from _bound(target, value)
        case (
            ast.For(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values) | ast.Set(elts=values))
            | ast.comprehension(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values))
        ):
            for value in values:
                yield from _bound(target, value)


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) | ast.List(elts=values):
            for one, its in zip(targets, values, strict=False):
                yield from _bound(one, its)


def is_of_event(node: ast.AST) -> bool:
    """Return whether it is the event, or a part of it."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "event"


def names(node: ast.AST, kind: type[ast.expr_context]) -> set[str]:
    """Return the names that are read in a part of code, or those that are assigned."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, kind)}


def heedless(node: ast.For) -> list[ast.stmt]:
    """Return the lines of a loop that do not use its items: they only test whether there are any."""
    its = names(node.target, ast.Store)
    its |= {name for line in node.body for name in names(line, ast.Store)}
    return [line for line in node.body if not its & names(line, ast.Load)]


def is_rest(node: ast.AST) -> bool:
    """Return whether it takes the rest of a sequence."""
    return isinstance(node, ast.Starred)


def is_size(node: ast.AST) -> bool:
    """Return whether it is a length or the number of seats."""
    match node:
        case ast.Call(func=ast.Name(id="len")) | ast.Attribute(attr="seats"):
            return True
        case _:
            return False


def names_bool(node: ast.Call) -> bool:
    """Return whether a call converts values to booleans."""
    return any(isinstance(part, ast.Name) and part.id == "bool" for part in (node.func, *node.args[:1]))


def is_own_field(node: ast.AST) -> bool:
    """Return whether it is a field of the event, which may be looked up in a table because it may also be matched."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "event"


def is_plain(node: ast.AST) -> bool:
    """Return whether it is a literal index, a slice, or a field of the event: none depends on the state."""
    return isinstance(node, ast.Constant | ast.Slice) or is_own_field(node)


def is_left_of_one(args: list[ast.expr]) -> bool:
    """Return whether the left neighbour is that of a written seat, or of its position in a tuple, at a table of
    fixed size."""
    match args:
        case [
            ast.Name() | ast.Attribute() | ast.Call(func=ast.Attribute(attr="index")),
            ast.Constant() | ast.Attribute(attr="seats"),
        ]:
            return True
        case _:
            return False


def is_code_of(node: ast.AST, code: CodeType) -> TypeGuard[ast.FunctionDef | ast.Lambda]:
    """Return whether a part of a module's code belongs to a function."""
    if isinstance(node, ast.Lambda):
        return (code.co_name, code.co_firstlineno) == ("<lambda>", node.lineno)
    if not isinstance(node, ast.FunctionDef) or node.name != code.co_name:
        return False
    return code.co_firstlineno in (node.lineno, *(one.lineno for one in node.decorator_list))


def constructors(cls: Any) -> list[Callable[..., Any]]:
    """Return the functions called when an object of one of our classes is created, including defaults of its fields.

    The code that `@dataclass` and `@value` generate only assigns, and is not in the file.
    """
    if not is_ours(cls):
        return []
    made = [getattr(cls, name, None) for name in CONSTRUCTING]
    made += [f.default_factory for f in getattr(cls, "__dataclass_fields__", {}).values()]
    written = ("<string>", values.__file__)
    return [one for one in made if isinstance(one, FunctionType) and one.__code__.co_filename not in written]


def is_ours(cls: Any) -> bool:
    """Return whether it is a class outside the standard library."""
    return isinstance(cls, type) and cls.__module__.split(".")[0] not in sys.stdlib_module_names


def method(cls: Any, name: str) -> Any:
    """Return the function of a method defined in one of our classes, or None; copying a state counts as a method."""
    if not is_ours(cls) or (issubclass(cls, Copied) and name == "copy"):
        return None
    found = vars(cls).get(name)
    found = getattr(found, "__func__", found)
    return found if isinstance(found, FunctionType) else None


def property_of(cls: Any, name: str) -> Any:
    """Return the property of a class if the class itself defines it by a function, or None."""
    found = vars(cls).get(name) if isinstance(cls, type) else None
    return found if isinstance(found, property) and isinstance(found.fget, FunctionType) else None


@cache
def parsed(module: ModuleType) -> tuple[ast.Module, frozenset[str]]:
    """Return the code of a module and its constants: its own, and those imported from outside the core."""
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
    """Return the module in a file."""
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
