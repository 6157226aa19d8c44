/** The course of a turn: its steps, and combat (sections 3 and 5). */

import { at, fact, same, sum } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Fact, Fields } from "../../../../api/web/static/past/verify/referee.ts";
import { chooseDiscard, drawCard, resolve } from "./effects.ts";
import { asks, check, leech, mark, note, rowOf, sourcesIn } from "./happenings.ts";
import type { Row } from "./happenings.ts";
import { isAsked, passes } from "./priority.ts";
import { arrive, follows, judgeButThen, pass, tell } from "./telling.ts";
import { NO_POOL, byHandle, byId, controlled, has, isBanned, isCreature, named, otherSeat, permanents, powerOf,
  subjectOf,
  toughnessOf, triggered } from "./table.ts";
import { areAlike } from "../../../card_sets/referee_decks.ts";
import type { Duel, Permanent, Play } from "./table.ts";

const isOver = (d: Duel): boolean => d.over !== null;

/** Begin a step; a step without a window gives nobody priority. */
function enterStep(d: Duel, step: string, window: boolean): void {
  d.pools = [NO_POOL, NO_POOL];
  Object.assign(d, { step, priority: window ? d.active : null, passes: 0, window: d.window + 1 });
}
function begin(d: Duel, step: string, window = true, gone: readonly string[] = [],
  healed: readonly string[] = []): void {
  enterStep(d, step, window);
  pass(d, gone, healed);
}

/** Play a window until both have passed, and the stack is empty. */
function* window(d: Duel): Play {
  for (;;) {
    yield* passes(d);
    if (isOver(d) || !d.stack.length) return;
    yield* resolve(d);
    if (!isOver(d)) {
      Object.assign(d, { priority: d.active, passes: 0 });
      tell(d);
      yield* check(d);
    }
  }
}
function* stepWith(d: Duel, step: string, trigger?: string): Play {
  if (isOver(d)) return;
  begin(d, step, true, step === "main2" ? endCombat(d) : []);
  if (trigger) yield* note(d, triggered(d, trigger, [{ id: null, card: null, controller: d.active }]));
  yield* check(d);
  yield* window(d);
}

export function* turn(d: Duel): Play {
  yield* untap(d);
  yield* stepWith(d, "dawn", "dawn");
  yield* stepWith(d, "main1");
  if (!isOver(d)) yield* combat(d);
  yield* stepWith(d, "main2");
  yield* stepWith(d, "dusk", "dusk");
  if (!isOver(d)) yield* cleanup(d);
}

function* untap(d: Duel): Play {
  d.turn += 1;
  Object.assign(d, { landPlayed: false, busy: 0, stopsSet: [0, 0] });
  d.until = d.until.map((until) => (until === "next_turn" ? null : until));
  yield* arrive(d);
  enterStep(d, "untap", false);
  const own = controlled(d, d.active);
  const ids = (all: Permanent[]) => all.map(({ id }) => id);
  const untapped = own.filter((p) => p.tapped && !p.frozen);
  const thawed = own.filter((p) => p.frozen);
  const settled = own.filter((p) => p.fresh);
  const faded = permanents(d).filter((p) => p.pumps.some(({ until }) => until === d.active));
  const card = d.turn > 1 ? at(d.libraries, d.active).shift() : undefined;
  for (const p of untapped) p.tapped = false;
  for (const p of thawed) p.frozen = false;
  for (const p of settled) p.fresh = false;
  for (const p of faded) p.pumps = p.pumps.filter(({ until }) => until !== d.active);
  if (card) at(d.hands, d.active).push(card);
  tell(d);
  yield* follows(d, "TurnStarted", {
    seat: d.active, turn: d.turn, untapped: ids(untapped), thawed: ids(thawed), settled: ids(settled),
      faded: ids(faded),
    draws: card ? 1 : 0, card: card ? at(named(d, [card]), 0) : null, then: null,
  });
  if (d.turn > 1 && !card) {
    yield* drawCard(d, d.active);
    yield* check(d);
  }
}

function* cleanup(d: Duel): Play {
  const seat = d.active;
  const surplus = at(d.hands, seat).length - 7;
  begin(d, "cleanup", false, [], surplus > 0 ? [] : recover(d));
  if (surplus > 0) {
    yield* chooseDiscard(d, seat, surplus, "cleanup_discard", "cleanup");
    const recovered = recover(d);
    if (recovered.length) yield* follows(d, "TurnEnded", { seat, recovered });
  }
  yield* check(d, true);
}

/** Return whether something about a permanent ends with the turn; pumps that cancel out are none. */
function isMarked({ damage, venom, pumps }: Permanent): boolean {
  const ending = pumps.filter(({ until }) => until === null);
  return damage > 0 || venom || sum(ending.map(({ power }) => power)) !== 0
    || sum(ending.map(({ toughness }) => toughness)) !== 0 || ending.some(({ keywords }) => keywords.length > 0);
}

/** End damage, pumps and venom marks, and return whose. */
function recover(d: Duel): string[] {
  const marked = permanents(d).filter((p) => isMarked(p));
  for (const p of permanents(d)) Object.assign(p, { damage: 0, venom: false,
    pumps: p.pumps.filter(({ until }) => until !== null) });
  return marked.map(({ id }) => id);
}

// --- Combat -------------------------------------------------------------------------------------

const fighting = (d: Duel): Permanent[] => permanents(d).filter((p) => p.attacks || p.blocks !== null);
const attackersIn = (d: Duel): Permanent[] => permanents(d).filter((p) => p.attacks);

function endCombat(d: Duel): string[] {
  const gone = fighting(d);
  for (const p of gone) Object.assign(p, { attacks: false, blocked: false, blocks: null, order: [], struck: false });
  return gone.map(({ id }) => id);
}

const mayAttack = (d: Duel, p: Permanent): boolean => isCreature(p) && !p.tapped && (!p.fresh || has(d, p, "haste"))
  && !has(d, p, "sentinel") && !isBanned(d, p, "cannot_attack");

function* combat(d: Duel): Play {
  const able = controlled(d, d.active).filter((p) => mayAttack(d, p)).sort(byId);
  if (!able.length) return;
  begin(d, "attack", false);
  yield* attack(d, able);
  if (!attackersIn(d).length || isOver(d)) return;
  yield* check(d);
  yield* window(d);
  if (isOver(d) || !attackersIn(d).length) return;
  yield* block(d);
  yield* window(d);
  for (const step of ["first_damage", "damage"]) if (!isOver(d) && attackersIn(d).length) yield* strike(d, step);
}

/** Return where the priority may be told to be as a window begins: seats that are not asked have passed. */
function openings(d: Duel): { priority: number; passes: number }[] {
  const [own, other] = [d.active, otherSeat(d.active)];
  const all = [{ priority: own, passes: 0 }];
  if (!isAsked(d, own)) all.push({ priority: other, passes: 1 });
  if (all.length > 1 && !isAsked(d, other)) all.push({ priority: own, passes: 2 });
  return all;
}
const opens = (d: Duel, { priority, passes: count }: Fields): boolean =>
  openings(d).some((one) => one.priority === priority && one.passes === count);

/** An event tells that a window begins, and where the priority is. */
function open(d: Duel, { priority, passes: count, then = null }: Fields): void {
  Object.assign(d, { priority: d.active, passes: 0 });
  tell(d);
  d.told = { ...d.told, priority: Number(priority), passes: Number(count) };
  d.then = then as Fields | null;
}

function* attack(d: Duel, able: readonly Permanent[]): Play {
  const declared = (ids: readonly string[], told: Fields) => fact("AttackersDeclared", {
    seat: d.active, attackers: ids, tapped: ids.filter((id) =>
      !has(d, able.find((p) => p.id === id) ?? at(able, 0), "steadfast")),
    priority: d.active, passes: 2, then: null, ...told,
  });
  const given = yield* asksIn(d, d.active, "attack", (one) => {
    const ids = one.data.attackers as string[];
    if (one.type !== "AttackersDeclared") return "Attackers must be declared here.";
    if (new Set(ids).size !== ids.length || !ids.every((id) =>
      able.some((p) => p.id === id))) return "These creatures may not attack.";
    if (ids.length && !isOpening(d, one.data)) return "Another seat has priority.";
    const { priority, passes: count } = one.data;
    return judgeButThen(declared(ids, ids.length ? { priority, passes: count } : {}), one);
  }, () => [declared([], {}), ...able.map(({ id }) => declared([id], at(windowOpenings(d), 0)))]);
  const ids = given.data.attackers as string[];
  const attackers = [...ids].sort(byHandle).flatMap((id) => d.field.get(id) ?? []);
  for (const p of attackers) Object.assign(p, { attacks: true, tapped: p.tapped || !has(d, p, "steadfast") });
  open(d, given.data);
  if (!ids.length) {
    Object.assign(d, { passes: 2 });
    return;
  }
  yield* note(d, triggered(d, "attacks", attackers.map(subjectOf)));
}
/** What is told of the window that a declaration opens. */
const windowOpenings = (d: Duel) => openings(d);
const isOpening = (d: Duel, data: Fields) => opens(d, data);

function* asksIn(d: Duel, seat: number, decision: string, judge: (given: Fact) => string | null, choices: () =>
  Fact[]): Play<Fact> {
  d.until[seat] = null;
  return yield* asks(d, seat, decision, judge, choices);
}

const mayBlock = (d: Duel, p: Permanent, attacker: Permanent): boolean => isCreature(p) && !p.tapped
  && !isBanned(d, p, "cannot_block")
  && (!has(d, attacker, "flying") || has(d, p, "flying") || has(d, p, "skyguard"));

interface Block { readonly blocker: string; readonly attacker: string }

function* block(d: Duel): Play {
  const seat = otherSeat(d.active);
  const attackers = attackersIn(d);
  const could = (a: Permanent) => controlled(d, seat).filter((p) => mayBlock(d, p, a)).sort(byId);
  const possible = attackers.some((a) => could(a).length >= (has(d, a, "daunting") ? 2 : 1));
  if (!possible) return yield* forced(d, seat);
  begin(d, "block", false);
  const given = yield* asksIn(d, seat, "block", (one) => judgeBlock(d, seat, attackers, one),
    () => [[], ...attackers.flatMap((a) => blocksFor(d, a, could(a)))].map((blocks) =>
      declared(seat, blocks, at(openings(d), 0))));
  const blocks = given.data.blocks as Block[];
  for (const { blocker, attacker } of blocks) {
    Object.assign(d.field.get(blocker) ?? {}, { blocks: attacker });
    const a = d.field.get(attacker);
    if (a) Object.assign(a, { blocked: true, order: [...a.order, blocker] });
  }
  open(d, given.data);
  const blockers = blocks.map(({ blocker }) => blocker).sort(byHandle).flatMap((id) => d.field.get(id) ?? []);
  yield* note(d, triggered(d, "blocks", blockers.map(subjectOf)));
  yield* check(d);
  yield* orderAll(d, given.data.unordered as string[]);
}

const blocksFor = (d: Duel, a: Permanent, could: readonly Permanent[]): Block[][] => {
  const pair = (p: Permanent) => ({ blocker: p.id, attacker: a.id });
  return has(d, a, "daunting")
    ? could.flatMap((p, i) => could.slice(i + 1).map((other) => [pair(p), pair(other)])) : could.map((p) => [pair(p)]);
};

function declared(seat: number, blocks: readonly Block[], told: Fields): Fact {
  const blocked = [...new Set(blocks.map(({ attacker }) => attacker))].sort(byHandle);
  const several = blocked.filter((id) => blocks.filter(({ attacker }) => attacker === id).length > 1);
  return fact("BlockersDeclared", { seat, blocks, blocked, unordered: several, forced: false, ...told });
}

function* forced(d: Duel, seat: number): Play {
  yield* arrive(d);
  enterStep(d, "block", true);
  tell(d);
  const [told] = yield* forcedTold(d, seat);
  open(d, told);
}
function* forcedTold(d: Duel, seat: number): Play<[Fields]> {
  const { data } = declared(seat, [], at(openings(d), 0));
  const given = yield {
    kind: "chance", judge: (one: Fact) => {
      const { priority, passes: count } = one.data;
      return same(one, fact("BlockersDeclared", { ...data, forced: true, priority, passes: count }))
        && opens(d, one.data)
        ? null : "No creature can block.";
    },
  };
  return [given.data];
}

function judgeBlock(d: Duel, seat: number, attackers: readonly Permanent[], given: Fact): string | null {
  const blocks = given.data.blocks as Block[];
  if (given.type !== "BlockersDeclared") return "Blockers must be declared here.";
  if (new Set(blocks.map(({ blocker }) => blocker)).size !== blocks.length) return "A creature may block only once.";
  const legal = blocks.every(({ blocker, attacker }) => {
    const [p, a] = [d.field.get(blocker), attackers.find(({ id }) => id === attacker)];
    return p?.controller === seat && a !== undefined && mayBlock(d, p, a);
  });
  const alone = attackers.some((a) => has(d, a, "daunting")
    && blocks.filter(({ attacker }) => attacker === a.id).length === 1);
  if (!legal || alone) return "These creatures may not block in this way.";
  const { priority, passes: count } = given.data;
  if (!opens(d, given.data)) return "Another seat has priority.";
  return same(given, declared(seat, blocks, { priority, passes: count })) ? null
    : "The blocks are recorded incorrectly.";
}

/** Put the blockers of each attacker in order, where there are several. */
function* orderAll(d: Duel, unordered: readonly string[]): Play {
  let left = [...unordered];
  while (left.length) {
    const ordered = (id: string, order: readonly string[]) => fact("BlockersOrdered", {
      seat: d.active, attacker: id, order, unordered: left.filter((one) => one !== id),
    });
    const orderOf = (id: string) => d.field.get(id)?.order ?? [];
    const given = yield* asksIn(d, d.active, "order_blockers", (one) => {
      const id = String(one.data.attacker);
      const order = one.data.order as string[];
      if (one.type !== "BlockersOrdered" || !left.includes(id)) return "Blockers must be put in order here.";
      return areAlike(order, orderOf(id)) && same(one, ordered(id, order)) ? null :
        "These are not the creatures that block this attacker.";
    }, () => left.flatMap((id) => orderOf(id).map((first) =>
      ordered(id, [first, ...orderOf(id).filter((one) => one !== first)]))));
    const id = String(given.data.attacker);
    Object.assign(d.field.get(id) ?? {}, { order: given.data.order });
    left = left.filter((one) => one !== id);
  }
}

// --- Combat damage ------------------------------------------------------------------------------

const strikes = (d: Duel, p: Permanent, step: string): boolean =>
  powerOf(d, p) > 0 && !p.struck && (step === "damage" || has(d, p, "quickstrike"));

/** Return what is lethal for a blocker. */
const lethal = (d: Duel, a: Permanent, p: Permanent): number => (has(d, a, "venom") ? 1 : toughnessOf(d, p) - p.damage);

function attackRows(d: Duel, a: Permanent, blockers: readonly Permanent[]): Row[] {
  const player = String(otherSeat(d.active));
  let left = powerOf(d, a);
  if (!a.blocked) return [rowOf(d, a.id, player, left)];
  const overruns = has(d, a, "overrun");
  const rows = blockers.map((p, i) => {
    const takes = i < blockers.length - 1 || overruns ? Math.min(left, lethal(d, a, p)) : left;
    left -= takes;
    return rowOf(d, a.id, p.id, takes);
  });
  return (overruns ? [...rows, rowOf(d, a.id, player, left)] : rows).filter(({ amount }) => amount > 0);
}

function combatRows(d: Duel, step: string): Row[] {
  return attackersIn(d).flatMap((a) => {
    const blockers = a.order.flatMap((id) => d.field.get(id) ?? []).filter((p) => p.blocks === a.id);
    return [
      ...(strikes(d, a, step) ? attackRows(d, a, blockers) : []),
      ...blockers.filter((p) => strikes(d, p, step)).map((p) => rowOf(d, p.id, a.id, powerOf(d, p))),
    ];
  });
}

function* strike(d: Duel, step: string): Play {
  if (step === "first_damage" && !fighting(d).some((p) => has(d, p, "quickstrike"))) return;
  const rows = combatRows(d, step);
  if (rows.length) yield* dealCombatDamage(d, step, rows);
  else begin(d, step);
  yield* check(d);
  yield* window(d);
}

function* dealCombatDamage(d: Duel, step: string, rows: readonly Row[]): Play {
  const before = sourcesIn(d, rows);
  const struck = step === "first_damage" ? [...new Set(rows.map(({ source }) => source))].sort(byHandle) : [];
  const hitting = permanents(d).filter((p) => rows.some(({ source, venom }) => source === p.id
    && venom === null)).sort(byId);
  mark(d, rows);
  for (const { to, amount } of rows) if (to === "0" || to === "1") d.life[Number(to)] = at(d.life, Number(to)) - amount;
  for (const id of struck) Object.assign(d.field.get(id) ?? {}, { struck: true });
  yield* arrive(d);
  enterStep(d, step, true);
  tell(d);
  yield* follows(d, "CombatDamageDealt", { step, rows, struck, life: [...d.life], then: null });
  yield* note(d, triggered(d, "hits_player", hitting.map(subjectOf)));
  yield* leech(d, rows, before);
}
