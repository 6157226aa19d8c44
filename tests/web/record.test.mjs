/** A record is what anybody may have written: names that mean something to JavaScript are names like any other. */

import assert from "node:assert/strict";
import {test} from "vitest";
import {split} from "../../api/web/static/past/verify/record.mjs";

const WRITTEN = `{"seq": 1, "commit": 1, "type": "HandDealt", "v": 1, "at": "", "cause": "", "digest": "",
  "data": {"__proto__": "mine", "constructor": "open"}, "seals": {"__proto__": {"0": "a", "1": "b"}},
  "disclosed": {"__proto__": {"1": "yours"}}}`;

test("what a record calls __proto__ is a part like others, and nothing else inherits it", () => {
  const {data, parts} = split(JSON.parse(WRITTEN), "0");
  assert.deepEqual(Object.entries(parts).map(([name, part]) => [name, {...part}]),
    [["__proto__", {0: "mine", 1: "yours"}]]);
  assert.deepEqual(Object.entries(data), [["constructor", "open"]]);
  assert.equal("0" in {}, false);
});
