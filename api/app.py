"""Makes the app of the REST API, whose functions parse, authorise, call and present."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from flask import Flask, current_app, request
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import IntegerConverter

from api.http import cors, long_polling, page_security_headers, problems, request_ids
from api.http import rate_limits as limits
from api.http.app_state import AppState, store_app_state
from api.http.bounded_check import BoundedCheck
from api.http.change_poller import ChangePoller
from api.http.concurrency_limit import ConcurrencyLimit
from api.http.openapi_operations import JSON, operation_of
from api.http.path_prefix import PUBLIC_ADDRESS, PrefixedApp, prefix_of
from api.http.problems import UNREADY, Problem
from api.http.request_metrics import measure_requests
from api.http.request_parsing import check_conditions
from api.http.responses import is_browser
from api.http.waiting_limits import WaitingLimits
from api.resources import (
    audit_routes,
    card_routes,
    chat_routes,
    collection_routes,
    crosstable_routes,
    deal_group_routes,
    deck_routes,
    delivery_routes,
    docs_routes,
    entry_routes,
    event_routes,
    expected_routes,
    feed_routes,
    game_routes,
    hand_history_routes,
    health_routes,
    inbox_routes,
    key_routes,
    mail_routes,
    match_routes,
    metric_routes,
    move_routes,
    note_routes,
    notice_routes,
    order_routes,
    organiser_routes,
    page_routes,
    player_routes,
    poker_routes,
    rating_routes,
    record_routes,
    recovery_routes,
    rematch_routes,
    replay_routes,
    round_routes,
    seat_routes,
    set_routes,
    standing_routes,
    token_routes,
    tournament_event_routes,
    tournament_format_routes,
    tournament_record_routes,
    tournament_routes,
    trade_routes,
    transparency_routes,
    vacation_routes,
    verify_routes,
    webhook_routes,
)
from domain.core.clock import Time
from events import times
from events.proof.keys import key_ring
from events.service.context import Context
from events.service.server_load import ServerLoad, read_server_load
from events.settings import Settings
from events.store.opening import open_store
from events.store.protocol import Store

if TYPE_CHECKING:
    from api.http.metrics import Metrics

BLUEPRINTS: Final = (
    player_routes.bp,
    expected_routes.bp,
    rating_routes.bp,
    token_routes.bp,
    recovery_routes.bp,
    vacation_routes.bp,
    game_routes.bp,
    hand_history_routes.bp,
    tournament_format_routes.bp,
    set_routes.bp,
    card_routes.bp,
    deck_routes.bp,
    collection_routes.bp,
    trade_routes.bp,
    match_routes.bp,
    deal_group_routes.bp,
    tournament_routes.bp,
    entry_routes.bp,
    organiser_routes.bp,
    standing_routes.bp,
    round_routes.bp,
    tournament_event_routes.bp,
    crosstable_routes.bp,
    tournament_record_routes.bp,
    seat_routes.bp,
    rematch_routes.bp,
    move_routes.bp,
    order_routes.bp,
    chat_routes.bp,
    note_routes.bp,
    event_routes.bp,
    replay_routes.bp,
    record_routes.bp,
    audit_routes.bp,
    verify_routes.bp,
    key_routes.bp,
    transparency_routes.bp,
    poker_routes.bp,
    inbox_routes.bp,
    notice_routes.bp,
    webhook_routes.bp,
    delivery_routes.bp,
    feed_routes.bp,
    mail_routes.bp,
    health_routes.bp,
    metric_routes.bp,
    docs_routes.bp,
    page_routes.bp,
)


def create_app(
    settings: Settings,
    *,
    store: Store | None = None,
    woken: Callable[[], None] = lambda: None,
    now: Callable[[], Time] = times.now,
    make_metrics: Callable[[Callable[[], ServerLoad]], "Metrics"] | None = None,
) -> Flask:
    """Make the app on the store that the settings name, or on one that is open already.

    `woken` is called after a commit that leaves the server something to do, now or later. Make the app after a fork,
    not before. `make_metrics` makes the measurements of a server that is measured.
    """
    opened = store or open_store(settings.url)
    poller = ChangePoller(opened)
    waiting_limits = WaitingLimits(
        settings.dealt_max_waiters, settings.dealt_max_waiters_each, settings.dealt_max_waiters_without_token
    )
    verifying = ConcurrencyLimit(settings.dealt_max_verifications)
    audits = ConcurrencyLimit(settings.dealt_max_audits)
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
    page_security_headers.add_security_headers(app)
    long_polling.answer_refused_streams(app)
    app.wsgi_app = PrefixedApp(app.wsgi_app, prefix_of(settings.dealt_public_url))  # type: ignore[method-assign]
    if n := settings.dealt_trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, n, n, n, x_prefix=n)  # type: ignore[method-assign]
    return app


def app_with_routes() -> Flask:
    """Make the app with its routes alone, which say all that is to be described of it."""
    app = Flask("api", static_folder=None)
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.strict_slashes = True
    app.url_map.redirect_defaults = False
    app.url_map.merge_slashes = False
    app.url_map.converters["int"] = Digits
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app


class Digits(IntegerConverter):
    """This converter admits a whole number in a path, in the digits 0 to 9."""

    regex = "[0-9]{1,9}"


def _acceptable() -> None:
    """Refuse a request whose answer it would not take."""
    said = operation_of(current_app, request.endpoint)
    if said and said.leads_browsers and is_browser():
        return
    if request.path.startswith("/v1/") and not (said and said.any_form):
        forms = said.forms if said else (JSON,)
        if request.accept_mimetypes and request.accept_mimetypes.best_match(forms) is None:
            raise Problem("not_acceptable")


def _migrated(store: Store) -> Callable[[], None]:
    """Refuse what needs the database until it has been seen to be there with this version's schema."""
    seen = False

    def check() -> None:
        nonlocal seen
        said = None if seen else operation_of(current_app, request.endpoint)
        if said and said.needs_database and request.path.startswith("/v1/"):
            seen = store.is_current()
            if not seen:
                raise Problem("unavailable", UNREADY)

    return check
