/** Splits amounts into chips. Runs without a browser. */

const VALUES = [500, 100, 25, 5, 1];
const MOST_STACKS = 3;
const MOST_CHIPS = 5;

/** Split an amount into chips: `[value, count]` for each of the highest values that it has. */
export function stacksOf(amount: number): [value: number, count: number][] {
  let rest = amount;
  return VALUES.map((value): [number, number] => {
    const count = Math.floor(rest / value);
    rest -= count * value;
    return [value, Math.min(MOST_CHIPS, count)];
  })
    .filter(([, count]) => count)
    .slice(0, MOST_STACKS);
}
