/** Describes clocks in words. */

import {span} from "./plan_words.js";
import {says} from "../words/tournaments.js";

/** Describe a clock. @param {Api.Clock} clock */
export function clockOf({per_decision_seconds: each, bank_seconds: bank, increment_seconds: more}) {
  const time = (/** @type {number} */ seconds) => seconds % 60 ? says.seconds(seconds) : span(seconds);
  return [each && says.clockEach(time(each)), bank && says.clockBank(time(bank)),
    more && says.clockMore(time(more))].filter(Boolean).join(says.comma) || says.clockNone;
}
