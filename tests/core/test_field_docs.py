"""Tests reading field docstrings in several threads at the same time."""

import ast
from threading import Thread
from time import sleep

from domain.core import field_docs
from domain.core.clock import Clock
from domain.match.creation import Series
from domain.tournament.tournament_plan import TournamentPlan


def test_one_module_is_parsed_at_a_time(monkeypatch):
    """Threads that parse at the same time could both fail, because the interpreter counts recursion for all of them
    together."""
    parsing, most, parse = [], [], ast.parse

    def slowly(source):
        parsing.append(source)
        most.append(len(parsing))
        sleep(0.01)
        parsing.remove(source)
        return parse(source)

    field_docs._definitions.cache_clear()
    asking = [Thread(target=field_docs._definitions, args=(cls.__module__,)) for cls in ASKED]
    with monkeypatch.context() as patched:
        patched.setattr(field_docs.ast, "parse", slowly)
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
    assert most == [1] * len(ASKED)


ASKED = (Clock, Series, TournamentPlan)
