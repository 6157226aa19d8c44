/** A client of Dealt, the card-game server, for browsers and Node. */

export type { components, operations, paths } from "./api.js";
export type { Call, Settings } from "./calls.js";
export {
  type Answer,
  type Arguments,
  type Client,
  Core,
  createClient,
  type OperationName,
  type Turn,
} from "./client.js";
export { NoAnswer, Refused } from "./errors.js";
export { OPERATIONS, VERSION } from "./operations.js";
export type { StreamMessage } from "./streams.js";
