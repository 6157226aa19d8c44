// Pairs of an even number of entrants by rule 3.4 of the rulebook of tournaments, with a matching of the most pairs of strangers.

/** How many pairs of strangers there can be: `knows(a, b)` says who have met. Gives the partner of each place, -1 for none. */
function most(people, knows, partner = new Array(people.length).fill(-1)) {
  for (let root = 0; root < people.length; root++) if (partner[root] < 0) extend(people, knows, partner, root);
  return partner;
}

/**
 * Look for a way from a free place to another one, in which every second step is a pair that there is, and turn it around (Edmonds).
 * Places in a circle of odd length are taken together: `stem` has the place by which the circle was entered.
 */
function extend(people, knows, partner, root) {
  const n = people.length;
  const before = new Array(n).fill(-1); // from which place an odd step came here
  const even = new Array(n).fill(false);
  const stem = Array.from({ length: n }, (_, i) => i);
  const queue = [root];
  even[root] = true;

  const shared = (a, b) => {
    const passed = new Set();
    for (let at = stem[a]; ; at = stem[before[partner[at]]]) {
      passed.add(at);
      if (at === root || partner[at] < 0) break;
    }
    let at = stem[b];
    while (!passed.has(at)) at = stem[before[partner[at]]];
    return at;
  };
  const mark = (from, to, child, circle) => {
    for (let at = from; stem[at] !== to; at = before[partner[at]]) {
      circle.add(stem[at]).add(stem[partner[at]]);
      before[at] = child;
      child = partner[at];
    }
  };

  while (queue.length) {
    const a = queue.shift();
    for (let b = 0; b < n; b++) {
      if (a === b || knows(people[a], people[b]) || stem[a] === stem[b] || partner[a] === b) continue;
      if (b === root || (partner[b] >= 0 && before[partner[b]] >= 0)) {
        const base = shared(a, b), circle = new Set();
        mark(a, base, b, circle);
        mark(b, base, a, circle);
        for (let i = 0; i < n; i++) {
          if (!circle.has(stem[i])) continue;
          stem[i] = base;
          if (!even[i]) {
            even[i] = true;
            queue.push(i);
          }
        }
      } else if (before[b] < 0) {
        before[b] = a;
        if (partner[b] < 0) {
          for (let end = b; end >= 0; ) {
            const via = before[end], next = partner[via];
            partner[end] = via;
            partner[via] = end;
            end = next;
          }
          return;
        }
        even[partner[b]] = true;
        queue.push(partner[b]);
      }
    }
  }
}

/** The pairs, in the order in which they are found; `order` is that of the standings. */
export function pairsByRule(order, knows) {
  let people = [...order], partner = most(people, knows);
  const pairs = [];
  while (people.length) {
    // With as few meeting again as there can be, so many places are free in the end.
    const free = partner.filter((one) => one < 0).length;
    const [first, ...others] = people;
    const at = new Map(people.map((one, i) => [one, i]));
    const candidates = [...others.filter((one) => !knows(first, one)), ...others.filter((one) => knows(first, one))];
    for (const other of candidates) {
      const rest = people.filter((one) => one !== first && one !== other);
      const place = new Map(rest.map((one, i) => [one, i]));
      const left = rest.map((one) => {
        const mate = partner[at.get(one)];
        return mate < 0 ? -1 : place.get(people[mate]) ?? -1;
      });
      const due = free - (knows(first, other) ? 2 : 0);
      if (most(rest, knows, left).filter((one) => one < 0).length > due) continue;
      pairs.push([first, other]);
      [people, partner] = [rest, left];
      break;
    }
  }
  return pairs;
}
