"""Tests records of tournaments in both verifiers: valid ones pass, and both find every change alike."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict
from io import BytesIO
from itertools import permutations
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from domain.core.clock import Clock, read_time
from domain.core.event_versions import current_version
from domain.core.values import with_fields as changed_value
from domain.match.creation import TournamentTable
from domain.match.draws import AcceptDraw, OfferDraw
from domain.match.resignations import Resign
from domain.match.seating import Sit
from domain.tournament.entrants import BarPlayer, CloseEntries, Disqualify, Enter, LapseEntries, Withdraw
from domain.tournament.formats.arena import NOT_BEGUN, ComeBack, EndPairing, PairingEnded, Rest
from domain.tournament.organiser import InvitePlayers, TournamentCancelled
from domain.tournament.round_steps import TournamentEnded
from domain.tournament.round_tables import AdjudicateTable, FinishTable, ForfeitTable
from domain.tournament.rounds import Seating
from domain.tournament.table_deals import DealsDisclosed, deals_commitment
from domain.tournament.table_pairing import left_over
from domain.tournament.tournament_events import EVENTS
from domain.tournament.tournament_plan import EntryTerms, MatchTerms, PlacePrize, TournamentPlan
from domain.tournament.tournament_state import Tournament
from events.log.codec import shapes_of
from events.log.seals import NO_EVENT, digest
from events.proof import tournament_record
from events.proof.documents import verify_document
from events.proof.findings import Evidence
from events.proof.record import Unreadable
from events.times import write_time
from tests.draws import draws, is_thorough, seeded
from tests.proof.forger import relinked_wholly
from tests.proof.test_second_verifier import node, reports
from tests.recorded import NONCES, TWO, Recorded, cancelled, with_nonces
from tests.tampered import Path, changed, changed_to, places, without_option
from tests.tournament.evenings import DEALS, OF, ORGANISER, Evening
from tests.tournament.nights import Night, hands_played, many
from tests.tournament.prepared import PREPARED
from tests.tournament.test_arena import ARENA_STORY, ENDS
from tests.tournament.test_deciding_match import FOURS, THREES, played
from tests.tournament.test_duplicate import DUPLICATE_STORY, Duplicate
from tests.tournament.test_tournament import CANCELLED, MISSED, NIGHT, STORY

__all__ = ["node"]

Document = dict[str, Any]
"""A record of a tournament: `about` is its first line, then `events`, then `tables`."""


def written(events: list[Any], tables: list[Any] = ()) -> Document:  # type: ignore[assignment]
    """Return the record of a tournament with these matches and events, each event in its own commit."""
    if isinstance(events[-1], TournamentEnded | TournamentCancelled):
        events = [*events, DealsDisclosed(DEALS.hex())]
    shapes, begun = shapes_of(EVENTS), read_time("2026-11-23T10:00:00.000Z")
    over = next((seq for seq, event in enumerate(events, 1) if _is_end_of_arena(event)), len(events) + 1)
    items = [
        {"v": current_version(type(event)), "seq": seq, "commit": seq, "type": type(event).__name__}
        | {"at": write_time(begun if seq < over else ENDS)}
        | {"data": shapes[type(event).__name__].data(event), "cause": "move", "seals": {}, "digest": ""}
        for seq, event in enumerate(events, 1)
    ]
    about = {"format": tournament_record.FORMAT, "tournament": OF, "version": len(items), "head": ""}
    return linked(json.loads(json.dumps({"about": about, "events": items, "tables": list(tables)})))


def _is_end_of_arena(event: Any) -> bool:
    return isinstance(event, PairingEnded) or (isinstance(event, TournamentCancelled) and event.reason == NOT_BEGUN)


def linked(record: Document) -> Document:
    """Rechain the events of a record, as a server would after changing one of them."""
    before = NO_EVENT
    for event in record["events"]:
        hashed = {name: value for name, value in event.items() if name != "digest"}
        before = event["digest"] = digest(before, {**hashed, "match": record["about"]["tournament"]})
    record["about"]["head"] = before
    return record


def lines(record: Document) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in (record["about"], *record["events"], *record["tables"]))


def found(report: Document) -> Any:
    """Return the findings in which both verifiers must agree."""
    if "unreadable" in report:
        return "unreadable"
    checks = [(check["name"], check["ok"], check["skipped"], check["seq"]) for check in report["checks"]]
    return report["verdict"], report["match"], report["game"], report["version"], report["head"], checks


def ours(text: bytes, kept: Any = ()) -> Any:
    try:
        return found(asdict(verify_document(BytesIO(text), Evidence(kept))[1]))
    except Unreadable:
        return "unreadable"


def both(node: str, records: list[Document], added: Any = None) -> list[Any]:
    """Assert that both verifiers agree on these records, with their heads as kept heads; return our findings.

    Later versions of events have `added` these fields.
    """
    texts, heads = [lines(record) for record in records], [head_of(record) for record in records]
    mine = [ours(text, kept) for text, kept in zip(texts, heads, strict=True)]
    theirs = [found(report) for report in reports(node, list(zip(texts, heads, strict=True)), added=added)]
    assert [(i, a, b) for i, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b] == []
    return mine


def head_of(record: Document) -> list[tuple[int, str]]:
    """Return the head named by a record, as a kept head for the verifier."""
    version, head = record["about"].get("version"), record["about"].get("head")
    return [(version, head)] if type(version) is int and isinstance(head, str) else []


def happened(report: Any) -> bool:
    """Return whether everything follows from the events; records of matches may be missing."""
    return report != "unreadable" and all(ok and (not skips or name == "tables") for name, ok, skips, _ in report[-1])


# --- What has happened ------------------------------------------------------------------------------------------

PLANS = [
    TournamentPlan("swiss", 2, 2),
    TournamentPlan("swiss", 2, 2, fill="bots"),
    TournamentPlan("swiss", 2, 2, rounds=3, cut=4, late=2),
    TournamentPlan("swiss", 2, 2, rounds=9),
    TournamentPlan("round_robin", 2, 2, most=10),
    TournamentPlan("league", 2, 2, legs=2, most=10),
    TournamentPlan("single_elimination", 2, 2),
    TournamentPlan("double_elimination", 2, 2),
    TournamentPlan("double_elimination", 4, 2, advance=2, fill="bots"),
    TournamentPlan("double_elimination", 3, 2, fill="short"),
    TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots"),
    TournamentPlan("single_elimination", 3, 2, fill="short"),
    TournamentPlan("shoot_out", 4, 2, fill="short"),
    TournamentPlan("shoot_out", 3, 2, fill="bots"),
    TournamentPlan("swiss", 3, 2, fill="short"),
    TournamentPlan("swiss", 4, 3),
    TournamentPlan("swiss", 4, 4, rounds=5, fill="bots"),
    TournamentPlan("arena", 2, 2, ends=ENDS),
    TournamentPlan("arena", 3, 3, ends=ENDS),
    TournamentPlan("duplicate", 2, 2, rounds=5, fill="bots", better_score="low"),
    TournamentPlan("duplicate", 3, 3, fill="bots", better_score="high", teams="tables"),
    TournamentPlan("duplicate", 4, 4, fill="bots", better_score="high", teams="pairs"),
    TournamentPlan("duplicate", 6, 6, fill="bots", better_score="low", teams="pairs"),
]


COLOURS = ("reds", "blues", "greens", "whites", "blacks")


def lived(plan: TournamentPlan, entrants: int, rng: Random) -> list[Any]:
    """Play a tournament with random results, with draws, withdrawals and late entries."""
    one = Duplicate(plan)
    for n in range(entrants):
        colours = COLOURS[:4] if plan.teams == "tables" else COLOURS
        club = colours[n % len(colours)] if plan.teams else rng.choice((None, "reds", "blues"))
        one.told(Enter(f"player {n}", club, rng.choice(("", f"{n:016x}"))))
    one.told(CloseEntries(ORGANISER))
    while one.state.status == "playing":
        t = one.state
        table = rng.choice(one.waiting())
        seats = len(t.tables[table])
        ranks = [1] * seats if rng.random() < 0.2 else rng.sample(range(1, seats + 1), seats)
        if rng.random() < 0.2:
            ranks = [1 + sum(other < rank // 2 * 2 for other in ranks) for rank in ranks]
            ranks = [1 + sum(other < rank for other in ranks) for rank in ranks]
        if plan.format == "duplicate":
            one.scored(table, *ranks)
        else:
            one.finish(table, tuple(ranks), rng.choice((1, 3)))
        there = [who for who in t.order if who not in t.left]
        if one.state.status == "playing" and len(there) > 1 and rng.random() < 0.1:
            one.told(Withdraw(t.players[rng.choice(there)]))
        if one.state.status == "playing" and one.state.round <= plan.late and rng.random() < 0.3:
            one.told(Enter(f"late {len(one.events)}"))
        if plan.format == "arena" and not one.state.pairing_over:
            _in_arena(one, rng)
    return list(one.events)


def _in_arena(one: Evening, rng: Random) -> None:
    """Let a random player enter an arena late, rest or come back; its time ends at last."""
    t = one.state
    player = t.players[rng.choice([who for who in t.order if who not in t.left])]
    rests = t.resting.get(t.players.index(player), False)
    told = [Enter(f"late {len(one.events)}"), ComeBack(player) if rests else Rest(player)]
    if len(one.events) > 120 or not one.waiting():
        one.told(EndPairing())
    elif rng.random() < 0.3:
        one.told(rng.choice(told))
    if one.state.status == "playing" and not one.waiting():
        one.told(EndPairing())


def too_few() -> list[Any]:
    """Return a tournament with a single entrant, who enters and withdraws several times, until its time ends."""
    one = Evening(TournamentPlan("swiss", 2, 2, most=2), closes=read_time("2026-11-23T10:00:00.000Z"))
    for _ in range(3):
        one.told(Enter("player 0"))
        one.told(Withdraw("player 0"))
    one.told(CloseEntries(None))
    return list(one.events)


def half_played(legs: int) -> list[Any]:
    """Play a league in which an entrant leaves early, one misses two tables, and one leaves halfway."""
    one = Evening(TournamentPlan("league", 2, 2, legs=legs, most=8)).begun(7)
    one.told(Withdraw("player 1"))
    while not one.state.ended:
        t = one.state
        table = one.waiting()[0]
        before = sum(2 in each.seats for played in t.played for each in played.tables)
        if 2 in t.tables[table] and before in (0, 3 * legs):
            one.forfeit(table, 2)
        else:
            one.finish(table, (1, 2) if sum(t.tables[table]) % 3 else (2, 1))
        if t.round == 4 * legs and 6 not in one.state.left:
            one.told(Withdraw("player 6"))
    return list(one.events)


def barred() -> list[Any]:
    """Return a tournament whose winner is disqualified before the last table is over."""
    one = Evening(TournamentPlan("swiss", 2, 2, rounds=1), prizes=(PlacePrize(1, {}, "c-1"), PlacePrize(2, {}, "c-2")))
    one.begun(4).finish(0, (1, 2))
    one.told(Disqualify(ORGANISER, one.state.tables[0][0] or 0, "Two accounts."))
    one.finish(1, (1, 2))
    return list(one.events)


def barred_having_left() -> list[Any]:
    """Return a tournament with disqualified players who have left, wait, have waited or were invited."""
    one = Evening(TournamentPlan("swiss", 2, 2, rounds=2, most=4), prizes=(PlacePrize(1, {}, "c-1"),)).entered(7)
    one.told(InvitePlayers("hal", ("player 9",)))
    one.told(Withdraw("player 0"))
    one.told(Enter("player 0"))
    for bars in (
        Disqualify(ORGANISER, 0, "Waits again."),
        BarPlayer(ORGANISER, "player 6", "Waits."),
        BarPlayer(ORGANISER, "player 9", "Is invited."),
        CloseEntries(ORGANISER),
    ):
        one.told(bars)
    one.finish(0, (1, 2))
    one.told(Withdraw(one.state.players[one.state.tables[0][0] or 0]))
    one.finish(1, (1, 1))
    one.told(Disqualify(ORGANISER, one.state.played[0].tables[0].seats[0] or 0, "Has left."))
    one.finish(0, (1, 2))
    return list(one.events)


def never_begun() -> list[Any]:
    """Return an arena whose time was over before it began."""
    one = Evening(TournamentPlan("arena", 2, 2, ends=ENDS)).entered(4)
    one.told(EndPairing())
    return list(one.events)


BOTTED = TournamentPlan("swiss", 4, 4, rounds=3, fill="bots")
"""Return a Swiss in which one of nine entrants would play only with bots."""
SHORT = TournamentPlan("swiss", 5, 2, rounds=4, fill="short")
"""Return a Swiss of tables of five in which four of nine sit at a smaller one."""


def night_with_leavers(rng: Random) -> list[Any]:
    """Return a tournament of many tables that some entrants leave while they have chips."""
    plan = many(seats=rng.choice((3, 4, 6)), levels=rng.choice((None, "clock")))
    one = Night(plan, closes=read_time("2026-11-23T11:00:00.000Z")).begun(rng.randrange(2, 25))
    while one.state.status == "playing":
        table = rng.choice(one.waiting())
        one.ends(table, hands_played(one.state.stakes[table], rng))
        there = [who for who in one.state.order if who not in one.state.left]
        if one.state.status == "playing" and len(there) > 1 and rng.random() < 0.1:
            out = rng.choice(there)
            bars = Disqualify(ORGANISER, out, "Two accounts.")
            one.told(bars if rng.random() < 0.5 else Withdraw(one.state.players[out]))
    return list(one.events)


@pytest.mark.long
def test_both_verifiers_accept_tournaments_of_every_format(node: str) -> None:
    rng = Random(20261123)
    records = [
        written(lived(plan, entrants, rng))
        for plan in PLANS
        for entrants in ((2, 3, 4, 5, 7, 8, 9, 10) if is_thorough() else rng.sample((2, 3, 5, 7, 8), 2))
        if left_over(entrants, plan) < entrants and (plan.format != "duplicate" or entrants > plan.seats)
    ]
    # Everybody has met everybody, and the search at larger tables swaps at random.
    crowded = [(TournamentPlan("swiss", 2, 2, rounds=11), 10), (TournamentPlan("swiss", 4, 4, rounds=5), 16)]
    crowded += [(BOTTED, 9), (TournamentPlan("double_elimination", 5, 2, advance=2, fill="short"), 33)]
    records += [written(lived(plan, entrants, Random(0))) for plan, entrants in crowded]
    stories: list[list[Any]] = [
        STORY,
        MISSED,
        CANCELLED.events,
        too_few(),
        ARENA_STORY,
        DUPLICATE_STORY,
        never_begun(),
        *(Evening(plan).begun(9).play(Random(2)).events for plan in (BOTTED, SHORT)),
        barred(),
        barred_having_left(),
        half_played(1),
        half_played(2),
        NIGHT,
        PREPARED,
    ]
    stories += [night_with_leavers(Random(seed)) for seed in range(1, 1 + draws(3))]
    reports_ = both(node, [*records, *map(written, stories)])
    assert all(map(happened, reports_))


# --- What was changed -------------------------------------------------------------------------------------------


STORIES = {
    name: written(story)
    for name, story in {
        "story": STORY,
        "missed": MISSED,
        "cancelled": CANCELLED.events,
        "arena": ARENA_STORY,
        "night": NIGHT,
        "duplicate": DUPLICATE_STORY,
        "prepared": PREPARED,
        "barred": barred_having_left(),
    }.items()
}
SCORED = "duplicate"
OTHERS_OF = {int: [-1, 0, True, None, "7"], str: ["", None, 7]}
"""Replacements for values of each type."""

Change = tuple[str, Path, str]
"""A sample tournament, a place in its record, and the change made there."""


def kind_of(story: str, path: Path, how: str) -> Any:
    """Return the type of event, the field without list positions, and the kind of change."""
    where = STORIES[story]["events"][path[1]]["type"] if path[0] == "events" and len(path) > 1 else "about"
    return where, tuple(name for name in path if isinstance(name, str)), how


def changes() -> dict[Any, list[Change]]:
    """Return all possible changes of the samples, by kind; without its format, a document is not a record of a
    tournament."""
    found_: dict[Any, list[Change]] = {}
    for story, record in STORIES.items():
        for path, how in places(record):
            if len(path) > 1 and path != ("about", "format"):
                found_.setdefault(kind_of(story, path, how), []).append((story, path, how))
    return found_


def test_tournaments_cover_every_event_with_every_field() -> None:
    seen = {(where, names[2]) for where, names, _ in changes() if names[:2] == ("events", "data") and len(names) > 2}
    fields = {(name, field) for name, shape in shapes_of(EVENTS).items() for _, field, _ in shape.public}
    assert fields - seen == set()


def test_both_verifiers_check_entries_against_the_announcement(node: str) -> None:
    one = Evening(TournamentPlan("swiss", 2, 2, most=2, late=1), entry=EntryTerms(least_reliability=90))
    for player in ("ann", "ben", "cem", "dan"):
        one.told(Enter(player, reliability=90))
    record = written(one.begun(0).events)
    kinds = [event["type"] for event in record["events"]]
    first_waits = kinds.index("PlayerWaits")
    in_time, waiting, entry = (("events", at, "data", "reliability") for at in (2, first_waits, first_waits + 1))
    plan, bounds = ("events", 0, "data", "plan"), ("events", 0, "data", "entry")
    changes = [
        (record, None),
        (linked(changed_to(record, in_time, 89)), 3),
        (linked(changed_to(record, waiting, None)), first_waits + 1),
        (linked(changed_to(record, entry, 89)), first_waits + 2),
        (linked(changed_to(record, plan, at(record, plan) | {"most_waiting": 2})), None),
        (linked(changed_to(record, plan, at(record, plan) | {"most_waiting": 1})), first_waits + 2),
        (linked(changed_to(record, plan, at(record, plan) | {"most_waiting": 1025})), 1),
        (linked(changed_to(record, bounds, at(record, bounds) | {"least_reliability": 91})), 3),
    ]
    found_alike = both(node, [changed for changed, _ in changes])
    seqs = [next(seq for name, _, _, seq in checks if name == "rules") for *_, checks in found_alike]
    assert seqs == [seq for _, seq in changes]


def test_both_verifiers_check_disqualifications(node: str) -> None:
    record = written(barred_having_left())
    kinds = [event["type"] for event in record["events"]]
    first, last = kinds.index("PlayerDisqualified"), len(kinds) - kinds[::-1].index("PlayerDisqualified") - 1
    without = deepcopy(record)
    del without["events"][first + 1]  # that the player waits no longer
    for seq, event in enumerate(without["events"], 1):
        event["seq"] = event["commit"] = seq
    without["about"]["version"] -= 1
    found_alike = both(
        node,
        [
            linked(without),
            linked(changed_to(record, ("events", last, "data", "after"), 2)),
            linked(changed_to(record, ("events", first + 2, "data", "player"), "nobody")),
        ],
    )
    seqs = [next(seq for name, _, _, seq in checks if name == "rules") for *_, checks in found_alike]
    assert seqs == [first + 2, last + 1, first + 3]


def test_both_verifiers_find_impossible_tournaments(node: str) -> None:
    plans = {
        name: written(Evening(plan).events)
        for name, plan in {
            "four": TournamentPlan("swiss", 4, 4),
            "short": TournamentPlan("swiss", 4, 3, fill="short"),
            "bots": TournamentPlan("swiss", 4, 4, fill="bots"),
            "each": TournamentPlan("duplicate", 4, 4, fill="bots", better_score="low"),
            "pairs": TournamentPlan("duplicate", 4, 4, fill="bots", better_score="low", teams="pairs"),
            "teams": TournamentPlan("duplicate", 4, 4, fill="bots", better_score="low", teams="tables"),
        }.items()
    }
    plan, entry = (("events", 0, "data", name) for name in ("plan", "entry"))
    cases: list[Any] = [(plans[name], {"most": most}, {}) for name in plans for most in (2, 3, 4, 5)]
    bounds = [(900, 100), (901, 900), (900, 900), (900, None), (None, 100)]
    cases += [
        (plans["four"], {}, {k: v for k, v in zip(("least_rating", "most_rating"), two, strict=True) if v is not None})
        for two in bounds
    ]
    made = [
        changed_to(changed_to(record, plan, at(record, plan) | of_plan), entry, at(record, entry) | of_entry)
        for record, of_plan, of_entry in cases
    ]
    today = both(node, [linked(record) for record in made])
    assert [happened(report) for report in today] == [
        *(most >= least for least in (4, 3, 2, 5, 3, 2) for most in (2, 3, 4, 5)),
        *(False, False, True, True, True),
    ]


@pytest.mark.long
def test_both_verifiers_report_the_same_fault_for_every_changed_field(node: str) -> None:
    """A random change of each kind is made, and a value of another type or without a player."""
    rng, each = seeded(), draws(1)
    drawn = [one for those in changes().values() for one in rng.sample(those, min(each, len(those)))]
    made = [(one, relinked_at(one[1], changed(STORIES[one[0]], *one[1:]))) for one in drawn]
    for story, path, how in drawn:
        if how == "change" and path[2:3] == ("data",):
            value = at(STORIES[story], path)
            other = rng.choice([x for x in OTHERS_OF.get(type(value), [None, 0, [], [None]]) if x != value])
            made.append(((story, path, f"to {other!r}"), linked(changed_to(STORIES[story], path, other))))
    assert len(made) > 1000
    reports_ = both(node, [record for _, record in made])
    found_free([one for (one, _), report in zip(made, reports_, strict=True) if happened(report)])


def relinked_at(path: Path, made: Document) -> Document:
    """Rechain a record if data were changed; no server writes other changes, so they are left as they are."""
    return linked(made) if path[2:3] == ("data",) else made


def found_free(unnoticed: list[Change]) -> None:
    """Assert that an unnoticed change is only of a value with no consequences.

    If scores count, a ruled table is without a score, so its places may not change the standings. A tournament that was
    cancelled before any draw has no draw to check the commitment against.
    """
    for story, path, how in unnoticed:
        kind, _, _ = kind_of(story, path, how)
        if story == "cancelled" and kind == "DrawsCommitted" and path[3:] == ("commitment",):
            continue
        if story == SCORED and kind == "TableRuled" and path[3:5] == ("result", "places"):
            continue
        free = path[2] != "data" or path[3] in FREE | (WITH_RESULT | RESTED).get(kind, frozenset())
        assert free, (story, kind, path, how)


FREE = frozenset(
    {"name", "reason", "by", "player", "club", "nonce", "rating", "reliability", "helpers", "organiser"}
    | {"plan", "terms", "entry", "closes", "prizes", "players", "preparation"}
)
"""Fields that a server can state freely if no other event depends on them: names, reasons, and announced plans that
were never carried out.
"""

WITH_RESULT = dict.fromkeys(
    ("TableFinished", "TableDrawn"), frozenset({"match", "head", "result", "absent"})
) | dict.fromkeys(("TableForfeited", "TableAdjudicated", "PodFinished", "PodRepeated"), frozenset({"match", "head"}))
"""The end of a match and its absent entrants, which the match's record shows."""

RESTED = {"PlayerRested": frozenset({"entrant"})}
"""The resting entrant, which has no consequences once no round is paired any more."""


def at(x: Any, path: Path) -> Any:
    for key in path:
        x = x[key]
    return x


# --- Tables -----------------------------------------------------------------------------------------------------


def at_table(match: Document, players: tuple[str, ...]) -> Evening:
    """Begin a tournament of one table, at which these players sit in this order, for the game of a match."""
    plan, terms = TournamentPlan("swiss", len(players), 2, rounds=1), terms_of(match["match"])
    return drawn_so(players, lambda: Evening(plan, terms=terms), lambda t: t.tables[0])


def drawn_so(players: tuple[str, ...], make: Callable[[], Evening], there: Callable[[Tournament], Seating]) -> Evening:
    """Begin a tournament in which these players are in a place in this order, by letting them enter in another."""
    for order in permutations(players):
        one = make()
        for player in order:
            one.told(Enter(player))
        one.told(CloseEntries(ORGANISER))
        if tuple(one.state.players[who or 0] for who in there(one.state)) == players:
            return one
    raise AssertionError(players)


def terms_of(match: Document) -> MatchTerms:
    """Announce the settings that a match was played with."""
    clock = Clock(**match["clock"] | {"days_off": tuple(match["clock"]["days_off"])})
    return MatchTerms(match["game"], match["options"], match["preset"], clock, match["series"]["best_of"])


def finished() -> Document:
    """Return the record of a match that ann has won against ben."""
    return with_nonces(FIRST).record()


FIRST = TournamentTable(OF, 1, 0, 0)
"""Return the first table of the first round."""


def with_match() -> Document:
    """Return a tournament of two whose only match is in the record."""
    return finished_by(finished())


def finished_by(match: Document) -> Document:
    """Return a tournament of two that ended with a match, which is in the record."""
    one, about, won = at_table(match, ("ann", "ben")), match["match"], match["match"]["result"]
    winners = [event["data"]["winner"] for event in match["events"] if event["type"] == "GameWon"]
    played, drawn = len(winners), winners.count(None)
    wins = tuple(min(count, played - drawn) for count in won["wins"])
    one.told(FinishTable(1, 0, 0, about["id"], about["head"], tuple(won["places"]), wins, played, drawn))
    return written(one.events, [match])


def tables_of(report: Any) -> Any:
    """Return the findings of the check `tables`: whether it passes, was skipped, and at which event it fails."""
    return report[-1][2][1:]


def test_records_of_matches_show_how_tables_ended(node: str) -> None:
    record = with_match()
    (report,) = both(node, [record])
    assert report[0] == "verified"
    assert tables_of(report) == (True, False, None)


def test_verification_finds_deals_outside_the_tournaments_commitment(node: str) -> None:
    record = with_match()
    event = next(event for event in record["events"] if event["type"] == "DrawsCommitted")
    other = bytes(32)
    rebound = changed_to(record, ("events", event["seq"] - 1, "data", "deals"), deals_commitment(other))
    rebound = changed_to(rebound, ("events", len(rebound["events"]) - 1, "data", "seed"), other.hex())
    undisclosed = cut(record, len(record["events"]) - 1)
    unbound = changed_to(undisclosed, ("events", event["seq"] - 1, "data", "deals"), None)
    another = changed_to(record, ("events", len(record["events"]) - 1, "data", "seed"), other.hex())
    reports_ = both(node, [linked(rebound), undisclosed, linked(unbound), linked(another)])
    assert [(report[0], *tables_of(report)[:2]) for report in reports_] == [
        ("failed", False, False),
        ("unverifiable", True, True),
        ("unverifiable", True, True),
        ("failed", True, True),
    ]


def test_deals_of_every_epoch_follow_from_the_tournaments_secret(node: str) -> None:
    """A series has nine links; after eight draws, a table of a tournament begins the next epoch."""
    table = Recorded("crazy_eights", TWO, {"target_score": None}, best_of=3, of=FIRST)
    table.does(1, Sit("ben"))
    while table.match.shuffles.epoch == 1:
        table.does(0, OfferDraw())
        table.does(1, AcceptDraw())
    table.does(0, Sit("ann", nonce=NONCES[0]))
    table.does(1, Sit("ben", nonce=NONCES[1]))
    table.does(1, Resign(whole_match=True))
    match = table.record()
    assert [len(epoch["revealed"]) for epoch in match["fairness"]["epochs"]] == [8, 1]
    (report,) = both(node, [finished_by(match)])
    assert (report[0], tables_of(report)) == ("verified", (True, False, None))


def test_a_tournament_without_the_record_of_a_match_is_unverifiable(node: str) -> None:
    (report,) = both(node, [with_match() | {"tables": []}])
    assert report[0] == "unverifiable"
    assert tables_of(report) == (True, True, None)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("data", "head"), "00" * 32),
        (("data", "result", "places"), [2, 1]),
        (("data", "result", "wins"), [0, 0]),
        (("data", "result", "games"), 3),
    ],
)
def test_table_result_must_match_its_match(node: str, path: Path, value: Any) -> None:
    record = with_match()
    event = next(event for event in record["events"] if event["type"] == "TableFinished")
    made = changed_to(record, ("events", event["seq"] - 1, *path), value)
    # A different result leads to a different tournament with the same beginning.
    (report,) = both(node, [cut(made, event["seq"]) if path[-1] == "places" else linked(made)])
    if path[-1] != "places":
        assert tables_of(report) == (False, False, event["seq"])
    assert report[0] == "failed"


def cut(record: Document, count: int) -> Document:
    """Return the record with this many events."""
    return linked({**record, "about": record["about"] | {"version": count}, "events": record["events"][:count]})


def test_table_match_must_have_its_players_and_terms(node: str) -> None:
    record = with_match()
    others = [
        linked(changed_to(record, ("events", 2, "data", "player"), "zoe")),
        linked(changed_to(record, ("events", 0, "data", "terms", "game"), "hearts")),
        linked(changed_to(record, ("events", 0, "data", "terms", "preset"), "quick")),
        linked(changed_to(record, ("events", 0, "data", "terms", "clock", "bank_seconds"), 9)),
        linked(changed_to(record, ("events", 0, "data", "terms", "best_of"), 9)),
        linked(changed_to(record, ("events", 0, "data", "terms", "options"), {})),
    ]
    for report in both(node, others):
        assert (report[0], tables_of(report)[0]) == ("failed", False)


def test_invalid_match_record_is_reported_at_its_table(node: str) -> None:
    record = with_match()
    events = record["tables"][0]["events"]
    made = changed_to(record, ("tables", 0, "events", len(events) - 1, "data", "result", "places"), [2, 1])
    (report,) = both(node, [made])
    assert tables_of(report) == (False, False, seq_of(record, "TableFinished"))


def seq_of(record: Document, kind: str) -> int:
    return next(int(event["seq"]) for event in record["events"] if event["type"] == kind)


def test_forfeit_is_proved_by_a_match_with_no_shows(node: str) -> None:
    match = cancelled(FIRST).record()
    one = at_table(match, ("ann", "ben", "cem"))
    ann, ben, cem = one.state.tables[0]
    found_ = []
    for absent in ((ben,), (ann,), (ben, cem)):
        twin = at_table(match, ("ann", "ben", "cem"))
        twin.told(ForfeitTable(1, 0, 0, match["match"]["id"], match["match"]["head"], absent))
        found_.append(written(twin.events, [match]))
    assert [tables_of(report)[:2] for report in both(node, found_)] == [(True, False), (False, False), (False, False)]


def test_forfeited_match_seats_players_only_at_its_seats(node: str) -> None:
    """Its entries stay sealed, so no check of its rules gets that far."""
    match, found_ = cancelled(FIRST).record(), []
    at = next(i for i, event in enumerate(match["events"]) if event["type"] == "SeatTaken" and event["seq"] > 3)
    for seat in (None, "1", True, -1, 3):
        made = relinked_wholly(changed_to(match, ("events", at, "data", "seat"), seat))
        one = at_table(made, ("ann", "ben", "cem"))
        absent = one.state.tables[0][1:2]
        one.told(ForfeitTable(1, 0, 0, made["match"]["id"], made["match"]["head"], absent))
        found_.append(written(one.events, [made]))
    assert [tables_of(report)[:2] for report in both(node, found_)] == [(False, False)] * len(found_)


def test_played_match_is_not_a_forfeit(node: str) -> None:
    match = finished()
    one = at_table(match, ("ann", "ben"))
    one.told(ForfeitTable(1, 0, 0, match["match"]["id"], match["match"]["head"], one.state.tables[0]))
    (report,) = both(node, [written(one.events, [match])])
    assert tables_of(report) == (False, False, len(one.events) - 2)


def test_late_table_may_cite_any_version_of_its_match(node: str) -> None:
    match = finished()
    made = []
    for head in (match["events"][20]["digest"], match["match"]["head"], "00" * 32):
        one = at_table(match, ("ann", "ben"))
        one.told(AdjudicateTable(1, 0, 0, match["match"]["id"], head, one.state.tables[0][:1]))
        made.append(written(one.events, [match]))
    assert [tables_of(report)[:2] for report in both(node, made)] == [(True, False), (True, False), (False, False)]


@pytest.mark.parametrize("place", [{"id": "another"}, {"round": 2}, {"table": 1}, {"attempt": 1}])
def test_verification_finds_a_match_of_another_table(node: str, place: Document) -> None:
    match = with_nonces(changed_value(FIRST, **place)).record()
    one, about = at_table(match, ("ann", "ben")), match["match"]
    places, wins = tuple(about["result"]["places"]), tuple(about["result"]["wins"])
    one.told(FinishTable(1, 0, 0, about["id"], about["head"], places, wins, 1, 1 - sum(wins)))
    (report,) = both(node, [written(one.events, [match])])
    assert tables_of(report)[:2] == (False, False)


def decided(match: Document, told: tuple[int, ...], **announced: Any) -> Document:
    """Return a tournament of one table of three, two of whom were tied until the match of the record decided it."""
    plan, terms = (
        TournamentPlan("single_elimination", 3, 2, fill="short"),
        changed_value(terms_of(match["match"]), **announced),
    )
    one = drawn_so(("ann", "ben", "cem"), lambda: Evening(plan, terms=terms), lambda t: t.tables[0])
    one.finish(0, (3, 1, 1))
    about = match["match"]
    one.told(FinishTable(1, 0, 1, about["id"], about["head"], told, tuple(about["result"]["wins"]), 1, 0))
    return written(one.events, [match])


def deciding_match() -> Document:
    """Return the record of a match of three that was played because of a tie."""
    table = Recorded("crazy_eights", ("me", "open", "open"), {"target_score": 1}, of=TournamentTable(OF, 1, 0, 1))
    for seat, player in ((1, "ben"), (2, "cem")):
        table.does(seat, Sit(player))
    table.plays_on()
    return table.record()


def test_tie_break_match_is_one_game_with_the_deciding_options(node: str) -> None:
    match = deciding_match()
    options, places = match["match"]["options"], (2, 2, 1)
    records = [
        decided(match, places, options=options | {"target_score": 100}, best_of=3, deciding=options),
        decided(match, places, deciding=options | {"target_score": 2}),
        decided(match, places, best_of=3),
    ]
    assert [tables_of(report)[0] for report in both(node, records)] == [True, False, False]


def test_tournament_is_unverifiable_if_its_matches_lack_an_option(node: str) -> None:
    match, tie_break = without_option(finished(), "target_score"), without_option(deciding_match(), "target_score")
    whole, lacking = deciding_match()["match"]["options"], tie_break["match"]["options"]
    made = [finished_by(match), decided(tie_break, (2, 2, 1), options=whole, deciding=lacking)]
    assert [(report[0], *tables_of(report)[:2]) for report in both(node, made)] == [("unverifiable", True, True)] * 2
    others = [decided(tie_break, (2, 2, 1), deciding=whole), decided(deciding_match(), (2, 2, 1), deciding=lacking)]
    assert [(report[0], tables_of(report)[0]) for report in both(node, others)] == [("failed", False)] * 2


def test_deciding_match_orders_only_tied_entrants(node: str) -> None:
    match = deciding_match()
    assert match["match"]["result"]["places"] == [2, 2, 1]
    record = decided(match, (2, 2, 1))
    at_ = seq_of(record, "TableFinished")
    assert record["events"][at_ - 1]["data"]["result"]["places"] == [3, 2, 1]
    alone = changed_to(record, ("events", at_ - 1, "data", "result", "places"), [2, 2, 1])
    good, other, as_the_match = both(node, [record, decided(match, (2, 1, 3)), cut(alone, at_)])
    assert (happened(good), tables_of(good)[0]) == (True, True)
    assert (other[0], tables_of(other)) == ("failed", (False, False, at_))
    assert as_the_match[0] == "failed"


def test_tournaments_with_many_ties_are_verified(node: str) -> None:
    records = [written(played(plan, Random(n)).events) for plan in (FOURS, THREES) for n in range(draws(3))]
    assert all(map(happened, both(node, records)))


def test_match_that_belongs_to_no_table_fails_the_record(node: str) -> None:
    record = with_match()
    strange = linked(changed_to(record, ("events", seq_of(record, "TableFinished") - 1, "data", "match"), "m-2"))
    (report,) = both(node, [strange])
    assert tables_of(report) == (False, False, None)


def test_record_that_is_not_json_lines_is_refused(node: str) -> None:
    record = with_match()
    text = lines(record)
    once = text[: text.rindex(b"\n", 0, -1) + 1]
    wrong = {
        "a match twice": text + text[len(once) :],
        "an empty line": once + b"\n" + text[len(once) :],
        "cut within an event": text[: text.index(b"EntriesClosed")],
        "a field more": text.replace(b'{"v": 1, "seq": 2,', b'{"v": 1, "more": 0, "seq": 2,', 1),
        "a name twice": text.replace(b'{"v": 1, "seq": 2,', b'{"v": 1, "v": 1, "seq": 2,', 1),
        "no number": text.replace(b'"seq": 2,', b'"seq": 2.0,', 1),
        "too many events": text.replace(b'"version": ', b'"version": 10', 1),
        "none": text.replace(b'"version": ', b'"version": -', 1),
    }
    theirs = reports(node, [(each, ()) for each in wrong.values()])
    assert {name: ours(each) for name, each in wrong.items()} == dict.fromkeys(wrong, "unreadable")
    assert [set(report) for report in theirs] == [{"unreadable"}] * len(wrong)
    assert ours(text.removesuffix(b"\n")) == ours(text)


def test_fourth_entry_and_premature_cancellation_are_found(node: str) -> None:
    events = too_few()
    again = [*events[:-1], changed_value(events[2], entrant=3)]
    enough = Evening(TournamentPlan("swiss", 2, 2), closes=read_time("2026-11-23T10:00:00.000Z")).entered(2).events
    other = changed_value(events[-1], reason="We do not like you.")
    for report in both(node, list(map(written, (again, [*enough, events[-1]], [*events[:-1], other])))):
        assert report[0] == "failed"


def test_kept_head_is_compared() -> None:
    record = with_match()
    third = record["events"][2]["digest"]
    for kept, verdict in ((third, "verified"), ("00" * 32, "failed")):
        _, report = verify_document(BytesIO(lines(record)), Evidence([*head_of(record), (3, kept)]))
        assert report.verdict == verdict


def test_early_closing_of_entries_is_found(node: str) -> None:
    one = Evening(TournamentPlan("swiss", 2, 2), closes=read_time("2026-11-23T10:00:00.001Z")).entered(2)
    one.told(CloseEntries(None))
    early = written(one.events)
    late = written(one.events)
    late["events"][-1]["at"] = late["events"][-2]["at"] = "2026-11-23T10:00:00.001Z"
    first, second = both(node, [early, linked(late)])
    assert (first[0], happened(second)) == ("failed", True)


def test_entries_lapse_after_exactly_a_year(node: str) -> None:
    one = Evening(TournamentPlan("swiss", 2, 2)).entered(2)
    one.told(LapseEntries())
    records = []
    for at in ("2027-11-23T09:59:59.999Z", "2027-11-23T10:00:00.000Z", "one day"):
        record = written(one.events)
        for event in record["events"][-2:]:
            event["at"] = at
        records.append(linked(record))
    timed = written(one.events)
    timed["events"][0]["data"]["closes"] = "2027-11-23T10:00:00.000Z"
    for event in timed["events"][-2:]:
        event["at"] = "2027-11-23T10:00:00.000Z"
    early, right, *wrong = both(node, [*records, linked(timed)])
    assert happened(right)
    assert {early[0], *(each if isinstance(each, str) else each[0] for each in wrong)} <= {"failed", "unreadable"}


def test_arena_is_paired_only_until_its_end(node: str) -> None:
    right = written(ARENA_STORY)
    end = seq_of(right, "PairingEnded") - 1
    early, late = json.loads(json.dumps(right)), json.loads(json.dumps(right))
    early["events"][end]["at"] = right["events"][end - 1]["at"]
    paired = max(seq for seq, event in enumerate(right["events"]) if event["type"] == "TablesPaired")
    for event in late["events"][paired:end]:
        event["at"] = right["events"][end]["at"]
    found_ = both(node, [right, linked(early), linked(late)])
    assert [happened(report) for report in found_] == [True, False, False]


@pytest.mark.parametrize(
    ("tampered", "code", "says"), [(False, 0, "All checks passed."), (True, 1, "this record was altered")]
)
def test_verify_command_reads_a_file_or_standard_input(tmp_path: Any, tampered: bool, code: int, says: str) -> None:
    record = with_match()
    text, ((version, head),) = lines(record), head_of(record)
    text = text.replace(b"Evening", b"Morning") if tampered else text
    (tmp_path / "evening.ndjson").write_bytes(text)
    for arguments, sent in (([str(tmp_path / "evening.ndjson")], None), (["-"], text)):
        shown = CliRunner().invoke(main, ["verify", *arguments, "--head", f"{version}:{head}"], input=sent)
        assert shown.exit_code == code
        assert shown.output.startswith("tournament evening, 10 events")
        assert says in shown.output


def test_verify_command_refuses_a_truncated_record(tmp_path: Any) -> None:
    (tmp_path / "cut.ndjson").write_bytes(lines(with_match())[:-9])
    refused = CliRunner().invoke(main, ["verify", str(tmp_path / "cut.ndjson")])
    assert (refused.exit_code, "cannot be read" in refused.output) == (1, True)


@pytest.mark.long
def test_both_verifiers_end_a_long_pairing_search_at_the_same_swap(node: str) -> None:
    one = Evening(TournamentPlan("swiss", 10, 10, rounds=6)).begun(50).play(Random(3))
    (seen,) = both(node, [written(list(one.events))])
    assert [check[1] for check in seen[-1][:2]] == [True, True]
