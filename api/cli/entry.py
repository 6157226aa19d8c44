"""Starts the command `dealt`: a start that is quick is most of a short outage."""

import gc
from typing import Final

from api.cli.bytecode import keep_bytecode

COLLECT_AFTER: Final = 100_000
"""A start makes hundreds of thousands of objects, all of which stay; to look at them often takes a fifth of it."""


def main() -> None:
    """Run the command of the arguments."""
    keep_bytecode()
    gc.set_threshold(COLLECT_AFTER)
    from api.cli.main import main as run

    run()
