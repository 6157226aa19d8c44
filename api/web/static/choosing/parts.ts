/** Holds a move of several parts that is being put together. Runs without a browser, for any game. */

import { pairedIn } from "../table/moves.js";
import type { Move } from "../table/store.ts";
import { says } from "../words/choosing.js";
import type { End } from "./pairs.ts";

/** An argument, or an argument inside another. */
export interface Part {
  /** The path of names that leads to it. */
  path: string[];
  title: string;
  kind: "one" | "some" | "groups" | "rows" | "pairs" | "number" | "yes";
  values: Api.Json[];
  least: number;
  most: number;
  isNeeded: boolean;
  schema: Api.Schema;
}

export interface Draft {
  /** The arguments that were chosen before, for example on the table. */
  fixed: Api.Values;
  /** What is chosen of each part, by its path. */
  said: Api.Values;
  /** The group that takes what is pressed. */
  at: number;
  /** One end of a pair whose other end is not pressed yet. */
  held?: End | null;
  /** The title of the move, if it was begun on the table. */
  title?: string;
}

export const keyOf = ({ path }: Pick<Part, "path">): string => path.join(".");

const is = (schema: Api.Schema | undefined, type: string): boolean => [schema?.type].flat().includes(type);

/** Return the parts of a move, including those inside others. A list that must be empty is none: it has no choice. */
export const partsOf = ({ args }: Pick<Move, "args">, fixed: Api.Values = {}): Part[] =>
  inside(args, [])
    .filter(({ path }) => !(path.length === 1 && (path[0] ?? "") in fixed))
    .map((part) => {
      const other = part.schema["x-other"];
      return other === undefined ? part : { ...part, values: part.values.filter((value) => value !== fixed[other]) };
    });

/** Return the titles of arguments without a choice: lists that must be empty. */
export const barred = ({ args }: Move): string[] =>
  Object.entries(args.properties ?? {})
    .filter(([, part]) => part.maxItems === 0)
    .map(([name, part]) => String(part.title ?? name));

/** Return whether one press chooses a pair, as in payments: only one of its ends is on the table. */
const hasOneEnd = ({ items }: Api.Schema): boolean =>
  Object.values(items?.properties ?? {}).filter((end) => "x-at" in end).length === 1;

/** Return all pairs of a list of pairs; undefined if it is no such list. */
function pairsOf(part: Api.Schema): Api.Json[] | undefined {
  const paired = pairedIn(part);
  if (!paired) return undefined;
  const {
    ends: [first, last],
    rows,
  } = paired;
  return rows.flatMap(([these, those]) =>
    these.flatMap((one) => those.map((other) => ({ [first]: one, [last]: other }))),
  );
}

/** Return the parts of a schema. */
function inside(schema: Api.Schema, path: string[]): Part[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const known = {
      path: [...path, name],
      title: part.title ?? name.replaceAll("_", " "),
      isNeeded: (schema.required ?? []).includes(name),
      schema: part,
      values: [],
      least: part.minItems ?? part.minimum ?? 0,
      most: part.maxItems ?? part.maximum ?? Infinity,
    };
    const pairs = pairsOf(part);
    const kinds: Partial<Record<Part["kind"], Api.Json[] | undefined>> = {
      groups: part.items?.items?.enum,
      pairs: hasOneEnd(part) ? undefined : pairs,
      [part.uniqueItems ? "some" : "rows"]: part.items?.enum ?? pairs,
      one: part.enum,
    };
    if (is(part, "object")) return inside(part, known.path);
    if (is(part, "boolean")) return [{ ...known, kind: "yes" as const }];
    if (is(part, "integer") && !part.enum) return [{ ...known, kind: "number" as const }];
    const found = (Object.keys(kinds) as Part["kind"][]).find((kind) => kinds[kind]);
    return found && known.most > 0
      ? [{ ...known, kind: found, values: (kinds[found] ?? []).filter((value) => value !== null) }]
      : [];
  });
}

const valueAt = (args: Api.Values, path: string[]): Api.Json | undefined =>
  path.reduce<Api.Json | undefined>((there, name) => (there as Api.Values | undefined)?.[name], args);

/** Begin with a proposal of the server that has the arguments chosen before, or else with its example. */
export function fresh(move: Move, fixed: Api.Values): Draft {
  const fits = (args: Api.Values) => Object.entries(fixed).every(([name, value]) => args[name] === value);
  const proposed = [...(move.args["x-proposals"] ?? []), move.example.args].find(fits) ?? {};
  return {
    fixed,
    at: 0,
    held: null,
    said: Object.fromEntries(
      partsOf(move, fixed).map((part) => [
        keyOf(part),
        isAim(part) ? [] : (valueAt(proposed, part.path) ?? empty(part)),
      ]),
    ),
  };
}

/** Return whether a part holds targets: an example is no proposal for these. */
const isAim = ({ kind, schema, values, least }: Part): boolean =>
  kind === "some" && "x-at" in schema && values.length > least;

function empty({ kind, isNeeded, values, least }: Part): Api.Json {
  if (kind === "one") return isNeeded ? (values[0] ?? null) : null;
  return kind === "yes" ? false : kind === "number" ? (isNeeded ? String(least) : "") : [];
}

/** Choose a value of a part. */
export const put = (draft: Draft, part: Part, value: Api.Json): Draft => ({
  ...draft,
  said: { ...draft.said, [keyOf(part)]: value },
});

/** Return the chosen values of a part that may have several. */
export const rowIn = (draft: Draft, part: Part): Api.Json[] => draft.said[keyOf(part)] as Api.Json[];

/** Return the chosen groups. */
export const groupsIn = (draft: Draft, part: Part): Api.Json[][] => draft.said[keyOf(part)] as Api.Json[][];

/** Compare values of JSON. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Sort values as they lie on the table, after those that are not there. */
export function asTheyLie(values: Api.Json[], scene: Api.Scene | null): Api.Json[] {
  const ids = Object.values(scene?.zones ?? {}).flatMap(({ spots }) => spots.map(({ id }): Api.Json => id));
  return [...values].sort((a, b) => ids.indexOf(a) - ids.indexOf(b));
}

/** Split a row of names where another first word begins. */
export function runsOf(values: Api.Json[]): Api.Json[][] {
  const first = (value: Api.Json | undefined) => /^[a-z]+(?=[ _])/.exec(String(value))?.[0];
  const add = (runs: Api.Json[][], value: Api.Json, i: number): Api.Json[][] =>
    i && first(value) === first(values[i - 1])
      ? [...runs.slice(0, -1), [...(runs.at(-1) ?? []), value]]
      : [...runs, [value]];
  return values.reduce<Api.Json[][]>(add, []);
}

/** Choose a value, or put it back. */
export const toggled = (held: Api.Json[], value: Api.Json): Api.Json[] =>
  held.some((one) => same(one, value)) ? held.filter((one) => !same(one, value)) : [...held, value];

/** Take a value out of its group, or put it into the group with this number. */
export function regrouped(groups: Api.Json[][], value: Api.Json, at: number): Api.Json[][] {
  if (groups.some((group) => group.includes(value))) return groups.map((group) => group.filter((one) => one !== value));
  return groups.length ? groups.map((group, i) => (i === at ? [...group, value] : group)) : [[value]];
}

/** Move one copy of a value from one row to the other. There are always more copies of a free value. */
export function moved(from: Api.Json[], to: Api.Json[], value: Api.Json, isFree: boolean): [Api.Json[], Api.Json[]] {
  const i = from.indexOf(value);
  return [from.filter((_, n) => n !== i), isFree && i >= 0 ? to : [...to, value].sort()];
}

/** Count the copies of each value, in the order of the schema. */
export const counted = (row: Api.Json[], values: Api.Json[]): [Api.Json, number][] =>
  values.map((value) => [value, row.filter((one) => one === value).length]);

/** Return the arguments of a move as far as it is put together. */
export function argsOf(move: Move, draft: Draft): Api.Values {
  const args = structuredClone(draft.fixed);
  for (const part of partsOf(move, draft.fixed)) {
    const value = sent(part, draft.said[keyOf(part)]);
    if (value === undefined) continue;
    const last = part.path.at(-1) ?? "";
    let holder = args;
    for (const name of part.path.slice(0, -1)) {
      holder[name] ??= {};
      holder = holder[name] as Api.Values;
    }
    holder[last] = value;
  }
  for (const name of move.args.required ?? [])
    if (!(name in args) && is(move.args.properties?.[name], "object")) args[name] = {};
  return args;
}

/** Return what is sent of a part; undefined if it is not chosen and may be left out. */
function sent(part: Part, value: Api.Json | undefined): Api.Json | undefined {
  if (part.kind === "groups") {
    const groups = (value as Api.Json[][]).filter((group) => group.length);
    return groups.length < part.least ? undefined : groups;
  }
  if (part.kind === "number") return String(value).trim() === "" ? undefined : Number(value);
  return value === null || (Array.isArray(value) && !part.isNeeded && value.length < part.least) ? undefined : value;
}

/** Say what is still to be chosen; the server checks all other rules. */
export function lacking(move: Move, draft: Draft): string[] {
  return partsOf(move, draft.fixed).flatMap((part) => {
    const value = draft.said[keyOf(part)],
      { title, least, most } = part;
    if (part.kind === "groups") {
      const fewest = part.schema.items?.minItems ?? 0;
      const small = groupsIn(draft, part).filter((group) => group.length && group.length < fewest).length;
      return small ? [says.eachHas(title, fewest)] : [];
    }
    if (part.kind === "number")
      return value === "" && !part.isNeeded
        ? []
        : Number.isInteger(Number(value)) && value !== "" && Number(value) >= least && Number(value) <= most
          ? []
          : [says.aNumber(title, least, most)];
    if (!Array.isArray(value)) return [];
    if (value.length > most) return [says.atMost(title, most)];
    return value.length < least && (part.isNeeded || value.length) ? [says.many(title, least, most)] : [];
  });
}
