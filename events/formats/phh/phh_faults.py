"""Defines the faults of documents in the PHH format."""


class BadHandHistory(Exception):
    """The document cannot be imported. `action` counts from 0 and names the action at fault, if there is one."""

    def __init__(self, why: str, action: int | None = None) -> None:
        super().__init__(why)
        self.action = action


class UnsupportedHand(BadHandHistory):
    """The hand may be right, but it uses rules or a notation that are not known here."""
