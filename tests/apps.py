"""Lets all apps of a process have the same routes: to make these takes longer than most tests do."""

from collections.abc import Iterator
from copy import copy, deepcopy
from functools import cache

import pytest
from flask import Flask

from api import app as apps

OWN = ("error_handler_spec", "before_request_funcs", "after_request_funcs", "teardown_request_funcs")
"""What is registered with an app once it has its routes."""


@pytest.fixture(scope="session", autouse=True)
def _routes_are_made_once() -> Iterator[None]:
    """Let an app be a copy of one that has its routes."""
    made = cache(apps.app_with_routes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apps, "app_with_routes", lambda: like(made()))
        yield


def like(routed: Flask) -> Flask:
    """Copy an app that has its routes and nothing else, so far as another differs from it."""
    app = copy(routed)
    app.config, app.extensions = copy(app.config), {}
    for name in OWN:
        setattr(app, name, deepcopy(getattr(app, name)))
    return app
