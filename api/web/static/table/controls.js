/** The controls of moves that do not lie on the table: buttons, numbers, small forms, and what is asked before a move. */

import {inWords} from "./cards.js";
import {completed, isOf, shapeOf, titleOf} from "./moves.js";
import {html, nothing} from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./store.js").Move} Move @typedef {import("./store.js").Option} Option */

/**
 * @typedef {object} Ways
 * @property {string[]} held the cards that are chosen
 * @property {boolean} isStill
 * @property {Record<string, any>} drafts what is being chosen, by the names of moves
 * @property {(move: string, draft: any) => void} draft
 * @property {<T>(bring: () => Promise<T>) => T | null} bring
 * @property {(option: Option) => void} send
 * @property {(option: Option) => void} take make a move, or have what it lacks chosen first
 * @property {any} scene
 * @property {(options: Option[]) => void} press
 * @property {(ask: import("./store.js").Ask) => void} ask
 */

const TOGETHER = () => import("../choosing/putting.js");
const NUMBER = () => import("../choosing/number.js");

/** @param {Move} move @param {Ways} ways */
export function control(move, ways) {
  const shape = shapeOf(move), title = titleOf(move);
  const sends = (/** @type {Record<string, any>} */ args) => () => ways.send({label: title, move: move.name, args});
  const asks = (/** @type {Record<string, any>} */ args) => () => ways.press([{label: title, move: move.name, args}]);
  switch (shape.kind) {
    case "plain":
      return html`<button type="button" ?disabled=${ways.isStill} @click=${sends({})}>${title}</button>`;
    case "example":
      return html`<button type="button" ?disabled=${ways.isStill} @click=${sends(move.example.args)}>${title}, as proposed</button>`;
    case "one":
      return html`<fieldset><legend>${title}</legend>${shape.values.map((value) => html`
        <button type="button" ?disabled=${ways.isStill} @click=${asks({[shape.name]: value})}>${value}</button>`)}</fieldset>`;
    case "some": {
      const held = ways.held.filter((card) => shape.values.includes(card));
      const isRight = held.length >= shape.least && held.length <= shape.most;
      const many = shape.least === shape.most ? `${shape.most}` : `${shape.least} to ${shape.most}`;
      return html`<div class="some"><span class="hint">Choose ${many}: ${held.length ? held.map(inWords).join(", ") : "none yet"}</span>
        <button type="button" class="main" ?disabled=${ways.isStill || !isRight} @click=${sends({[shape.name]: held})}>${title} (${held.length})</button></div>`;
    }
    case "number":
      return ways.bring(NUMBER)?.numberOf(move, shape.name, ways) ?? nothing;
    case "together":
      return ways.bring(TOGETHER)?.together(move, ways) ?? nothing;
    case "form":
      return formOf(move, shape.names, ways);
  }
}

/** @param {Move} move @param {string[]} names @param {Ways} ways */
function formOf(move, names, ways) {
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const said = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const args = Object.fromEntries(names.map((name) => [name, valueOf(move.args.properties[name], String(said.get(name)))]));
    ways.send({label: titleOf(move), move: move.name, args});
  };
  return html`<form class="small" @submit=${send}>
    ${names.map((name) => fieldOf(name, move.args.properties[name]))}
    <button type="submit" ?disabled=${ways.isStill}>${titleOf(move)}</button></form>`;
}

/** @param {any} part @param {string} said */
const valueOf = (part, said) => part.enum ? part.enum.find((/** @type {any} */ one) => String(one) === said) : Number(said);

/** @param {string} name @param {any} part */
function fieldOf(name, part) {
  const field = part.enum
    ? html`<select name=${name}>${part.enum.map((/** @type {any} */ one) => html`<option>${one}</option>`)}</select>`
    : html`<input type="number" name=${name} min=${part.minimum} max=${part.maximum} .defaultValue=${String(part.maximum)} required>`;
  return html`<label>${part.title} ${field}</label>`;
}

/** Ask which of several moves, or what else belongs to one. @param {import("./store.js").Ask | null} ask @param {Ways} ways @param {() => void} leave */
export function question(ask, ways, leave) {
  if (!ask) return nothing;
  const not = html`<button type="button" class="quiet" @click=${leave}>Not now</button>`;
  return html`<div class="ask" role="group" aria-label=${ask.title}><span class="hint">${ask.title}</span>
    ${ask.isGrave ? not : nothing}
    ${ask.options.map((option) => html`<button type="button" class="main" ?disabled=${ways.isStill} @click=${() => ways.take(option)}>${option.label}</button>`)}
    ${ask.isGrave ? nothing : not}</div>`;
}

/** Give all moves that options lead to, completed. @param {Option[]} options @param {Move[]} moves */
export function ways(options, moves) {
  return options.flatMap((option) => {
    const move = moves.find((one) => isOf(one, option));
    const all = !move ? [] : shapeOf(move).kind === "together" ? [option] : completed(move, option.args);
    return all.map((one) => ({...one, label: all.length === 1 ? option.label : options.length === 1 ? one.label : `${option.label}: ${one.label}`}));
  });
}
