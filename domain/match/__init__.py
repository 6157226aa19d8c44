"""Runs the life of a match around any game: lobby, nonces, the games of a series, clocks, resignation.

It has the shape that a game has: decide, consequences, evolve, legal. Its events are the first and last of every
stream (rules 1.5; contract 3). It is the one place where the rules meet what comes from outside: the time, handed
in as a number, and chance, handed in as a `Dealer`. It knows no game: the caller that opens a match hands its game in.
"""

from domain.match.admit import Admitted, Intent, admit, signs
from domain.match.course import Steps, beginning, create, play, sealing_hand, steps
from domain.match.events import LIFE, OF_NO_HAND
from domain.match.evolve import evolve, fold, folded, text
from domain.match.group import ready
from domain.match.legal import REQUESTS, also, asked, legal, requests
from domain.match.match_shuffles import MOST_LINKS, links_needed
from domain.match.seating import LOBBY
from domain.match.state import Chance, Happening, Match, Undo, disclosed, humans, opened, rules_of
from domain.match.status import (
    bots_alone,
    bots_to_act,
    collecting,
    decision,
    due,
    for_its_players,
    hashes_of,
    nonce_seconds,
    nonces_of,
    opens,
    overdue,
    own_limit,
    paused,
    running,
    sealed,
    settled,
    settled_at,
    to_act,
    waits,
)

__all__ = [
    "LIFE",
    "LOBBY",
    "MOST_LINKS",
    "OF_NO_HAND",
    "REQUESTS",
    "Admitted",
    "Chance",
    "Happening",
    "Intent",
    "Match",
    "Steps",
    "Undo",
    "admit",
    "also",
    "asked",
    "beginning",
    "bots_alone",
    "bots_to_act",
    "collecting",
    "create",
    "decision",
    "disclosed",
    "due",
    "evolve",
    "fold",
    "folded",
    "for_its_players",
    "hashes_of",
    "humans",
    "legal",
    "links_needed",
    "nonce_seconds",
    "nonces_of",
    "opened",
    "opens",
    "overdue",
    "own_limit",
    "paused",
    "play",
    "ready",
    "requests",
    "rules_of",
    "running",
    "sealed",
    "sealing_hand",
    "settled",
    "settled_at",
    "signs",
    "steps",
    "text",
    "to_act",
    "waits",
]
