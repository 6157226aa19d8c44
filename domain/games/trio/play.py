"""Implements the play of Trio: the legal moves, their events, what follows, and refusals (trio 2–6, 9)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Literal

from domain.core.cards import NOBODY, Seat
from domain.core.choices import Ask, Below, NoArguments, Shuffle, argument, argument_name, arguments_schema
from domain.core.clock import Time
from domain.core.game import CHANCE, Choices, Outcome, rank_lowest_first
from domain.core.refusals import Refusal
from domain.core.values import put_at, value
from domain.games.trio import table
from domain.games.trio.options import PACK, Number, Numbers, deal_pack


@value
class OneOf:
    """The choice of a move with one of these whole numbers."""

    make: type
    of: tuple[int, ...]
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is self.make and argument(move) in self.of

    def schema(self) -> dict[str, Any]:
        return arguments_schema({argument_name(self.make): {"type": "integer", "enum": list(self.of)}})

    def sample(self, rng: Random) -> Any:
        return self.make(self.of[int(rng.random() * len(self.of))])


# --- Legal moves and refusals (trio 3, 4, 6) ---------------------------------------------------------------


def to_act(s: table.State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for: in a swap window all who have not answered yet."""
    match s.phase:
        case "revealing":
            return (s.turn,)
        case "swap_window":
            w = table.window(s)
            return tuple(sorted(seat for t in w.teams for seat in s.rules.teams[t] if seat not in w.answered))
        case "game_over":
            return ()
        case _:
            return (CHANCE,)


DEAL = Shuffle(table.Deal, "deal", PACK)


def ask(s: table.State) -> Ask:
    """Return the question to chance: one of the seats that may begin, or the deal."""
    beginners = may_begin(s, s.avocados)
    return Below(table.PickFirst, "first_player", len(beginners)) if s.first == NOBODY and beginners[1:] else DEAL


def may_begin(s: table.State, eaten_at: Sequence[int | None]) -> tuple[Seat, ...]:
    """Return the possible first players, in order.

    With avocados, it is the player who last ate one. A later game of a series begins to the left of the previous first
    player, unless a player stated a new avocado or chance decides each game.
    """
    r, eaten = s.rules, [at for at in eaten_at if at is not None]
    if r.first_player == "avocado" and eaten:
        return tuple(seat for seat, at in enumerate(eaten_at) if at == max(eaten))
    if s.last_first != NOBODY and r.first_player != "random":
        return ((s.last_first + 1) % r.seats,)
    return tuple(range(r.seats)) if r.picked is None else (r.picked,)


def legal(s: table.State, seat: Seat) -> Choices:
    """Return the seat's legal moves; none if it is not its turn. The clock's move is in the first choice."""
    if seat == CHANCE or seat not in to_act(s):
        return ()
    if s.phase == "swap_window":
        return (NoArguments(table.DeclineSwap), OneOf(table.OfferSwap, tuple(sorted(set(s.hands[seat])))))
    holding = tuple([i for i, hand in enumerate(s.hands) if hand])
    face_down = tuple([i for i, card in enumerate(s.middle) if card is not None])
    middle = (OneOf(table.RevealMiddle, face_down),) if face_down else ()
    hands = (OneOf(table.RevealLowest, holding), OneOf(table.RevealHighest, holding)) if holding else ()
    return (*middle, *hands)


PHASES = {
    table.RevealLowest: "revealing",
    table.RevealHighest: "revealing",
    table.RevealMiddle: "revealing",
    table.OfferSwap: "swap_window",
    table.DeclineSwap: "swap_window",
}


def refusal(s: table.State, seat: Seat, move: table.Move) -> str:
    """Name the first reason why the move is refused, in order (rules 1.3; trio 3)."""
    if isinstance(move, table.RevealLowest | table.RevealHighest) and move.seat not in range(s.rules.seats):
        return "bad_arguments"
    if isinstance(move, table.OfferSwap) and move.card not in PACK:
        return "bad_arguments"
    if PHASES.get(type(move)) != s.phase:
        return "wrong_phase"
    if seat not in to_act(s):
        answered = s.phase == "swap_window" and seat in table.window(s).answered
        return "already_done" if answered else "not_your_turn"
    match move:
        case table.OfferSwap():
            return "card_not_in_hand"
        case table.RevealMiddle():
            return "no_card_there"
        case _:
            return "hand_empty"


def default(s: table.State, seat: Seat) -> table.Move:
    """Return the default move of a seat whose time is up (rules 1.8)."""
    if s.phase == "swap_window":
        return table.DeclineSwap()
    face_down = [i for i, card in enumerate(s.middle) if card is not None]
    if face_down:
        return table.RevealMiddle(face_down[0])
    n = s.rules.seats
    return table.RevealLowest(next(i % n for i in range(seat + 1, seat + 1 + n) if s.hands[i % n]))


def seconds(s: table.State) -> int:
    """Return the swap window's own time limit."""
    return s.rules.swap_seconds if s.phase == "swap_window" else 0


# --- Moves and their events (trio 2, 4, 6) -----------------------------------------------------------------


def opening(s: table.State, eaten_at: tuple[int | None, ...]) -> tuple[table.Event, ...]:
    """Begin a game with the avocados that the seats stated; name the first player too, unless chance decides."""
    avocados = eaten_at if s.rules.first_player == "avocado" else ()
    stated = (table.AvocadoStated(seat, Time(at)) for seat, at in enumerate(avocados) if at is not None)
    beginners = may_begin(s, eaten_at)
    chosen = () if beginners[1:] else (table.FirstPlayerChosen(beginners[0], how(s, eaten_at)),)
    return (table.GameStarted(s.game_no + 1, s.rules.each, s.rules.in_middle), *stated, *chosen)


def how(s: table.State, eaten_at: Sequence[int | None]) -> Literal["avocado", "pick", "left"]:
    """Return why there is just one seat that may begin."""
    if s.rules.first_player == "avocado" and any(at is not None for at in eaten_at):
        return "avocado"
    return "pick" if s.last_first == NOBODY else "left"


def decide(s: table.State, seat: Seat, move: table.Move) -> tuple[table.Event, ...]:
    """Return the events of a legal move."""
    match move:
        case table.RevealLowest() | table.RevealHighest() | table.RevealMiddle():
            source = source_of(move)
            turn_no = s.turn_no if s.face_up else s.turn_no + 1
            return (table.CardRevealed(seat, source, number_at(s, source), len(s.face_up) + 1, turn_no),)
        case table.OfferSwap():
            return (table.SwapAnswered(seat, move.card, "offer"),)
        case table.DeclineSwap():
            return (table.SwapAnswered(seat, None, "decline"),)
        case table.PickFirst():
            return (*begin_game(s), table.FirstPlayerChosen(may_begin(s, s.avocados)[move.index], "random"))
        case table.Deal():
            return (*begin_game(s), table.HandStarted(s.hand_no + 1), table.HandDealt(*deal_pack(s.rules, move.pack)))


def begin_game(s: table.State) -> tuple[table.Event, ...]:
    """Begin the game, unless it began in the lobby."""
    return () if s.opened else opening(s, s.avocados)


ANSWERS: Mapping[type, str] = {table.CardRevealed: "by", table.SwapAnswered: "seat"}


def move_of(event: table.Event) -> tuple[Seat, table.Move] | None:
    """Return the move of a seat that the event records."""
    match event:
        case table.CardRevealed():
            return event.by, reveal_of(event.source)
        case table.SwapAnswered(answer="decline"):
            return event.seat, table.DeclineSwap()
        case table.SwapAnswered(card=card) if card is not None:
            return event.seat, table.OfferSwap(card)
        case _:
            return None


def reveal_of(source: table.Source) -> table.Reveal:
    """Return the move that reveals the card in this place."""
    if source.position is not None:
        return table.RevealMiddle(source.position)
    make = table.RevealLowest if source.end == "lowest" else table.RevealHighest
    return make(table.seat_of(source))


def source_of(move: table.Reveal) -> table.Source:
    """Return the position of the card that the move reveals."""
    match move:
        case table.RevealMiddle():
            return table.Source("middle", position=move.position)
        case table.RevealLowest():
            return table.Source("hand", move.seat, "lowest")
        case table.RevealHighest():
            return table.Source("hand", move.seat, "highest")


def number_at(s: table.State, source: table.Source) -> Number | None:
    """Look at the card in this place."""
    if source.position is not None:
        return s.middle[source.position]
    return s.hands[table.seat_of(source)][0 if source.end == "lowest" else -1]


# --- Consequences (trio 4, 6, 9) ---------------------------------------------------------------------------


def consequences(s: table.State) -> tuple[table.Event, ...]:
    """Return the events that follow now without a move."""
    match s.phase:
        case "revealing":
            return after_reveal(s) if s.face_up else before_turn(s)
        case "swap_window":
            return after_answer(s)
        case _:
            return ()


def after_reveal(s: table.State) -> tuple[table.Event, ...]:
    """Turn all cards face down once one differs; take the trio once three are equal."""
    first, last = s.face_up[0], s.face_up[-1]
    if last.number == first.number and len(s.face_up) < 3:
        return ()
    sources = tuple([each.source for each in s.face_up])
    if last.number != first.number:
        return (table.RevealsReturned(sources),)
    assert last.number is not None
    return (table.TrioCompleted(s.turn, s.rules.team_of(s.turn), last.number, sources),)


def before_turn(s: table.State) -> tuple[table.Event, ...]:
    """Between two turns, end the game if it is won or too long, or let teams swap."""
    if s.trios and (by := s.rules.won(trios_of(s, s.trios[-1].seat))):
        return (win_game(s, s.trios[-1].seat, by),)
    if s.turn_no - s.before >= s.rules.max_turns:
        return (end_game(s, "max_turns"),)
    if s.swaps_due and (teams := may_swap(s)):
        return (table.SwapWindowOpened(s.swaps_due, teams),)
    return ()


def may_swap(s: table.State) -> tuple[int, ...]:
    """Return the teams that may swap now: not the one that took the trio, and none with an empty hand."""
    taker = s.rules.sides[s.trios[-1].seat] if s.trios else NOBODY
    hands = enumerate(s.rules.teams)
    return tuple(team for team, pair in hands if team != taker and all(s.hands[seat] for seat in pair))


def after_answer(s: table.State) -> tuple[table.Event, ...]:
    """Settle a team when both partners have answered; close the window when all teams are settled."""
    w = table.window(s)
    for team in w.teams:
        if team not in w.settled and all(seat in w.answered for seat in s.rules.teams[team]):
            return (swap(s, team),)
    return (table.SwapWindowClosed(),) if len(w.settled) == len(w.teams) else ()


def swap(s: table.State, team: int) -> table.Event:
    """Exchange the two cards that partners offer; if one declines, nothing moves."""
    a, b = s.rules.teams[team]
    offers = table.window(s).offers
    if offers[a] is None or offers[b] is None:
        return table.SwapNotMade(team)
    nothing: tuple[Number | None, ...] = (None,) * s.rules.seats
    gave = put_at(put_at(nothing, a, offers[a]), b, offers[b])
    return table.SwapMade(team, gave, put_at(put_at(nothing, a, offers[b]), b, offers[a]))


def trios_of(s: table.State, seat: Seat) -> Numbers:
    """Return the trios of a seat, its partner's among them, in the order taken."""
    return tuple(t.number for t in s.trios if s.rules.sides[t.seat] == s.rules.sides[seat])


def win_game(s: table.State, seat: Seat, by: str) -> table.GameEnded:
    """End the game: the seat's side wins, the others follow by their number of trios."""
    mine = s.rules.sides[seat]
    winners = tuple(i for i, side in enumerate(s.rules.sides) if side == mine)
    return end_game(s, by, mine, winners, [-99 if i in winners else -n for i, n in enumerate(scores(s))])


def end_game(
    s: table.State, by: str, winner: int | None = None, winners: tuple[Seat, ...] = (), order: Sequence[int] = ()
) -> table.GameEnded:
    """Record the end of a game; without an order of the seats it is drawn."""
    trios = tuple(trios_of(s, seat) for seat in range(s.rules.seats))
    return table.GameEnded(winner, by, trios, rank_lowest_first(order or (0,) * s.rules.seats), winners)


def scores(s: table.State) -> tuple[int, ...]:
    """Return the number of trios of each seat's side."""
    return tuple(len(trios_of(s, seat)) for seat in range(s.rules.seats))


def stop(s: table.State, gave_up: tuple[Seat, ...], reason: str) -> tuple[table.Event, ...]:
    """End the game now: resigned sides come last, the others rank by their trios; if none resigned, no side wins."""
    if not gave_up:
        return (end_game(s, reason),)
    lost = {s.rules.sides[seat] for seat in gave_up}
    order = [1 if side in lost else -n for side, n in zip(s.rules.sides, scores(s), strict=True)]
    winners = tuple(seat for seat, place in enumerate(order) if place == min(order))
    won_by = {s.rules.sides[seat] for seat in winners}
    return (end_game(s, reason, won_by.pop() if len(won_by) == 1 else None, winners, order),)


def outcome(s: table.State) -> Outcome | None:
    """Return the result of a game that is over."""
    return None if s.ended is None else Outcome(s.ended.winners, s.ended.ranking, scores(s), s.ended.by)


REFUSALS: Mapping[str, Refusal] = {
    "hand_empty": Refusal("That hand is empty", "Choose another hand, or the middle."),
    "no_card_there": Refusal("No card there", "Choose a position that is face down."),
}
