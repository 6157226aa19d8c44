"""Verifies a match from its events only (contract 6, 7; docs/proof.md).

A match reaches this module as facts, one for each event, from a record or from the log, with the secret parts that the
verifier may see. No fact is trusted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Final

from domain.core.types import fields_of, key
from domain.games.catalogue import GAMES
from domain.match import Chance
from domain.match.creation import Common
from events.log.seals import NO_EVENT
from events.proof import receipts
from events.proof.checks import chain, logged, result, rules, sealed_parts, shuffles, signed_by, signed_moves
from events.proof.contributions import contributions
from events.proof.disclosed import Disclosed
from events.proof.findings import Claims, Fact, Report, attest, make_report
from events.proof.signed_heads import MATCH

UNINSTALLED: Final = "The game is not installed."


def verify_match(
    match_id: str, facts: Sequence[Fact], claims: Claims, chance: Chance | None = None, *, whole: bool = False
) -> Report:
    """Verify a match.

    `chance` holds the server's own secrets; without it, only disclosed ones are used. With `whole`, every secret part
    must be present, as in the log.
    """
    game = facts[0].data.get("game") if facts else None
    known = game if isinstance(game, str) and game in GAMES else None
    unknown = UNINSTALLED if known is None else _unclear_option(known, facts)
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


def _unclear_option(game: str, facts: Sequence[Fact]) -> str:
    """Return a sentence about the first option that is unknown here or missing; empty if there is none.

    An unknown option may change the rules and the deals. One that is null says nothing. A missing one has no value: the
    default is not in the record, and another version may have another.
    """
    known = [key(name) for cls in (Common, GAMES[game].setup.options) for name in fields_of(cls)]
    given = facts[0].data.get("options")
    chosen = given if isinstance(given, Mapping) else {}
    unknown = sorted(name for name, setting in chosen.items() if setting is not None and name not in known)
    if unknown:
        return f"The option {unknown[0]} is unknown here."
    missing = next((name for name in known if name not in chosen), None)
    return "" if missing is None else f"The record has no option {missing}."
