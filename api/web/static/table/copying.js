/** Copies texts to the clipboard. */

/**
 * Copy a text, and return whether it worked. Browsers allow access to the clipboard only on secure addresses.
 * @param {string} text
 */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { return selected(text); }
}

/** Copy a text by selecting it. @param {string} text */
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
