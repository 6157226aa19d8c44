/**
 * Puts the rounds of an elimination into columns, such that who goes on stands beside whence they came. Nothing here
 * knows a browser.
 */

/**
 * @typedef {{table: Api.RoundTable} | {bye: Api.Bye} | {isToCome: true}} Box a table, who has a bye, or a table that
 *   will be
 * @typedef {{round: number, boxes: Box[], isHalf: boolean}} Column `isHalf`: two boxes lead to one of the next column
 *   each
 */

/** Name who is in a box, by their numbers. @param {Box} box @returns {number[]} */
const within = (box) => "table" in box ? box.table.seats.flatMap((seat) => seat.entrant ?? [])
  : "bye" in box ? [box.bye.entrant] : [];

/** Give the boxes of a round, as they are listed. @param {Api.Round} round @returns {Box[]} */
const boxesOf = (round) => [...round.tables.map((table) => ({table})), ...round.byes.map((bye) => ({bye}))];

/**
 * Put the boxes of a round in the order of those to which they lead; whence nobody goes on comes last.
 * @param {Box[]} boxes
 * @param {Box[]} next
 */
function leading(boxes, next) {
  const sources = next.flatMap(within).flatMap((who) => boxes.find((box) => within(box).includes(who)) ?? []);
  return [...new Set([...sources, ...boxes])];
}

/**
 * Give the columns of the rounds that were paired, and at tables of two of those to come.
 * @param {Api.Round[]} rounds of the elimination, from the first
 * @param {number} seats of a table
 * @returns {Column[]}
 */
export function columns(rounds, seats) {
  /** @type {Box[][]} */
  const placed = [];
  for (const round of [...rounds].reverse()) {
    const boxes = boxesOf(round);
    placed.unshift(placed[0] ? leading(boxes, placed[0]) : boxes);
  }
  for (let count = placed.at(-1)?.length ?? 0; seats === 2 && count > 1;) {
    count = Math.ceil(count / 2);
    placed.push(Array.from({length: count}, () => ({isToCome: /** @type {const} */ (true)})));
  }
  return placed.map((boxes, i) =>
    ({round: (rounds[0]?.round ?? 1) + i, boxes, isHalf: placed[i + 1]?.length === boxes.length / 2}));
}

/**
 * Count the tables that each entrant had lost before a round.
 * @param {Api.Round[]} rounds from the first
 * @param {number} round
 * @returns {Map<number, number>}
 */
export function lossesBefore(rounds, round) {
  const lost = new Map();
  for (const {tables} of rounds.filter((one) => one.round < round))
    for (const {entrant, advances} of tables.flatMap((table) => table.seats))
      if (entrant !== null && advances === false) lost.set(entrant, (lost.get(entrant) ?? 0) + 1);
  return lost;
}

/**
 * Part the boxes of a double elimination by whether those there have lost once; at the last table some may have.
 * @param {Api.Round[]} rounds
 * @param {Api.Round} round
 * @returns {{unbeaten: Box[], last: Box[], once: Box[]}}
 */
export function sides(rounds, round) {
  const lost = lossesBefore(rounds, round.round);
  const parts = {unbeaten: /** @type {Box[]} */ ([]), last: /** @type {Box[]} */ ([]), once: /** @type {Box[]} */ ([])};
  for (const box of boxesOf(round)) {
    const there = within(box), beaten = there.filter((who) => lost.get(who));
    parts[!beaten.length ? "unbeaten" : beaten.length < there.length ? "last" : "once"].push(box);
  }
  return parts;
}

/**
 * Say whether who has a seat goes on from a table.
 * @param {Api.RoundTable} table
 * @param {number} seat
 */
export const isThrough = (table, seat) => table.seats[seat]?.advances === true;
