/** What the clock decides for a seat (9.12, 10.5). */

import { at, fact } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Fact } from "../../../../api/web/static/past/verify/referee.ts";
import { manaValue } from "../../../card_sets/referee_cards.ts";
import { defaultAgain } from "./decks.ts";
import type { Series } from "./decks.ts";
import { byHandle, cardAt } from "./table.ts";
import type { Duel } from "./table.ts";

/** Cards of the lowest mana value first, and of these the lowest handle. */
const cheapest = (d: Duel, ids: readonly string[]): string[] =>
  [...ids].sort((a, b) => manaValue(cardAt(d, a)) - manaValue(cardAt(d, b)) || byHandle(a, b));

/** Return the choice of the clock among all that are possible. */
export function standardOf(s: Series, d: Duel, seat: number): Fact {
  if (d.phase === "deck_building") return defaultAgain(s, seat);
  if (d.phase === "mulligan") {
    const count = at(d.mulligans, seat);
    const bottom = count ? cheapest(d, at(d.hands, seat)).slice(-count).reverse() : [];
    return fact("HandKept", { seat, cards_left: 7 - count, bottom });
  }
  const choices = d.choices().filter(({ data }) => data.seat === seat);
  const [first] = choices;
  if (!first) throw new RangeError(`Seat ${seat} has nothing to decide.`);
  return first.type === "CardsDiscarded" || first.data.choice === "sacrifice" ? leastOf(d, choices) : first;
}

/** Return the choice that gives up the least. */
function leastOf(d: Duel, choices: readonly Fact[]): Fact {
  const idsOf = ({ data }: Fact) => (data.cards as { object: string }[] | undefined)?.map(({ object }) =>
    object) ?? data.objects as string[];
  const order = cheapest(d, [...new Set(choices.flatMap(idsOf))]);
  const worth = (one: Fact) => idsOf(one).map((id) => order.indexOf(id)).sort((a, b) => a - b).join();
  return choices.reduce((best, one) => (worth(one) < worth(best) ? one : best));
}
