/** Makes controls of legal moves, from their schemas alone: no game is known here. */

import {capital} from "../words/language.js";
import {says} from "../words/table.js";

/** @typedef {import("./store.js").Move} Move @typedef {import("./store.js").Option} Option */

/**
 * How a move is made: without a choice; by one value; by some values, beside what is given; by a number; by a small
 * form; put together of several parts, those of
 * these names on the table beforehand; or as the example says.
 * @typedef {{kind: "plain"}
 *   | {kind: "one", name: string, values: any[]}
 *   | {kind: "some", name: string, values: any[], least: number, most: number, given: Record<string, any>}
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
    || others.some((/** @type {string} */ one) => properties[one].type === "boolean")) {
    return {kind: "together", names: Object.keys(properties)
      .filter((one) => properties[one].enum && "x-at" in properties[one])};
  }
  if (!name) return {kind: "plain"};
  const part = properties[name];
  if (!others.every((/** @type {string} */ one) => isSmall(properties[one]))) return {kind: "example"};
  if (part.enum) return {kind: "one", name, values: part.enum};
  if (others.length) return isSmall(part) ? {kind: "form", names: [name, ...others]} : {kind: "example"};
  if (part.type === "integer" && "maximum" in part) return {kind: "number", name};
  // Rows that may hold a value twice, as decks do, are not chosen card by card.
  if (part.type === "array" && part.items?.enum && part.uniqueItems) {
    return some(name, part, {});
  }
  return {kind: "example"};
}

/** @param {string} name @param {any} part @param {Record<string, any>} given @returns {Shape} */
const some = (name, part, given) =>
  ({kind: "some", name, values: part.items.enum, least: part.minItems ?? 0,
    most: Math.min(part.maxItems ?? Infinity, part.items.enum.length), given});

/**
 * Find the one list that is open, and is chosen on the table; all else has one value.
 * @param {any} args
 * @returns {Shape | null}
 */
function onlyRow({properties = {}, required = []}) {
  const all = Object.entries(properties), open =
    all.filter(([name, part]) => part.enum?.length !== 1 || !required.includes(name));
  const [name, part] = open[0] ?? ["", {}];
  return open.length === 1 && part["x-at"] && isRow(part) && !isRich(part)
    ? some(name, part, Object.fromEntries(all.filter(([one]) => one !== name)
        .map(([one, {enum: [value]}]) => [one, value]))) : null;
}

/** Say whether an argument is some of few values; a list that must be empty is nothing to choose. @param {any} part */
const isRow = (part) => [part.type].flat().includes("array") && (part.items?.enum || part.items?.items?.enum)
  && part.maxItems !== 0;

/**
 * Say whether an argument has parts of its own: groups, pairs, rows that may hold a value twice, or an object.
 * @param {any} part
 */
const isRich = (part) => [part.type].flat().includes("object")
  || (isRow(part) && (part.items.items || !part.uniqueItems || typeof part.items.enum[0] === "object"));

/**
 * Say whether an option is one of this move, of several that may have its name.
 * @param {Move} move
 * @param {Option} option
 */
export const isOf = (move, option) => move.name === option.move && (option.title ?? titleOf(move)) === titleOf(move)
  && Object.entries(option.args).every(([name, value]) => admits(move.args.properties?.[name], value));

/** Say whether an argument can be chosen from few values. @param {any} part */
const isSmall = (part) => Boolean(part.enum) || (part.type === "integer" && "minimum" in part && "maximum" in part);

/** @param {Move} move @returns {string} */
export const titleOf = (move) => move.args.title ?? move.name;

/**
 * Name the places of a value of an argument on the table: one, each in which it may lie, or none.
 * @param {any} part
 * @param {any} value
 * @returns {string[]}
 */
export function placesOf(part, value) {
  const at = part["x-at"] ?? [];
  if (typeof at === "string") return [at.endsWith("/spots") ? `${at}/${value}` : `${at}:${value}`];
  return typeof value === "string" ? at.map((/** @type {string} */ one) => `${one}:${value}`)
    : at.slice(value, value + 1);
}

/**
 * All that may be pressed on the table: by the place, each with the moves that it makes; and the cards to choose.
 * @param {Move[]} moves
 * @returns {{pressed: Map<string, Option[]>, chosen: Map<string, {value: any, most: number}>, others: Move[]}}
 */
export function onTable(moves) {
  const pressed = new Map(), chosen = new Map();
  const others = moves.filter((move) => {
    const shape = shapeOf(move), at = move.args["x-at"];
    if (shape.kind === "plain" && at) {
      put(pressed, at, optionOf(move, {}));
      return false;
    }
    if (shape.kind === "one" || shape.kind === "some") {
      const part = move.args.properties[shape.name];
      if (!("x-at" in part)) return true;
      for (const value of shape.values) {
        for (const place of placesOf(part, value)) {
          if (shape.kind === "some") chosen.set(place, {value, most: shape.most});
          else put(pressed, place, optionOf(move, {[shape.name]: value}));
        }
      }
      return shape.kind === "some";
    }
    if (shape.kind === "together" && shape.names.length) {
      for (const name of shape.names) {
        const part = move.args.properties[name];
        for (const value of part.enum) for (const place of placesOf(part, value))
          put(pressed, place, optionOf(move, {[name]: value}));
      }
    }
    return true;
  });
  return {pressed, chosen, others};
}

/** @param {Move} move @param {Record<string, any>} args @returns {Option} */
const optionOf = (move, args) => ({label: titleOf(move), title: titleOf(move), move: move.name, args});

/** @param {Map<string, Option[]>} map @param {string} place @param {Option} option */
const put = (map, place, option) => { map.set(place, [...(map.get(place) ?? []), option]); };

/**
 * Complete what has been chosen of a move by the arguments that are still open and have few values: all ways that the
 * schema admits. One way needs no question.
 * @param {Move} move
 * @param {Record<string, any>} args
 * @returns {Option[]}
 */
export function completed(move, args) {
  const properties = Object.entries(move.args.properties ?? {}).filter(([name, part]) => !(name in args) && part.enum);
  /** @type {{label: string[], args: Record<string, any>}[]} */
  let ways = [{label: [], args}];
  for (const [name, part] of properties) {
    const isOpen = !(move.args.required ?? []).includes(name);
    ways = ways.flatMap((way) => [
      ...(isOpen ? [way] : []),
      ...part.enum.filter((/** @type {any} */ value) => value !== null && value !== part.default)
        .map((/** @type {any} */ value) =>
          ({label: [...way.label, said(part, value)], args: {...way.args, [name]: value}})),
    ]);
  }
  return ways.filter((way) => admits(move.args, way.args))
    .map((way) => ({...optionOf(move, way.args), label: way.label.join(", ") || titleOf(move)}));
}

/** Give all moves that options lead to, completed. @param {Option[]} options @param {Move[]} moves */
export function ways(options, moves) {
  return options.flatMap((option) => {
    const move = moves.find((one) => isOf(one, option));
    const all = !move ? [] : shapeOf(move).kind === "together" ? [option] : completed(move, option.args);
    return all.map((one) =>
      ({...one, label: all.length === 1 ? option.label : options.length === 1
          ? one.label : `${option.label}: ${one.label}`}));
  });
}

/** Say whether a move has an argument of few values. @param {Move} move */
export const isOpen = ({args}) => Object.values(args.properties ?? {}).some((part) => part.enum);

/** @param {any} part @param {any} value */
const said = (part, value) => part["x-names"]?.[value] || capital(says.suits[value] ?? "")
  || (typeof value === "number" ? `${part.title} ${value}` : String(value));

/**
 * Say whether a value is as a schema says, of the words that schemas of moves use.
 * @param {any} schema
 * @param {any} value
 * @returns {boolean}
 */
export function admits(schema, value) {
  if (!schema || schema === true) return true;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.type === "null" && value !== null) return false;
  if (value && typeof value === "object" && !Array.isArray(value)) {
    if ((schema.required ?? []).some((/** @type {string} */ name) => !(name in value))) return false;
    for (const [name, part] of Object.entries(schema.properties ?? {})) if (name in value && !admits(part, value[name]))
      return false;
  }
  return schema.if === undefined || admits(admits(schema.if, value) ? schema.then : schema.else, value);
}
