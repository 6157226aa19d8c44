"""This module reads hands of poker from documents in the PHH format, and checks their form.

It trusts nothing in them.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any, Final

from domain.core.cards import BACK, Card, read
from domain.core.clock import Time
from events.formats.phh.writer import ANTES, BLINDS, GAMES, UNKNOWN
from events.proof.record import MOST_BYTES

MOST_HANDS: Final = 1_000
MOST_ACTIONS: Final = 1_000
MOST_CHIPS: Final = 10**12
STRUCTURES: Final = {code: structure for structure, code in ANTES.items()}


class BadHandHistory(Exception):
    """The document cannot be imported. `action` counts from 0 and names the action at fault, if there is one."""

    def __init__(self, why: str, action: int | None = None) -> None:
        super().__init__(why)
        self.action = action


@dataclass(slots=True, frozen=True)
class HandHistory:
    """This is one hand of a document. Seats are the players in their order; the last has the button."""

    game: str
    options: Mapping[str, Any]
    stacks: tuple[int, ...]
    small: int | None
    """The seat of the small blind; `big` is that of the big blind."""
    big: int | None
    actions: tuple[tuple[str, ...], ...]
    """The words of each action, without remarks."""
    players: tuple[str, ...]
    finishing: tuple[int, ...] | None
    at: Time | None


def documents(text: bytes) -> list[tuple[str, dict[str, Any]]]:
    """Give the hands of a document by the names of their tables, if any. Raises `BadHandHistory`."""
    if len(text) > MOST_BYTES:
        raise BadHandHistory(f"A document has at most {MOST_BYTES} bytes.")
    try:
        read_ = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadHandHistory(f"This is no TOML: {error}.") from error
    except ValueError as error:
        raise BadHandHistory("A number in it has more digits than can be read.") from error
    if "variant" in read_:
        return [("", read_)]
    found = list(read_.items())
    if not found or not all(isinstance(fields, dict) and "variant" in fields for _, fields in found):
        raise BadHandHistory("This is no hand history: its hands have no `variant`.")
    if len(found) > MOST_HANDS:
        raise BadHandHistory(f"A document has at most {MOST_HANDS} hands.")
    return found


def read_hand(fields: Mapping[str, Any]) -> HandHistory:
    """Read one hand. Raises `BadHandHistory`."""
    variant = fields["variant"]
    stacks = _chips(fields, "starting_stacks")
    n = len(stacks)
    game = GAMES.get(variant) if isinstance(variant, str) else None
    if game is None:
        raise BadHandHistory(f"The variant {variant!r:.40} is not played here.")
    if n not in game.setup.seats:
        raise BadHandHistory(f"It is not played by {n} here.")
    if not all(stacks):
        raise BadHandHistory("Somebody has no chips to begin with.")
    antes, blinds = _chips(fields, "antes", n), _chips(fields, "blinds_or_straddles", n, missing=(0,) * n)
    if n == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    small, big = _blinds(blinds) if variant == BLINDS else (None, None)
    if big is None:
        chosen = _with_antes(fields, variant, antes, blinds)
    else:
        chosen = _with_blinds(fields, antes, blinds, small, big)
    finishing = _chips(fields, "finishing_stacks", n) if "finishing_stacks" in fields else None
    return HandHistory(
        game.name,
        {**chosen, "starting_stack": max(stacks)},
        stacks,
        small,
        big,
        tuple(_actions(fields)),
        _players(fields, n),
        finishing,
        _time(fields),
    )


def _chips(
    fields: Mapping[str, Any], name: str, count: int | None = None, missing: Sequence[int] | None = None
) -> tuple[int, ...]:
    row = fields.get(name, missing)
    if not isinstance(row, list | tuple) or (count is not None and len(row) != count):
        raise BadHandHistory(f"`{name}` must be a list with a number for each player.")
    return tuple(_amount(name, x) for x in row)


def _amount(name: str, x: Any) -> int:
    if isinstance(x, bool) or not isinstance(x, int | float) or x != x // 1 or not 0 <= x <= MOST_CHIPS:
        raise BadHandHistory(f"`{name}` must be in whole chips, of which nobody has less than none.")
    return int(x)


def _blinds(blinds: Sequence[int]) -> tuple[int | None, int]:
    """Give the seats of the small blind, if it is posted, and of the big one."""
    posted = [seat for seat, amount in enumerate(blinds) if amount]
    if len(blinds) == 2 and posted == [0, 1] and blinds[1] <= blinds[0]:
        return 1, 0
    if len(blinds) > 2 and posted == [0]:
        return None, 0
    if len(blinds) > 2 and posted == [0, 1] and blinds[0] <= blinds[1]:
        return 0, 1
    raise BadHandHistory("A small and a big blind are posted here, or the big one alone, and no straddles.")


def _with_blinds(
    fields: Mapping[str, Any], antes: Sequence[int], blinds: Sequence[int], small: int | None, big: int
) -> dict[str, Any]:
    if _amount("min_bet", fields.get("min_bet")) > blinds[big]:
        raise BadHandHistory("The least bet is the big blind here, and not more.")
    each = len(set(antes)) == 1
    if not each and any(amount for seat, amount in enumerate(antes) if seat != big):
        raise BadHandHistory("Antes are the same for all here, or the big blind's alone.")
    return {
        "small_blind": 1 if small is None else blinds[small],
        "big_blind": blinds[big],
        "ante": antes[big],
        "ante_mode": "each" if each else "big_blind",
    }


def _with_antes(fields: Mapping[str, Any], variant: str, antes: Sequence[int], blinds: Sequence[int]) -> dict[str, Any]:
    if any(blinds) or len(set(antes)) != 1 or not antes[0]:
        title = GAMES[variant].words.title
        raise BadHandHistory(f"{title} is played for antes here, the same for all, and without blinds.")
    names = ("min_bet",) if STRUCTURES[variant] == "no_limit" else ("small_bet", "big_bet")
    bets = {name: _amount(name, fields.get(name)) for name in names}
    if not all(bets.values()):
        raise BadHandHistory("A bet is one chip at least.")
    return {"structure": STRUCTURES[variant], "ante": antes[0], **bets}


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


def _time(fields: Mapping[str, Any]) -> Time | None:
    """Read when the hand was played, in UTC; nothing if that is not said, or in another time zone."""
    at = fields.get("time", time())
    if fields.get("time_zone", "UTC") not in ("UTC", "Etc/UTC") or not isinstance(at, time):
        return None
    try:
        day = datetime(fields["year"], fields["month"], fields["day"], tzinfo=UTC)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    seconds = day.timestamp() + 3600 * at.hour + 60 * at.minute + at.second
    return Time(1000 * int(seconds)) if seconds >= 0 else None


# --- Cards and players in actions -----------------------------------------------------------------------


def cards(text: str, action: int) -> tuple[Card, ...]:
    """Read cards as an action writes them. Raises `BadHandHistory`."""
    pairs = [text[i : i + 2] for i in range(0, len(text), 2)]
    try:
        row = tuple(BACK if pair == UNKNOWN else read(pair) for pair in pairs)
    except ValueError as error:
        raise BadHandHistory(f"{error}.", action) from error
    check_once(row, action)
    return row


def check_once(row: Sequence[Card], action: int) -> None:
    """Raise `BadHandHistory` if a card is there twice."""
    if max(Counter(c for c in row if c != BACK).values(), default=1) > 1:
        raise BadHandHistory("A card is there twice.", action)


def player(word: str, seats: int, action: int) -> int:
    """Read who acts. Raises `BadHandHistory`."""
    if word[:1] != "p" or not word[1:].isdecimal() or not 1 <= int(word[1:3]) <= seats or len(word) > 3:
        raise BadHandHistory(f"There is no player {word!r:.12}.", action)
    return int(word[1:]) - 1
