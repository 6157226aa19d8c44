"""Determines the seats to act, the open decision, its answers, and the default move of the clock (fivewells 3, 4)."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, ClassVar, Final, get_args

from domain.card_sets.cards.card_kinds import Keyword
from domain.core.cards import NOBODY, Seat
from domain.core.choices import X_NAMES, Ask, Below, Choice, NoArguments, Shuffle, arguments_schema, some_pairs
from domain.core.game import CHANCE, Choices
from domain.core.type_schema import object_of
from domain.core.values import value
from domain.games.fivewells import moves
from domain.games.fivewells.casting import Candidates, fault, sources
from domain.games.fivewells.characteristics import PRINTED, board
from domain.games.fivewells.combat import attackers, blockers_of, possible_attackers, possible_blocks
from domain.games.fivewells.effects import trigger_options
from domain.games.fivewells.legal import (
    any_targets,
    by_hand,
    casts,
    group_acts,
    lands_to_play,
    mana_choices,
    object_names,
    some_of,
    targets_schema,
    uses,
)
from domain.games.fivewells.opening import boosters_due, building, deck_to_submit, next_booster, usual_deck
from domain.games.fivewells.records import Blocks, Handle, Handles, Kind, Stop, Targets, Until, name
from domain.games.fivewells.state import Question, State
from domain.games.fivewells.texts import answers_to, choice_reason, object_name, why, window_name

# --- Choices that the game asks for ------------------------------------------------------------------------


@value
class Keeping:
    """The choice to keep a hand, and to put `count` of its cards under the library."""

    hand: Handles
    count: int
    make: ClassVar[type] = moves.KeepHand
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is moves.KeepHand and are_different(move.bottom, self.hand) and len(move.bottom) == self.count

    def schema(self) -> dict[str, Any]:
        known = {"bottom": {"title": "Under the library"} | some_of(self.hand, self.count, self.count)}
        return object_of(known, ["bottom"] if self.count else [])

    def sample(self, rng: Random) -> Any:
        return moves.KeepHand(tuple(rng.sample(self.hand, self.count)))


def are_different(chosen: Handles, among: Handles) -> bool:
    """Return whether objects are different, and among these."""
    return len(set(chosen)) == len(chosen) and set(chosen) <= set(among)


@value
class LandToPlay:
    """The choice to play one of these lands."""

    of: Handles
    make: ClassVar[type] = moves.PlayLand
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is moves.PlayLand and move.card in self.of

    def schema(self) -> dict[str, Any]:
        return arguments_schema({"card": {"enum": object_names(self.of)}})

    def sample(self, rng: Random) -> Any:
        return moves.PlayLand(rng.choice(self.of))


@value
class Passes:
    """The choice to pass, now or until something happens."""

    make: ClassVar[type] = moves.PassPriority
    exact: ClassVar[bool] = True
    until: ClassVar[tuple[Until | None, ...]] = (None, *get_args(Until))

    def admits(self, move: Any) -> bool:
        return type(move) is moves.PassPriority

    def schema(self) -> dict[str, Any]:
        called = {"next_turn": "The next turn", "something_on_stack": "Something is on the stack"}
        return object_of({"until": {"enum": list(self.until), X_NAMES: called}})

    def sample(self, rng: Random) -> Any:
        return moves.PassPriority(rng.choice(self.until))


@value
class StopsToSet:
    """The choice of the windows in which a seat wants to act."""

    windows: tuple[Stop, ...]
    make: ClassVar[type] = moves.SetStops
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is moves.SetStops and all(len(set(row)) == len(row) for row in (move.stops, move.once))

    def schema(self) -> dict[str, Any]:
        windows = {"enum": list(self.windows), X_NAMES: {one: window_name(one) for one in self.windows}}
        row = {"type": "array", "items": windows, "uniqueItems": True}
        return object_of({"stops": {"title": "Always", **row}, "once": {"title": "Next time only", **row}}, ["stops"])

    def sample(self, rng: Random) -> Any:
        # Bots need enough stops, or they would never act.
        return moves.SetStops(tuple(one for one in self.windows if rng.random() < 0.9))


# --- Combat ------------------------------------------------------------------------------------------------


@value
class Attacking:
    """The choice to attack with any of these creatures."""

    creatures: Handles
    make: ClassVar[type] = moves.DeclareAttackers
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is moves.DeclareAttackers and are_different(move.attackers, self.creatures)

    def schema(self) -> dict[str, Any]:
        return arguments_schema({"attackers": some_of(self.creatures, 0, len(self.creatures))})

    def sample(self, rng: Random) -> Any:
        return moves.DeclareAttackers(tuple(one for one in self.creatures if rng.random() < 0.5))


@value
class Blocking:
    """The choice to block: each creature blocks one attacker at most, and two or more block a `daunting` one."""

    of_each: Mapping[Handle, Handles]
    """The creatures that can block, each with the attackers that it can block."""
    daunting: Handles
    make: ClassVar[type] = moves.DeclareBlockers
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        if type(move) is not moves.DeclareBlockers:
            return False
        if not all(pair.attacker in self.of_each.get(pair.blocker, ()) for pair in move.blocks):
            return False
        count = Counter(pair.attacker for pair in move.blocks)
        once = len({pair.blocker for pair in move.blocks}) == len(move.blocks)
        return once and not any(count[attacker] == 1 for attacker in self.daunting)

    def schema(self) -> dict[str, Any]:
        return arguments_schema({"blocks": some_pairs("blocker", "attacker", self._blocks_by_name())})

    def _blocks_by_name(self) -> dict[str, tuple[str, ...]]:
        """Return the possible blocks by names; creatures that can block the same attackers share a list."""
        rows = {row: tuple(object_names(row)) for row in set(self.of_each.values())}
        return {name(blocker): rows[row] for blocker, row in self.of_each.items()}

    def sample(self, rng: Random) -> Any:
        picked = [Blocks(one, rng.choice(row)) for one, row in self.of_each.items() if rng.random() < 0.5]
        count = Counter(pair.attacker for pair in picked)
        alone = {attacker for attacker in self.daunting if count[attacker] == 1}
        return moves.DeclareBlockers(tuple(pair for pair in picked if pair.attacker not in alone))


@value
class BlockersToOrder:
    """The choice to put the blockers of an attacker in order."""

    attacker: Handle
    blockers: Handles
    called: str
    """The attacker's name for people."""
    make: ClassVar[type] = moves.OrderBlockers
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not moves.OrderBlockers or move.attacker != self.attacker:
            return False
        return sorted(move.order) == sorted(self.blockers)

    def schema(self) -> dict[str, Any]:
        count = len(self.blockers)
        of = {"description": f"Blockers of {self.called}, in the order of damage"}
        order = some_of(self.blockers, count, count) | of
        return arguments_schema({"attacker": {"enum": [name(self.attacker)]}, "order": order})

    def sample(self, rng: Random) -> Any:
        return moves.OrderBlockers(self.attacker, tuple(rng.sample(self.blockers, len(self.blockers))))


# --- Questions during a resolution -------------------------------------------------------------------------


ASKED: Final[Mapping[Kind, tuple[str, str]]] = {
    "discard": ("Discard", "Cards"),
    "cleanup_discard": ("Discard", "Cards"),
    "sacrifice": ("Sacrifice", "Permanents"),
    "scout": ("Put back", "Scouted cards"),
    "search": ("Choose from the library", "Lands"),
    "trigger_targets": ("Choose targets", "Targets"),
    "mode": ("Choose one", "Mode"),
    "may": ("Let it happen", "Answer"),
    "pay_or_not": ("Pay for it", "Answer"),
}
"""The titles of an answer and of the choice in it, by the question."""


def asking(choice: Kind, answer: dict[str, Any], why: str = "") -> dict[str, Any]:
    """Describe the answer to a question; a search that finds nothing may leave it out."""
    title, of = ASKED[choice]
    known = {"choice": {"enum": [choice]}, "value": {"title": of, **answer}}
    about = {"description": f"{why}."} if why else {}
    return {"title": title, **about, **object_of(known, ["choice"] if choice == "search" else list(known))}


def in_a_word(choice: Kind, answers: Mapping[Any, str], why: str) -> dict[str, Any]:
    """Describe a question that is answered by one of few values, with their names for people.

    The value comes before the question, because the player chooses it.
    """
    called = {json.dumps(value): text for value, text in answers.items()}
    return asking(choice, {"enum": [*answers], X_NAMES: called}, why) | {"required": ["value", "choice"]}


@value
class SomeChosen:
    """The choice of `least` to `most` of these cards or permanents."""

    choice: Kind
    among: Handles
    least: int
    most: int
    why: str
    what: str
    """The object of the choice, and its card."""
    make: ClassVar[type] = moves.Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not moves.Choose or move.choice != self.choice:
            return False
        chosen = named_objects(move)
        return chosen is not None and are_different(chosen, self.among) and self.least <= len(chosen) <= self.most

    def schema(self) -> dict[str, Any]:
        return asking(self.choice, some_of(self.among, self.least, self.most) | {"description": self.what}, self.why)

    def sample(self, rng: Random) -> Any:
        count = rng.randint(self.least, min(self.most, len(self.among)))
        return moves.Choose(self.choice, tuple(rng.sample(self.among, count)))


def named_objects(move: moves.Choose) -> Handles | None:
    """Return the objects that an answer names; None for another kind of answer.

    A search that finds nothing may leave it out.
    """
    if move.value is None and move.choice == "search":
        return ()
    return move.value if isinstance(move.value, tuple) else None


@value
class Scouting:
    """The choice to put some of these cards under the library, and the rest back on top.

    Cards named in neither row stay on top in their order, below the named ones.
    """

    cards: Handles
    why: str
    make: ClassVar[type] = moves.Choose
    exact: ClassVar[bool] = False

    def admits(self, move: Any) -> bool:
        if type(move) is not moves.Choose or move.choice != "scout" or not isinstance(move.value, moves.Arranged):
            return False
        return are_different((*move.value.bottom, *move.value.top), self.cards)

    def schema(self) -> dict[str, Any]:
        row = some_of(self.cards, 0, len(self.cards))
        deepest, topmost = (", lowest first", ", topmost first") if len(self.cards) > 1 else ("", "")
        put = {
            "bottom": {"title": f"Under the library{deepest}", **row},
            "top": {"title": f"On top{topmost}", **row},
        }
        return asking("scout", arguments_schema(put), f"{self.why}. Other cards stay on top in their order")

    def sample(self, rng: Random) -> Any:
        mixed = tuple(rng.sample(self.cards, len(self.cards)))
        n = rng.randint(0, len(mixed))
        return moves.Choose("scout", moves.Arranged(mixed[:n], mixed[n:]))


@value
class TargetsOfTrigger:
    """The choice of the targets of a trigger."""

    options: tuple[Candidates, ...]
    why: str
    make: ClassVar[type] = moves.Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not moves.Choose or move.choice != "trigger_targets" or not isinstance(move.value, Targets):
            return False
        return not fault(self.options, move.value)

    def schema(self) -> dict[str, Any]:
        return asking("trigger_targets", targets_schema(self.options), self.why)

    def sample(self, rng: Random) -> Any:
        return moves.Choose("trigger_targets", any_targets(self.options, rng))


@value
class NumberChosen:
    """The choice of a mode, by its number from 0 on."""

    modes: tuple[str, ...]
    """The effects of each mode, in words."""
    why: str
    make: ClassVar[type] = moves.Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not moves.Choose or move.choice != "mode":
            return False
        return type(move.value) is int and 0 <= move.value < len(self.modes)

    def schema(self) -> dict[str, Any]:
        return in_a_word("mode", dict(enumerate(self.modes)), self.why)

    def sample(self, rng: Random) -> Any:
        return moves.Choose("mode", rng.randrange(len(self.modes)))


@value
class YesOrNo:
    """The choice whether to do something; its price is paid automatically."""

    choice: Kind
    yes: str
    no: str
    why: str
    make: ClassVar[type] = moves.Choose
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is moves.Choose and move.choice == self.choice and isinstance(move.value, bool)

    def schema(self) -> dict[str, Any]:
        return in_a_word(self.choice, {True: self.yes, False: self.no}, self.why)

    def sample(self, rng: Random) -> Any:
        return moves.Choose(self.choice, rng.random() < 0.5)


# --- Seats to act, and their decisions ---------------------------------------------------------------------


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
    """Name the phase: the question to chance or a seat, or the step."""
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
    """Return the question to chance."""
    if boosters_due(s) or (not s.begun and s.rules.boosters and s.first_duel):
        return next_booster(s)
    if s.first == NOBODY:
        return Below(moves.ChooseFirst, "first_player", 2)
    if s.numbered < 2:
        count = s.sizes[s.numbered]
        return Shuffle(moves.NumberCards, f"ids.{s.numbered}", tuple(range(count)))
    if s.random_discard != NOBODY:
        return Below(moves.DiscardAtRandom, "random", len(s.hands[s.random_discard]), s.lots)
    seat = s.to_shuffle.index(True)
    library = tuple(sorted(s.libraries[seat]))
    if s.turn:
        return Shuffle(moves.ShuffleLibrary, f"search.{seat}", library, s.searches[seat] - 1)
    return Shuffle(moves.ShuffleLibrary, f"library.{seat}", library, s.mulligans[seat])


def legal(s: State, seat: Seat) -> Choices:
    """Return the seat's legal moves; it may set its stops at any time."""
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
    """Return the moves that answer the seat's prompt."""
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
    """Return the choices to keep a hand, or to take a mulligan."""
    keeping = Keeping(s.hands[seat], s.mulligans[seat])
    return (keeping, NoArguments(moves.Mulligan)) if s.mulligans[seat] < MULLIGANS else (keeping,)


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
    """Return the choice of at least this many of these objects."""
    return SomeChosen(asked.choice, among, least, asked.most, why(s, asked), choice_reason(s, asked))


# --- With priority -----------------------------------------------------------------------------------------


def with_priority(s: State, seat: Seat) -> Choices:
    """Return the moves of a seat with priority."""
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


# --- Default moves -----------------------------------------------------------------------------------------


def default(s: State, seat: Seat) -> moves.Move:
    """Return the default move of a seat whose time is up; without a prompt, it would pass."""
    if seat not in to_act(s):
        return moves.PassPriority()
    if s.asked:
        return default_choice(s, s.asked)
    match phase(s):
        case "deck_building":
            deck = usual_deck(s, seat)
            return moves.SubmitDeck(deck.main, deck.sideboard)
        case "mulligan":
            return moves.KeepHand(tuple(dearest(s, s.hands[seat])[: s.mulligans[seat]]))
        case "order_blockers":
            attacker = s.unordered[0]
            return moves.OrderBlockers(attacker, tuple(one.object for one in blockers_of(s, attacker)))
        case "attack" if not s.declared:
            return moves.DeclareAttackers(())
        case "block" if not s.declared:
            return moves.DeclareBlockers(())
        case _:
            return moves.PassPriority()


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


def default_choice(s: State, asked: Question) -> moves.Choose:
    """Return the default answer to a question."""
    match asked.choice:
        case "trigger_targets":
            rows: dict[str, Handles] = {one.id: one.of[: one.least] for one in trigger_options(s)}
            return moves.Choose("trigger_targets", Targets(**rows))
        case "scout":
            return moves.Choose("scout", moves.Arranged((), tuple(face.object for face in asked.cards)))
        case "search":
            return moves.Choose("search", ())
        case "mode":
            return moves.Choose("mode", 0)
        case "may" | "pay_or_not":
            return moves.Choose(asked.choice, False)
        case "discard" | "cleanup_discard":
            return moves.Choose(asked.choice, tuple(cheapest(s, s.hands[asked.seat])[: asked.most]))
        case "sacrifice":
            return moves.Choose("sacrifice", tuple(cheapest(s, asked.objects)[: asked.most]))
