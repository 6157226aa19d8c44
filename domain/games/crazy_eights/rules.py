"""Defines the rules of Crazy Eights: the state, the effects of events, legal moves, their events and what follows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import starmap
from typing import assert_never

from domain.core.cards import (
    NOBODY,
    RANK_OF,
    SUIT_OF,
    SUITS,
    Card,
    Cards,
    Seat,
    Suit,
    add_cards,
    backs,
    deal_hands,
    next_seat,
    order_from_left,
    remove_cards,
)
from domain.core.choices import Ask, Below, Choice, NoArguments, Shuffle
from domain.core.game import CHANCE, Choices, Outcome, drawn_outcome, highest_wins, rank_lowest_first
from domain.core.values import Compiled, Copied, mutable, or_back, put_at
from domain.games.crazy_eights import events
from domain.games.crazy_eights.options import (
    MOST_HANDS,
    MOST_TURNS,
    Options,
    Points,
    Rules,
    blocked_payments,
    bury_eights,
    canonical,
    collect_hand_values,
    compile_rules,
    gains,
    is_eight,
    lowest,
    nets,
    worth,
)

# --- The state ------------------------------------------------------------------------------------


@mutable
class State(Copied):
    """The state of a table; the position of a buried eight is public."""

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    dealer: Seat
    """The dealer of the last hand."""
    next_dealer: Seat
    hands: tuple[Cards, ...]
    scores: Points
    ledger: events.Ledger
    started: bool = False
    phase: str = "hand_setup"
    deal_no: int = 0
    stock: Cards = ()
    """The stock; its top card is the first."""
    pile: Cards = ()
    """The pile; its top card is the last."""
    suit: Suit | None = None
    """The suit to follow."""
    turn: Seat = NOBODY
    drawn: int = 0
    """The number of cards drawn in this turn."""
    turns: int = 0
    """The number of turns completed in this hand."""
    passes: int = 0
    """The number of consecutive turns that were only a pass."""
    restocks: int = 0
    """The number of times that the pile became the stock in this hand."""
    restocking: bool = False
    out: Seat | None = None
    """The seat that has played its last card."""
    ended: events.GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; numbering and the deal continue from the previous game."""
    rules, none = compile_rules(options, seats), (0,) * seats
    first = NOBODY if rules.picked is None else rules.picked
    before = (last.game_no, last.hand_no, last.dealer, last.next_dealer) if last else (0, 0, NOBODY, first)
    return State(rules, *before, ((),) * seats, none, events.Ledger(none))


def evolve(s: State, event: events.Event) -> None:
    """Apply an event to the state. Cards hidden from a seat are backs."""
    match event:
        case events.CardPlayed():
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], event.card))
            s.pile, s.suit = (*s.pile, event.card), in_force(event)
            s.turn, s.drawn, s.passes, s.turns = left_of(s, event.seat), 0, 0, s.turns + 1
        case events.CardDrawn():
            card = or_back(event.card, s.stock[0])
            s.stock, s.drawn, s.restocking = s.stock[1:], s.drawn + 1, False
            s.hands = put_at(s.hands, event.seat, add_cards(s.hands[event.seat], (card,)))
        case events.TurnPassed():
            s.turn, s.drawn, s.passes = left_of(s, event.seat), 0, event.in_a_row
            s.turns += 1
        case events.StockRanOut():
            s.restocking = True
        case events.Restocked():
            s.stock = or_back(event.stock, backs(event.stock_count))
            s.pile, s.restocks = s.pile[-1:], s.restocks + 1
        case events.HandStarted():
            s.phase, s.dealer, s.next_dealer = "turn", event.dealer, left_of(s, event.dealer)
            s.hand_no, s.deal_no, s.turn = event.hand_no, event.deal_no, s.next_dealer
            s.drawn, s.turns, s.passes, s.restocks, s.out = 0, 0, 0, 0, None
        case events.HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(or_back(cards, backs(count)) for cards, count in dealt)
            s.pile, s.stock = (), or_back(event.stock, backs(len(s.rules.pack) - sum(event.counts)))
        case events.EightBuried():
            rest = s.stock[1:]
            s.stock = (*rest[: event.depth], event.card, *rest[event.depth :])
        case events.StarterTurned():
            s.stock, s.pile, s.suit = s.stock[1:], (event.card,), SUIT_OF[event.card]
        case events.HandWon():
            s.phase, s.turn, s.out = "won", NOBODY, event.seat
        case events.HandBlocked():
            s.phase, s.turn = "blocked", NOBODY
        case events.HandScored():
            s.phase, s.hands, s.scores, s.ledger = "scored", event.hands, event.totals, event.ledger
        case events.GameStarted():
            s.game_no, s.started = event.game_no, True
        case events.FirstDealerChosen():
            s.next_dealer = event.seat
        case events.GameEnded():
            s.phase, s.turn, s.restocking, s.ended = "game_over", NOBODY, False, event
        case _:
            assert_never(event)


def left_of(s: State, seat: Seat) -> Seat:
    """Return the seat to the left."""
    return next_seat(seat, s.rules.seats)


def in_force(played: events.CardPlayed) -> Suit:
    """Return the suit to follow after a card: the one declared with it, or its own.

    The event decides: it names a suit or none. Whether an eight must name one is checked before.
    """
    match played:
        case events.CardPlayed(declared_suit=str() as name):
            return Suit(SUITS.index(name))
        case _:
            return SUIT_OF[played.card]


# --- Play -----------------------------------------------------------------------------------------


# --- Legal moves and refusals (crazy_eights 2, 4) ----------------------------------------------------------


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for; chance, while it deals or shuffles the pile."""
    match s.phase:
        case "game_over":
            return ()
        case "turn" if not s.restocking:
            return (s.turn,)
        case _:
            return (CHANCE,)


def ask(s: State) -> Ask:
    """Return the question to chance: the first dealer, a new stock, or a deal."""
    if s.restocking:
        return Shuffle(events.Restock, "restock", canonical(s.pile[:-1]), s.restocks)
    if s.next_dealer == NOBODY:
        return Below(events.PickFirst, "first_dealer", s.rules.seats)
    return Shuffle(events.Deal, "deal", s.rules.pack)


def legal(s: State, seat: Seat) -> Choices:
    """Return the seat's legal moves; none if it is not its turn."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    cards, moves = playable(s, s.hands[seat]), list[Choice]()
    if cards:
        plain, eights = [c for c in cards if not is_eight(c)], [c for c in cards if is_eight(c)]
        moves.append(events.Plays(tuple(plain), tuple(eights), len(s.hands[seat]) == 1))
    if supply(s) and not draws_used_up(s):
        moves.append(NoArguments(events.DrawCard))
    if may_pass(s, cards):
        moves.append(NoArguments(events.PassTurn))
    return tuple(moves)


def playable(s: State, hand: Cards) -> Cards:
    """Return the cards of a hand that may be played now: eights, the suit to follow, the rank on top."""
    top = RANK_OF[s.pile[-1]]
    return tuple(c for c in hand if is_eight(c) or SUIT_OF[c] == s.suit or RANK_OF[c] == top)


def supply(s: State) -> bool:
    """Return whether there is a card to draw, in the stock or, with restock, under the top of the pile."""
    return bool(s.stock) or (s.rules.restock and len(s.pile) > 1)


def draws_used_up(s: State) -> bool:
    """Return whether the seat to act has made all its draws."""
    return s.drawn == s.rules.draw_limit


def may_pass(s: State, cards: Cards) -> bool:
    """Return whether the seat to act, which has these cards to play, may pass."""
    if supply(s):
        return draws_used_up(s)
    return not cards or (s.rules.draw_limit is not None and s.drawn > 0)


def refusal(s: State, seat: Seat, move: events.Move) -> str:
    """Name the first reason why the move is refused, in order (rules 1.3; crazy_eights 2)."""
    if s.phase != "turn":
        return "wrong_phase"
    if seat not in to_act(s):
        return "not_your_turn"
    match move:
        case events.PlayCard():
            return refused_card(s.hands[seat], move)
        case events.DrawCard():
            return "draw_limit_reached" if supply(s) else "stock_empty"
        case _:
            return "may_not_pass"


def refused_card(hand: Cards, move: events.PlayCard) -> str:
    """Name the first reason why a card is refused."""
    if move.card not in hand:
        return "card_not_in_hand"
    if is_eight(move.card):
        return "suit_required"
    return "not_playable" if move.declared_suit is None else "suit_not_allowed"


def default(s: State, seat: Seat) -> events.Move:
    """Return the default move of a seat whose time is up (rules 1.8)."""
    hand = s.hands[seat]
    cards = playable(s, hand)
    if plain := [c for c in cards if not is_eight(c)]:
        return events.PlayCard(max(plain, key=lambda c: (worth((c,)), -c)))
    if cards:
        return events.PlayCard(cards[0], favourite(remove_cards(hand, cards[0])))
    return events.DrawCard() if supply(s) and not draws_used_up(s) else events.PassTurn()


def favourite(cards: Cards) -> events.SuitName:
    """Return the most frequent suit among the cards, the first of several."""
    count = Counter(SUIT_OF[c] for c in cards)
    return max(events.SUIT_NAMES, key=lambda name: count[Suit(SUITS.index(name))])


def complete_move(s: State, seat: Seat, move: type, card: Card | None = None) -> events.Move | None:
    """Return the play of an eight that names the suit most frequent in the rest of the hand."""
    hand = s.hands[seat]
    return (
        events.PlayCard(card, favourite(remove_cards(hand, card))) if move is events.PlayCard and card in hand else None
    )


# --- Moves and their events (crazy_eights 3, 4) ------------------------------------------------------------


def decide(s: State, seat: Seat, move: events.Move) -> tuple[events.Event, ...]:
    """Return the events of a legal move."""
    match move:
        case events.PlayCard():
            return (events.CardPlayed(seat, move.card, move.declared_suit, len(s.hands[seat]) - 1),)
        case events.DrawCard():
            return (drawn_from(s.stock, seat),) if s.stock else (events.StockRanOut(seat),)
        case events.PassTurn():
            return (events.TurnPassed(seat, 0 if s.drawn else s.passes + 1),)
        case events.Restock():
            return events.Restocked(len(move.cards), move.cards), drawn_from(move.cards, s.turn)
        case events.PickFirst():
            return events.GameStarted(s.game_no + 1), events.FirstDealerChosen(move.seat, "random")
        case events.Deal():
            return (*begin_game(s), *deal_hand_and_starter(s, move.pack))


def drawn_from(stock: Cards, seat: Seat) -> events.CardDrawn:
    """Draw the top card for the seat."""
    return events.CardDrawn(seat, len(stock) - 1, stock[0])


def begin_game(s: State) -> tuple[events.Event, ...]:
    """Begin the game, if the hand is its first; the first of the match names a picked dealer."""
    if s.started:
        return ()
    picked = () if s.hand_no else (events.FirstDealerChosen(s.next_dealer, "pick"),)
    return (events.GameStarted(s.game_no + 1), *picked)


def deal_hand_and_starter(s: State, pack: Cards) -> tuple[events.Event, ...]:
    """Deal a hand one card at a time from the dealer's left, and turn the starter."""
    dealer, n, size = s.next_dealer, s.rules.seats, s.rules.hand_size
    cards, stock = pack[: n * size], pack[n * size :]
    hands = deal_hands(cards, order_from_left(dealer, n), n)
    begun = events.HandStarted(s.hand_no + 1, s.deal_no + 1, dealer)
    return begun, events.HandDealt((size,) * n, hands, stock), *starter(stock)


def starter(stock: Cards) -> tuple[events.Event, ...]:
    """Turn the next card; an eight is buried in the middle of the remaining stock, and the next card turned."""
    buried, stock = bury_eights(stock)
    return (*starmap(events.EightBuried, buried), events.StarterTurned(stock[0], len(stock) - 1))


# --- Consequences (crazy_eights 5) -------------------------------------------------------------------------


def consequences(s: State) -> tuple[events.Event, ...]:
    """Return the events that follow now without a move."""
    match s.phase:
        case "turn":
            return turn_over(s)
        case "won" | "blocked":
            return (score_hand(s),)
        case "scored":
            return game_over(s)
        case _:
            return ()


def turn_over(s: State) -> tuple[events.Event, ...]:
    """End the hand if a seat has no card left, if no seat can move, or if it has lasted too long."""
    if () in s.hands:
        return (events.HandWon(s.hands.index(())),)
    endless = s.rules.restock and s.turns == MOST_TURNS
    return (events.HandBlocked(),) if s.passes == s.rules.seats or endless else ()


def score_hand(s: State) -> events.HandScored:
    """Score a hand: the seat that went out collects from all others; a blocked hand as the options say."""
    values, n = [worth(hand) for hand in s.hands], s.rules.seats
    if s.out is None:
        payments, points = blocked_payments(values, s.rules.blocked)
    else:
        payments = collect_hand_values(values, s.out)
        points = gains(payments, n)
    totals = tuple(map(sum, zip(s.scores, points, strict=True)))
    net = tuple(map(sum, zip(s.ledger.net, nets(payments, n), strict=True)))
    return events.HandScored(s.hands, payments, points, totals, events.Ledger(net))


def game_over(s: State) -> tuple[events.Event, ...]:
    """End the game after its one hand, or once a total has reached the target; at the latest after `MOST_HANDS`."""
    if s.rules.target is None:
        return (end_game(s, hand_winners(s), "hand_over"),)
    best = max(s.scores)
    if best < s.rules.target and s.deal_no < MOST_HANDS:
        return ()
    reason = "target_score" if best >= s.rules.target else "max_hands"
    return (end_game(s, [i for i, total in enumerate(s.scores) if total == best], reason),)


def hand_winners(s: State) -> Sequence[Seat]:
    """Return the seat that went out, or the lowest seats of a blocked hand; none if a blocked hand is not scored."""
    if s.out is not None:
        return (s.out,)
    return () if s.rules.blocked == "none" else lowest([worth(hand) for hand in s.hands])


def end_game(s: State, winners: Sequence[Seat], reason: str) -> events.GameEnded:
    """End the game: the winners come first, the others rank by their totals; in a drawn game, all share a place."""
    top = max(s.scores) + 1
    places = rank_lowest_first(-top if i in winners else -total for i, total in enumerate(s.scores))
    return events.GameEnded(s.scores, places if winners else (1,) * len(places), tuple(winners), s.ledger, reason)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[events.Event, ...]:
    """End the game now: resigned seats come last, the others rank by their totals; if none resigned, no seat wins."""
    won = highest_wins(s.scores, gave_up) if gave_up else drawn_outcome(s.scores)
    return (events.GameEnded(s.scores, won.places, won.winners, s.ledger, reason),)


def outcome(s: State) -> Outcome | None:
    """Return the result of a game that is over."""
    return None if s.ended is None else Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


ANSWERS: Mapping[type, str] = {events.CardPlayed: "seat", events.CardDrawn: "seat", events.TurnPassed: "seat"}


def move_of(event: events.Event) -> tuple[Seat, events.Move] | None:
    """Return the move of a seat that the event records."""
    match event:
        case events.CardPlayed():
            return event.seat, events.PlayCard(event.card, event.declared_suit)
        case events.CardDrawn() | events.StockRanOut():
            return event.seat, events.DrawCard()
        case events.TurnPassed():
            return event.seat, events.PassTurn()
        case _:
            return None
