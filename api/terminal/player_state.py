"""Stores what a player's own program must remember of matches, readable only by the user (XDG state directory)."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any


def state_folder() -> Path:
    """Return the directory of the stored data."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "state") / "dealt"


def write_document(path: Path, document: Any) -> None:
    """Write a document as JSON that only the player can read, in one step: no reader finds half of it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    draft.replace(path)


def read_document(path: Path) -> Any:
    """Return a document that was kept; None if it is missing or unreadable."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def append_lines(path: Path, documents: Sequence[Any]) -> None:
    """Append documents to a file that only the player can read, each as a line of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = "".join(json.dumps(document) + "\n" for document in documents)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def read_lines(path: Path) -> list[Any]:
    """Return the documents that were kept in a file as lines of JSON, up to the first line that cannot be read."""
    documents: list[Any] = []
    with suppress(OSError, ValueError), path.open(encoding="utf-8") as file:
        for line in file:
            documents.append(json.loads(line))  # noqa: PERF401 -- those before a damaged line stay
    return documents
