"""This module carries out the rulings of the operator."""

from typing import Final

from domain.core.game import Refused
from domain.match import Intent
from domain.match.match_results import Annul
from events.errors import Busy, NotFound
from events.ids import is_id
from events.service.access import check_installed
from events.service.commands import carry_out_intent
from events.service.context import Context
from events.service.names_in_texts import named_in
from events.service.stream_writer import TRIES

LONGEST_REASON: Final = 200
"""The most characters of the reason for which a match is annulled."""


def annul_match(context: Context, match_id: str, reason: str) -> int:
    """Let a match that is over count for nothing; says at which version it then is.

    Its result stays in its log. Raises `NotFound`, `GameNotInstalled`, `Busy`; and `Refused` for a match that came to
    no result, is annulled already, or was played elsewhere, and for a reason that names a player of it.
    """
    for _ in range(TRIES):
        loaded = context.load(match_id) if is_id(match_id) else None
        if loaded is None:
            raise NotFound
        check_installed(loaded.state.game)
        if loaded.head.imported is not None:
            raise Refused("wrong_phase")
        if name := named_in(context, reason, [player for player in loaded.state.players if player is not None]):
            raise Refused(
                "bad_arguments", f"The reason names {name}, and stays when a player is erased; say which seat."
            )
        done = carry_out_intent(context, loaded, Intent("operator", 0, Annul(reason)))
        if done is not None:
            return done.version
    raise Busy
