"""Says who is to act, what chance is asked, which moves a seat may make, and which the clock makes (fivewells 3, 4)."""

from collections.abc import Iterable
from typing import Final, get_args

from domain.card_sets.cards.card_kinds import Keyword, Mana
from domain.core.cards import Seat
from domain.core.choices import Ask, Below, Choice, NoArguments, Shuffle
from domain.core.game import CHANCE, Choices
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.combat import attackers, blockers_of, possible_attackers, possible_blocks
from domain.games.fivewells.legal import Tapping, by_hand, casts, group_acts, lands_to_play, own_things, uses
from domain.games.fivewells.moves import (
    Arranged,
    Choose,
    ChooseFirst,
    DeclareAttackers,
    DeclareBlockers,
    DiscardAtRandom,
    KeepHand,
    Move,
    Mulligan,
    NumberCards,
    OrderBlockers,
    PassPriority,
    ShuffleLibrary,
    SubmitDeck,
)
from domain.games.fivewells.opening import boosters_due, building, deck_to_submit, next_booster, usual_deck
from domain.games.fivewells.payment import sources
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.questions import (
    Attacking,
    BlockersToOrder,
    Blocking,
    Keeping,
    LandToPlay,
    NumberChosen,
    Passes,
    Scouting,
    SomeChosen,
    StopsToSet,
    TargetsOfTrigger,
    YesOrNo,
)
from domain.games.fivewells.records import Handle, Handles, Stop, Targets
from domain.games.fivewells.stack import trigger_options
from domain.games.fivewells.state import NOBODY, Question, State
from domain.games.fivewells.texts import answers_to, choice_reason, object_name, why

MULLIGANS: Final = 6
MOST_STOPS_SET: Final = 20
ALL_STOPS: Final[tuple[Stop, ...]] = get_args(Stop)


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for."""
    if s.ended is not None:
        return ()
    if builders := building(s):
        return builders
    if not s.begun or s.numbered < 2 or any(s.to_shuffle) or s.random_discard != NOBODY:
        return (CHANCE,)
    if not all(s.kept):
        return tuple(seat for seat in (0, 1) if not s.kept[seat])
    if s.asked:
        return (s.asked.seat,)
    if s.step == "block" and not s.declared:
        return (1 - s.active,)
    if s.unordered or (s.step == "attack" and not s.declared):
        return (s.active,)
    return (s.priority,)


def phase(s: State) -> str:
    """Name what is going on: what chance or a seat is asked, or the step."""
    if s.ended:
        return "game_over"
    if building(s):
        return "deck_building"
    if not s.begun or s.numbered < 2:
        return "opening"
    if not all(s.kept):
        return "mulligan"
    if s.asked:
        return s.asked.choice
    return "order_blockers" if s.unordered else s.step


def ask(s: State) -> Ask:
    """Say what is asked of chance."""
    if boosters_due(s) or (not s.begun and s.rules.boosters and s.first_duel):
        return next_booster(s)
    if s.first == NOBODY:
        return Below(ChooseFirst, "first_player", 2)
    if s.numbered < 2:
        count = s.sizes[s.numbered]
        return Shuffle(NumberCards, f"ids.{s.numbered}", tuple(range(count)))
    if s.random_discard != NOBODY:
        return Below(DiscardAtRandom, "random", len(s.hands[s.random_discard]), s.lots)
    seat = s.to_shuffle.index(True)
    library = tuple(sorted(s.libraries[seat]))
    if s.turn:
        return Shuffle(ShuffleLibrary, f"search.{seat}", library, s.searches[seat] - 1)
    return Shuffle(ShuffleLibrary, f"library.{seat}", library, s.mulligans[seat])


def legal(s: State, seat: Seat) -> Choices:
    """Return what the seat may do now; its stops it may set at any time."""
    if s.ended is not None or seat not in (0, 1):
        return ()
    stops = (StopsToSet(ALL_STOPS),) if may_set_stops(s, seat) else ()
    if seat not in to_act(s):
        return stops
    return (*answers(s, seat), *stops)


def may_set_stops(s: State, seat: Seat) -> bool:
    """Return whether a seat may set its stops, the number of which in a turn is limited."""
    return s.begun and s.stops_set[seat] < MOST_STOPS_SET


def answers(s: State, seat: Seat) -> Choices:
    """Return the moves that answer what the seat is asked."""
    if seat in building(s):
        return (deck_to_submit(s, seat),)
    if not all(s.kept):
        return mulligans(s, seat)
    if s.asked:
        return (chosen_among(s, s.asked),)
    if s.unordered:
        return tuple(
            BlockersToOrder(
                attacker,
                tuple(sorted(one.object for one in blockers_of(s, attacker))),
                object_name(s, attacker, whose=False),
            )
            for attacker in s.unordered
        )
    if not s.declared and s.step == "attack":
        return (Attacking(possible_attackers(s, seat)),)
    if not s.declared and s.step == "block":
        daunting = tuple(one.object for one in attackers(s) if Keyword.DAUNTING in one.keywords)
        return (Blocking(possible_blocks(s, seat), daunting),)
    return with_priority(s, seat)


def mulligans(s: State, seat: Seat) -> Choices:
    """Say that a hand may be kept, or handed back for another."""
    keeping = Keeping(s.hands[seat], s.mulligans[seat])
    return (keeping, NoArguments(Mulligan)) if s.mulligans[seat] < MULLIGANS else (keeping,)


def chosen_among(s: State, asked: Question) -> Choice:
    """Return the choice that answers a question."""
    match asked.choice:
        case "trigger_targets":
            return TargetsOfTrigger(trigger_options(s), why(s, asked))
        case "scout":
            return Scouting(tuple(sorted(face.object for face in asked.cards)), why(s, asked))
        case "mode":
            return NumberChosen(answers_to(s, asked), why(s, asked))
        case "may" | "pay_or_not":
            yes, no = answers_to(s, asked)
            return YesOrNo(asked.choice, yes, no, why(s, asked))
        case "search":
            lands = tuple(face.object for face in asked.cards)
            return some_chosen(s, asked, lands, 0)
        case "discard" | "cleanup_discard":
            return some_chosen(s, asked, s.hands[asked.seat], asked.least)
        case _:
            return some_chosen(s, asked, asked.objects, asked.least)


def some_chosen(s: State, asked: Question, among: Handles, least: int) -> Choice:
    """Return the choice of some of these."""
    return SomeChosen(asked.choice, among, least, asked.most, why(s, asked), choice_reason(s, asked))


# --- With priority -----------------------------------------------------------------------------------------


def with_priority(s: State, seat: Seat) -> Choices:
    """Return what a seat may do with priority."""
    made: list[Choice] = [Passes()]
    if lands := lands_to_play(s, seat):
        made.append(LandToPlay(lands))
    free = sources(s, seat)
    for acts in (group_acts(s, casts(s, seat)), group_acts(s, uses(s, seat))):
        made += acts
        if free or any(s.pools[seat]):
            made += by_hand(acts, s.pools[seat], free)
    known = board(s).known
    if ("mana choices", seat) not in known:
        known["mana choices", seat] = mana_choices(s, seat)
    return (*made, *known["mana choices", seat])


def mana_choices(s: State, seat: Seat) -> list[Choice]:
    """Return the sources that a seat may use for mana: one choice for those that give the same."""
    kinds: dict[tuple[Mana, ...], list[Handle]] = {}
    for thing in own_things(s, seat):
        printed = thing.printed
        if printed.mana:
            taps = not thing.permanent.tapped and thing.may_act
            if colors := printed.gives if taps else printed.gives_tapped:
                kinds.setdefault(colors, []).append(thing.object)
    return [Tapping(tuple(of), colors) for colors, of in sorted(kinds.items())]


# --- Moves of a seat whose time is over --------------------------------------------------------------------


def default(s: State, seat: Seat) -> Move:
    """Choose for a seat whose time is up; one that is asked nothing would pass."""
    if seat not in to_act(s):
        return PassPriority()
    if s.asked:
        return default_choice(s, s.asked)
    match phase(s):
        case "deck_building":
            deck = usual_deck(s, seat)
            return SubmitDeck(deck.main, deck.sideboard)
        case "mulligan":
            return KeepHand(tuple(dearest(s, s.hands[seat])[: s.mulligans[seat]]))
        case "order_blockers":
            attacker = s.unordered[0]
            return OrderBlockers(attacker, tuple(one.object for one in blockers_of(s, attacker)))
        case "attack" if not s.declared:
            return DeclareAttackers(())
        case "block" if not s.declared:
            return DeclareBlockers(())
        case _:
            return PassPriority()


def mana_value(s: State, handle: Handle) -> int:
    """Return the mana value of a card or a permanent; that of a token is 0."""
    name = s.permanents[s.ids.index(handle)].card if handle in s.ids else s.cards[handle]
    return PRINTED[name].cost.mana_value


def dearest(s: State, cards: Iterable[Handle]) -> list[Handle]:
    """Sort cards: the highest mana value first, then the highest handle."""
    return sorted(cards, key=lambda card: (mana_value(s, card), card), reverse=True)


def cheapest(s: State, cards: Iterable[Handle]) -> list[Handle]:
    """Sort cards: the lowest mana value first, then the lowest handle."""
    return sorted(cards, key=lambda card: (mana_value(s, card), card))


def default_choice(s: State, asked: Question) -> Choose:
    """Answer a question."""
    match asked.choice:
        case "trigger_targets":
            rows: dict[str, Handles] = {one.id: one.of[: one.least] for one in trigger_options(s)}
            return Choose("trigger_targets", Targets(**rows))
        case "scout":
            return Choose("scout", Arranged((), tuple(face.object for face in asked.cards)))
        case "search":
            return Choose("search", ())
        case "mode":
            return Choose("mode", 0)
        case "may" | "pay_or_not":
            return Choose(asked.choice, False)
        case "discard" | "cleanup_discard":
            return Choose(asked.choice, tuple(cheapest(s, s.hands[asked.seat])[: asked.most]))
        case "sacrifice":
            return Choose("sacrifice", tuple(cheapest(s, asked.objects)[: asked.most]))
