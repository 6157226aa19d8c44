/** Shows the API docs: the list of operations, the chosen one, and the search. */

import {element, paragraphs} from "./dom.js";
import {entries, find, topicMark, topicTitle} from "./finding.js";
import {article, method} from "./operation.js";
import {reader} from "./schema.js";
import {tokenOf} from "./token.js";
import {tokenDialog} from "./token_dialog.js";

/**
 * @import {Entry} from "./finding.js"
 * @import {Known, Page} from "./trial.js"
 */

const DESCRIPTION = new URL(`${document.body.dataset.root}/openapi.json`, location.href);
const WIDE = matchMedia("(min-width: 48rem)");

const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** List the operations by tag. @param {Page} page */
function list({read, operations}) {
  const tags = [...read.api.tags ?? []];
  if (operations.some((one) => one.isWebhook)) tags.push({name: "webhooks", description: "Notifications for you."});
  part("operations")
    .replaceChildren(...tags.map((/** @type {{name: string, description?: string}} */ {name, description}) => {
    const own = operations.filter((one) => one.tag === name);
    const links = own.map((one) => element("li", {},
      element("a", {href: `#${one.id}`}, method(one), element("span", {}, one.said.summary ?? one.path))));
    return element("details", {class: "group", open: WIDE.matches, hidden: !own.length},
      element("summary", {}, element("h2", {}, name), element("span", {class: "soft"}, description ?? "")),
      element("ul", {}, ...links));
  }));
}

/** Return the guides' sections, which the server wrote into the page. */
function sections() {
  const {content} = /** @type {HTMLTemplateElement} */ (part("sections"));
  return [...content.querySelectorAll("a")]
    .map((link) => ({href: link.getAttribute("href") ?? "", title: link.textContent, of: link.title}));
}

/** Show the results of a search instead of the list, best first. @param {Entry[]} all */
function search(all) {
  const asked = /** @type {HTMLInputElement} */ (part("search")).value.trim();
  const found = find(all, asked);
  part("results").replaceChildren(...found.map((one) => element("li", {}, element("a", {href: one.href},
    one.operation ? method(one.operation) : element("span", {class: "method guide-of"}, "GUIDE"),
    element("span", {}, one.title, one.operation ? null : element("span", {class: "soft"}, ` · ${one.of}`))))));
  part("results").hidden = !asked;
  part("operations").hidden = Boolean(asked);
  part("found").textContent = asked ? `${found.length} found` : "";
}

/** Show the operation that the address names, or the overview. @param {Page} page @param {boolean} isFirst */
function show(page, isFirst) {
  const id = location.hash.slice(1);
  const operation = page.operations.find((one) => one.id === id);
  const view = part("operation");
  view.replaceChildren(...operation ? article(page, operation) : []);
  view.hidden = !operation;
  part("overview").hidden = Boolean(operation);
  document.body.dataset.view = operation ? "operation" : "overview";
  document.title = `${operation ? `${operation.said.summary} · ` : ""}${page.read.api.info.title} API`;
  for (const link of document.querySelectorAll("#operations a, #results a")) {
    if (link.getAttribute("href") === `#${id}`) {
      link.setAttribute("aria-current", "page");
      const group = link.closest("details");
      if (group) group.open = true;
      if (WIDE.matches) link.scrollIntoView({block: isFirst ? "center" : "nearest"});
    } else link.removeAttribute("aria-current");
  }
  const topic = operation || !id.startsWith("topic-") ? null : document.getElementById(id);
  topic?.scrollIntoView();
  topic?.focus({preventScroll: true});
  if (topic || isFirst && !operation) return;
  scrollTo(0, 0);
  /** @type {HTMLElement | null} */ (document.querySelector("main h1[tabindex]:not([hidden] *)"))
    ?.focus({preventScroll: true});
}

/** Write the introduction; an address can name each of its topics. @param {string} source */
const introduction = (source) => source.trim().split(/\n\s*\n/).flatMap((paragraph) => {
  const title = topicTitle(paragraph);
  const nodes = paragraphs(paragraph);
  if (title) Object.assign(nodes[0] ?? {}, {id: topicMark(title), tabIndex: -1});
  return nodes;
});

async function begin() {
  const answer = await fetch(DESCRIPTION);
  if (!answer.ok) throw new Error(`Loading the API description failed with status ${answer.status}.`);
  const read = reader(await answer.json());
  const root = new URL(read.api.servers?.[0]?.url ?? "/", DESCRIPTION).href.replace(/\/$/, "");
  /** @type {Known} */
  const known = {values: new Map(), offered: new Map()};
  const notes = JSON.parse(document.body.dataset.notes ?? "{}");
  const page = {read, operations: read.operations(), root, token: tokenOf(root), known, notes};

  part("version").textContent = `version ${read.api.info.version}`;
  part("introduction").replaceChildren(...introduction(read.api.info.description));
  tokenDialog(page.token);
  list(page);
  const all = entries({introduction: read.api.info.description, operations: page.operations, sections: sections(),
    notes: notes.operations});
  part("search").addEventListener("input", () => search(all));
  part("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    /** @type {HTMLElement | null} */ (part("results").querySelector("a"))?.click();
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      part("search").focus();
    }
  });
  part("skip").addEventListener("click", (event) => { event.preventDefault(); part("content").focus(); });
  addEventListener("hashchange", () => show(page, false));
  show(page, true);
}

begin().catch((error) => {
  part("introduction").replaceChildren(element("p", {class: "bad", role: "alert"},
    `This page failed to load. ${error instanceof Error ? error.message : error} Reload it, or read openapi.yaml.`));
});
