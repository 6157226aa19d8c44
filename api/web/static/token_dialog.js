/** Shows the token in a dialog of /docs, to change or remove it. */

/** Set up the dialog of the token. @param {import("./token.js").Token} token */
export function tokenDialog(token) {
  const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const dialog = /** @type {HTMLDialogElement} */ (part("token-dialog"));
  const input = /** @type {HTMLInputElement} */ (part("token"));
  const kept = /** @type {HTMLInputElement} */ (part("token-kept"));
  const opener = part("token-button");
  const show = part("token-show");

  const hide = (/** @type {boolean} */ isHidden) => {
    input.type = isHidden ? "password" : "text";
    show.setAttribute("aria-pressed", String(!isHidden));
    show.textContent = isHidden ? "Show" : "Hide";
  };
  const tell = () => {
    if (input.value.trim() !== token.value) input.value = token.value;
    kept.checked = token.isKept;
    opener.textContent = token.value ? "Token: set" : "Token: none";
    opener.classList.toggle("is-set", Boolean(token.value));
  };
  const close = () => dialog.close();

  opener.addEventListener("click", () => dialog.showModal());
  show.addEventListener("click", () => hide(input.type === "text"));
  input.addEventListener("input", () => token.use(input.value));
  kept.addEventListener("change", () => token.keep(kept.checked));
  part("token-forget").addEventListener("click", () => { token.forget(); input.focus(); });
  part("token-make").addEventListener("click", close);
  part("token-form").addEventListener("submit", (event) => { event.preventDefault(); close(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
  dialog.addEventListener("close", () => hide(true));
  token.onChange(tell);
  tell();
}
