/**
 * Shows a public match on another site: the table as spectators see it, live, and its replay once it is over. It has no
 * token and sends no moves.
 */

import { html, nothing, render, type TemplateResult } from "lit-html";
import { apiOf } from "../table/api.js";
import { hasAmounts } from "../table/cards.js";
import { nameOf, promptOf, status } from "../table/seating.js";
import type { Step } from "../table/store.ts";
import { table } from "../table/table.js";
import { says } from "../words/embed.js";
import { language } from "../words/language.js";

const root = document.body.dataset.root ?? "",
  id = document.body.dataset.match ?? "",
  main = document.getElementById("page") as HTMLElement,
  api = apiOf(
    root,
    () => "",
    () => {},
  );

const STEP_MS = 1_000,
  SOON_MS = 100;

let match: Api.Match | null = null,
  title = "",
  steps: Step[] = [],
  at = -1,
  timer = 0,
  soon = 0,
  chips: typeof import("../printed/chips.ts") | null = null,
  turn: typeof import("../printed/turn.ts") | null = null;

/** Load what a scene needs to be drawn: chips for amounts, and the steps of a turn. */
async function prepare(scene: Api.Scene): Promise<void> {
  if (scene && hasAmounts(scene)) chips ??= await import("../printed/chips.ts");
  if (scene?.steps.length) turn ??= await import("../printed/turn.ts");
}

/** Read the match, and draw it. */
async function readMatch(): Promise<void> {
  const { offer: _, ...now } = await api.table(id, false);
  await prepare(now.scene);
  match = now;
  paint();
}

/** Read all tables of a match that is over, in as few requests as possible. */
async function readSteps(): Promise<void> {
  for (let from = 1; from; ) {
    const { answer, bytes } = await api.document(`/matches/${id}/replay?from=${from}`, "application/x-ndjson");
    if (!answer.ok) return;
    const lines = new TextDecoder().decode(bytes).trim().split("\n"),
      read = lines.map((line) => JSON.parse(line) as Step);
    steps.push(...read.filter(({ scene }) => scene)); // before the deal there is no table
    from = read.at(-1)?.next ?? 0;
  }
  at = steps.length - 1;
  paint();
}

/** Follow the events of the match, and draw the table again soon after each, until the match is over. */
function follow(): void {
  const events = new EventSource(
    `${root}/v1/matches/${id}/events?after=${match?.version ?? 0}&fields=seq&events=message`,
  );
  events.onmessage = () => {
    clearTimeout(soon);
    soon = window.setTimeout(() => void readMatch().then(end), SOON_MS);
  };
  const end = () => {
    if (!match?.result) return;
    events.close();
    void readSteps();
  };
}

const show = (step: number): void => {
  at = Math.max(0, Math.min(steps.length - 1, step));
  paint();
};

/** Play the replay from here, or from the start if it is at its end. */
function play(): void {
  if (at === steps.length - 1) at = 0;
  timer = window.setInterval(() => {
    if (at < steps.length - 1) show(at + 1);
    else stop();
  }, STEP_MS);
  paint();
}

function stop(): void {
  clearInterval(timer);
  timer = 0;
  paint();
}

function controls(): TemplateResult | typeof nothing {
  if (steps.length < 2) return nothing;
  const button = (label: string, sign: string, press: () => void, isOff = false) =>
    html`<button type="button" aria-label=${label} ?disabled=${isOff} @click=${press}>${sign}</button>`;
  return html`<div class="replay">
    ${button(says.first, "«", () => show(0), at === 0)}
    ${button(says.previous, "‹", () => show(at - 1), at === 0)}
    ${timer ? button(says.pause, "❚❚", stop) : button(says.play, "▶", play)}
    ${button(says.next, "›", () => show(at + 1), at === steps.length - 1)}
    <span>${says.isAt(at + 1, steps.length)}</span></div>`;
}

function paint(): void {
  if (!match) return;
  const seated = match,
    scene = steps[at]?.scene ?? seated.scene,
    name = (seat: number) => nameOf(seated, seat),
    hands = {
      ...chips,
      ...turn,
      pressed: new Map(),
      chosen: new Map(),
      held: [],
      isStill: true,
      press: () => {},
      choose: () => {},
      name,
      tell: (text: string) => text,
      prompt: seated.result ? { text: "", isMine: false } : promptOf(seated, null, (text) => text),
      time: () => "",
    };
  render(
    html`<header><h1>${title}</h1><p role="status">${status(seated)}</p></header>
      <div class="playing stays"><div class="felt" data-version=${steps[at]?.version ?? seated.version}>
        ${scene ? table(scene, hands) : html`<p class="prompt">${says.notBegun}</p>`}</div></div>
      <footer>${controls()}<a href="${root}/play?m=${id}" target="_blank" rel="noopener">${says.open}</a></footer>`,
    main,
  );
}

async function begin(): Promise<void> {
  document.documentElement.lang = language;
  main.replaceChildren();
  const games = api.call("GET", "/games?fields=game,title");
  await readMatch();
  title = (await games).items.find(({ game }) => game === match?.game)?.title ?? "";
  paint();
  if (match?.result) await readSteps();
  else follow();
}

begin().catch(() => {
  render(html`<p class="closed">${says.closed}</p>`, main);
});
