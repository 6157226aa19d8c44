"""Declares which fields later versions of an event added. No other list of them exists.

An event class is of version 1. Each later version adds fields and changes nothing else: what cannot be added is an
event of another type. The upcasts of stored events, the checks of records and the schemas of the API follow from here.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")

Added = Mapping[str, Any]
"""The fields that one version added, each with the JSON value that events of earlier versions get."""


def adds(*versions: Added) -> Callable[[type[T]], type[T]]:
    """Declare the fields that versions 2, 3, … of an event class added; a secret field is added with None."""

    def declare(cls: type[T]) -> type[T]:
        cls.later_versions = versions  # type: ignore[attr-defined]
        return cls

    return declare


def later_versions(cls: type) -> tuple[Added, ...]:
    """Return what versions 2, 3, … of an event class added."""
    found: tuple[Added, ...] = vars(cls).get("later_versions", ())
    return found


def current_version(cls: type) -> int:
    """Return the version with which events of this class are written."""
    return 1 + len(later_versions(cls))
