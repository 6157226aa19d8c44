/** The page: starts a guest, lists games and matches, and shows the table that is open. */

import {apiOf, Refused} from "./api.js";
import {inWords} from "./cards.js";
import {control, question, ways} from "./controls.js";
import {onTable} from "./moves.js";
import {start} from "./start.js";
import {after, EMPTY} from "./store.js";
import {table} from "./table.js";
import {tokenOf} from "../token.js";
import {left, toAsk, turnOf, warning} from "./waiting.js";
import {told} from "./words.js";
import {html, nothing, render} from "./vendor/lit-html/lit-html.js";
import {repeat} from "./vendor/lit-html/directives/repeat.js";

/** What a start does not need is brought when it is wanted. */
const brought = {past: /** @type {typeof import("../past/replay.js") | null} */ (null), form: /** @type {typeof import("../making/form.js") | null} */ (null), talk: /** @type {typeof import("../talk/chat.js") | null} */ (null)};

/** @typedef {import("./store.js").Option} Option @typedef {import("./store.js").State} State */

const root = document.body.dataset.root ?? "";
const token = tokenOf(location.origin + root + "/");
const api = apiOf(root, () => token.value);
const main = /** @type {HTMLElement} */ (document.getElementById("page"));

main.replaceChildren();

/** @type {State} */
let state = EMPTY;
let end = () => {};

/** @param {import("./store.js").Happening} happening */
function happens(happening) {
  state = after(state, happening);
  paint();
}

/** Do what may be refused, and say why where it is. @param {() => Promise<void>} what */
async function tries(what) {
  try { await what(); } catch (error) {
    if (!(error instanceof Refused)) throw error;
    happens({is: "refused", problem: error.message});
  }
}

// --- What is done ---------------------------------------------------------------------------------------

async function guest() {
  if (!token.value) {
    const made = await api.call("POST", "/players", {name: "Guest"});
    token.use(made.token);
    token.keep(true);
  }
}

async function names() {
  happens({is: "listed", games: (await api.call("GET", "/games")).items});
}

/** Read what waits for the reader, and where there is room. */
async function news() {
  const open = api.call("GET", "/matches?status=lobby&limit=10");
  if (!token.value) return happens({is: "came", mine: [], inbox: [], open: (await open).items});
  const [, mine, inbox, lobbies] = await Promise.all([state.me ? null : api.call("GET", "/players/me").then(({id, name}) => happens({is: "named", id, name})),
    api.call("GET", "/matches?player=me&limit=30"), api.call("GET", "/inbox"), open]);
  happens({is: "came", mine: mine.items, inbox: inbox.items, open: lobbies.items});
  const asked = await Promise.all(toAsk(mine.items, inbox.items).map(({id}) => api.call("GET", `/matches/${id}`)));
  happens({is: "turns", turns: Object.fromEntries(asked.map((match) => [match.id, turnOf(match)]))});
}

const NEWS_MS = 15_000;

/** A lost connection is shown, and heals by itself. */
async function renews() {
  const isOnline = await news().then(() => true, () => false);
  if (isOnline !== state.isOnline) happens({is: "online", isOnline});
}

/** Show the start, and keep it new. */
function begin() {
  happens({is: "opened", id: null});
  void tries(async () => { await Promise.all([names(), news()]); });
  const again = window.setInterval(() => { if (!document.hidden) void renews(); }, NEWS_MS);
  end = () => clearInterval(again);
}

/** Play a game against bots. @param {any} game */
async function playNow(game) {
  happens({is: "sending"});
  await guest();
  const bots = Array.from({length: game.seats.usual - 1}, () => ({kind: "bot", level: "steady"}));
  const made = await api.call("POST", "/matches", {game: game.game, seats: [{kind: "me"}, ...bots]});
  location.hash = `m=${made.id}`;
}

/** Ask for all that a table of a game may have. @param {string} name */
async function think(name) {
  happens({is: "opened", id: null});
  const [form] = await Promise.all([import("../making/form.js"), state.games.length ? null : names()]);
  brought.form = form;
  const game = state.games.find((one) => one.game === name);
  if (!game) throw new Refused("There is no such game here.", 404, "not_found");
  happens({is: "making", draft: form.fresh(game)});
}

/** @param {any} body */
async function make(body) {
  happens({is: "sending"});
  await guest();
  location.hash = `m=${(await api.call("POST", "/matches", body)).id}`;
}

/** Be called otherwise from now on. @param {string} called */
async function rename(called) {
  const {id, name} = await api.call("PATCH", "/players/me", {name: called});
  happens({is: "named", id, name});
}

/** Sit down where anybody may. @param {any} match */
async function join(match) {
  const seat = match.seats.find((/** @type {any} */ one) => one.kind === "open");
  happens({is: "sending"});
  await guest();
  try {
    await api.call("PUT", `/matches/${match.id}/seats/${seat.seat}`, {});
  } catch (error) {
    void tries(news);
    throw error;
  }
  if (state.id === match.id) happens({is: "sent"});
  location.hash = `m=${match.id}`;
}

async function sitDown() {
  const {invited} = state;
  if (!invited) return;
  happens({is: "sending"});
  await guest();
  const seats = invited.seat === null ? await kept(invited) : [invited.seat];
  for (const seat of seats) {
    try {
      await api.call("PUT", `/matches/${invited.id}/seats/${seat}`, {invite: invited.code});
      break;
    } catch (error) {
      if (seat === seats.at(-1) || !(error instanceof Refused) || error.code !== "bad_invite") throw error;
    }
  }
  location.hash = `m=${invited.id}`;
}

/** Read which seats wait for a friend; a code does not say for which it is. @param {{id: string, code: string}} invited @returns {Promise<number[]>} */
async function kept({id, code}) {
  const match = await api.call("GET", `/matches/${id}`, undefined, {"Dealt-Invite": code});
  return match.seats.filter((/** @type {any} */ one) => one.kind === "invite" && !one.player).map((/** @type {any} */ one) => one.seat);
}

/** Look back at a match from one of its versions on. @param {string} id @param {number} version */
async function remember(id, version) {
  happens({is: "opened", id});
  const [match, {release}, marks] = await Promise.all([api.call("GET", `/matches/${id}`), api.call("GET", "/games"), api.call("GET", `/matches/${id}/replay/marks`)]);
  happens({is: "seen", match, offer: {version: match.version, seat: null, moves: [], also: []}});
  const [steps, past] = await Promise.all([api.past(id, match.version, release), import("../past/replay.js")]);
  brought.past = past;
  happens({is: "remembered", steps, marks: marks.items, version});
}

/** Show another version, whose address is that of the page from now on. @param {number} version */
function step(version) {
  happens({is: "stepped", version});
  history.replaceState(null, "", `#m=${state.id}&v=${state.past?.version ?? 1}`);
}

/** Show a match, and follow it. @param {string} id */
function open(id) {
  happens({is: "opened", id});
  let isStale = false;
  /** @type {Promise<void> | null} */
  let looking = null;
  const looks = async () => {
    while (isStale) {
      isStale = false;
      await tries(async () => {
        const [match, offer] = await Promise.all([api.call("GET", `/matches/${id}`), api.call("GET", `/matches/${id}/moves`)]);
        if (match.version === offer.version) happens({is: "seen", match, offer});
        else isStale = true;
        talks(match);
      });
    }
    looking = null;
  };
  const look = () => {
    isStale = true;
    looking ??= looks();
    return looking;
  };
  let soon = 0;
  let silence = () => {}, isTalking = false;
  const talks = (/** @type {any} */ match) => {
    if (isTalking || isLeft || !isTalked(match)) return;
    isTalking = true;
    void import("../talk/chat.js").then((talk) => {
      brought.talk = talk;
      if (!isLeft) silence = api.follow(`/matches/${id}/chat`, ({change}) => change, {told: (message) => happens({is: "spoken", message}), online: () => {}, refused: () => {}});
    });
  };
  let isLeft = false;
  const clock = window.setInterval(() => { if (state.match?.deadline) paint(); }, SECOND_MS);
  const follows = api.follow(`/matches/${id}/events`, ({seq}) => seq, {
    told: (event) => {
      happens({is: "told", event});
      clearTimeout(soon);
      soon = window.setTimeout(() => { if (event.seq > (state.match?.version ?? 0)) void look(); }, 30);
    },
    online: (isOnline) => {
      if (isOnline === state.isOnline) return;
      happens({is: "online", isOnline});
      if (isOnline) void look();
    },
    refused: (error) => happens({is: "refused", problem: error.message}),
  });
  end = () => { isLeft = true; clearTimeout(soon); clearInterval(clock); follows(); silence(); };
  if (!state.games.length) void tries(names);
  again = look;
  void look();
}

let again = async () => {};

const SECOND_MS = 1_000;

/** Say something at the table; gives whether it was said. @param {string} text */
async function say(text) {
  let isSaid = false;
  await tries(async () => {
    await api.call("POST", `/matches/${state.id}/chat`, {text}, {"Idempotency-Key": crypto.randomUUID()});
    isSaid = true;
  });
  return isSaid;
}

/** Give the record of the match to the reader, as a file. @param {string} id */
async function keep(id) {
  const address = URL.createObjectURL(await api.record(id));
  Object.assign(document.createElement("a"), {href: address, download: `dealt-${id}.json`}).click();
  setTimeout(() => URL.revokeObjectURL(address), SECOND_MS);
}

/** @param {Option} option */
async function send(option) {
  if (state.isSending || !state.match) return;
  const several = (state.match.your_seats.length > 1 && state.offer?.seat !== null) ? {seat: state.offer?.seat} : {};
  happens({is: "sending"});
  try {
    await api.call("POST", `/matches/${state.id}/moves`, {name: option.move, args: option.args, ...several}, {"Idempotency-Key": crypto.randomUUID()});
    await again();
    happens({is: "sent"});
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await again();
    happens({is: "refused", problem: error.message});
  }
}

/** Make the move that options lead to, or ask which. @param {Option[]} options */
function press(options) {
  const moves = [...(state.offer?.moves ?? []), ...(state.offer?.also ?? [])];
  const found = ways(options, moves), [only] = found;
  if (only && found.length === 1) void tries(() => send(only));
  else happens({is: "asked", ask: {title: asked(options), options: found}});
}

/** @param {Option[]} options */
function asked(options) {
  const named = Object.values(options[0]?.args ?? {})[0];
  return typeof named === "string" ? `What with the ${inWords(named)}?` : "What do you do?";
}

function route() {
  end();
  end = () => {};
  const said = new URLSearchParams(location.hash.slice(1)), id = said.get("m"), code = said.get("invite"), version = Number(said.get("v"));
  if (id && code) {
    happens({is: "opened", id: null});
    happens({is: "invited", invited: {id, seat: said.has("seat") ? Number(said.get("seat")) : null, code}});
  } else if (id && version) void tries(() => remember(id, version));
  else if (id) open(id);
  else if (said.get("new")) void tries(() => think(said.get("new") ?? ""));
  else begin();
}

// --- What is shown --------------------------------------------------------------------------------------

/** @param {number} seat */
function nameOf(seat) {
  const there = state.match?.seats[seat];
  if (!there) return `Seat ${seat}`;
  if (state.match.your_seat === seat) return "You";
  return there.player?.name ? `${there.player.name} (seat ${seat})` : there.kind === "bot" ? `Bot ${seat}` : `Seat ${seat}`;
}

/** @param {string} text */
const personal = (text) => told(text, state.match?.your_seats ?? [], nameOf);

/** Say how long a seat has that shall act. @param {number} seat */
function timeOf(seat) {
  const deadline = state.match?.seats[seat]?.deadline;
  return deadline && state.match.to_act.includes(seat) ? left(Date.parse(deadline) - api.now()) : "";
}

/** Say whether somebody sits here who reads what the reader says. @param {any} match */
const isTalked = (match) => match.your_seat !== null && match.seats.filter((/** @type {any} */ seat) => seat.player).length > 1;

const STARTED = /** @type {Record<string, string>} */ ({lobby: "Waiting for players", finished: "The match is over",
  abandoned: "The match was given up", cancelled: "The match was cancelled", expired: "The match did not begin in time"});

function status() {
  const {match} = state;
  if (!match) return "The table is being set …";
  if (match.result) {
    const winners = match.result.winners.map(nameOf);
    return `${STARTED[match.status] ?? match.status}. ${winners.length ? `${winners.join(" and ")} won.` : "Nobody won."}`;
  }
  if (match.status !== "playing") return STARTED[match.status] ?? match.status;
  if (match.to_act.includes(match.your_seat)) return "Your turn.";
  return match.to_act.length ? `Waiting for ${match.to_act.map(nameOf).join(", ")}.` : "One moment …";
}

const SITS = /** @type {Record<string, string>} */ ({invite: "is kept for a friend", open: "is free for anybody", bot: ""});

/** The seats of a table that has not begun, with links for those that are kept. */
function lobby() {
  const {match} = state;
  const link = (/** @type {any} */ one) => `${location.origin}${root}/play#m=${match.id}&seat=${one.seat}&invite=${one.invite}`;
  const links = (match.invites ?? []).filter((/** @type {any} */ one) => one.invite);
  const isFree = match.your_seat === null && match.seats.some((/** @type {any} */ one) => one.kind === "open");
  return html`<section class="lobby"><h2>Who sits here</h2>
    <ul>${match.seats.map((/** @type {any} */ seat) => html`<li>${nameOf(seat.seat)} <span class="soft">${seat.player ? "" : SITS[seat.kind] ?? seat.kind}</span></li>`)}</ul>
    ${isFree ? html`<p><button type="button" class="main" ?disabled=${state.isSending} @click=${() => void tries(() => join(match))}>Sit down</button></p>` : nothing}
    ${links.map((/** @type {any} */ one) => html`<label>Send this link to a friend, for seat ${one.seat}
      <input readonly .value=${link(one)} @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}></label>
      <button type="button" @click=${() => navigator.clipboard?.writeText(link(one))}>Copy the link</button>`)}</section>`;
}

function invited() {
  return html`<h1 tabindex="-1" id="title">You are invited to a table</h1>${trouble()}
    <p class="lead">A seat is kept for you. You need no account: this browser keeps it.</p>
    <p><button type="button" class="main" ?disabled=${state.isSending} @click=${() => void tries(sitDown)}>Sit down</button> <a class="back" href="#">All games</a></p>`;
}

function playing() {
  const {match, offer} = state, moves = offer?.moves ?? [], also = offer?.also ?? [];
  const here = onTable(moves);
  const ways = {held: state.chosen, isStill: state.isSending, pot: match?.scene?.numbers?.pot, send: (/** @type {Option} */ one) => void tries(() => send(one)), press};
  return html`
    <div class="bar">
      <a class="back" href="#">All games</a>
      <h1 tabindex="-1" id="title">${match ? titleOfGame(match.game) : "A match"}</h1>
      <p class="turn ${match?.to_act?.includes(match.your_seat) ? "mine" : ""}" role="status">${status()}</p>
      <p class="unseen" role="status">${match?.deadline && match.to_act.includes(match.your_seat) ? warning(Date.parse(match.deadline) - api.now()) : ""}</p>
    </div>
    ${trouble()}
    ${match?.scene ? html`<div class="felt" aria-label="The table" role="region" data-version=${match.version}>${table(match.scene, {pressed: here.pressed, chosen: here.chosen,
      held: state.chosen, isStill: state.isSending, press, name: nameOf, time: timeOf,
      choose: (card, most) => happens({is: "chose", card, most})})}</div>` : match?.status === "lobby" ? lobby() : nothing}
    <div class="actions" role="region" aria-label="What you may do">
      ${question(state.ask, ways, () => happens({is: "asked", ask: null}))}
      ${repeat(here.others, ({name}) => name, (move) => control(move, ways))}
      ${!match?.result ? nothing : html`<button type="button" class="main" @click=${() => void tries(async () => {
        const games = state.games.length ? state.games : (await api.call("GET", "/games")).items;
        await playNow(games.find((/** @type {any} */ one) => one.game === match.game));
      })}>Play again</button>
        <a class="button" href="#m=${match.id}&v=1">Look back</a>
        <button type="button" class="record" @click=${() => void tries(() => keep(match.id))}>Download the record</button>`}
    </div>
    <section class="log" aria-label="What happened">
      <ol role="log" aria-live="polite">${repeat(state.log.slice(-60), ({seq}) => seq, ({text}) => html`<li>${personal(text)}</li>`)}</ol>
    </section>
    ${brought.talk && match && isTalked(match) ? brought.talk.chat(state.chat, (seat) => nameOf(Number(seat)), say) : nothing}
    ${also.length ? html`<details class="also"><summary>What else you may do</summary><div class="more">${repeat(also, ({name}) => name, (move) => control(move, ways))}</div></details>` : nothing}`;
}

/** @param {string} game */
const titleOfGame = (game) => state.games.find((one) => one.game === game)?.title
  ?? game.split("_").map((word) => word[0]?.toUpperCase() + word.slice(1)).join(" ");

function trouble() {
  return html`<div role="alert">${state.problem ? html`<p class="problem">${state.problem}</p>` : nothing}
    ${state.isOnline ? nothing : html`<p class="problem">The connection is lost. It is being taken up again …</p>`}</div>`;
}

function making() {
  if (!state.making || !brought.form) return html`<h1 tabindex="-1" id="title">A table</h1>${trouble()}<p><a class="back" href="#">All games</a></p>`;
  return brought.form.tableToMake({draft: state.making, isStill: state.isSending, trouble: trouble(), root,
    change: (draft) => happens({is: "making", draft}), make: (body) => void tries(() => make(body))});
}

const starting = () => start({state, root, now: api.now(), trouble: trouble(), title: titleOfGame, rename: (name) => void tries(() => rename(name)), play: (game) => void tries(() => playNow(game)), join: (match) => void tries(() => join(match))});

/** Show the one thing that the address is of. */
function shown() {
  if (state.invited) return invited();
  if (state.past && brought.past) return brought.past.lookingBack(state.past, state.match, nameOf, personal, step);
  if (state.id) return playing();
  return location.hash.startsWith("#new=") ? making() : starting();
}

let isPainting = false, isOld = false;

/** Paint what is; what happens meanwhile, as to a field that is left by being taken away, is painted afterwards. */
function paint() {
  isOld = true;
  if (isPainting) return;
  isPainting = true;
  try {
    while (isOld) {
      isOld = false;
      paints();
    }
  } finally { isPainting = false; }
}

function paints() {
  const focused = document.activeElement, wasInside = focused !== document.body && main.contains(focused);
  render(shown(), main);
  for (const log of main.querySelectorAll("[role=log]")) follows(/** @type {HTMLElement} */ (log));
  document.title = state.match ? `${state.match.to_act.includes(state.match.your_seat) ? "Your turn: " : ""}${titleOfGame(state.match.game)}` : "Dealt: play cards";
  if (state.ask && !main.querySelector(".ask")?.contains(document.activeElement)) first(".ask button");
  // What had the focus is gone, as a card that was played: what may be pressed next has it then.
  else if (wasInside && !state.isSending && !focused?.isConnected) first(".felt button:enabled, .actions button:enabled, #title");
}

/** Show the end of a log where something has been added to it. @param {HTMLElement} log */
function follows(log) {
  const now = log.lastElementChild?.textContent ?? "";
  if (log.dataset.end === now) return;
  log.dataset.end = now;
  log.scrollTop = log.scrollHeight;
}

/** @param {string} selector */
const first = (selector) => /** @type {HTMLElement | null} */ (main.querySelector(selector))?.focus({preventScroll: true});

// The address of a match in the API leads a browser here, and what was behind its `#` comes along.
const led = new URLSearchParams(location.search).get("m");
if (led) history.replaceState(null, "", `${location.pathname}#m=${encodeURIComponent(led)}${location.hash.replace("#", "&")}`);
addEventListener("hashchange", route);
route();
