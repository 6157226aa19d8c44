/** Follows streams of the API, such as the events of a match; a lost connection continues where it stopped. */

import {AWAKE, patience, Refused, SOONEST_MS, WOKEN} from "./api.js";
import {says} from "../words/below.js";

const QUIET_MS = 15_000;  // an active stream sends something every ten seconds
const LATEST_MS = 8_000;
// All tabs share six connections. Streams may hold this many; the others are read in short turns.
const PLACES = 4;
const [TURN_MS, BETWEEN_MS, UNSEEN_MS] = [200, 2_000, 15_000];  // a turn lasts until the stream is silent for a while

/** @typedef {ReturnType<typeof import("./api.js").apiOf>["line"]} Line */

/**
 * Follow a stream on one of the connections that all tabs share; without one if none is free, or the tab is hidden.
 * @param {string} root
 * @param {(isPlaced: boolean) => Promise<boolean>} follows
 * @param {number} [n]
 * @returns {Promise<boolean>}
 */
const placed = async (root, follows, n = 0) => document.hidden || n === PLACES ? follows(false)
  : !navigator.locks ? follows(true)  // this exists only on secure addresses
  : navigator.locks.request(`${root}/v1 ${n}`, {ifAvailable: true},
    (place) => place ? follows(true) : placed(root, follows, n + 1));

/**
 * Follow a stream until it ends.
 * @template [E=Api.Event]
 * @param {Line} line the function that opens a stream
 * @param {string} path
 * @param {(data: E) => number} idOf returns the number of an event, from which the stream continues
 * @param {{told: (event: E) => void, refused: (error: Refused) => void}} heard
 * @param {number} [last] the number of the last known event
 * @returns {() => void} stops following
 */
export function follow({root, token, headers, noteLost, sleep, restart, open}, path, idOf, heard, last = 0) {
  let isOver = false, tries = 0, watch = 0;
  const me = {}, end = new AbortController();
  /** @param {AbortSignal} signal @param {boolean} isPlaced */
  const once = async (signal, isPlaced) => {
    const used = token(), late = new AbortController();
    watch = window.setTimeout(() => late.abort(), patience(tries));
    // In Firefox, a second tab waits for a response that the first might cache, so streams are requested uncached.
    const answer = await fetch(`${root}/v1${path}`,
      {cache: "no-store", headers: headers({Accept: "text/event-stream", "Last-Event-ID": String(last)}),
        signal: AbortSignal.any([signal, late.signal, end.signal])});
    if (answer.status === 204) return true;
    if (answer.status === 401 && used !== token()) return false;
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
      heard.refused(new Refused(says.matchIsClosed, answer.status, "not_found"));
      return true;
    }
    if (!answer.ok || !answer.body) throw new Error(String(answer.status));
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const pauses = () => void reader.cancel().catch(() => {});
    const stays = isPlaced && !document.hidden;
    if (stays) document.addEventListener("visibilitychange", pauses, {once: true});
    for (let rest = "";;) {
      const {value, done} = await reader.read();
      clearTimeout(watch);
      if (done) return false;
      noteLost(me, false);
      tries = 0;
      watch = stays ? window.setTimeout(restart, QUIET_MS) : window.setTimeout(pauses, TURN_MS);
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const data of /** @type {E[]} */ (blocks.flatMap(dataOf))) {
        last = idOf(data);
        heard.told(data);
      }
    }
  };
  const loop = async () => {
    while (!isOver) {
      const signal = open(), isWoken = () => signal.reason === WOKEN;
      let pause = Math.min(LATEST_MS, SOONEST_MS * 2 ** tries);
      try {
        isOver = await placed(root, (isPlaced) => {
          if (!isPlaced) pause = document.hidden ? UNSEEN_MS : BETWEEN_MS;
          return once(signal, isPlaced);
        }) || isOver;
      } catch {
        if (!isOver && !isWoken() && tries >= 0) noteLost(me, true);
      } finally { clearTimeout(watch); }
      if (isOver) return noteLost(me, false);
      tries = isWoken() || await sleep(pause) ? AWAKE : tries + 1;
    }
  };
  void loop();
  return () => {
    isOver = true;
    noteLost(me, false);
    end.abort();
  };
}

/** Read an event from a block of a stream; comments have none. @param {string} block @returns {unknown[]} */
export function dataOf(block) {
  return block.split("\n").filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice(6)));
}
