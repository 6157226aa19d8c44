"""Gives each module of tests of the page one stage for all its tests; a module may have another of its own."""

import pytest

from tests.web.stage import staged


@pytest.fixture(scope="module")
def stage(tmp_path_factory, chromium):
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        yield stage
