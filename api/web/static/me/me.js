/**
 * Shows the player of this browser: the name, and the token, which can be copied to another device, pasted and revoked.
 */

import {tellsUnfit} from "../making/unfit.js";
import {forgetUnsent} from "../making/unsent.js";
import {Refused} from "../table/api.js";
import {api, dispatch, repaint, state, token, attempt} from "../table/app.js";
import {copied} from "../table/copying.js";
import {loadStyles} from "../table/later.js";
import {news} from "../table/listing.js";
import {says} from "../words/me.js";
import {html, nothing} from "lit-html";
import meStyles from "./me.css?url";

loadStyles(meStyles);
tellsUnfit();

const UNAUTHENTICATED = 401;

let isShown = false, said = "", problem = "", wrongName = "";

/** @param {{said?: string, problem?: string, wrongName?: string}} what */
function tells(what) {
  said = what.said ?? "";
  problem = what.problem ?? "";
  wrongName = what.wrongName ?? "";
  repaint();
}

/** Change the player's name. @param {SubmitEvent} event */
function rename(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target), called = String(new FormData(form).get("name")).trim();
  void attempt(async () => {
    try {
      const {id, name} = await api.call("PATCH", "/players/me", {name: called});
      tells({});
      dispatch({is: "named", id, name});
      /** @type {HTMLDetailsElement} */ (form.closest("details")).open = false;
    } catch (error) {
      if (!(error instanceof Refused && error.errors.name)) throw error;
      tells({wrongName: error.errors.name.join(" ")});
      /** @type {HTMLElement} */ (form.elements.namedItem("name")).focus();
    }
  });
}

async function copy() {
  const isCopied = await copied(token.value);
  tells({said: isCopied ? says.copied : says.notCopied});
}

/** Revoke the token of all other devices. A retry uses the same key, in case the answer was lost. */
const ends = () => attempt(async () => {
  const made = await api.call("POST", "/players/me/token", {}, api.keyed());
  token.use(made.token);
  await api.call("DELETE", "/players/me/tokens");
  tells({said: says.othersEnded});
});

/** Become the player of a token. @param {SubmitEvent} event */
async function paste(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target), given = String(new FormData(form).get("token")).trim();
  if (!/^[!-~]+$/.test(given)) return tells({problem: says.noToken});
  try {
    const {id, name} = await api.call("GET", "/players/me", undefined, {Authorization: `Bearer ${given}`});
    token.use(given);
    token.keep(true);
    form.reset();
    tells({});
    anew();
    dispatch({is: "named", id, name});
    await attempt(news);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tells({problem: error.status === UNAUTHENTICATED ? says.notInForce : error.message});
  }
}

/** Go to the start page as the current player. */
function anew() {
  forgetUnsent();
  dispatch({is: "forgot"});
  history.replaceState(null, "", "#");
  dispatchEvent(new HashChangeEvent("hashchange"));
}

const told = () => html`<p role="status">${said}</p><div
  role="alert">${problem ? html`<p class="problem">${problem}</p>` : nothing}</div>`;

const pasting = () => html`<form class="paste" @submit=${(/** @type {SubmitEvent} */ event) => void paste(event)}>
  <label>${says.tokenFromThere} <input name="token" type="password" autocomplete="off" required></label>
  <button type="submit">${says.playAsThat}</button>
  ${state.player === null ? nothing : html`<p class="soft">${says.isLeft}</p>`}</form>`;

/** The controls of the player of this browser. */
export function me() {
  if (state.player === null) return html`<div class="me">${pasting()}${told()}</div>`;
  return html`<div class="me"><form @submit=${rename}><label>${says.yourName} <input name="name" required maxlength="40"
    autocomplete="nickname" aria-invalid=${wrongName ? "true" : nothing}
        aria-describedby=${wrongName ? "wrong-name" : nothing} .defaultValue=${state.player}></label>
      <button type="submit">${says.takeName}</button>${wrongName
        ? html`<p class="problem" id="wrong-name">${wrongName}</p>` : nothing}</form>
    <p><a class="button" href="#player=me">${says.profile}</a></p>
    <h2>${says.otherDevices}</h2><p class="soft">${says.aboutToken}</p>
    <p class="token"><label>${says.yourToken} <input readonly type=${isShown ? "text" : "password"} autocomplete="off"
      .value=${token.value}></label>
      <button type="button" class="shows" @click=${() => { isShown = !isShown; repaint();
        }}>${isShown ? says.hide : says.show}</button>
      <button type="button" class="copies" @click=${() => void copy()}>${says.copy}</button></p>
    <p><button type="button" class="ends" @click=${() => void ends()}>${says.endOthers}</button> <span
      class="soft">${says.aboutEnd}</span></p>
    ${told()}${pasting()}</div>`;
}

/** Shown if the token of this browser is no longer valid. */
export function signedOut() {
  const begins = () => {
    token.forget();
    tells({});
    anew();
  };
  return html`<h1 tabindex="-1" id="title">${says.signedOut}</h1><p class="lead">${says.aboutSignedOut}</p>
    <p><button type="button" class="main" @click=${begins}>${says.beginAnew}</button></p><div
      class="me">${pasting()}${told()}</div>`;
}
