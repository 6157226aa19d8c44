"""Carries out the rulings of the operator."""

from functools import partial
from typing import Final

from domain.core.game import Refused
from domain.match import Intent, Match
from domain.match.match_results import Annul, Cancel, Stop, can_stop
from events.log.cache import Loaded
from events.log.streams import Decision
from events.service.access import check_installed
from events.service.commands import decide_intent
from events.service.context import Context
from events.service.match_kind import MATCH_KIND
from events.service.names_in_texts import named_in
from events.service.stream_writer import execute

LONGEST_REASON: Final = 200
"""Maximum number of characters of the reason for voiding a match."""


def close_match(context: Context, match_id: str, reason: str) -> int:
    """Cancel an open lobby, stop a running match, or void a finished one; return its new version.

    Raises `NotFound`, `GameNotInstalled`, `Busy`. Raises `Refused` for a running table of a tournament or of a
    duplicate group, for a match that `annul_match` refuses, and for a reason that names a player.
    """
    state = context.loaded(match_id).state
    if state.status == "lobby":
        return execute(context, MATCH_KIND, match_id, partial(_cancel, context)).head.version
    return _rule(context, match_id, Annul(reason) if state.over else Stop(reason))


def _cancel(context: Context, loaded: Loaded) -> Decision[Match]:
    """Decide to cancel a lobby, as its creator can."""
    check_installed(loaded.state.game)
    return decide_intent(context, loaded, Intent("seat", 0, Cancel()))


def annul_match(context: Context, match_id: str, reason: str) -> int:
    """Void a finished match, so that its result no longer counts; return its new version.

    The result stays in its log. Raises `NotFound`, `GameNotInstalled`, `Busy`. Raises `Refused` for a match without a
    result, a voided or an imported one, and for a reason that names one of its players.
    """
    return _rule(context, match_id, Annul(reason))


def _rule(context: Context, match_id: str, ruling: Annul | Stop) -> int:
    """Carry out a ruling on a match, and return its new version."""

    def rules(loaded: Loaded) -> Decision[Match]:
        check_installed(loaded.state.game)
        if loaded.head.imported is not None:
            raise Refused("wrong_phase")
        if isinstance(ruling, Stop) and loaded.state.status == "playing" and not can_stop(loaded.state):
            raise Refused("wrong_phase", "A running table of a tournament or of a duplicate group cannot be stopped.")
        if name := named_in(context, ruling.reason, [player for player in loaded.state.players if player is not None]):
            raise Refused(
                "bad_arguments",
                f"The reason names {name}, and is kept even if the player is erased. Name the seat instead.",
            )
        return decide_intent(context, loaded, Intent("operator", 0, ruling))

    return execute(context, MATCH_KIND, match_id, rules).head.version
