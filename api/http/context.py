"""What the views of one app share."""

from dataclasses import dataclass
from threading import BoundedSemaphore

from flask import Flask, current_app

from api.http.places import Places
from api.http.watch import Watch
from events.service.context import Context
from events.service.matches import Matches
from events.settings import Settings
from events.store.protocol import Store

_KEY = "dealt"


@dataclass(frozen=True, slots=True)
class Here:
    """The service behind the app, and whoever waits for news from it."""

    settings: Settings
    store: Store
    matches: Matches
    watch: Watch
    verifying: Places  # for records that are being verified, by who has sent them
    auditing: BoundedSemaphore  # places for matches that are being audited

    @property
    def context(self) -> Context:
        """What the functions of the service take."""
        return self.matches.context


def put(app: Flask, here: Here) -> None:
    """Make it known to the app's views."""
    app.extensions[_KEY] = here


def here() -> Here:
    """Give what the app of the present request works with."""
    found: Here = current_app.extensions[_KEY]
    return found
