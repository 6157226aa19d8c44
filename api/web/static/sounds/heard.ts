/** Says which sounds belong to a change of a table. Runs without a browser, for any game. */

export type Sound = "deal" | "play" | "gather" | "turn" | "win" | "over" | "low";

/** The parts of a table that have sounds. */
export interface Heard {
  readonly scene: Api.Scene;
  readonly isMine: boolean;
  readonly isOver: boolean;
  readonly isWon: boolean;
  /** Whether little time is left of the reader's turn. */
  readonly isLow: boolean;
}

/** Count the cards in all zones of some kinds. */
const count = ({ scene }: Heard, isCounted: (kind: string) => boolean): number =>
  Object.values(scene.zones)
    .filter(({ kind }) => isCounted(kind))
    .reduce((sum, zone) => sum + zone.count, 0);

const inHands = (table: Heard): number => count(table, (kind) => kind === "hand");
const inTrick = (table: Heard): number => count(table, (kind) => kind === "trick");

/** Return the sound of cards that moved, if any did. */
function ofCards(before: Heard, now: Heard): Sound[] {
  if (inHands(now) > 0 && !inHands(before)) return ["deal"];
  if (inTrick(before) > 1 && !inTrick(now)) return ["gather"];
  return JSON.stringify(before.scene.zones) === JSON.stringify(now.scene.zones) ? [] : ["play"];
}

/** Return the sounds of a change, in the order in which they are heard. */
export function soundsOf(before: Heard, now: Heard): Sound[] {
  const sounds = ofCards(before, now);
  if (now.isOver) return before.isOver ? [] : [...sounds, now.isWon ? "win" : "over"];
  if (now.isMine && !before.isMine) sounds.push("turn");
  if (now.isLow && !before.isLow) sounds.push("low");
  return sounds;
}
