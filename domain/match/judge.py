"""Checks a recorded match by applying the rules again (contract 7, check `rules`).

The command of a commit is read from its first events, checked as at that time, and carried out. The events must then
equal the recorded ones.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.choices import Ask
from domain.core.clock import DAY, Time, bad_clock
from domain.core.fault import Fault
from domain.core.game import AnyGame, Refused
from domain.core.options import misfit, misfits
from domain.core.values import is_same, with_fields
from domain.match import Chance, Match, RecordedEvent, Steps, seating
from domain.match.admit import OF_GROUPS, Admitted, Intent
from domain.match.clocks import TimeOut
from domain.match.creation import Common, DealGroup, DealKnown, MatchCreated
from domain.match.match_part import Source
from domain.match.match_parts import gather
from domain.match.move_signatures import sealed_cause, signature_of
from domain.match.move_texts import from_text
from domain.match.stakes import BringStacks, StacksArrived, are_played


def judge_creation(
    game: AnyGame, match_id: str, deeds: Sequence[RecordedEvent], at: Time, chance: Chance
) -> tuple[Match | None, Fault | None]:
    """Judge the first commit of a match: return the state after it and None, or None and the fault."""
    created = deeds[0].event
    if type(created) is not MatchCreated:
        return None, Fault(0, "A match begins with MatchCreated.")
    if wrong := _unsound(game, created):
        return None, Fault(0, wrong)
    m, noted = life.initial_match(game, match_id, created), _Noted(chance)
    if deeds[0].cause != "move":
        return None, Fault(0, "MatchCreated must have the cause move.")
    staked = _staked(deeds)
    if any(not are_played(m, bring.stakes) for _, bring in staked):
        return None, Fault(2, "These stacks are not possible in this match.")
    events = [deed.event for deed in deeds]
    said = events[2 + len(staked) :]
    sits, brought = seating.read_sits(game, said), seating.read_bots(game, created, said)
    for seat, _ in sits:
        if seat not in m.seats or created.seats[seat].kind == "bot":
            return None, Fault(seating.place_of_sitting(events, seat), f"No player can take seat {seat}.")
    players = [sit.player for _, sit in sits]
    # Players who bring stacks to a tournament table sit there from the start; otherwise only the creator does.
    most = m.common.seats_per_player or len(m.seats)
    if (max(map(players.count, players), default=0) if staked else len(sits)) > most:
        return None, Fault(seating.place_of_sitting(events, sits[-1][0]), "A player has too many seats.")
    if refused := [seat for seat, sit in sits if seating.entry_fault(m, seat, sit)]:
        return None, Fault(seating.place_of_sitting(events, refused[0]), "The rules refuse what a player brings.")
    if any(seating.entry_fault(m, seat, bring) for seat, bring in brought):
        return None, Fault(_place_of_bots(game, deeds), "The rules refuse what a bot brings.")
    if any((sit.nonce if m.common.nonce_commit else sit.nonce_hash) is not None for _, sit in sits):
        return None, Fault(0, "The nonce of the creation must fit the option `nonce_commit`.")
    if created.deal_known is not None and any(sit.nonce is not None for _, sit in sits):
        return None, Fault(0, "Known deals take no nonce.")
    return m, _compare_events(m, deeds, 1, life.creation_steps(m, [*staked, *sits, *brought], noted, at), noted)


def _staked(deeds: Sequence[RecordedEvent]) -> list[tuple[Seat, BringStacks]]:
    """Read the stacks with which a match is created, if any."""
    third = deeds[2].event if len(deeds) > 2 else None
    return [(0, BringStacks(third.stakes))] if type(third) is StacksArrived else []


def _place_of_bots(game: AnyGame, deeds: Sequence[RecordedEvent]) -> int:
    """Return the place of the last event with an entry; those of bots come last."""
    return max(i for i, deed in enumerate(deeds) if seating.is_entry(game, deed.event))


def judge(m: Match, deeds: Sequence[RecordedEvent], at: Time, chance: Chance, *, is_cut: bool = False) -> Fault | None:
    """Check a later commit, and assign its effects to `m`; return the fault, or None.

    With `is_cut`, these are only the first events of the commit: its whole command, and some of the automatic events.
    """
    if deeds[0].cause not in _SOURCES:
        return Fault(0, f"A commit cannot begin with the cause {deeds[0].cause}.")
    first = deeds[0].event
    signature = signature_of(first)
    given = _read_command(m, deeds) if signature is None else _as_signed(m, first)
    if given is None:
        return Fault(0, f"{type(first).__name__} must have a cause.")
    seat, command = given
    if seat not in m.seats:
        return Fault(0, f"There is no seat {seat}.")
    intent = Intent(_source(m, command, deeds), seat, command, signature)
    try:
        admitted, early = life.admit(m, intent, at), None
    except Refused as refused:
        if not _overdue_but_for_days_off(m, intent, at):
            return Fault(0, f"The rules refuse this: {refused.code}.")
        admitted, early = Admitted(seat, command, "timeout"), _zoned(m, 0)
    noted = _Noted(chance)
    happened = life.command_steps(m, admitted, noted, at)
    return _compare_events(m, deeds, 0, happened, noted, is_cut=is_cut) or early


_SOURCES: Final[Mapping[str, Source]] = {
    "move": "seat",
    "bot": "bot",
    "timeout": "time",
    "auto": "group",
    "operator": "operator",
}
"""The cause of a commit's first event decides which source the commit has."""


def _source(m: Match, command: Any, deeds: Sequence[RecordedEvent]) -> Source:
    """Return the source of a command: from the cause, except for groups and for orders, whose cause is sealed."""
    if m.created.deal_group is not None and type(command) in OF_GROUPS:
        return "group"
    by_order = deeds[0].cause == "move" and sealed_cause(deed.event for deed in deeds) == "order"
    return "order" if by_order else _SOURCES[deeds[0].cause]


def _overdue_but_for_days_off(m: Match, intent: Intent, at: Time) -> bool:
    """Return whether a seat's time is over if no days off are counted, because zone rules may have changed."""
    until = m.clocks.asked[intent.seat]
    if (intent.source, type(intent.command)) != ("time", TimeOut) or until is None:
        return False
    waited = intent.seat in life.to_act(m) and not m.by_bot[intent.seat]
    return _in_a_zone(m) and waited and until + 1000 * m.clock.grace_seconds <= at


class _Noted:
    """Answers of chance that record whether they were used."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.asked = False

    def commitment(self, epoch: int, links: int) -> str:
        self.asked = True
        return self._chance.commitment(epoch, links)

    def seed(self, epoch: int, links: int, link: int) -> str:
        self.asked = True
        return self._chance.seed(epoch, links, link)

    def hand_key(self, hand_no: int) -> bytes:
        return self._chance.hand_key(hand_no)

    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any:
        self.asked = True
        return self._chance.answer(ask, epoch, links, link, nonces)


def _compare_events(
    m: Match, deeds: Sequence[RecordedEvent], place: int, steps: Steps, noted: _Noted, *, is_cut: bool = False
) -> Fault | None:
    """Compare the recorded events from `place` on with the due ones, and apply these to the match."""
    doubt: Fault | None = None
    for events, cause in steps:
        for event in events:
            if place == len(deeds):
                return Fault(place - 1, f"{type(event).__name__} must follow and is missing.")
            if deeds[place].cause == cause and _by_its_zone(m, deeds[place].event, event):
                doubt, event = doubt or _zoned(m, place), deeds[place].event  # noqa: PLW2901 -- it is a fact
            elif not is_same(deeds[place].event, event) or deeds[place].cause != cause:
                drawn = noted.asked and type(deeds[place].event) is type(event) and deeds[place].cause == cause
                return Fault(place, _difference(deeds[place], RecordedEvent(event, cause)), drawn=drawn)
            life.evolve(m, event)
            place += 1
            if is_cut and place == len(deeds):
                return doubt
        noted.asked = False
    if place < len(deeds):
        return Fault(place, f"{type(deeds[place].event).__name__} does not follow from the move.")
    return doubt


_TIMES: Final = gather(lambda part: part.zoned)

_MOST_SHIFTED: Final = 8 * 1000 * DAY
"""A time may differ by at most this many milliseconds when the rules of its zone change.

Those rules change by hours, which may move a time across up to six days off.
"""


def _by_its_zone(m: Match, there: Any, due: Any) -> bool:
    """Return whether an event differs from the due one only by the rules of a time zone."""
    name = _TIMES.get(type(due))
    if name is None or not _in_a_zone(m) or type(there) is not type(due) or is_same(there, due):
        return False
    then, ours = getattr(there, name), getattr(due, name)
    shifted = None not in (then, ours) and abs(then - ours) <= _MOST_SHIFTED and then >= 0
    return shifted and is_same(with_fields(there, **{name: getattr(due, name)}), due)


def _in_a_zone(m: Match) -> bool:
    return bool(m.clock.days_off) and m.clock.time_zone != "UTC"


def _zoned(m: Match, place: int) -> Fault:
    zone = m.clock.time_zone
    return Fault(place, f"It does not follow from the rules of the time zone {zone} that are known here.", zoned=True)


def _difference(deed: RecordedEvent, due: RecordedEvent) -> str:
    """Describe the difference without naming a card: the readers of a report may not be allowed to see it."""
    there, wanted = type(deed.event).__name__, type(due.event).__name__
    if there != wanted:
        return f"{wanted} must be here, not {there}."
    if deed.cause != due.cause:
        return f"The cause of {wanted} must be {due.cause}, not {deed.cause}."
    return f"{wanted} is not what the rules give here."


def _unsound(game: AnyGame, created: MatchCreated) -> str | None:
    if len(created.seats) not in game.setup.seats:
        return f"{game.words.title} is not played by {len(created.seats)}."
    wrong = misfits(game.setup.options, created.options) + misfits(Common, created.options)
    wrong += misfit(created)
    if not wrong:
        wrong = [f"clock.{name}" for name in bad_clock(created.clock)]
    if not wrong:
        wrong = list(game.setup.bad_options(life.initial_match(game, "", created).options, len(created.seats)))
    if wrong:
        return f"The options do not allow this {', '.join(wrong)}."
    return _unshared(created.deal_group, created.deal_known)


def _unshared(group: DealGroup | None, known: DealKnown | None) -> str | None:
    if group is not None and (known is not None or not 0 <= group.table < group.tables or group.tables == 1):
        return "The group has no table with this number."
    if known is not None and (min(known.hand_no, known.deals.epoch, known.deals.link, known.deals.links) < 1):
        return "There are no such known deals."
    return None


# --- Which command a commit records ---------------------------------------------------------------------


def _read_command(m: Match, deeds: Sequence[RecordedEvent]) -> tuple[Seat, Any] | None:
    """Read the seat and the command of a commit from its first events."""
    first = deeds[0].event
    if seating.is_entry(m.game, first) or type(first) in seating.SITTING:
        return seating.read_sit(m, [deed.event for deed in takewhile(lambda deed: deed.cause == deeds[0].cause, deeds)])
    if read_command := _READ.get(type(first)):
        return read_command(m, first)
    found: tuple[Seat, Any] | None = m.game.answers.move_of(first)
    return found


def _as_signed(m: Match, signed: Any) -> tuple[Seat, Any] | None:
    """Read the command of a commit from the signed move; the recorded events must follow from it."""
    try:
        return signed.seat, from_text(m.game, signed.move)
    except ValueError:
        return None


_READ: Final = gather(lambda part: part.read_command)
