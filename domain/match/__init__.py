"""Runs the life of a match around any game: lobby, nonces, the games of a series, clocks, resignation.

It has the same structure as a game: decide, consequences, evolve, legal. Its events are the first and last of every
stream (rules 1.5; contract 3). Only here do the rules get outside input: the time, as a number, and chance, as a
`Dealer`. The package knows no game: the caller supplies it.
"""

from domain.match.admit import Admitted, Intent, admit, signs
from domain.match.course import Steps, carry_out, command_steps, create_match, creation_steps, sealing_hand
from domain.match.evolve import describe_event, evolve, fold, fold_from_start
from domain.match.group import is_ready_to_begin
from domain.match.legal import legal, legal_answers, open_requests, other_legal_moves, prompt
from domain.match.match_parts import LIFE, OF_NO_HAND, OUTSIDE_PLAY
from domain.match.match_shuffles import MOST_LINKS, links_needed
from domain.match.seating import LOBBY
from domain.match.state import (
    REQUESTS,
    Chance,
    Match,
    RecordedEvent,
    Undo,
    disclosed_hands,
    humans,
    initial_match,
    rules_of,
)
from domain.match.status import (
    bots_alone,
    bots_to_act,
    can_open_deals,
    collects_nonces,
    decision,
    first_due_time,
    first_settling_time,
    game_time_limit,
    hashes_complete,
    hashes_of,
    is_for_its_players,
    is_paused,
    nonce_seconds,
    nonces_of,
    overdue_seats,
    running_clock,
    settling_time,
    to_act,
    waits_for_group,
)

__all__ = [
    "LIFE",
    "LOBBY",
    "MOST_LINKS",
    "OF_NO_HAND",
    "OUTSIDE_PLAY",
    "REQUESTS",
    "Admitted",
    "Chance",
    "Intent",
    "Match",
    "RecordedEvent",
    "Steps",
    "Undo",
    "admit",
    "bots_alone",
    "bots_to_act",
    "can_open_deals",
    "carry_out",
    "collects_nonces",
    "command_steps",
    "create_match",
    "creation_steps",
    "decision",
    "describe_event",
    "disclosed_hands",
    "evolve",
    "first_due_time",
    "first_settling_time",
    "fold",
    "fold_from_start",
    "game_time_limit",
    "hashes_complete",
    "hashes_of",
    "humans",
    "initial_match",
    "is_for_its_players",
    "is_paused",
    "is_ready_to_begin",
    "legal",
    "legal_answers",
    "links_needed",
    "nonce_seconds",
    "nonces_of",
    "open_requests",
    "other_legal_moves",
    "overdue_seats",
    "prompt",
    "rules_of",
    "running_clock",
    "sealing_hand",
    "settling_time",
    "signs",
    "to_act",
    "waits_for_group",
]
