/** Shows the description of the API: the list of operations, the one that is chosen, and what leads to the others. */

import {element, paragraphs} from "./dom.js";
import {article, method} from "./operation.js";
import {reader} from "./schema.js";
import {tokenOf} from "./token.js";
import {tokenDialog} from "./token_dialog.js";

/**
 * @import {Operation} from "./schema.js"
 * @import {Known, Page} from "./trial.js"
 */

const DESCRIPTION = new URL(`${document.body.dataset.root}/openapi.json`, location.href);
const WIDE = matchMedia("(min-width: 48rem)");

const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** List the operations by their tags. @param {Page} page */
function list({read, operations}) {
  const tags = [...read.api.tags ?? []];
  if (operations.some((one) => one.isWebhook)) tags.push({name: "webhooks", description: "What the server sends you."});
  part("operations")
    .replaceChildren(...tags.map((/** @type {{name: string, description?: string}} */ {name, description}) => {
    const own = operations.filter((one) => one.tag === name);
    const links = own.map((one) => element("li", {"data-words": words(one)},
      element("a", {href: `#${one.id}`}, method(one), element("span", {}, one.said.summary ?? one.path))));
    return element("details", {class: "group", open: WIDE.matches, hidden: !own.length},
      element("summary", {}, element("h2", {}, name), element("span", {class: "soft"}, description ?? "")),
      element("ul", {}, ...links));
  }));
}

/** Give all that an operation is found by. @param {Operation} operation */
function words({id, path, tag, method: verb, said, parameters}) {
  const names = parameters.map((one) => one.name).join(" ");
  return [id, path, tag, verb, said.summary, said.description, names].join(" ").toLowerCase();
}

/** Show the operations that have all words of the search. */
function search() {
  const asked = /** @type {HTMLInputElement} */ (part("search")).value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const group of part("operations").querySelectorAll("details")) {
    const items = [...group.querySelectorAll("li")];
    for (const item of items) item.hidden = !asked.every((word) => item.dataset.words?.includes(word));
    const found = items.filter((item) => !item.hidden).length;
    count += found;
    group.hidden = !found;
    if (asked.length) group.open = true;
  }
  part("found").textContent = asked.length ? `${count} found` : "";
}

/** Show what the address names: an operation, or the overview. @param {Page} page @param {boolean} isFirst */
function show(page, isFirst) {
  const id = location.hash.slice(1);
  const operation = page.operations.find((one) => one.id === id);
  const view = part("operation");
  view.replaceChildren(...operation ? article(page, operation) : []);
  view.hidden = !operation;
  part("overview").hidden = Boolean(operation);
  document.body.dataset.view = operation ? "operation" : "overview";
  document.title = `${operation ? `${operation.said.summary} · ` : ""}${page.read.api.info.title} API`;
  for (const link of part("operations").querySelectorAll("a")) {
    const isHere = link.hash === `#${id}`;
    if (isHere) {
      link.setAttribute("aria-current", "page");
      const group = link.closest("details");
      if (group) group.open = true;
      if (WIDE.matches) link.scrollIntoView({block: isFirst ? "center" : "nearest"});
    } else link.removeAttribute("aria-current");
  }
  if (isFirst && !operation) return;
  scrollTo(0, 0);
  /** @type {HTMLElement | null} */ (document.querySelector("main h1[tabindex]:not([hidden] *)"))
    ?.focus({preventScroll: true});
}

async function begin() {
  const answer = await fetch(DESCRIPTION);
  if (!answer.ok) throw new Error(`The description of the API was answered with ${answer.status}.`);
  const read = reader(await answer.json());
  const root = new URL(read.api.servers?.[0]?.url ?? "/", DESCRIPTION).href.replace(/\/$/, "");
  /** @type {Known} */
  const known = {values: new Map(), offered: new Map()};
  const page = {read, operations: read.operations(), root, token: tokenOf(root), known};

  part("version").textContent = `version ${read.api.info.version}`;
  part("introduction").replaceChildren(...paragraphs(read.api.info.description));
  tokenDialog(page.token);
  list(page);
  part("search").addEventListener("input", search);
  part("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    /** @type {HTMLElement | null} */ (document.querySelector("#operations li:not([hidden]) a"))?.click();
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
    `This page could not be made: ${error instanceof Error ? error.message : error} Reload it, or read openapi.yaml.`));
});
