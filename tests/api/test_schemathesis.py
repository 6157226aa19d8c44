"""Tests the served app with generated requests: none may fail, and every answer must be described."""

import threading
from copy import deepcopy
from functools import cache
from itertools import cycle
from unittest.mock import patch

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)  # fmt: skip
from werkzeug.serving import make_server

from api.app import create_app
from events.proof.verifier import Unverifiable, arguments_of, report_on
from events.settings import Settings
from events.store.migrate import migrate
from events.store.opening import open_store
from tests.api.client import Client
from tests.api.description import METHODS, SPEC
from tests.api.driven import blocking
from tests.draws import draws, is_thorough
from tests.factories import StoredPlayer

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance, unsupported_method,
]  # fmt: skip
EXAMPLES = 1 + draws(1)

schemathesis.serializer.alias("application/toml", "text/plain")


class Served:
    """Return an app on a port, with a player in a lobby, in a running match and in a finished one."""

    def __init__(self, url):
        migrate(url)
        self.store = open_store(url)
        self.app = create_app(Settings(database_url=url), store=self.store)
        self.app.wsgi_app = blocking(self.app.wsgi_app, longest=0.02)
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        # It is made once, because Hypothesis parses sources too, and CPython 3.11 cannot do so in two threads at a
        # time.
        self.app.test_client().get("/openapi.yaml")
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.ada = self.player()
        lobby, playing, over = (
            self.ada.creates(invited=True),
            self.ada.creates(),
            self.ada.creates(open_table=True),
        )
        assert self.ada.delete(over.path).status_code == 204
        self.matches = cycle([lobby["id"], playing["id"], over["id"]])

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def player(self):
        made = StoredPlayer(store=self.store)
        return Client(self.app, made["token"], made["player_id"])

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.store.close()


def verified_here(sent, kept=(), keys=()):
    """Verify a record as the separate process does; starting a thousand of those would take many minutes."""
    answer = report_on(sent, arguments_of(kept, keys))
    if "unreadable" in answer:
        raise Unverifiable(answer["unreadable"])
    return answer


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    served = Served(f"sqlite:///{tmp_path_factory.mktemp('served') / 'dealt.sqlite3'}")
    with patch("api.resources.verify_routes.verify_file", verified_here):
        yield served
    served.close()


OPERATIONS = [
    f"{method.upper()} {path}" for path, ways in SPEC["paths"].items() for method in ways if method in METHODS
]
RANDOM = [HypothesisTestMode.FUZZING]
AT_LENGTH = [*RANDOM, HypothesisTestMode.EXAMPLES, HypothesisTestMode.COVERAGE] if is_thorough() else RANDOM
"""Use the examples of the description, and requests at every bound."""

TRIED_ELSEWHERE = {
    "POST /v1/records/verify": "tests/proof/test_record.py puts whatever there is into every place of a record",
    "POST /v1/deal-groups": "the options are those of a match",
    "POST /v1/matches/{match_id}/orders/dry-run": "the orders are those that are left",
}
"""Operations whose bodies other tests check at their limits, and where. Here each would take half a minute or more."""

LIMITS = hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(hypothesis.HealthCheck),
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],  # shrinking a request can take half an hour
)


@cache
def schema():
    """Parse the description as Schemathesis does, once: this takes long, and not every process of a run needs it."""
    return schemathesis.openapi.from_dict(deepcopy(SPEC))


def tried(label, modes, ask):
    """Send the requests that Schemathesis generates for an operation.

    Generating all takes minutes: with `schema.parametrize`, every process of a run would do so at collection.
    """
    method, path = label.split()
    config = HypothesisTestConfig(project=schema().config, modes=modes)
    create_test(operation=schema()[path][method], test_func=LIMITS(ask), config=config)()


@pytest.mark.parametrize("label", OPERATIONS)
def test_every_answer_matches_the_description(label, served):
    """If an address needs an id, it is the id of one of the caller's matches."""

    def ask(case):
        if "match_id" in case.path_parameters:
            case.path_parameters["match_id"] = next(served.matches)
        case.query.pop("fields", None)  # partial answers are not described
        once = case.operation.definition.raw["operationId"] in ("eraseMe", "renewToken", "cancelMatch")
        caller = served.player() if once else served.ada
        bearer = {"Authorization": f"Bearer {caller.token}"}
        case.call_and_validate(base_url=served.address, headers=bearer, checks=CHECKS)

    tried(label, RANDOM if label in TRIED_ELSEWHERE else AT_LENGTH, ask)


@pytest.mark.long
@pytest.mark.parametrize("label", [label for label in OPERATIONS if label != "POST /v1/matches"])
def test_schema_holds_for_anonymous_callers_and_missing_resources(label, served):
    def ask(case):
        case.query.pop("fields", None)
        case.call_and_validate(base_url=served.address, checks=CHECKS)

    tried(label, RANDOM, ask)
