// The settings that a browser keeps.

import assert from "node:assert/strict";
import {test} from "vitest";

import {NAMES, SETTINGS, valid} from "../../api/web/static/settings/chosen.ts";

test("a kept value is used if the setting has it, else the first one", () => {
  assert.equal(valid("colours", "4"), "4");
  for (const name of NAMES) {
    assert.equal(valid(name, null), SETTINGS[name][0]);
    assert.equal(valid(name, "plaid"), SETTINGS[name][0]);
  }
});
