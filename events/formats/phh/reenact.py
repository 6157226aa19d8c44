"""Plays a hand from a PHH document again, by the rules of poker."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import field
from decimal import Decimal
from functools import partial
from typing import Any, Final

from domain import match as life
from domain.core.cards import BACK, NOBODY, Cards, Seat, backs
from domain.core.game import is_admitted
from domain.core.values import mutable
from domain.match import Match, RecordedEvent
from domain.poker import betting, betting_play, forced
from domain.poker import betting_events as ev
from domain.poker.betting import clockwise
from domain.poker.betting_moves import Bet, Call, Check, Fold, Raise
from domain.poker.betting_options import STREETS
from domain.poker.betting_table import State
from domain.poker.pots import Pot, form_pots, split_pot
from domain.poker.ranking import best_five, category, strength
from events.formats.phh.chip_amounts import WRITTEN
from events.formats.phh.phh_faults import BadHandHistory, UnsupportedHand
from events.formats.phh.reader import HandHistory, check_once, player, read_cards
from events.formats.phh.writer import UNKNOWN

Line = tuple[int, tuple[str, ...]]
"""The number of an action, and its words."""

VERBS: Final = ("f", "cc", "cbr")
NOT_ITS_HAND: Final = "This is not the player's hand."


@mutable
class Replay:
    """A hand that is being played again: its commits so far, and the remaining actions."""

    match: Match
    hand: HandHistory
    lines: deque[Line]
    hole: list[Cards] = field(default_factory=list)
    drawn: dict[Seat, Cards] = field(default_factory=dict)
    commits: list[list[RecordedEvent]] = field(default_factory=list)

    @property
    def table(self) -> State:
        state: State = self.match.table
        return state

    def happens(self, events: Sequence[Any], cause: str) -> None:
        """Add events, as a separate move or as consequences of the last one."""
        if cause == "move":
            self.commits.append([])
        for event in events:
            life.evolve(self.match, event)
            self.commits[-1].append(RecordedEvent(event, cause, 0))

    def take(self, what: str) -> Line:
        """Return the next action. Raises `BadHandHistory` if there is none."""
        if not self.lines:
            raise BadHandHistory(f"The hand is incomplete: {what} is missing.")
        return self.lines.popleft()


def play_hand(m: Match, hand: HandHistory) -> list[list[RecordedEvent]]:
    """Play a hand in a match that has started, and return its commits. Raises `BadHandHistory`."""
    lines = deque((i, words) for i, words in enumerate(hand.actions) if words)
    r = Replay(m, hand, lines)
    r.happens([ev.GameStarted(1), ev.StacksBrought(hand.stacks)], "move")
    r.hole, r.drawn = _hole(hand, lines, r.table.rules.hand_size), _drawn(hand, lines)
    _dealt(r)
    while r.table.ended is None:
        s = r.table
        if s.phase == "settled" and r.lines:
            _afterwards(r)
        elif s.open and s.round.turn != NOBODY:
            _bet(r)
        elif s.phase == "draw" and sum(s.round.live) > 1 and betting_play.drawers(s):
            _swap(r)
        else:
            r.happens(betting_play.consequences(s, partial(_proceed, r)), "auto")
    _check_stacks(r)
    _check_winnings(r)
    return r.commits


def _check_stacks(r: Replay) -> None:
    said, stacks = r.hand.finishing, r.table.stacks
    if r.hand.difference and said != stacks:
        raise UnsupportedHand(f"{r.hand.difference} No equal `finishing_stacks` show that the hand ended as here.")
    if said is not None and said != stacks:
        rows = [_row(r, amounts) for amounts in (said, stacks)]
        raise BadHandHistory(f"The document ends with stacks of {rows[0]}, but the rules give {rows[1]}.")


def _check_winnings(r: Replay) -> None:
    """Compare each seat's stated winnings with the pots; an uncalled bet may or may not be included."""
    said = r.hand.winnings
    if said is None:
        return
    won, back = Counter[Seat](), Counter[Seat]()
    for happened in (happening.event for commit in r.commits for happening in commit):
        match happened:
            case ev.PotAwarded():
                won.update({share.seat: share.amount for share in happened.winners})
            case ev.BetReturned():
                back[happened.seat] += happened.amount
    if all(amount in (won[seat], won[seat] + back[seat]) for seat, amount in enumerate(said)):
        return
    rows = [_row(r, said), _row(r, [won[seat] for seat in range(len(said))])]
    wins = f"The document has `winnings` of {rows[0]}, but the rules give {rows[1]}."
    if all(0 < amount <= won[seat] + back[seat] or amount == won[seat] == 0 for seat, amount in enumerate(said)):
        raise UnsupportedHand(f"{wins} There is no rake here.")
    raise BadHandHistory(wins)


def _row(r: Replay, amounts: Sequence[int]) -> str:
    return ", ".join(map(r.hand.unit.written, amounts))


# --- Dealt cards -------------------------------------------------------------------------------------------


def _hole(hand: HandHistory, lines: deque[Line], size: int) -> list[Cards]:
    """Take the deal from the start of the lines: each seat's cards, unknown if the document does not name them."""
    n = len(hand.stacks)
    hole: list[Cards] = [()] * n
    last = 0
    while lines and lines[0][1][:2] == ("d", "dh"):
        last, words = lines.popleft()
        seat, dealt = _dealing(words, n, last)
        hole[seat] += dealt
        if len(hole[seat]) > size:
            raise BadHandHistory("These are more cards than were dealt.", last)
    check_once([c for row in hole for c in row], last)
    if hand.big is not None:
        _show(hole, lines, size)
    return [tuple(sorted((*row, *backs(size - len(row))))) for row in hole]


def _dealing(words: Sequence[str], n: int, i: int) -> tuple[Seat, Cards]:
    if len(words) != 4:
        raise BadHandHistory("Cards are dealt as in `d dh p1 AsKs`.", i)
    return player(words[2], n, i), read_cards(words[3], i)


def _show(hole: list[Cards], lines: deque[Line], size: int) -> None:
    """Use complete hands shown later: without a draw, they are the dealt hands."""
    for i, words in lines:
        if words[1:2] == ("sm",) and len(words) == 3 and words[2] != "-":
            row, seat = read_cards(words[2], i), player(words[0], len(hole), i)
            if len(row) == size and BACK not in row:
                if not {c for c in hole[seat] if c != BACK} <= set(row):
                    raise BadHandHistory(NOT_ITS_HAND, i)
                hole[seat] = row
                check_once([c for held in hole for c in held], i)


def _drawn(hand: HandHistory, lines: deque[Line]) -> dict[Seat, Cards]:
    """Remove the cards dealt after the discards from the lines."""
    drawn: dict[Seat, Cards] = {}
    if hand.big is None:
        for line in [line for line in lines if line[1][:2] == ("d", "dh")]:
            seat, dealt = _dealing(line[1], len(hand.stacks), line[0])
            drawn[seat] = drawn.get(seat, ()) + dealt
            lines.remove(line)
    return drawn


def _dealt(r: Replay) -> None:
    """Begin the hand: the last player has the button, and gets cards last."""
    s, n = r.table, len(r.hand.stacks)
    order = clockwise(list(range(n)), n - 1, n)
    begun = ev.HandStarted(1, 1, n - 1, r.hand.small, r.hand.big, r.hand.stacks)
    if r.hand.big is None:
        posted: Sequence[Any] = list(forced.antes(s, order))
    else:
        small = NOBODY if r.hand.small is None else r.hand.small
        posted = list(forced.post_forced_bets(s, order, small, r.hand.big))
    counts = tuple(map(len, r.hole))
    known_cards = tuple(None if set(row) == {BACK} else row for row in r.hole)
    r.happens([begun, *posted, ev.HandDealt(counts, known_cards, None), _opened(s)], "auto")


def _opened(s: State) -> ev.BettingOpened:
    return (
        betting_play.open_betting(s, "preflop", s.stakes.big)
        if s.rules.blinds
        else betting_play.open_betting(s, "bet1")
    )


# --- Actions --------------------------------------------------------------------------------------------


def _bet(r: Replay) -> None:
    """Make the recorded action of the seat to act."""
    s = r.table
    i, words = r.take(f"what p{s.round.turn + 1} does")
    verb = words[1] if len(words) > 1 else ""
    seat = player(words[0], s.rules.seats, i)
    if verb not in VERBS or len(words) != 2 + (verb == "cbr"):
        raise BadHandHistory(f"A bet, call, check or fold of p{s.round.turn + 1} must come here.", i)
    if seat != s.round.turn:
        if _idle(s, seat, verb):
            return
        raise BadHandHistory(f"It is the turn of p{s.round.turn + 1}.", i)
    move = _move(r, seat, words, i)
    if not is_admitted(betting_play.legal(s, seat), move):
        raise _explain_refusal(r, seat, move, i)
    r.happens(betting_play.decide(s, seat, move), "move")


def _explain_refusal(r: Replay, seat: Seat, move: Any, i: int) -> BadHandHistory | UnsupportedHand:
    """Return why a move is refused: rules differ about a raise over a big blind that was not paid in full."""
    bets, why = r.table.round, betting_play.refusal(r.table, seat, move)
    lies = max(bets.committed)
    if why == "below_minimum" and lies < bets.current:
        paid, whole = map(r.hand.unit.written, (lies, bets.current))
        return UnsupportedHand(f"The big blind could pay {paid} of {whole}. A raise is of {whole} more here.", i)
    return BadHandHistory(f"The rules refuse it: {why}.", i)


def _idle(s: State, seat: Seat, verb: str) -> bool:
    """Return whether this is a check out of turn, which some documents record."""
    return verb == "cc" and s.round.live[seat] and (not s.open or not betting.amount_owed(s.round, seat))


def _move(r: Replay, seat: Seat, words: Sequence[str], i: int) -> Fold | Check | Call | Bet | Raise:
    s = r.table
    owed = betting.amount_owed(s.round, seat)
    if words[1] == "f":
        return Fold()
    if words[1] == "cc":
        _check_call(r, seat, i)
        return Call() if owed else Check()
    if not WRITTEN.fullmatch(words[2]):
        raise BadHandHistory("A bet is a number of chips.", i)
    to = r.hand.unit.chips("A bet", Decimal(words[2]), i)
    if to == s.round.committed[seat] + min(owed, s.stacks[seat]):
        return Call()  # of a big blind that its seat could not pay in full
    return Raise(to) if s.round.current else Bet(to)


def _check_call(r: Replay, seat: Seat, i: int) -> None:
    """Refuse a call of a big blind that its seat could not pay in full, if another seat could call more.

    In PHH, a call matches the posted chips; here it matches the full blind.
    """
    bets, stacks = r.table.round, r.table.stacks
    lies = max(bets.committed)
    to = bets.committed[seat] + min(betting.amount_owed(bets, seat), stacks[seat])
    others = [bets.stacks[k] + bets.committed[k] for k, live in enumerate(bets.live) if live and k != seat]
    if to > lies and max(others) > lies:
        paid, whole, put_in = map(r.hand.unit.written, (lies, bets.current, to))
        why = f"The big blind could pay {paid} of {whole}. A call is of {whole} here, and of {paid} in this format"
        raise UnsupportedHand(f"{why}; `cbr {put_in}` says that {put_in} were put in.", i)


def _swap(r: Replay) -> None:
    """Make the next seat's discard and draw; hands that the document does not name completely are unknown."""
    s = r.table
    seat = betting_play.drawers(s)[0]
    i, words = r.take(f"what p{seat + 1} discards")
    who = player(words[0], s.rules.seats, i)
    if words[1:2] == ("cc",) and _idle(s, who, "cc"):
        return
    if words[1:2] != ("sd",) or len(words) > 3 or who != seat:
        raise BadHandHistory(f"The discard of p{seat + 1} must come here.", i)
    gone = tuple(sorted(read_cards(words[2], i))) if len(words) == 3 else ()
    hand = s.hands[seat]
    if (
        len(gone) > s.rules.max_swap
        or not {c for c in gone if c != BACK} <= set(hand) | {BACK}
        or (BACK not in hand and not set(gone) <= set(hand))
    ):
        raise BadHandHistory("The player does not have these cards.", i)
    new = r.drawn.get(seat, ())
    if len(new) > len(gone):
        raise BadHandHistory(f"p{seat + 1} is dealt more cards than it has discarded.", i)
    known = BACK not in (*gone, *new) and set(gone) <= set(hand) and len(new) == len(gone)
    known_cards = (gone, new) if known else (None, None)
    restocked: list[Any] = []
    if len(gone) > len(s.deck):
        stock = len(betting_play.cards_to_reshuffle(s))
        restocked = [ev.StockRanOut(seat, len(gone), known_cards[0]), ev.StockRebuilt(stock, None)]
    r.happens([*restocked, ev.CardsSwapped(seat, len(gone), *known_cards)], "move")


def _afterwards(r: Replay) -> None:
    """Record whether the last seat left shows its hand."""
    s = r.table
    i, words = r.take("")
    seat = player(words[0], s.rules.seats, i)
    if _idle(s, seat, words[-1]):
        return
    if words[1:2] != ("sm",) or not s.round.live[seat] or s.shown[seat] or s.mucked:
        raise BadHandHistory("The hand is over.", i)
    if len(words) > 2 and not _is_unknown(s, words[2]):
        r.happens([ev.CardsShown(seat, _whole(s, seat, words[2], i))], "move")


# --- The board and the showdown -------------------------------------------------------------------------


def _proceed(r: Replay, s: State) -> tuple[Any, ...]:
    """Continue after a betting round as the document does: show hands, deal a street, or award the pots."""
    if s.phase in ("bet1", "draw"):
        return r.match.game.consequences(s)
    while r.lines and (_is_idle(s, r.lines[0]) or _is_shown_later(s, *r.lines)):
        r.lines.popleft()
    if r.lines and r.lines[0][1][1:2] == ("sm",):
        return (_shows(s, *r.lines.popleft()),)
    if not s.rules.blinds:
        return _won(r, s)
    street = next((name for k, name in enumerate(STREETS) if len(s.board) == k + 2 * (k > 0)), None)
    return _won(r, s) if street is None else _board(r, s, street)


def _is_idle(s: State, line: Line) -> bool:
    i, words = line
    return words[1:] == ("cc",) and _idle(s, player(words[0], s.rules.seats, i), "cc")


def _is_shown_later(s: State, line: Line, *later: Line) -> bool:
    """Return whether unknown cards are turned up for a player whose hand a later line shows.

    All-in hands are written this way before the rest of the board is dealt.
    """
    _, words = line
    return (
        words[1:2] == ("sm",)
        and len(words) == 3
        and _is_unknown(s, words[2])
        and any(others[:2] == words[:2] for _, others in later)
    )


def _board(r: Replay, s: State, street: str) -> tuple[ev.Event, ...]:
    i, words = r.take(f"the {street}")
    if words[:2] != ("d", "db") or len(words) != 3:
        raise BadHandHistory(f"The {street} must come here.", i)
    dealt = read_cards(words[2], i)
    if len(dealt) != STREETS[street] or BACK in dealt:
        raise BadHandHistory(f"The {street} is {STREETS[street]} cards that all can see.", i)
    check_once([c for row in (*s.hands, s.board, dealt) for c in row], i)
    return betting_play.on_board(s, ev.BoardDealt(street, dealt))  # type: ignore[arg-type]


def _shows(s: State, i: int, words: Sequence[str]) -> ev.HandShown | ev.HandMucked:
    seat = player(words[0], s.rules.seats, i)
    if not s.round.live[seat] or s.shown[seat] or seat in s.mucked or len(words) > 3:
        raise BadHandHistory("This hand cannot be shown now.", i)
    if len(words) == 2 or _is_unknown(s, words[2]):
        return ev.HandMucked(seat)
    return _hand_shown(s, seat, _whole(s, seat, words[2], i))


def _is_unknown(s: State, text: str) -> bool:
    """Return whether a hand was shown without any known card: it wins nothing, like a mucked one."""
    return text == UNKNOWN * s.rules.hand_size


def _whole(s: State, seat: Seat, text: str, i: int) -> Cards:
    """Read a shown hand: all of its cards, and the known ones."""
    held = s.hands[seat]
    row = held if text == "-" else tuple(sorted(read_cards(text, i)))
    others = [c for k, hand in enumerate((*s.hands, s.board)) if k != seat for c in hand]
    if len(row) != s.rules.hand_size or BACK in row:
        raise BadHandHistory("A hand must be shown completely or not at all.", i)
    if not {c for c in held if c != BACK} <= set(row):
        raise BadHandHistory(NOT_ITS_HAND, i)
    check_once([*row, *others], i)
    return row


def _hand_shown(s: State, seat: Seat, hand: Cards) -> ev.HandShown:
    seen = hand + s.board
    if len(s.board) < sum(s.rules.board.values()):
        return ev.HandShown(seat, hand, None, None)
    return ev.HandShown(seat, hand, category(seen), best_five(seen))


def _won(r: Replay, s: State) -> tuple[Any, ...]:
    """Award the pots to the best of the hands shown; a known hand without a record counts as shown."""
    for seat in betting_play.sequence(s):
        if not s.shown[seat] and seat not in s.mucked:
            if BACK in s.hands[seat]:
                raise BadHandHistory(f"It is missing whether p{seat + 1} shows its hand.")
            return (_hand_shown(s, seat, s.hands[seat]),)
    strengths = {seat: strength(s.shown[seat] + s.board) for seat in betting_play.sequence(s) if s.shown[seat]}
    events: list[Any] = list(betting_play.pots_formed(s))
    for i, pot in reversed(list(enumerate(form_pots(s.paid, s.round.live, s.dead)))):
        shown = tuple(seat for seat in pot.eligible if seat in strengths)
        if not shown:
            raise BadHandHistory("No player who can win the pot shows a hand.")
        shares = split_pot(Pot(pot.amount, shown), strengths, s.at.button, s.rules.seats)
        events.append(ev.PotAwarded(i, pot.amount, shares, category(s.hands[shares[0].seat] + s.board)))
    return tuple(events)
