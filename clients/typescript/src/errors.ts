/** The server refused a request. */
export class Refused extends Error {
  /** The code, which `/docs/problems` explains; empty if something other than the server has answered. */
  readonly code: string;
  /** The fix, in a sentence. */
  readonly detail: string;
  /** Faults by the path of the field. */
  readonly errors: Record<string, string[]>;

  constructor(
    request: string,
    /** The HTTP status. */
    readonly status: number,
    text: string,
  ) {
    const problem = problemIn(text);
    super(`${request}: ${status} ${problem.code ?? ""} ${problem.detail ?? ""}`);
    this.name = "Refused";
    this.code = problem.code ?? "";
    this.detail = problem.detail ?? "";
    this.errors = problem.errors ?? {};
  }
}

interface Problem {
  code?: string;
  detail?: string;
  errors?: Record<string, string[]>;
}

/** Returns the problem in an answer; of an answer that is not the server's, an empty one. */
function problemIn(text: string): Problem {
  try {
    const problem: unknown = JSON.parse(text);
    return typeof problem === "object" && problem !== null ? problem : {};
  } catch {
    return {};
  }
}

/** No answer arrived. If the request was not safe to repeat, the server may have done what it asked. */
export class NoAnswer extends Error {
  constructor(request: string, cause: unknown) {
    super(`${request}: no answer`, { cause });
    this.name = "NoAnswer";
  }
}
