/**
 * Pairs an even number of entrants by rule 3.4 of the tournament rulebook, with a maximum matching of players who have
 * not met.
 */

import { at, of, range } from "./state.mjs";

/** @typedef {(a: number, b: number) => boolean} Knows returns whether two have met */

/**
 * Pair as many players who have not met as possible. Return each place's partner, -1 for none.
 * @param {number[]} people @param {Knows} knows @param {number[]} [partner]
 */
function most(people, knows, partner = people.map(() => -1)) {
  for (let root = 0; root < people.length; root++) if (at(partner, root) < 0) extend(people, knows, partner, root);
  return partner;
}

/**
 * Find an augmenting path from a free place to another, in which every second step is an existing pair, and flip it
 * (Edmonds). Odd cycles are contracted: `stem` has the place by which the cycle was entered.
 * @param {number[]} people @param {Knows} knows @param {number[]} partner @param {number} root
 */
function extend(people, knows, partner, root) {
  const n = people.length;
  const before = people.map(() => -1); // the place from which an odd step came
  const even = people.map(() => false);
  const stem = range(n);
  const queue = [root];
  even[root] = true;
  /** Go back two steps from a place. @param {number} i */
  const back = (i) => at(before, at(partner, i));

  /** @param {number} a @param {number} b */
  const shared = (a, b) => {
    const passed = new Set();
    for (let i = at(stem, a); ; i = at(stem, back(i))) {
      passed.add(i);
      if (i === root || at(partner, i) < 0) break;
    }
    let i = at(stem, b);
    while (!passed.has(i)) i = at(stem, back(i));
    return i;
  };
  /** @param {number} from @param {number} to @param {number} child @param {Set<number>} circle */
  const mark = (from, to, child, circle) => {
    for (let i = from, below = child; at(stem, i) !== to; i = back(i)) {
      circle.add(at(stem, i)).add(at(stem, at(partner, i)));
      before[i] = below;
      below = at(partner, i);
    }
  };

  for (let a = queue.shift(); a !== undefined; a = queue.shift()) {
    for (let b = 0; b < n; b++) {
      if (a === b || knows(at(people, a), at(people, b)) || stem[a] === stem[b] || partner[a] === b) continue;
      const its = at(partner, b);
      if (b === root || (its >= 0 && at(before, its) >= 0)) {
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
      } else if (at(before, b) < 0) {
        before[b] = a;
        if (its < 0) {
          for (let end = b; end >= 0; ) {
            const via = at(before, end), next = at(partner, via);
            partner[end] = via;
            partner[via] = end;
            end = next;
          }
          return;
        }
        even[its] = true;
        queue.push(its);
      }
    }
  }
}

/**
 * Return the pairs in the order in which they are found.
 * @param {number[]} order the order of the standings
 * @param {Knows} knows
 */
export function pairsByRule(order, knows) {
  let people = [...order], partner = most(people, knows);
  /** @type {[number, number][]} */
  const pairs = [];
  while (people.length) {
    // With as few rematches as possible, this many places are free in the end.
    const free = partner.filter((one) => one < 0).length;
    const first = at(people, 0), others = people.slice(1);
    const places = new Map(people.map((one, i) => [one, i]));
    const candidates = [...others.filter((one) => !knows(first, one)), ...others.filter((one) => knows(first, one))];
    for (const other of candidates) {
      const rest = people.filter((one) => one !== first && one !== other);
      const place = new Map(rest.map((one, i) => [one, i]));
      const left = rest.map((one) => {
        const mate = at(partner, of(places, one));
        return mate < 0 ? -1 : place.get(at(people, mate)) ?? -1;
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
