// The contents of boosters in the second verifier, written from domain/card_sets/cards.md and the games' proof pages.

/** @param {number} first @param {number} last */
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** @type {Record<string, Record<"other" | "uncommon" | "rare" | "ultra", number[]> & {colors: number[][]}>} */
const SETS = {
  fw1: {
    colors: [range(6, 11), range(19, 24), range(32, 37), range(45, 50), range(58, 63)],
    other: range(71, 74),
    uncommon: [...range(12, 15), ...range(25, 28), ...range(38, 41), ...range(51, 54), ...range(64, 67),
      ...range(75, 77)],
    rare: [16, 17, 29, 30, 42, 43, 55, 56, 68, 69, 78, 79],
    ultra: [18, 31, 44, 57, 70, 80],
  },
  bt1: {
    colors: [range(1, 3), range(7, 9), range(13, 15), range(19, 21), range(25, 27)],
    other: [36, 39],
    uncommon: [4, 10, 16, 22, 28, ...range(31, 35), 37, 40],
    rare: [5, 11, 17, 23, 29, 38],
    ultra: [6, 12, 18, 24, 30],
  },
};

/** @param {unknown} set @returns {set is string} */
export const isSet = (set) => typeof set === "string" && Object.hasOwn(SETS, set);

/**
 * Return the ids of a booster's cards, drawn from the words of one random result.
 * @param {string} set a known set @param {import("./words.mjs").Draw} draw @returns {string[]}
 */
export function openBooster(set, { below, shuffle }) {
  const its = SETS[set];
  if (!its) throw new RangeError(`There is no set ${set}.`);
  const { colors, other, uncommon, rare, ultra } = its;
  const first = colors.map((commons) => shuffle(commons)[0]);
  const rest = [...colors.flat(), ...other].filter((common) => !first.includes(common)).sort((a, b) => a - b);
  const common = shuffle(rest).slice(0, 6);
  const three = shuffle(uncommon).slice(0, 3);
  const row = below(8) === 0 ? ultra : rare;
  const cards = [...first, ...common, ...three, row[below(row.length)]];
  return cards.map((one) => `${set}-${String(one).padStart(3, "0")}`);
}
