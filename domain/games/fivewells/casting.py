"""Says what a seat may cast and activate, and why not (fivewells 3, 4).

Both are an act: something goes to the stack for a cost. An act is worked out once, and its choice, its refusal and its
events all follow from it.
"""

from collections.abc import Collection, Sequence

from domain.card_sets.cards.abilities import ActivatedAbility
from domain.card_sets.cards.card_kinds import Keyword
from domain.card_sets.cards.costs import Cost, ManaCost
from domain.card_sets.cards.filters import Itself, TargetRule
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.characteristics import Thing, board, passes
from domain.games.fivewells.events import AbilityActivated, SpellCast
from domain.games.fivewells.handles import BACK, NO_TARGETS, Handle, Handles, Targets, of_item
from domain.games.fivewells.moves import ActivateAbility, CastSpell
from domain.games.fivewells.payment import automatic, bill, most, paid_by_hand, pool_after, sources
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.records import Paid
from domain.games.fivewells.state import State
from domain.games.fivewells.targets import Candidates, candidates, everything, fault, leave_out

MAIN = ("main1", "main2")


@value
class Act:
    """An act is a card to be cast, or an ability to be activated, with its targets and its cost."""

    seat: Seat
    source: Handle
    mana: ManaCost
    options: tuple[Candidates, ...]
    sacrifices: Handles | None = None
    """What may be sacrificed for it; None where nothing of one's choice is."""
    barred: Handles = ()
    """What cannot be tapped for mana, since the cost taps or sacrifices it."""


def is_main(s: State, seat: Seat) -> bool:
    """Say whether it is a main step of the seat's own, with an empty stack."""
    return s.active == seat and s.step in MAIN and not s.stack


def may_cast_now(s: State, seat: Seat, card: Handle) -> bool:
    """Say whether the moment allows to cast this card."""
    printed = PRINTED[s.cards[card]]
    if printed.land:
        return False
    quick = not printed.permanent and any(kind.value == "instant" for kind in printed.types)
    return quick or Keyword.AMBUSH in printed.keywords or is_main(s, seat)


def options_of(s: State, rules: Sequence[TargetRule], seat: Seat, source: Handle) -> tuple[Candidates, ...]:
    """Give the candidates for all targets."""
    return tuple(candidates(s, rule, seat, source) for rule in rules)


def casting(s: State, seat: Seat, card: Handle) -> Act:
    """Work out the casting of a card."""
    printed = PRINTED[s.cards[card]]
    rules = printed.spell.targets if printed.spell else ()
    return Act(seat, card, printed.cost, options_of(s, rules, seat, card))


def activated_ability(s: State, source: Handle, number: int) -> ActivatedAbility | None:
    """Give an activated ability of a permanent."""
    thing = board(s).things.get(source)
    return next((one for i, one in thing.printed.activated if i == number), None) if thing else None


def activating(s: State, thing: Thing, ability: ActivatedAbility) -> Act:
    """Work out the activation of an ability."""
    cost, seat, source = ability.cost, thing.controller, thing.object
    own = (source,) if cost.tap or isinstance(cost.sacrifice, Itself) else ()
    options = options_of(s, ability.targets, seat, source)
    return Act(seat, source, cost.mana, options, sacrifices_for(s, cost, seat, source), own)


def sacrifices_for(s: State, cost: Cost, seat: Seat, source: Handle) -> Handles | None:
    """Give what may be sacrificed for a cost; None where nothing of one's choice is."""
    if cost.sacrifice is None or isinstance(cost.sacrifice, Itself):
        return None
    b, of = board(s), cost.sacrifice
    key = ("sacrifices", of, seat)
    if key not in b.known:
        own = sorted([one for one, thing in b.things.items() if thing.controller == seat])
        b.known[key] = tuple([one for one in own if passes(of, b.things[one], seat, BACK)])
    known: Handles = b.known[key]
    return leave_out(known, source) if of.other else known


def can_tap(thing: Thing, cost: Cost) -> str | None:
    """Say why the cost cannot be paid by tapping the source; None if it can, or need not."""
    if not cost.tap:
        return None
    if thing.permanent.tapped:
        return "not_untapped"
    return None if thing.may_act else "new_creature"


# --- What is wrong with an act ----------------------------------------------------------------------------


def act_fault(s: State, act: Act, move: CastSpell | ActivateAbility) -> str | None:
    """Say what is wrong with doing an act so."""
    wrong = fault(act.options, move.targets or NO_TARGETS)
    if wrong:
        return wrong
    if move.pay is not None and not is_for_mana(act.mana):
        return "bad_choice"
    paid = paid_for(s, act, move)
    if paid == "cannot_pay":
        return paid
    if (move.x is not None) != act.mana.x or (move.x or 0) < 0:
        return "bad_choice"
    chosen = move.sacrifice if isinstance(move, ActivateAbility) else None
    if (act.sacrifices is None) != (chosen is None) or (chosen is not None and len(chosen) != 1):
        return "bad_choice"
    if act.sacrifices is not None and not set(chosen or ()) <= set(act.sacrifices):
        return "bad_choice"
    return paid if isinstance(paid, str) else None


def paid_for(s: State, act: Act, move: CastSpell | ActivateAbility) -> tuple[Paid, ...] | str:
    """Give the sources that pay for an act done so; the code of what is wrong."""
    chosen = move.sacrifice if isinstance(move, ActivateAbility) else None
    barred = {*act.barred, *everything(move.targets or NO_TARGETS), *(chosen or ())}
    due = bill(act.mana, max(0, move.x or 0) if act.mana.x else 0)
    if move.pay is not None:
        return paid_by_hand(s.pools[act.seat], sources(s, act.seat), due, move.pay, barred)
    paid = automatic(s, act.seat, due, barred) if sum(due) else ()
    return "cannot_pay" if paid is None else paid


def is_for_mana(cost: ManaCost) -> bool:
    """Say whether a cost may be more than no mana."""
    return bool(cost.mana_value or cost.x)


def payable(s: State, act: Act, barred: Collection[Handle] = ()) -> bool:
    """Say whether an act can be paid, with X 0, without these sources."""
    due = bill(act.mana)
    return not sum(due) or automatic(s, act.seat, due, {*act.barred, *barred}) is not None


def highest_x(s: State, act: Act, barred: Collection[Handle] = ()) -> int:
    """Give the highest X that can be paid, where X 0 can."""
    return most(s, act.seat, {*act.barred, *barred}) - sum(bill(act.mana))


# --- What an act tells ------------------------------------------------------------------------------------


def cast(s: State, seat: Seat, move: CastSpell) -> SpellCast:
    """Say what casting a card does."""
    act = casting(s, seat, move.card)
    paid = paid_for(s, act, move)
    assert not isinstance(paid, str)
    pool = pool_after(s, seat, bill(act.mana, move.x or 0), paid)
    targets = move.targets or NO_TARGETS
    item, by_hand = of_item(s.next_item), move.pay is not None
    return SpellCast(seat, item, move.card, s.cards[move.card], targets, move.x, paid, by_hand, pool)


def activate(s: State, seat: Seat, move: ActivateAbility) -> AbilityActivated:
    """Say what activating an ability does, but for a sacrifice."""
    thing, ability = board(s).things[move.object], activated_ability(s, move.object, move.ability)
    assert ability is not None
    act = activating(s, thing, ability)
    paid = paid_for(s, act, move)
    assert not isinstance(paid, str)
    return AbilityActivated(
        seat,
        of_item(s.next_item),
        move.object,
        thing.permanent.card,
        move.ability,
        move.targets or Targets(),
        move.x,
        paid,
        move.pay is not None,
        pool_after(s, seat, bill(act.mana, move.x or 0), paid),
        (move.object,) if ability.cost.tap else (),
        move.sacrifice or ((move.object,) if isinstance(ability.cost.sacrifice, Itself) else ()),
    )
