// Fivewells in the second verifier, written from domain/games/fivewells/proof.md alone.

/**
 * @typedef {{decks: (string[] | null)[], held: (Set<number> | null)[], mulligans: number[], searches: number[],
 *   kept: boolean[], lots: number}} Own what is kept on the table
 */
/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table & Own} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<Own>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { EACH, NOBODY, OWN, compare, isObject, isSet, openBooster, same, whole } = kit;
  /** @type {typeof kit.must} */
  const must = kit.must;

  const seats = [2];

  const events = {
    DeckBrought: "seat deck:Deck", GameStarted: "game_no", FirstPlayerChosen: "seat how", HandStarted: "hand_no of",
    BoosterOpened: "seat n set count cards", DeckSubmitted: "seat main sideboard how deck:Deck", DecksBuilt: "hand_no",
    CardsNumbered: "seat first count cards", LibraryShuffled: "seat count library", HandDealt: "counts cards:Face",
    MulliganTaken: "seat count", HandKept: "seat cards_left bottom", GameEnded: "winners ranking life reason",
    TurnStarted: "seat turn untapped thawed settled faded draws card:Face then:Entered",
    StepEntered: "step priority passes out_of_combat recovered", WindowPassed: "step then:Entered",
    PriorityGiven: "seat passes", PriorityPassed: "seat until once then:Entered", StopsSet: "seat stops once",
    TurnEnded: "seat recovered", LandPlayed: "seat object card tapped",
    ManaAdded: "seat source mana amount tapped pool",
    SpellCast: "seat object source card targets:Targets x paid:Paid by_hand pool",
    AbilityActivated: "seat object source card ability targets:Targets x paid:Paid by_hand pool tapped sacrificed",
    TriggersNoted: "triggers:Noted", AbilityTriggered: "seat object source card ability targets:Targets about",
    TriggerDropped: "seat source card ability", ResolutionBegan: "object card targets:Targets controllers",
    SpellResolved: "object card gone owner then:Entered", SpellFailed: "object card reason gone owner",
    SpellCountered: "object source card owner", EffectDone: "object n unit amount",
    ChoiceRequested: "seat choice least most objects cards:Face",
    ChoiceMade: "seat choice objects targets:Targets number paid:Paid pool", RandomDiscardDue: "seat",
    CardDrawn: "seat card:Face", DrawFailed: "seat", CardsDiscarded: "seat cards:Face why",
    CardsMilled: "seat cards:Face",
    CardReturned: "object card owner from to", Scouted: "seat count to_bottom top bottom",
    LibrarySearched: "seat found:Face to",
    PermanentEntered: "object card owner controller tapped resolved from_graveyard",
    TokenCreated: "object token owner", PermanentsLeft: "objects to reason were:Departed cards",
    PermanentTapped: "object", PermanentUntapped: "object", PermanentFrozen: "object", DamageDealt: "source rows:Hit",
    LifeChanged: "seat delta life", CountersAdded: "object amount total",
    PumpApplied: "objects power toughness keywords until_turn_of",
    AttackersDeclared: "seat attackers tapped priority passes then:Entered",
    BlockersDeclared: "seat blocks:Blocks blocked unordered priority passes forced",
    BlockersOrdered: "seat attacker order unordered", CombatDamageDealt: "step rows:Hit struck life then:Entered",
  };

  const records = {
    Deck: "main sideboard", Face: "object card", Entered: "step passed priority passes out_of_combat recovered",
    Targets: "a? b? c? d? e? f? g? h? i? j? k? l? m? n? o? p? q? r? s? t? u? v? w? x? y? z?", Paid: "id color?",
    Noted: "source card ability controller about?", Departed: "object card owner controller power keywords",
    Hit: "source to amount venom", Blocks: "blocker attacker",
  };

  const options =
    "format:constructed|sealed|draft sets first_deck:ST|SR|SF|SG|TR|TF|TG|RF|RG|FG " +
    "second_deck:ST|SR|SF|SG|TR|TF|TG|RF|RG|FG sideboarding:bool max_turns:1-1000 collection:free|owned pool? " +
    "bots_from:0-7 auto_pass_when_no_action:bool";

  const seals = {
    DeckBrought: { deck: OWN }, BoosterOpened: { cards: OWN }, DeckSubmitted: { deck: OWN },
    CardsNumbered: { cards: NOBODY },
    LibraryShuffled: { library: NOBODY }, HandDealt: { cards: EACH }, HandKept: { bottom: OWN },
    CardDrawn: { card: OWN }, TurnStarted: { card: OWN },
    PriorityPassed: { until: OWN, once: OWN }, StopsSet: { stops: OWN, once: OWN }, ChoiceRequested: { cards: OWN },
    Scouted: { top: OWN, bottom: OWN },
  };

  /** @type {Its["deals"]} */
  const deals = {
    BoosterOpened: booster,
    DeckSubmitted: (table, event) => {
      const deck = own(event, "deck");
      table.decks[seatOf(event)] = deck ? listed(event, isObject(deck) ? deck.main : null).map(String).sort() : null;
    },
    FirstPlayerChosen: firstPlayer,
    CardsNumbered: numbered,
    LibraryShuffled: shuffled,
    MulliganTaken: (table, event) => { table.mulligans[seatOf(event)] = (table.mulligans[seatOf(event)] ?? 0) + 1; },
    HandDealt: (table, event) => {
      const { counts } = event.data;
      const two = Array.isArray(counts) && counts.length === 2 && counts.every(Number.isInteger);
      must(two, event.seq, "Both seats must get a hand, or neither.");
      counts.forEach((count, seat) => {
        const cards = event.parts.cards?.[String(seat)];
        if (count) table.held[seat] = cards ? new Set(objects(event, cards)) : null;
      });
    },
    HandKept: (table, event) => {
      const bottom = own(event, "bottom");
      lose(table, seatOf(event), bottom ? numbers(event, bottom) : null);
      table.kept[seatOf(event)] = true;
    },
    CardDrawn: drawn,
    TurnStarted: (table, event) => event.data.draws && drawn(table, event),
    LandPlayed: (table, event) => lose(table, seatOf(event), [number(event, event.data.object)]),
    SpellCast: (table, event) => lose(table, seatOf(event), [number(event, event.data.source)]),
    LibrarySearched: (table, event) => {
      table.searches[seatOf(event)] = (table.searches[seatOf(event)] ?? 0) + 1;
      if (event.data.to === "hand") gain(table, seatOf(event), objects(event, event.data.found));
    },
    PermanentsLeft: left,
    CardReturned: (table, event) => gain(table, seatOf(event, "owner"), [number(event, event.data.object)]),
    CardsDiscarded: discarded,
  };

  const reveal = "match_end";

  const brought = ["DeckBrought"];

  const newHand = () => ({
    decks: [null, null], held: [new Set(), new Set()], mulligans: [0, 0], searches: [0, 0], kept: [false, false],
    lots: 0,
  });

  // --- Boosters -------------------------------------------------------------------------------------

  /** @param {import("../../../api/web/static/past/verify/deals.mjs").Data} options */
  function setsOf({ sets }) {
    const [first, second] = Array.isArray(sets) ? sets : ["fw1", "bt1"];
    return second === undefined ? Array(6).fill(first) : [first, first, first, first, second, second];
  }

  /** @param {Table} table @param {Event} event */
  function booster(table, event) {
    const { n, set } = event.data;
    const seat = seatOf(event);
    const sets = setsOf(table.options);
    must(whole(n, sets.length) && set === sets[n] && isSet(set), event.seq, "There is no such booster.");
    const cards = table.drawn(`booster.${seat}`, n, (words) => openBooster(set, words));
    if (cards) compare(event, "cards", { [seat]: cards }, "The cards of a booster");
  }

  // --- The duel -------------------------------------------------------------------------------------

  /** @param {Event} event @param {"seat" | "owner"} name */
  function seatOf({ seq, data }, name = "seat") {
    must(whole(data[name], 2), seq, "A duel has two seats.");
    return data[name];
  }

  /** @param {Event} event @param {unknown} handle */
  function number({ seq }, handle) {
    must(typeof handle === "string" && /^o[0-9]+$/.test(handle), seq, "A card has a handle like o7.");
    return Number(handle.slice(1));
  }

  /** @param {Event} event @param {string} field @returns {unknown} */
  const own = (event, field) => event.parts[field]?.[String(seatOf(event))] ?? null;
  /** @param {Event} event @param {unknown} faces */
  const objects = (event, faces) => listed(event, faces)
    .map((face) => number(event, isObject(face) ? face.object : null));
  /** @param {Event} event @param {unknown} handles */
  const numbers = (event, handles) => listed(event, handles).map((handle) => number(event, handle));

  /** @param {Event} event @param {unknown} list @returns {unknown[]} */
  function listed({ seq }, list) {
    must(Array.isArray(list), seq, "The event lacks a required field of its type.");
    return list;
  }

  /** @param {Table} table @param {number} seat @param {number[] | null} cards */
  function gain(table, seat, cards) {
    const held = table.held[seat];
    table.held[seat] = held && cards ? new Set([...held, ...cards]) : null;
  }

  /** @param {Table} table @param {number} seat @param {number[] | null} cards */
  function lose(table, seat, cards) {
    const held = table.held[seat];
    table.held[seat] = held && cards ? new Set([...held].filter((card) => !cards.includes(card))) : null;
  }

  /** @param {Table} table @param {Event} event */
  function drawn(table, event) {
    const card = own(event, "card");
    gain(table, seatOf(event), card ? objects(event, [card]) : null);
  }

  /** @param {Table} table @param {Event} event */
  function firstPlayer(table, event) {
    if (event.data.how !== "random") return;
    const seat = table.drawn("first_player", 0, ({ below }) => below(2));
    must(seat === null || event.data.seat === seat, event.seq, "The seat does not follow from the seed.");
  }

  /** @param {Table} table @param {Event} event */
  function numbered(table, event) {
    const seat = seatOf(event);
    const deck = table.decks[seat];
    const places = deck && table.shuffled(`ids.${seat}`, 0, [...deck.keys()]);
    if (places) compare(event, "cards", { table: places.map((place) => deck[place]) }, "The handles of a deck");
  }

  /** @param {Table} table @param {Event} event */
  function shuffled(table, event) {
    const seat = seatOf(event);
    const library = event.parts.library?.table;
    if (!library) return;
    const sorted = [...listed(event, library)].sort((a, b) => number(event, a) - number(event, b));
    const isKept = table.kept[seat];
    const n = isKept ? (table.searches[seat] ?? 0) - 1 : table.mulligans[seat] ?? 0;
    const due = table.shuffled(`${isKept ? "search" : "library"}.${seat}`, n, sorted);
    must(due === null || same(library, due), event.seq,
      "The library does not have the order that follows from the seed.");
  }

  /** @param {Table} table @param {Event} event */
  function left(table, event) {
    if (event.data.to !== "hand") return;
    const cards = numbers(event, event.data.cards);
    for (const one of listed(event, event.data.were)) {
      const { object, owner } = isObject(one) ? one : {};
      const card = number(event, object);
      if (!cards.includes(card)) continue;
      must(whole(owner, 2), event.seq, "A duel has two seats.");
      gain(table, owner, [card]);
    }
  }

  /** @param {Table} table @param {Event} event */
  function discarded(table, event) {
    const seat = seatOf(event);
    const cards = objects(event, event.data.cards);
    if (event.data.why === "random") {
      const held = table.held[seat];
      const n = table.lots++;
      const place = held?.size ? table.drawn("random", n, ({ below }) => below(held.size)) : null;
      const due = place === null ? null : [...(held ?? [])].sort((a, b) => a - b)[place];
      must(due === null || same(cards, [due]), event.seq,
        "The card discarded at random does not follow from the seed.");
    }
    lose(table, seat, cards);
  }

  return { seats, events, records, options, seals, deals, reveal, brought, newHand };
}
