/** Shows the problem of an invalid field in the page's own words, instead of the browser's bubble. */

import {says} from "../words/unfit.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

const ABOUT = "aria-describedby", UNFIT = "unfit";
let count = 0;

/** Say what is wrong with a field. @param {Field} field */
function reason(field) {
  const {validity} = field, {min = "", max = ""} = /** @type {HTMLInputElement} */ (field);
  if (validity.badInput) return says.noNumber;
  if (validity.valueMissing) return says.isMissing;
  if (validity.rangeUnderflow || validity.rangeOverflow) return says.between(min, max);
  return validity.stepMismatch ? says.notWhole : says.otherwise;
}

/** @param {Event} event */
function tells(event) {
  const field = /** @type {Field} */ (event.target);
  event.preventDefault();
  const hidden = field.closest("details");
  if (hidden) hidden.open = true;
  if (field === field.form?.querySelector(":invalid:not(fieldset)")) field.focus();
  const row = field.closest("label") ?? field;
  if (row.nextElementSibling?.matches(`.${UNFIT}`)) return;
  count += 1;
  const told = Object.assign(document.createElement("span"),
    {className: UNFIT, id: `unfit-${count}`, textContent: reason(field)});
  told.classList.add("problem");
  const before = field.getAttribute(ABOUT);
  row.after(told);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute(ABOUT, [told.id, before].filter(Boolean).join(" "));
  field.addEventListener("input", () => {
    told.remove();
    field.removeAttribute("aria-invalid");
    if (before) field.setAttribute(ABOUT, before); else field.removeAttribute(ABOUT);
  }, {once: true});
}

/** Do so in all forms from now on. */
export const tellsUnfit = () => addEventListener("invalid", tells, {capture: true});
