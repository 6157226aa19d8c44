"""Shows a game of Gin Rummy to a seat or to spectators: the table, its scene, prompts, and facts for orders."""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from domain.core import text as words
from domain.core.cards import BACK, NAMES, NOBODY, CardName, Cards, Seat, card_names, fewest, remove_cards, seat_or_none
from domain.core.game import FactKind
from domain.core.scene import Scene, SeatShown, Spot, Zone, badges, by_suit, face_down_heap, face_up, numbers, zone
from domain.core.scene_pointers import MOVE, Where, zone_pointer
from domain.core.shown import CardTableShown
from domain.core.values import with_fields
from domain.games.gin_rummy import events
from domain.games.gin_rummy.melds import arrange, deadwood
from domain.games.gin_rummy.play import discards, knock_discards, legal, pile_is_locked, to_act
from domain.games.gin_rummy.table import State, Table, table_number


class LaidDownShown(TypedDict):
    """A face-up hand."""

    seat: Seat
    """The seat whose hand it is."""
    melds: list[list[CardName]]
    """The melds."""
    deadwood: list[CardName]
    """The cards in no meld."""
    value: int
    """The points of these cards."""


class KnockShown(LaidDownShown):
    """The melds and deadwood of a knocker."""

    discard: CardName | None
    """The card that was discarded with the knock; null for big gin."""
    gin: bool
    """Whether the hand is gin."""


class LaidOffShown(TypedDict):
    """A card that was laid off."""

    card: CardName
    """The card."""
    meld: int
    """The number of the knocker's meld that it was added to, from 0."""


class AnswerShown(LaidDownShown):
    """The melds and lay-offs of the defender."""

    layoffs: list[LaidOffShown]
    """The cards laid off on the knocker's melds."""


class HandResultShown(TypedDict):
    """The result of a hand."""

    kind: events.Kind
    """How the hand ended."""
    knocker: Seat
    """The seat that knocked."""
    points: list[int]
    """The points of each seat."""


class HandOfTwoShown(TypedDict):
    """A hand of two, as all readers know it."""

    non_dealer: Seat
    """The seat that does not deal."""
    dealer: Seat
    """The seat that deals."""
    phase: str
    """The phase of this table, in a word."""
    turn: Seat | None
    """The seat whose turn it is."""
    stock_count: int
    """The number of cards in the stock."""
    discard_top: CardName | None
    """The card on top of the discard pile."""
    discards: list[CardName]
    """The cards of the discard pile, the last on top."""
    taken: CardName | None
    """The card that this turn began with, if it came from the discard pile."""
    pile_takes: int
    """The number of consecutive turns that began with a card of the discard pile."""
    knock: KnockShown | None
    """The cards that the knocker has laid down."""
    answer: AnswerShown | None
    """The cards that the other seat has shown."""
    result: HandResultShown | None
    """The result of the hand."""


class ArrangedShown(TypedDict):
    """How the reader's own cards are best arranged."""

    melds: list[list[CardName]]
    """The melds."""
    deadwood: list[CardName]
    """The cards in no meld."""
    deadwood_value: int | None
    """The points of these cards; null for a spectator."""


class GinRummyShown(CardTableShown, ArrangedShown):
    """The table of a game of Gin Rummy."""

    form: str
    """The form of the game, which depends on the number of seats."""
    hands: list[list[CardName]]
    """The cards in the hand of each seat that the reader may see."""
    boxes: list[int]
    """The hands that each seat has won in this game."""
    target_score: int
    """The score that ends the game."""
    knock_limit: int
    """Maximum deadwood, in points, with which a seat may knock."""
    sits_out: list[Seat]
    """The seats that do not play this hand."""
    opponent: Seat | None
    """The seat that the reader plays against."""
    stock_count: int | None
    """The number of cards in the stock, at the reader's table."""
    discard_top: CardName | None
    """The card on top of the discard pile, at the reader's table."""
    tables: list[HandOfTwoShown]
    """The hands of two that are played."""


Laid = events.Knocked | events.LaidOff | events.HandShown

# --- The table ------------------------------------------------------------------------------------


def phase(s: State) -> str:
    """Name the phase: of the hand, or of both if they are in the same, else `playing`."""
    if s.ended is not None:
        return "game_over"
    phases = {table.phase for table in s.tables if table.turn != NOBODY} or {t.phase for t in s.tables}
    if not phases:
        return "hand_setup"
    return phases.pop() if len(phases) == 1 else "playing"


def view(s: State, seat: Seat | None) -> GinRummyShown:
    """Return the table as this seat knows it; the state has no cards that the seat was not shown."""
    own = s.tables[table_number(s, NOBODY if seat is None else seat)] if s.tables else None
    single = own is not None and (seat is not None or len(s.tables) == 1)
    return {
        "phase": phase(s) if own is None or not single or s.ended else own.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": seat_or_none(s.dealer),
        "form": s.rules.form.name,
        "hand": [] if seat is None else card_names(s.hands[seat]),
        "hands": [card_names(c for c in hand if c != BACK) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "scores": list(s.scores),
        "boxes": list(s.boxes),
        "target_score": s.rules.target,
        "knock_limit": s.rules.options.knock_limit,
        "sits_out": [i for i in range(s.rules.seats) if not any(i in t.pair for t in s.tables)],
        "turn": seat_or_none(own.turn) if own and single else None,
        "opponent": own.other(seat) if own and seat in own.pair else None,
        "stock_count": len(own.stock) if own and single else None,
        "discard_top": top(own.pile) if own and single else None,
        "tables": [public_table(table) for table in s.tables],
        **arrange_hand(() if seat is None else s.hands[seat]),
    }


def top(pile: Cards) -> str | None:
    """Name the top of a pile."""
    return NAMES[pile[-1]] if pile else None


def public_table(table: Table) -> HandOfTwoShown:
    """List the public facts of a table."""
    return {
        "non_dealer": table.pair[0],
        "dealer": table.pair[1],
        "phase": table.phase,
        "turn": seat_or_none(table.turn),
        "stock_count": len(table.stock),
        "discard_top": top(table.pile),
        "discards": card_names(table.pile),
        "taken": None if table.taken is None else NAMES[table.taken],
        "pile_takes": table.pile_takes,
        "knock": None if table.knock is None else list_knock(table.knock),
        "answer": None if table.answer is None else defender_answer(table.answer),
        "result": None if table.result is None else hand_result(table.result),
    }


def list_knock(event: events.Knocked) -> KnockShown:
    """Show the cards that a knocker laid down."""
    discard = None if event.discard is None else NAMES[event.discard]
    return {
        "discard": discard,
        "gin": event.gin,
        **list_laid_down(event),
    }


def defender_answer(event: events.LaidOff | events.HandShown) -> AnswerShown:
    """Show the melds and lay-offs of the defender."""
    layoffs = event.layoffs if isinstance(event, events.LaidOff) else ()
    return {
        "layoffs": [{"card": NAMES[laid.card], "meld": laid.meld} for laid in layoffs],
        **list_laid_down(event),
    }


def list_laid_down(event: Laid) -> LaidDownShown:
    """List a face-up hand."""
    return {
        "seat": event.seat,
        "melds": [card_names(meld) for meld in event.melds],
        "deadwood": card_names(event.deadwood),
        "value": event.value,
    }


def hand_result(event: events.HandScored) -> HandResultShown:
    """Show the result of a hand."""
    return {"kind": event.kind, "knocker": event.knocker, "points": list(event.points)}


def arrange_hand(hand: Cards) -> ArrangedShown:
    """Arrange the reader's own cards, so that a client need not know how."""
    if not hand or BACK in hand:
        return {"melds": [], "deadwood": [], "deadwood_value": None}
    best = arrange(hand)
    return {
        "melds": [card_names(meld) for meld in best.melds],
        "deadwood": card_names(best.deadwood),
        "deadwood_value": best.value,
    }


# --- The scene ------------------------------------------------------------------------------------


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this seat knows it, as data."""
    down = {laid.seat: laid for table in s.tables for laid in (table.knock, table.answer) if laid is not None}
    return Scene(
        phase(s),
        seat,
        tuple(describe_seat(s, i, down.get(i), reader=i == seat) for i in range(s.rules.seats)),
        tuple(table_zones(s, seat, down)),
        numbers(hand=s.hand_no, knock_limit=s.rules.options.knock_limit),
        tuple(ending(table) for table in s.tables if table.phase in ("scored", "void")),
    )


def describe_seat(s: State, seat: Seat, laid: Laid | None, *, reader: bool) -> SeatShown:
    """Describe a seat, with its deadwood once it is laid down, or if it is the reader's own."""
    plays = not s.tables or any(seat in table.pair for table in s.tables)
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer, sits_out=not plays)
    deadwood = (
        arrange_hand(s.hands[seat])["deadwood_value"] if reader and laid is None else laid.value if laid else None
    )
    return SeatShown(seat, held, numbers(score=s.scores[seat], deadwood=deadwood, boxes=s.boxes[seat]))


def table_zones(s: State, reader: Seat | None, down: dict[Seat, Laid]) -> Iterator[Zone]:
    """Return the hands, those that are laid down as melds and deadwood, and the stock and the pile of each table."""
    for seat, hand in enumerate(s.hands):
        if seat not in down:
            yield hand_zone(hand, seat, reader=seat == reader)
    for i, table in enumerate(s.tables):
        note = words.seats(table.pair) if len(s.tables) > 1 else ""
        yield with_fields(face_down_heap("stock", len(table.stock), part=i), note=note)
        yield with_fields(zone("discard", "pile", table.pile, part=i), note=note)
        yield from zones_laid_down(table)


def hand_zone(hand: Cards, seat: Seat, *, reader: bool) -> Zone:
    """Return a hand; the reader's own with its melds first, as they leave the least deadwood."""
    if not reader or not hand or BACK in hand:
        return zone("hand", "fan", by_suit(hand, is_ace_low=True), seat)
    best = arrange(hand)
    melds = [face_up(c, (f"meld {n}",)) for n, meld in enumerate(best.melds, 1) for c in meld]
    deadwood = zone("hand", "fan", by_suit(best.deadwood, is_ace_low=True), seat)
    return with_fields(deadwood, spots=(*melds, *deadwood.spots), count=len(hand))


def zones_laid_down(table: Table) -> Iterator[Zone]:
    """Return the melds of knocker and defender, with lay-offs among the knocker's."""
    added = table.answer.layoffs if isinstance(table.answer, events.LaidOff) else ()
    for laid in (table.knock, table.answer):
        if laid is None:
            continue
        for n, cards in enumerate(laid.melds):
            off = [x.card for x in added if laid is table.knock and x.meld == n]
            meld = zone("meld", "row", cards, laid.seat, part=n)
            spots = [Spot(NAMES[c], seat=table.other(laid.seat), marks=("laid off",)) for c in off]
            yield with_fields(meld, spots=(*meld.spots, *spots), count=meld.count + len(spots))
        if laid.deadwood:
            deadwood = zone("deadwood", "row", by_suit(laid.deadwood), laid.seat)
            yield with_fields(deadwood, numbers=numbers(points=laid.value))


def ending(table: Table) -> str:
    """Describe the end of a table's hand."""
    if not isinstance(table.result, events.HandScored):
        return "The hand is void."
    scored = events.SCORED[table.result.kind].format(knocker=table.result.knocker, defender=table.result.defender)
    return f"{words.capitalise(scored)}."


def argument_places(s: State, seat: Seat) -> Where:
    """Point from cards of moves to the hand, and from draws to the piles of the seat's table."""
    if not s.tables:
        return {}
    n = s.places[seat]
    hand, stock, pile = zone_pointer("hand", seat), zone_pointer("stock", n), zone_pointer("discard", n)
    return {
        events.TakeUpcard: {MOVE: pile},
        events.DrawFromStock: {MOVE: stock},
        events.DrawFromDiscard: {MOVE: pile},
        events.Discard: {"card": hand},
        events.Knock: {"discard": hand, "melds": hand},
        events.BigGin: {"melds": hand},
        events.LayOff: {"melds": hand, "layoffs.card": hand, "layoffs.meld": point_to_melds(s.tables[n])},
    }


def point_to_melds(table: Table) -> tuple[str, ...]:
    """Point to the melds of the knocker, by their numbers."""
    return (
        tuple(zone_pointer("meld", table.knock.seat, n) for n in range(len(table.knock.melds))) if table.knock else ()
    )


# --- Facts for standing orders --------------------------------------------------------------------


KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "discard_top": FactKind.CARD,
    "stock_count": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
    "deadwood": FactKind.NUMBER,
}


def known_facts(s: State, seat: Seat) -> Mapping[str, Any]:
    """Return the facts that the seat knows of its own table and the view does not show."""
    table = s.tables[table_number(s, seat)] if s.tables else None
    return {
        "score": s.scores[seat],
        "fewest_cards": fewest(s.hands, seat),
        "deadwood": least_deadwood(s, seat, table, s.hands[seat]) if table else None,
    }


def least_deadwood(s: State, seat: Seat, table: Table, hand: Cards) -> int:
    """Return the deadwood that a hand leaves at best, after a discard if one is due."""
    if table.phase != "discard" or table.turn != seat:
        return deadwood(hand)
    return min(deadwood(remove_cards(hand, c)) for c in discards(s, table, hand))


# --- The prompt -----------------------------------------------------------------------------------


def prompt(s: State, seat: Seat) -> str:
    """Return the seat's prompt."""
    table = s.tables[table_number(s, seat)]
    match table.phase:
        case "offer_nondealer" | "offer_dealer":
            return f"Take the {NAMES[table.pile[-1]]}, or pass"
        case "must_draw_stock":
            return "Draw a card from the stock"
        case "draw":
            locked = pile_is_locked(s, table)
            return "Draw a card from the stock" if locked else f"Draw a card, or take the {NAMES[table.pile[-1]]}"
        case "discard":
            return discard(s, table, seat)
        case _:
            return "Lay off cards on the knocker's melds"


def discard(s: State, table: Table, seat: Seat) -> str:
    """Return the prompt for a discard, with the deadwood at which the seat may knock."""
    hand = s.hands[seat]
    if any(choice.make is events.BigGin for choice in legal(s, seat)):
        return "All cards are melded: lay down big gin"
    least = min((deadwood(remove_cards(hand, c)) for c in knock_discards(s, table, hand)), default=None)
    if least is None:
        return "Discard a card"
    return "Discard a card, or go gin" if least == 0 else f"Discard a card, or knock with {least}"
