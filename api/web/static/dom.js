/** Makes elements of a page. Texts are always inserted as text: nothing from outside is parsed as HTML. */

/**
 * Create an element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes] names that begin with `on` add listeners
 * @param {(Node | string | null | undefined | false)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const child of children) if (child) node.append(child);
  return node;
}

/** Write a count with its noun. @param {number} count @param {string} what */
export const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/**
 * Write the Markdown of a line of a description: `code` and **bold**.
 * @param {string} source
 * @returns {Node[]}
 */
export function inline(source) {
  return source.split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter(Boolean).map((part) => {
    if (part.startsWith("`")) return element("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
    return document.createTextNode(part);
  });
}

/** Render a description as paragraphs and lists. @param {string | undefined} source @returns {HTMLElement[]} */
export function paragraphs(source) {
  return (source ?? "").trim().split(/\n\s*\n/).filter(Boolean).map((block) => {
    if (!/^[-*] /.test(block)) return element("p", {}, ...inline(block.replace(/\s*\n\s*/g, " ")));
    const items = block.split(/\n(?=[-*] )/).map((item) => item.slice(2).replace(/\s*\n\s*/g, " "));
    return element("ul", {}, ...items.map((item) => element("li", {}, ...inline(item))));
  });
}

/**
 * Make a section that unfolds. Its content is made when it is first opened.
 * @param {(Node | string)[]} summary
 * @param {() => (Node | null)[]} inside
 * @param {{open?: boolean, class?: string}} [how]
 */
export function folded(summary, inside, how = {}) {
  const part = element("details", {class: how.class ?? "fold"}, element("summary", {}, ...summary));
  let isMade = false;
  const make = () => {
    if (part.open && !isMade) {
      isMade = true;
      part.append(...inside().filter((node) => node !== null));
    }
  };
  part.addEventListener("toggle", make);
  part.open = how.open ?? false;
  make();
  return part;
}

const MOST_COLOURED = 60_000;
const JSON_PARTS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Colour JSON; very long texts stay plain. @param {string} text @returns {(Node | string)[]} */
export function coloured(text) {
  if (text.length > MOST_COLOURED) return [text];
  /** @type {(Node | string)[]} */
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(JSON_PARTS)) {
    parts.push(text.slice(end, found.index));
    const kind = found[2] ? "key" : found[1] ? "text" : "value";
    parts.push(element("span", {class: `json-${kind}`}, found[1] ?? found[0]), found[2] ?? "");
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

/** Make a button that copies the result of a function. @param {string} what @param {() => string} give */
export function copyButton(what, give) {
  const button = element("button", {type: "button", class: "quiet", "aria-label": `Copy ${what}`}, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(give());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed here";  // for example if the page came without TLS
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}
