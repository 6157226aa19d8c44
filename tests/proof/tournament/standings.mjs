// Points, rates and ties by sections 1 and 2 of the rulebook of tournaments. Rates are exact: pairs of whole numbers.

export const fullPoints = (seats) => (seats === 2 ? 3 : 2 * (seats - 1));

/** The points of each seat of a table. */
export function pointsAt({ places }) {
  if (!places.includes(1)) return places.map(() => 0);
  const [behind, level] = places.length === 2 ? [3, 1] : [2, 1];
  return places.map((mine, seat) =>
    places.reduce((sum, place, at) => sum + (at === seat ? 0 : place > mine ? behind : place === mine ? level : 0), 0),
  );
}

/** Every table and bye of each entrant, in the order of the rounds. */
function resultsOf(entrants, rounds, seats) {
  const all = new Map(entrants.map((one) => [one, { points: 0, most: 0, won: 0, games: 0, met: [] }]));
  for (const { tables, byes } of rounds) {
    for (const table of tables) {
      const points = pointsAt(table);
      table.seats.forEach((one, seat) => {
        if (one === null) return;
        const mine = all.get(one);
        mine.points += points[seat];
        mine.most += fullPoints(table.seats.length);
        mine.won += 3 * table.wins[seat] + table.drawn;
        mine.games += table.games;
        mine.met.push(...table.seats.filter((other, at) => at !== seat && other !== null));
      });
    }
    for (const one of byes) {
      const mine = all.get(one);
      mine.points += fullPoints(seats);
      mine.most += fullPoints(seats);
      mine.won += 6;
      mine.games += 2;
    }
  }
  return all;
}

export function pointsOf(entrants, rounds, seats) {
  return new Map([...resultsOf(entrants, rounds, seats)].map(([one, { points }]) => [one, points]));
}

const third = [1n, 3n];
const atLeastThird = (got, of) => (of === 0 || 3 * got < of ? third : [BigInt(got), BigInt(of)]);
const compare = ([a, b], [c, d]) => (a * d < c * b ? -1 : a * d > c * b ? 1 : 0);

function average(rates) {
  if (!rates.length) return [0n, 1n];
  const [top, bottom] = rates.reduce(([a, b], [c, d]) => (b === d ? [a + c, b] : [a * d + c * b, b * d]), [0n, 1n]);
  return [top, bottom * BigInt(rates.length)];
}

/** The entrants as they are ranked; they come in the order of the shuffle `seating`. */
export function ranking(entrants, rounds, seats) {
  const all = resultsOf(entrants, rounds, seats);
  const rows = entrants.map((one) => {
    const { points, won, games, met } = all.get(one);
    const of = met.map((other) => all.get(other));
    return {
      one, points, own: atLeastThird(won, 3 * games),
      others: average(of.map((other) => atLeastThird(other.points, other.most))),
      theirs: average(of.map((other) => atLeastThird(other.won, 3 * other.games))),
    };
  });
  const order = (a, b) =>
    b.points - a.points || compare(b.others, a.others) || compare(b.own, a.own) || compare(b.theirs, a.theirs);
  rows.sort(order);
  for (let i = 0, end; i < rows.length; i = end) {
    end = i + 1;
    while (end < rows.length && order(rows[i], rows[end]) === 0) end += 1;
    if (end - i === 2 && oftenBefore(rows[i + 1].one, rows[i].one, rounds) > 0) [rows[i], rows[i + 1]] = [rows[i + 1], rows[i]];
  }
  return rows.map(({ one }) => one);
}

/** How much more often one was placed before the other than behind, at tables of both. */
function oftenBefore(one, other, rounds) {
  let sum = 0;
  for (const { tables } of rounds) {
    for (const { seats, places } of tables) {
      if (seats.includes(one) && seats.includes(other)) sum += Math.sign(places[seats.indexOf(other)] - places[seats.indexOf(one)]);
    }
  }
  return sum;
}
