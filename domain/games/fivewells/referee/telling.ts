/**
 * What the events tell, and when (4.4). The course of windows is fixed by the rules,
   and which steps of it have an event
 * of their own is not: so the referee keeps the path that the turn has taken since the last event, and a told step must
 * be on it.
 */

import { Unfit, at, chance, due, fact, same } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Asked, Decision, Fact, Fields } from "../../../../api/web/static/past/verify/referee.ts";
import type { Duel, PathPoint, Play, Point } from "./table.ts";

export const here = (d: Duel): Point =>
  ({ step: d.step, priority: d.priority, passes: d.passes, window: d.window });
/** The turn goes on to a point of its course. */
export const pass = (d: Duel, gone: readonly string[] = [], healed: readonly string[] = []): void => {
  d.path.push({ ...here(d), gone, healed });
};
/** An event tells where the turn is. */
export const tell = (d: Duel): void => {
  d.told = here(d);
  d.path = [];
};

const reaches = (point: Point, to: Fields) =>
  point.step === to.step && point.priority === to.priority && point.passes === to.passes;

/** Return the windows in which nobody stopped on the way to a point. */
function quiet(d: Duel, way: readonly PathPoint[], goal: PathPoint): string[] {
  const windows = way.filter(({ window, priority }) =>
    window !== d.told.window && window !== goal.window && priority !== null);
  const between = [...new Map(windows.map(({ window, step }) => [window, step])).values()];
  return isQuiet(d) ? [d.told.step, ...between] : between;
}
/** Whether nobody has stopped in the window that was told last. */
const isQuiet = (d: Duel) => d.told.priority !== null && d.told.passes === 0;

/** Judge a step that is told, and return the length of the way to it, or why it is not on the way. */
function judgeStep(d: Duel, to: Fields, passed: readonly unknown[]): number | string {
  const goal = d.path.find((point) => reaches(point, to) && point.window !== d.told.window);
  if (!goal) return `The turn does not go on to ${String(to.step)} so.`;
  const way = d.path.slice(0, d.path.indexOf(goal) + 1);
  if (!same(to.out_of_combat, way.flatMap(({ gone }) => gone))) return "The creatures removed from combat are wrong.";
  if (!same(to.recovered, way.flatMap(({ healed }) => healed))) return "The effects that end are wrong.";
  if (!same(passed, quiet(d, way, goal))) return "The windows in which no seat stopped are wrong.";
  return way.length;
}

/** Judge an event that tells where the turn is, and nothing else. */
function judgeTold(d: Duel, { type, data }: Fact): number | string {
  if (type === "PriorityGiven") {
    const i = d.path.findIndex((point) =>
      point.window === d.told.window && point.priority === data.seat && point.passes === data.passes);
    return i < 0 ? "That seat does not have priority." : i + 1;
  }
  if (type === "WindowPassed") {
    const then = data.then as Fields;
    return Array.isArray(then.passed) ? judgeStep(d, then, [data.step, ...then.passed])
      : "The windows must be a list.";
  }
  if (type !== "StepEntered") return `${type} comes before the step that it is in.`;
  return judgeStep(d, data, []);
}


function goOn(d: Duel, length: number): void {
  d.told = at(d.path, length - 1);
  d.path = d.path.slice(length);
}

/** Check what the last event said of the step that begins then. */
function settle(d: Duel): void {
  const then = d.then;
  if (!then) return;
  d.then = null;
  const length = judgeStep(d, then, then.passed as string[]);
  if (typeof length === "string") throw new Unfit(length);
  goOn(d, length);
}

/** Let an event tell how far the turn has gone, as long as `open`. */
function* telling(d: Duel, open: () => boolean): Play {
  settle(d);
  while (open()) {
    const told = yield { ...chance((given) => {
      const found = judgeTold(d, given);
      return typeof found === "string" ? found : null;
    }), usual: usual(d) };
    const length = judgeTold(d, told);
    if (typeof length === "number") goOn(d, length);
  }
}

/** Return the event that tells in one where the turn is. */
function usual(d: Duel): Fact {
  const goal = at(d.path, d.path.length - 1);
  if (goal.window === d.told.window) return fact("PriorityGiven", { seat: goal.priority, passes: goal.passes });
  const { step, priority, passes } = goal;
  const lists = { out_of_combat: d.path.flatMap(({ gone }) => gone),
    recovered: d.path.flatMap(({ healed }) => healed) };
  const to = { step, priority, passes, ...lists };
  const [window, ...passed] = quiet(d, d.path, goal);
  return window === undefined ? fact("StepEntered", to)
    : fact("WindowPassed", { step: window, then: { ...to, passed } });
}

const isTold = (d: Duel) => d.told.window === d.window;
const isToldWhole = (d: Duel) => isTold(d) && d.told.priority === d.priority && d.told.passes === d.passes;

/** Let the events tell which step it is, before something else tells that another begins. */
export const arrive = (d: Duel): Play => telling(d, () => !isTold(d));

/** Say that a fact follows; its field `then` tells more of the turn, and is judged by what comes. */
export function* follows(d: Duel, type: string, data: Fields): Play<Fields> {
  yield* arrive(d);
  d.path = [];
  const given = yield "then" in data ? later(fact(type, data)) : due(type, data);
  d.then = (given.data.then ?? null) as Fields | null;
  return given.data;
}

/** Judge all of a fact but its field `then`. */
export function judgeButThen(expected: Fact, given: Fact): string | null {
  if (given.type !== expected.type) return `${expected.type} is due here.`;
  const wrong = Object.keys({ ...expected.data, ...given.data }).find((name) =>
    name !== "then" && !same(expected.data[name], given.data[name]));
  return wrong === undefined ? null : `${expected.type} has another ${wrong} than the rules give.`;
}
const later = (expected: Fact) => ({ ...chance((given) => judgeButThen(expected, given)), usual: expected });

/** Let chance decide. */
export function* byChance(d: Duel, usualFact: Fact, judge: (given: Fact) => string | null): Play<Fields> {
  yield* arrive(d);
  d.path = [];
  return (yield { ...chance(judge), usual: usualFact }).data;
}

/** Let seats decide; in a window the events must have told who has priority. */
export function* decides(
  d: Duel, asked: readonly Asked[], judge: (given: Fact) => string | null, choices: () => Fact[], window = false,
): Play<Fact> {
  yield* telling(d, () => (window ? !isToldWhole(d) : !isTold(d)));
  d.choices = choices;
  const decision: Decision = { kind: "decision", asked, judge, choices };
  const given = yield decision;
  d.path = [];
  return given;
}
