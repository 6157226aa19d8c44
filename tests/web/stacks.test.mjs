// Which chips an amount is drawn with.

import { expect, test } from "vitest";
import { stacksOf } from "../../api/web/static/printed/stacks.ts";

test.each([
  { amount: 0, stacks: [] },
  { amount: 3, stacks: [[1, 3]] },
  { amount: 198, stacks: [[100, 1], [25, 3], [5, 4]] },
  { amount: 200, stacks: [[100, 2]] },
  { amount: 9_000, stacks: [[500, 5]] },
])("$amount chips are drawn with few chips of the highest values", ({ amount, stacks }) => {
  expect(stacksOf(amount)).toEqual(stacks);
});
