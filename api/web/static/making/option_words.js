/** Names the options of a game in words, by the titles of their schemas. Runs without a browser. */

import {capital} from "../words/language.js";
import {says} from "../words/making.js";

/** Write a name of the API as words. @param {string} name */
export const words = (name) => capital(name.replaceAll("_", " "));

/** Name an option. @param {string} name @param {Api.Schema} [schema] */
export const called = (name, schema) => schema?.title ?? words(name);

/** Name a choice in words. @param {Api.Schema | undefined} schema @param {unknown} one */
export const titled = (schema, one) => schema?.["x-titles"]?.[String(one)] ?? (one === null ? says.asUsual
  : words(String(one)));

/** Return the titles of the presets of a game. @param {Api.Game} game @returns {[string, string][]} */
export const presetsOf = (game) => Object.keys(game.presets)
  .map((name) => [name, game.preset_titles[name]
    ?? (Object.keys(game.presets[name] ?? {}).length ? words(name) : says.usualRules)]);
