"""Tests that deprecated operations are announced in their answers and in the description."""

from datetime import date

import pytest
from flask import Flask, Response

from api.http.deprecations import announce_deprecations
from api.http.openapi import describe_api
from api.http.openapi_operations import Deprecation, Operation, Reply


@pytest.fixture
def app():
    """Return an app with one deprecated operation and one that is not."""
    app = Flask(__name__)
    announce_deprecations(app)
    end = Deprecation(since=date(2027, 1, 1), sunset=date(2028, 1, 31), instead="Use `GET /v1/new`.")

    def operation(**more):
        return Operation(tag="service", searches=("a", "b"), access="public", replies={204: Reply("Done.")}, **more)

    @app.get("/v1/old")
    @operation(deprecated=end)
    def get_old():
        """Get the old thing.

        Returns nothing.
        """
        return Response(status=204)

    @app.get("/v1/new")
    @operation()
    def get_new():
        """Get the new thing.

        Returns nothing.
        """
        return Response(status=204)

    return app


def test_answer_of_a_deprecated_operation_has_both_dates(app):
    headers = app.test_client().get("/v1/old").headers
    assert headers["Deprecation"] == "@1798761600"
    assert headers["Sunset"] == "Mon, 31 Jan 2028 00:00:00 GMT"


@pytest.mark.parametrize("path", ["/v1/new", "/v1/none"])
def test_other_answers_have_no_dates(app, path):
    assert not {"Deprecation", "Sunset"} & {*app.test_client().get(path).headers.keys()}


def test_description_marks_a_deprecated_operation_and_names_its_replacement(app):
    paths = describe_api(app, games={})["paths"]
    old, new = (paths[f"/v1/{name}"]["get"] for name in ("old", "new"))
    assert old["deprecated"] is True
    assert old["description"].endswith(
        "Deprecated since 2027-01-01; can be removed from 2028-01-31 on. Use `GET /v1/new`."
    )
    assert "deprecated" not in new
