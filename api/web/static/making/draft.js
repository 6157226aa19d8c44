/** Holds the draft of a new table, and makes the request from it. Runs without a browser, for any game. */

import {says} from "../words/making.js";

/**
 * @typedef {object} Field the field of an option
 * @property {string} name
 * @property {"choice" | "yes" | "number" | "text" | "list" | "json"} kind
 * @property {Api.Schema} schema
 */

/**
 * @typedef {object} Draft
 * @property {Api.Game} game its entry in the catalogue
 * @property {string} preset
 * @property {Record<string, string>} said the texts of the fields
 * @property {string[]} others the other seats, by the names of `SITTERS`
 * @property {string} clock one of `CLOCKS`
 * @property {string} bestOf maximum number of games; empty: the game's default
 * @property {"public" | "unlisted" | "private"} visibility
 */

/** The kinds of players for a seat, with their labels. */
export const SITTERS = /** @type {Record<string, {label: string, plan: Record<string, string>}>} */ ({
  invite: {label: says.sitters.invite, plan: {kind: "invite"}},
  open: {label: says.sitters.open, plan: {kind: "open"}},
  easy: {label: says.sitters.easy, plan: {kind: "bot", level: "easy"}},
  steady: {label: says.sitters.steady, plan: {kind: "bot", level: "steady"}},
  strong: {label: says.sitters.strong, plan: {kind: "bot", level: "strong"}},
});

/** Common clocks, with their labels. */
export const CLOCKS = /** @type {Record<string, {label: string, clock: Api.AskedClock}>} */ ({
  none: {label: says.clocks.none, clock: {}},
  minute: {label: says.clocks.minute, clock: {per_decision_seconds: 60}},
  quick: {label: says.clocks.quick,
    clock: {kind: "fischer", bank_seconds: 300, increment_seconds: 10, cap_seconds: 600}},
  calm: {label: says.clocks.calm, clock: {per_decision_seconds: 30, bank_seconds: 600}},
  day: {label: says.clocks.day, clock: {per_decision_seconds: 86_400}},
  slow: {label: says.clocks.slow, clock: {kind: "fischer"}},
});

/** Return the kind of field for a value. @param {Api.Schema} schema @returns {Field["kind"]} */
function kindOf(schema) {
  if (schema.enum) return "choice";
  if (schema.type === "array" && schema.items?.enum) return "list";
  const types = [schema.type].flat().filter((one) => one !== "null");
  if (types.includes("string")) return "text";
  if (types.length === 1 && types[0] === "boolean" && ![schema.type].flat().includes("null")) return "yes";
  return types.length === 1 && types[0] === "integer" ? "number" : "json";
}

/** Make a field from a schema. @param {string} name @param {Api.Schema} schema @returns {Field} */
export const fieldOf = (name, schema) => ({name, kind: kindOf(schema), schema});

/** Return a field for every option of a game. @param {Api.Game} game @returns {Field[]} */
export const fields = (game) => Object.entries(game.options.properties).map(([name, schema]) => fieldOf(name, schema));

/** Write a value as the text of a field. @param {Field} field @param {unknown} value */
function written(field, value) {
  if (field.kind === "choice" || field.kind === "list" || field.kind === "json") return JSON.stringify(value ?? null);
  return value === null || value === undefined ? "" : String(value);
}

/**
 * Read a value from the text of a field; null if it is empty.
 * @param {Field} field
 * @param {string} said
 * @returns {Api.Json}
 */
function read(field, said) {
  switch (field.kind) {
    case "choice": case "list": return JSON.parse(said);
    case "yes": return said === "true";
    case "number": return said === "" ? null : Number(said);
    case "text": return said === "" ? null : said;
    case "json": try { return JSON.parse(said); } catch { return said; }  // the server says what is wrong with it
  }
}

/** Write the options of a preset as texts of fields. @param {Api.Game} game @param {string} preset */
const preset = (game, preset) => Object.fromEntries(fields(game).map((field) =>
  [field.name, written(field, game.presets[preset]?.[field.name] ?? field.schema.default)]));

/** Begin with the usual table of a game. @param {Api.Game} game @returns {Draft} */
export function fresh(game) {
  const name = game.usual_preset;
  const others = Array.from({length: game.seats.usual - 1}, (_, i) => i ? "steady" : "invite");
  return {game, preset: name, said: preset(game, name), others, clock: "none", bestOf: "", visibility: "unlisted"};
}

/**
 * Change the preset. It replaces all chosen options.
 * @param {Draft} draft
 * @param {string} name
 * @returns {Draft}
 */
export const withPreset = (draft, name) => ({...draft, preset: name, said: preset(draft.game, name)});

/** @param {Draft} draft @param {string} name @param {string} said @returns {Draft} */
export const withOption = (draft, name, said) => ({...draft, said: {...draft.said, [name]: said}});

/**
 * Take the options in an address; unknown ones are ignored.
 * @param {Draft} draft
 * @param {URLSearchParams} said
 */
export const withOptions = (draft, said) => fields(draft.game).reduce((/** @type {Draft} */ now, field) => {
  const value = said.get(field.name);
  return value === null ? now : withOption(now, field.name, written(field, value));
}, draft);

/**
 * Set the number of seats, yours included; new seats get the kind of the last one.
 * @param {Draft} draft
 * @param {number} count
 * @returns {Draft}
 */
export function withSeats(draft, count) {
  const last = draft.others.at(-1) ?? "steady";
  return {...draft, others: Array.from({length: count - 1}, (_, i) => draft.others[i] ?? last)};
}

/**
 * Set the kind of a seat. A table with an open seat becomes public, so that players can find it.
 * @param {Draft} draft
 * @param {number} seat
 * @param {string} sitter
 * @returns {Draft}
 */
export function withSitter(draft, seat, sitter) {
  const others = draft.others.map((one, i) => i === seat - 1 ? sitter : one);
  return {...draft, others, visibility: sitter === "open" ? "public" : draft.visibility};
}

/** Return the options that differ from the preset. @param {Draft} draft */
export function changed(draft) {
  const usual = preset(draft.game, draft.preset);
  return fields(draft.game).filter(({name}) => draft.said[name] !== usual[name]);
}

/** Return the preset that matches the options of a table, or else the one it began with. @param {Draft} draft */
export const presetOf = (draft) => [draft.preset, ...Object.keys(draft.game.presets)]
  .find((preset) => !changed({...draft, preset}).length) ?? draft.preset;

/** Make the request. @param {Draft} draft */
export function request(draft) {
  const options = Object.fromEntries(changed(draft)
    .map((field) => [field.name, read(field, draft.said[field.name] ?? "")]));
  return {
    game: draft.game.game, ...(draft.preset ? {preset: draft.preset} : {}), options,
    seats: [{kind: "me"}, ...draft.others.map((one) => SITTERS[one]?.plan)],
    clock: CLOCKS[draft.clock]?.clock, visibility: draft.visibility,
    ...(draft.bestOf ? {series: {best_of: Number(draft.bestOf)}} : {}),
  };
}

/** The fields of the form for the parts of a request other than options. */
const ASKED = /** @type {Record<string, string>} */ (
  {preset: "preset", series: "best-of", clock: "clock", visibility: "visibility"});

/**
 * Return the problems by field of the form; those without a field are under an empty name.
 * @param {Api.Game} game @param {Record<string, string[]>} errors by the server's names, such as `options.players`
 *   @returns {Record<string, string>}
 */
export function wrong(game, errors) {
  const at = (/** @type {string} */ name) => {
    const [part = "", inner = ""] = name.split(".");
    if (part === "options") return inner in game.options.properties ? inner : "";
    return part === "seats" && Number(inner) ? `seat-${inner}` : ASKED[part] ?? "";
  };
  const found = /** @type {Record<string, string>} */ ({});
  for (const [name, said] of Object.entries(errors)) found[at(name)] = [found[at(name)] ?? [], said].flat().join(" ");
  return found;
}
