// Tables of more than two, by the search that section 9 of the rulebook of tournaments describes.

const MEETING = 1_000_000;

/** `sizes` of the tables, `times(a, b)` how often two have met, `points` and `clubs` by entrant, `below` draws; null: no swaps by chance. */
export function searchTables(order, sizes, { times, points, clubs, below }) {
  const tables = [];
  let from = 0;
  for (const size of sizes) tables.push(order.slice(from, (from += size)));

  const price = (table) => {
    let sum = 0;
    table.forEach((a, i) => {
      for (const b of table.slice(i + 1)) {
        sum += MEETING * times(a, b) ** 2;
        if (clubs.has(a) && clubs.get(a) === clubs.get(b)) sum += 1;
      }
    });
    const had = table.map((one) => points.get(one) ?? 0);
    return sum + 100 * (Math.max(...had) - Math.min(...had));
  };
  const cost = tables.map(price);
  let tried = 0;

  const exchange = (i, a, j, b) => ([tables[i][a], tables[j][b]] = [tables[j][b], tables[i][a]]);
  const settle = (i, a, j, b) => {
    exchange(i, a, j, b);
    cost[i] = price(tables[i]);
    cost[j] = price(tables[j]);
  };

  const bestSwap = (i) => {
    let best = null, saves = 0;
    const others = tables.map((_, j) => j).filter((j) => j !== i);
    others.sort((j, k) => Math.abs(j - i) - Math.abs(k - i) || j - k);
    for (const j of others) {
      if (cost[i] < MEETING && Math.abs(j - i) > 6) break;
      for (let a = 0; a < tables[i].length; a++) {
        for (let b = 0; b < tables[j].length; b++) {
          tried += 1;
          exchange(i, a, j, b);
          const saved = cost[i] + cost[j] - price(tables[i]) - price(tables[j]);
          exchange(i, a, j, b);
          if (saved > saves) [best, saves] = [[i, a, j, b], saved];
        }
      }
      if (best && cost[i] - saves < MEETING) break;
    }
    return best;
  };

  const improve = (least) => {
    const waiting = tables.map((_, i) => i).filter((i) => cost[i] >= least);
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) {
      const swap = cost[i] >= least ? bestSwap(i) : null;
      if (!swap) continue;
      settle(...swap);
      for (const at of [i, swap[2]]) if (cost[at] >= least && !waiting.includes(at)) waiting.push(at);
    }
  };

  const total = () => cost.reduce((a, b) => a + b, 0);
  const restore = (kept) => kept.forEach((table, i) => (cost[i] = price((tables[i] = [...table]))));

  improve(MEETING);
  if (tables.length > 1 && below) {
    let best = tables.map((table) => [...table]), cheapest = total();
    const begun = tried;
    for (let n = 0; n < 200; n++) {
      const bad = tables.map((_, i) => i).filter((i) => cost[i] >= MEETING);
      if (!bad.length || tried - begun > 60_000) break;
      const i = bad[below(bad.length)];
      const j = (i + 1 + below(tables.length - 1)) % tables.length;
      const a = below(tables[i].length);
      settle(i, a, j, below(tables[j].length));
      improve(MEETING);
      if (total() < cheapest) [best, cheapest] = [tables.map((table) => [...table]), total()];
      else restore(best);
    }
    restore(best);
  }
  improve(1);
  const place = new Map(order.map((one, i) => [one, i]));
  return tables.map((table) => [...table].sort((a, b) => place.get(a) - place.get(b)));
}
