"""Implements Gin Rummy: the legal moves, their events, and what then follows."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.core.cards import NOBODY, PACK, Card, Cards, Seat, deal_hands, drop_cards, remove_cards
from domain.core.choices import Ask, Below, Choice, NoArguments, OneCard, Shuffle
from domain.core.game import CHANCE, Choices, Outcome, rank_lowest_first
from domain.games.gin_rummy import events
from domain.games.gin_rummy.melds import (
    POINTS,
    Arrangement,
    Melds,
    arrange,
    deadwood,
    defend,
    in_order,
    left_of,
    points,
)
from domain.games.gin_rummy.options import Points, knock_points
from domain.games.gin_rummy.table import State, Table, table_number

# --- Legal moves and refusals (gin_rummy 3–7) --------------------------------------------------------------


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for: one of each table that is not done yet."""
    if s.ended is not None:
        return ()
    if any(table.phase == "hand_setup" for table in s.tables):
        return (CHANCE,)
    return tuple(sorted(table.turn for table in s.tables if table.turn != NOBODY)) or (CHANCE,)


def ask(s: State) -> Ask:
    """Return the question to chance: the first dealer, or a pack for the next table."""
    if s.dealer == NOBODY and s.loser == NOBODY:
        return Below(events.PickDealer, "first_dealer", s.rules.seats)
    return Shuffle(events.Deal, "deal", PACK, undealt(s) or 0)


def undealt(s: State) -> int | None:
    """Return the number of the table that still waits for its cards."""
    return next((i for i, table in enumerate(s.tables) if table.phase == "hand_setup"), None)


def legal(s: State, seat: Seat) -> Choices:
    """Return the seat's legal moves; none if it is not its turn."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    table = s.tables[table_number(s, seat)]
    match table.phase:
        case "offer_nondealer" | "offer_dealer":
            return NoArguments(events.TakeUpcard), NoArguments(events.PassUpcard)
        case "must_draw_stock":
            return (NoArguments(events.DrawFromStock),)
        case "draw":
            return (
                (NoArguments(events.DrawFromStock),)
                if pile_is_locked(s, table)
                else (NoArguments(events.DrawFromStock), NoArguments(events.DrawFromDiscard))
            )
        case "discard":
            return after_draw(s, table, s.hands[seat])
        case _:
            return (events.LayingOff(s.hands[seat], knocked_melds(table)),)


def pile_is_locked(s: State, table: Table) -> bool:
    """Return whether the pile has been taken from too often in a row (gin_rummy 10.4)."""
    return table.pile_takes >= s.rules.options.max_pile_takes


def knocked_melds(table: Table) -> Melds:
    """Return the melds that a knocker has laid down."""
    return table.knock.melds if table.knock else ()


def after_draw(s: State, table: Table, hand: Cards) -> Choices:
    """Return the ways to end a turn with these eleven cards."""
    choices: list[Choice] = [OneCard(events.Discard, discards(s, table, hand))]
    if knocking := knock_discards(s, table, hand):
        choices.append(events.Knocking(hand, knocking, s.rules.options.knock_limit))
    if s.rules.options.big_gin_bonus is not None and deadwood(hand) == 0:
        choices.append(events.LayingDown(hand))
    return tuple(choices)


def discards(s: State, table: Table, hand: Cards) -> Cards:
    """Return the cards that may be discarded (gin_rummy 10.3)."""
    kept = () if s.rules.options.rediscard_taken or table.taken is None else (table.taken,)
    return drop_cards(hand, kept)


def knock_discards(s: State, table: Table, hand: Cards) -> Cards:
    """Return the cards that may be discarded with a knock."""
    limit, least = s.rules.options.knock_limit, deadwood(hand)
    # A discard lowers the deadwood by at most 10.
    if least > limit + 10:
        return ()
    may = discards(s, table, hand)
    return tuple([c for c in may if least - POINTS[c] <= limit and deadwood(remove_cards(hand, c)) <= limit])


PHASES: dict[type, tuple[str, ...]] = {
    events.TakeUpcard: ("offer_nondealer", "offer_dealer"),
    events.PassUpcard: ("offer_nondealer", "offer_dealer"),
    events.DrawFromStock: ("must_draw_stock", "draw"),
    events.DrawFromDiscard: ("must_draw_stock", "draw"),
    events.Discard: ("discard",),
    events.Knock: ("discard",),
    events.BigGin: ("discard",),
    events.LayOff: ("lay_off",),
}


def refusal(s: State, seat: Seat, move: events.Move) -> str:
    """Name the first reason why the move is refused, in order (rules 1.3; gin_rummy 3)."""
    if events.repeats(move):
        return "duplicate_card"
    if not s.tables or not exists(s, s.tables[table_number(s, seat)], move):
        return "wrong_phase"
    table, hand = s.tables[table_number(s, seat)], s.hands[seat]
    if table.turn != seat:
        return "not_your_turn"
    if not set(events.cards_of(move)) <= set(hand):
        return "card_not_in_hand"
    return broken_rule(s, table, hand, move)


def exists(s: State, table: Table, move: events.Move) -> bool:
    """Return whether any seat can use this command in the current phase."""
    if s.ended or (type(move) is events.BigGin and s.rules.options.big_gin_bonus is None):
        return False
    return table.phase in PHASES.get(type(move), ())


def broken_rule(s: State, table: Table, hand: Cards, move: events.Move) -> str:
    """Return the code of the rule that the move would break."""
    fault: str | None = None
    match move:
        case events.DrawFromDiscard():
            fault = "must_draw_from_stock" if table.phase == "must_draw_stock" else "pile_locked"
        case events.Discard():
            fault = "may_not_return_taken_card"
        case events.Knock() if move.discard not in discards(s, table, hand):
            fault = "may_not_return_taken_card"
        case events.Knock():
            fault = events.knock_fault(remove_cards(hand, move.discard), move.melds, s.rules.options.knock_limit)
        case events.BigGin():
            fault = events.big_gin_fault(hand, move.melds)
        case events.LayOff():
            fault = events.defence_fault(hand, knocked_melds(table), move)
    # This is never called for legal moves, so the move breaks a rule.
    return fault or "wrong_phase"


def default(s: State, seat: Seat) -> events.Move:
    """Return the default move of a seat whose time is up (rules 1.8)."""
    table, hand = s.tables[table_number(s, seat)], s.hands[seat]
    match table.phase:
        case "offer_nondealer" | "offer_dealer":
            return events.PassUpcard()
        case "must_draw_stock" | "draw":
            return events.DrawFromStock()
        case "discard":
            return default_discard(hand, discards(s, table, hand))
        case _:
            return events.LayOff()


def default_discard(hand: Cards, may: Cards) -> events.Move:
    """Go gin if possible, otherwise discard the highest card that is in no meld."""
    gin = [c for c in may if deadwood(remove_cards(hand, c)) == 0]
    if gin:
        return events.Knock(max(gin))
    loose = [c for c in arrange(hand).deadwood if c in may]
    return events.Discard(max(loose, key=lambda c: (POINTS[c], c)) if loose else max(may))


# --- Moves and their events (gin_rummy 4–7) ----------------------------------------------------------------


def decide(s: State, seat: Seat, move: events.Move) -> tuple[events.Event, ...]:
    """Return the events of a legal move."""
    match move:
        case events.Discard():
            return (events.CardDiscarded(seat, move.card),)
        case events.DrawFromStock():
            stock = s.tables[table_number(s, seat)].stock
            return (events.StockDrawn(seat, len(stock) - 1, stock[0]),)
        case events.DrawFromDiscard() | events.TakeUpcard():
            taken = s.tables[table_number(s, seat)].pile[-1]
            return (events.DiscardTaken(seat, taken, isinstance(move, events.TakeUpcard)),)
        case events.PassUpcard():
            return (events.UpcardPassed(seat),)
        case events.Knock():
            ten = remove_cards(s.hands[seat], move.discard)
            laid = laid_down(ten, move.melds)
            return (events.Knocked(seat, move.discard, laid.melds, laid.deadwood, laid.value, laid.value == 0),)
        case events.BigGin():
            melds = laid_down(s.hands[seat], move.melds).melds
            return (events.Knocked(seat, None, melds, (), 0, gin=True),)
        case events.LayOff():
            return (laid_off(s, seat, move),)
        case events.PickDealer():
            return (events.GameStarted(s.game_no + 1), events.FirstDealerChosen(move.seat, "random"))
        case events.Deal():
            return deal_table(s, move.pack)


def laid_down(hand: Cards, melds: Melds | None) -> Arrangement:
    """Return the hand with these melds, or with the best ones."""
    if melds is None:
        return arrange(hand)
    return Arrangement(sorted_melds(melds), left_of(hand, melds))


def sorted_melds(melds: Melds) -> Melds:
    """Sort each meld, in the order in which they were declared."""
    return tuple(in_order(meld) for meld in melds)


def laid_off(s: State, seat: Seat, move: events.LayOff) -> events.LaidOff:
    """Complete the answer to a knock."""
    melds = None if move.melds is None else sorted_melds(move.melds)
    best = defend(s.hands[seat], knocked_melds(s.tables[table_number(s, seat)]), melds, move.layoffs)
    return events.LaidOff(seat, best.melds, best.layoffs, best.deadwood, points(best.deadwood))


def deal_table(s: State, pack: Cards) -> tuple[events.Event, ...]:
    """Deal the second table of a hand, or begin a hand, or a game with it."""
    second = undealt(s)
    if second is not None:
        return table_dealt(s, second, s.tables[second].pair, pack)
    if s.dealer == NOBODY:
        opening = (events.GameStarted(s.game_no + 1), events.FirstDealerChosen(s.loser, "loser"))
        return (*opening, *deal_first_table(s, s.loser, pack))
    return deal_first_table(s, next_dealer(s), pack)


def deal_first_table(s: State, dealer: Seat, pack: Cards) -> tuple[events.Event, ...]:
    """Begin the next hand, with the cards of the first table."""
    pairs = s.rules.form.pairs(dealer, s.deal_no + 1)
    begun = events.HandStarted(s.hand_no + 1, s.deal_no + 1, dealer, pairs)
    return (begun, *table_dealt(s, 0, pairs[0], pack))


def table_dealt(s: State, table: int, pair: Sequence[Seat], pack: Cards) -> tuple[events.Event, ...]:
    """Deal ten cards each, one at a time, the non-dealer first, and turn the next (gin_rummy 4)."""
    hands = deal_hands(pack[:20], pair, s.rules.seats)
    return events.HandDealt(table, tuple(map(len, hands)), hands, pack[21:]), events.UpcardTurned(table, pack[20])


def next_dealer(s: State) -> Seat:
    """Return the next dealer; after a void hand the same one (gin_rummy 5, 8, 9)."""
    in_turn = (s.dealer + 1) % s.rules.seats
    if s.deal_no == 0:
        return s.dealer
    if s.netted is not None:
        ahead = max(s.netted.points)
        winner = s.netted.points.index(ahead)
        return in_turn if ahead == 0 else s.rules.next_dealer(in_turn, winner, 1 - winner)
    result = s.tables[0].result
    if result is None:
        return s.dealer
    lost = result.kind == "undercut"
    winner, loser = (result.knocker, result.defender)[:: -1 if lost else 1]
    return s.rules.next_dealer(in_turn, winner, loser)


# --- Consequences (gin_rummy 5–9) --------------------------------------------------------------------------


def consequences(s: State) -> tuple[events.Event, ...]:
    """Return the events that follow now without a move."""
    if s.ended is not None or not s.tables:
        return ()
    for i, table in enumerate(s.tables):
        if happened := after_move(s, i, table):
            return happened
    if not all_done(s):
        return ()
    if not s.closed:
        return (events.HandClosed(s.hand_no),)
    if s.rules.form.nets and s.netted is None:
        return (points_netted(s),)
    return game_ended(s)


def after_move(s: State, i: int, table: Table) -> tuple[events.Event, ...]:
    """Show the hand that gin was made against, score a hand, or call it void."""
    match table.phase:
        case "gin":
            best = arrange(s.hands[table.turn])
            return (events.HandShown(table.turn, best.melds, best.deadwood, best.value),)
        case "shown":
            return (score_table(s, i, table),)
        case "draw" if len(table.stock) <= s.rules.options.stock_floor:
            return (events.HandVoided(i, len(table.stock)),)
        case _:
            return ()


def all_done(s: State) -> bool:
    """Return whether all tables are done."""
    return all(table.phase in ("scored", "void") for table in s.tables)


def score_table(s: State, i: int, table: Table) -> events.HandScored:
    """Score the hand of a table. In partnership only the net of both counts."""
    knock, answer = table.knock, table.answer
    assert knock is not None
    assert answer is not None
    kind, gains = hand_gains(s, knock, answer.value)
    seats = range(s.rules.seats)
    row = by_seat(seats, {knock.seat: gains[0], answer.seat: gains[1]})
    values = {knock.seat: knock.value, answer.seat: answer.value}
    counts = (0,) * len(seats) if s.rules.form.nets else row
    return events.HandScored(
        i,
        kind,
        knock.seat,
        answer.seat,
        tuple(values.get(seat) for seat in seats),
        row,
        add_per_seat(s.scores, counts),
        add_per_seat(s.boxes, count_boxes(counts)),
    )


def hand_gains(s: State, knock: events.Knocked, defender: int) -> tuple[Any, tuple[int, int]]:
    """Name the kind of a hand that was laid down, and return the points of knocker and defender (gin_rummy 8)."""
    options = s.rules.options
    if knock.discard is None:
        return "big_gin", ((options.big_gin_bonus or 0) + defender, 0)
    if knock.gin:
        return "gin", (options.gin_bonus + defender, 0)
    kind = "knock" if defender > knock.value else "undercut"
    return kind, knock_points(s.rules, knock.value, defender)


def by_seat(seats: Sequence[Seat], gains: dict[Seat, int]) -> Points:
    """Return each seat's points, 0 for a seat that took no part."""
    return tuple(gains.get(seat, 0) for seat in seats)


def add_per_seat(a: Points, b: Points) -> Points:
    """Add seat by seat."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def count_boxes(row: Points) -> Points:
    """Count a box for each seat that gained."""
    return tuple(int(n > 0) for n in row)


def points_netted(s: State) -> events.PointsNetted:
    """Set the points of one side against the other's; the side ahead scores the difference (gin_rummy 9)."""
    results = [table.result.points for table in s.tables if table.result]
    ahead = sum(row[seat] * (1 if seat % 2 == 0 else -1) for row in results for seat in range(4))
    row = (max(ahead, 0), max(-ahead, 0)) * 2
    return events.PointsNetted(row, add_per_seat(s.scores, row), add_per_seat(s.boxes, count_boxes(row)))


def game_ended(s: State) -> tuple[events.Event, ...]:
    """End the game once a total has reached the target; only one side can have gained (gin_rummy 10.12)."""
    best = max(s.scores)
    if best < s.rules.target:
        return ()
    winners = tuple(seat for seat, total in enumerate(s.scores) if total == best)
    margins = tuple(0 if seat in winners else margin(s, winners[0], seat) for seat in range(s.rules.seats))
    ranking = rank_lowest_first(-total for total in s.scores)
    return (events.GameEnded(s.scores, ranking, winners, s.boxes, margins, "target_score"),)


def margin(s: State, winner: Seat, seat: Seat) -> int:
    """Return the margin by which a seat lost: bonuses enlarge the lead, and never reduce it (gin_rummy 8)."""
    boxes = max(0, s.boxes[winner] - s.boxes[seat]) * s.rules.options.box_bonus
    return s.scores[winner] - s.scores[seat] + s.rules.options.game_bonus + boxes


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[events.Event, ...]:
    """End the game now, without bonuses: a side that gave up comes last; if none did, no side wins."""
    nothing = (0,) * s.rules.seats
    if not gave_up:
        return (events.GameEnded(s.scores, (1,) * s.rules.seats, (), s.boxes, nothing, reason),)
    form = s.rules.form
    lost = {form.sides[seat] for seat in gave_up}
    behind_all = 1 - min(s.scores)
    ranking = rank_lowest_first(
        behind_all if side in lost else -total for side, total in zip(form.sides, s.scores, strict=True)
    )
    winners = tuple(seat for seat, place in enumerate(ranking) if place == 1 and form.sides[seat] not in lost)
    return (events.GameEnded(s.scores, ranking, winners, s.boxes, nothing, reason),)


def outcome(s: State) -> Outcome | None:
    """Return the result of a game that is over."""
    if s.ended is None:
        return None
    return Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


def complete_move(s: State, seat: Seat, move: type, card: Card | None = None) -> events.Move | None:
    """Return the knock that leaves the least deadwood, discarding the highest card that does."""
    if move is not events.Knock or card is not None:
        return None
    hand = s.hands[seat]
    may = knock_discards(s, s.tables[table_number(s, seat)], hand)
    return events.Knock(min(may, key=lambda c: (deadwood(remove_cards(hand, c)), -c))) if may else None


ANSWERS: Mapping[type, str] = {
    events.UpcardPassed: "seat",
    events.StockDrawn: "seat",
    events.DiscardTaken: "seat",
    events.CardDiscarded: "seat",
    events.Knocked: "seat",
    events.LaidOff: "seat",
}


def move_of(event: events.Event) -> tuple[Seat, events.Move] | None:
    """Return the move of a seat that the event records, defaults resolved."""
    match event:
        case events.UpcardPassed():
            return event.seat, events.PassUpcard()
        case events.StockDrawn():
            return event.seat, events.DrawFromStock()
        case events.DiscardTaken():
            return event.seat, events.TakeUpcard() if event.upcard else events.DrawFromDiscard()
        case events.CardDiscarded():
            return event.seat, events.Discard(event.card)
        case events.Knocked():
            made = events.BigGin(event.melds) if event.discard is None else events.Knock(event.discard, event.melds)
            return event.seat, made
        case events.LaidOff():
            return event.seat, events.LayOff(event.melds, event.layoffs)
        case _:
            return None
