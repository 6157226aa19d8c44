"""Parses the modules of an `evolve`, and says what the parts of their code are."""

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeGuard

from domain.core.values import Copied

CONSTRUCTING: Final = ("__new__", "__init__", "__post_init__")
"""The methods of a class that are called when one is made."""


def walked(node: ast.AST, *, hidden: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Walk through code, past types and assertions, which choose nothing.

    With each part comes whether it is in what stands for a part not shown.
    """
    if isinstance(node, ast.Assert):
        return
    yield node, hidden
    inside = [(part, hidden) for part in ast.iter_child_nodes(node)]
    match node:
        case ast.AnnAssign():
            inside = [(part, hidden) for part in (node.target, node.value) if part]
        case ast.Call(func=ast.Name(id="shown"), args=[seen, back]):
            inside = [(node.func, hidden), (seen, hidden), (back, True)]
    for part, below in inside:
        yield from walked(part, hidden=below)


def given_by_a_call(node: ast.AST) -> list[str]:
    """Give the name that is assigned what a call gives."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
            return [name]
        case (
            ast.AnnAssign(target=ast.Name(id=name), value=ast.Call())
            | ast.NamedExpr(target=ast.Name(id=name), value=ast.Call())
        ):
            return [name]
        case _:
            return []


def is_rest(node: ast.AST) -> bool:
    """Whether it takes the rest of a row."""
    return isinstance(node, ast.Starred)


def is_size(node: ast.AST) -> bool:
    """Whether it is the length of something, or the number of seats."""
    match node:
        case ast.Call(func=ast.Name(id="len")) | ast.Attribute(attr="seats"):
            return True
        case _:
            return False


def names_bool(node: ast.Call) -> bool:
    """Whether a call makes truths of values."""
    return any(isinstance(part, ast.Name) and part.id == "bool" for part in (node.func, *node.args[:1]))


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


def constructors(cls: Any) -> list[Callable[..., Any]]:
    """Give the functions that are called when a record of a class of ours is made, defaults of its fields among them.

    What `@dataclass` writes only assigns, and is not in the file.
    """
    if not is_ours(cls):
        return []
    made = [getattr(cls, name, None) for name in CONSTRUCTING]
    made += [f.default_factory for f in getattr(cls, "__dataclass_fields__", {}).values()]
    return [one for one in made if isinstance(one, FunctionType) and one.__code__.co_filename != "<string>"]


def is_ours(cls: Any) -> bool:
    """Whether it is a class that is not of the standard library."""
    return isinstance(cls, type) and cls.__module__.split(".")[0] not in sys.stdlib_module_names


def method(cls: Any, name: str) -> Any:
    """Give the function that is the method of a class of ours, if it is one of its own; a copy of a state is one."""
    if not is_ours(cls) or (issubclass(cls, Copied) and name == "copy"):
        return None
    found = vars(cls).get(name)
    found = getattr(found, "__func__", found)
    return found if isinstance(found, FunctionType) else None


def property_of(cls: Any, name: str) -> Any:
    """Give the property of a class, if it is one of its own that is read by a function."""
    found = vars(cls).get(name) if isinstance(cls, type) else None
    return found if isinstance(found, property) and isinstance(found.fget, FunctionType) else None


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
