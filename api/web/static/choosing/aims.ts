/**
 * Holds choices made by one press on the table: targets, cards that are given up, cards that pay. Runs without a
 * browser, for any game.
 */

import { placesOf } from "../table/moves.js";
import { type Draft, type Part, put, rowIn, same } from "./parts.ts";

/** A value of a part. */
export interface Aim {
  part: Part;
  value: Api.Json;
}

/** Return the name of the end of a part's values that is on the table: "" for the value itself, null for none. */
export const endOf = ({ kind, schema }: Pick<Part, "kind" | "schema">): string | null => {
  if (kind !== "some" || "x-at" in schema) return kind === "some" ? "" : null;
  const ends = Object.entries(schema.items?.properties ?? {}).filter(([, end]) => "x-at" in end);
  return ends.length === 1 ? (ends[0]?.[0] ?? null) : null;
};

/** Return the end of a value that is on the table. */
const thingOf = ({ part, value }: Aim): Api.Json => (value as Api.Values)[endOf(part) ?? ""] ?? value;

/** Return the places in which a value may be. */
export const placesOfAim = (aim: Aim): string[] =>
  placesOf(aim.part.schema.items?.properties?.[endOf(aim.part) ?? ""] ?? aim.part.schema, thingOf(aim));

/** Return all values of parts by what is on the table: a thing may be a target, and may pay. */
export function aimsAt(parts: readonly Part[]): Aim[][] {
  const things = new Map<Api.Json, Aim[]>();
  for (const part of parts)
    for (const value of part.values) {
      const thing = thingOf({ part, value });
      things.set(thing, [...(things.get(thing) ?? []), { part, value }]);
    }
  return [...things.values()];
}

/** Return whether there is a thing for each value that must be chosen: each thing can be chosen once. */
export const suffices = (parts: readonly Part[]): boolean =>
  aimsAt(parts).length >= parts.reduce((sum, { least }) => sum + least, 0);

export const isChosen = (draft: Draft, { part, value }: Aim): boolean =>
  rowIn(draft, part).some((one) => same(one, value));

/** Return whether no more of a part may be chosen. */
export const isFull = (draft: Draft, part: Part): boolean => rowIn(draft, part).length >= part.most;

/**
 * Return what a press of a thing chooses: the first aim that has room, then the next, and then none. If nothing has
 * room, the first aim replaces another choice.
 */
export function next(draft: Draft, aims: readonly Aim[]): Aim | undefined {
  const at = aims.findIndex((aim) => isChosen(draft, aim));
  return (
    aims.find(({ part }, i) => i > at && (!isFull(draft, part) || part === aims[at]?.part)) ??
    (at < 0 ? aims[0] : undefined)
  );
}

/** Press a thing. */
export function aimed(draft: Draft, aims: readonly Aim[]): Draft {
  const was = aims.find((aim) => isChosen(draft, aim));
  const now = next(draft, aims);
  const without = was
    ? put(
        draft,
        was.part,
        rowIn(draft, was.part).filter((one) => !same(one, was.value)),
      )
    : draft;
  return now ? put(without, now.part, [...rowIn(without, now.part), now.value].slice(-now.part.most)) : without;
}

/** Take back the last press: what is held, or else the last choice of a part; null if there was none. */
export function takenBack(draft: Draft, parts: readonly Part[], asProposed: Draft): Draft | null {
  if (draft.held) return { ...draft, held: null };
  const part = [...parts]
    .reverse()
    .find((one) => rowIn(draft, one).length && !same(rowIn(draft, one), rowIn(asProposed, one)));
  return part ? put(draft, part, rowIn(draft, part).slice(0, -1)) : null;
}
