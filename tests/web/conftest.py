"""Gives each module of page tests one stage for all its tests; a module may define its own."""

import pytest

from tests.web.stage import staged


@pytest.fixture(scope="module")
def stage(tmp_path_factory, chromium):
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        yield stage
