/** The controls of moves outside the table: buttons, numbers, small forms, and the questions before a move. */

import {called} from "./cards.js";
import {nextTask} from "./later.js";
import {isOpen, schemaOf, shapeOf, titleOf} from "./moves.js";
import {completed} from "./ways.js";
import {says} from "../words/table.js";
import {html, nothing} from "lit-html";

/** @typedef {import("./store.ts").Move} Move @typedef {import("./store.ts").Option} Option */

/**
 * @typedef {object} Ways
 * @property {string[]} held the chosen cards
 * @property {boolean} isStill
 * @property {import("./store.ts").State["drafts"]} drafts the drafts of moves, by name
 * @property {(move: string, draft: import("./store.ts").Drafted) => void} draft
 * @property {<T>(bring: () => Promise<T>) => T | null} bring
 * @property {(option: Option, done?: () => void) => void} send
 * @property {(option: Option) => void} take makes a move, or asks for its missing choices first
 * @property {Map<string, Option[]>} pressed what can be pressed on the table, by place
 * @property {Api.Scene} scene
 * @property {(options: Option[]) => void} press
 * @property {(ask: import("./store.ts").Question) => void} ask
 */

export const ASKING = () => import("../choosing/asking.js");
export const TOGETHER = () => import("../choosing/putting.js");
// Other moves come before the number, and stay where they are.
const NUMBER = async () => {
  await nextTask();
  const number = await import("../choosing/number.ts");
  await number.styled;
  return number;
};
const GUARDED = () => nextTask().then(() => import("../choosing/guarded.ts"));
const SMALL = () => import("../choosing/small.js");

/** @param {Move} move @param {Ways} ways */
export function control(move, ways) {
  const shape = shapeOf(move), title = titleOf(move);
  const sends = (/** @type {Api.Values} */ args) => () => ways.send({label: title, move: move.name, args});
  const asks = (/** @type {Api.Values} */ args) => () => ways.press([{label: title, move: move.name, args}]);
  switch (shape.kind) {
    case "plain":
      if (move.args["x-confirm"]) return ways.bring(GUARDED)?.guarded(move, ways)
        ?? html`<button type="button" class="guarded" disabled>${title}</button>`;
      if (isOpen(move)) ways.bring(ASKING);  // The last of its buttons may ask.
      return html`<button type="button" ?disabled=${ways.isStill} @click=${sends({})}>${title}</button>
        ${isOpen(move) ? furtherButtons(move, ways) : nothing}`;
    case "example":
      return html`<button type="button" ?disabled=${ways.isStill}
        @click=${sends(move.example.args)}>${says.asProposed(title)}</button>`;
    case "one": {
      const names = schemaOf(move, shape.name)["x-names"];
      return html`<fieldset><legend>${move.args.description ?? title}</legend>${shape.values.map((value) => html`
        <button type="button" ?disabled=${ways.isStill}
          @click=${asks({[shape.name]: value})}>${names?.[`${value}`]
            ?? called(ways.scene, String(value))}</button>`)}</fieldset>`;
    }
    case "some": {
      const held = ways.held.filter((card) => shape.values.includes(card));
      const asked = schemaOf(move, shape.name),
        isRight = held.length >= shape.least && held.length <= shape.most;
      return html`<div class="some"><span
        class="hint">${says.choose(asked.description ?? /** @type {string} */ (asked.title), shape.least, shape.most,
          held.map((one) => called(ways.scene, one)))}</span>
        <button type="button" class="main" ?disabled=${ways.isStill || !isRight}
          @click=${sends({...shape.given, [shape.name]: held})}>${title} (${held.length})</button></div>`;
    }
    case "number": {
      const {minimum, maximum} = schemaOf(move, shape.name);
      return ways.bring(NUMBER)?.numberOf(move, shape.name, ways) ?? html`${minimum === maximum ? nothing
        : html`<div class="amounts"></div>`}<button type="button" disabled>${title} ${minimum}</button>`;
    }
    case "together":
      return ways.bring(TOGETHER)?.together(move, ways) ?? nothing;
    case "form":
      return ways.bring(SMALL)?.formOf(move, shape.names, ways) ?? nothing;
  }
}

const FEW = 2;  // maximum number of ways with a button each

/** Offer the ways to make a move that can also be made without a choice. @param {Move} move @param {Ways} ways */
function furtherButtons(move, ways) {
  const options = completed(move, {}).filter(({args}) => Object.keys(args).length);
  const names = Object.values(move.args.properties ?? {}).flatMap((part) => part.enum && part.title || []),
    title = titleOf(move);
  const button = (/** @type {string} */ text, /** @type {() => void} */ press) => html`<button type="button"
    class="quiet" aria-label=${says.furtherOf(title, text)} ?disabled=${ways.isStill} @click=${press}>${text}</button>`;
  if (options.length <= FEW)
    return options.map((option) => button(says.furtherSo(names, option.label), () => ways.take(option)));
  const more = says.further(names);
  return button(more, () => ways.ask({title: says.furtherOf(title, more), options}));
}
