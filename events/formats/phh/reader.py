"""Reads hands of poker from documents in the PHH format, and checks their form.

It trusts nothing in them.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from domain.core.cards import BACK, Card, read_card
from domain.core.clock import Time
from domain.core.values import value
from events.formats.phh.chip_amounts import Unit
from events.formats.phh.phh_faults import BadHandHistory, UnsupportedHand
from events.formats.phh.writer import ANTES, BLINDS, GAMES, UNKNOWN
from events.proof.record import MOST_BYTES

MOST_HANDS: Final = 10_000
MOST_ACTIONS: Final = 1_000
STRUCTURES: Final = {code: structure for structure, code in ANTES.items()}


PLAIN: Final = Unit()
"""The default unit of a document: its amounts are chips."""


@value
class HandHistory:
    """A hand of a document. Seats are the players in their order; the last has the button."""

    game: str
    options: Mapping[str, Any]
    stacks: tuple[int, ...]
    small: int | None
    """The seat of the small blind; `big` is that of the big blind."""
    big: int | None
    actions: tuple[tuple[str, ...], ...]
    """The words of each action, without remarks."""
    unit: Unit
    """The unit of the amounts in actions."""
    players: tuple[str, ...]
    finishing: tuple[int, ...] | None
    winnings: tuple[int, ...] | None
    at: Time | None
    assumed: tuple[str, ...]
    """The assumptions about what the document leaves open, in sentences."""
    difference: str = ""
    """Why the stacks may differ from those of the original hand, in a sentence; usually empty."""


@value
class HandText:
    """A hand of a document, with the name of its table, which can be empty for the only hand.

    `fault` is the reason if it is not a hand history; otherwise empty.
    """

    name: str
    fields: Mapping[str, Any]
    fault: str = ""


def documents(text: bytes) -> list[HandText]:
    """Return the hands of a document, each possibly faulty. Raise `BadHandHistory` if the whole document is."""
    if len(text) > MOST_BYTES:
        raise BadHandHistory(f"A document has at most {MOST_BYTES} bytes.")
    try:
        whole = text.decode("utf-8-sig")  # Windows programs begin a file with a byte-order mark.
    except UnicodeDecodeError as error:
        raise BadHandHistory(f"This is not TOML, because it is not UTF-8: {error}.") from error
    try:
        found = _toml(whole)
    except BadHandHistory:
        hands = list(_each(whole))
        if all(hand.fault for hand in hands):
            raise
    else:
        if "variant" in found:
            return [HandText("", found)]
        hands = [_hand_text(name, fields) for name, fields in found.items()]
        if all(hand.fault for hand in hands):
            raise BadHandHistory("This is not a hand history: its hands have no `variant`.")
    if len(hands) > MOST_HANDS:
        raise BadHandHistory(f"A document has at most {MOST_HANDS} hands.")
    return hands


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadHandHistory(f"This is not TOML: {error}.") from error
    except (ValueError, ArithmeticError) as error:
        raise BadHandHistory("A number has too many digits.") from error


def _hand_text(name: str, fields: Any) -> HandText:
    if not isinstance(fields, dict) or "variant" not in fields:
        return HandText(name, {}, "It has no `variant`.")
    return HandText(name, fields)


HEADER: Final = re.compile(r"^\[ *([^\[\]\n]{1,80}?) *\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
LINE: Final = re.compile(r"at line ([0-9]+)")


def _each(text: str) -> Iterator[HandText]:
    """Read the tables of a document one by one, so that a fault in one does not affect the others."""
    headers = list(HEADER.finditer(text))[: MOST_HANDS + 1]
    ends = [*(header.start() for header in headers[1:]), len(text)][: len(headers)]
    before, counted = 0, 0
    for header, end in zip(headers, ends, strict=True):
        before, counted = before + text.count("\n", counted, header.start()), header.start()
        name = header[1].strip("\"'")
        try:
            (fields,) = _toml(text[header.start() : end]).values()
        except BadHandHistory as error:
            yield HandText(name, {}, _shifted(str(error), before))
        else:
            yield _hand_text(name, fields)


def _shifted(fault: str, lines: int) -> str:
    """Count the line of a fault from the beginning of the document; `lines` are before the table."""
    return LINE.sub(lambda at: f"at line {int(at[1]) + lines}", fault)


def read_hand(fields: Mapping[str, Any], unit: Unit = PLAIN) -> HandHistory:
    """Read one hand. Raises `BadHandHistory`."""
    variant = fields["variant"]
    stacks = _chips(fields, unit, "starting_stacks")
    n = len(stacks)
    game = GAMES.get(variant) if isinstance(variant, str) else None
    if game is None:
        raise UnsupportedHand(f"The variant {variant!r:.40} is not supported.")
    if n not in game.setup.seats:
        raise UnsupportedHand(f"The game is not available for {n} players.")
    if not all(stacks):
        raise BadHandHistory("A player has no chips at the start.")
    antes, blinds = _chips(fields, unit, "antes", n), _chips(fields, unit, "blinds_or_straddles", n, missing=(0,) * n)
    if n == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    small, big = _blinds(blinds) if variant == BLINDS else (None, None)
    if big is None:
        chosen = _with_antes(fields, unit, variant, antes, blinds)
    else:
        chosen = _with_blinds(fields, unit, antes, blinds, small, big)
    finishing, winnings = (
        _chips(fields, unit, name, n) if name in fields else None for name in ("finishing_stacks", "winnings")
    )
    at, assumed = read_time(fields)
    return HandHistory(
        game.name,
        {**chosen, "starting_stack": max(stacks)},
        stacks,
        small,
        big,
        tuple(_actions(fields)),
        unit,
        _players(fields, n),
        finishing,
        winnings,
        at,
        assumed,
        _ante_difference(fields, stacks, antes, blinds, big),
    )


def _chips(
    fields: Mapping[str, Any],
    unit: Unit,
    name: str,
    count: int | None = None,
    missing: Sequence[int] | None = None,
) -> tuple[int, ...]:
    row = fields.get(name, missing)
    if not isinstance(row, list | tuple) or (count is not None and len(row) != count):
        raise BadHandHistory(f"`{name}` must be a list with a number for each player.")
    return tuple(unit.chips(f"`{name}`", x) for x in row)


def _blinds(blinds: Sequence[int]) -> tuple[int | None, int]:
    """Return the seats of the small blind, if it is posted, and of the big one."""
    posted = [seat for seat, amount in enumerate(blinds) if amount]
    if len(blinds) == 2 and posted == [0, 1] and blinds[1] <= blinds[0]:
        return 1, 0
    if len(blinds) > 2 and posted == [0]:
        return None, 0
    if len(blinds) > 2 and posted == [0, 1] and blinds[0] <= blinds[1]:
        return 0, 1
    raise UnsupportedHand(
        "Only a small and a big blind are supported, or the big blind without a small one, and no straddles."
    )


def _with_blinds(
    fields: Mapping[str, Any], unit: Unit, antes: Sequence[int], blinds: Sequence[int], small: int | None, big: int
) -> dict[str, Any]:
    if unit.chips("`min_bet`", fields.get("min_bet")) > blinds[big]:
        raise UnsupportedHand("The minimum bet must equal the big blind.")
    each = len(set(antes)) == 1
    if not each and any(amount for seat, amount in enumerate(antes) if seat != big):
        raise UnsupportedHand("Antes must be equal for all, or posted only by the big blind.")
    return {
        "small_blind": 1 if small is None else blinds[small],
        "big_blind": blinds[big],
        "ante": antes[big],
        "ante_mode": "each" if each else "big_blind",
    }


def _with_antes(
    fields: Mapping[str, Any], unit: Unit, variant: str, antes: Sequence[int], blinds: Sequence[int]
) -> dict[str, Any]:
    if any(blinds) or len(set(antes)) != 1 or not antes[0]:
        title = GAMES[variant].words.title
        raise UnsupportedHand(f"{title} is played for antes here, the same for all, and without blinds.")
    names = ("min_bet",) if STRUCTURES[variant] == "no_limit" else ("small_bet", "big_bet")
    bets = {name: unit.chips(f"`{name}`", fields.get(name)) for name in names}
    if not all(bets.values()):
        raise BadHandHistory("A bet is one chip at least.")
    return {"structure": STRUCTURES[variant], "ante": antes[0], **bets}


def _ante_difference(
    fields: Mapping[str, Any], stacks: Sequence[int], antes: Sequence[int], blinds: Sequence[int], big: int | None
) -> str:
    """Return why antes may be divided differently here, in a sentence; empty if they are not."""
    trimmed = fields.get("ante_trimming_status", False)
    if not isinstance(trimmed, bool):
        raise BadHandHistory("`ante_trimming_status` is `true` or `false`.")
    if len(set(antes)) == 1:
        return SHORT_ANTES if not trimmed and min(stacks) < antes[0] else ""
    if trimmed:
        return RETURNED_ANTE
    return SHORT_BIG_BLIND if big is not None and stacks[big] < antes[big] + blinds[big] else ""


SHORT_ANTES: Final = (
    "A player cannot pay the whole ante, and wins only as much of the other antes here, as with"
    " `ante_trimming_status = true`."
)
RETURNED_ANTE: Final = (
    "The big blind's ante stays in the pot here, as with `ante_trimming_status = false`, and is not returned."
)
SHORT_BIG_BLIND: Final = "The big blind cannot post its blind and its ante, and posts the blind first here."


def _actions(fields: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    actions = fields.get("actions")
    if not isinstance(actions, list) or not all(isinstance(line, str) for line in actions):
        raise BadHandHistory("`actions` must be a list of texts.")
    if len(actions) > MOST_ACTIONS:
        raise BadHandHistory(f"A hand has at most {MOST_ACTIONS} actions.")
    for line in actions:
        words = line.split()
        yield tuple(words[: words.index("#")] if "#" in words else words)


def _players(fields: Mapping[str, Any], n: int) -> tuple[str, ...]:
    names = fields.get("players", [""] * n)
    if not isinstance(names, list) or len(names) != n or not all(isinstance(name, str) for name in names):
        raise BadHandHistory("`players` must be a list with a name for each player.")
    return tuple(names)


# --- Cards and players in actions -----------------------------------------------------------------------


def read_cards(text: str, action: int) -> tuple[Card, ...]:
    """Read cards as an action writes them. Raises `BadHandHistory`."""
    pairs = [text[i : i + 2] for i in range(0, len(text), 2)]
    try:
        row = tuple(BACK if pair == UNKNOWN else read_card(pair) for pair in pairs)
    except ValueError as error:
        raise BadHandHistory(f"{error}.", action) from error
    check_once(row, action)
    return row


def check_once(row: Sequence[Card], action: int) -> None:
    """Raise `BadHandHistory` if a card occurs twice."""
    if max(Counter(c for c in row if c != BACK).values(), default=1) > 1:
        raise BadHandHistory("A card appears twice.", action)


def player(word: str, seats: int, action: int) -> int:
    """Read the acting player. Raise `BadHandHistory`."""
    if word[:1] != "p" or not word[1:].isdecimal() or not 1 <= int(word[1:3]) <= seats or len(word) > 3:
        raise BadHandHistory(f"There is no player {word!r:.12}.", action)
    return int(word[1:]) - 1


ZONES: Final = {
    "UTC": "UTC",
    "GMT": "UTC",
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
}
"""The zones with daylight saving that an abbreviation names."""

OFFSETS: Final = {"EST": -5, "EDT": -4, "CDT": -5, "MDT": -6, "PDT": -7, "CET": 1, "CEST": 2, "EEST": 3}
"""The hours from UTC that an abbreviation names; those that several zones share, as IST, are left out."""

NOON: Final = time(12)
NO_DAY: Final = "The document has no date. The time of the import is used."
NO_TIME: Final = "The document has a date but no time. Noon is used."
TOO_EARLY: Final = "The hand was played before 1970. The time of the import is used."
CHANGED: Final = "The clocks changed at that time. The time before the change is used."


def read_time(fields: Mapping[str, Any]) -> tuple[Time | None, tuple[str, ...]]:
    """Return the time of the hand (None if unknown), and the assumptions about it in sentences.

    Raises `BadHandHistory`, `UnsupportedHand` if the zone is not known.
    """
    day = [fields.get(name) for name in ("year", "month", "day")]
    if None in day:
        return None, (NO_DAY,)
    at = fields.get("time", NOON)
    if not isinstance(at, time):
        raise BadHandHistory("`time` is written as in `time = 18:30:00`, without quotes.")
    try:
        local = datetime.combine(datetime(*day, tzinfo=UTC), at, _zone(fields))  # type: ignore[misc,arg-type]
        seconds = local.timestamp()
    except (TypeError, ValueError, OverflowError) as error:
        raise BadHandHistory(f"There is no day {'-'.join(map(str, day))[:40]}.") from error
    if seconds < 0:
        return None, (TOO_EARLY,)
    notes = [] if "time" in fields else [NO_TIME]
    if local.utcoffset() != local.replace(fold=1).utcoffset():
        notes.append(CHANGED)
    return Time(1000 * int(seconds)), tuple(notes)


def _zone(fields: Mapping[str, Any]) -> tzinfo:
    """Return the zone of the time; a day without a time is one of UTC if no zone is given."""
    name, short = fields.get("time_zone"), fields.get("time_zone_abbreviation")
    if name is not None:
        return _zone_named(name)
    if isinstance(short, str) and short in ZONES:
        return ZoneInfo(ZONES[short])
    if isinstance(short, str) and short in OFFSETS:
        return timezone(timedelta(hours=OFFSETS[short]))
    if short is not None:
        raise UnsupportedHand(f"{short!r:.40} is not the abbreviation of one time zone. {SAY_WHERE}")
    if "time" in fields:
        raise UnsupportedHand(f"`time` is local, but there is no time zone. {SAY_WHERE}")
    return UTC


SAY_WHERE: Final = "Add `time_zone`, such as 'America/New_York' or 'UTC', or leave out `time`."


def _zone_named(name: Any) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (TypeError, ValueError, OSError, KeyError) as error:
        raise UnsupportedHand(f"The time zone {name!r:.40} is not known. {SAY_WHERE}") from error
