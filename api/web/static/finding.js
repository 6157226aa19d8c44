/** Ranks operations and sections of the guides by the words of a search. Draws nothing. */

/**
 * @import {Operation} from "./schema.js"
 *
 * @typedef {{href: string, title: string, of: string, operation?: Operation, searches: string[], text: string}} Entry
 *   An operation or a section: its place, title and group, the phrases for which it comes first, and its other texts.
 * @typedef {{href: string, title: string, of: string}} Section A section of a guide.
 * @typedef {Record<string, {searches: string[], problems?: string[]}>} OperationNotes For each operation, the phrases
 *   for which it comes first, and its problem codes.
 */

const PHRASE = 1000;
const TITLE = 500;
const WEIGHTS = {searches: 8, title: 6, of: 2, text: 1};
const SKIPPED = new Set(["a", "an", "the", "how", "to", "do", "i"]);

/**
 * Make the search entry of an operation.
 * @param {Operation} operation
 * @param {string[]} searches
 * @returns {Entry}
 */
function operationEntry(operation, searches) {
  const {id, path, tag, method, said, parameters} = operation;
  const names = parameters.map((one) => one.name);
  const text = [id.replace(/[A-Z]/g, " $&"), id, path, method, said.description, ...names].join(" ");
  return {href: `#${id}`, title: said.summary ?? path, of: tag, operation, searches, text};
}

/**
 * List the introduction's topics: paragraphs that begin with bold words. Each phrase of a title, as in "Retries and
 * idempotency", is one for which it comes first.
 * @param {string} [introduction]
 * @returns {Entry[]}
 */
function topicEntries(introduction = "") {
  return introduction.split(/\n\s*\n/).flatMap((paragraph) => {
    const title = topicTitle(paragraph);
    if (!title) return [];
    const searches = [title, ...title.split(/,| and /)];
    return [{href: `#${topicMark(title)}`, title, of: "Introduction", searches, text: paragraph}];
  });
}

/** Return the bold words at the beginning of a paragraph. @param {string} paragraph */
export const topicTitle = (paragraph) => /^\*\*([^*]+?)\.?\*\*/.exec(paragraph.trim())?.[1] ?? "";

/** Return the anchor of a topic of the introduction. @param {string} title */
export const topicMark = (title) => `topic-${words(title).join("-")}`;

/**
 * List everything that the search can find: topics of the introduction, operations, and sections of guides.
 * @param {{introduction?: string, operations: Operation[], sections?: Section[], notes?: OperationNotes}} said
 * @returns {Entry[]}
 */
export const entries = ({introduction, operations, sections = [], notes = {}}) => [
  ...topicEntries(introduction),
  ...operations.map((one) => operationEntry(one, notes[one.id]?.searches ?? [])),
  ...sections.map((section) => ({...section, searches: [], text: ""})),
];

/**
 * Return the entries that have all words of a search, best first.
 * @param {Entry[]} all
 * @param {string} asked
 * @returns {Entry[]}
 */
export function find(all, asked) {
  const wanted = words(asked);
  if (!wanted.length) return [];
  return all.map((entry) => ({entry, score: scoreOf(entry, wanted)}))
    .filter(({score}) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({entry}) => entry);
}

/**
 * Score an entry for these words; 0 if one of them is missing.
 * @param {Entry} entry
 * @param {string[]} wanted
 */
function scoreOf(entry, wanted) {
  const fields = {searches: words(entry.searches.join(" ")), title: words(entry.title), of: words(entry.of),
    text: words(entry.text)};
  const phrase = wanted.join(" ");
  let score = 0;
  if (entry.searches.some((one) => words(one).join(" ") === phrase)) score += PHRASE;
  if (fields.title.join(" ") === phrase) score += TITLE;
  for (const word of wanted) {
    const best = Math.max(...Object.entries(fields).map(([name, known]) =>
      WEIGHTS[/** @type {keyof typeof WEIGHTS} */ (name)] * fitOf(known, word)));
    if (!best) return 0;
    score += best;
  }
  return score;
}

/**
 * Score a word: 2 if it is one of the known words, 1 if one begins with it.
 * @param {string[]} known
 * @param {string} word
 */
function fitOf(known, word) {
  if (known.includes(word)) return 2;
  return known.some((one) => one.startsWith(word)) ? 1 : 0;
}

/** Return the words of a text in lower case and in the singular, without very short ones. @param {string} text */
function words(text) {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word && !SKIPPED.has(word))
    .map((word) => word.replace(/ies$/, "y").replace(/([^s])s$/, "$1"));
}
