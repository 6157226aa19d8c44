// Fivewells in the second verifier, written from domain/games/fivewells/proof.md alone.

export function part(kit) {
  const { EACH, NOBODY, OWN, compare, has, isObject, isSet, must, openBooster, same, whole } = kit;

  const seats = [2];

  const types =
    "DeckBrought GameStarted FirstPlayerChosen HandStarted BoosterOpened DeckSubmitted DecksBuilt CardsNumbered " +
    "LibraryShuffled HandDealt MulliganTaken HandKept GameEnded TurnStarted StepEntered WindowPassed PriorityGiven " +
    "PriorityPassed StopsSet TurnEnded LandPlayed ManaAdded SpellCast AbilityActivated TriggersNoted AbilityTriggered " +
    "TriggerDropped ResolutionBegan SpellResolved SpellFailed SpellCountered EffectDone ChoiceRequested ChoiceMade " +
    "RandomDiscardDue CardDrawn DrawFailed CardsDiscarded CardsMilled CardReturned Scouted LibrarySearched PermanentEntered " +
    "TokenCreated PermanentsLeft PermanentTapped PermanentUntapped PermanentFrozen DamageDealt LifeChanged CountersAdded " +
    "PumpApplied AttackersDeclared BlockersDeclared BlockersOrdered CombatDamageDealt";

  const seals = {
    DeckBrought: { deck: OWN }, BoosterOpened: { cards: OWN }, DeckSubmitted: { deck: OWN }, CardsNumbered: { cards: NOBODY },
    LibraryShuffled: { library: NOBODY }, HandDealt: { cards: EACH }, HandKept: { bottom: OWN }, CardDrawn: { card: OWN }, TurnStarted: { card: OWN },
    PriorityPassed: { until: OWN, once: OWN }, StopsSet: { stops: OWN, once: OWN }, ChoiceRequested: { cards: OWN },
    Scouted: { top: OWN, bottom: OWN },
  };

  const later = {
    TurnStarted: ["faded", "draws", "card", "then"], AbilityTriggered: ["about"], SpellResolved: ["then"],
    CombatDamageDealt: ["life", "then"], PumpApplied: ["until_turn_of"], TriggersNoted: [],
  };

  /** Whether data are what version 1 had where no field of the event itself came later. */
  const first = {
    TriggersNoted: ({ triggers }) =>
      Array.isArray(triggers) && triggers.every((row) => isObject(row) && !has(row, "about")),
  };

  const deals = {
    BoosterOpened: booster,
    DeckSubmitted: (table, event) => {
      const deck = own(event, "deck");
      table.decks[seatOf(event)] = deck ? [...deck.main].sort() : null;
    },
    FirstPlayerChosen: firstPlayer,
    CardsNumbered: numbered,
    LibraryShuffled: shuffled,
    MulliganTaken: (table, event) => (table.mulligans[seatOf(event)] += 1),
    HandDealt: (table, event) => {
      const { counts } = event.data;
      const two = Array.isArray(counts) && counts.length === 2 && counts.every(Number.isInteger);
      must(two, event.seq, "A hand is dealt to each of two seats, or none.");
      counts.forEach((count, seat) => {
        const cards = event.parts.cards?.[String(seat)];
        if (count) table.held[seat] = cards ? new Set(objects(event, cards)) : null;
      });
    },
    HandKept: (table, event) => {
      const bottom = own(event, "bottom");
      lose(table, seatOf(event), bottom && bottom.map((handle) => number(event, handle)));
      table.kept[seatOf(event)] = true;
    },
    CardDrawn: drawn,
    TurnStarted: (table, event) => event.data.draws && drawn(table, event),
    LandPlayed: (table, event) => lose(table, seatOf(event), [number(event, event.data.object)]),
    SpellCast: (table, event) => lose(table, seatOf(event), [number(event, event.data.source)]),
    LibrarySearched: (table, event) => {
      table.searches[seatOf(event)] += 1;
      if (event.data.to === "hand") gain(table, seatOf(event), objects(event, event.data.found));
    },
    PermanentsLeft: left,
    CardReturned: (table, event) => gain(table, seatOf(event, "owner"), [number(event, event.data.object)]),
    CardsDiscarded: discarded,
  };

  const reveal = "match_end";

  const brought = ["DeckBrought"];

  const newHand = () => ({
    decks: [null, null], held: [new Set(), new Set()], mulligans: [0, 0], searches: [0, 0], kept: [false, false], lots: 0,
  });

  // --- Boosters -------------------------------------------------------------------------------------

  function setsOf({ sets }) {
    const [first, second] = Array.isArray(sets) ? sets : ["fw1", "bt1"];
    return second === undefined ? Array(6).fill(first) : [first, first, first, first, second, second];
  }

  function booster(table, event) {
    const { n, set } = event.data;
    const seat = seatOf(event);
    const sets = setsOf(table.options);
    must(whole(n, sets.length) && set === sets[n] && isSet(set), event.seq, "There is no such booster.");
    const cards = table.drawn(`booster.${seat}`, n, (words) => openBooster(set, words));
    if (cards) compare(event, "cards", { [seat]: cards });
  }

  // --- The duel -------------------------------------------------------------------------------------

  function seatOf({ seq, data }, name = "seat") {
    must(whole(data[name], 2), seq, "A duel is of two seats.");
    return data[name];
  }

  function number({ seq }, handle) {
    must(typeof handle === "string" && /^o[0-9]+$/.test(handle), seq, "A card has a handle like o7.");
    return Number(handle.slice(1));
  }

  const own = (event, field) => event.parts[field]?.[String(seatOf(event))] ?? null;
  const objects = (event, faces) => faces.map(({ object }) => number(event, object));

  function gain(table, seat, cards) {
    const held = table.held[seat];
    table.held[seat] = held && cards ? new Set([...held, ...cards]) : null;
  }

  function lose(table, seat, cards) {
    const held = table.held[seat];
    table.held[seat] = held && cards ? new Set([...held].filter((card) => !cards.includes(card))) : null;
  }

  function drawn(table, event) {
    const card = own(event, "card");
    gain(table, seatOf(event), card && objects(event, [card]));
  }

  function firstPlayer(table, event) {
    if (event.data.how !== "random") return;
    const seat = table.drawn("first_player", 0, ({ below }) => below(2));
    must(seat === null || event.data.seat === seat, event.seq, "The seat is not what the seed gives.");
  }

  function numbered(table, event) {
    const seat = seatOf(event);
    const deck = table.decks[seat];
    const places = deck && table.shuffled(`ids.${seat}`, 0, [...deck.keys()]);
    if (places) compare(event, "cards", { table: places.map((place) => deck[place]) });
  }

  function shuffled(table, event) {
    const seat = seatOf(event);
    const library = event.parts.library?.table;
    if (!library) return;
    const sorted = [...library].sort((a, b) => number(event, a) - number(event, b));
    const [purpose, n] = table.kept[seat] ? ["search", table.searches[seat] - 1] : ["library", table.mulligans[seat]];
    const due = table.shuffled(`${purpose}.${seat}`, n, sorted);
    must(due === null || same(library, due), event.seq, "The library is not what the seed gives.");
  }

  function left(table, event) {
    if (event.data.to !== "hand") return;
    const cards = event.data.cards.map((card) => number(event, card));
    for (const { object, owner } of event.data.were) {
      const card = number(event, object);
      if (!cards.includes(card)) continue;
      must(whole(owner, 2), event.seq, "A duel is of two seats.");
      gain(table, owner, [card]);
    }
  }

  function discarded(table, event) {
    const seat = seatOf(event);
    const cards = objects(event, event.data.cards);
    if (event.data.why === "random") {
      const held = table.held[seat];
      const n = table.lots++;
      const place = held?.size ? table.drawn("random", n, ({ below }) => below(held.size)) : null;
      const due = place === null ? null : [...held].sort((a, b) => a - b)[place];
      must(due === null || same(cards, [due]), event.seq, "The card is not what the seed gives.");
    }
    lose(table, seat, cards);
  }

  return { seats, types, seals, later, first, deals, reveal, brought, newHand };
}
