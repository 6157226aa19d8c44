"""Deals computed again: what chance had to answer in a match, beside what its events say (docs/proof.md, "Deals").

This knows how each game asks chance and deals, and nothing else of its rules, so that a shuffle can be checked wherever its
seed is known: whatever else is wrong, or not disclosed, in the match. Values are as events have them in JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from domain.core.cards import NAMES, NUMBERS, RANK_OF
from domain.core.choices import Ask, Below, Shuffle
from domain.games.trio.options import DEAL, TEAM_DEAL
from domain.games.trio.options import PACK as TRIO_PACK
from domain.match import Chance
from events.log.codec import canonical

if TYPE_CHECKING:
    from events.proof.facts import Fact

PACK: Final = tuple(NAMES[:52])

Answer = Callable[[Ask, int], Any]
"""What chance answers to a question, from a link of the epoch that is on; None where the seed is not known."""


class Wrong(Exception):
    """An event is not what chance answered; the message says why, and names no card."""


@dataclass(slots=True)
class Table:
    """What is known at an event of what chance is asked for next."""

    seats: int
    options: Mapping[str, Any]
    answer: Answer
    hands: int = 0  # begun in this epoch, so that the hand that is on uses this link
    hand: Mapping[str, Any] = field(default_factory=dict)  # as it was started
    cuts: list[Fact] = field(default_factory=list)
    avocados: dict[int, str] = field(default_factory=dict)
    passed: dict[int, Any] = field(default_factory=dict)
    pool: Mapping[int, Any] | None = None
    due: list[tuple[str, Any]] = field(default_factory=list)  # what is to be turned, as type and fields
    pile: list[Any] = field(default_factory=list)
    pile_before: list[Any] = field(default_factory=list)  # the last turn, which may be taken back
    restocks: int = 0
    upcards: dict[int, str] = field(default_factory=dict)
    stock: list[str] | None = None  # of five-card draw; None where it is not known
    held: dict[int, list[str]] = field(default_factory=dict)
    out_of_play: dict[int, list[str] | None] = field(default_factory=dict)  # folded, or thrown away

    def shuffled(self, purpose: str, items: Sequence[Any], n: int = 0) -> Sequence[Any] | None:
        """Give a list in the order that the hand's link shuffles it into; None where the seed is not known."""
        pack: Sequence[Any] | None = self.answer(Shuffle(tuple, purpose, tuple(items), n), self.hands)
        return pack

    def dealer(self) -> int:
        dealer = self.hand.get("dealer")
        if not _whole(dealer, self.seats):
            raise Wrong("No seat deals this hand.")
        return dealer

    def round_(self) -> list[int]:
        """Give the seats in the order of the deal."""
        return [(self.dealer() + 1 + i) % self.seats for i in range(self.seats)]


def first_wrong(match_id: str, game: str, facts: Sequence[Fact], chance: Chance) -> tuple[int, str] | None:
    """Compute every deal again whose seed `chance` knows: the first event that is not as it had to be, and why."""
    draws = _Draws(chance)
    created = facts[0].data
    options = created.get("options")
    table = Table(_length(created.get("seats")), options if isinstance(options, dict) else {}, draws.answer)
    sees = _SEES[game]
    for fact in facts:
        try:
            draws.see(fact)
            if fact.type == "FairnessCommitted":
                table.hands = 0
            elif fact.type == "GameStarted":
                table.cuts, table.avocados = [], {}
            elif fact.type == "HandStarted":
                table.hands, table.hand = table.hands + 1, fact.data
                table.passed, table.pool, table.due, table.pile = {}, None, [], []
                table.restocks, table.upcards = 0, {}
                table.stock, table.held, table.out_of_play = None, {}, {}
            elif see := sees.get(fact.type):
                see(table, fact)
        except Wrong as wrong:
            return fact.seq, str(wrong)
    return None


class _Draws:
    """The epoch that is on, with its nonces, and what chance answers in it."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._epoch = self._links = 0
        self._nonces: list[str] = []
        self._shared: list[str] = []  # those of all tables of a group

    def see(self, fact: Fact) -> None:
        data = fact.data
        if fact.type == "MatchCreated":
            self._nonces = [""] * _length(data.get("seats"))
        elif fact.type == "FairnessCommitted":
            self._epoch, self._links = data["epoch"], data["links"]
            self._nonces = [""] * len(self._nonces)
        elif fact.type == "DealsShared":
            self._shared = _of_all_tables(data.get("nonces"), self._nonces)
        elif fact.type in ("NonceSubmitted", "SeatLeft"):
            nonce = data.get("nonce") if fact.type == "NonceSubmitted" else ""
            if not _whole(data.get("seat"), len(self._nonces)):
                raise Wrong("There is no such seat.")
            if not isinstance(nonce, str) or not _nonce(nonce, fact.type):
                raise Wrong("A nonce is 16 to 64 hexadecimal digits.")
            self._nonces[data["seat"]] = nonce

    def answer(self, ask: Ask, link: int) -> Any:
        try:
            return self._chance.answer(
                ask, self._epoch, self._links, link, tuple(self._shared or self._nonces)
            )
        except LookupError:
            return None


def _of_all_tables(rows: Any, own: list[str]) -> list[str]:
    """Give the nonces of a group of tables, one after the other; those that this one has are among them."""
    if not isinstance(rows, list) or not all(_length(row) == len(own) for row in rows) or own not in rows:
        raise Wrong("The nonces of a group are those of all its tables, and this one's among them.")
    nonces = [nonce for row in rows for nonce in row]
    if not all(isinstance(nonce, str) and _nonce(nonce, "" if nonce else "SeatLeft") for nonce in nonces):
        raise Wrong("A nonce is 16 to 64 hexadecimal digits.")
    return nonces


def _nonce(nonce: str, kind: str) -> bool:
    return kind == "SeatLeft" or (16 <= len(nonce) <= 64 and set(nonce) <= set("0123456789abcdef"))


def _whole(x: Any, below: int) -> TypeGuard[int]:
    return type(x) is int and 0 <= x < below


def _length(x: Any) -> int:
    return len(x) if isinstance(x, list) else 0


def _same(fact: Fact, name: str, due: Mapping[str, Any], what: str) -> None:
    """Compare what is known of a secret field with what each of its readers had to get."""
    for reader, value in fact.parts.get(name, {}).items():
        if reader in due and not _equal(value, due[reader]):
            raise Wrong(f"{what} are not what the seed gives.")


def _equal(a: Any, b: Any) -> bool:
    """Say whether two values are the same in JSON, where 1 is not true."""
    return canonical(a) == canonical(b)


def _dealt(cards: Sequence[Any], seats: Sequence[int]) -> dict[str, list[Any]]:
    """Deal one card at a time to the seats in this order: each hand in the order of the pack."""
    return {str(seat): _sorted(cards[i :: len(seats)]) for i, seat in enumerate(seats)}


def _sorted(cards: Sequence[Any]) -> list[Any]:
    return sorted(cards, key=lambda c: NUMBERS[c] if isinstance(c, str) else c)


# --- Who deals first, or begins -----------------------------------------------------------------------


def _cut(table: Table, fact: Fact) -> None:
    table.cuts.append(fact)


def _first_dealer(table: Table, fact: Fact) -> None:
    table.hands += 1  # the link of the hand to come
    match fact.data.get("how"):
        case "cut":
            pack = table.shuffled("cut", PACK)
            if pack is not None:
                _as_cut(table, fact, pack)
        case "random":
            _as_drawn(table, fact, "first_dealer", range(table.seats))
    table.hands -= 1


def _as_cut(table: Table, fact: Fact, pack: Sequence[str]) -> None:
    drawn: list[tuple[int, str]] = []
    seats = list(range(table.seats))
    while len(seats) > 1 and len(drawn) < len(pack):
        turn = list(zip(seats, pack[len(drawn) :], strict=False))
        highest = max(RANK_OF[NUMBERS[c]] for _, c in turn)
        seats = [seat for seat, c in turn if RANK_OF[NUMBERS[c]] == highest]
        drawn += turn
    said = [(cut.data.get("seat"), cut.data.get("card")) for cut in table.cuts]
    if not _equal(said, drawn) or not _equal(seats[:1], [fact.data.get("seat")]):
        raise Wrong("The cut for the first deal is not what the seed gives.")


def _as_drawn(table: Table, fact: Fact, purpose: str, seats: Sequence[int]) -> None:
    if not seats:
        raise Wrong("There is no seat to draw.")
    drawn = table.answer(Below(int, purpose, len(seats)), table.hands)
    if drawn is not None and not _equal(fact.data.get("seat"), seats[drawn]):
        raise Wrong("The seat is not the one that the seed gives.")


def _avocado(table: Table, fact: Fact) -> None:
    seat, at = fact.data.get("seat"), fact.data.get("eaten_at")
    if not _whole(seat, table.seats) or not isinstance(at, str):
        raise Wrong("An avocado belongs to a seat and a time.")
    table.avocados[seat] = at


def _first_player(table: Table, fact: Fact) -> None:
    if fact.data.get("how") != "random":
        return
    latest = max(table.avocados.values(), default="")
    beginners = [s for s in range(table.seats) if table.avocados.get(s, "") == latest]
    table.hands += 1
    _as_drawn(table, fact, "first_player", beginners)
    table.hands -= 1


# --- Hands --------------------------------------------------------------------------------------------


def _hearts(table: Table, fact: Fact) -> None:
    seats = table.round_()
    if (pack := table.shuffled("deal", PACK)) is not None:
        _same(fact, "cards", _dealt(pack, seats), "The hands")


def _chosen(table: Table, fact: Fact) -> None:
    seat = fact.data.get("seat")
    if _whole(seat, table.seats):
        table.passed[seat] = fact.parts.get("cards", {}).get(str(seat))


def _pool(table: Table, fact: Fact) -> None:
    seats = table.round_()
    passed = [table.passed.get(seat) for seat in seats]
    if None in passed:
        return
    if any(_length(cards) != 3 or not all(isinstance(c, str) for c in cards or ()) for cards in passed):
        raise Wrong("Each seat passes three cards.")
    cards = [c for part in passed for c in part or ()]
    if not set(cards) <= set(PACK):
        raise Wrong("What was passed are not cards.")
    if (pool := table.shuffled("dealer_redeal", cards)) is not None:
        table.pool = {int(seat): hand for seat, hand in _dealt(pool, seats).items()}


def _from_pool(table: Table, fact: Fact) -> None:
    seat = fact.data.get("seat")
    if fact.data.get("from") == "pool" and table.pool is not None and _whole(seat, table.seats):
        _same(fact, "cards", {str(seat): table.pool[seat]}, "The cards from the pool")


def _two_handed(table: Table, fact: Fact) -> None:
    seats = table.round_()
    if (pack := table.shuffled("deal", PACK)) is not None:
        _same(fact, "cards", _dealt(pack[:26], seats), "The hands")
        _same(fact, "stock", {"table": list(pack[26:])}, "The cards of the stock")


def _crazy_eights(table: Table, fact: Fact) -> None:
    seats, options = table.round_(), table.options
    packs, size = options.get("packs", 1), options.get("hand_size", 5)
    if table.seats == 2 and options.get("two_player_seven") is True:
        size = 7
    if not _whole(packs, 3) or not _whole(size, 9) or 52 * packs - size * table.seats < max(10 * packs, 1):
        raise Wrong("No such deal can be had.")
    pack = table.shuffled("deal", PACK * packs)
    if pack is None:
        return
    share = size * table.seats
    stock = list(pack[share:])
    _same(fact, "cards", _dealt(pack[:share], seats), "The hands")
    _same(fact, "stock", {"table": stock}, "The cards of the stock")
    table.due = list(_starter(stock))


def _starter(stock: list[str]) -> Iterator[tuple[str, Any]]:
    """Give what is turned: eights are buried in the middle of what is left. A stock is large enough for this to end."""
    while stock[0][0] == "8":
        eight, stock = stock[0], stock[1:]
        depth = len(stock) // 2
        stock = [*stock[:depth], eight, *stock[depth:]]
        yield "EightBuried", {"card": eight, "depth": depth}
    yield "StarterTurned", {"card": stock[0]}


def _turned(table: Table, fact: Fact) -> None:
    if table.due:
        kind, due = table.due.pop(0)
        if fact.type != kind or not all(_equal(fact.data.get(name), x) for name, x in due.items()):
            raise Wrong("What is turned is not what the seed gives.")
    if fact.type == "StarterTurned":
        table.pile = [fact.data.get("card")]


def _played(table: Table, fact: Fact) -> None:
    _passed_turn(table, fact)
    table.pile.append(fact.data.get("card"))


def _passed_turn(table: Table, fact: Fact) -> None:
    table.pile_before = list(table.pile)


def _taken_back(table: Table, fact: Fact) -> None:
    table.pile = list(table.pile_before)


def _restocked(table: Table, fact: Fact) -> None:
    under, top = table.pile[:-1], table.pile[-1:]
    if not all(isinstance(c, str) and c in NUMBERS and c != "??" for c in under):
        raise Wrong("What lies on the pile are not cards.")
    once = _sorted(list(set(under)))
    twice = list(under)
    for c in once:
        twice.remove(c)
    stock = table.shuffled("restock", [*once, *_sorted(twice)], table.restocks)
    table.pile, table.restocks = top, table.restocks + 1
    if stock is not None:
        _same(fact, "stock", {"table": list(stock)}, "The cards of the new stock")


def _gin(table: Table, fact: Fact) -> None:
    at, pairs = fact.data.get("table"), table.hand.get("pairs")
    if not isinstance(pairs, list) or not _whole(at, min(len(pairs), 2)):
        raise Wrong("No such table was set up.")
    pair = pairs[at]
    if _length(pair) != 2 or not all(_whole(seat, table.seats) for seat in pair) or pair[0] == pair[1]:
        raise Wrong("Two seats play a hand.")
    pack = table.shuffled("deal", PACK, at)
    if pack is not None:
        nobody: dict[str, list[Any]] = {str(seat): [] for seat in range(table.seats)}
        _same(fact, "cards", {**nobody, **_dealt(pack[:20], pair)}, "The hands")
        _same(fact, "stock", {"table": list(pack[21:])}, "The cards of the stock")
        table.upcards[at] = pack[20]


def _upcard(table: Table, fact: Fact) -> None:
    at = fact.data.get("table")
    due = table.upcards.get(at) if _whole(at, 2) else None
    if due is not None and fact.data.get("card") != due:
        raise Wrong("The upcard is not what the seed gives.")


def _trio(table: Table, fact: Fact) -> None:
    each = (TEAM_DEAL if table.options.get("teams") is True else DEAL).get(table.seats)
    if each is None:
        raise Wrong("So many seats do not play this.")
    pack = table.shuffled("deal", TRIO_PACK)
    if pack is not None:
        share = each * table.seats
        _same(fact, "cards", _dealt(pack[:share], range(table.seats)), "The hands")
        _same(fact, "middle", {"table": list(pack[share:])}, "The cards in the middle")


# --- Poker --------------------------------------------------------------------------------------------


def _button(table: Table, fact: Fact) -> None:
    among = fact.data.get("among")
    if not isinstance(among, list) or not all(_whole(seat, table.seats) for seat in among):
        raise Wrong("The button is drawn among seats.")
    table.hands += 1
    _as_drawn(table, fact, "button", among)
    table.hands -= 1


def _dealt_in(table: Table) -> list[int]:
    """Give the seats that are dealt in, from the left of the button."""
    stacks, button = table.hand.get("stacks"), table.hand.get("button")
    if not isinstance(stacks, list) or not _length(stacks) == table.seats or not _whole(button, table.seats):
        raise Wrong("A hand begins with a button, and a stack for each seat.")
    seats = [(button + 1 + i) % table.seats for i in range(table.seats)]
    return [seat for seat in seats if type(stacks[seat]) is not int or stacks[seat] != 0]


def _poker(table: Table, fact: Fact, size: int) -> list[str] | None:
    """Compare the hands, and what the deal leaves; give that, if the seed is known."""
    seats = _dealt_in(table)
    pack = table.shuffled("deal", PACK)
    if pack is None:
        return None
    share = size * len(seats)
    hands = _dealt(pack[:share], seats) if seats else {}
    nobody: dict[str, list[Any]] = {str(seat): [] for seat in range(table.seats)}
    _same(fact, "cards", {**nobody, **hands}, "The hands")
    _same(fact, "deck", {"table": list(pack[share:])}, "The cards of the deck")
    table.held = {int(seat): hand for seat, hand in hands.items()}
    return list(pack[share:])


def _holdem(table: Table, fact: Fact) -> None:
    deck = _poker(table, fact, 2)
    if deck is not None:
        streets = {"flop": deck[1:4], "turn": deck[5:6], "river": deck[7:8]}
        table.due = [("BoardDealt", {"street": name, "cards": cards}) for name, cards in streets.items()]


def _draw(table: Table, fact: Fact) -> None:
    table.stock = _poker(table, fact, 5)


def _folded(table: Table, fact: Fact) -> None:
    seat = fact.data.get("seat")
    thrown = table.out_of_play.get(seat, []) if _whole(seat, table.seats) else None
    if _whole(seat, table.seats) and thrown is not None:
        table.out_of_play[seat] = thrown + table.held.get(seat, [])


def _swapped(table: Table, fact: Fact) -> None:
    seat, count = fact.data.get("seat"), fact.data.get("count")
    if not _whole(seat, table.seats) or not _whole(count, 6):
        raise Wrong("A seat exchanges up to five cards.")
    thrown = fact.parts.get("discarded", {}).get(str(seat))
    table.out_of_play[seat] = thrown if _cards(thrown) else None
    if table.stock is None:
        return
    drawn, table.stock = table.stock[:count], table.stock[count:]
    _same(fact, "drawn", {str(seat): drawn}, "The cards drawn")
    if _cards(thrown):
        table.held[seat] = [c for c in table.held.get(seat, ()) if c not in thrown] + drawn


def _cards(x: Any) -> TypeGuard[list[str]]:
    return isinstance(x, list) and all(isinstance(c, str) and c in NUMBERS and c != "??" for c in x)


def _rebuilt(table: Table, fact: Fact) -> None:
    """Shuffle what is out of play, if all of it is known, under what the stock still has."""
    rows = table.out_of_play.values()
    known = [c for row in rows if row is not None for c in row]
    stock, n = table.stock, table.restocks
    unknown = stock is None or None in rows
    table.stock, table.out_of_play, table.restocks = None, {}, n + 1
    if stock is None or unknown:
        return
    if len(known) != fact.data.get("count"):
        raise Wrong("The new stock is made of what has been folded and discarded.")
    more = table.shuffled("redeal", _sorted(known), n)
    if more is not None:
        _same(fact, "stock", {"table": list(more)}, "The cards of the new stock")
        table.stock = [*stock, *more]


See = Callable[[Table, "Fact"], None]
_SEES: Mapping[str, Mapping[str, See]] = {
    "hearts": {
        "CardCut": _cut, "FirstDealerChosen": _first_dealer, "HandDealt": _hearts,
        "PassChosen": _chosen, "PoolRedealt": _pool, "PassReceived": _from_pool,
    },
    "two_handed_hearts": {"CardCut": _cut, "FirstDealerChosen": _first_dealer, "HandDealt": _two_handed},
    "crazy_eights": {
        "FirstDealerChosen": _first_dealer, "HandDealt": _crazy_eights, "EightBuried": _turned,
        "StarterTurned": _turned, "CardPlayed": _played, "TurnPassed": _passed_turn, "MoveTakenBack": _taken_back,
        "Restocked": _restocked,
    },
    "gin_rummy": {"FirstDealerChosen": _first_dealer, "HandDealt": _gin, "UpcardTurned": _upcard},
    "five_card_draw": {
        "ButtonDrawn": _button, "HandDealt": _draw, "PlayerFolded": _folded, "CardsSwapped": _swapped,
        "StockRebuilt": _rebuilt,
    },
    "holdem": {"ButtonDrawn": _button, "HandDealt": _holdem, "BoardDealt": _turned},
    "trio": {"AvocadoStated": _avocado, "FirstPlayerChosen": _first_player, "HandDealt": _trio},
}  # fmt: skip
