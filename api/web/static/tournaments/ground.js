/** Shows tournaments: their list, and the page of each; reads the shown parts and keeps them current. */

import {next, NOTHING_YET, waitsForPlayers} from "./happenings.js";
import {readTournament} from "./fetching.js";
import {tournamentList} from "./tournament_list.js";
import {partOf, place} from "./tournament_place.js";
import {comesAs, knowsMe} from "../me/knowing.js";
import {read} from "../past/documents.js";
import {Refused} from "../table/api.js";
import {api, bring, dispatch, idIn, reread, repaint, state, token, attempt} from "../table/app.js";
import {sitsDown} from "../table/kept_seats.js";
import {newNonce} from "../table/nonces.ts";
import {loadModule, loadStyles} from "../table/later.js";
import {catalogue} from "../table/listing.js";
import {saved} from "../table/saving.js";
import {follow as hears} from "../table/streams.js";
import {trouble} from "../table/trouble.js";
import {says as common} from "../words/table.js";
import {says} from "../words/tournaments.js";
import {html} from "lit-html";
import tournamentsStyles from "./tournaments.css?url";

loadStyles(tournamentsStyles);

const SECOND_MS = 1_000, SOONEST_MS = 4_000, LATEST_MS = 60_000, PREPARING_MS = 15_000, SLOWER = 1.5, SOON_MS = 200;
const FEW = 20;
const ANNOUNCING = () => import("./announcing.js");
const RUNNING = () => import("./running.js");
const PLAYERS = () => import("../players/players.js");
const PROVING = () => import("./proving.js");

/** The current state. The object stays the same, and its parts are replaced. */
const ground = {...NOTHING_YET};

/** @param {import("./happenings.js").GroundHappening} happening */
function happened(happening) {
  Object.assign(ground, next(ground, happening));
  repaint();
  if (happening.is === "asks" && happening.what)
    /** @type {HTMLElement | null} */ (document.querySelector("#page .answers button:last-child"))?.focus();
}

const params = () => new URLSearchParams(location.hash.slice(1));

/** Begin with the page that the address names. @returns {() => void} leaves it */
export function begin() {
  if (!state.games.length) void attempt(catalogue);
  knowsMe();
  const address = params();
  if (address.has("tournament")) return follow(idIn(address, "tournament"));
  if (address.has("tournaments")) return list();
  let leave = () => {}, isLeft = false;
  const enters = (/** @type {{enter: () => () => void}} */ {enter}) => { if (!isLeft) leave = enter(); };
  void (address.has("announce") ? loadModule(ANNOUNCING).then(enters) : loadModule(PLAYERS).then(enters));
  return () => { isLeft = true; leave(); };
}

/** Show the page that the address names. */
export function shown() {
  queueMicrotask(named);
  const address = params();
  if (address.has("tournament")) return tournament();
  if (address.has("tournaments"))
    return tournamentList({list: ground.list, which: which(), now: api.now(), isKnown: Boolean(token.value),
      more: () => void attempt(() => lists(ground.list?.next ?? null))});
  return (address.has("announce") ? bring(ANNOUNCING)?.announcing() : bring(PLAYERS)?.shown())
    ?? html`<h1 tabindex="-1" id="title">${common.oneMoment}</h1>${trouble()}`;
}

/** Set the title of the window. */
function named() {
  const title = document.getElementById("title")?.innerText ?? "";
  document.title = document.querySelector(".yours.now") ? `${says.yourTableTitle} · ${title}` : title;
}

// --- The list -------------------------------------------------------------------------------------------

const which = () => params().get("tournaments") || "announced";
const DEMANDED = /** @type {Record<string, string>} */ ({mine: "mine=true"});

/** Read a list, or its next page. @param {string | null} cursor */
async function lists(cursor) {
  const one = which();
  const page = one === "mine" && !token.value ? {items: [], next: null} : await api.call("GET",
    `/tournaments?limit=24&${DEMANDED[one] ?? `status=${one}`}${cursor ? `&cursor=${cursor}` : ""}`);
  happened({is: "listed", list: {which: one, ...page}, isMore: cursor !== null});
}

function list() {
  happened({is: "opened", id: null});
  void reread(() => lists(null));
  const clock = window.setInterval(repaint, SECOND_MS);
  const again = window.setInterval(() => { if (!document.hidden && !ground.list?.next) void reread(() => lists(null));
    }, LATEST_MS / 2);
  return () => { clearInterval(clock); clearInterval(again); };
}

// --- A tournament's page --------------------------------------------------------------------------------

let look = async () => {};

/** Show a tournament, and keep it current: rarely if nothing changes. @param {string} id */
function follow(id) {
  happened({is: "opened", id});
  let isLeft = false, timer = 0, soon = 0, pause = SOONEST_MS, isStreamed = false, isRefused = false, ends = () => {};
  const told = (/** @type {import("./happenings.js").GroundHappening} */ happening) => { if (!isLeft)
    happened(happening); };
  const loadStyles = async () => {
    clearTimeout(timer);
    const before = ground.tournament?.version;
    await reread(async () => {
      try {
        await readTournament(ground, id,
          (t) => ({part: partOf(t, params().get("part")), round: Number(params().get("round"))}),
          told);
      } catch (error) {
        if (!isLeft || !(error instanceof Refused)) throw error;
      }
    });
    // The match is created a moment after its round was paired.
    const isAwaited = ground.tournament?.your_table && !ground.mine;
    // Moves in a pod, and players who sit down, are no events of the tournament.
    const round = ground.rounds[roundShown()], isUntold = (ground.mine && !ground.tournament?.round)
      || (waitsForPlayers(round) && (round?.tables.length ?? 0) <= FEW);
    pause = isAwaited ? SOONEST_MS : isUntold ? PREPARING_MS : isStreamed
      ? LATEST_MS : ground.tournament?.version === before ? Math.min(LATEST_MS, pause * SLOWER) : SOONEST_MS;
    if (!isLeft && !isStreamed && !isRefused && ground.tournament && goesOn()) streams(ground.tournament.version);
    if (!isLeft && goesOn()) timer = window.setTimeout(() => void again(), pause);
  };
  /** Follow the events of the tournament; poll if the stream is refused. @param {number} version */
  const streams = (version) => {
    isStreamed = true;
    ends = hears(api.line, `/tournaments/${id}/events`, ({seq}) => seq,
      {refused: () => { isStreamed = false; isRefused = true; }, told: ({seq}) => {
      clearTimeout(soon);
      if (seq > (ground.tournament?.version ?? 0)) soon = window.setTimeout(() => void loadStyles(), SOON_MS);
    }}, version);
  };
  const again = () => document.hidden ? waits() : loadStyles();
  const waits = async () => { timer = window.setTimeout(() => void again(), pause); };
  const wakes = () => { if (!document.hidden && goesOn()) void loadStyles(); };
  look = loadStyles;
  void loadStyles();
  const clock = window.setInterval(() => { if (goesOn()) repaint(); }, SECOND_MS);
  addEventListener("visibilitychange", wakes);
  return () => { isLeft = true; ends(); clearTimeout(timer); clearTimeout(soon); clearInterval(clock);
    removeEventListener("visibilitychange", wakes); };
}

const goesOn = () => !ground.tournament || ["announced", "playing"].includes(ground.tournament.status);

const roundShown = () => Number(params().get("round")) || ground.tournament?.round || 0;

function tournament() {
  const t = ground.tournament;
  if (!t || t.id !== params().get("tournament"))
    return html`<div class="bar"><a class="back" href="#tournaments">${says.tournaments}</a></div>
    <h1 tabindex="-1" id="title">${says.aTournament}</h1>${trouble()}`;
  return place({ground, part: partOf(t, params().get("part")), round: roundShown(), now: api.now(),
    happened, enters, leaves: () => does("DELETE", "/entries/mine"),
    rests: (isBack) => does("POST", `/entries/mine/${isBack ? "return" : "rest"}`), sits: () => void attempt(sits),
    keeps: (what) => attemptAgain(() => keeps(what)),
    proves: () => attemptAgain(() => proves(t.id)), proved: ground.proof && bring(PROVING)?.shown(ground.proof),
    runs: t.you_run_it ? bring(RUNNING)?.running({ground, orders, happened}) : null,
    rules: t.you_run_it ? (table) => bring(RUNNING)?.ruling(table, {ground, orders, happened}) : () => null});
}

/** Do something, and remove the message about the last refusal. @param {() => Promise<void>} what */
function attemptAgain(what) {
  dispatch({is: "refused", problem: null});
  void attempt(what);
}

/**
 * Change the open tournament, and show the result. Raises `Refused`.
 * @param {Api.Method} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [more] headers
 */
async function sends(method, path, body, more) {
  const {id} = ground;
  dispatch({is: "sending"});
  const t = /** @type {Api.Tournament} */ (
    await api.call(method, /** @type {string} */ (`/tournaments/${id}${path}`), body, more));
  dispatch({is: "sent"});
  happened({is: "seen", tournament: t, mine: ground.mine});
  happened({is: "asks", what: ""});
  if (ground.id === id) setTimeout(() => void look(), SOON_MS);
}

/**
 * Change the tournament, or show why that was refused.
 * @param {Api.Method} method
 * @param {string} path
 * @param {unknown} [body]
 */
const does = (method, path, body) => void attempt(() => sends(method, path, body));

/**
 * Do something as an organiser: only once, even if the answer is lost, and only if the tournament has not changed since
 * it was shown.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<boolean>} whether it was done
 */
async function orders(path, body) {
  let isDone = false;
  await attempt(async () => {
    try {
      await sends("POST", path, body, {...api.keyed(), "If-Match": `"${ground.tournament.version}"`});
      isDone = true;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "version_mismatch") throw error;
      void look();
      throw new Refused(says.movedOn, error.status, error.code);
    }
  });
  return isDone;
}

/**
 * Enter the tournament; a new player enters as a guest with this name.
 * @param {string} name
 * @param {string} club
 */
const enters = (name, club) => void attempt(async () => {
  dispatch({is: "sending"});
  await comesAs(name);
  does("POST", "/entries", {club: club || null, ...ground.tournament.status === "announced" && {nonce: newNonce()}});
});

/** Take the seat that is reserved for the reader, and go to the table. */
async function sits() {
  const {mine} = ground;
  if (!mine) return;
  await sitsDown(mine, state.me);
  location.hash = `m=${mine.id}`;
}

/** Verify the record of a tournament. Earlier findings are removed if the record cannot be read. @param {string} id */
async function proves(id) {
  const shows = (/** @type {import("./proving.js").Proof | null} */ proof) => happened({is: "proved", id, proof});
  try {
    await (await loadModule(PROVING)).proves(id, shows);
  } catch (error) {
    shows(null);
    throw error;
  }
}

const FILES = /** @type {Record<string, {path: string, accept: string, ending: string}>} */ ({
  record: {path: "/record?tables=true", accept: "*/*", ending: "ndjson"},
  csv: {path: "/standings", accept: "text/csv", ending: "csv"},
  trf: {path: "/trf", accept: "*/*", ending: "trf"},
});

/** Save a file of the tournament. @param {string} what */
async function keeps(what) {
  const file = FILES[what];
  if (!file) return;
  saved(await read(`/tournaments/${ground.id}${file.path}`, says.isClosed, file.accept),
    `tournament-${ground.id}.${file.ending}`);
}
