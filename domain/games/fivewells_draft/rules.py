"""Defines the rules of a draft: the state, the effects of events, the legal moves and what follows."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, assert_never

from domain.card_sets.cards.boosters import asked_booster
from domain.card_sets.cards.card import PrintedCard
from domain.card_sets.cards.card_kinds import Rarity
from domain.card_sets.cards.library import CARDS, SETS
from domain.card_sets.decks.deck import DeckRules, automatic_deck, complete_deck, limited_rules
from domain.card_sets.decks.deck_choice import DeckToSubmit, fault_of, sentence_of
from domain.core.cards import Seat
from domain.core.choices import Drawing
from domain.core.collectible import Deck
from domain.core.game import CHANCE, Choices, Outcome
from domain.core.values import Compiled, Copied, mutable, or_back, put_at, value
from domain.games.fivewells_draft import events
from domain.games.fivewells_draft.options import Options

# --- The state ------------------------------------------------------------------------------------


Pool = tuple[str | None, ...]
"""The picks of each seat, card by card; None is a card that the reader does not know."""


@value
class Rules:
    """The compiled options: the set of each round, and the number of seats."""

    packs: tuple[str, ...]
    seats: int
    passing: bool = True
    """Whether packs are passed on, and not kept."""


@mutable
class State(Copied):
    """The state of a draft; what the reader does not know of packs, picks and decks is None."""

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    packs: tuple[events.Pack | None, ...]
    """The pack that is offered to each seat, as it was offered."""
    taken: tuple[str | None, ...]
    """The card that each seat has taken last."""
    offered: tuple[bool, ...]
    """Whether a seat has got its pack of this round."""
    picked: tuple[bool, ...]
    """Whether a seat has taken a card of the pack on offer."""
    pools: tuple[Pool, ...]
    submitted: tuple[bool, ...]
    decks: tuple[Deck | None, ...]
    left: tuple[bool, ...]
    """Whether the player of a seat has resigned."""
    opened: bool = False
    round_no: int = 0
    direction: events.Direction = "left"
    set: str = ""
    pick_no: int = 0
    count: int = 0
    """The number of cards of each pack on offer."""
    round_over: bool = True
    ended: events.GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; the numbers of games and hands continue from the previous game."""
    game_no, hand_no = (last.game_no, last.hand_no) if last else (0, 0)
    nothing, no = (None,) * seats, (False,) * seats
    pools: tuple[Pool, ...] = ((),) * seats
    return State(
        Rules(options.packs, seats, options.passing), game_no, hand_no, nothing, nothing, no, no, pools, no, nothing, no
    )


def evolve(s: State, event: events.Event) -> None:
    """Apply an event to the state."""
    match event:
        case events.PackOffered():
            s.packs, s.offered = put_at(s.packs, event.seat, event.cards), put_at(s.offered, event.seat, True)
            s.picked, s.pick_no, s.count = put_at(s.picked, event.seat, False), event.pick_no, event.count
        case events.CardPicked():
            s.taken, s.picked = put_at(s.taken, event.seat, event.card), put_at(s.picked, event.seat, True)
            s.pools = put_at(s.pools, event.seat, (*s.pools[event.seat], event.card))
        case events.LastCardTaken():
            s.packs, s.pick_no, s.count = put_at(s.packs, event.seat, None), event.pick_no, 0
            s.pools = put_at(s.pools, event.seat, (*s.pools[event.seat], event.card))
        case events.PackKept():
            kept = or_back(event.cards, (None,) * event.count)
            s.pools = put_at(s.pools, event.seat, (*s.pools[event.seat], *kept))
            s.packs, s.count = put_at(s.packs, event.seat, None), 0
        case events.HandStarted():
            s.hand_no, s.round_no, s.set, s.direction = event.hand_no, event.round_no, event.set, event.direction
            s.offered, s.round_over = (False,) * s.rules.seats, False
        case events.RoundEnded():
            s.round_over = True
        case events.DeckSubmitted():
            s.submitted = put_at(s.submitted, event.seat, True)
            s.decks = put_at(s.decks, event.seat, event.deck)
        case events.SeatGaveUp():
            s.left = put_at(s.left, event.seat, True)
        case events.GameStarted():
            s.opened, s.game_no = True, event.game_no
        case events.GameEnded():
            s.ended = event
        case _:
            assert_never(event)


# --- Play -----------------------------------------------------------------------------------------


# --- Legal moves and refusals (fivewells_draft 3, 4) -------------------------------------------------------


def phase(s: State) -> str:
    """Name the phase."""
    if s.ended is not None:
        return "game_over"
    if s.round_over:
        return "over" if last_round(s) else "opening"
    if not all(s.offered):
        return "opening"
    return "picking" if s.count else "building" if last_round(s) else "over"


def last_round(s: State) -> bool:
    """Return whether this is the last round."""
    return s.round_no == len(s.rules.packs)


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for: all that have not picked, or not built their deck."""
    match phase(s):
        case "opening":
            return (CHANCE,)
        case "picking":
            return tuple(seat for seat in present(s) if s.rules.passing and not s.picked[seat])
        case "building":
            return tuple(seat for seat in present(s) if not s.submitted[seat])
        case _:
            return ()


def present(s: State) -> Iterator[Seat]:
    """Return the seats that did not resign."""
    return (seat for seat in range(s.rules.seats) if not s.left[seat])


def ask(s: State) -> Drawing:
    """Request the next pack of the round from chance: seat 0's is first, before the round begins."""
    n = s.round_no if s.round_over else s.round_no - 1
    return asked_booster(events.OpenPack, SETS[s.rules.packs[n]], opener(s), n)


def opener(s: State) -> Seat:
    """Return the seat that opens the next pack."""
    return 0 if s.round_over else s.offered.index(False)


def legal(s: State, seat: Seat) -> Choices:
    """Return the legal moves of the seat; empty without a decision."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    if phase(s) == "picking":
        return (events.OneOfPack(s.packs[seat] or ()),)
    return (DeckToSubmit(events.SubmitDeck, deck_rules(s, seat), usual_deck(s, seat)),)


def lying(s: State, seat: Seat) -> int:
    """Return the number of cards in front of a seat."""
    return s.count - s.picked[seat] if s.offered[seat] and s.count else 0


def remaining(s: State, seat: Seat) -> list[str]:
    """Return the visible cards in front of a seat, as far as the reader knows them."""
    if not lying(s, seat):
        return []
    return [card for card in s.packs[seat] or () if not (s.picked[seat] and card == s.taken[seat])]


def deck_rules(s: State, seat: Seat) -> DeckRules:
    """Return the rules for the deck of a seat that knows its picks."""
    return limited_rules(pool(s, seat))


def usual_deck(s: State, seat: Seat) -> Deck:
    """Return the deck that the rules build for a seat (fivewells_draft 4.2)."""
    return automatic_deck(pool(s, seat))


def pool(s: State, seat: Seat) -> Iterable[PrintedCard]:
    """Return the cards that a seat has picked, as far as the reader knows them."""
    return [CARDS[card] for card in s.pools[seat] if card is not None]


ASKED: Final[Mapping[type, str]] = {events.PickCard: "picking", events.SubmitDeck: "building"}


def refusal(s: State, seat: Seat, move: events.Move) -> str:
    """Name the first reason why the move is refused, in order."""
    if ASKED.get(type(move)) != phase(s):
        return "wrong_phase"
    if seat not in to_act(s):
        return "already_done"
    if isinstance(move, events.PickCard):
        return "no_such_object"
    fault = fault_of(Deck(move.main, move.sideboard), deck_rules(s, seat))
    return fault.code if fault else ""


def explain(s: State, seat: Seat, move: events.Move) -> str:
    """Return the fault of a refused deck; an empty text for other moves."""
    if not isinstance(move, events.SubmitDeck) or phase(s) != "building" or seat not in to_act(s):
        return ""
    return sentence_of(Deck(move.main, move.sideboard), deck_rules(s, seat))


def default(s: State, seat: Seat) -> events.Move:
    """Return the move of a seat whose time is over: the rarest card, the lowest number first; or the usual deck."""
    if phase(s) == "picking":
        return events.PickCard(rarest(s.packs[seat] or ()))
    deck = usual_deck(s, seat)
    return events.SubmitDeck(deck.main, deck.sideboard)


RARITIES: Final = {rarity: place for place, rarity in enumerate(Rarity)}
"""The places of the rarities, the commonest first."""


def rarest(pack: events.Pack) -> str:
    """Return the automatic pick from a pack: the highest rarity, then the lowest number."""
    return min(pack, key=lambda one: (-RARITIES[CARDS[one].rarity], CARDS[one].number))


# --- Moves and their events --------------------------------------------------------------------------------


def decide(s: State, seat: Seat, move: events.Move | events.OpenPack) -> tuple[events.Event, ...]:
    """Return the events of a legal move."""
    match move:
        case events.OpenPack():
            return (*beginning(s), events.PackOffered(opener(s), 1, len(move.cards), move.cards))
        case events.PickCard():
            return (events.CardPicked(seat, "picked", move.card),)
        case events.SubmitDeck():
            return (deck_submitted(s, seat, Deck(move.main, move.sideboard), "built"),)


def beginning(s: State) -> tuple[events.Event, ...]:
    """Begin a round, and the game with the first one, when its first pack is opened."""
    if not s.round_over:
        return ()
    direction: events.Direction = "right" if s.round_no % 2 else "left"
    begins = events.HandStarted(s.hand_no + 1, s.round_no + 1, s.rules.packs[s.round_no], direction)
    return (begins,) if s.opened else (events.GameStarted(s.game_no + 1), begins)


def deck_submitted(s: State, seat: Seat, deck: Deck, how: Literal["built", "left"]) -> events.DeckSubmitted:
    """Record that a seat has built a deck; the picks that it does not play are its sideboard."""
    whole = complete_deck(deck, deck_rules(s, seat))
    return events.DeckSubmitted(seat, len(whole.main), len(whole.sideboard), how, whole)


def move_of(event: events.Event) -> tuple[Seat, events.Move] | None:
    """Return the move of a seat that the event records; None for an event that records none."""
    match event:
        case events.CardPicked(how="picked"):
            return event.seat, events.PickCard(event.card or "")
        case events.DeckSubmitted(how="built"):
            deck = event.deck or Deck(())
            return event.seat, events.SubmitDeck(deck.main, deck.sideboard)
        case _:
            return None


# --- Consequences ------------------------------------------------------------------------------------------


def consequences(s: State) -> tuple[events.Event, ...]:
    """Return the events that follow now without a move."""
    match phase(s):
        case "over":
            return (events.GameEnded("played", seats_given_up(s)),) if s.round_over else (events.RoundEnded(s.hand_no),)
        case "picking":
            if not s.rules.passing:
                return tuple(events.PackKept(seat, s.count, pack or ()) for seat, pack in enumerate(s.packs))
            if due := [seat for seat in seats_given_up(s) if not s.picked[seat]]:
                return tuple(events.CardPicked(seat, "left", rarest(s.packs[seat] or ())) for seat in due)
            return pass_packs(s) if all(s.picked) else ()
        case "building":
            if due := [seat for seat in seats_given_up(s) if not s.submitted[seat]]:
                return tuple(deck_submitted(s, seat, usual_deck(s, seat), "left") for seat in due)
            return (events.RoundEnded(s.hand_no),) if all(s.submitted) else ()
        case _:
            return ()


def pass_packs(s: State) -> tuple[events.Event, ...]:
    """Pass the packs on, each without the picked card; the last card of a pack is picked automatically."""
    seats = s.rules.seats
    step = -1 if s.direction == "left" else 1
    rest = [tuple(card for card in pack or () if card != s.taken[i]) for i, pack in enumerate(s.packs)]
    coming = [rest[(seat + step) % seats] for seat in range(seats)]
    if s.count == 2:
        return tuple(events.LastCardTaken(seat, s.pick_no + 1, pack[0]) for seat, pack in enumerate(coming))
    return tuple(events.PackOffered(seat, s.pick_no + 1, s.count - 1, pack) for seat, pack in enumerate(coming))


# --- The end --------------------------------------------------------------------------------------------


REASONS: Final[Mapping[str, events.Ending]] = {"resignation": "resignation", "draw": "draw"}


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[events.Event, ...]:
    """End the draft now."""
    return (events.GameEnded(REASONS.get(reason, "abandoned"), (*seats_given_up(s), *gave_up)),)


def resign(s: State, seat: Seat) -> tuple[events.Event, ...]:
    """Resign for a player; the others continue the draft."""
    return (events.SeatGaveUp(seat),)


def seats_given_up(s: State) -> tuple[Seat, ...]:
    """Return the seats that resigned."""
    return tuple(seat for seat, left in enumerate(s.left) if left)


def outcome(s: State) -> Outcome | None:
    """Return the result of a finished draft: no winner, and seats that resigned are last."""
    if s.ended is None:
        return None
    seats, last = range(s.rules.seats), s.rules.seats - len(set(s.ended.gave_up)) + 1
    places = tuple(last if seat in s.ended.gave_up else 1 for seat in seats)
    return Outcome((), places, (0,) * s.rules.seats, s.ended.reason)


def gains(s: State) -> tuple[Deck | None, ...]:
    """Return each seat's deck, with its other picks as the sideboard, for use in other matches."""
    return s.decks
