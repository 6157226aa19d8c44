"""This package verifies a match from its events alone (contract 6, 7; docs/proof.md).

A match reaches this module as facts, one for each event, whether they come from a record or from the log, with the
secret parts that the verifier may see. Nothing that a fact says is trusted.
"""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Final

from domain.games.catalogue import GAMES
from domain.match import Chance
from events.log.seals import NO_EVENT
from events.proof import receipts
from events.proof.checks import chain, logged, result, rules, sealed_parts, shuffles, signed_by, signed_moves
from events.proof.contributions import contributions
from events.proof.disclosed import Disclosed
from events.proof.findings import Claims, Fact, Report, attest, make_report
from events.proof.signed_heads import MATCH
from events.proof.unknown_options import unknown_options

UNINSTALLED: Final = "The game is not installed."


def verify_match(
    match_id: str, facts: Sequence[Fact], claims: Claims, chance: Chance | None = None, *, whole: bool = False
) -> Report:
    """Verify a match.

    `chance` holds the server's own secrets; without, what was disclosed is used. `whole`: every secret part
    must be there, as in the log.
    """
    game = facts[0].data.get("game") if facts else None
    known = game if isinstance(game, str) and game in GAMES else None
    unknown = UNINSTALLED if known is None else _unknown_option(known, facts)
    rules_of_game = GAMES[known] if known and not unknown else None
    secrets = Disclosed(match_id, facts)
    judged = rules.Judged(unknown)
    if known:
        judged.run(match_id, known, facts, chance or secrets)
    shuffled = shuffles.check_shuffles(rules_of_game, facts, claims, secrets, chance, unknown)
    moved, signed_seats = signed_moves.check_signed_moves(match_id, facts, rules_of_game, unknown)
    signatures, signed = signed_by.check_signature(MATCH, match_id, facts, claims)
    in_log, witnessed = logged.check_log(claims)
    checks = [
        chain.check_chain(match_id, facts, claims),
        sealed_parts.check_seals(facts, rules_of_game, secrets, whole=whole),
        shuffled,
        rules.check_rules(facts, judged, shuffled),
        result.check_result(facts, claims),
        moved,
        signatures,
        *([in_log] if in_log else []),
        *receipts.checks(MATCH, match_id, facts, claims),
    ]
    head = facts[-1].digest if facts else NO_EVENT
    report = make_report(match_id, known, len(facts), head, checks, signed if signatures.ok else None)
    report.signed_seats = signed_seats
    found = contributions(facts)
    report.contributed, report.unopened, report.unvouched = map(list, astuple(found))
    return attest(report, witnessed=witnessed)


def _unknown_option(game: str, facts: Sequence[Fact]) -> str:
    """Return a sentence about the first option that is not known here; empty if all are known."""
    return next((f"The option {name} is unknown here." for name in unknown_options(game, facts)), "")
