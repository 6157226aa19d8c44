"""Holds the shared state of an app's views."""

from typing import TYPE_CHECKING

from flask import Flask, current_app, request

from api.http.bounded_check import BoundedCheck
from api.http.change_poller import ChangePoller
from api.http.concurrency_limit import ConcurrencyLimit
from api.http.waiting_limits import WaitingLimits
from domain.core.values import value
from events.proof.keys import KeyRing
from events.service.context import Context
from events.service.worker_health import WorkerHealth
from events.settings import Settings
from events.store.protocol import Store

if TYPE_CHECKING:
    from api.http.metrics import Metrics

_KEY = "dealt"


@value
class AppState:
    """The service behind the app, and the poller of its waiting requests."""

    settings: Settings
    store: Store
    context: Context
    """The context that the functions of the service take."""
    poller: ChangePoller
    waiting_limits: WaitingLimits
    """The places of requests that wait, and of streams."""
    verifying: ConcurrencyLimit
    """The slots for records that are being verified, by sender."""
    auditing: ConcurrencyLimit
    """The places for matches that are being audited."""
    keys: KeyRing
    """The keys that this server signs with."""
    metrics: "Metrics | None"
    """The measurements of this process, if the server is measured."""
    readiness: BoundedCheck[WorkerHealth]
    """The check whose result `GET /readyz` answers."""


def store_app_state(app: Flask, here: AppState) -> None:
    """Make it known to the app's views."""
    app.extensions[_KEY] = here


def state_of(app: Flask) -> AppState | None:
    """Return what an app works with; None if it is another app than the product's."""
    found: AppState | None = app.extensions.get(_KEY)
    return found


def app_state() -> AppState:
    """Return the state of the current request's app."""
    found: AppState = current_app.extensions[_KEY]
    return found


def public_address() -> str:
    """Return the public address of the server, without a slash at its end."""
    return app_state().settings.dealt_public_url.rstrip("/") or request.url_root.rstrip("/")
