/**
 * Holds pairs that are chosen by pressing one end and then the other: who blocks whom, which card goes to which meld.
 * Runs without a browser, for any game.
 */

import { pairedIn, placesOf } from "../table/moves.js";
import { endOf, placesOfAim } from "./aims.ts";
import { type Draft, groupsIn, keyOf, type Part, put } from "./parts.ts";

/** One end of a pair: its part, the name of the end, and the value. */
export interface End {
  part: string;
  key: string;
  value: Api.Json;
}

/** Return the names of the two ends of pairs. */
export const endsOf = ({ schema }: Part): [string, string] => pairedIn(schema)?.ends as [string, string];

const rowsOf = ({ schema }: Part) => pairedIn(schema)?.rows ?? [];

/** Return the schema of an end, with a title. */
export const schemaOf = ({ schema: { items } }: Part, key: string): Api.Schema & { title: string } => ({
  title: key,
  ...items?.properties?.[key],
});

/** Return the values that may be at an end, each once. */
export const valuesAt = (part: Part, key: string): Api.Json[] => [
  ...new Set(rowsOf(part).flatMap((row) => row[endsOf(part).indexOf(key)] ?? [])),
];

/** Return whether a part is chosen on the table: all its values can be seen there, and are pressed for nothing else. */
export function liesThere(
  part: Part,
  { scene, pressed: others }: { scene: Api.Scene; pressed: Map<string, unknown> },
): boolean {
  const all =
    part.kind === "pairs"
      ? endsOf(part).flatMap((key) => valuesAt(part, key).map((value) => placesOf(schemaOf(part, key), value)))
      : endOf(part) === null
        ? [[]]
        : part.values.map((value) => placesOfAim({ part, value }));
  const seen = placesIn(scene);
  return all.every((places) => {
    const found = places.filter((place) => seen.has(place));
    return found.length > 0 && !found.some((place) => others.has(place));
  });
}

/** Return whether a pile can be opened: its cards have names, and each has an id. */
const opens = (spots: readonly Api.SceneSpot[]): boolean =>
  Boolean(spots[0]?.id) && spots.some(({ card }) => card && card.length > 3);

/** Return the places of a scene; of a closed pile only the top can be seen. */
const placesIn = (scene: Api.Scene): Set<string> =>
  new Set([
    ...(scene?.seats ?? []).map(({ seat }) => `/seats:${seat}`),
    ...Object.entries(scene?.zones ?? {}).flatMap(([id, { layout, spots }]) => [
      `/zones/${id}`,
      ...spots
        .slice(layout === "pile" && !opens(spots) ? -1 : 0)
        .flatMap((spot) => [spot.card, spot.id].map((one) => `/zones/${id}:${one}`)),
    ]),
  ]);

/** Return the chosen pairs. */
export const pairsIn = (draft: Draft, part: Part): Api.Values[] => draft.said[keyOf(part)] as Api.Values[];

export const isHeld = ({ held }: Draft, part: Part, key: string, value: Api.Json): boolean =>
  held?.part === keyOf(part) && held.key === key && held.value === value;

/** Return the pair that the held end makes with this one; undefined if they do not fit. */
export function fitting({ held }: Draft, part: Part, key: string, value: Api.Json): Api.Values | undefined {
  if (held?.part !== keyOf(part) || held.key === key) return undefined;
  const [first, last] = endsOf(part),
    [one, other] = key === first ? [value, held.value] : [held.value, value];
  return rowsOf(part).some(([these, those]) => these.includes(one) && those.includes(other))
    ? { [first]: one, [last]: other }
    : undefined;
}

/** Return the pairs that may still be made, with the held end if there is one. */
export function possible(draft: Draft, part: Part): Api.Values[] {
  const made = new Set(pairsIn(draft, part).map((pair) => JSON.stringify(pair)));
  return (part.values as Api.Values[]).filter(
    (pair) =>
      !made.has(JSON.stringify(pair)) &&
      (draft.held?.part !== keyOf(part) || pair[draft.held.key] === draft.held.value),
  );
}

/** Press one end: a held end is put down, a fitting end makes a pair, and any other leaves its pairs and is held. */
export function pressed(draft: Draft, part: Part, key: string, value: Api.Json): Draft {
  if (isHeld(draft, part, key, value)) return { ...draft, held: null };
  const pairs = pairsIn(draft, part),
    pair = fitting(draft, part, key, value),
    [first] = endsOf(part);
  if (!pair)
    return {
      ...put(
        draft,
        part,
        pairs.filter((one) => one[key] !== value),
      ),
      held: { part: keyOf(part), key, value },
    };
  const others = isOnce(part) ? pairs.filter((one) => one[first] !== pair[first]) : pairs;
  return { ...put(draft, part, [...others, pair]), held: null };
}

/** Return whether no value is the first of two pairs, because no more may be chosen. */
const isOnce = (part: Part): boolean => part.most <= valuesAt(part, endsOf(part)[0]).length;

/** Take a value out of all parts but one: a card that is laid off is in no group, and the other way round. */
export function alone(draft: Draft, parts: readonly Part[], part: Part, value: Api.Json): Draft {
  return parts
    .filter((one) => keyOf(one) !== keyOf(part))
    .reduce((now, other) => {
      if (other.kind === "groups")
        return put(
          now,
          other,
          groupsIn(now, other).map((group) => group.filter((one) => one !== value)),
        );
      return other.kind === "pairs"
        ? put(
            now,
            other,
            pairsIn(now, other).filter((pair) => !Object.values(pair).includes(value)),
          )
        : now;
    }, draft);
}
