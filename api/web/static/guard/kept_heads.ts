/** Keeps the newest head of each match that this browser has shown. */

import { keep, keptValue } from "../kept.ts";
import { root } from "../table/app.js";
import type { KeptHead } from "./match_watch.ts";

const NAME = `dealt.heads ${root}/`,
  MOST = 100;

/** A head, and a digest of the token whose player had a seat then; null for a spectator. */
export type Head = KeptHead & { reader: string | null };

/** Return the heads by match, the one kept last at the end. */
const heads = (): Record<string, Head> => keptValue(NAME) ?? {};

/** Return the kept head of a match; null if there is none. */
export const headOf = (id: string): Head | null => heads()[id] ?? null;

/** Keep the head of a match, or remove it; of more than the latest matches, the oldest is removed. */
export function keepHead(id: string, head: Head | null): void {
  const { [id]: _, ...others } = heads(),
    latest = Object.entries(others).slice(1 - MOST);
  keep("localStorage", NAME, JSON.stringify({ ...Object.fromEntries(latest), ...(head && { [id]: head }) }));
}
