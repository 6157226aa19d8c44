"""Audits any stream as it is stored: a match with `audit`, another by the row of its kind."""

from collections.abc import Sequence
from typing import Any, Final

from domain.core.fairness import Dealer
from domain.core.fault import Fault
from events.log.cache import fold_commits
from events.log.commits import read_events
from events.log.seals import NO_EVENT
from events.log.streams import Judge, StreamKind
from events.operations.as_stored import Kept, StoredLog, codes, secrets_of, stored_claims
from events.operations.audit import audit
from events.proof.checks import chain
from events.proof.findings import Finding, Report, bad, good, make_report, skip_check
from events.service.stream_kinds import KINDS
from events.store.protocol import Store
from events.store.records import MATCH, CommitRow, Head
from events.store.tables import stored_rows
from events.store.tables.stored_rows import Stored

AGREES: Final = "agreement"
"""The name of the check that compares a stream with related streams."""

DEALS: Final = "deals"
"""The name of the check that compares the shuffles of matches with the secrets of their tournament."""

Logs = dict[str, tuple[Head, list[CommitRow]]]


def audit_stream(store: Store, stream_id: str, kept: Kept = ()) -> Report | None:
    """Audit a stream of the store; None if there is none of this id."""
    kind = stored_rows.kind_of(store, stream_id)
    if kind is None:
        return None
    if kind == MATCH:
        return audit(store, stream_id, kept)
    if kind not in KINDS:
        return make_report(stream_id, None, 0, NO_EVENT, [bad("chain", 1, f"There is no kind of stream named {kind}.")])
    return _audit(store, KINDS[kind], stream_id, kept)


def _audit(store: Store, kind: StreamKind[Any], stream_id: str, kept: Kept) -> Report | None:
    others = MATCH if kind.partners is None else kind.name
    projections = (kind.tables, kind.key)
    read = stored_rows.read_with_others(
        store, stream_id, projections, others, lambda found: _involved_streams(kind, found)
    )
    if read is None:
        return None
    found, logs = read
    dealer, lost = secrets_of(found)
    log = StoredLog(found.commits, None)
    checks = [
        log.broken or chain.check_chain(stream_id, log.facts, stored_claims(found.head, kept)),
        _nothing_secret(found),
        codes(found, log.facts, dealer, lost),
        *_by_its_state(kind, found, logs),
        *_dealt(kind, found, logs, dealer),
    ]
    head = log.facts[-1].digest if log.facts else NO_EVENT
    return make_report(stream_id, None, len(log.facts), head, checks)


def _nothing_secret(found: Stored) -> Finding:
    for row in found.commits:
        if row.secrets is not None:
            return bad("seals", row.first, "The commit that begins here has secret parts, but no seals for them.")
    return good("seals", "There are no secret parts.")


# --- Checks against the state ------------------------------------------------------------------------------


def _state(kind: StreamKind[Any], found: Stored) -> Any:
    """Return the state of a stream; None if its log cannot be read."""
    try:
        return kind.fold(found.head, found.commits)
    except Exception:
        return None


def _involved_streams(kind: StreamKind[Any], found: Stored) -> Sequence[str]:
    state = _state(kind, found)
    if state is None:
        return ()
    return kind.matches(found.head, state) if kind.partners is None else kind.partners(_events(kind, found.commits))


def _events(kind: StreamKind[Any], rows: Sequence[CommitRow]) -> Sequence[Any]:
    return list(read_events(rows, kind.shapes, 0))


def _by_its_state(kind: StreamKind[Any], found: Stored, logs: Logs) -> list[Finding]:
    """Compare the projection and the related matches with the state of a stream."""
    state = _state(kind, found)
    if state is None or not found.commits:
        return [skip_check(name, "Parts of the log cannot be read.") for name in ("projections", AGREES)]
    checks = [_projections(kind, found, state), _agrees(kind, found, state, logs)]
    return checks if kind.judge is None else [*checks, _rules(kind, kind.judge, found)]


def _rules(kind: StreamKind[Any], judge: Judge, found: Stored) -> Finding:
    """Check every event by the rules again."""
    if fault := judge(found.head.match_id, _events(kind, found.commits)):
        return _failed_check("rules", fault)
    return good("rules", "Every event follows by the rules from the events before it.")


def _projections(kind: StreamKind[Any], found: Stored, state: Any) -> Finding:
    last = found.commits[-1].first
    if found.head.created_ms != found.commits[0].at_ms:
        return bad("projections", last, "The stored creation time of the stream is different.")
    if table := stored_rows.unlike_table(found.projections, kind.rows(found.head, state)):
        return bad("projections", last, f"The rows in {table} do not follow from the log.")
    return good("projections", "The projections follow from the log.")


def _agrees(kind: StreamKind[Any], found: Stored, state: Any, logs: Logs) -> Finding:
    last, what = found.commits[-1].first, "matches" if kind.partners is None else f"{kind.name}s"
    try:
        wrong = _differs(kind, found, state, logs)
    except Exception:
        return bad(AGREES, last, f"Some {what} involved cannot be read.")
    return _failed_check(AGREES, wrong) if wrong else good(AGREES, f"The {what} involved agree with it.")


def _dealt(kind: StreamKind[Any], found: Stored, logs: Logs, dealer: Dealer | None) -> list[Finding]:
    """Compare the shuffles of matches with the secrets of the stream that deals for them, if it does."""
    if kind.dealt is None or not found.commits:
        return []
    if dealer is None or _state(kind, found) is None:
        return [skip_check(DEALS, "The log or the secrets cannot be read.")]
    facts = {match_id: StoredLog(rows, None).facts for match_id, (_, rows) in logs.items()}
    try:
        wrong = kind.dealt(dealer.seal_secret, found.head, _events(kind, found.commits), facts)
    except Exception:  # stored data may be anything
        return [bad(DEALS, found.commits[-1].first, "Some shuffles of its matches cannot be read.")]
    return [
        _failed_check(DEALS, wrong) if wrong else good(DEALS, f"The shuffles of {len(facts)} matches follow from it.")
    ]


def _failed_check(check: str, fault: Fault) -> Finding:
    return bad(check, fault.place + 1, fault.why)


def _differs(kind: StreamKind[Any], found: Stored, state: Any, logs: Logs) -> Fault | None:
    """Return the event at which a stream contradicts another, and the reason."""
    if kind.partners is not None:
        others = {key: _events(kind, rows) for key, (_, rows) in logs.items()}
        return kind.one_sided(_events(kind, found.commits), others)
    why = kind.agrees(found.head, state, {key: fold_commits(head, rows) for key, (head, rows) in logs.items()})
    return Fault(found.commits[-1].first - 1, why) if why else None
