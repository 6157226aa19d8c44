"""Defines the moves, events, state and play of Two-Handed Hearts, in the order of the rulebook.

A drawing phase, or drawing after every trick, takes the place of passing. The options, who takes a trick and
what a hand costs are in `two_handed_hearts_rules`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any, ClassVar, Final, Literal, assert_never

from domain.core import text as words
from domain.core.cards import (
    BACK,
    NAMES,
    OF_SUIT,
    PACK,
    RANK_OF,
    SUIT_OF,
    Card,
    Cards,
    Seat,
    add,
    backs,
    names,
    next_seat,
    remove,
    within,
    without,
)
from domain.core.choices import Ask, Choice, Just, OneCard, Shuffle, described
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
    TrickNo,
    Winners,
)
from domain.core.game import CHANCE, Choices, Outcome, ranked
from domain.core.options import Range
from domain.core.shown import PlayedCardShown, TrickShown
from domain.core.tricks import Trick
from domain.core.values import Compiled, Copied, put, shown, value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.two_handed_hearts.options import (
    SEATS,
    Options,
    Pair,
    Rules,
    Taken,
    compile_rules,
    points_of,
    shot,
    taken,
    winner,
)
from domain.games.two_handed_hearts.shown import RevokeShown, TwoHandedHeartsShown

__all__ = ["Options"]

NOBODY: Final[Seat] = -1
STOCK = 26  # cards left by the deal
MOST_FALSE_CLAIMS = 3


# --- Moves: the seats', then those of chance (two_handed_hearts 2, 3) ---------------------------


@value
class KeepCard:
    discard: Card
    """The card to lay away."""


@value
class RejectCard:
    pass


@value
class PlayCard:
    card: Card
    """The card to play."""


@value
class ClaimRevoke:
    trick_no: Annotated[int, Range(1, 26)]
    """The number of the trick in which the other seat is said to have revoked, from 1."""
    accused: Annotated[Seat, Range(0, 1)]
    """The seat that is said to have revoked."""


@value
class PassClaim:
    pass


@value
class Cut:
    pack: Cards


@value
class Deal:
    pack: Cards


Move = KeepCard | RejectCard | PlayCard | ClaimRevoke | PassClaim | Cut | Deal


@value
class Accusation:
    """This choice is a claim against the other seat, of one of the complete tricks."""

    tricks: int
    accused: Seat
    make: ClassVar[type] = ClaimRevoke
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is ClaimRevoke and move.accused == self.accused and 0 < move.trick_no <= self.tricks

    def schema(self) -> dict[str, Any]:
        trick_no = {"type": "integer", "minimum": 1, "maximum": self.tricks}
        return described({"trick_no": trick_no, "accused": {"enum": [self.accused]}})

    def sample(self, rng: Random) -> ClaimRevoke:
        return ClaimRevoke(rng.randint(1, self.tricks), self.accused)


# --- Events (two_handed_hearts 3–8); a trick that is claimed is named with the claim's answer ----------


@value
class GameStarted:
    game_no: GameNo


@value
class CardCut:
    seat: Seat
    card: Card
    """The card that the seat has cut."""


@value
class FirstDealerChosen:
    seat: Seat
    how: Literal["cut"]
    """How the dealer was found: by the cut."""


@value
class HandStarted:
    hand_no: HandNo
    deal_no: DealNo
    dealer: Seat
    """The seat that deals."""


@value
class HandDealt:
    """The hands are dealt; the order of the stock is hidden from all until the hand is over."""

    counts: DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""
    stock: Hidden[Cards]
    """The stock, the top card first."""


@value
class StockDrawn:
    seat: Seat
    draw_no: int
    """The number of the draw in the hand, from 1."""
    stock_left: StockCount
    card: Private[Card]
    """The card that is drawn."""


@value
class HandReplenished:
    """After a trick the seat takes the top card of the stock into its hand."""

    seat: Seat
    draw_no: int
    """The number of the draw in the hand, from 1."""
    stock_left: StockCount
    card: Private[Card]
    """The card that is drawn."""


@value
class DrawnCardKept:
    seat: Seat
    discarded: Private[Card]
    """The card that the seat lays away."""


@value
class DrawnCardRejected:
    seat: Seat


@value
class DrawingCompleted:
    leader: Seat
    """The seat that leads to the first trick."""


@value
class CardPlayed:
    seat: Seat
    card: Card
    """The card that is played."""
    trick_no: TrickNo


@value
class TrickTaken:
    trick_no: TrickNo
    winner: Seat
    """The seat that takes the trick."""
    cards: Cards
    """The cards of the trick, in the order in which they were played."""


@value
class ClaimingStarted:
    pass


@value
class ClaimPassed:
    seat: Seat


@value
class ClaimRejected:
    by: Seat
    """The seat that has claimed."""
    trick_no: TrickNo
    accused: Seat
    """The seat that has not revoked."""


@value
class RevokeFound:
    """`seat` played `card` though it held `held` of the suit led; `by` is the seat that claimed it, if one did."""

    seat: Seat
    trick_no: TrickNo
    card: Card
    """The card that was played."""
    held: Cards
    """The cards of the suit led that the seat held then."""
    by: Seat | None
    """The seat that has claimed it; null where nobody did."""


@value
class HandScored:
    """The hand is scored; `revokes` names the seats found to have revoked."""

    taken: tuple[Taken, ...]
    """What each seat has taken in the hand, seat by seat."""
    waste_count: int
    """The number of cards that were laid away."""
    moon: Seat | None
    """The seat that has shot the moon; null: none has."""
    revokes: tuple[Seat, ...]
    """The seats that were found to have revoked."""
    points: Gained[Pair]
    totals: Totals[Pair]


@value
class GameEnded:
    """The game is over; `ranking` is each seat's place, from 1; equal totals share one."""

    totals: Totals[Pair]
    ranking: Places[Pair]
    winners: Winners
    reason: EndReason


Event = (
    GameStarted
    | CardCut
    | FirstDealerChosen
    | HandStarted
    | HandDealt
    | StockDrawn
    | HandReplenished
    | DrawnCardKept
    | DrawnCardRejected
    | DrawingCompleted
    | CardPlayed
    | TrickTaken
    | ClaimingStarted
    | ClaimPassed
    | ClaimRejected
    | RevokeFound
    | HandScored
    | GameEnded
)


# --- State, and what each event makes of it -----------------------------------------------------


@dataclass(slots=True)
class State(Copied):
    """This is the state of a table; whether a card broke the duty to follow is found from who held what."""

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
    false_claims: Pair = (0, 0)
    passed: tuple[bool, ...] = (False, False)
    """Whether each seat has passed its claims after the last trick."""
    revokes: tuple[RevokeFound, ...] = ()
    scores: Pair = (0, 0)
    reached: tuple[int, ...] = ()
    """All totals that seats have had in this game."""
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Give the state before the first event; games, hands and the deal go on from the game before."""
    if last is None:
        return State(compile_rules(options), 0, 0, NOBODY)
    return State(compile_rules(options), last.game_no, last.hand_no, last.next_dealer)


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. What a seat was not shown is backs of cards."""
    match event:
        case CardPlayed():
            s.hands = put(s.hands, event.seat, remove(s.hands[event.seat], event.card))
            s.trick += (event.card,)
            s.turn = next_seat(event.seat, 2)
        case TrickTaken():
            s.tricks += (Trick(s.leader, s.trick, event.winner),)
            s.trick, s.leader, s.turn = (), event.winner, event.winner
        case StockDrawn():
            s.phase, s.drawn, s.stock = "drawing", shown(event.card, BACK), s.stock[1:]
        case HandReplenished():
            card, s.stock = shown(event.card, BACK), s.stock[1:]
            s.hands = put(s.hands, event.seat, add(s.hands[event.seat], (card,)))
            s.draws = put(s.draws, event.seat, (*s.draws[event.seat], card))
        case DrawnCardKept():
            away, joins = shown(event.discarded, BACK), shown(s.drawn, BACK)
            s.hands = put(s.hands, event.seat, add(remove(s.hands[event.seat], away), (joins,)))
            s.waste = put(s.waste, event.seat, (*s.waste[event.seat], away))
            s.drawn, s.turn = None, next_seat(event.seat, 2)
        case DrawnCardRejected():
            s.waste = put(s.waste, event.seat, (*s.waste[event.seat], shown(s.drawn, BACK)))
            s.drawn, s.turn = None, next_seat(event.seat, 2)
        case DrawingCompleted():
            s.phase, s.leader, s.turn = "playing", event.leader, event.leader
        case ClaimingStarted():
            s.phase, s.turn = "claiming", NOBODY
        case ClaimPassed():
            s.passed = put(s.passed, event.seat, True)
        case ClaimRejected():
            s.false_claims = put(s.false_claims, event.by, s.false_claims[event.by] + 1)
        case RevokeFound():
            s.revokes += (event,)
        case HandStarted():
            s.phase, s.dealer, s.next_dealer = "playing", event.dealer, next_seat(event.dealer, 2)
            s.hand_no, s.deal_no, s.leader, s.turn = event.hand_no, event.deal_no, event.dealer, event.dealer
            s.waste, s.draws, s.trick, s.tricks = ((), ()), ((), ()), (), ()
            s.false_claims, s.passed, s.revokes = (0, 0), (False, False), ()
        case HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(shown(cards, backs(count)) for cards, count in dealt)
            s.stock = shown(event.stock, backs(STOCK))
        case HandScored():
            s.phase, s.turn, s.scores = "scored", NOBODY, event.totals
            s.reached += event.totals
        case GameStarted():
            s.game_no, s.started = event.game_no, True
        case FirstDealerChosen():
            s.next_dealer = event.seat
        case GameEnded():
            s.phase, s.turn, s.ended = "game_over", NOBODY, event
        case CardCut():
            pass
        case _:
            assert_never(event)


# --- What a seat may do, and why not (two_handed_hearts 2, 4, 6) --------------------------------


def phase(s: State) -> str:
    """Name the phase; the cut comes before the first hand of the match alone."""
    return "cut" if s.next_dealer == NOBODY else s.phase


def to_act(s: State) -> tuple[Seat, ...]:
    """Give the seats that the game waits for."""
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
    """Give what the seat may do now; claims may be made off turn."""
    return (*turn_moves(s, seat), *claims(s, seat))


def turn_moves(s: State, seat: Seat) -> Choices:
    """Give what the game waits for the seat to do."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    match s.phase:
        case "drawing":
            return (Just(RejectCard), OneCard(KeepCard, s.hands[seat]))
        case "playing":
            return (OneCard(PlayCard, playable(s, s.hands[seat])),)
        case _:
            return (Just(PassClaim),)


def claims(s: State, seat: Seat) -> tuple[Choice, ...]:
    """Give the claims open to the seat, from the first complete trick until both pass."""
    if not may_claim(s) or not s.tricks or s.false_claims[seat] == MOST_FALSE_CLAIMS:
        return ()
    return (Accusation(len(s.tricks), 1 - seat),)


def may_claim(s: State) -> bool:
    """Say whether the phase knows claims."""
    return s.rules.claims and s.phase in ("playing", "claiming")


def playable(s: State, hand: Cards) -> Cards:
    """Give the cards of a hand that may be played now: by honour, any."""
    return hand if s.rules.honour else following(s, hand)


def following(s: State, hand: Cards) -> Cards:
    """Give the cards of a hand that follow suit, all if none does."""
    return within(hand, OF_SUIT[SUIT_OF[s.trick[0]]]) or hand if s.trick else hand


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
            found = revoke(s, move.trick_no, seat)
            return (found or ClaimRejected(seat, move.trick_no, move.accused),)
        case PassClaim():
            return (ClaimPassed(seat),)
        case Deal():
            started = () if s.started else (GameStarted(s.game_no + 1),)
            return (*started, *hand_dealt(s, move.pack))
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


def hand_dealt(s: State, pack: Cards) -> tuple[Event, ...]:
    """Deal a hand one card at a time, the first to the non-dealer; the rest is the stock."""
    dealer = s.next_dealer
    hands = put((tuple(sorted(pack[0:26:2])),) * 2, dealer, tuple(sorted(pack[1:26:2])))
    counts = tuple(map(len, hands))
    return HandStarted(s.hand_no + 1, s.deal_no + 1, dealer), HandDealt(counts, hands, pack[26:])


# --- What must then happen (two_handed_hearts 4–8) ----------------------------------------------


def consequences(s: State) -> tuple[Event, ...]:
    """Give the events that follow now without a move."""
    match s.phase:
        case "drawing":
            return next_draw(s)
        case "playing" if s.rules.draws and s.stock:
            return next_draw(s)
        case "playing":
            return after_card(s)
        case "claiming":
            return (hand_scored(s),) if s.revokes or all(s.passed) else ()
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


def replenished(s: State, seat: Seat, i: int) -> HandReplenished:
    """Let the seat take the i-th card from the top, those above it being taken."""
    left = len(s.stock) - i - 1
    return HandReplenished(seat, STOCK - left, left, s.stock[i])


def after_card(s: State) -> tuple[Event, ...]:
    """Take a full trick, replenish after it, end the hand after the last, or once a revoke is found."""
    played = len(s.tricks)
    if s.revokes:
        return (hand_scored(s),)
    if len(s.trick) == 2:
        return (TrickTaken(played + 1, winner(s.leader, s.trick), s.trick),)
    if s.trick:
        return ()
    if len(s.stock) > max(0, STOCK - 2 * played):
        return replenished(s, s.leader, 0), replenished(s, 1 - s.leader, 1)
    return hand_over(s) if played == s.rules.tricks else ()


def hand_over(s: State) -> tuple[Event, ...]:
    """End a hand that was played out: find all revokes, or wait for claims, or score."""
    if s.rules.claims:
        return (ClaimingStarted(),)
    found = [revoke(s, i + 1, None) for i in range(s.rules.tricks)] if s.rules.honour else []
    return tuple(filter(None, found)) or (hand_scored(s),)


def revoke(s: State, trick_no: int, by: Seat | None) -> RevokeFound | None:
    """Find the revoke in a complete trick, if there was one that `by` may claim: who led cannot revoke.

    What was held then is what is held now and what was played since, but for what was drawn since.
    """
    trick, since = s.tricks[trick_no - 1], s.tricks[trick_no:]
    seat, suit = 1 - trick.leader, OF_SUIT[SUIT_OF[trick.cards[0]]]
    card = trick.cards[1]
    if card in suit or seat == by:
        return None
    played = [t.cards[seat != t.leader] for t in since] + [*s.trick[seat != s.leader :][:1]]
    held = without(within(add(s.hands[seat], played), suit), s.draws[seat][trick_no - 1 :])
    return RevokeFound(seat, trick_no, card, held, by) if held else None


def taken_by(s: State, seat: Seat) -> Cards:
    """Give all cards that the seat took, in the order taken."""
    return tuple(c for trick in s.tricks if trick.winner == seat for c in trick.cards)


def hand_scored(s: State) -> HandScored:
    """Score the hand (two_handed_hearts 7)."""
    took = tuple(taken(s.rules, taken_by(s, seat)) for seat in SEATS)
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
        return (ended(s.scores, "max_hands"),) if capped else ()
    return (ended(s.scores, "target_score"),)


def ended(totals: Pair, reason: str) -> GameEnded:
    """End the game; the lower total wins, equal ones draw."""
    ranking = ranked(totals)
    winners = () if totals[0] == totals[1] else (ranking.index(1),)
    return GameEnded(totals, ranking, winners, reason)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[Event, ...]:
    """End the game now: the seat that gave up loses it; if none did, or both, no seat wins."""
    staying = tuple(seat for seat in SEATS if seat not in gave_up)
    if len(staying) != 1:
        return (GameEnded(s.scores, (1, 1), (), reason),)
    return (GameEnded(s.scores, put((2, 2), staying[0], 1), staying, reason),)


def outcome(s: State) -> Outcome | None:
    """Give the result of a game that is over."""
    return None if s.ended is None else Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


# --- What a seat is shown -----------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> TwoHandedHeartsShown:
    """Give the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": someone(s.dealer),
        "hand": [] if seat is None else names(s.hands[seat]),
        "hands": [None if BACK in hand else names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "stock_count": len(s.stock),
        "drawn": None if s.drawn in (None, BACK) else NAMES[s.drawn or 0],
        "waste": [] if seat is None else names(s.waste[seat]),
        "waste_count": sum(map(len, s.waste)),
        "scores": list(s.scores),
        "points": [taken(s.rules, taken_by(s, i)).card_points for i in SEATS],
        "trick": laid(s.leader, s.trick),
        "trick_no": len(s.tricks) + 1 if s.phase == "playing" else None,
        "last_trick": listed(s.tricks[-1]) if s.tricks else None,
        "tricks": [listed(trick) for trick in s.tricks],
        "leader": someone(s.leader),
        "turn": someone(s.turn),
        "false_claims": list(s.false_claims),
        "claims_passed": [i for i in SEATS if s.passed[i]],
        "revokes": [listed_revoke(found) for found in s.revokes],
    }


def someone(seat: Seat) -> Seat | None:
    """Give the seat, if it is one."""
    return None if seat == NOBODY else seat


def laid(leader: Seat, cards: Cards) -> list[PlayedCardShown]:
    """List the cards of a trick with who played them."""
    return [{"seat": (leader + i) % 2, "card": NAMES[c]} for i, c in enumerate(cards)]


def listed(trick: Trick) -> TrickShown:
    """List a completed trick."""
    return {"leader": trick.leader, "winner": trick.winner, "cards": laid(trick.leader, trick.cards)}


def listed_revoke(found: RevokeFound) -> RevokeShown:
    """List a revoke that was found."""
    card, held = NAMES[found.card], names(found.held)
    return {"seat": found.seat, "trick_no": found.trick_no, "card": card, "held": held}


ANSWERS: Mapping[type, str] = {
    CardPlayed: "seat",
    DrawnCardKept: "seat",
    DrawnCardRejected: "seat",
    ClaimPassed: "seat",
}


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Give the move of a seat that the event records."""
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


TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} begins.",
    CardCut: "Seat {seat} cuts {card}.",
    FirstDealerChosen: "Seat {seat} deals and leads first, by the {how}.",
    HandStarted: "Hand {hand_no}: seat {dealer} deals.",
    HandDealt: "The cards are dealt{cards:dealt}.",
    HandReplenished: "Seat {seat} takes {card}; {stock_left} left in the stock.",
    StockDrawn: "Seat {seat} draws {card}; {stock_left} left in the stock.",
    DrawnCardKept: "Seat {seat} keeps the card, and lays away {discarded}.",
    DrawnCardRejected: "Seat {seat} lays the card away.",
    DrawingCompleted: "The stock is used up; seat {leader} leads to the first trick.",
    CardPlayed: "Seat {seat} plays {card}.",
    TrickTaken: "Seat {winner} takes trick {trick_no}: {cards}.",
    ClaimingStarted: "The last trick is taken; revokes may still be claimed.",
    ClaimPassed: "Seat {seat} claims no more.",
    ClaimRejected: "Seat {by} claims that seat {accused} revoked in trick {trick_no}; it did not.",
    RevokeFound: "Seat {seat} revoked in trick {trick_no}: it played {card} and held {held}.",
    HandScored: "The hand is over{moon}{revokes}. Points: {points}. Totals: {totals}.",
    GameEnded: "The game is over: {winners}{reason}. Totals: {totals}.",
}

IN_WORDS: words.Words = {
    "discarded": words.some,
    "held": words.cards,
    "moon": lambda x: "" if x is None else f", and seat {x} has shot the moon",
    "revokes": lambda x: f"; {words.seats(x)} revoked" if x else "",
}

text = words.event_text(TEXTS, IN_WORDS)
