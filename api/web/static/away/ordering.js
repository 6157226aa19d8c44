/**
 * Holds a draft of standing orders as fields, and makes the document from them. Runs without a browser, for any game.
 */

import {says} from "../words/away.js";

/**
 * @typedef {{name: string, title: string, kind: "choice" | "number" | "list" | "text", values: string[],
 *   isNeeded: boolean}} Field
 * @typedef {{key: string, move: string, label: string, at: "" | "args", fields: Field[]}} Way a kind of move that an
 *   order can name
 * @typedef {{fact: string, ways: string[], field: Field}} Fact
 * @typedef {{facts: Fact[], moves: Way[]}} Language what the orders of a game can express
 * @typedef {{fact: string, way: string, said: string}} Condition
 * @typedef {{key: string, said: Record<string, string>}} Action
 * @typedef {{conditions: Condition[], actions: Action[], kept: Api.Order | null}} Order parts that no field can show
 *   are kept as they are
 * @typedef {{isForced: boolean, orders: Order[]}} Draft
 */

/** @param {string} name @param {Api.Schema} schema @param {boolean} isNeeded @returns {Field} */
function fieldOf(name, schema, isNeeded) {
  const one = schema.anyOf?.[0] ?? schema;
  const kind = one.enum ? "choice" : one.type === "integer" ? "number" : one.type === "array" ? "list" : "text";
  return {name, title: titleOf(name, schema), kind, values: (one.enum ?? []).map(String), isNeeded};
}

/**
 * @param {Pick<Api.Schema, "properties" | "required"> | undefined} schema
 * @param {boolean} isArgs
 * @returns {Field[]}
 */
const fieldsOf = (schema, isArgs) => Object.entries(schema?.properties ?? {})
  .filter(([name]) => isArgs || (name !== "move" && name !== "args"))
  .map(([name, part]) => fieldOf(name, part, (schema?.required ?? []).includes(name)));

/** Write a name as words. @param {string} name */
export const words = (name) => name.replaceAll("_", " ");

/**
 * Return the title of a part of a schema, or else its name in words.
 * @param {string} name @param {{title?: string}} schema @returns {string}
 */
const titleOf = (name, {title}) => title ?? words(name);

/**
 * Read from the schema of a game's orders what they can express.
 * @param {Api.OrdersSchema} schema @returns {Language}
 */
export function languageOf(schema) {
  const order = schema.properties.orders.items.properties;
  const facts = Object.entries(order.if.properties ?? {}).map(([fact, part]) => part.properties?.all
    ? {fact, ways: ["all", "none"], field: fieldOf(fact, {...part.properties.all, title: part.title}, true)}
    : {fact, ways: part.anyOf?.[0]?.type === "integer" ? ["is", "min", "max"] : ["is"],
      field: fieldOf(fact, part, true)});
  const moves = order.do.items.anyOf.map((way, i) => {
    const move = way.properties.move.const, title = titleOf(move, way), isArgs = Boolean(way.properties.args);
    const fields = isArgs ? fieldsOf(way.properties.args, true) : fieldsOf(way, false);
    return {key: String(i), move, at: /** @type {Way["at"]} */ (isArgs ? "args" : ""), fields,
      label: isArgs ? says.these(title) : fields.length ? says.chosen(title) : title};
  });
  return {facts, moves: moves.filter(({at, fields}) =>
      !at || fields.some(({isNeeded}) => isNeeded))};
}

/**
 * Read the value of a field; an empty field has none.
 * @param {Field} field
 * @param {string} said
 * @returns {Api.Json | undefined}
 */
function read({kind}, said) {
  const text = said.trim();
  if (!text) return undefined;
  if (kind === "list") return text.split(/[\s,]+/);
  return kind === "number" && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** @param {Condition} condition @param {Fact} fact */
function demand({way, said}, {field}) {
  const value = read(field, said) ?? said;
  return way === "is" ? value : {[way]: value};
}

/** Make the document of the orders. @param {Draft} draft @param {Language} language @returns {Api.Orders} */
export function documentOf({isForced, orders}, {facts, moves}) {
  return {auto_play_forced: isForced, orders: orders.map(({conditions, actions, kept}) => {
    if (kept) return kept;
    /** @type {Api.Values} */
    const asked = {};
    for (const one of conditions) {
      const fact = facts.find((each) => each.fact === one.fact), value = fact && demand(one, fact);
      const both = typeof value === "object" && typeof asked[one.fact] === "object";
      if (fact) asked[one.fact] = both ? Object.assign({}, asked[one.fact], value) : value ?? null;
    }
    const made = actions.map(({key, said}) => {
      const way = moves.find((one) => one.key === key);
      const values = Object.fromEntries((way?.fields ?? []).flatMap((field) => {
        const value = read(field, said[field.name] ?? "");
        return value === undefined ? [] : [[field.name, value]];
      }));
      return {move: way?.move ?? "", ...(way?.at ? {args: values} : values)};
    });
    return {...(conditions.length ? {if: asked} : {}), do: made};
  })};
}

/**
 * Read a document into fields; parts that no field can show are kept as they are.
 * @param {Partial<Api.Orders> | undefined} given
 * @param {Language} language
 * @returns {Draft}
 */
export function draftOf(given, language) {
  const draft = {isForced: given?.auto_play_forced ?? false,
    orders: (given?.orders ?? []).map((order) => orderOf(order, language))};
  return draft;
}

/** @param {Api.Order} order @param {Language} language @returns {Order} */
function orderOf(order, language) {
  const conditions = Object.entries(order.if ?? {})
    .flatMap(([fact, value]) => value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).map(([bound, one]) => ({fact, way: bound, said: [one].flat().join(" ")}))
    : [{fact, way: "is", said: [value].flat().join(" ")}]);
  const actions = order.do.map((action) => {
    const {move, args, ...chosen} = action;
    const way = language.moves.find((one) => one.move === move && Boolean(one.at) === Boolean(args)
      && (args !== undefined || Boolean(one.fields.length) === Boolean(Object.keys(chosen).length)));
    return {key: way?.key ?? "",
      said: Object.fromEntries(Object.entries(args ?? chosen)
        .map(([name, value]) => [name, [value].flat().join(" ")]))};
  });
  const shown = {conditions, actions, kept: null};
  const again = documentOf({isForced: false, orders: [shown]}, language).orders[0];
  return sorted(again) === sorted(order) ? shown : {conditions: [], actions: [], kept: order};
}

/** Write JSON with its names in a fixed order. @param {unknown} value @returns {string} */
const sorted = (value) => JSON.stringify(value,
  (_, one) => one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort())
  : one);

/**
 * Return the move that a new order begins with: preferably a legal one, and one without cards to type.
 * @param {Way[]} moves @param {{name: string}[]} offered
 */
export function likely(moves, offered) {
  const now = moves.filter(({move}) => offered.some(({name}) => name === move)), among = now.length ? now : moves;
  return (among.find(({at}) => !at) ?? among[0])?.key ?? "";
}

/** Add an order with a likely move. @param {Language} language @param {{name: string}[]} offered @returns {Order} */
export const another = ({moves}, offered) =>
  ({conditions: [], actions: [{key: likely(moves, offered), said: {}}], kept: null});

/** Change an item of a row. @template T @param {T[]} row @param {number} i @param {Partial<T>} change */
export const with_ = (row, i, change) => row.map((one, n) => n === i ? {...one, ...change} : one);

/**
 * Exchange an order with the one before it: the first order that applies is carried out.
 * @template T
 * @param {T[]} row
 * @param {number} i
 */
export const earlier = (row, i) => i < 1 ? row
  : row.map((one, n) => (n === i - 1 ? row[i] : n === i ? row[i - 1] : one) ?? one);

/**
 * Return the problems by field, such as `0-do-1`. Problems without a field are under an empty name.
 * @param {string[]} places named by the server, such as `orders.0.do.1.args` @param {Draft} draft @param {Language}
 *   language @returns {Record<string, string[]>}
 */
export function wrong(places, {orders}, {moves}) {
  return Object.fromEntries(places.flatMap((place) => {
    const [, i = "", part, name = "", inner = ""] = /^orders\.(\d+)\.(if|do)\.([^.]+)(?:\.(\w+))?$/.exec(place) ?? [],
      order = orders[Number(i || NaN)];
    const rows = !order ? [] : part === "if"
      ? order.conditions.flatMap(({fact}, n) => fact === name ? [[`${i}-if-${n}`, [fact]]] : [])
      : [[`${i}-do-${name}`, lacking(order.actions[Number(name)], inner, moves)]];
    return rows.some(([, names]) => names?.length) ? rows : [["", [place]]];
  }));
}

/**
 * Return the fields to mark as wrong in a move: the named one, else the empty ones, else all.
 * @param {Action | undefined} action
 * @param {string} inner
 * @param {Way[]} moves
 */
function lacking(action, inner, moves) {
  const names = (moves.find(({key}) => key === action?.key)?.fields ?? []).map(({name}) => name),
    empty = names.filter((name) => !action?.said[name]?.trim());
  return names.includes(inner) ? [inner] : empty.length ? empty : names;
}
