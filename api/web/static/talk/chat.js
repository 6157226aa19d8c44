/** The chat of a table: what was said, and a line to say something. */

import {repaint} from "../table/app.js";
import {keepUnsent, unsent} from "../making/unsent.js";
import {looks} from "../table/later.js";
import {says} from "../words/talk.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";
import talkStyles from "./talk.css?url";

looks(talkStyles);

const LONGEST = 500;

/** Why what was said last in a match was refused. @type {Map<string, string>} */
const refusals = new Map();

/**
 * @param {string} id of the match
 * @param {import("../table/store.ts").Message[]} messages
 * @param {(seat: number | null) => string} name
 * @param {(text: string) => Promise<string>} say gives why it was refused
 */
export function chat(id, messages, name, say) {
  const place = `#m=${id} chat`, refused = refusals.get(id) ?? "";
  const send = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (
      /** @type {HTMLFormElement} */ (event.target).elements.namedItem("said"));
    const text = field.value.trim();
    if (!text) return;
    const done = (/** @type {string} */ why) => { refusals.set(id, why); repaint(); };
    field.value = "";
    keepUnsent(place, null);
    done("");
    const why = await say(text);
    if (why && !unsent(place)) {
      keepUnsent(place, text);
      field.value ||= text;
    }
    done(why);
  };
  const writes = (/** @type {Event} */ event) =>
    keepUnsent(place, /** @type {HTMLInputElement} */ (event.target).value || null);
  return html`<section class="chat" aria-label=${says.chat}><h2>${says.chat}</h2>
    ${messages.length ? nothing : html`<p class="soft">${says.nothingSaid}</p>`}
    <div role="log" aria-live="polite" tabindex="0"
      aria-label=${says.whatWasSaid}><ol>${repeat(messages, ({no}) => no, (one) => html`
      <li><strong>${one.seat === null ? one.player?.name ?? says.somebody : name(one.seat)}</strong>
        ${one.deleted ? html`<em class="soft">${says.takenBack}</em>`
          : html`<span class="said">${one.text}</span>`}</li>`)}</ol></div>
    <form @submit=${send}><p role="alert" class="problem">${refused}</p><label>${says.saySomething} <input name="said"
      .value=${unsent(place) ?? ""} @input=${writes} aria-invalid=${Boolean(refused)} autocomplete="off"
      maxlength=${LONGEST}></label> <button type="submit">${says.sayIt}</button></form>
  </section>`;
}
