"""Makes the app of the REST API, whose functions parse, authorise, call and present."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, current_app, request
from werkzeug.exceptions import NotFound
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import IntegerConverter

from api.http import cors, long_polling, page_security_headers, problems, request_ids
from api.http import rate_limits as limits
from api.http.app_state import AppState, app_state, store_app_state
from api.http.bounded_check import BoundedCheck
from api.http.change_poller import ChangePoller
from api.http.concurrency_limit import ConcurrencyLimit
from api.http.deprecations import announce_deprecations
from api.http.openapi_operations import JSON, operation_of
from api.http.path_prefix import PUBLIC_ADDRESS, PrefixedApp, prefix_of
from api.http.problems import UNREADY, Problem
from api.http.request_parsing import check_conditions
from api.http.responses import is_browser
from api.http.waiting_limits import WaitingLimits
from api.resources import health_routes
from api.resources.metric_routes import measure_requests
from api.route_table import ROUTES
from domain.core.clock import Time
from events import times
from events.garbage import few_collections
from events.proof.keys import key_ring
from events.service.context import Context
from events.service.worker_health import ServerLoad, read_server_load
from events.settings import Settings
from events.store.opening import open_store
from events.store.protocol import Store

if TYPE_CHECKING:
    from api.http.metrics import Metrics

RESOURCES: Final = "api.resources"
"""The package of the route modules."""

TEMPLATES: Final = Path(__file__).parent / "web"


def create_app(
    settings: Settings,
    *,
    store: Store | None = None,
    woken: Callable[[], None] = lambda: None,
    now: Callable[[], Time] = times.now,
    make_metrics: Callable[[Callable[[], ServerLoad]], "Metrics"] | None = None,
) -> Flask:
    """Make the app on the store that the settings name, or on an open one.

    `woken` is called after a commit that creates work for the server. Make the app after a fork, not before.
    `make_metrics` makes the metrics, if the server has any.
    """
    opened = store or open_store(settings.url, settings.dealt_connections)
    poller = ChangePoller(opened)
    waiting_limits = WaitingLimits(
        settings.dealt_max_waiters, settings.dealt_max_waiters_each, settings.dealt_max_waiters_without_token
    )
    verifying = ConcurrencyLimit(settings.dealt_max_verifications, settings.dealt_threads)
    audits = ConcurrencyLimit(settings.dealt_max_audits, settings.dealt_threads)
    app = app_with_routes()
    app.config["MAX_CONTENT_LENGTH"] = settings.dealt_max_body
    app.config[PUBLIC_ADDRESS] = settings.dealt_public_url.rstrip("/")
    context = Context(opened, now=now, woken=woken, bot_matches=settings.dealt_bot_matches)
    metrics = None
    if make_metrics:
        metrics = make_metrics(partial(read_server_load, context))
        measure_requests(app, metrics)
    readiness = BoundedCheck(partial(health_routes.check_readiness, context))
    state = AppState(
        settings, opened, context, poller, waiting_limits, verifying, audits, key_ring(settings), metrics, readiness
    )
    store_app_state(app, state)
    problems.answer_errors_as_problems(app)
    request_ids.add_request_ids(app)
    limits.limit_rates(app, settings)
    cors.allow_all_origins(app)
    app.before_request(_acceptable)
    app.before_request(check_conditions)
    app.before_request(_migrated(opened))
    app.before_request(_note_work)
    page_security_headers.add_security_headers(app)
    long_polling.answer_refused_streams(app)
    announce_deprecations(app)
    app.wsgi_app = PrefixedApp(app.wsgi_app, prefix_of(settings.dealt_public_url))  # type: ignore[method-assign]
    if n := settings.dealt_trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, n, n, n, x_prefix=n)  # type: ignore[method-assign]
    return app


def app_with_routes() -> Flask:
    """Make an app with only the routes, which contain the whole API description."""
    app = Flask("api", static_folder=None, template_folder=str(TEMPLATES))
    views = app.view_functions = ViewsOnUse()
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.strict_slashes = True
    app.url_map.redirect_defaults = False
    app.url_map.merge_slashes = False
    app.url_map.converters["int"] = Digits
    for method, path, view in ROUTES:
        app.add_url_rule(path, view, methods=[method])
    app.register_error_handler(NotFound, views.on_use("page_routes.missing_page"))
    app.add_template_global(views.on_use("page_routes.page_file_address"), "page_file")
    return app


def load_routes(app: Flask) -> None:
    """Import the modules of all routes, so that no later request waits for one."""
    with few_collections():
        for _, _, view in ROUTES:
            app.view_functions[view]


class ViewsOnUse(dict[str, Callable[..., Any]]):
    """The functions that answer, by their names in the route table. Each module is imported on first use."""

    def __missing__(self, name: str) -> Callable[..., Any]:
        module, _, function = name.partition(".")
        found: Callable[..., Any] = getattr(import_module(f"{RESOURCES}.{module}"), function)
        self[name] = found
        return found

    def on_use(self, name: str) -> Callable[..., Any]:
        """Return a function that looks up this one when it is called."""

        def call(*given: Any) -> Any:
            return self[name](*given)

        return call


class Digits(IntegerConverter):
    """Admits a whole number in a path, in the digits 0 to 9."""

    regex = "[0-9]{1,9}"


def _acceptable() -> None:
    """Refuse a request that accepts none of the operation's media types."""
    said = operation_of(current_app, request.endpoint)
    if said and said.leads_browsers and is_browser():
        return
    if request.path.startswith("/v1/") and not (said and said.any_form):
        forms = said.forms if said else (JSON,)
        if request.accept_mimetypes and request.accept_mimetypes.best_match(forms) is None:
            raise Problem("not_acceptable")


def _note_work() -> None:
    """End the outage of a freeze before the database is read. Requests without it never wait for it."""
    said = operation_of(current_app, request.endpoint)
    if said and said.needs_database and request.path.startswith("/v1/"):
        app_state().context.note_work()


def _migrated(store: Store) -> Callable[[], None]:
    """Refuse requests that need the database until it has answered with this version's schema."""
    seen = False

    def check() -> None:
        nonlocal seen
        said = None if seen else operation_of(current_app, request.endpoint)
        if said and said.needs_database and request.path.startswith("/v1/"):
            seen = store.schema_fits()
            if not seen:
                raise Problem("unavailable", UNREADY)

    return check
