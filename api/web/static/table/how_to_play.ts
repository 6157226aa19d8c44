/** Shows how to play the open match: the aim of the game, and the rules of this table in a paragraph. */

import { html, type TemplateResult } from "lit-html";
import { says } from "../words/below.js";
import { api, repaint, state } from "./app.js";

/** The paragraph of each match that was asked for; empty if it cannot be read now. */
const rules = new Map<string, string>();

/** Between the title and the seats, the log as text has a paragraph on the rules of the table. */
const RULES = /^.*\n\n([\s\S]+?)\n\n/;

const SILENT_MS = 10_000,
  MOST = 4_000;

/** Read the rules of a match from the beginning of its log as text; the rest is not read. */
export async function readRules(id: string): Promise<void> {
  if (rules.get(id)) return;
  const { root, headers } = api.line;
  try {
    const answer = await fetch(`${root}/v1/matches/${id}/events`, {
      headers: headers({ Accept: "text/plain" }),
      signal: AbortSignal.timeout(SILENT_MS),
    });
    rules.set(id, answer.ok && answer.body ? await beginning(answer.body) : "");
  } catch {
    rules.set(id, "");
  }
  repaint();
}

async function beginning(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; text.length < MOST; ) {
    const { value, done } = await reader.read();
    text += value ?? "";
    const found = RULES.exec(text);
    if (found || done) {
      void reader.cancel().catch(() => {});
      return found?.[1]?.replaceAll("\n", " ") ?? "";
    }
  }
  return "";
}

/** Show the aim of the game, the rules of the table, and a link to the rulebook, which opens beside the game. */
export function howToPlay(match: Api.Match): TemplateResult {
  const summary = state.games.find(({ game }) => game === match.game)?.summary ?? "";
  return html`<p>${summary}</p><p class="rules">${rules.get(match.id) ?? says.loading}</p>
    <p><a href="${api.line.root}/docs/rules/${match.game}" target="_blank" rel="noopener">${says.allRules}</a></p>`;
}
