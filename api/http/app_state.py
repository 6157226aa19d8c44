"""Holds what the views of one app share."""

from dataclasses import dataclass
from threading import BoundedSemaphore

from flask import Flask, current_app

from api.http.watch import Watch
from api.http.work_slots import WorkSlots
from events.service.context import Context
from events.service.matches import Matches
from events.settings import Settings
from events.store.protocol import Store

_KEY = "dealt"


@dataclass(frozen=True, slots=True)
class AppState:
    """The state of an app is the service behind it, and the watch that its waiting requests share."""

    settings: Settings
    store: Store
    matches: Matches
    watch: Watch
    verifying: WorkSlots  # for records that are being verified, by who has sent them
    auditing: BoundedSemaphore  # places for matches that are being audited

    @property
    def context(self) -> Context:
        """Give what the functions of the service take."""
        return self.matches.context


def put(app: Flask, here: AppState) -> None:
    """Make it known to the app's views."""
    app.extensions[_KEY] = here


def here() -> AppState:
    """Give what the app of the present request works with."""
    found: AppState = current_app.extensions[_KEY]
    return found
