/** The arithmetic of clocks (rules 1.8, 1.11). When the server received a move stays its word. */

import { at, range } from "./referee_kit.ts";
import type { Asked, Fields } from "./referee.ts";

/** The time that each seat has left, in milliseconds, and the decisions that its Canadian period still serves. */
export interface Clock {
  readonly options: Fields;
  readonly isOn: boolean;
  left: number[];
  moves: number[];
}

interface Spent { readonly left: number; readonly moves: number }

const TIMES = ["per_decision_seconds", "bank_seconds", "increment_seconds", "period_seconds"];
const TEN_YEARS = 10 * 365 * 86_400_000;

const ms = (options: Fields, name: string) => 1000 * Number(options[name] ?? 0);

export function clockOf(options: Fields, seats: number): Clock {
  const periods = options.kind === "byo_yomi" ? Number(options.periods) : 0;
  const left = ms(options, "bank_seconds") + periods * ms(options, "period_seconds");
  return {
    options, isOn: TIMES.some((name) => Number(options[name] ?? 0) > 0),
    left: range(seats).map(() => left), moves: range(seats).map(() => 0),
  };
}

/** Return whether the calendar decides, which the record does not hold: days off, and vacations. */
export const hasCalendar = ({ options: { days_off: days, vacation } }: Clock) =>
  vacation === true || (Array.isArray(days) && days.length > 0);

/** Return the time of a decision until its deadline. */
export function timeFor({ options, left, moves }: Clock, { seat, minor, seconds }: Asked): number {
  if (seconds) return 1000 * seconds;
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

/** A period that runs out is lost; one that is not used up begins again, and the last one is kept. */
function spendPeriods(options: Fields, left: number, used: number): Spent {
  const period = ms(options, "period_seconds");
  const reserve = period * Number(options.periods);
  if (left - used >= reserve) return { left: left - used, moves: 0 };
  const inPeriods = Math.min(left, reserve);
  const over = Math.max(0, used - (left - inPeriods));
  return { left: Math.max(Math.min(period, inPeriods), inPeriods - period * Math.floor(over / period)), moves: 0 };
}

/**
 * A period serves a number of decisions; after them, or when it runs out, another begins. Before the first one `moves`
 * is 0, and the bank is left.
 */
function spendCanadian({ options, left, moves }: Clock, seat: number, used: number): Spent {
  const period = ms(options, "period_seconds");
  const served = Number(options.period_moves);
  const due = at(moves, seat);
  if (due === 0 && used <= at(left, seat)) return { left: at(left, seat) - used, moves: 0 };
  const after = at(left, seat) + (due === 0 ? period : 0) - used;
  const remaining = (due || served) - 1;
  return after <= 0 || remaining === 0 ? { left: period, moves: served } : { left: after, moves: remaining };
}

/** Return what a seat has left after a decision that took this long. */
export function spend(clock: Clock, { seat, minor, seconds }: Asked, used: number): Spent {
  const before = { left: at(clock.left, seat), moves: at(clock.moves, seat) };
  if (seconds || (minor && Number(clock.options.minor_seconds) > 0)) return before;
  const after = SPENDS[String(clock.options.kind)]?.(clock, seat, used) ?? before;
  return { ...after, left: Math.max(0, after.left) };
}
