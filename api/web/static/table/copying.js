/** Copies texts for the reader. */

/**
 * Copy a text; gives whether that was done. The clipboard of a browser is open on secure addresses alone.
 * @param {string} text
 */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { return selected(text); }
}

/** Copy a text as if it had been selected. @param {string} text */
function selected(text) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = Object.assign(document.createElement("textarea"), {value: text, className: "unseen"});
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return isDone;
}
