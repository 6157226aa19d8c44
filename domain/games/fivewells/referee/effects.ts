/** What resolves, and what its effects do (section 7). */

import { at, combinations, fact, range, same } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Fact } from "../../../../api/web/static/past/verify/referee.ts";
import { abilitiesOf, cardOf, isPermanent, spellOf } from "../../../card_sets/referee_cards.ts";
import type { Amount, Counted, Doing, Effect, To } from "../../../card_sets/referee_cards.ts";
import { answers, asks, busy, changeLife, enter, entersTapped, leave, leech, made, mark, noteEntry, notePlayer,
  request, rowOf, sourcesIn } from "./happenings.ts";
import type { Row } from "./happenings.ts";
import { pay } from "./payment.ts";
import { controllerOf, legalStill } from "./targets.ts";
import { byChance, follows } from "./telling.ts";
import { admitted, byHandle, cardAt, holds, isCreature, isOfType, isSeat, lastOf, named, otherSeat,
  permanents } from "./table.ts";
import { areAlike } from "../../../card_sets/referee_decks.ts";
import type { Duel, Item, Permanent, Play, Targets } from "./table.ts";

/** A resolution: the item, the targets that are legal, and who controlled them as it began. */
interface Resolution {
  readonly item: Item;
  readonly targets: Targets;
  readonly controllers: ReadonlyMap<string, number>;
  /** Whether the discard or sacrifice just before was done. */
  done: boolean;
}

/** Let the top of the stack resolve. */
export function* resolve(d: Duel): Play {
  const item = at(d.stack, d.stack.length - 1);
  busy(d);
  if (item.spell && isPermanent(item.card)) yield* enterResolved(d, item);
  else yield* resolveEffects(d, item);
}

function* enterResolved(d: Duel, { id, source, card, seat }: Item): Play {
  d.stack.pop();
  const p = enter(d, source, card, d.owners.get(source) ?? seat, seat, entersTapped(card));
  yield* follows(d, "PermanentEntered", {
    object: source, card: card.id, owner: p.owner, controller: seat, tapped: p.tapped, resolved: [id],
      from_graveyard: [],
  });
  yield* noteEntry(d, p);
}

const doesOf = ({ spell, card, ability }: Item) => {
  const its = at(abilitiesOf(card), spell ? 0 : ability);
  return spell ? spellOf(card) : its.triggered ?? its.activated ?? { effects: [] };
};

function* resolveEffects(d: Duel, item: Item): Play {
  const does = doesOf(item);
  const targets = legalStill(d, does.targets ?? [], item.targets, item.seat, item.source);
  const legal = Object.values(targets).flat();
  const end = { object: item.id, card: item.card.id, gone: item.spell ? [item.source] : [], owner: ownerOf(d, item) };
  if (!legal.length && Object.values(item.targets).flat().length) {
    leaveStack(d, item);
    yield* follows(d, "SpellFailed", { ...end, reason: "no_legal_target" });
    return;
  }
  const controllers = new Map(legal.map((id) => [id, controllerOf(d, id)]));
  yield* follows(d, "ResolutionBegan", {
    object: item.id, card: item.card.id, targets, controllers: legal.map((id) => controllers.get(id)),
  });
  const resolution: Resolution = { item, targets, controllers, done: false };
  if (yield* isWished(d, item)) yield* doAll(d, resolution, does.effects, "event" in does ? 2 : 0);
  leaveStack(d, item);
  yield* follows(d, "SpellResolved", { ...end, then: null });
}

const ownerOf = (d: Duel, item: Item) => (item.spell ? d.owners.get(item.source) ?? item.seat : item.seat);

function leaveStack(d: Duel, item: Item): void {
  d.stack = d.stack.filter((one) => one !== item);
  if (item.spell) at(d.graveyards, ownerOf(d, item)).push(item.source);
}

/** Ask the condition of a trigger again, and its controller whether to do what may be done. */
function* isWished(d: Duel, item: Item): Play<boolean> {
  const its = item.spell ? undefined : at(abilitiesOf(item.card), item.ability).triggered;
  if (!holds(d, its?.if, item.seat)) return false;
  if (!its?.may) return true;
  yield* pauses(d, item, 1, 0, 0);
  yield* request(d, item.seat, "may", 0, 1);
  const given = yield* answers(d, item.seat, "may", [0, 1].map((number) => made(item.seat, "may", { number })));
  return given.data.number === 1;
}

/** The resolution waits for an answer. */
function* pauses(d: Duel, item: Item, n: number, unit: number, amount: number): Play {
  yield* follows(d, "EffectDone", { object: item.id, n, unit, amount });
}

function* doAll(d: Duel, r: Resolution, effects: readonly Effect[], first: number): Play {
  for (const [i, effect] of effects.entries()) {
    for (const [name, doing] of Object.entries(effect)) yield* DOES[name]?.(d, r, doing as Doing,
      first + i) ?? nothing();
  }
}
function* nothing(): Play {}

// --- Who, what and how much ---------------------------------------------------------------------

function playersOf(d: Duel, r: Resolution, who = "you"): number[] {
  const { seat } = r.item;
  if (who === "each_player") return [d.active, otherSeat(d.active)];
  if (who === "you" || who === "opponent") return [who === "you" ? seat : otherSeat(seat)];
  const [kind, id = ""] = who.split(":");
  const targets = id === "trigger" ? [r.item.about ?? ""] : r.targets[id] ?? [];
  if (kind === "target") return targets.map(Number);
  return [...new Set(targets.map((target) => r.controllers.get(target) ?? lastOf(d, target).controller))];
}

function idsOf(d: Duel, r: Resolution, to: To | undefined): string[] {
  if (to === undefined) return [];
  if (typeof to !== "string") return admitted(d, to.all, r.item.source, r.item.seat).map(({ id }) => id).sort(byHandle);
  if (to === "self") return [r.item.source];
  if (to === "opponent") return [String(otherSeat(r.item.seat))];
  return to === "trigger" ? [r.item.about ?? ""] : [...(r.targets[to] ?? [])];
}
const permanentsOf = (d: Duel, r: Resolution, to: To | undefined): Permanent[] =>
  idsOf(d, r, to).flatMap((id) => d.field.get(id) ?? []);

function amountOf(d: Duel, r: Resolution, amount: Amount = 0): number {
  if (typeof amount === "number") return amount;
  if (typeof amount === "string") return r.item.x ?? 0;
  if (amount.power_of !== undefined) return Math.max(0, lastOf(d, at(idsOf(d, r, amount.power_of), 0)).power);
  return amount.zone === undefined ? admitted(d, amount.count, r.item.source, r.item.seat).length
    : countCards(d, r, amount);
}

function countCards(d: Duel, r: Resolution, { count, zone, who }: Counted): number {
  const zones = zone === "hand" ? d.hands : d.graveyards;
  return playersOf(d, r, who).flatMap((seat) => at(zones, seat)).filter((id) => isOfType(count, cardAt(d, id))).length;
}

// --- Effects ------------------------------------------------------------------------------------

type Does = (d: Duel, r: Resolution, doing: Doing, n: number) => Play;

/** Deal damage at one moment; each source has an event of its own. */
function* dealDamage(d: Duel, rows: readonly Row[]): Play {
  const all = rows.filter(({ amount }) => amount > 0);
  if (!all.length) return;
  const before = sourcesIn(d, all);
  mark(d, all);
  for (const source of before.keys()) {
    yield* follows(d, "DamageDealt", { source, rows: all.filter((row) => row.source === source) });
  }
  for (const { to, amount } of all) if (isSeat(to)) yield* changeLife(d, Number(to), -amount);
  yield* leech(d, all, before);
}

function* damage(d: Duel, r: Resolution, { amount, to }: Doing): Play {
  const much = amountOf(d, r, amount);
  const ids = idsOf(d, r, to).filter((id) => isSeat(id) || d.field.has(id));
  yield* dealDamage(d, ids.map((id) => rowOf(d, r.item.source, id, much)));
}

function* fight(d: Duel, r: Resolution, { a, b }: Doing): Play {
  const [one] = permanentsOf(d, r, a);
  const [other] = permanentsOf(d, r, b);
  if (!one || !other) return;
  const power = ({ id }: Permanent) => Math.max(0, lastOf(d, id).power);
  yield* dealDamage(d, [rowOf(d, one.id, other.id, power(one)), rowOf(d, other.id, one.id, power(other))]);
}

const life = (sign: number): Does => function* (d, r, { who, amount }) {
  const much = amountOf(d, r, amount);
  for (const seat of playersOf(d, r, who)) yield* changeLife(d, seat, sign * much);
};

function* draw(d: Duel, r: Resolution, { who, amount }: Doing): Play {
  const much = amountOf(d, r, amount);
  for (const seat of playersOf(d, r, who)) {
    for (let i = 0; i < much && !d.drawFailed[seat]; i++) yield* drawCard(d, seat);
  }
}

export function* drawCard(d: Duel, seat: number): Play {
  const card = at(d.libraries, seat).shift();
  if (card === undefined) {
    d.drawFailed[seat] = true;
    yield* follows(d, "DrawFailed", { seat });
    return;
  }
  at(d.hands, seat).push(card);
  yield* follows(d, "CardDrawn", { seat, card: at(named(d, [card]), 0) });
  yield* notePlayer(d, "draws", seat);
}

function* discard(d: Duel, r: Resolution, { who, amount, how }: Doing, n: number): Play {
  const much = amountOf(d, r, amount);
  r.done = false;
  for (const [i, seat] of playersOf(d, r, who).entries()) {
    const hand = at(d.hands, seat);
    if (!Math.min(much, hand.length)) continue;
    r.done = true;
    if (hand.length <= much) yield* discarded(d, seat, [...hand].sort(byHandle), "all");
    else {
      yield* pauses(d, r.item, n, i + 1, much);
      if (how === "random") for (let k = 0; k < much; k++) yield* discardAtRandom(d, seat);
      else yield* chooseDiscard(d, seat, much, "discard", "choose");
    }
  }
}

function* discarded(d: Duel, seat: number, cards: readonly string[], why: string): Play {
  lose(d, seat, cards);
  yield* follows(d, "CardsDiscarded", { seat, cards: named(d, cards), why });
  for (const _ of cards) yield* notePlayer(d, "discards", seat);
}
function lose(d: Duel, seat: number, cards: readonly string[]): void {
  d.hands[seat] = at(d.hands, seat).filter((id) => !cards.includes(id));
  at(d.graveyards, seat).push(...cards);
}

function* discardAtRandom(d: Duel, seat: number): Play {
  yield* follows(d, "RandomDiscardDue", { seat });
  const hand = [...at(d.hands, seat)].sort(byHandle);
  const isOne = (given: Fact) => hand.some((id) =>
    same(given, fact("CardsDiscarded", { seat, cards: named(d, [id]), why: "random" })));
  const data = yield* byChance(d, fact("CardsDiscarded", { seat, cards: named(d, hand.slice(0, 1)), why: "random" }),
    (given) => (isOne(given) ? null : "A random card of the hand must be discarded."));
  lose(d, seat, objectsOf(data.cards));
  yield* notePlayer(d, "discards", seat);
}
export const objectsOf = (rows: unknown): string[] => (rows as { object: string }[]).map(({ object }) => object);

/** Let a seat choose cards of its hand to discard. */
export function* chooseDiscard(d: Duel, seat: number, count: number, choice: string, why: string): Play {
  yield* request(d, seat, choice, count, count);
  const hand = at(d.hands, seat);
  const choices = () => combinations([...hand].sort(byHandle), count).map((cards) =>
    fact("CardsDiscarded", { seat, cards: named(d, cards), why }));
  const given = yield* asks(d, seat, choice, ({ type, data }) => {
    if (type !== "CardsDiscarded" || data.seat !== seat || data.why !== why) return "Cards must be discarded.";
    const cards = objectsOf(data.cards);
    const known = same(data.cards, named(d, cards)) && cards.every((id) => hand.includes(id));
    return known && new Set(cards).size === count && cards.length === count ? null
      : `${count} cards must be discarded.`;
  }, choices);
  const cards = objectsOf(given.data.cards);
  lose(d, seat, cards);
  for (const _ of cards) yield* notePlayer(d, "discards", seat);
}

function* mill(d: Duel, r: Resolution, { who, amount }: Doing): Play {
  const much = amountOf(d, r, amount);
  for (const seat of playersOf(d, r, who)) {
    const cards = at(d.libraries, seat).splice(0, much);
    if (!cards.length) continue;
    at(d.graveyards, seat).push(...cards);
    yield* follows(d, "CardsMilled", { seat, cards: named(d, cards) });
  }
}

function* scout(d: Duel, r: Resolution, { amount }: Doing, n: number): Play {
  const { seat } = r.item;
  const much = amountOf(d, r, amount);
  const seen = at(d.libraries, seat).slice(0, much);
  if (!seen.length) return;
  yield* pauses(d, r.item, n, 1, much);
  yield* request(d, seat, "scout", 0, seen.length, [], seen);
  const scouted = (top: string[], bottom: string[]) =>
    fact("Scouted", { seat, count: seen.length, to_bottom: bottom.length, top, bottom });
  const given = yield* asks(d, seat, "scout", ({ type, data }) => {
    const [top, bottom] = [data.top, data.bottom] as [string[], string[]];
    return type === "Scouted" && areAlike([...top, ...bottom], seen) && same({ type, data }, scouted(top, bottom))
      ? null : "The cards that were looked at must go on top of the library or under it.";
  }, () => range(seen.length + 1).flatMap((k) => combinations(seen, k)).map((bottom) =>
    scouted(seen.filter((id) => !bottom.includes(id)), bottom)));
  const [top, bottom] = [given.data.top, given.data.bottom] as [string[], string[]];
  d.libraries[seat] = [...top, ...at(d.libraries, seat).slice(seen.length), ...[...bottom].reverse()];
}

function* destroy(d: Duel, r: Resolution, { to }: Doing): Play {
  yield* leave(d, permanentsOf(d, r, to), "destroyed", "graveyard");
}

function* returnToHand(d: Duel, r: Resolution, { to }: Doing): Play {
  const all = permanentsOf(d, r, to);
  yield* leave(d, all, all.every(({ token }) => token) ? "vanished" : "returned", "hand");
}

function* returnFromGraveyard(d: Duel, r: Resolution, { to, dest }: Doing): Play {
  for (const id of idsOf(d, r, to)) {
    const owner = d.owners.get(id) ?? 0;
    if (!at(d.graveyards, owner).includes(id)) continue;
    d.graveyards[owner] = at(d.graveyards, owner).filter((one) => one !== id);
    if (dest === "hand") {
      at(d.hands, owner).push(id);
      yield* follows(d, "CardReturned", { object: id, card: cardAt(d, id).id, owner, from: "graveyard", to: "hand" });
      continue;
    }
    const p = enter(d, id, cardAt(d, id), owner, r.item.seat, entersTapped(cardAt(d, id)));
    yield* follows(d, "PermanentEntered", {
      object: id, card: p.card.id, owner, controller: r.item.seat, tapped: p.tapped, resolved: [], from_graveyard: [id],
    });
    yield* noteEntry(d, p);
  }
}

const setMark = (type: string, name: "tapped" | "frozen", value: boolean): Does => function* (d, r, { to }) {
  for (const p of permanentsOf(d, r, to)) {
    if (p[name] === value) continue;
    p[name] = value;
    yield* follows(d, type, { object: p.id });
  }
};

function* pump(d: Duel, r: Resolution, { to, power = 0, toughness = 0, keywords = [], until }: Doing): Play {
  const pumped = permanentsOf(d, r, to).filter(isCreature);
  if (!pumped.length) return;
  const ends = until === "your_next_turn" ? r.item.seat : null;
  for (const p of pumped) p.pumps.push({ power, toughness, keywords, until: ends });
  yield* follows(d, "PumpApplied", {
    objects: pumped.map(({ id }) => id), power, toughness, keywords, until_turn_of: ends,
  });
}

function* addCounters(d: Duel, r: Resolution, { to, amount }: Doing): Play {
  const much = amountOf(d, r, amount);
  if (!much) return;
  for (const p of permanentsOf(d, r, to)) {
    p.counters += much;
    yield* follows(d, "CountersAdded", { object: p.id, amount: much, total: p.counters });
  }
}

function* createToken(d: Duel, r: Resolution, { token = "", amount, who }: Doing): Play {
  const much = amountOf(d, r, amount);
  for (const seat of playersOf(d, r, who)) {
    for (let i = 0; i < much; i++) {
      d.made += 1;
      const p = enter(d, `o${d.made}`, cardOf(token), seat, seat, false, true);
      yield* follows(d, "TokenCreated", { object: p.id, token, owner: seat });
      yield* noteEntry(d, p);
    }
  }
}

function* counter(d: Duel, r: Resolution, { to, unless_pays: unless }: Doing, n: number): Play {
  for (const id of idsOf(d, r, to)) {
    const spell = d.stack.find((item) => item.id === id);
    if (!spell || (unless !== undefined && (yield* pays(d, r, spell, amountOf(d, r, unless), n)))) continue;
    leaveStack(d, spell);
    yield* follows(d, "SpellCountered", {
      object: id, source: spell.source, card: spell.card.id, owner: ownerOf(d, spell),
    });
  }
}

/** Ask the controller of a spell to pay for it, if that is possible. */
function* pays(d: Duel, r: Resolution, { id, seat }: Item, generic: number, n: number): Play<boolean> {
  const payment = pay(d, seat, { colored: [], generic, x: false });
  if (!payment) return false;
  yield* pauses(d, r.item, n, 0, generic);
  yield* request(d, seat, "pay_or_not", generic, generic, [id]);
  const yes = made(seat, "pay_or_not", { number: 1, paid: payment.paid, pool: payment.pool });
  const given = yield* answers(d, seat, "pay_or_not", [made(seat, "pay_or_not", {}), yes]);
  if (given.data.number !== 1) return false;
  tapPaid(d, seat, payment);
  return true;
}
export function tapPaid(d: Duel, seat: number, { paid, pool }: NonNullable<ReturnType<typeof pay>>): void {
  d.pools[seat] = [...pool];
  for (const { id } of paid) {
    const p = d.field.get(id);
    if (p) p.tapped = true;
  }
}

function* searchLand(d: Duel, r: Resolution, { who, amount, dest = "" }: Doing, n: number): Play {
  const much = amountOf(d, r, amount);
  for (const [i, seat] of playersOf(d, r, who).entries()) {
    yield* pauses(d, r.item, n, i + 1, much);
    const lands = at(d.libraries, seat).filter((id) => cardAt(d, id).basic).sort(byHandle);
    yield* request(d, seat, "search", 0, much, [], lands);
    const found = (ids: readonly string[]) => fact("LibrarySearched", { seat, found: named(d, ids), to: dest });
    const given = yield* asks(d, seat, "search", ({ type, data }) => {
      if (type !== "LibrarySearched") return "The library must be searched here.";
      const ids = objectsOf(data.found);
      const legal = ids.length <= much && new Set(ids).size === ids.length && ids.every((id) => lands.includes(id));
      return legal && same({ type, data }, found(ids)) ? null : "Only basic lands of the library may be found.";
    }, () => range(much + 1).flatMap((k) => combinations(lands, k)).map(found));
    yield* take(d, seat, objectsOf(given.data.found), dest);
    yield* shuffle(d, seat);
  }
}

function* take(d: Duel, seat: number, ids: readonly string[], dest: string): Play {
  d.libraries[seat] = at(d.libraries, seat).filter((id) => !ids.includes(id));
  if (dest === "hand") at(d.hands, seat).push(...ids);
  else yield* noteEntry(d, ...ids.map((id) => enter(d, id, cardAt(d, id), seat, seat, true)));
}

/** Shuffle a library; the check of shuffles compares the order with the seeds. */
export function* shuffle(d: Duel, seat: number): Play {
  const library = [...at(d.libraries, seat)].sort(byHandle);
  const usual = fact("LibraryShuffled", { seat, count: library.length, library });
  const data = yield* byChance(d, usual, ({ type, data: given }) =>
    type === "LibraryShuffled" && given.seat === seat && given.count === library.length
      && areAlike(given.library as string[], library)
      ? null : "The library must be shuffled here.");
  d.libraries[seat] = [...(data.library as string[])];
}

function* sacrifice(d: Duel, r: Resolution, { who, amount, filter }: Doing, n: number): Play {
  const much = amountOf(d, r, amount);
  r.done = false;
  for (const [i, seat] of playersOf(d, r, who).entries()) {
    const own = permanents(d).filter((p) => p.controller === seat);
    const could = admitted(d, filter, r.item.source, r.item.seat).filter((p) => own.includes(p)).sort((a, b) =>
      byHandle(a.id, b.id));
    if (!Math.min(much, could.length)) continue;
    r.done = true;
    const chosen = could.length <= much ? could : yield* chooseSacrifice(d, r, seat, could, much, n, i);
    yield* leave(d, chosen, "sacrificed", "graveyard");
  }
}

function* chooseSacrifice(
  d: Duel, r: Resolution, seat: number, could: readonly Permanent[], much: number, n: number, i: number,
): Play<Permanent[]> {
  yield* pauses(d, r.item, n, i + 1, much);
  yield* request(d, seat, "sacrifice", much, much, could.map(({ id }) => id));
  const sets = combinations(could.map(({ id }) => id), much);
  const given = yield* answers(d, seat, "sacrifice", sets.map((objects) => made(seat, "sacrifice", { objects })));
  return could.filter(({ id }) => (given.data.objects as string[]).includes(id));
}

function* chooseOne(d: Duel, r: Resolution, doing: unknown, n: number): Play {
  const modes = doing as readonly (readonly Effect[])[];
  const { seat } = r.item;
  yield* pauses(d, r.item, n, 0, 0);
  yield* request(d, seat, "mode", 0, modes.length - 1);
  const given = yield* answers(d, seat, "mode", modes.map((_, number) => made(seat, "mode", { number })));
  yield* doAll(d, r, at(modes, Number(given.data.number)), n);
}

const DOES: Readonly<Record<string, Does>> = {
  damage, fight, draw, discard, mill, scout, destroy, pump, counter, sacrifice, gain_life: life(1), lose_life: life(-1),
  return_to_hand: returnToHand, return_from_graveyard: returnFromGraveyard, add_counters: addCounters,
  create_token: createToken, search_land: searchLand, choose_one: chooseOne,
  tap: setMark("PermanentTapped", "tapped", true), untap: setMark("PermanentUntapped", "tapped", false),
  freeze: setMark("PermanentFrozen", "frozen", true),
  *if(d, r, { cond, then = [] }, n) {
    if (holds(d, cond, r.item.seat)) yield* doAll(d, r, then, n);
  },
  *if_done(d, r, doing, n) {
    if (r.done) yield* doAll(d, r, doing as readonly Effect[], n);
  },
};
