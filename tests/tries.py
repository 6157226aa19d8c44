"""How often tests try what they draw at random: a little in every run, and as much as one likes by hand."""

import os
from typing import Final

THOROUGHLY: Final = int(os.environ.get("TEST_THOROUGHLY", "1"))


def tries(usual: int) -> int:
    """Give how many draws to try where `usual` are tried in a run of all tests."""
    return usual * THOROUGHLY
