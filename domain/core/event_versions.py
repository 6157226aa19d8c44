"""Declares the fields that later versions of an event added. There is no other list of them.

An event class begins with version 1. Each later version only adds fields; any other change needs another type of event.
The upcasts of stored events, the checks of records and the schemas of the API use this declaration.
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
    """Return the fields that versions 2, 3, … of an event class added."""
    found: tuple[Added, ...] = vars(cls).get("later_versions", ())
    return found


def current_version(cls: type) -> int:
    """Return the version with which events of this class are written."""
    return 1 + len(later_versions(cls))
