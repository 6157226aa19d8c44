/** A message of a stream. */
export interface StreamMessage<Data = unknown> {
  /** The id with which the stream can be resumed. */
  id: string;
  /** Its type. */
  event: string;
  /** Its JSON. */
  data: Data;
}

/** Reads messages from pieces of a stream, and remembers the last id when the stream is cut. */
export class StreamReader {
  /** Milliseconds to wait before the stream is requested again. */
  retry = 0;
  #rest = "";
  #event = "message";
  #data: string[] = [];
  #id: string;

  constructor(public lastEventId: string | undefined) {
    this.#id = lastEventId ?? "";
  }

  /** Forgets the incomplete message at the end of a cut stream. */
  restart(): void {
    this.#rest = "";
    this.#event = "message";
    this.#data = [];
    this.#id = this.lastEventId ?? "";
  }

  /** Yields the messages that a piece completes. */
  *feed(piece: string): Generator<StreamMessage> {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const whole of lines) {
      const line = whole.replace(/\r$/, "");
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") this.#data.push(value);
      else if (name === "event") this.#event = value;
      else if (name === "id") this.#id = value;
      else if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
      else if (line === "") yield* this.#complete();
    }
  }

  /** Yields the message that an empty line ends, if it has data. */
  *#complete(): Generator<StreamMessage> {
    const data = this.#data.join("\n");
    const event = this.#event;
    this.#data = [];
    this.#event = "message";
    this.lastEventId = this.#id || undefined;
    if (data) yield { id: this.#id, event, data: JSON.parse(data) };
  }
}
