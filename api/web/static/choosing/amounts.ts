/** Holds a number that is being chosen, as its field has it. Runs without a browser, for any game. */

import { schemaOf } from "../table/moves.js";
import type { Move } from "../table/store.ts";
import { says } from "../words/choosing.js";

interface UsefulAmount {
  readonly title: string;
  readonly value: number;
}

export interface Amount {
  readonly name: string;
  readonly title: string;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly useful: readonly UsefulAmount[];
}

/** The number of steps from one bound to the other, if the schema names no step. */
const STEPS = 20;

/** Return the number that a move asks for, with its bounds and step from the schema. */
export function amountOf(move: Move, name: string): Amount {
  const part = schemaOf(move, name);
  const low = part.minimum ?? 0;
  const high = part.maximum ?? low;
  const ends = [
    { title: says.least, value: low },
    { title: says.most, value: high },
  ];
  return {
    name,
    title: part.title ?? name,
    low,
    high,
    step: part["x-step"] ?? Math.max(1, Math.floor((high - low) / STEPS)),
    useful: part["x-useful"] ?? (high > low ? ends : []),
  };
}

/** Return the number that a field says; null if it may not be chosen. */
export function chosen({ low, high }: Amount, said: string): number | null {
  const value = said.trim() === "" ? Number.NaN : Number(said);
  return Number.isInteger(value) && value >= low && value <= high ? value : null;
}

/** Take a step up or down. If the field says no number, take the lower bound. */
export function stepped({ low, high, step }: Amount, said: string, way: 1 | -1): string {
  const value = Number(said);
  if (said.trim() === "" || !Number.isFinite(value)) return String(low);
  return String(Math.min(high, Math.max(low, Math.round(value) + way * step)));
}
