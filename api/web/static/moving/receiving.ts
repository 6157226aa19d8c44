/** Marks the cards that the reader has just received, until their next move. */

import { state } from "../table/app.js";
import { loadStyles } from "../table/later.js";
import { says } from "../words/moving.js";
import movingStyles from "./moving.css?url";
import { areReceived, changed, EMPTY_HAND, handOf } from "./received.ts";

loadStyles(movingStyles);

let hand = EMPTY_HAND;
let whose = "";

/** Mark the received cards among those that are painted. */
export function marksReceived(main: HTMLElement): void {
  const { match, isSending } = state;
  const now = `${match?.id} ${match?.scene?.seat}`;
  if (now !== whose) hand = EMPTY_HAND;
  whose = now;
  if (isSending) hand = { ...hand, received: [] };
  hand = changed(hand, handOf(match?.scene));
  const cards = [...main.querySelectorAll<HTMLElement>(".own .kind-hand [data-card]")];
  const texts = cards.map(({ dataset }) => dataset.card ?? "");
  for (const [i, isNew] of areReceived(texts, hand.received).entries()) {
    cards[i]?.toggleAttribute("data-received", isNew);
    if (isNew) cards[i]?.setAttribute("aria-description", says.received);
    else cards[i]?.removeAttribute("aria-description");
  }
}
