/** Speaks to the public API, and to nothing else. The token goes in a header, never in an address. */

import {says} from "../words/table.js";

/** The server has refused, or could not be asked; the message is for people. */
export class Refused extends Error {
  /** @param {string} message @param {number} status 0 where there was no answer @param {string} code */
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const SHOWN = "id,game,status,version,seats,your_seat,your_seats,to_act,deadline,scene,result,invites";
const SILENT_MS = 25_000;
const SAME_MS = 2_000;  // clocks that differ by less are taken for the same: the server tells its time in seconds
const [SOONEST_MS, LATEST_MS] = [500, 8_000];

/** @param {string} root the address of the server @param {() => string} token */
export function apiOf(root, token) {
  let ahead = 0;  // of our clock, so many milliseconds the server's is
  /** @param {Response} answer */
  const heeds = (answer) => {
    const there = Date.parse(answer.headers.get("Date") ?? "") - Date.now();
    if (there) ahead = Math.abs(there) > SAME_MS ? there : 0;
  };

  /** @param {Record<string, string>} more */
  const headers = (more) => /** @type {Record<string, string>} */ ({...(token() ? {Authorization: `Bearer ${token()}`} : {}), ...more});

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [more] headers
   * @param {(answer: Response) => void} [hears] what is done with the headers of the answer
   * @returns {Promise<any>} what the server answers
   */
  async function call(method, path, body, more = {}, hears = () => {}) {
    const known = headers({Accept: "application/json", ...more});
    if (body !== undefined) known["Content-Type"] = "application/json";
    const sent = {method, headers: known, body: body === undefined ? null : JSON.stringify(body)};
    const answer = await fetch(`${root}/v1${path}`, sent).catch(() => null);
    if (!answer) throw new Refused(says.lost, 0, "lost");
    heeds(answer);
    const data = answer.status === 204 ? null : await answer.json().catch(() => null);
    if (answer.ok) {
      hears(answer);
      return data;
    }
    const reasons = Object.entries(data?.errors ?? {}).map(([field, said]) => `${named(field)}: ${/** @type {string[]} */ (said).join(" ")}`);
    throw new Refused(reasons.join(" ") || (data?.detail ?? data?.title ?? says.answers(answer.status)), answer.status, data?.code ?? "");
  }

  /**
   * Read the tables of all versions of a match, in as few answers as the server gives.
   * @param {string} id @param {number} last @param {string} release @param {string | null} [seat] whose view it is; null: the reader's own
   * @returns {Promise<import("./store.js").Step[]>}
   */
  async function past(id, last, release, seat = null) {
    const steps = [];
    for (let from = 1; from;) {
      const answer = await fetch(`${root}/v1/matches/${id}/replay?from=${from}&to=${last}&release=${release}${seat === null ? "" : `&seat=${seat}`}`,
        {headers: headers({Accept: "application/x-ndjson"})}).catch(() => null);
      if (!answer?.ok) throw new Refused(answer ? says.pastIsClosed : says.lost, answer?.status ?? 0, "past");
      const lines = (await answer.text()).trim().split("\n").map((line) => JSON.parse(line));
      steps.push(...lines);
      from = lines.at(-1)?.next ?? 0;
    }
    return steps;
  }

  /**
   * Follow a stream until it is over, as the events of a match; a lost connection is taken up again where it was lost.
   * @param {string} path
   * @param {(data: any) => number} idOf gives the number of what was told, after which it goes on
   * @param {{told: (event: any) => void, online: (isOnline: boolean) => void, refused: (error: Refused) => void}} heard
   * @returns {() => void} ends it
   */
  function follow(path, idOf, heard) {
    let last = 0, isOver = false, pause = SOONEST_MS;
    let control = new AbortController();
    const once = async () => {
      control = new AbortController();
      let watch = setTimeout(() => control.abort(), SILENT_MS);
      const answer = await fetch(`${root}/v1${path}`,
        {headers: headers({Accept: "text/event-stream", "Last-Event-ID": String(last)}), signal: control.signal});
      if (answer.status === 204) return true;
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
        heard.refused(new Refused(says.matchIsClosed, answer.status, "not_found"));
        return true;
      }
      if (!answer.ok || !answer.body) throw new Error(String(answer.status));
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = "";;) {
        const {value, done} = await reader.read();
        clearTimeout(watch);
        if (done) return false;
        heard.online(true);
        pause = SOONEST_MS;
        watch = setTimeout(() => control.abort(), SILENT_MS);
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const data of blocks.flatMap(dataOf)) {
          last = idOf(data);
          heard.told(data);
        }
      }
    };
    const loop = async () => {
      while (!isOver) {
        try { isOver = await once() || isOver; } catch { if (!isOver) heard.online(false); }
        if (!isOver) await new Promise((resolve) => { setTimeout(resolve, pause); });
        pause = Math.min(LATEST_MS, pause * 2);
      }
    };
    // A page that is left may be kept for who comes back, and would keep one of the few connections of its browser.
    const leave = () => control.abort();
    addEventListener("pagehide", leave);
    void loop();
    return () => { isOver = true; removeEventListener("pagehide", leave); control.abort(); };
  }

  /** Give the record of a match, as a file. @param {string} id @returns {Promise<Blob>} */
  async function record(id) {
    const answer = await fetch(`${root}/v1/matches/${id}/record`, {headers: headers({})}).catch(() => null);
    if (!answer?.ok) throw new Refused(answer ? says.recordIsClosed : says.lost, answer?.status ?? 0, "record");
    return answer.blob();
  }

  /** Read a match, as far as the page shows it. @param {string} id @param {Record<string, string>} [more] headers */
  const match = (id, more = {}) => call("GET", `/matches/${id}?fields=${SHOWN}`, undefined, more);

  return {call, follow, match, past, record, now: () => Date.now() + ahead};
}

/** Name a field of a request as people count: `orders.0.if.phase` is "orders 1 if phase". @param {string} field */
const named = (field) => field.split(".").map((part) => /^\d+$/.test(part) ? Number(part) + 1 : part.replaceAll("_", " ")).join(" ");

/** Read an event off a block of a stream; comments have none. @param {string} block @returns {any[]} */
export function dataOf(block) {
  return block.split("\n").filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice(6)));
}
