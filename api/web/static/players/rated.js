/** Shows the ratings for which a match counts, the ratings of its players, and the expected result. */

import {api, repaint} from "../table/app.js";
import {loadStyles} from "../table/later.js";
import {nameOf} from "../table/seating.js";
import {says} from "../words/players.js";
import {html, nothing} from "lit-html";
import ratedStyles from "./rated.css?url";

loadStyles(ratedStyles);

/**
 * @typedef {{rating: number, provisional: boolean} | null} SeatRating as the API shows it; null if it is hidden or
 *   missing
 */

const PER_CENT = 100;

/** Name the matches that a rating covers. @param {{title: string, pace: string}} one */
export const poolInWords = ({title, pace}) => [title, says.paces[pace] ?? pace].filter(Boolean).join(" · ");

/** Say for which ratings a match counts, or that it is not rated. @param {Pick<Api.Match, "rated">} match */
export const counts = ({rated}) => rated ? says.isRated(poolInWords(rated)) : says.isNotRated;

/** Name a player at a waiting table, with the rating. @param {Api.ListedSeat} seat */
export const strength = ({player, rating}) => player && rating
  ? says.withRating(player.name ?? "", rating.rating, rating.provisional) : player?.name ?? null;

/** Draw a rating next to a name. @param {SeatRating | undefined} one */
export const drawn = (one) => one ? html`<span class="rating"
  title=${one.provisional ? says.provisional : nothing}>${one.rating}${one.provisional
  ? html`<span aria-hidden="true">?</span><span class="unseen"> ${says.provisional}</span>` : nothing}</span>`
  : nothing;

/** The last requested expectation, for a match with its players then. */
const known = {of: "", sides: /** @type {Api.ExpectedSide[]} */ ([]), ratings: /** @type {SeatRating[]} */ ([]),
  isNew: /** @type {number[]} */ ([])};
const OPEN = ["lobby", "playing"];

/**
 * Read the expected result of a match, once for each set of players; if that fails, show none.
 * @param {Api.Match} match
 * @param {Record<string, string>} [headers]
 */
function expects(match, headers) {
  const of = [match.id, ...match.seats.map((one) => one.player?.id)].join();
  if (known.of === of || !OPEN.includes(match.status)) return known.of === of ? known : null;
  Object.assign(known, {of, sides: [], ratings: [], isNew: []});
  void api.call("GET", `/matches/${match.id}/expected`, undefined, headers).then(({sides, ratings, new: isNew}) => {
    if (known.of === of) Object.assign(known, {sides, ratings, isNew});
    repaint();
  }, () => {});
  return known;
}

/**
 * Return what draws the ratings of a rated match next to its players' names.
 * @param {Api.Match} match
 * @param {Record<string, string>} [headers]
 */
export const ratings = (match, headers) =>
  ({beside: (/** @type {number} */ seat) => drawn(match.rated ? expects(match, headers)?.ratings[seat] : null)});

/** Show the expected result. @param {Api.Match} match @param {Record<string, string>} [headers] */
export function expectation(match, headers) {
  const {sides, isNew} = expects(match, headers) ?? known;
  return sides.length ? html`<h2>${says.expected}</h2><ul
    class="expected">${sides.map(({seats, first}) =>
      html`<li>${says.chance(seats.map((seat) => nameOf(match, seat)),
        Math.round(first * PER_CENT))}</li>`)}</ul>
    ${isNew.length ? html`<p class="as-new">${says.asNew}</p>` : nothing}` : nothing;
}
