/**
 * Arranges the rounds of an elimination in columns, so that winners are next to their previous table. Runs without a
 * browser.
 */

/**
 * @typedef {{table: Api.RoundTable} | {bye: Api.Bye} | {isToCome: true}} Box a table, a bye, or a future table
 * @typedef {{round: number, boxes: Box[], isHalf: boolean}} Column `isHalf`: each box of the next column follows from
 *   two boxes
 */

/** Return the entrants in a box, by number. @param {Box} box @returns {number[]} */
const within = (box) => "table" in box ? box.table.seats.flatMap((seat) => seat.entrant ?? [])
  : "bye" in box ? [box.bye.entrant] : [];

/** Return the boxes of a round in their listed order. @param {Api.Round} round @returns {Box[]} */
const boxesOf = (round) => [...round.tables.map((table) => ({table})), ...round.byes.map((bye) => ({bye}))];

/**
 * Order the boxes of a round by the boxes they lead to; those from which nobody advances come last.
 * @param {Box[]} boxes
 * @param {Box[]} next
 */
function leading(boxes, next) {
  const sources = next.flatMap(within).flatMap((who) => boxes.find((box) => within(box).includes(who)) ?? []);
  return [...new Set([...sources, ...boxes])];
}

/**
 * Return the columns of the paired rounds and, at tables of two, of the rounds to come.
 * @param {Api.Round[]} rounds the elimination's rounds, from the first
 * @param {number} seats the seats per table
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
 * Count each entrant's losses before a round.
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
 * Split the boxes of a double elimination into those without a loss and those with one; the last table may have both.
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
 * Return whether the player in a seat advances from a table.
 * @param {Api.RoundTable} table
 * @param {number} seat
 */
export const isThrough = (table, seat) => table.seats[seat]?.advances === true;
