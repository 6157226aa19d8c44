"""Describes the legal acts of a duel as data: lands, spells, abilities (fivewells 3.3, 3.4, 4).

Each choice is computed once, and then needs no state.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any, ClassVar

from domain.card_sets.cards.card_kinds import COLORS, MANA_NAMES, Mana
from domain.card_sets.cards.costs import ManaCost
from domain.core.cards import Seat
from domain.core.choices import X_NAMES, X_OTHER, arguments_schema, some_pairs
from domain.core.type_schema import object_of
from domain.core.values import value, with_fields
from domain.games.fivewells.casting import (
    Act,
    Candidates,
    ManaSource,
    activating,
    all_targets,
    automatic,
    bill,
    can_tap,
    casting,
    choose_sources,
    fault,
    highest_x,
    is_for_mana,
    is_main,
    may_cast_now,
    most,
    needed_sources,
    paid_by_hand,
    payable,
    sources,
)
from domain.games.fivewells.characteristics import PRINTED, Printed, Thing, board
from domain.games.fivewells.moves import ActivateAbility, ActivateManaAbility, CastSpell
from domain.games.fivewells.records import NO_TARGETS, Handle, Handles, Paid, Pool, Targets, is_seat, name
from domain.games.fivewells.state import State


def object_names(handles: Sequence[Handle]) -> list[str]:
    """Name objects."""
    return [name(handle) for handle in handles]


def some_of(handles: Sequence[Handle], least: int, most: int) -> dict[str, Any]:
    """Describe a list of different objects among these."""
    listed: dict[str, Any] = {"type": "array", "minItems": least, "maxItems": min(most, len(handles))}
    seats = {name(one): f"Seat {name(one)}" for one in handles if is_seat(one)}
    items = {"enum": object_names(handles)} | ({X_NAMES: seats} if seats else {})
    return listed | {"uniqueItems": True} | ({"items": items} if handles else {})


def targets_schema(options: Sequence[Candidates]) -> dict[str, Any]:
    """Describe targets by their letters."""
    letters = {
        one.id: {"title": f"Target {n}" if len(options) > 1 else "Target", **some_of(one.of, one.least, one.most)}
        for n, one in enumerate(options, 1)
    }
    return object_of(letters, [one.id for one in options if one.least])


def any_targets(options: Sequence[Candidates], rng: Random) -> Targets:
    """Choose targets at random."""
    return Targets(
        **{one.id: tuple(rng.sample(one.of, rng.randint(one.least, min(one.most, len(one.of))))) for one in options}
    )


@value
class Limit:
    """The maximum of X after this many sources of each kind are taken away; -1 if the cost can then not be paid."""

    taken: tuple[int, ...]
    x: int


@value
class Acting:
    """An act that can be paid: a card to cast or an ability to activate, with its automatic payment.

    `kinds` are the sources of mana that targets and sacrifices can remove from the payment, grouped by kind. `limits`
    has a row for each number of sources removed of each kind. If all rows have the same X, the schema is exact. `paid`
    is the automatic payment with X 0 and nothing removed.
    """

    make: type
    source: Handle
    ability: int
    mana: ManaCost
    options: tuple[Candidates, ...]
    sacrifices: Handles | None
    barred: Handles
    kinds: tuple[Handles, ...]
    limits: tuple[Limit, ...]
    paid: tuple[Paid, ...] | None
    title: str
    payers: tuple[str, ...]
    """The names of the sources that pay."""

    @property
    def is_exact(self) -> bool:
        """Return whether X has the same bound for all targets and sacrifices."""
        return all(limit.x == self.limits[0].x for limit in self.limits)

    @property
    def most(self) -> int:
        """The highest X."""
        return max(limit.x for limit in self.limits)

    def fits(self, move: Any) -> bool:
        """Return whether a move is legal, apart from a payment by hand."""
        if not self._is_of(move) or fault(self.options, move.targets or NO_TARGETS):
            return False
        limit = self._limit(taken_by(move))
        return 0 <= move.x <= limit if self.mana.x and move.x is not None else limit >= 0 and not self._odd_x(move)

    def _odd_x(self, move: Any) -> bool:
        return (move.x is not None) != self.mana.x

    def _is_of(self, move: Any) -> bool:
        if isinstance(move, CastSpell):
            return move.card == self.source
        if (move.object, move.ability) != (self.source, self.ability):
            return False
        if self.sacrifices is None:
            return move.sacrifice is None
        return move.sacrifice is not None and len(move.sacrifice) == 1 and move.sacrifice[0] in self.sacrifices

    def _limit(self, used: set[Handle]) -> int:
        taken = tuple([len(used.intersection(kind)) for kind in self.kinds])
        return next((limit.x for limit in self.limits if limit.taken == taken), -1)

    def sample(self, rng: Random) -> Any:
        limit = rng.choice([one for one in self.limits if self.is_feasible(one)])
        shuffled = tuple([tuple(rng.sample(kind, len(kind))) for kind in self.kinds])
        options, sacrifices = self._within(limit, shuffled)
        targets = any_targets(options, rng) if options else None
        x = rng.randint(0, limit.x) if self.mana.x else None
        return self._made(targets, x, None if sacrifices is None else rng.choice(sacrifices))

    def usual(self) -> Any:
        """Return the move with the first targets, as few as possible, and with the highest X."""
        limit = max([one for one in self.limits if self.is_feasible(one)], key=lambda one: one.x)
        options, sacrifices = self._within(limit, self.kinds)
        targets = Targets(**{one.id: one.of[: one.least] for one in options}) if options else None
        return self._made(targets, limit.x if self.mana.x else None, sacrifices[0] if sacrifices else None)

    def is_feasible(self, limit: Limit) -> bool:
        """Return whether there are targets and sacrifices that take away only sources within the limit."""
        rows, given = self._within(limit, self.kinds)
        return limit.x >= 0 and given != () and all(one.ways for one in rows)

    def _within(self, limit: Limit, kinds: Sequence[Handles]) -> tuple[list[Candidates], Handles | None]:
        """Keep the targets and sacrifices that take away only the first sources of each kind, as the limit says."""
        out = {handle for kind, count in zip(kinds, limit.taken, strict=True) for handle in kind[count:]}
        rows = [with_fields(one, of=tuple([handle for handle in one.of if handle not in out])) for one in self.options]
        return rows, None if self.sacrifices is None else tuple([h for h in self.sacrifices if h not in out])

    def _made(self, targets: Targets | None, x: int | None, given: Handle | None) -> Any:
        if self.make is CastSpell:
            return CastSpell(self.source, targets, x)
        return ActivateAbility(self.source, self.ability, targets, x, None, None if given is None else (given,))


def taken_by(move: Any) -> set[Handle]:
    """Return the objects that a move's targets and sacrifice remove from its payment."""
    sacrificed = move.sacrifice if isinstance(move, ActivateAbility) else None
    return {*all_targets(move.targets or NO_TARGETS), *(sacrificed or ())}


def acting(s: State, make: type, act: Act, ability: int = 0, like: Acting | None = None) -> Acting | None:
    """Return an act with its payment; None if it has no targets, or cannot be paid.

    An act of the same card is paid `like` another, if neither source gives mana.
    """
    if any(one.ways == 0 for one in act.options) or act.sacrifices == ():
        return None
    own = {"source": act.source, "options": act.options, "sacrifices": act.sacrifices, "barred": act.barred}
    made = with_fields(like, **own) if like else first_acting(s, make, act, ability)
    return made if made and any(map(made.is_feasible, made.limits)) else None


def first_acting(s: State, make: type, act: Act, ability: int) -> Acting | None:
    """Compute the payment of an act; None if it cannot be paid."""
    paid = automatic(s, act.seat, bill(act.mana), act.barred)
    if paid is None:
        return None
    kinds = kinds_of(s, act)
    title = f"Cast {printed_of(s, act.source).name}" if make is CastSpell else printed_of(s, act.source).texts[ability]
    payers = tuple([printed_of(s, one.id).name for one in paid])
    limits = limits_of(s, act, kinds)
    return Acting(
        make, act.source, ability, act.mana, act.options, act.sacrifices, act.barred, kinds, limits, paid, title, payers
    )


def card_of(s: State, handle: Handle) -> str:
    """Return the card of a permanent, or of a card that is known."""
    thing = board(s).things.get(handle)
    return thing.permanent.card if thing else s.cards[handle]


def printed_of(s: State, handle: Handle) -> Printed:
    """Return the printed abilities of a permanent or of a known card."""
    return PRINTED[card_of(s, handle)]


def kinds_of(s: State, act: Act) -> tuple[Handles, ...]:
    """Return the mana sources that an act may remove from its own payment, grouped by kind.

    Sources of one kind give the same mana, and the same targets or sacrifices can take them. So whichever is taken, the
    others can pay for the same.
    """
    if not is_for_mana(act.mana):
        return ()
    takers = [frozenset(one.of) for one in act.options] + [frozenset(act.sacrifices or ())]
    gives: dict[Handle, list[object]] = {}
    for one in sources(s, act.seat):
        if one.id not in act.barred and any(one.id in taker for taker in takers):
            gives.setdefault(one.id, [one.id in taker for taker in takers]).append((one.mana, one.amount, one.rank))
    alike: dict[tuple[object, ...], list[Handle]] = {}
    for handle in sorted(gives):
        alike.setdefault(tuple(gives[handle]), []).append(handle)
    return tuple(map(tuple, alike.values()))


def limits_of(s: State, act: Act, kinds: Sequence[Handles]) -> tuple[Limit, ...]:
    """Return the highest X for each number of sources of these kinds that an act may take away from its payment."""
    most = sum(one.most for one in act.options) + (act.sacrifices is not None)
    rows = []
    for size in range(most + 1):
        for picked in combinations_with_replacement(range(len(kinds)), size):
            count = tuple(map(picked.count, range(len(kinds))))
            if all(n <= len(kind) for n, kind in zip(count, kinds, strict=True)):
                taken = [handle for n, kind in zip(count, kinds, strict=True) for handle in kind[:n]]
                fine = not size or payable(s, act, taken)
                rows.append(Limit(count, (highest_x(s, act, taken) if act.mana.x else 0) if fine else -1))
    return tuple(rows)


# --- Choices among acts ------------------------------------------------------------------------------------


@value
class Parts:
    """The source, the targets and the sacrifices of acts that differ only in their source.

    An act whose card says "another" lacks its own source among its targets or sacrifices. The parts include it, since
    it can be chosen for the other sources.
    """

    ability: int
    options: tuple[Candidates, ...]
    sacrifices: Handles | None
    without_source: tuple[str, ...]
    """The letters of targets that exclude an act's own source, and `sacrifice` if the sacrifice does."""
    has_x: bool
    most: int
    """The highest X."""


def parts_of(acts: Sequence[Acting]) -> Parts:
    """Join the targets and sacrifices of acts that differ only in their source."""
    first = acts[0]
    rows = [tuple([act.options[i].of for act in acts]) for i in range(len(first.options))]
    options = [with_fields(one, of=join_rows(row)) for one, row in zip(first.options, rows, strict=True)]
    without = [one.id for one, row in zip(options, rows, strict=True) if is_joined(one.of, row)]
    given = None if first.sacrifices is None else tuple([act.sacrifices or () for act in acts])
    sacrifices = None if given is None else join_rows(given)
    if given is not None and sacrifices is not None and is_joined(sacrifices, given):
        without.append("sacrifice")
    return Parts(first.ability, tuple(options), sacrifices, tuple(without), first.mana.x, first.most)


def join_rows(rows: Sequence[Handles]) -> Handles:
    """Join rows that each lack at most their own source: any two different rows together have all objects."""
    first, last = rows[0], rows[-1]
    return first if first == last else tuple(sorted({*first, *last}, key=lambda one: (is_seat(one), one)))


def is_joined(whole: Handles, rows: Sequence[Handles]) -> bool:
    """Return whether a row lacks an object of the whole."""
    return any(len(row) < len(whole) for row in rows)


def acts_schema(acts: Sequence[Acting], parts: Parts) -> dict[str, Any]:
    """Describe the arguments of one of these acts: the schema grows with sources and targets, and not with pairs."""
    of = "card" if acts[0].make is CastSpell else "object"
    known: dict[str, Any] = {of: {"enum": object_names([act.source for act in acts])}}
    if of == "object":
        known["ability"] = {"enum": [parts.ability]}
    if parts.options:
        known["targets"] = targets_schema(parts.options)
    if parts.sacrifices is not None:
        known["sacrifice"] = some_of(parts.sacrifices, 1, 1)
    for name_ in parts.without_source:
        (known if name_ == "sacrifice" else known["targets"]["properties"])[name_][X_OTHER] = of
    if parts.has_x:
        known["x"] = {"type": "integer", "minimum": 0, "maximum": parts.most}
    free = not any(one.least for one in parts.options)
    return object_of(known, [key for key in known if key != "targets" or not free])


@value
class Acts:
    """The choice of an act among some that differ only in their source, paid automatically."""

    acts: tuple[Acting, ...]
    parts: Parts

    @property
    def make(self) -> type:
        return self.acts[0].make

    @property
    def exact(self) -> bool:
        return not self.parts.without_source and all(act.is_exact for act in self.acts)

    def admits(self, move: Any) -> bool:
        return (
            isinstance(move, self.make)
            and getattr(move, "pay", None) is None
            and any(act.fits(move) for act in self.acts)
        )

    def schema(self) -> dict[str, Any]:
        payers = ", ".join(self.acts[0].payers) or "nothing"
        known = acts_schema(self.acts, self.parts)
        return {"title": self.acts[0].title, **known, "description": f"Paid by {payers}."}

    def sample(self, rng: Random) -> Any:
        return rng.choice(self.acts).sample(rng)

    def proposals(self) -> tuple[Any, ...]:
        """Propose the highest X, if there is one: all else is chosen on the table."""
        return tuple([act.usual() for act in self.acts]) if self.parts.has_x else ()


def group_acts(s: State, acts: Iterable[Acting]) -> list[Acts]:
    """Group the acts that differ only in their source: acts of one card with the same payment."""
    alike: dict[Any, list[Acting]] = {}
    for act in acts:
        alike.setdefault((card_of(s, act.source), act.ability, act.most, act.payers), []).append(act)
    return [Acts(tuple(row), parts_of(row)) for row in alike.values()]


@value
class ByHand:
    """The choice of an act among some with the same parts, and of the sources that pay for it."""

    acts: tuple[Acting, ...]
    parts: Parts
    pool: Pool
    sources: tuple[ManaSource, ...]
    exact: ClassVar[bool] = False

    @property
    def make(self) -> type:
        return self.acts[0].make

    def admits(self, move: Any) -> bool:
        if not isinstance(move, CastSpell | ActivateAbility) or not isinstance(move, self.make) or move.pay is None:
            return False
        return any(act.fits(move) and self._pays(act, move) for act in self.acts)

    def _pays(self, act: Acting, move: Any) -> bool:
        barred = taken_by(move) | set(act.barred)
        due = bill(act.mana, move.x or 0)
        return not isinstance(paid_by_hand(self.pool, self.sources, due, move.pay, barred), str)

    def schema(self) -> dict[str, Any]:
        known = acts_schema(self.acts, self.parts)
        with_pay = object_of({**known["properties"], "pay": self._pay()}, [*known["required"], "pay"])
        return {"title": self.title, **with_pay}

    @property
    def title(self) -> str:
        if self.make is CastSpell:
            return "Cast, and choose what pays"
        texts = {act.title for act in self.acts}
        return f"Choose what pays: {texts.pop()}" if len(texts) == 1 else "Use an ability, and choose what pays"

    def _pay(self) -> dict[str, Any]:
        """Describe the sources, each with the colours that it gives, as pairs."""
        colors: dict[str, dict[str, None]] = {}
        for source in self.sources:
            gives = COLORS if source.mana is None else (source.mana,)
            colors.setdefault(name(source.id), {}).update(dict.fromkeys([color.name for color in gives]))
        if not colors:
            return {"type": "array", "uniqueItems": True, "maxItems": 0}
        called = {color.name: MANA_NAMES[color].capitalize() for color in Mana}
        pairs = some_pairs("id", "color", colors)
        pairs["items"]["properties"]["color"][X_NAMES] = called
        return pairs

    def sample(self, rng: Random) -> Any:
        act = rng.choice(self.acts)
        return self._paid(act, act.sample(rng))

    def proposals(self) -> tuple[Any, ...]:
        """Propose the automatic payment of each act, if its first targets leave enough sources."""
        made = [(act, self._paid(act, act.usual())) for act in self.acts]
        return tuple([move for act, move in made if act.fits(move) and self._pays(act, move)])

    def _paid(self, act: Acting, move: Any) -> Any:
        due = bill(act.mana, move.x or 0)
        paid = choose_sources(self.pool, self.sources, due, taken_by(move) | set(act.barred)) or ()
        return with_fields(move, pay=needed_sources(self.pool, self.sources, due, paid))


def by_hand(choices: Sequence[Acts], pool: Pool, free: tuple[ManaSource, ...]) -> list[ByHand]:
    """Return the choices with payment by hand, for acts that cost mana; acts with the same parts share one."""
    alike: dict[Parts, list[Acting]] = {}
    for one in choices:
        if is_for_mana(one.acts[0].mana):
            alike.setdefault(one.parts, []).extend(one.acts)
    return [ByHand(tuple(acts), parts, pool, free) for parts, acts in alike.items()]


@value
class Tapping:
    """The choice of a mana ability; a single colour need not be named."""

    of: Handles
    colors: tuple[Mana, ...]
    make: ClassVar[type] = ActivateManaAbility
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        if type(move) is not ActivateManaAbility or move.object not in self.of:
            return False
        return move.color in self.colors or (move.color is None and len(self.colors) == 1)

    def schema(self) -> dict[str, Any]:
        colors: list[str | None] = [color.name for color in self.colors]
        called = {color.name: MANA_NAMES[color].capitalize() for color in self.colors}
        object_, color = {"enum": object_names(self.of)}, {"title": "Mana", "enum": colors, X_NAMES: called}
        if len(colors) > 1:
            return {"title": "Add mana", **arguments_schema({"object": object_, "color": color})}
        only = {**color, "enum": [*colors, None], "default": colors[0]}
        title = f"Add {MANA_NAMES[self.colors[0]]} mana"
        return {"title": title, **object_of({"object": object_, "color": only}, ["object"])}

    def sample(self, rng: Random) -> Any:
        return ActivateManaAbility(rng.choice(self.of), rng.choice(self.colors))


# --- Actions with priority ---------------------------------------------------------------------------------


def has_action(s: State, seat: Seat) -> bool:
    """Return whether a seat with priority may do more than pass; tapping for mana does not count."""
    if lands_to_play(s, seat) or any(casts(s, seat)) or any(uses(s, seat)):
        return True
    return any(
        ability.cost.sacrifice is not None and can_tap(thing, ability.cost) is None
        for thing in own_things(s, seat)
        for _, ability in thing.printed.mana
    )


def casts(s: State, seat: Seat) -> Iterator[Acting]:
    """Return the cards that a seat may cast, each as an act."""
    purse = most(s, seat)
    castable = [card for card in s.hands[seat] if is_within(s, card, purse) and may_cast_now(s, seat, card)]
    for card in castable:
        if one := acting(s, CastSpell, casting(s, seat, card)):
            yield one


def uses(s: State, seat: Seat) -> Iterator[Acting]:
    """Return the abilities that a seat may activate, each as an act."""
    for_mana = {one.id for one in sources(s, seat)}
    first: dict[tuple[str, int], Acting] = {}
    for thing in own_things(s, seat):
        for number, ability in thing.printed.activated:
            if can_tap(thing, ability.cost) is not None:
                continue
            alike = thing.permanent.card, number
            like = None if thing.object in for_mana else first.get(alike)
            if one := acting(s, ActivateAbility, activating(s, thing, ability), number, like):
                yield one
                if thing.object not in for_mana:
                    first[alike] = one


def is_within(s: State, card: Handle, purse: int) -> bool:
    """Return whether a card costs at most this much mana, so that more expensive cards can be skipped."""
    return PRINTED[s.cards[card]].mana_value <= purse


def own_things(s: State, seat: Seat) -> list[Thing]:
    """Return the permanents of a seat, in the order of their handles."""
    b = board(s)
    if ("own", seat) not in b.known:
        b.known["own", seat] = [b.things[handle] for handle in sorted(b.things) if b.things[handle].controller == seat]
    known: list[Thing] = b.known["own", seat]
    return known


def lands_to_play(s: State, seat: Seat) -> Handles:
    """Return the lands in hand, if a land may be played."""
    if s.land_played or not is_main(s, seat):
        return ()
    return tuple(card for card in s.hands[seat] if PRINTED[s.cards[card]].land)


def mana_choices(s: State, seat: Seat) -> list[Tapping]:
    """Return the sources that a seat may use for mana: one choice for those that give the same."""
    kinds: dict[tuple[Mana, ...], list[Handle]] = {}
    for thing in own_things(s, seat):
        printed = thing.printed
        if printed.mana:
            taps = not thing.permanent.tapped and thing.may_act
            if colors := printed.gives if taps else printed.gives_tapped:
                kinds.setdefault(colors, []).append(thing.object)
    return [Tapping(tuple(of), colors) for colors, of in sorted(kinds.items())]
