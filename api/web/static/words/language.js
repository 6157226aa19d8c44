/** Chooses the language of the page, and writes numbers and times in it. */

/**
 * Choose the language that the reader prefers among those available; English if none fits.
 * @param {readonly string[]} wishes tags, such as `en-GB` @param {string[]} known
 * @returns {string} the tag, with the reader's country
 */
export const chosenOf = (wishes, known) => wishes.find((wish) => known.includes(baseOf(wish))) ?? "en";

/** @param {string} tag */
const baseOf = (tag) => tag.split("-")[0]?.toLowerCase() ?? "";

const KNOWN = ["en"];
export const locale = chosenOf(globalThis.navigator?.languages ?? [], KNOWN);
export const language = baseOf(locale);

/**
 * Return the texts in the language of the page. All languages have the same texts, as their types check.
 * @template T @param {{en: T, [language: string]: NoInfer<T>}} there @returns {T}
 */
export const inLanguage = (there) => there[language] ?? there.en;

const NUMBER = new Intl.NumberFormat(locale);

/** Format a number. @param {number} n */
export const number = (n) => NUMBER.format(n);

/** Write a duration. @param {number} n @param {"day" | "hour" | "minute"} unit */
export const amount = (n, unit) => new Intl.NumberFormat(locale, {style: "unit", unit, unitDisplay: "short"}).format(n);

/** Write a time in the reader's time zone. @param {Date} date */
export const moment = (date) => date.toLocaleString(locale, {dateStyle: "medium", timeStyle: "short"});

/** Capitalise the first letter. @param {string} text */
export const capital = (text) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** Write the first letter in lower case, as within a sentence. @param {string} text */
export const uncapital = (text) => text.charAt(0).toLocaleLowerCase(locale) + text.slice(1);

/** Write names as a list. @param {string[]} names */
export const listed = (names) => names.join(", ");
