/**
 * Follows matches that the engine plays, and compares the public table after each move.
 *
 *     node follow.js GAMES-DIRECTORY
 *
 * Each line of the input is a match: `{game, options, seats, steps}`. A step has the facts of the game in a commit,
 * its time in milliseconds, and the table as the engine shows it to spectators afterwards. Each line of the output is
 * the first disagreement, `{step, fact, why, …}`, or `{facts}`.
 */

import { createInterface } from "node:readline";
import { canonical, judgeFact } from "../../api/web/static/past/verify/referee_kit.ts";
import type { Fact, Fields, Referee } from "../../api/web/static/past/verify/referee.ts";

interface Step { readonly at: number; readonly facts: Fact[]; readonly view: Fields }
interface Played { readonly game: string; readonly options: Fields; readonly seats: number; readonly steps: Step[] }

const referees = new Map<string, Referee<unknown>>();

async function refereeOf(game: string): Promise<Referee<unknown>> {
  const known = referees.get(game);
  if (known) return known;
  const { referee } = await import(new URL(`../../domain/games/${game}/referee.js`, import.meta.url).href);
  referees.set(game, referee);
  return referee;
}

/** Return the fields in which two tables differ. */
const differing = (ours: Fields, theirs: Fields) => Object.keys({ ...ours, ...theirs })
  .filter((name) => canonical(ours[name] ?? null) !== canonical(theirs[name] ?? null))
  .map((name) => ({ name, referee: ours[name], engine: theirs[name] }));

async function follow({ game, options, seats, steps }: Played) {
  const referee = await refereeOf(game);
  const state = referee.begin(options, seats);
  let facts = 0;
  for (const [step, { at, facts: its, view }] of steps.entries()) {
    referee.at?.(state, at);
    for (const fact of its) {
      facts += 1;
      const next = referee.next(state);
      if (next.kind === "rest") referee.startGame(state);
      const why = judgeFact(referee.next(state), fact, referee.open);
      if (why) return { step, fact, why, next: next.kind === "due" ? next.fact : next.kind, view: referee.view(state) };
      referee.happen(state, fact);
    }
    const wrong = differing(referee.view(state), view);
    if (wrong.length) return { step, fact: its.at(-1), why: "The tables differ.", wrong };
  }
  return { facts };
}

for await (const line of createInterface({ input: process.stdin })) {
  let found: unknown;
  try {
    found = await follow(JSON.parse(line));
  } catch (error) {
    found = { why: String(error instanceof Error ? error.stack : error) };
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
