/** Chooses the language in which the page speaks, and writes numbers and moments as it does. */

/**
 * Choose among languages by the wishes of a reader, best first; English where none is there.
 * @param {readonly string[]} wishes tags, as `en-GB` @param {string[]} known
 * @returns {string} the tag, with the country that the reader has
 */
export const chosenOf = (wishes, known) => wishes.find((wish) => known.includes(baseOf(wish))) ?? "en";

/** @param {string} tag */
const baseOf = (tag) => tag.split("-")[0]?.toLowerCase() ?? "";

const KNOWN = ["en"];
export const locale = chosenOf(globalThis.navigator?.languages ?? [], KNOWN);
export const language = baseOf(locale);

/**
 * Give the words of the language of the page. All languages have the same words, which their types say.
 * @template T @param {{en: T, [language: string]: NoInfer<T>}} there @returns {T}
 */
export const inLanguage = (there) => there[language] ?? there.en;

const NUMBER = new Intl.NumberFormat(locale);

/** Write a number. @param {number} n */
export const number = (n) => NUMBER.format(n);

/** Write an amount of time. @param {number} n @param {"day" | "hour" | "minute"} unit */
export const amount = (n, unit) => new Intl.NumberFormat(locale, {style: "unit", unit, unitDisplay: "short"}).format(n);

/** Write a moment as the clock of the reader has it. @param {Date} date */
export const moment = (date) => date.toLocaleString(locale, {dateStyle: "medium", timeStyle: "short"});

/** Begin with a capital. @param {string} text */
export const capital = (text) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** Begin without a capital, as within a sentence. @param {string} text */
export const uncapital = (text) => text.charAt(0).toLocaleLowerCase(locale) + text.slice(1);

/** Write names one after the other. @param {string[]} names */
export const listed = (names) => names.join(", ");
