/** Groups the events of a match into moves, and the moves into hands. Runs without a browser. */

import type { Mark, Step } from "../table/store.ts";

type Event = Pick<Step, "version" | "commit" | "text" | "scene">;

/** A move with its consequences: its first event, its last one, and their texts. */
export interface Move {
  from: number;
  version: number;
  texts: readonly string[];
  /** The trick or turn that begins with it. */
  title: string;
}

/** A hand, or a game of one that has no hands. Its version is that of the deal. */
export interface Part {
  title: string;
  version: number;
  moves: Move[];
}

interface Piece {
  from: number;
  version: number;
  texts: string[];
  /** Whether it begins within a commit, as the next deal does after the last move of a hand. */
  isRest: boolean;
}

const kindOf = ({ at }: Mark): string => at.split(":")[0] ?? at;

/** Return the marks of the largest parts. */
function partMarks(marks: readonly Mark[]): Mark[] {
  const hands = marks.filter((mark) => kindOf(mark) === "hand");
  return hands.length ? hands : marks.filter((mark) => kindOf(mark) === "game");
}

/** Return the version of the first deal; null without one. */
export const firstDeal = (marks: readonly Mark[]): number | null => partMarks(marks)[0]?.version ?? null;

/** Return the parts of a match as far as its events are known. */
export function partsOf(steps: readonly Event[], marks: readonly Mark[]): Part[] {
  const bounds = partMarks(marks);
  const parts = bounds.map(({ text, version }): Part => ({ title: text, version, moves: [] }));
  const titles = marks.filter((mark) => !["game", "hand"].includes(kindOf(mark)));
  const first = bounds[0]?.version ?? 0;
  for (const piece of piecesOf(steps)) {
    if (piece.isRest || piece.from <= first) continue;
    // The part that began before its last event: the deal after it belongs to the same commit.
    const part = parts.filter(({ version }) => version < piece.from).at(-1);
    const { from, version, texts } = piece;
    const before = part?.moves.at(-1)?.from ?? part?.version ?? 0;
    const title = titles.filter((mark) => mark.version < from && mark.version >= before).at(-1);
    part?.moves.push({ from, version, texts, title: title?.text.split(", ")[1] ?? "" });
  }
  return parts;
}

/** Split events by their commits, and those by the numbers of hands. */
function piecesOf(steps: readonly Event[]): Piece[] {
  const pieces: Piece[] = [];
  let before: Event | null = null;
  for (const step of steps) {
    const isSame = before?.commit === step.commit;
    if (isSame && handOf(before) === handOf(step)) {
      const piece = pieces.at(-1);
      if (piece) Object.assign(piece, { version: step.version, texts: [...piece.texts, step.text] });
    } else pieces.push({ from: step.version, version: step.version, texts: [step.text], isRest: isSame });
    before = step;
  }
  return pieces;
}

const handOf = (step: Event | null): number | undefined => step?.scene?.numbers.hand;

/** Return the versions at which a replay stops: the deals, and the ends of moves. */
export const stopsOf = (parts: readonly Part[]): number[] =>
  parts.flatMap(({ version, moves }) => [version, ...moves.map((move) => move.version)]);

/** Return the stop after a version, or before it; the version itself if there is none. */
export function stopFrom(stops: readonly number[], version: number, way: 1 | -1): number {
  const next = way > 0 ? stops.find((one) => one > version) : stops.filter((one) => one < version).at(-1);
  return next ?? version;
}

/** Return the stop at a version, or the last one before it; 0 before the first deal. */
export const stopAt = (stops: readonly number[], version: number): number =>
  stops.filter((one) => one <= version).at(-1) ?? 0;

const MOST_TOLD = 3;

/** Return the texts that describe a version: those of its move, at most its first and its last ones. */
export function toldAt(parts: readonly Part[], steps: readonly Event[], version: number): string[] {
  const move = parts.flatMap(({ moves }) => moves).find((one) => one.from <= version && version <= one.version);
  const texts = move?.texts.slice(0, version - move.from + 1) ?? [steps[version - 1]?.text ?? ""];
  return texts.length > MOST_TOLD ? [texts[0] ?? "", ...texts.slice(1 - MOST_TOLD)] : [...texts];
}
