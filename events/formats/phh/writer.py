"""Writes hands in the open Poker Hand History format (PHH, TOML), as one reader may see them.

A hand is built only from that reader's feed, with the data disclosed so far. Hands that PHH cannot express are left
out, each with the reason (docs/how-to/poker-hand-history.md).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from domain import match as life
from domain.core.cards import BACK, RANKS, Card, Seat
from domain.core.values import mutable
from domain.games.catalogue import GAMES as CATALOGUE
from domain.poker import betting_events as ev
from domain.poker.betting import Chips, Round, clockwise
from domain.poker.betting_table import State
from events.log.codec import EVERYBODY, shapes
from events.proof import record
from events.times import read_time, write_time

MEDIA_TYPE: Final = "application/toml"
"""The media type of TOML, because PHH does not define one."""

GAMES: Final = {code: game for game in CATALOGUE.values() for code in game.words.hand_history}
"""These games can be written in the format, by the codes of their variants."""

ANTES: Final = {"no_limit": "N5D", "fixed_limit": "F5D"}
"""The codes of games with antes, by betting structure. PHH has none for these games; they follow its pattern."""

BLINDS: Final = "NT"
"""The code of games with blinds."""

UNKNOWN: Final = "??"

OUT_OF_TURN: Final = "a seat gave up out of its turn"
EQUAL_BLINDS: Final = "with two players and equal blinds, PHH does not say who acts first"
NOT_FULL: Final = "a call came up to the big blind in two steps, of which the second was less than the first"


class NoSuchHand(Exception):
    """The hand is not finished, or cannot be written; the message gives the reason."""


@mutable
class Hand:
    """A hand to write. `left_out` is the reason why it cannot be written."""

    number: int
    at: str
    rules: Mapping[str, Any]
    """The fields for the game and its stakes."""
    order: Sequence[Seat]
    """The seats from the left of the button: p1, p2 and so on."""
    starting: Chips
    antes: dict[Seat, int]
    blinds: Mapping[Seat, int]
    level: int | None
    actions: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    """The lines of cards drawn, since PHH deals none before all have discarded."""
    largest: int = 0
    """The largest raise in this round."""
    smallest: int | None = None
    """The smallest raise in this hand, other than an all-in."""
    won: dict[Seat, int] = field(default_factory=dict)
    finishing: Chips | None = None
    left_out: str = ""


# --- The document ---------------------------------------------------------------------------------------


def write_hands(about: Mapping[str, Any], feed: Iterable[bytes]) -> Iterator[bytes]:
    """Return all finished hands of a match, one table each by its number, piece by piece (`.phhs`).

    `about` is the match as its record describes it, `feed` the reader's, each event one JSON object.
    """
    yield f"# {about['game']} {about['id']}, hand by hand, as {_reader(about)} may see it\n".encode()
    for hand in finished_hands(about, feed):
        if hand.left_out:
            yield f"\n# Hand {hand.number} is left out: {hand.left_out}.\n".encode()
        else:
            yield f"\n[{hand.number}]\n{_toml(about, hand)}".encode()


def write_hand(about: Mapping[str, Any], feed: Iterable[bytes], number: int) -> bytes:
    """Return one hand as a separate document (`.phh`). Raises `NoSuchHand`."""
    for hand in finished_hands(about, feed):
        if hand.number == number:
            if hand.left_out:
                raise NoSuchHand(f"It cannot be written: {hand.left_out}.")
            return _toml(about, hand).encode()
    raise NoSuchHand("There is no such finished hand.")


def _reader(about: Mapping[str, Any]) -> str:
    reader: str = about["reader"]
    return f"seat {reader}" if reader.isdigit() else reader


def _toml(about: Mapping[str, Any], hand: Hand) -> str:
    fields = {**_required(hand), **_optional(about, hand)}
    return "".join(f"{name} = {_value(x)}\n" for name, x in fields.items() if x is not None)


def _required(hand: Hand) -> dict[str, Any]:
    rules = dict(hand.rules)
    if "min_bet" in rules and hand.smallest is not None:
        rules["min_bet"] = min(rules["min_bet"], hand.smallest)
    return {
        "variant": rules.pop("variant"),
        "antes": _posted(hand, hand.antes),
        "blinds_or_straddles": _posted(hand, hand.blinds),
        **rules,
        "starting_stacks": [hand.starting[seat] for seat in hand.order],
        "actions": hand.actions,
    }


def _posted(hand: Hand, amounts: Mapping[Seat, int]) -> list[int]:
    """Put forced bets in order. Heads-up, PHH reverses them."""
    row = [amounts.get(seat, 0) for seat in hand.order]
    return row[::-1] if len(row) == 2 else row


def _optional(about: Mapping[str, Any], hand: Hand) -> dict[str, Any]:
    assert hand.finishing is not None
    day, time = write_time(read_time(hand.at)).split("T")
    year, month, date = map(int, day.split("-"))
    return {
        "time": _Bare(time[:8]),
        "time_zone": "UTC",
        "day": date,
        "month": month,
        "year": year,
        "hand": hand.number,
        "level": hand.level,
        "seats": [seat + 1 for seat in hand.order],
        "seat_count": len(about["seats"]),
        "table": about["id"],
        "players": [_name(about["seats"][seat]) for seat in hand.order],
        "finishing_stacks": [hand.finishing[seat] for seat in hand.order],
        "winnings": [hand.won.get(seat, 0) for seat in hand.order],
        "_seen_by": _reader(about),
    }


class _Bare(str):
    """A text for TOML without quotes."""

    __slots__ = ()


def _name(seat: Mapping[str, Any]) -> str:
    """Return the name of a seat's player; None for an erased player."""
    if seat["player"]:
        return seat["player"]["name"] or ""
    return f"Bot ({seat['level']})" if seat["kind"] == "bot" else ""


def _value(x: Any) -> str:
    """Write a value as TOML does; its strings are those of JSON, except for one character."""
    match x:
        case _Bare():
            return str(x)
        case list() if x and isinstance(x[0], str):
            return "[\n" + "".join(f"  {_value(one)},\n" for one in x) + "]"
        case list():
            return f"[{', '.join(map(_value, x))}]"
        case _:
            return json.dumps(x, ensure_ascii=False).replace("\x7f", "\\u007F")


# --- The hands ------------------------------------------------------------------------------------------


def finished_hands(about: Mapping[str, Any], feed: Iterable[bytes]) -> Iterator[Hand]:
    """Return the finished hands of a match, in their order."""
    events = _events(about, feed)
    _, created = next(events)
    m, hand = life.initial_match(CATALOGUE[created.game], about["id"], created), None
    for at, event in events:
        if isinstance(event, ev.HandStarted):
            if hand and hand.finishing:
                yield hand
            hand = _begun(m.table, event, at)
        elif hand and m.table is not None:
            _note(hand, m.table, event)
        life.evolve(m, event)
    if hand and hand.finishing:
        yield hand


def _events(about: Mapping[str, Any], feed: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
    """Read the events of a feed, with all secret parts that the feed has."""
    known, seats = shapes(about["game"]), len(about["seats"])
    for text in feed:
        item = record.read_item(text)
        fact, shape = record.fact(item, about["reader"]), known[item.type]
        yield item.at, shape.event(shape.upcast(fact.v, fact.data), seats, fact.parts, EVERYBODY)


def _begun(s: State, event: ev.HandStarted, at: str) -> Hand:
    rules, stakes = s.rules, s.stakes
    order = clockwise([i for i, stack in enumerate(event.stacks) if stack], event.button, rules.seats)
    blinds = {event.big_blind: stakes.big, event.small_blind: stakes.small}
    alike = rules.blinds and len(order) == 2 and stakes.small == stakes.big
    return Hand(
        event.hand_no,
        at,
        _structure(s),
        order,
        event.stacks,
        antes={} if rules.big_ante else dict.fromkeys(order, stakes.ante),
        blinds={seat: amount for seat, amount in blinds.items() if seat is not None},
        level=s.level if rules.tournament else None,
        left_out=EQUAL_BLINDS if alike else "",
    )


def _structure(s: State) -> dict[str, Any]:
    """Return the game, the bets, and whether an ante counts for the levels of pots."""
    if s.rules.blinds:
        limits = {"variant": BLINDS, "min_bet": s.stakes.big}
    else:
        first, second = (s.rules.limits(phase, s.stakes) for phase in ("bet1", "bet2"))
        free = first.structure == "no_limit"
        sizes = {"min_bet": first.unit} if free else {"small_bet": first.unit, "big_bet": second.unit}
        limits = {"variant": ANTES[first.structure], **sizes}
    return {"ante_trimming_status": not s.rules.big_ante, **limits}


# --- The actions ----------------------------------------------------------------------------------------


def _note(hand: Hand, s: State, event: Any) -> None:
    """Add the lines of an event to a hand; `s` is the table before it."""
    match event:
        case ev.BigBlindAntePosted():
            hand.antes[event.seat] = event.amount
        case ev.PlayerFolded() if not s.open or s.round.turn != event.seat:
            hand.left_out = OUT_OF_TURN
        case ev.PlayerCalled() | ev.PlayerBet() | ev.PlayerRaised():
            hand.actions.append(f"{_p(hand, event.seat)} {_paid(hand, s.round, event)}")
        case ev.BetsCollected():
            hand.largest = 0
        case ev.PotAwarded():
            for share in event.winners:
                hand.won[share.seat] = hand.won.get(share.seat, 0) + share.amount
        case ev.HandSettled():
            hand.finishing = event.stacks
        case _:
            hand.actions += _said(hand, s, event)


def _said(hand: Hand, s: State, event: Any) -> list[str]:
    """Return the lines for an event; none if a hand history does not contain it."""
    match event:
        case ev.HandDealt():
            return [f"d dh {_p(hand, seat)} {_cards(event.cards[seat], event.counts[seat])}" for seat in hand.order]
        case ev.BoardDealt():
            return [f"d db {_cards(event.cards)}"]
        case ev.PlayerFolded():
            return [f"{_p(hand, event.seat)} f"]
        case ev.PlayerChecked():
            return [f"{_p(hand, event.seat)} cc"]
        case ev.CardsSwapped():
            if event.count:
                hand.drawn.append(f"d dh {_p(hand, event.seat)} {_cards(event.drawn, event.count)}")
            return [f"{_p(hand, event.seat)} sd {_cards(event.discarded, event.count)}".strip()]
        case ev.DrawCompleted():
            return hand.drawn
        case ev.HandShown():
            return [f"{_p(hand, event.seat)} sm {_cards(event.cards)}"]
        case ev.HandMucked():
            return [f"{_p(hand, event.seat)} sm"]
        case ev.CardsShown():
            return [_shown(hand, s, event)]
        case _:
            return []


def _p(hand: Hand, seat: Seat) -> str:
    return f"p{hand.order.index(seat) + 1}"


def _cards(cards: Sequence[Card] | None, count: int = 0) -> str:
    if cards is None:
        return UNKNOWN * count
    return "".join(UNKNOWN if c == BACK else RANKS[c % 13] + "cdhs"[c // 13] for c in cards)


def _shown(hand: Hand, s: State, event: ev.CardsShown) -> str:
    """Show a hand voluntarily: the last player's whole hand by an action, otherwise by a remark."""
    who, cards = _p(hand, event.seat), _cards(event.cards)
    if len(event.cards) == s.rules.hand_size and s.round.live[event.seat] and not s.mucked:
        return f"{who} sm {cards}"
    return f"# {who} shows {cards}"


def _paid(hand: Hand, r: Round, event: ev.PlayerCalled | ev.PlayerBet | ev.PlayerRaised) -> str:
    """Write the amount that a seat puts in: a call matches the bet, `cbr` raises it.

    A call of the whole big blind is a raise if the big blind was short. An amount that no other seat can match is
    returned, so it is a call.
    """
    seat, highest = event.seat, max(r.committed)
    reach = [r.stacks[i] + r.committed[i] for i, live in enumerate(r.live) if live and i != seat]
    to = r.committed[seat] + event.amount
    if to <= highest:
        return "cc"
    if max(reach) <= highest:
        return f"cc # puts in {to}, of which nobody can call more than {highest}"
    by = to - highest
    if not event.all_in:
        if by < hand.largest and r.limits.structure == "no_limit":
            hand.left_out = NOT_FULL
        hand.smallest = min(by, hand.smallest or by)
    hand.largest = max(hand.largest, by)
    return f"cbr {to}"
