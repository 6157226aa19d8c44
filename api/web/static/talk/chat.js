/** The chat of a table: its messages, and a field for a new one. */

import {api, dispatch, repaint, state, attempt} from "../table/app.js";
import {keepUnsent, unsent} from "../making/unsent.js";
import {loadStyles} from "../table/later.js";
import {says} from "../words/talk.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";
import talkStyles from "./talk.css?url";

loadStyles(talkStyles);

/** @typedef {import("../table/store.ts").Message} Message */

const LONGEST = 500;

/** Why the last message in a match was refused. @type {Map<string, string>} */
const refusals = new Map();

/**
 * Block or mute the author of a message, or stop doing so, and update the chat.
 * @param {string} id the match id
 * @param {string} handle
 * @param {"blocks" | "mutes"} list
 * @param {boolean} isOn
 */
async function change(id, handle, list, isOn) {
  await api.call(isOn ? "PUT" : "DELETE", `/players/me/${list}/${handle}`);
  let after = 0;
  for (;;) {
    const page = await api.call("GET", `/matches/${id}/chat?after=${after}`);
    if (!page?.items.length) return;
    for (const message of page.items) dispatch({is: "spoken", message});
    after = page.next;
  }
}

/** The buttons that mute or block a message's author. @param {string} id of the match @param {Message} message */
function silencers(id, {seat, player, blocked, muted}) {
  const handle = player?.handle;
  if (!handle || seat === null || state.match?.your_seats.includes(seat)) return nothing;
  const button = (/** @type {"blocks" | "mutes"} */ list, /** @type {boolean} */ isOn) => html` <button type="button"
    class="quiet silences" aria-label=${says.silenceNamed(list, isOn, player.name ?? handle)}
    @click=${() => attempt(() => change(id, handle, list, !isOn))}>${says.silence(list, isOn)}</button>`;
  return [button("mutes", muted), button("blocks", blocked)];
}

/**
 * @param {string} id the match id
 * @param {Message[]} messages
 * @param {(seat: number | null) => string} name
 * @param {(text: string) => Promise<string>} say sends a message; returns why it was refused
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
  // buttons only at each author's last message
  const last = new Set(new Map(messages.map(({seat, no}) => [seat, no])).values());
  const writes = (/** @type {Event} */ event) =>
    keepUnsent(place, /** @type {HTMLInputElement} */ (event.target).value || null);
  return html`<section class="chat" aria-label=${says.chat}><h2>${says.chat}</h2>
    ${messages.length ? nothing : html`<p class="soft">${says.nothingSaid}</p>`}
    <div role="log" aria-live="polite" tabindex="0"
      aria-label=${says.whatWasSaid}><ol>${repeat(messages, ({no}) => no, (one) => html`
      <li><strong>${one.seat === null ? one.player?.name ?? says.somebody : name(one.seat)}</strong>
        ${one.deleted || one.blocked || one.muted
          ? html`<em class="soft">${one.deleted ? says.takenBack : one.blocked ? says.blocked : says.muted}</em>`
          : html`<span class="said">${one.text}</span>`}${
            last.has(one.no) ? silencers(id, one) : nothing}</li>`)}</ol></div>
    <form @submit=${send}><p role="alert" class="problem">${refused}</p><label>${says.saySomething} <input name="said"
      .value=${unsent(place) ?? ""} @input=${writes} aria-invalid=${Boolean(refused)} autocomplete="off"
      maxlength=${LONGEST}></label> <button type="submit">${says.sayIt}</button></form>
  </section>`;
}
