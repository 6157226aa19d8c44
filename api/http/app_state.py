"""Holds what the views of one app share."""

from dataclasses import dataclass

from flask import Flask, current_app, request

from api.http.places import Places
from api.http.watch import Watch
from api.http.work_slots import WorkSlots
from events.proof.keys import KeyRing
from events.service.context import Context
from events.settings import Settings
from events.store.protocol import Store

_KEY = "dealt"


@dataclass(frozen=True, slots=True)
class AppState:
    """The state of an app is the service behind it, and the watch that its waiting requests share."""

    settings: Settings
    store: Store
    context: Context
    """The context that the functions of the service take."""
    watch: Watch
    places: Places
    """The places of requests that wait, and of streams."""
    verifying: WorkSlots
    """The slots for records that are being verified, by sender."""
    auditing: WorkSlots
    """The places for matches that are being audited."""
    keys: KeyRing
    """The keys that this server signs with."""


def put(app: Flask, here: AppState) -> None:
    """Make it known to the app's views."""
    app.extensions[_KEY] = here


def here() -> AppState:
    """Give what the app of the present request works with."""
    found: AppState = current_app.extensions[_KEY]
    return found


def public_address() -> str:
    """Give the address that others know the server by, without a stroke at its end."""
    return here().settings.dealt_public_url.rstrip("/") or request.url_root.rstrip("/")
