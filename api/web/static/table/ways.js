/** Finds the ways to complete a move that has begun. Works for any game. */

import {optionOf, shapeOf, titleOf} from "./moves.js";
import {capital} from "../words/language.js";
import {says} from "../words/table.js";

/** @typedef {import("./store.ts").Move} Move @typedef {import("./store.ts").Option} Option */

/**
 * Return whether an option belongs to this move; several moves may have its name.
 * @param {Move} move
 * @param {Option} option
 */
export const isOf = (move, option) => move.name === option.move && (option.title ?? titleOf(move)) === titleOf(move)
  && Object.entries(option.args).every(([name, value]) => admits(move.args.properties?.[name], value));

/**
 * Return all ways to complete a move: each open argument with few values takes every value that the schema allows. A
 * single way needs no question.
 * @param {Move} move
 * @param {Api.Values} args
 * @returns {Option[]}
 */
export function completed(move, args) {
  const properties = Object.entries(move.args.properties ?? {}).filter(([name, part]) => !(name in args) && part.enum);
  /** @type {{label: string[], args: Api.Values}[]} */
  let ways = [{label: [], args}];
  for (const [name, part] of properties) {
    const isOpen = !(move.args.required ?? []).includes(name);
    ways = ways.flatMap((way) => [
      ...(isOpen ? [way] : []),
      .../** @type {Api.Json[]} */ (part.enum).filter((value) => value !== null && value !== part.default)
        .map((value) =>
          ({label: [...way.label, said(part, value)], args: {...way.args, [name]: value}})),
    ]);
  }
  return ways.filter((way) => admits(move.args, way.args))
    .map((way) => ({...optionOf(move, way.args), label: way.label.join(", ") || titleOf(move)}));
}

/** Return all moves that options lead to, completed. @param {Option[]} options @param {Move[]} moves */
export function ways(options, moves) {
  return options.flatMap((option) => {
    const move = moves.find((one) => isOf(one, option));
    const all = !move ? [] : shapeOf(move).kind === "together" ? [option] : completed(move, option.args);
    return all.map((one) =>
      ({...one, label: all.length === 1 ? option.label : options.length === 1
          ? one.label : `${option.label}: ${one.label}`}));
  });
}

/**
 * Ask the question again with the current offer; null if it no longer applies.
 * @param {import("./store.ts").Ask} ask @param {import("./store.ts").Offer} offer
 * @returns {import("./store.ts").Ask | null}
 */
export function askedAnew(ask, offer) {
  const all = [...offer.moves, ...offer.also], options = ask.began ? ways(ask.began, all.filter(({args}) => args))
    : ask.options.filter((option) => all.some((one) => one.args ? isOf(one, option) : one.name === option.move));
  return options.length ? {...ask, options} : null;
}

/** @param {Api.Schema} part @param {Api.Json} value */
const said = (part, value) => part["x-names"]?.[`${value}`] || capital(says.suits[`${value}`] ?? "")
  || (typeof value === "number" ? `${part.title} ${value}` : String(value));

/**
 * Return whether a value matches a schema. It knows the keywords that schemas of moves use.
 * @param {Api.Schema | true | undefined} schema
 * @param {Api.Json | undefined} value
 * @returns {boolean}
 */
export function admits(schema, value) {
  if (!schema || schema === true) return true;
  if (schema.enum && !schema.enum.includes(/** @type {Api.Json} */ (value))) return false;
  if (schema.type === "null" && value !== null) return false;
  if (value && typeof value === "object" && !Array.isArray(value) && (schema.required?.some((name) => !(name in value))
    || Object.entries(schema.properties ?? {}).some(([name, part]) => name in value && !admits(part, value[name]))))
    return false;
  return schema.if === undefined || admits(admits(schema.if, value) ? schema.then : schema.else, value);
}
