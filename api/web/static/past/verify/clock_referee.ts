/** The arithmetic of clocks (rules 1.8, 1.11). The time at which the server received a move cannot be checked. */

import { isObject, same, whole } from "./deals.mjs";
import { at, range } from "./referee_kit.ts";
import type { Asked, Fields } from "./referee.ts";

/** Each seat's time left, in milliseconds, and the moves left in its Canadian period. */
export interface Clock {
  readonly options: Fields;
  readonly isOn: boolean;
  left: number[];
  moves: number[];
}

type Timed = Pick<Asked, "seat" | "minor" | "seconds">;
interface Spent { readonly left: number; readonly moves: number }

const TIMES = ["per_decision_seconds", "bank_seconds", "increment_seconds", "period_seconds"];
const TEN_YEARS = 10 * 366 * 86_400_000;

const ms = (options: Fields, name: string) => 1000 * Number(options[name] ?? 0);

export function clockOf(options: Fields, seats: number): Clock {
  const periods = options.kind === "byo_yomi" ? Number(options.periods) : 0;
  const left = ms(options, "bank_seconds") + periods * ms(options, "period_seconds");
  return {
    options, isOn: TIMES.some((name) => Number(options[name] ?? 0) > 0),
    left: range(seats).map(() => left), moves: range(seats).map(() => 0),
  };
}

/** The times each kind of clock uses (rules 1.8.2). */
const USED: Record<string, readonly string[]> = {
  simple: ["per_decision_seconds", "bank_seconds"], fischer: ["bank_seconds", "increment_seconds", "cap_seconds"],
  byo_yomi: ["period_seconds", "periods", "bank_seconds"], canadian: ["period_seconds", "period_moves", "bank_seconds"],
};
/** How many of them, from the first, must be positive. */
const NEEDED: Record<string, number> = { simple: 0, fischer: 1, byo_yomi: 2, canadian: 2 };
/** A clock's numbers, each with its minimum and maximum (rules 1.11). */
const BOUNDS: Record<string, readonly [number, number]> = {
  per_decision_seconds: [0, 31_622_400], bank_seconds: [0, 31_622_400], max_defaults: [1, 1000],
  increment_seconds: [0, 31_622_400], cap_seconds: [0, 31_622_400], period_seconds: [0, 31_622_400], periods: [0, 100],
  period_moves: [0, 100], minor_seconds: [0, 31_622_400], grace_seconds: [0, 86_400],
};
const FIELDS = [...Object.keys(BOUNDS), "days_off", "kind", "on_expiry", "time_zone", "vacation"].sort().join(" ");
const LONGEST = 10 * 31_622_400;

/** Return whether a clock is valid (rules 1.8, 1.11). */
export function isClock(clock: unknown): boolean {
  if (!isObject(clock) || Object.keys(clock).sort().join(" ") !== FIELDS) return false;
  const used = USED[String(clock.kind)];
  const isIn = ([name, [least, most]]: [string, readonly [number, number]]) =>
    whole(clock[name], most + 1) && clock[name] >= least;
  if (!used || !Object.entries(BOUNDS).every(isIn)) return false;
  const others = Object.values(USED).flat().filter((name) => !used.includes(name));
  return others.every((name) => clock[name] === 0) && hasItsTimes(clock, used) && areDaysOff(clock.days_off)
    && ["default_action", "bot", "forfeit"].includes(String(clock.on_expiry)) && isZone(clock.time_zone)
    && typeof clock.vacation === "boolean";
}

function hasItsTimes(clock: Fields, used: readonly string[]): boolean {
  const first = timeFor(clockOf(clock, 1), { seat: 0 });
  const [bank, cap, minor] = [ms(clock, "bank_seconds"), ms(clock, "cap_seconds"), ms(clock, "minor_seconds")];
  return used.slice(0, NEEDED[String(clock.kind)] ?? 0).every((name) => Number(clock[name]) > 0)
    && (cap === 0 || cap >= Math.max(bank, ms(clock, "increment_seconds")))
    && bank + Number(clock.periods) * ms(clock, "period_seconds") <= 1000 * LONGEST
    && (minor === 0 || minor < first) && (clock.vacation !== true || first >= 3_600_000)
    && (clockOf(clock, 1).isOn || (minor === 0 && clock.grace_seconds === 0 && same(clock.days_off, [])));
}

const areDaysOff = (days: unknown) => Array.isArray(days) && days.every((day) => whole(day, 8) && day > 0)
  && new Set(days).size === days.length && days.length < 7;

/** Return whether the tz database has a zone with exactly this name, including its case. */
function isZone(zone: unknown): boolean {
  if (zone === "UTC") return true;
  if (typeof zone !== "string" || !/^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/.test(zone)) return false;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    return known === zone || known.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}

/** Return whether the clock depends on the calendar, which the record does not hold: days off, and vacations. */
export const hasCalendar = ({ options: { days_off: days, vacation } }: Clock) =>
  vacation === true || (Array.isArray(days) && days.length > 0);

/** Return the time for a decision, until its deadline. */
export function timeFor(clock: Clock, { seat, minor, seconds }: Timed): number {
  const { options, left, moves } = clock;
  if (seconds) return clock.isOn ? Math.min(1000 * seconds, timeFor(clock, { seat, minor })) : 1000 * seconds;
  if (minor && Number(options.minor_seconds) > 0) return ms(options, "minor_seconds");
  const period = options.kind === "canadian" && at(moves, seat) === 0 ? ms(options, "period_seconds") : 0;
  return ms(options, "per_decision_seconds") + at(left, seat) + period;
}

const SPENDS: Record<string, (clock: Clock, seat: number, used: number) => Spent> = {
  simple: ({ options, left }, seat, used) => ({
    left: at(left, seat) - Math.max(0, used - ms(options, "per_decision_seconds")), moves: 0,
  }),
  fischer: ({ options, left }, seat, used) => {
    const kept = Math.max(0, at(left, seat) - Math.max(0, used - ms(options, "per_decision_seconds")));
    const most = ms(options, "cap_seconds") || TEN_YEARS;
    return { left: Math.min(most, kept + ms(options, "increment_seconds")), moves: 0 };
  },
  byo_yomi: ({ options, left }, seat, used) => spendPeriods(options, at(left, seat),
    Math.max(0, used - ms(options, "per_decision_seconds"))),
  canadian: (clock, seat, used) => spendCanadian(clock, seat,
    Math.max(0, used - ms(clock.options, "per_decision_seconds"))),
};

/** Spend byo-yomi time: a period that runs out is lost, an unfinished one starts again, and the last one is kept. */
function spendPeriods(options: Fields, left: number, used: number): Spent {
  const period = ms(options, "period_seconds");
  const reserve = period * Number(options.periods);
  if (left - used >= reserve) return { left: left - used, moves: 0 };
  const inPeriods = Math.min(left, reserve);
  const over = Math.max(0, used - (left - inPeriods));
  return { left: Math.max(Math.min(period, inPeriods), inPeriods - period * Math.floor(over / period)), moves: 0 };
}

/**
 * A period covers a number of decisions. After them, or when it runs out, another begins. Before the first one, `moves`
 * is 0, and the bank is left.
 */
function spendCanadian({ options, left, moves }: Clock, seat: number, used: number): Spent {
  const period = ms(options, "period_seconds");
  const served = Number(options.period_moves);
  const due = at(moves, seat);
  if (due === 0 && used < at(left, seat)) return { left: at(left, seat) - used, moves: 0 };
  const after = at(left, seat) + (due === 0 ? period : 0) - used;
  const remaining = (due || served) - 1;
  return after <= 0 || remaining === 0 ? { left: period, moves: served } : { left: after, moves: remaining };
}

/** Return a seat's remaining time after a decision that took this long. */
export function spend(clock: Clock, { seat, minor, seconds }: Asked, used: number): Spent {
  const before = { left: at(clock.left, seat), moves: at(clock.moves, seat) };
  if (seconds || (minor && Number(clock.options.minor_seconds) > 0)) return before;
  const after = SPENDS[String(clock.options.kind)]?.(clock, seat, used) ?? before;
  return { ...after, left: Math.max(0, after.left) };
}
