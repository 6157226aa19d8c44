"""Defines the play of Two-Handed Hearts: what a seat may do, what a move does, and what must then happen.

A drawing phase, or drawing after every trick, takes the place of passing.
"""

from collections.abc import Mapping

from domain.core.cards import OF_SUIT, PACK, RANK_OF, SUIT_OF, Card, Cards, Seat, add_cards, drop_cards, keep_cards
from domain.core.choices import Ask, Choice, NoArguments, OneCard, Shuffle
from domain.core.game import CHANCE, Choices, Outcome, rank_lowest_first
from domain.core.values import put_at
from domain.games.two_handed_hearts.events import (
    Accusation,
    CardCut,
    CardPlayed,
    ClaimingStarted,
    ClaimPassed,
    ClaimRejected,
    ClaimRevoke,
    Cut,
    Deal,
    DrawingCompleted,
    DrawnCardKept,
    DrawnCardRejected,
    Event,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandReplenished,
    HandScored,
    HandStarted,
    KeepCard,
    Move,
    PassClaim,
    PlayCard,
    RejectCard,
    RevokeFound,
    StockDrawn,
    TrickTaken,
)
from domain.games.two_handed_hearts.options import SEATS, Pair, count_taken, points_of, shot, winner
from domain.games.two_handed_hearts.table import NOBODY, STOCK, State

MOST_FALSE_CLAIMS = 3


# --- What a seat may do, and why not (two_handed_hearts 2, 4, 6) --------------------------------


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
    """Say what is asked of chance: the cut, or a deal."""
    return Shuffle(Cut, "cut", PACK) if s.next_dealer == NOBODY else Shuffle(Deal, "deal", PACK)


def legal(s: State, seat: Seat) -> Choices:
    """Return what the seat may do now; claims may be made off turn."""
    return (*turn_moves(s, seat), *claims(s, seat))


def turn_moves(s: State, seat: Seat) -> Choices:
    """Return what the game waits for the seat to do."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    match s.phase:
        case "drawing":
            return (NoArguments(RejectCard), OneCard(KeepCard, s.hands[seat]))
        case "playing":
            return (OneCard(PlayCard, playable(s, s.hands[seat])),)
        case _:
            return (NoArguments(PassClaim),)


def claims(s: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the claims open to the seat, from the first complete trick until both pass."""
    if not may_claim(s) or not s.tricks or s.false_claims[seat] == MOST_FALSE_CLAIMS:
        return ()
    return (Accusation(len(s.tricks), 1 - seat),)


def may_claim(s: State) -> bool:
    """Return whether the phase knows claims."""
    return s.rules.claims and s.phase in ("playing", "claiming")


def playable(s: State, hand: Cards) -> Cards:
    """Return the cards of a hand that may be played now: by honour, any."""
    return hand if s.rules.honour else following(s, hand)


def following(s: State, hand: Cards) -> Cards:
    """Return the cards of a hand that follow suit, all if none does."""
    return keep_cards(hand, OF_SUIT[SUIT_OF[s.trick[0]]]) or hand if s.trick else hand


PHASES = {KeepCard: "drawing", RejectCard: "drawing", PlayCard: "playing", PassClaim: "claiming"}


def refusal(s: State, seat: Seat, move: Move) -> str:
    """Name the first reason why the move is refused, in order (rules 1.3; two_handed_hearts 2)."""
    if isinstance(move, ClaimRevoke):
        return refused_claim(s, seat, move)
    if PHASES.get(type(move)) != s.phase:
        return "wrong_phase"
    if seat not in to_act(s):
        return "already_done" if s.phase == "claiming" else "not_your_turn"
    if isinstance(move, KeepCard) and move.discard == s.drawn:
        return "must_discard_another"
    card = move.card if isinstance(move, PlayCard) else None
    return "must_follow_suit" if card in s.hands[seat] else "card_not_in_hand"


def refused_claim(s: State, seat: Seat, claim: ClaimRevoke) -> str:
    """Name the first reason why a claim is refused; it is for the seat other than the accused."""
    if not may_claim(s):
        return "wrong_phase"
    if claim.accused == seat:
        return "not_your_turn"
    return "too_many_claims" if 0 < claim.trick_no <= len(s.tricks) else "no_such_object"


def default(s: State, seat: Seat) -> Move:
    """Choose for a seat whose time is up (rules 1.8); the clock follows suit, by honour too."""
    match s.phase:
        case "drawing":
            return RejectCard()
        case "playing" if seat == s.turn:
            return PlayCard(min(following(s, s.hands[seat]), key=by_rank))
        case _:
            return PassClaim()


def by_rank(c: Card) -> tuple[int, int]:
    """Order cards by rank, and equal ranks C, D, H, S."""
    return RANK_OF[c], SUIT_OF[c]


# --- What a move does (two_handed_hearts 3, 4, 6) -----------------------------------------------


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    match move:
        case PlayCard():
            return (CardPlayed(seat, move.card, len(s.tricks) + 1),)
        case KeepCard():
            return (DrawnCardKept(seat, move.discard),)
        case RejectCard():
            return (DrawnCardRejected(seat),)
        case ClaimRevoke():
            found = find_revoke(s, move.trick_no, seat)
            return (found or ClaimRejected(seat, move.trick_no, move.accused),)
        case PassClaim():
            return (ClaimPassed(seat),)
        case Deal():
            started = () if s.started else (GameStarted(s.game_no + 1),)
            return (*started, *deal_hand(s, move.pack))
        case Cut():
            cuts, dealer = cut(move.pack)
            return (GameStarted(s.game_no + 1), *cuts, FirstDealerChosen(dealer, "cut"))


def cut(pack: Cards) -> tuple[list[CardCut], Seat]:
    """Let both draw from the top until their ranks differ; a pack that ties to its end deals to seat 0."""
    cuts: list[CardCut] = []
    dealer = 0
    for mine, yours in zip(pack[::2], pack[1::2], strict=False):
        cuts += [CardCut(0, mine), CardCut(1, yours)]
        if RANK_OF[mine] != RANK_OF[yours]:
            dealer = int(RANK_OF[yours] > RANK_OF[mine])
            break
    return cuts, dealer


def deal_hand(s: State, pack: Cards) -> tuple[Event, ...]:
    """Deal a hand one card at a time, the first to the non-dealer; the rest is the stock."""
    dealer = s.next_dealer
    hands = put_at((tuple(sorted(pack[0:26:2])),) * 2, dealer, tuple(sorted(pack[1:26:2])))
    counts = tuple(map(len, hands))
    return HandStarted(s.hand_no + 1, s.deal_no + 1, dealer), HandDealt(counts, hands, pack[26:])


# --- What must then happen (two_handed_hearts 4–8) ----------------------------------------------


def consequences(s: State) -> tuple[Event, ...]:
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


def next_draw(s: State) -> tuple[Event, ...]:
    """Show the seat to draw the top card; after the last one play begins."""
    if s.drawn is not None:
        return ()
    left = len(s.stock) - 1
    return (StockDrawn(s.turn, STOCK - left, left, s.stock[0]),) if s.stock else (DrawingCompleted(s.dealer),)


def replenish_hand(s: State, seat: Seat, i: int) -> HandReplenished:
    """Let the seat take the i-th card from the top, those above it being taken."""
    left = len(s.stock) - i - 1
    return HandReplenished(seat, STOCK - left, left, s.stock[i])


def after_card(s: State) -> tuple[Event, ...]:
    """Take a full trick, replenish after it, end the hand after the last, or once a revoke is found."""
    played = len(s.tricks)
    if s.revokes:
        return (score_hand(s),)
    if len(s.trick) == 2:
        return (TrickTaken(played + 1, winner(s.leader, s.trick), s.trick),)
    if s.trick:
        return ()
    if len(s.stock) > max(0, STOCK - 2 * played):
        return replenish_hand(s, s.leader, 0), replenish_hand(s, 1 - s.leader, 1)
    return hand_over(s) if played == s.rules.tricks else ()


def hand_over(s: State) -> tuple[Event, ...]:
    """End a hand that was played out: find all revokes, or wait for claims, or score."""
    if s.rules.claims:
        return (ClaimingStarted(),)
    found = [find_revoke(s, i + 1, None) for i in range(s.rules.tricks)] if s.rules.honour else []
    return tuple(filter(None, found)) or (score_hand(s),)


def find_revoke(s: State, trick_no: int, by: Seat | None) -> RevokeFound | None:
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
    return RevokeFound(seat, trick_no, card, held, by) if held else None


def taken_by(s: State, seat: Seat) -> Cards:
    """Return all cards that the seat took, in the order taken."""
    return tuple(c for trick in s.tricks if trick.winner == seat for c in trick.cards)


def score_hand(s: State) -> HandScored:
    """Score the hand (two_handed_hearts 7)."""
    took = tuple(count_taken(s.rules, taken_by(s, seat)) for seat in SEATS)
    guilty = tuple(seat for seat in SEATS if any(found.seat == seat for found in s.revokes))
    shooter = None if guilty else shot(s.rules, took)
    points = points_of(s.rules, took, shooter, guilty)
    totals = tuple(map(sum, zip(s.scores, points, strict=True)))
    return HandScored(took, sum(map(len, s.waste)), shooter, guilty, points, totals)


def game_ended(s: State) -> tuple[Event, ...]:
    """End the game at the target, unless a tie is to be played off, or at the cap (two_handed_hearts 8)."""
    capped = 0 < s.rules.cap <= s.deal_no
    tied = s.scores[0] == s.scores[1]
    if max(s.reached) < s.rules.target or (tied and s.rules.extra_hand):
        return (end_game(s.scores, "max_hands"),) if capped else ()
    return (end_game(s.scores, "target_score"),)


def end_game(totals: Pair, reason: str) -> GameEnded:
    """End the game; the lower total wins, equal ones draw."""
    ranking = rank_lowest_first(totals)
    winners = () if totals[0] == totals[1] else (ranking.index(1),)
    return GameEnded(totals, ranking, winners, reason)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[Event, ...]:
    """End the game now: the seat that gave up loses it; if none did, or both, no seat wins."""
    staying = tuple(seat for seat in SEATS if seat not in gave_up)
    if len(staying) != 1:
        return (GameEnded(s.scores, (1, 1), (), reason),)
    return (GameEnded(s.scores, put_at((2, 2), staying[0], 1), staying, reason),)


def outcome(s: State) -> Outcome | None:
    """Return the result of a game that is over."""
    return None if s.ended is None else Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


ANSWERS: Mapping[type, str] = {
    CardPlayed: "seat",
    DrawnCardKept: "seat",
    DrawnCardRejected: "seat",
    ClaimPassed: "seat",
}


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Return the move of a seat that the event records."""
    match event:
        case CardPlayed():
            return event.seat, PlayCard(event.card)
        case DrawnCardKept(discarded=card) if card is not None:
            return event.seat, KeepCard(card)
        case DrawnCardRejected():
            return event.seat, RejectCard()
        case ClaimPassed():
            return event.seat, PassClaim()
        case ClaimRejected():
            return event.by, ClaimRevoke(event.trick_no, event.accused)
        case RevokeFound(by=by) if by is not None:
            return by, ClaimRevoke(event.trick_no, event.seat)
        case _:
            return None
