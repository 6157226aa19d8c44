"""Defines the rules of Two-Handed Hearts: the state of a table, legal moves, and their consequences.

A drawing phase, or drawing after every trick, replaces passing.
"""

from collections.abc import Mapping
from itertools import starmap
from typing import assert_never

from domain.core.cards import (
    BACK,
    NOBODY,
    OF_SUIT,
    PACK,
    RANK_OF,
    SUIT_OF,
    Card,
    Cards,
    Seat,
    add_cards,
    backs,
    cut_for_deal,
    deal_hands,
    drop_cards,
    keep_cards,
    next_seat,
    order_from_left,
    remove_cards,
)
from domain.core.choices import Ask, Choice, NoArguments, OneCard, Shuffle
from domain.core.game import CHANCE, Choices, Outcome, rank_lowest_first
from domain.core.tricks import Trick
from domain.core.values import Compiled, Copied, mutable, or_back, put_at
from domain.games.two_handed_hearts import events
from domain.games.two_handed_hearts.options import (
    SEATS,
    Options,
    Pair,
    Rules,
    compile_rules,
    count_taken,
    points_of,
    shot,
    winner,
)

STOCK = 26  # cards left by the deal
MOST_FALSE_CLAIMS = 3


# --- The state, and the effects of events ------------------------------------------------------------------


@mutable
class State(Copied):
    """The state of a table; revokes are found from the hands."""

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    next_dealer: Seat
    """The next dealer, through the whole match; `NOBODY` before the cut."""
    started: bool = False
    phase: str = "hand_setup"
    dealer: Seat = NOBODY
    deal_no: int = 0
    hands: tuple[Cards, ...] = ((), ())
    stock: Cards = ()
    drawn: Card | None = None
    """The card that was drawn and is not yet kept or rejected."""
    waste: tuple[Cards, ...] = ((), ())
    """The cards in the waste, by the seat that put them there."""
    draws: tuple[Cards, ...] = ((), ())
    """The cards that each seat has drawn during play, in order."""
    leader: Seat = NOBODY
    turn: Seat = NOBODY
    trick: Cards = ()
    tricks: tuple[Trick, ...] = ()
    before: tuple[Trick, ...] = ()
    """The last trick of the previous hand or game, until a seat decides in this one."""
    false_claims: Pair = (0, 0)
    passed: tuple[bool, ...] = (False, False)
    """Whether each seat has passed its claims after the last trick."""
    revokes: tuple[events.RevokeFound, ...] = ()
    scores: Pair = (0, 0)
    reached: tuple[int, ...] = ()
    """All totals that seats have had in this game."""
    moons: tuple[Seat | None, ...] = ()
    """The seat that shot the moon in each hand of this game; None for none."""
    ended: events.GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; numbering and the deal continue from the previous game."""
    if last is None:
        return State(compile_rules(options), 0, 0, NOBODY)
    return State(compile_rules(options), last.game_no, last.hand_no, last.next_dealer, before=last.tricks[-1:])


def evolve(s: State, event: events.Event) -> None:
    """Apply an event to the state. Cards hidden from a seat are backs."""
    match event:
        case events.CardPlayed():
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], event.card))
            s.trick += (event.card,)
            s.turn, s.before = next_seat(event.seat, 2), ()
        case events.TrickTaken():
            s.tricks += (Trick(s.leader, s.trick, event.winner),)
            s.trick, s.leader, s.turn = (), event.winner, event.winner
        case events.StockDrawn():
            s.phase, s.drawn, s.stock = "drawing", or_back(event.card, BACK), s.stock[1:]
        case events.HandReplenished():
            card, s.stock = or_back(event.card, BACK), s.stock[1:]
            s.hands = put_at(s.hands, event.seat, add_cards(s.hands[event.seat], (card,)))
            s.draws = put_at(s.draws, event.seat, (*s.draws[event.seat], card))
        case events.DrawnCardKept():
            away, joins = or_back(event.discarded, BACK), or_back(s.drawn, BACK)
            s.hands = put_at(s.hands, event.seat, add_cards(remove_cards(s.hands[event.seat], away), (joins,)))
            s.waste = put_at(s.waste, event.seat, (*s.waste[event.seat], away))
            s.drawn, s.turn, s.before = None, next_seat(event.seat, 2), ()
        case events.DrawnCardRejected():
            s.waste = put_at(s.waste, event.seat, (*s.waste[event.seat], or_back(s.drawn, BACK)))
            s.drawn, s.turn, s.before = None, next_seat(event.seat, 2), ()
        case events.DrawingCompleted():
            s.phase, s.leader, s.turn = "playing", event.leader, event.leader
        case events.ClaimingStarted():
            s.phase, s.turn = "claiming", NOBODY
        case events.ClaimPassed():
            s.passed = put_at(s.passed, event.seat, True)
        case events.ClaimRejected():
            s.false_claims = put_at(s.false_claims, event.by, s.false_claims[event.by] + 1)
        case events.RevokeFound():
            s.revokes += (event,)
        case events.HandStarted():
            s.phase, s.dealer, s.next_dealer = "playing", event.dealer, next_seat(event.dealer, 2)
            s.hand_no, s.deal_no, s.leader, s.turn = event.hand_no, event.deal_no, event.dealer, event.dealer
            s.before = (s.before + s.tricks)[-1:]
            s.waste, s.draws, s.trick, s.tricks = ((), ()), ((), ()), (), ()
            s.false_claims, s.passed, s.revokes = (0, 0), (False, False), ()
        case events.HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(or_back(cards, backs(count)) for cards, count in dealt)
            s.stock = or_back(event.stock, backs(STOCK))
        case events.HandScored():
            s.phase, s.turn, s.scores = "scored", NOBODY, event.totals
            s.reached += event.totals
            s.moons += (event.moon,)
        case events.GameStarted():
            s.game_no, s.started = event.game_no, True
        case events.FirstDealerChosen():
            s.next_dealer = event.seat
        case events.GameEnded():
            s.phase, s.turn, s.ended = "game_over", NOBODY, event
        case events.CardCut():
            pass
        case _:
            assert_never(event)


# --- Legal moves and refusals (two_handed_hearts 2, 4, 6) --------------------------------------------------


def phase(s: State) -> str:
    """Name the phase; the cut comes only before the first hand of the match."""
    return "cut" if s.next_dealer == NOBODY else s.phase


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for."""
    match s.phase:
        case "drawing" | "playing":
            return (s.turn,)
        case "claiming":
            return tuple(seat for seat in SEATS if not s.passed[seat])
        case "game_over":
            return ()
        case _:
            return (CHANCE,)


def ask(s: State) -> Ask:
    """Return the question to chance: the cut, or a deal."""
    return Shuffle(events.Cut, "cut", PACK) if s.next_dealer == NOBODY else Shuffle(events.Deal, "deal", PACK)


def legal(s: State, seat: Seat) -> Choices:
    """Return the seat's legal moves; claims may be made out of turn."""
    return (*turn_moves(s, seat), *claims(s, seat))


def turn_moves(s: State, seat: Seat) -> Choices:
    """Return the moves of the seat that the game waits for."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    match s.phase:
        case "drawing":
            return (NoArguments(events.RejectCard), OneCard(events.KeepCard, s.hands[seat]))
        case "playing":
            return (OneCard(events.PlayCard, playable(s, s.hands[seat])),)
        case _:
            return (NoArguments(events.PassClaim),)


def claims(s: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the claims open to the seat, from the first complete trick until both pass."""
    if not may_claim(s) or not s.tricks or s.false_claims[seat] == MOST_FALSE_CLAIMS:
        return ()
    return (events.Accusation(len(s.tricks), 1 - seat),)


def may_claim(s: State) -> bool:
    """Return whether claims are possible in this phase."""
    return s.rules.claims and s.phase in ("playing", "claiming")


def playable(s: State, hand: Cards) -> Cards:
    """Return the cards of a hand that may be played now: all, if following suit is left to honour."""
    return hand if s.rules.honour else following(s, hand)


def following(s: State, hand: Cards) -> Cards:
    """Return the cards of a hand that follow suit, all if none does."""
    return keep_cards(hand, OF_SUIT[SUIT_OF[s.trick[0]]]) or hand if s.trick else hand


PHASES = {
    events.KeepCard: "drawing",
    events.RejectCard: "drawing",
    events.PlayCard: "playing",
    events.PassClaim: "claiming",
}


def refusal(s: State, seat: Seat, move: events.Move) -> str:
    """Name the first reason why the move is refused, in order (rules 1.3; two_handed_hearts 2)."""
    if isinstance(move, events.ClaimRevoke):
        return refused_claim(s, seat, move)
    if PHASES.get(type(move)) != s.phase:
        return "wrong_phase"
    if seat not in to_act(s):
        return "already_done" if s.phase == "claiming" else "not_your_turn"
    if isinstance(move, events.KeepCard) and move.discard == s.drawn:
        return "must_discard_another"
    card = move.card if isinstance(move, events.PlayCard) else None
    return "must_follow_suit" if card in s.hands[seat] else "card_not_in_hand"


def refused_claim(s: State, seat: Seat, claim: events.ClaimRevoke) -> str:
    """Name the first reason why a claim is refused; only the other seat can accuse."""
    if not may_claim(s):
        return "wrong_phase"
    if claim.accused == seat:
        return "not_your_turn"
    return "too_many_claims" if 0 < claim.trick_no <= len(s.tricks) else "no_such_object"


def default(s: State, seat: Seat) -> events.Move:
    """Return the default move of a seat whose time is up (rules 1.8); it follows suit even if it need not."""
    match s.phase:
        case "drawing":
            return events.RejectCard()
        case "playing" if seat == s.turn:
            return events.PlayCard(min(following(s, s.hands[seat]), key=by_rank))
        case _:
            return events.PassClaim()


def by_rank(c: Card) -> tuple[int, int]:
    """Order cards by rank, and equal ranks C, D, H, S."""
    return RANK_OF[c], SUIT_OF[c]


# --- Moves and their events (two_handed_hearts 3, 4, 6) ----------------------------------------------------


def decide(s: State, seat: Seat, move: events.Move) -> tuple[events.Event, ...]:
    """Return the events of a legal move."""
    match move:
        case events.PlayCard():
            return (events.CardPlayed(seat, move.card, len(s.tricks) + 1),)
        case events.KeepCard():
            return (events.DrawnCardKept(seat, move.discard),)
        case events.RejectCard():
            return (events.DrawnCardRejected(seat),)
        case events.ClaimRevoke():
            found = find_revoke(s, move.trick_no, seat)
            return (found or events.ClaimRejected(seat, move.trick_no, move.accused),)
        case events.PassClaim():
            return (events.ClaimPassed(seat),)
        case events.Deal():
            started = () if s.started else (events.GameStarted(s.game_no + 1),)
            return (*started, *deal_hand(s, move.pack))
        case events.Cut():
            cuts, dealer = cut_for_deal(move.pack, SEATS, RANK_OF.__getitem__)
            return (
                events.GameStarted(s.game_no + 1),
                *starmap(events.CardCut, cuts),
                events.FirstDealerChosen(dealer, "cut"),
            )


def deal_hand(s: State, pack: Cards) -> tuple[events.Event, ...]:
    """Deal a hand one card at a time, the first to the non-dealer; the rest is the stock."""
    dealer = s.next_dealer
    hands = deal_hands(pack[:26], order_from_left(dealer, 2), 2)
    counts = tuple(map(len, hands))
    return events.HandStarted(s.hand_no + 1, s.deal_no + 1, dealer), events.HandDealt(counts, hands, pack[26:])


# --- Consequences (two_handed_hearts 4–8) ------------------------------------------------------------------


def consequences(s: State) -> tuple[events.Event, ...]:
    """Return the events that follow now without a move."""
    match s.phase:
        case "drawing":
            return next_draw(s)
        case "playing" if s.rules.draws and s.stock:
            return next_draw(s)
        case "playing":
            return after_card(s)
        case "claiming":
            return (score_hand(s),) if s.revokes or all(s.passed) else ()
        case "scored":
            return game_ended(s)
        case _:
            return ()


def next_draw(s: State) -> tuple[events.Event, ...]:
    """Let the seat to draw take the top card; after the last one, play begins."""
    if s.drawn is not None:
        return ()
    left = len(s.stock) - 1
    return (
        (events.StockDrawn(s.turn, STOCK - left, left, s.stock[0]),)
        if s.stock
        else (events.DrawingCompleted(s.dealer),)
    )


def replenish_hand(s: State, seat: Seat, i: int) -> events.HandReplenished:
    """Take the i-th card from the top for the seat, once those above it are gone."""
    left = len(s.stock) - i - 1
    return events.HandReplenished(seat, STOCK - left, left, s.stock[i])


def after_card(s: State) -> tuple[events.Event, ...]:
    """Take a full trick, replenish after it, end the hand after the last, or once a revoke is found."""
    played = len(s.tricks)
    if s.revokes:
        return (score_hand(s),)
    if len(s.trick) == 2:
        return (events.TrickTaken(played + 1, winner(s.leader, s.trick), s.trick),)
    if s.trick:
        return ()
    if len(s.stock) > max(0, STOCK - 2 * played):
        return replenish_hand(s, s.leader, 0), replenish_hand(s, 1 - s.leader, 1)
    return hand_over(s) if played == s.rules.tricks else ()


def hand_over(s: State) -> tuple[events.Event, ...]:
    """End a hand that was played out: find all revokes, or wait for claims, or score."""
    if s.rules.claims:
        return (events.ClaimingStarted(),)
    found = [find_revoke(s, i + 1, None) for i in range(s.rules.tricks)] if s.rules.honour else []
    return tuple(filter(None, found)) or (score_hand(s),)


def find_revoke(s: State, trick_no: int, by: Seat | None) -> events.RevokeFound | None:
    """Find the revoke in a complete trick, if there was one that `by` may claim: the leader cannot revoke.

    The cards held then are those held now and those played since, without those drawn since.
    """
    trick, since = s.tricks[trick_no - 1], s.tricks[trick_no:]
    seat, suit = 1 - trick.leader, OF_SUIT[SUIT_OF[trick.cards[0]]]
    card = trick.cards[1]
    if card in suit or seat == by:
        return None
    played = [t.cards[seat != t.leader] for t in since] + [*s.trick[seat != s.leader :][:1]]
    held = drop_cards(keep_cards(add_cards(s.hands[seat], played), suit), s.draws[seat][trick_no - 1 :])
    return events.RevokeFound(seat, trick_no, card, held, by) if held else None


def taken_by(s: State, seat: Seat) -> Cards:
    """Return all cards that the seat took, in the order taken."""
    return tuple(c for trick in s.tricks if trick.winner == seat for c in trick.cards)


def score_hand(s: State) -> events.HandScored:
    """Score the hand (two_handed_hearts 7)."""
    took = tuple(count_taken(s.rules, taken_by(s, seat)) for seat in SEATS)
    guilty = tuple(seat for seat in SEATS if any(found.seat == seat for found in s.revokes))
    shooter = None if guilty else shot(s.rules, took)
    points = points_of(s.rules, took, shooter, guilty)
    totals = tuple(map(sum, zip(s.scores, points, strict=True)))
    return events.HandScored(took, sum(map(len, s.waste)), shooter, guilty, points, totals)


def game_ended(s: State) -> tuple[events.Event, ...]:
    """End the game at the target, unless a tie is to be played off, or at the cap (two_handed_hearts 8)."""
    capped = 0 < s.rules.cap <= s.deal_no
    tied = s.scores[0] == s.scores[1]
    if max(s.reached) < s.rules.target or (tied and s.rules.extra_hand):
        return (end_game(s.scores, "max_hands"),) if capped else ()
    return (end_game(s.scores, "target_score"),)


def end_game(totals: Pair, reason: str) -> events.GameEnded:
    """End the game; the lower total wins, equal ones draw."""
    ranking = rank_lowest_first(totals)
    winners = () if totals[0] == totals[1] else (ranking.index(1),)
    return events.GameEnded(totals, ranking, winners, reason)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[events.Event, ...]:
    """End the game now: the seat that gave up loses it; if none did, or both, no seat wins."""
    staying = tuple(seat for seat in SEATS if seat not in gave_up)
    if len(staying) != 1:
        return (events.GameEnded(s.scores, (1, 1), (), reason),)
    return (events.GameEnded(s.scores, put_at((2, 2), staying[0], 1), staying, reason),)


def outcome(s: State) -> Outcome | None:
    """Return the result of a game that is over."""
    return None if s.ended is None else Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


ANSWERS: Mapping[type, str] = {
    events.CardPlayed: "seat",
    events.DrawnCardKept: "seat",
    events.DrawnCardRejected: "seat",
    events.ClaimPassed: "seat",
}


def move_of(event: events.Event) -> tuple[Seat, events.Move] | None:
    """Return the move of a seat that the event records."""
    match event:
        case events.CardPlayed():
            return event.seat, events.PlayCard(event.card)
        case events.DrawnCardKept(discarded=card) if card is not None:
            return event.seat, events.KeepCard(card)
        case events.DrawnCardRejected():
            return event.seat, events.RejectCard()
        case events.ClaimPassed():
            return event.seat, events.PassClaim()
        case events.ClaimRejected():
            return event.by, events.ClaimRevoke(event.trick_no, event.accused)
        case events.RevokeFound(by=by) if by is not None:
            return by, events.ClaimRevoke(event.trick_no, event.seat)
        case _:
            return None
