"""Makes the app of the REST API, whose functions parse, authorise, call and present."""

from collections.abc import Callable
from typing import Any, Final

from flask import Flask, current_app, request
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import IntegerConverter

from api.http import cors, problems, request_ids, waiting
from api.http import rate_limits as limits
from api.http.app_state import AppState, put
from api.http.openapi_operations import JSON, operation_of
from api.http.places import Places
from api.http.prefix import Prefixed, prefix_of
from api.http.problems import UNREADY, Problem
from api.http.watch import Watch
from api.http.work_slots import WorkSlots
from api.resources import (
    audit,
    chat,
    deal_groups,
    docs,
    events,
    feeds,
    games,
    health,
    inbox,
    keys,
    mail,
    matches,
    moves,
    notes,
    orders,
    players,
    poker,
    record,
    recovery,
    rematch,
    replay,
    seats,
    tokens,
    vacations,
    verify,
    webhooks,
)
from domain.core.clock import Time
from events import times
from events.proof.keys import key_ring
from events.service.context import Context
from events.settings import Settings
from events.store.opening import open_store
from events.store.protocol import Store

BLUEPRINTS: Final = (
    players.bp,
    tokens.bp,
    recovery.bp,
    vacations.bp,
    games.bp,
    matches.bp,
    deal_groups.bp,
    seats.bp,
    rematch.bp,
    moves.bp,
    orders.bp,
    chat.bp,
    notes.bp,
    events.bp,
    replay.bp,
    record.bp,
    audit.bp,
    verify.bp,
    keys.bp,
    poker.bp,
    inbox.bp,
    webhooks.bp,
    feeds.bp,
    mail.bp,
    health.bp,
    docs.bp,
)


def create_app(
    settings: Settings,
    *,
    store: Store | None = None,
    woken: Callable[[], None] = lambda: None,
    now: Callable[[], Time] = times.now,
) -> Flask:
    """Make the app on the store that the settings name, or on one that is open already.

    `woken` is called after a commit that leaves the server something to do, now or later. Make the app after a fork,
    not before.
    """
    opened = store or open_store(settings.url)
    watch = Watch(opened)
    places = Places(
        settings.dealt_max_waiters, settings.dealt_max_waiters_each, settings.dealt_max_waiters_without_token
    )
    verifying = WorkSlots(settings.dealt_max_verifications)
    audits = WorkSlots(settings.dealt_max_audits)
    app = routed()
    app.config["MAX_CONTENT_LENGTH"] = settings.dealt_max_body
    context = Context(opened, now=now, woken=woken, bot_matches=settings.dealt_bot_matches)
    put(app, AppState(settings, opened, context, watch, places, verifying, audits, key_ring(settings)))
    problems.install(app)
    request_ids.install(app)
    limits.install(app, settings)
    cors.install(app)
    app.before_request(_acceptable)
    app.before_request(_migrated(opened))
    app.after_request(_guarded)
    waiting.install(app)
    if prefix := prefix_of(settings.dealt_public_url):
        app.wsgi_app = Prefixed(app.wsgi_app, prefix)  # type: ignore[method-assign]
    if n := settings.dealt_trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, n, n, n, x_prefix=n)  # type: ignore[method-assign]
    return app


def routed() -> Flask:
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


def _guarded(response: Any) -> Any:
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
