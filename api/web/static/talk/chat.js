/** The chat of a table: what was said, and a line to say something. */

import {repaint} from "../table/app.js";
import {looks} from "../table/later.js";
import {says} from "../words/talk.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";
import {repeat} from "../table/vendor/lit-html/directives/repeat.js";

looks(new URL("talk.css", import.meta.url));

const LONGEST = 500;

let refused = "";  // why what was said last was refused

/**
 * @param {import("../table/store.js").Message[]} messages
 * @param {(seat: number | null) => string} name
 * @param {(text: string) => Promise<string>} say gives why it was refused
 */
export function chat(messages, name, say) {
  const send = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (
      /** @type {HTMLFormElement} */ (event.target).elements.namedItem("said"));
    const text = field.value.trim();
    if (!text) return;
    field.value = "";
    refused = await say(text);
    if (refused) field.value ||= text;
    repaint();
  };
  return html`<section class="chat" aria-label=${says.chat}><h2>${says.chat}</h2>
    ${messages.length ? nothing : html`<p class="soft">${says.nothingSaid}</p>`}
    <div role="log" aria-live="polite" tabindex="0"
      aria-label=${says.whatWasSaid}><ol>${repeat(messages, ({no}) => no, (one) => html`
      <li><strong>${one.seat === null ? one.player?.name ?? says.somebody : name(one.seat)}</strong>
        ${one.deleted ? html`<em class="soft">${says.takenBack}</em>`
          : html`<span class="said">${one.text}</span>`}</li>`)}</ol></div>
    <form @submit=${send}><p role="alert" class="problem">${refused}</p><label>${says.saySomething} <input name="said"
      aria-invalid=${Boolean(refused)} autocomplete="off" maxlength=${LONGEST}></label> <button
      type="submit">${says.sayIt}</button></form>
  </section>`;
}
