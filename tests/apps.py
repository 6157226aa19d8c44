"""Lets all apps of a process share their routes, since creating these takes longer than most tests."""

from collections.abc import Iterator
from copy import copy, deepcopy
from functools import cache

import pytest
from flask import Flask

from api import app as apps

OWN = ("error_handler_spec", "before_request_funcs", "after_request_funcs", "teardown_request_funcs")
"""Attributes of an app that are set once it has its routes."""


@pytest.fixture(scope="session", autouse=True)
def _routes_are_made_once() -> Iterator[None]:
    """Make an app a copy of one that has its routes."""
    made = cache(apps.app_with_routes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apps, "app_with_routes", lambda: like(made()))
        yield


def like(routed: Flask) -> Flask:
    """Copy an app with its routes, except for the parts in which it differs from another."""
    app = copy(routed)
    app.config, app.extensions = copy(app.config), {}
    for name in OWN:
        setattr(app, name, deepcopy(getattr(app, name)))
    return app
