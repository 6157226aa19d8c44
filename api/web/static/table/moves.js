/** Makes controls of legal moves only from their schemas, for any game. */

/**
 * @typedef {import("./store.ts").Move} Move @typedef {import("./store.ts").Option} Option
 * @typedef {Api.Schema & {items: Api.Schema & {enum: Api.Json[]}}} Row a list of some of a few values
 */

/**
 * How a move is made: without a choice; by one value; by several values, added to given ones; by a number; by a small
 * form; put together from several parts (`names`: those chosen on the table beforehand); or as the example has it.
 * @typedef {{kind: "plain"}
 *   | {kind: "one", name: string, values: Api.Json[]}
 *   | {kind: "some", name: string, values: Api.Json[], least: number, most: number, given: Api.Values}
 *   | {kind: "number", name: string}
 *   | {kind: "form", names: string[]}
 *   | {kind: "together", names: string[]}
 *   | {kind: "example"}} Shape
 */

/** @param {Move} move @returns {Shape} */
export function shapeOf(move) {
  const asked = onlyRow(move.args);
  if (asked) return asked;
  const properties = move.args.properties ?? {}, [name, ...others] = move.args.required ?? [],
    all = Object.values(properties);
  const rows = all.filter((part) => isRich(part) || isRow(part));
  if (rows.length > 1 || rows.some(isRich) || (rows.length && all.length > 1) || (rows.length && !name)
    || others.some((one) => properties[one]?.type === "boolean")) {
    return {kind: "together", names: Object.keys(properties)
      .filter((one) => properties[one]?.enum && "x-at" in properties[one])};
  }
  if (!name) return {kind: "plain"};
  const part = /** @type {Api.Schema} */ (properties[name]);
  if (!others.every((one) => isSmall(properties[one]))) return {kind: "example"};
  if (part.enum) return {kind: "one", name, values: part.enum};
  if (others.length) return isSmall(part) ? {kind: "form", names: [name, ...others]} : {kind: "example"};
  if (part.type === "integer" && "maximum" in part) return {kind: "number", name};
  // Rows that may hold a value twice, such as decks, are not chosen card by card.
  if (part.type === "array" && part.items?.enum && part.uniqueItems) return some(name, /** @type {Row} */ (part), {});
  return {kind: "example"};
}

/** @param {string} name @param {Row} part @param {Api.Values} given @returns {Shape} */
const some = (name, part, given) =>
  ({kind: "some", name, values: part.items.enum, least: part.minItems ?? 0,
    most: Math.min(part.maxItems ?? Infinity, part.items.enum.length), given});

/**
 * Return the only list with a choice, if it is chosen on the table. All other arguments have one value, and none of
 * them is on the table, where it would begin the move.
 * @param {Api.Schema} args
 * @returns {Shape | null}
 */
function onlyRow({properties = {}, required = []}) {
  const all = Object.entries(properties), open =
    all.filter(([name, part]) => part.enum?.length !== 1 || !required.includes(name));
  const [name, part] = open[0] ?? ["", {}];
  const isAlone = open.length === 1 && all.every(([, one]) => one === part || !one["x-at"]);
  return isAlone && part["x-at"] && isRow(part) && !isRich(part)
    ? some(name, /** @type {Row} */ (part), Object.fromEntries(all.filter(([one]) => one !== name)
        .map(([one, fixed]) => [one, /** @type {[Api.Json]} */ (fixed.enum)[0]]))) : null;
}

/**
 * Return whether an argument is a list of some of a few values; a list that must be empty offers no choice.
 * @param {Api.Schema} part
 * @returns {part is Api.Schema & {items: Api.Schema}}
 */
const isRow = (part) => [part.type].flat().includes("array") && part.maxItems !== 0
  && !!(part.items?.enum || part.items?.items?.enum || pairedIn(part));

/**
 * Return whether an argument has parts of its own: groups, pairs, rows that may hold a value twice, or an object.
 * @param {Api.Schema} part
 */
const isRich = (part) => [part.type].flat().includes("object")
  || (isRow(part) && (part.items.items || pairedIn(part) || !part.uniqueItems
    || typeof part.items.enum?.[0] === "object"));

/**
 * Read the schema of a list of pairs: its two ends, and rows of first values with the last values that fit all of them;
 * null for other schemas.
 * @param {Api.Schema} part
 * @returns {{ends: [string, string], rows: [Api.Json[], Api.Json[]][]} | null}
 */
export function pairedIn({items, uniqueItems}) {
  const kinds = (items?.anyOf ?? [items ?? {}]).map(({properties = {}}) => properties), [first, last, ...more] =
    Object.keys(kinds[0] ?? {});
  if (!uniqueItems || !first || !last || more.length || !kinds[0]?.[first]?.enum) return null;
  return {ends: [first, last], rows: kinds.map((kind) => [kind[first]?.enum ?? [], kind[last]?.enum ?? []])};
}

/** Return whether an argument is chosen from a few values. @param {Api.Schema} [part] */
const isSmall = (part) => Boolean(part?.enum) || (part?.type === "integer" && "minimum" in part && "maximum" in part);

/** Return the schema of an argument. @param {Move} move @param {string} name */
export const schemaOf = ({args}, name) => /** @type {Api.Schema} */ (args.properties?.[name]);

/** @param {Move} move @returns {string} */
export const titleOf = (move) => move.args.title ?? move.name;

/**
 * Return the possible places of an argument's value on the table.
 * @param {Api.Schema} part
 * @param {Api.Json} value
 * @returns {string[]}
 */
export function placesOf(part, value) {
  const at = part["x-at"] ?? [];
  if (typeof at === "string") return [at.endsWith("/spots") ? `${at}/${value}` : `${at}:${value}`];
  return typeof value === "string" ? at.map((one) => `${one}:${value}`)
    : at.slice(/** @type {number} */ (value), /** @type {number} */ (value) + 1);
}

/**
 * Return everything that can be pressed on the table: by place, the moves that begin with it; and the cards to choose.
 * @param {Move[]} moves
 */
export function onTable(moves) {
  const pressed = /** @type {Map<string, Option[]>} */ (new Map());
  const chosen = /** @type {Map<string, {value: string, most: number}>} */ (new Map());
  const others = moves.filter((move) => {
    const shape = shapeOf(move), at = move.args["x-at"];
    if (shape.kind === "plain" && at) {
      put(pressed, /** @type {string} */ (at), optionOf(move, {}));
      return false;
    }
    if (shape.kind === "one" || shape.kind === "some") {
      const part = schemaOf(move, shape.name);
      if (!("x-at" in part)) return true;
      for (const value of shape.values) for (const place of placesOf(part, value)) {
        if (shape.kind === "some") chosen.set(place, {value: /** @type {string} */ (value), most: shape.most});
        else put(pressed, place, optionOf(move, {[shape.name]: value}));
      }
      return shape.kind === "some";
    }
    if (shape.kind === "together") for (const name of shape.names) {
      const part = schemaOf(move, name);
      for (const value of /** @type {Api.Json[]} */ (part.enum)) for (const place of placesOf(part, value))
        put(pressed, place, optionOf(move, {[name]: value}));
    }
    return true;
  });
  return {pressed, chosen, others};
}

/** @param {Move} move @param {Api.Values} args @returns {Option} */
export const optionOf = (move, args) => ({label: titleOf(move), title: titleOf(move), move: move.name, args});

/** @param {Map<string, Option[]>} map @param {string} place @param {Option} option */
const put = (map, place, option) => { map.set(place, [...(map.get(place) ?? []), option]); };

/** Return whether a move has an argument with few values. @param {Move} move */
export const isOpen = ({args}) => Object.values(args.properties ?? {}).some((part) => part.enum);
