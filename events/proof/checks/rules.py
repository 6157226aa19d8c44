"""Judges every commit of a match again, as far as its cards are known."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from typing import Any

from domain import match as life
from domain.core.fault import Fault
from domain.core.game_guard import GameFailed
from domain.core.options import misfit
from domain.games.catalogue import GAMES
from domain.match import Chance, Match, RecordedEvent
from domain.match.judge import judge, judge_creation
from events.log.codec import EVERYBODY, Shape, canonical, shapes
from events.proof.disclosed import Undisclosed
from events.proof.findings import Fact, Finding, bad, good, has_sealed_parts, seats_of, skip_check
from events.times import read_time


class Judged:
    """The outcome of judging every commit again, as far as its cards are known."""

    def __init__(self, skipped: str = "") -> None:
        self.skipped = skipped  # the reason why it cannot be judged here
        self.upto = 0  # the last event that was judged
        self.fault: Fault | None = None
        self.seq: int | None = None
        self.doubt: tuple[int, str] | None = None  # a time that may follow from an older rule of its time zone

    def run(self, match_id: str, game: str, facts: Sequence[Fact], chance: Chance) -> None:
        """Judge the commits in their order until one fails, or is not known whole."""
        if self.skipped:
            return
        rules, here = facts[0].data.get("rules"), life.rules_of(GAMES[game])
        if rules != here:
            self.skipped = f"The match was played by version {rules} of the rules, but version {here} is installed."
            return
        known, seats = shapes(game), seats_of(facts)
        newer = next((fact for fact in facts if fact.type in known and fact.v > known[fact.type].version), None)
        if newer is not None:
            self.skipped = f"Version {newer.v} of {newer.type} (event {newer.seq}) is not known here."
            return
        m: Match | None = None
        for first, commit in _commits(facts):
            shown = list(takewhile(lambda fact: not has_sealed_parts(fact), commit))
            is_cut = len(shown) < len(commit)
            if is_cut and (m is None or not _has_command(commit, len(shown))):
                return
            deeds: list[RecordedEvent] = []
            try:
                for fact in shown:
                    deeds.append(RecordedEvent(read_event(known, fact, seats), fact.cause))  # noqa: PERF401
                at = read_time(commit[0].at)
                if m is None:
                    m, self.fault = judge_creation(GAMES[game], match_id, deeds, at, chance)
                else:
                    self.fault = judge(m, deeds, at, chance, is_cut=is_cut)
            except Undisclosed:
                return
            except GameFailed as failed:
                self.fault = Fault(0, f"The events cannot be judged because the game has failed: {failed}.")
            except Exception:
                place = len(deeds) % len(shown)  # The unreadable event, or else the first of the commit.
                self.fault = Fault(place, "No server could have written this event.")
            if self.fault and self.fault.zoned:
                self.doubt = self.doubt or (first + self.fault.place, self.fault.why)
                self.fault = None
            if self.fault:
                self.seq = first + self.fault.place
                return
            self.upto = shown[-1].seq
            if is_cut:
                return


def _commits(facts: Sequence[Fact]) -> Iterator[tuple[int, list[Fact]]]:
    return ((first, list(commit)) for first, commit in groupby(facts, lambda fact: fact.commit))


def _has_command(commit: Sequence[Fact], length: int) -> bool:
    """Return whether the first events of a commit include its whole command: only automatic events follow it."""
    return commit[0].cause != "auto" and commit[length].cause == "auto"


def read_event(known: Mapping[str, Shape], fact: Fact, seats: int) -> Any:
    """Read an event with the parts that are open. It must be of its types, and written again be the same.

    Raises `ValueError`, or another error of reading, for an event that no server can have written.
    """
    shape = known[fact.type]
    data, parts = shape.upcast(fact.v, fact.data), fact.parts
    event = shape.event(data, seats, parts, EVERYBODY)
    again = shape.parts(event, seats)
    opened = {name: {reader: again[name][reader] for reader in part} for name, part in parts.items()}
    if misfit(event) or canonical([shape.data(event), opened]) != canonical([data, parts]):
        raise ValueError(fact.type)
    return event


def check_rules(facts: Sequence[Fact], judged: Judged, shuffles: Finding) -> Finding:
    """Return the result of judging; a fault from a wrong shuffle is reported with the shuffles."""
    if judged.skipped:
        return skip_check("rules", judged.skipped)
    reported = not shuffles.ok and (shuffles.seq or 0) <= (judged.seq or 0)
    if judged.fault and not (judged.fault.drawn and reported):
        return bad("rules", judged.seq, judged.fault.why)
    if judged.doubt:
        return skip_check("rules", f"Event {judged.doubt[0]}: {judged.doubt[1]} No other fault was found.")
    if judged.upto == len(facts):
        return good("rules", f"All {len(facts)} events follow from the moves by the rules.")
    if judged.fault:
        return skip_check(
            "rules", f"The events from {judged.seq} on were not checked: they follow from a wrong shuffle."
        )
    return skip_check(
        "rules",
        f"The events to {judged.upto} follow from the moves by the rules. The others depend on cards that are not"
        " disclosed: only the signer of the head vouches for them.",
        sealed=True,
    )
