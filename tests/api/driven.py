"""Serves an app to a test client as a plain function: a wait blocks the calling thread."""

from contextvars import Context
from threading import Event

from api.http.change_poller import Wait
from api.http.log_setup import REQUEST

LONGEST_SECONDS = 30.0


def blocking(wsgi_app, longest=LONGEST_SECONDS):
    """Wrap an app so that its waits block, for at most this many seconds."""

    def served(environ, start_response):
        answer = wsgi_app(environ, start_response)
        return Driven(answer, longest)

    return served


class Driven:
    """Yield the parts of an answer without the waits between them.

    Each part is made in a separate context, as in a server.
    """

    def __init__(self, answer, longest):
        self._answer, self._parts, self._longest = answer, iter(answer), longest

    def __iter__(self):
        return self

    def __next__(self):
        while isinstance(part := Context().run(self._part, REQUEST.get("")), Wait):
            woken = Event()
            part.begin(woken.set)
            woken.wait(min(part.seconds, self._longest))
            part.end()
        return part

    def _part(self, request):
        REQUEST.set(request)
        return next(self._parts)

    def close(self):
        if hasattr(self._answer, "close"):
            self._answer.close()
