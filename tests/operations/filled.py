"""Provides a database with two finished matches and a running one, played once for a file of tests."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from domain.core.clock import Clock
from events.service.worker_health import FOLLOWERS
from events.store import archive
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import checkpoint_rows
from tests.laws.games import OF
from tests.service.whole_matches import WholeMatch, resigns

EIGHTS = OF["crazy_eights"][1]


def short_match(store: Store, seed: str, *, over: bool) -> str:
    """Play a few moves of a match of two, and end it by resignation if it is `over`; return its id."""
    chosen = next(iter(EIGHTS.blocks.values()))[0]
    life = WholeMatch(
        store, EIGHTS, chosen, Random(seed), clock=Clock(per_decision_seconds=86_400), common={"on_resign": "end"},
        best_of=1, kinds=("me", *["open"] * (EIGHTS.seats - 1)), haste=True,
    )  # fmt: skip
    life.lived(8)
    if over:
        resigns(life)
    assert life.now.over == over
    return life.id


@pytest.fixture(scope="module")
def filled(shared_sqlite: Store, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return a file with two finished matches that all followers have read, before a running one, and their ids."""
    ids = [short_match(shared_sqlite, seed, over=True) for seed in ("one", "two")]
    short_match(shared_sqlite, "three", over=False)
    for name in FOLLOWERS:
        checkpoint_rows.save_position(shared_sqlite, name, shared_sqlite.end())
    path = tmp_path_factory.mktemp("filled") / "filled"
    (database,) = (row.file for row in shared_sqlite.read(text("PRAGMA database_list")) if row.name == "main")
    archive.write_archive(f"sqlite:///{database}", path)
    return path, ids


@pytest.fixture
def over(filled: tuple[Path, list[str]]) -> list[str]:
    """Return the ids of the finished matches."""
    return filled[1]


@pytest.fixture
def owner_url(url: str, filled: tuple[Path, list[str]], request: pytest.FixtureRequest) -> str:
    """Load the matches into a database; return the address of its owner."""
    if url.startswith("sqlite"):
        shutil.copyfile(filled[0], request.getfixturevalue("sqlite_path"))
        return url
    of_owner: str = request.getfixturevalue("database").owner_url
    archive.load_archive(filled[0], of_owner)
    return of_owner


@pytest.fixture
def store(owner_url: str, url: str) -> Iterator[Store]:
    """Return the store as the service opens it."""
    with closing(open_store(url)) as opened:
        yield opened


@pytest.fixture
def owned(owner_url: str) -> Iterator[Store]:
    """Return the store as its owner opens it."""
    with closing(open_store(owner_url)) as opened:
        yield opened
