"""Defines the moves, events, state and play of Crazy Eights, in the order of the rulebook.

The options, the values of cards and the payments are in `crazy_eights_rules`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Final, Literal, assert_never

from domain.core import text as words
from domain.core.cards import (
    BACK,
    NAMES,
    RANK_OF,
    SUIT_OF,
    SUITS,
    Card,
    Cards,
    Seat,
    Suit,
    add,
    backs,
    names,
    next_seat,
    remove,
)
from domain.core.choices import Ask, Below, Choice, Just, Shuffle
from domain.core.event_fields import (
    DealNo,
    DealtCounts,
    EndReason,
    Gained,
    GameNo,
    HandNo,
    Places,
    StockCount,
    Totals,
    Winners,
)
from domain.core.game import CHANCE, Choices, Outcome, drawn, highest_wins, ranked
from domain.core.values import Compiled, Copied, put, shown, value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.crazy_eights.options import (
    MOST_HANDS,
    MOST_TURNS,
    Options,
    Payments,
    Points,
    Rules,
    blocked_payments,
    canonical,
    collected,
    compile_rules,
    gains,
    is_eight,
    lowest,
    nets,
    worth,
)
from domain.games.crazy_eights.shown import CrazyEightsShown

__all__ = ["Options"]

NOBODY: Final[Seat] = -1

SuitName = Literal["C", "D", "H", "S"]
SUIT_NAMES: tuple[SuitName, ...] = ("C", "D", "H", "S")


# --- Moves: the seats', then those of chance (crazy_eights 2–4) ---------------------------------


@value
class PlayCard:
    card: Card
    """The card to play."""
    declared_suit: SuitName | None = None
    """The suit that an eight calls for; null or left out with any other card."""


@value
class DrawCard:
    pass


@value
class PassTurn:
    pass


@value
class PickFirst:
    seat: Seat


@value
class Deal:
    pack: Cards


@value
class Restock:
    cards: Cards


Move = PlayCard | DrawCard | PassTurn | PickFirst | Deal | Restock


@value
class Plays:
    """This choice is one of these cards: plain ones as they are, an eight with a suit unless it is the last card."""

    plain: Cards
    eights: Cards
    last: bool
    make: ClassVar[type] = PlayCard
    exact: ClassVar[bool] = True

    @property
    def of(self) -> Cards:
        return self.plain + self.eights

    def admits(self, move: Any) -> bool:
        if type(move) is not PlayCard:
            return False
        if move.card in self.plain:
            return move.declared_suit is None
        return move.card in self.eights and (self.last or move.declared_suit is not None)

    def schema(self) -> dict[str, Any]:
        named = self.eights and not self.plain and not self.last
        suits = [*(SUITS if self.eights else ()), *(() if named else (None,))]
        flat = {
            "type": "object",
            "properties": {"card": {"enum": sorted(set(names(self.of)))}, "declared_suit": {"enum": suits}},
            "required": ["card", "declared_suit"] if named else ["card"],
            "additionalProperties": False,
        }
        return flat | self._by_card() if self.plain and self.eights else flat

    def _by_card(self) -> dict[str, Any]:
        """Describe what the suit may be by the card, where some name one and others do not."""
        suit = {"properties": {"declared_suit": {"enum": [*SUITS]}}, "required": ["declared_suit"]}
        return {
            "if": {"properties": {"card": {"enum": names(self.eights)}}},
            "then": {} if self.last else suit,
            "else": {"properties": {"declared_suit": {"type": "null"}}},
        }

    def sample(self, rng: Random) -> PlayCard:
        card = rng.choice(self.plain + self.eights)
        return PlayCard(card, rng.choice(SUIT_NAMES) if card in self.eights else None)


# --- Events (crazy_eights 3–5) ------------------------------------------------------------------


@value
class GameStarted:
    game_no: GameNo


@value
class FirstDealerChosen:
    seat: Seat
    how: Literal["random", "pick"]
    """Whether the dealer was drawn at random or picked by the options."""


@value
class HandStarted:
    hand_no: HandNo
    deal_no: DealNo
    dealer: Seat
    """The seat that deals."""


@value
class HandDealt:
    """The hands are dealt; `stock` is what the deal leaves, hidden from all until the hand is over."""

    counts: DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""
    stock: Hidden[Cards]
    """The stock, the top card first."""


@value
class EightBuried:
    """The top card of the stock goes under `depth` others."""

    card: Card
    """The eight."""
    depth: int
    """The number of cards above it."""


@value
class StarterTurned:
    card: Card
    """The card that begins the pile."""
    stock_count: StockCount


@value
class CardPlayed:
    seat: Seat
    card: Card
    """The card that is played."""
    declared_suit: SuitName | None
    """The suit that is called for; null where none is."""
    cards_left: int
    """The number of cards that the seat has left."""


@value
class CardDrawn:
    seat: Seat
    stock_count: StockCount
    card: Private[Card]
    """The card that is drawn."""


@value
class StockRanOut:
    """A seat draws, and the stock is empty: the pile is shuffled first."""

    seat: Seat


@value
class Restocked:
    """All of the pile but its top card becomes the new stock."""

    stock_count: StockCount
    stock: Hidden[Cards]
    """The new stock, the top card first."""


@value
class TurnPassed:
    """The seat passes; `in_a_row` counts the turns up to this one that were a pass alone."""

    seat: Seat
    in_a_row: int
    """The number of turns in a row, up to this one, that were a pass alone."""


@value
class HandWon:
    seat: Seat


@value
class HandBlocked:
    pass


@value
class Ledger:
    """Says what each seat has collected less what it has paid in this game (crazy_eights 6.9)."""

    net: Points
    """What each seat has won or, below 0, lost, seat by seat."""


@value
class HandScored:
    hands: tuple[Cards, ...]
    """The cards that each seat has left."""
    payments: Payments
    """Who pays whom."""
    points: Gained[Points]
    totals: Totals[Points]
    ledger: Ledger
    """What the seats have collected and paid in the game so far."""


@value
class GameEnded:
    """The game is over; `ranking` is each seat's place, from 1; `winners` share the game, none if it is drawn."""

    totals: Totals[Points]
    ranking: Places[tuple[int, ...]]
    winners: Winners
    ledger: Ledger
    """What the seats have collected and paid in the game."""
    reason: EndReason


Event = (
    GameStarted
    | FirstDealerChosen
    | HandStarted
    | HandDealt
    | EightBuried
    | StarterTurned
    | CardPlayed
    | CardDrawn
    | StockRanOut
    | Restocked
    | TurnPassed
    | HandWon
    | HandBlocked
    | HandScored
    | GameEnded
)


# --- State, and what each event makes of it -----------------------------------------------------


@dataclass(slots=True)
class State(Copied):
    """This is the state of a table; a buried eight, which all have seen, is known to all where it lies."""

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    dealer: Seat
    """The dealer of the last hand."""
    next_dealer: Seat
    hands: tuple[Cards, ...]
    scores: Points
    ledger: Ledger
    started: bool = False
    phase: str = "hand_setup"
    deal_no: int = 0
    stock: Cards = ()
    """The stock; its top card is the first."""
    pile: Cards = ()
    """The pile; its top card is the last."""
    suit: Suit | None = None
    """The suit in force."""
    turn: Seat = NOBODY
    drawn: int = 0
    """The number of cards drawn in this turn."""
    turns: int = 0
    """The number of turns completed in this hand."""
    passes: int = 0
    """The number of turns in a row that were passed whole."""
    restocks: int = 0
    """The number of times that the pile became the stock in this hand."""
    restocking: bool = False
    out: Seat | None = None
    """The seat that has played its last card."""
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Give the state before the first event; games, hands and the deal go on from the game before."""
    rules, none = compile_rules(options, seats), (0,) * seats
    first = NOBODY if rules.picked is None else rules.picked
    before = (last.game_no, last.hand_no, last.dealer, last.next_dealer) if last else (0, 0, NOBODY, first)
    return State(rules, *before, ((),) * seats, none, Ledger(none))


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. What a seat was not shown is backs of cards."""
    match event:
        case CardPlayed():
            s.hands = put(s.hands, event.seat, remove(s.hands[event.seat], event.card))
            s.pile, s.suit = (*s.pile, event.card), in_force(event)
            s.turn, s.drawn, s.passes, s.turns = left_of(s, event.seat), 0, 0, s.turns + 1
        case CardDrawn():
            card = shown(event.card, s.stock[0])
            s.stock, s.drawn, s.restocking = s.stock[1:], s.drawn + 1, False
            s.hands = put(s.hands, event.seat, add(s.hands[event.seat], (card,)))
        case TurnPassed():
            s.turn, s.drawn, s.passes = left_of(s, event.seat), 0, event.in_a_row
            s.turns += 1
        case StockRanOut():
            s.restocking = True
        case Restocked():
            s.stock = shown(event.stock, backs(event.stock_count))
            s.pile, s.restocks = s.pile[-1:], s.restocks + 1
        case HandStarted():
            s.phase, s.dealer, s.next_dealer = "turn", event.dealer, left_of(s, event.dealer)
            s.hand_no, s.deal_no, s.turn = event.hand_no, event.deal_no, s.next_dealer
            s.drawn, s.turns, s.passes, s.restocks, s.out = 0, 0, 0, 0, None
        case HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(shown(cards, backs(count)) for cards, count in dealt)
            s.pile, s.stock = (), shown(event.stock, backs(len(s.rules.pack) - sum(event.counts)))
        case EightBuried():
            rest = s.stock[1:]
            s.stock = (*rest[: event.depth], event.card, *rest[event.depth :])
        case StarterTurned():
            s.stock, s.pile, s.suit = s.stock[1:], (event.card,), SUIT_OF[event.card]
        case HandWon():
            s.phase, s.turn, s.out = "won", NOBODY, event.seat
        case HandBlocked():
            s.phase, s.turn = "blocked", NOBODY
        case HandScored():
            s.phase, s.hands, s.scores, s.ledger = "scored", event.hands, event.totals, event.ledger
        case GameStarted():
            s.game_no, s.started = event.game_no, True
        case FirstDealerChosen():
            s.next_dealer = event.seat
        case GameEnded():
            s.phase, s.turn, s.restocking, s.ended = "game_over", NOBODY, False, event
        case _:
            assert_never(event)


def left_of(s: State, seat: Seat) -> Seat:
    """Give the seat to the left."""
    return next_seat(seat, s.rules.seats)


def in_force(played: CardPlayed) -> Suit:
    """Give the suit that is in force under a card: the one declared with it, or its own."""
    match played:
        case CardPlayed(declared_suit=str() as name):
            return Suit(SUITS.index(name))
        case _:
            return SUIT_OF[played.card]


# --- What a seat may do, and why not (crazy_eights 2, 4) ----------------------------------------


def to_act(s: State) -> tuple[Seat, ...]:
    """Give the seats that the game waits for; chance, while it deals or shuffles the pile."""
    match s.phase:
        case "game_over":
            return ()
        case "turn" if not s.restocking:
            return (s.turn,)
        case _:
            return (CHANCE,)


def ask(s: State) -> Ask:
    """Say what is asked of chance: the first dealer, a new stock, or a deal."""
    if s.restocking:
        return Shuffle(Restock, "restock", canonical(s.pile[:-1]), s.restocks)
    if s.next_dealer == NOBODY:
        return Below(PickFirst, "first_dealer", s.rules.seats)
    return Shuffle(Deal, "deal", s.rules.pack)


def legal(s: State, seat: Seat) -> Choices:
    """Give what the seat may do now; nothing if it is not its turn."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    cards, moves = playable(s, s.hands[seat]), list[Choice]()
    if cards:
        plain, eights = [c for c in cards if not is_eight(c)], [c for c in cards if is_eight(c)]
        moves.append(Plays(tuple(plain), tuple(eights), len(s.hands[seat]) == 1))
    if supply(s) and not exhausted(s):
        moves.append(Just(DrawCard))
    if may_pass(s, cards):
        moves.append(Just(PassTurn))
    return tuple(moves)


def playable(s: State, hand: Cards) -> Cards:
    """Give the cards of a hand that may be played now: eights, the suit in force, the rank on top."""
    top = RANK_OF[s.pile[-1]]
    return tuple(c for c in hand if is_eight(c) or SUIT_OF[c] == s.suit or RANK_OF[c] == top)


def supply(s: State) -> bool:
    """Say whether there is a card to draw, in the stock or, with restock, under the top of the pile."""
    return bool(s.stock) or (s.rules.restock and len(s.pile) > 1)


def exhausted(s: State) -> bool:
    """Say whether the seat to act has drawn as often as it may."""
    return s.drawn == s.rules.draw_limit


def may_pass(s: State, cards: Cards) -> bool:
    """Say whether the seat to act, which has these cards to play, may pass."""
    if supply(s):
        return exhausted(s)
    return not cards or (s.rules.draw_limit is not None and s.drawn > 0)


def refusal(s: State, seat: Seat, move: Move) -> str:
    """Name the first reason why the move is refused, in order (rules 1.3; crazy_eights 2)."""
    if s.phase != "turn":
        return "wrong_phase"
    if seat not in to_act(s):
        return "not_your_turn"
    match move:
        case PlayCard():
            return refused_card(s.hands[seat], move)
        case DrawCard():
            return "draw_limit_reached" if supply(s) else "stock_empty"
        case _:
            return "may_not_pass"


def refused_card(hand: Cards, move: PlayCard) -> str:
    """Name the first reason why a card is refused."""
    if move.card not in hand:
        return "card_not_in_hand"
    if is_eight(move.card):
        return "suit_required"
    return "not_playable" if move.declared_suit is None else "suit_not_allowed"


def default(s: State, seat: Seat) -> Move:
    """Choose for a seat whose time is up (rules 1.8)."""
    hand = s.hands[seat]
    cards = playable(s, hand)
    if plain := [c for c in cards if not is_eight(c)]:
        return PlayCard(max(plain, key=lambda c: (worth((c,)), -c)))
    if cards:
        return PlayCard(cards[0], favourite(remove(hand, cards[0])))
    return DrawCard() if supply(s) and not exhausted(s) else PassTurn()


def favourite(cards: Cards) -> SuitName:
    """Give the suit most frequent among the cards, of equal ones the first."""
    count = Counter(SUIT_OF[c] for c in cards)
    return max(SUIT_NAMES, key=lambda name: count[Suit(SUITS.index(name))])


def completed(s: State, seat: Seat, move: type, card: Card | None = None) -> Move | None:
    """Give the play of an eight that names the suit most frequent in the rest of the hand."""
    hand = s.hands[seat]
    return PlayCard(card, favourite(remove(hand, card))) if move is PlayCard and card in hand else None


# --- What a move does (crazy_eights 3, 4) -------------------------------------------------------


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    match move:
        case PlayCard():
            return (CardPlayed(seat, move.card, move.declared_suit, len(s.hands[seat]) - 1),)
        case DrawCard():
            return (drawn_from(s.stock, seat),) if s.stock else (StockRanOut(seat),)
        case PassTurn():
            return (TurnPassed(seat, 0 if s.drawn else s.passes + 1),)
        case Restock():
            return Restocked(len(move.cards), move.cards), drawn_from(move.cards, s.turn)
        case PickFirst():
            return GameStarted(s.game_no + 1), FirstDealerChosen(move.seat, "random")
        case Deal():
            return (*opened(s), *hand_dealt(s, move.pack))


def drawn_from(stock: Cards, seat: Seat) -> CardDrawn:
    """Let the seat draw the top card."""
    return CardDrawn(seat, len(stock) - 1, stock[0])


def opened(s: State) -> tuple[Event, ...]:
    """Begin the game, if the hand is its first; the first of the match names a picked dealer."""
    if s.started:
        return ()
    picked = () if s.hand_no else (FirstDealerChosen(s.next_dealer, "pick"),)
    return (GameStarted(s.game_no + 1), *picked)


def hand_dealt(s: State, pack: Cards) -> tuple[Event, ...]:
    """Deal a hand one card at a time from the dealer's left, and turn the starter."""
    dealer, n, size = s.next_dealer, s.rules.seats, s.rules.hand_size
    cards, stock = pack[: n * size], pack[n * size :]
    hands = tuple(tuple(sorted(cards[(seat - dealer - 1) % n :: n])) for seat in range(n))
    begun = HandStarted(s.hand_no + 1, s.deal_no + 1, dealer)
    return begun, HandDealt((size,) * n, hands, stock), *starter(stock)


def starter(stock: Cards) -> tuple[Event, ...]:
    """Turn the next card; an eight is buried in the middle of what is left, and the next one turned."""
    buried: list[Event] = []
    while is_eight(stock[0]):
        eight, rest = stock[0], stock[1:]
        depth = len(rest) // 2
        buried.append(EightBuried(eight, depth))
        stock = (*rest[:depth], eight, *rest[depth:])
    return (*buried, StarterTurned(stock[0], len(stock) - 1))


# --- What must then happen (crazy_eights 5) -----------------------------------------------------


def consequences(s: State) -> tuple[Event, ...]:
    """Give the events that follow now without a move."""
    match s.phase:
        case "turn":
            return turn_over(s)
        case "won" | "blocked":
            return (hand_scored(s),)
        case "scored":
            return game_over(s)
        case _:
            return ()


def turn_over(s: State) -> tuple[Event, ...]:
    """End the hand if a seat has no card left, if no seat can move, or if it has lasted too long."""
    if () in s.hands:
        return (HandWon(s.hands.index(())),)
    endless = s.rules.restock and s.turns == MOST_TURNS
    return (HandBlocked(),) if s.passes == s.rules.seats or endless else ()


def hand_scored(s: State) -> HandScored:
    """Score a hand: who went out collects from all others; a blocked one as the options say."""
    values, n = [worth(hand) for hand in s.hands], s.rules.seats
    if s.out is None:
        payments, points = blocked_payments(values, s.rules.blocked)
    else:
        payments = collected(values, s.out)
        points = gains(payments, n)
    totals = tuple(map(sum, zip(s.scores, points, strict=True)))
    net = tuple(map(sum, zip(s.ledger.net, nets(payments, n), strict=True)))
    return HandScored(s.hands, payments, points, totals, Ledger(net))


def game_over(s: State) -> tuple[Event, ...]:
    """End the game after its one hand, or once a total has reached the target; at the latest after `MOST_HANDS`."""
    if s.rules.target is None:
        return (ended(s, hand_winners(s), "hand_over"),)
    best = max(s.scores)
    if best < s.rules.target and s.deal_no < MOST_HANDS:
        return ()
    reason = "target_score" if best >= s.rules.target else "max_hands"
    return (ended(s, [i for i, total in enumerate(s.scores) if total == best], reason),)


def hand_winners(s: State) -> Sequence[Seat]:
    """Give who went out, or the lowest of a blocked hand; none if a blocked hand is not scored."""
    if s.out is not None:
        return (s.out,)
    return () if s.rules.blocked == "none" else lowest([worth(hand) for hand in s.hands])


def ended(s: State, winners: Sequence[Seat], reason: str) -> GameEnded:
    """End the game: its winners first, then all others by their totals; all share a drawn one."""
    top = max(s.scores) + 1
    places = ranked(-top if i in winners else -total for i, total in enumerate(s.scores))
    return GameEnded(s.scores, places if winners else (1,) * len(places), tuple(winners), s.ledger, reason)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[Event, ...]:
    """End the game now: a seat that gave up comes last, the others by their totals; if none did, no seat wins."""
    won = highest_wins(s.scores, gave_up) if gave_up else drawn(s.scores)
    return (GameEnded(s.scores, won.places, won.winners, s.ledger, reason),)


def outcome(s: State) -> Outcome | None:
    """Give the result of a game that is over."""
    return None if s.ended is None else Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


# --- What a seat is shown -----------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> CrazyEightsShown:
    """Give the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": None if s.dealer == NOBODY else s.dealer,
        "turn": None if s.turn == NOBODY else s.turn,
        "hand": [] if seat is None else names(s.hands[seat]),
        "hands": [None if BACK in hand else names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "stock_count": len(s.stock),
        "discard_top": NAMES[s.pile[-1]] if s.pile else None,
        "pile": names(s.pile),
        "suit": None if s.suit is None else SUITS[s.suit],
        "drawn": s.drawn,
        "passes": s.passes,
        "turns": s.turns,
        "scores": list(s.scores),
        "ledger": {"net": list(s.ledger.net)},
    }


ANSWERS: Mapping[type, str] = {CardPlayed: "seat", CardDrawn: "seat", TurnPassed: "seat"}


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Give the move of a seat that the event records."""
    match event:
        case CardPlayed():
            return event.seat, PlayCard(event.card, event.declared_suit)
        case CardDrawn() | StockRanOut():
            return event.seat, DrawCard()
        case TurnPassed():
            return event.seat, PassTurn()
        case _:
            return None


TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} begins.",
    FirstDealerChosen: "Seat {seat} deals first, {how}.",
    HandStarted: "Hand {hand_no}: seat {dealer} deals.",
    HandDealt: "The cards are dealt{cards:dealt}.",
    EightBuried: "{card} is turned, and buried under {depth} cards.",
    StarterTurned: "{card} is turned to begin the pile; {stock_count} cards left in the stock.",
    CardPlayed: "Seat {seat} plays {card}{declared_suit}; {cards_left} left in hand.",
    CardDrawn: "Seat {seat} draws {card}; {stock_count} left in the stock.",
    StockRanOut: "Seat {seat} is to draw, and the stock is empty.",
    Restocked: "The pile is shuffled into a stock of {stock_count}.",
    TurnPassed: "Seat {seat} passes.",
    HandWon: "Seat {seat} has played its last card.",
    HandBlocked: "Nobody can play: the hand is blocked.",
    HandScored: "The hand is over. Left in hand: {hands}. Points: {points}. Totals: {totals}.",
    GameEnded: "The game is over: {winners}{reason}. Totals: {totals}.",
}

IN_WORDS: words.Words = {
    "how": {"pick": "as was chosen", "random": "by lot"}.__getitem__,
    "declared_suit": lambda x: "" if x is None else f" and names {x}",
    "hands": lambda x: words.each(map(words.cards, x)),
}

text = words.event_text(TEXTS, IN_WORDS)
