/** Holds a move of several parts that is being put together. Nothing here knows a browser, or a game. */

import {pairedIn} from "../table/moves.js";
import {says} from "../words/choosing.js";

/** @typedef {import("../table/store.js").Move} Move */

/**
 * @typedef {object} Part an argument, or one inside another
 * @property {string[]} path the names that lead to it
 * @property {string} title
 * @property {"one" | "some" | "groups" | "rows" | "pairs" | "number" | "yes"} kind
 * @property {Api.Json[]} values
 * @property {number} least
 * @property {number} most
 * @property {boolean} isNeeded
 * @property {Api.Schema} schema
 */

/**
 * @typedef {object} Draft
 * @property {Api.Values} fixed arguments that have been chosen already, as on the table
 * @property {Api.Values} said what is chosen of each part, by its path
 * @property {number} at the group that takes what is pressed
 * @property {import("./pairs.js").End | null} [held] one end of a pair, for which the other is still to be pressed
 * @property {string} [title] the title of the move, where it was begun on the table
 */

/** @param {Part} part */
export const keyOf = ({path}) => path.join(".");

/** @param {Api.Schema | undefined} schema @param {string} type */
const is = (schema, type) => [schema?.type].flat().includes(type);

/**
 * Give the parts of a move, those inside others too; what nobody can choose, such as a list that must be empty, is
 * none.
 * @param {Move} move
 * @param {Api.Values} [fixed]
 */
export const partsOf = ({args}, fixed = {}) => inside(args, [])
  .filter(({path}) => !(path.length === 1 && (path[0] ?? "") in fixed))
  .map((part) => {
    const other = part.schema["x-other"];
    return other === undefined ? part : {...part, values: part.values.filter((value) => value !== fixed[other])};
  });

/** Name the arguments of which a move has none to choose: lists that must be empty. @param {Move} move */
export const barred = ({args}) => Object.entries(args.properties ?? {}).filter(([, part]) => part.maxItems === 0)
  .map(([name, part]) => String(part.title ?? name));

/**
 * Say whether one press chooses a pair, as with what pays: only one end of it lies on the table.
 * @param {Api.Schema} part
 */
const hasOneEnd = ({items}) =>
  Object.values(items?.properties ?? {}).filter((end) => "x-at" in end).length === 1;

/** Give all pairs of a list of pairs; undefined if it is no such list. @param {Api.Schema} part */
function pairsOf(part) {
  const paired = pairedIn(part);
  if (!paired) return undefined;
  const {ends: [first, last], rows} = paired;
  return rows.flatMap(([these, those]) =>
    these.flatMap((one) => those.map((other) => ({[first]: one, [last]: other}))));
}

/** @param {Api.Schema} schema @param {string[]} path @returns {Part[]} */
function inside(schema, path) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const known = {path: [...path, name], title: part.title ?? name.replaceAll("_", " "),
      isNeeded: (schema.required ?? []).includes(name), schema: part,
      values: [], least: part.minItems ?? part.minimum ?? 0, most: part.maxItems ?? part.maximum ?? Infinity};
    const pairs = pairsOf(part);
    /** @type {Partial<Record<Part["kind"], Api.Json[]>>} */
    const kinds = {groups: part.items?.items?.enum, pairs: hasOneEnd(part) ? undefined : pairs,
      [part.uniqueItems ? "some" : "rows"]: part.items?.enum ?? pairs, one: part.enum};
    if (is(part, "object")) return inside(part, known.path);
    if (is(part, "boolean")) return [{...known, kind: /** @type {const} */ ("yes")}];
    if (is(part, "integer") && !part.enum) return [{...known, kind: /** @type {const} */ ("number")}];
    const found = /** @type {Part["kind"][]} */ (Object.keys(kinds)).find((kind) => kinds[kind]);
    return found && known.most > 0
      ? [{...known, kind: found, values: (kinds[found] ?? []).filter((value) => value !== null)}] : [];
  });
}

/** @param {Api.Values} args @param {string[]} path */
const valueAt = (args, path) => path.reduce((there, name) => /** @type {Api.Values | undefined} */ (there)?.[name],
  /** @type {Api.Json | undefined} */ (args));

/**
 * Begin with what the server proposes for what has been chosen already, else with its example.
 * @param {Move} move
 * @param {Api.Values} fixed
 * @returns {Draft}
 */
export function fresh(move, fixed) {
  const fits = (/** @type {Api.Values} */ args) => Object.entries(fixed).every(([name, value]) => args[name] === value);
  const proposed = [...(move.args["x-proposals"] ?? []), move.example.args].find(fits) ?? {};
  return {fixed, at: 0, held: null, said: Object.fromEntries(partsOf(move, fixed)
      .map((part) => [keyOf(part), isAim(part) ? [] : valueAt(proposed, part.path) ?? empty(part)]))};
}

/** Say whether a part is what something is aimed at: no example is a proposal for that. @param {Part} part */
const isAim = ({kind, schema, values, least}) => kind === "some" && "x-at" in schema && values.length > least;

/** @param {Part} part @returns {Api.Json} */
function empty({kind, isNeeded, values, least}) {
  if (kind === "one") return isNeeded ? values[0] ?? null : null;
  return kind === "yes" ? false : kind === "number" ? isNeeded ? String(least) : "" : [];
}

/** @param {Draft} draft @param {Part} part @param {Api.Json} value @returns {Draft} */
export const put = (draft, part, value) => ({...draft, said: {...draft.said, [keyOf(part)]: value}});

/** Give what is chosen of a part of which several may be. @param {Draft} draft @param {Part} part */
export const rowIn = (draft, part) => /** @type {Api.Json[]} */ (draft.said[keyOf(part)]);

/** Give the groups that are put together. @param {Draft} draft @param {Part} part */
export const groupsIn = (draft, part) => /** @type {Api.Json[][]} */ (draft.said[keyOf(part)]);

/** Compare values of JSON. @param {unknown} a @param {unknown} b */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Put values in the order in which they lie on the table, after those that lie nowhere.
 * @param {Api.Json[]} values @param {Api.Scene | null} scene
 */
export function asTheyLie(values, scene) {
  const ids = Object.values(scene?.zones ?? {}).flatMap(({spots}) => spots.map(({id}) => /** @type {Api.Json} */ (id)));
  return [...values].sort((a, b) => ids.indexOf(a) - ids.indexOf(b));
}

/** Part a row of names where another first word begins. @param {Api.Json[]} values @returns {Api.Json[][]} */
export function runsOf(values) {
  const first = (/** @type {Api.Json | undefined} */ value) => /^[a-z]+(?=[ _])/.exec(String(value))?.[0];
  /** @type {(runs: Api.Json[][], value: Api.Json, i: number) => Api.Json[][]} */
  const add = (runs, value, i) => i && first(value) === first(values[i - 1])
    ? [...runs.slice(0, -1), [...runs.at(-1) ?? [], value]] : [...runs, [value]];
  return values.reduce(add, []);
}

/** Choose a value, or no longer. @param {Api.Json[]} held @param {Api.Json} value */
export const toggled = (held, value) => held.some((one) => same(one, value)) ? held.filter((one) => !same(one, value))
  : [...held, value];

/**
 * Take a value out of its group, or put it into the one that takes what is pressed.
 * @param {Api.Json[][]} groups
 * @param {Api.Json} value
 * @param {number} at
 * @returns {Api.Json[][]}
 */
export function regrouped(groups, value, at) {
  if (groups.some((group) => group.includes(value))) return groups.map((group) => group.filter((one) => one !== value));
  return groups.length ? groups.map((group, i) => i === at ? [...group, value] : group) : [[value]];
}

/**
 * Move one copy of a value from one row to the other; of what is free there are always more.
 * @param {Api.Json[]} from
 * @param {Api.Json[]} to
 * @param {Api.Json} value
 * @param {boolean} isFree
 * @returns {[Api.Json[], Api.Json[]]}
 */
export function moved(from, to, value, isFree) {
  const i = from.indexOf(value);
  return [from.filter((_, n) => n !== i), isFree && i >= 0 ? to : [...to, value].sort()];
}

/**
 * Count the copies of each value, in the order of the schema.
 * @param {Api.Json[]} row
 * @param {Api.Json[]} values
 * @returns {[Api.Json, number][]}
 */
export const counted = (row, values) =>
  values.map((value) => /** @type {[Api.Json, number]} */ ([value, row.filter((one) => one === value).length]));

/** Give the arguments of a move as it is put together. @param {Move} move @param {Draft} draft */
export function argsOf(move, draft) {
  const args = structuredClone(draft.fixed);
  for (const part of partsOf(move, draft.fixed)) {
    const value = sent(part, draft.said[keyOf(part)]);
    if (value === undefined) continue;
    const last = part.path.at(-1) ?? "";
    part.path.slice(0, -1).reduce((there, name) => /** @type {Api.Values} */ (there[name] ??= {}), args)[last] = value;
  }
  for (const name of move.args.required ?? []) if (!(name in args) && is(move.args.properties?.[name], "object"))
    args[name] = {};
  return args;
}

/**
 * Give what is sent of a part; what may be left out and is not chosen is.
 * @param {Part} part
 * @param {Api.Json | undefined} value
 */
function sent(part, value) {
  if (part.kind === "groups") {
    const groups = /** @type {Api.Json[][]} */ (value).filter((group) => group.length);
    return groups.length < part.least ? undefined : groups;
  }
  if (part.kind === "number") return String(value).trim() === "" ? undefined : Number(value);
  return value === null || (Array.isArray(value) && !part.isNeeded && value.length < part.least) ? undefined : value;
}

/**
 * Say what is still to be chosen; the rules beyond are the server's.
 * @param {Move} move
 * @param {Draft} draft
 * @returns {string[]}
 */
export function lacking(move, draft) {
  return partsOf(move, draft.fixed).flatMap((part) => {
    const value = draft.said[keyOf(part)], {title, least, most} = part;
    if (part.kind === "groups") {
      const fewest = part.schema.items?.minItems ?? 0;
      const small = groupsIn(draft, part).filter((group) => group.length && group.length < fewest).length;
      return small ? [says.eachHas(title, fewest)] : [];
    }
    if (part.kind === "number") return value === "" && !part.isNeeded
      ? [] : Number.isInteger(Number(value)) && value !== "" && Number(value) >= least && Number(value) <= most
      ? [] : [says.aNumber(title, least, most)];
    if (!Array.isArray(value)) return [];
    if (value.length > most) return [says.atMost(title, most)];
    return value.length < least && (part.isNeeded || value.length) ? [says.many(title, least, most)] : [];
  });
}
