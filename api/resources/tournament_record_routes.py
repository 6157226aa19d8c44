"""Serves the record of a tournament: lines of JSON to keep and to verify, with the records of its matches if wanted."""

from typing import Final

RECORD_EXAMPLE: Final = (
    '{"format":"dealt-tournament/1","tournament":"evening","version":2,"head":"e91fed4cb3e5b588e0f7fb26d5'
    'c29563c4dc44509314128f11f58a1bfbd368e0"}\n'
    '{"v":1,"seq":1,"commit":1,"type":"TournamentAnnounced","at":"2026-11-23T10:00:00.000Z","data":{"name'
    '":"Evening","organiser":"olga","helpers":["hal"],"plan":{"format":"swiss","seats":2,"fewest":2,"legs'
    '":1,"cut":0,"advance":1,"fill":"bye","most":1024,"late":0,"show_up_seconds":900,"overdue":"lost"},"t'
    'erms":{"game":"any","options":{"pace":"slow"},"preset":null,"clock":{"per_decision_seconds":0,"bank_'
    'seconds":0,"on_expiry":"default_action","max_defaults":3,"kind":"simple","increment_seconds":0,"cap_'
    'seconds":0,"period_seconds":0,"periods":0,"period_moves":0,"minor_seconds":0,"grace_seconds":0,"days'
    '_off":[],"time_zone":"UTC","vacation":false},"best_of":3},"prizes":[],"closes":null,"entry":{"visibi'
    'lity":"public","by_invite":false}},"cause":"move","seals":{},"digest":"2dcb07af211eeae02d09bb9232477'
    '037a0ea16a88b2debd1eb8679378d88bbb5"}\n'
    '{"v":1,"seq":2,"commit":2,"type":"DrawsCommitted","at":"2026-11-23T10:00:00.000Z","data":{"commitmen'
    't":"3656df483b362fe5b181063322fa5e7f4d7fdc4d9f5f03bcefcfb360d4555546","links":61},"cause":"move","se'
    'als":{},"digest":"e91fed4cb3e5b588e0f7fb26d5c29563c4dc44509314128f11f58a1bfbd368e0"}\n'
)
"""The record of a tournament that takes entries."""
