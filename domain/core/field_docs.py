"""Reads the docstrings below the fields of a class, which describe the fields to clients."""

import ast
from collections.abc import Mapping
from functools import cache
from inspect import getsource
from itertools import pairwise
from sys import modules
from threading import Lock
from typing import Final, is_typeddict

_PARSING: Final = Lock()
"""The lock of the parsing thread: two that parse at the same time may get a `SystemError` of CPython 3.11."""


@cache
def field_docs(cls: type) -> Mapping[str, str]:
    """Return the docstrings of the fields that have one, by field name, those of the bases included.

    The result is empty for a class without a file, and for a class inside a function or another class.
    """
    return {name: text for base in reversed(cls.__mro__) for name, text in _own_docs(base).items()}


@cache
def _own_docs(cls: type) -> Mapping[str, str]:
    definition = _definition(cls)
    docs = {}
    for pair in pairwise(definition.body if definition else ()):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                docs[name] = " ".join(text.split())
    return docs


@cache
def key_docs(cls: type) -> Mapping[str, str]:
    """Return the docstrings of the keys of a `TypedDict` and of its bases, which the class itself does not keep."""
    definition = _definition(cls)
    names = [base.id for base in definition.bases if isinstance(base, ast.Name)] if definition else []
    bases = [getattr(modules[cls.__module__], name, None) for name in names]
    inherited = [key_docs(base) for base in bases if is_typeddict(base)]
    return {name: text for docs in (*inherited, _own_docs(cls)) for name, text in docs.items()}


def _definition(cls: type) -> ast.ClassDef | None:
    return _definitions(cls.__module__).get(cls.__qualname__)


@cache
def _definitions(module: str) -> Mapping[str, ast.ClassDef]:
    """Return the classes of a module by name. Each module is parsed once, because parsing is slow."""
    try:
        source = getsource(modules[module])
        with _PARSING:
            parsed = ast.parse(source)
    except (KeyError, OSError, SyntaxError, TypeError):
        return {}
    return {part.name: part for part in parsed.body if isinstance(part, ast.ClassDef)}
