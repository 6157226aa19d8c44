"""Databases as earlier states of the code made them."""

import pytest
from alembic import command

from events.store.migrate import migrate


def migrate_to(revision: str, owner_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrate an empty database to an earlier state."""
    upgrade = command.upgrade
    with monkeypatch.context() as earlier:
        earlier.setattr(command, "upgrade", lambda config, _: upgrade(config, revision))
        migrate(owner_url)
