"""Verifies a record from an unknown sender, in a process with limits on its time and memory.

`verify_file` has the process run; `python -m events.proof.verifier` is the process. It imports only the code for
verification, so that it starts quickly.
"""

import json
import sys
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any, Final

from events.proof import limited_process
from events.proof.limited_process import TooMuch, run_limited

if TYPE_CHECKING:
    from events.proof.signed_heads import KnownKey

SECONDS: Final = 25
"""Limit of the computing time for one record, in seconds."""

MEMORY: Final = 1024 * 1024 * 1024
LONGEST: Final = 300
"""Maximum characters of a record quoted in a sentence about it."""

TOO_MUCH: Final = (
    f"Verifying this takes more than {SECONDS} s of computing, or too much memory. `dealt verify` has no such limits."
)

KEY_UNTIL: Final = "/"
"""Separates a key from its end time in the arguments of the process."""

PROGRAM: Final = (sys.executable, "-m", __name__)


class Unverifiable(Exception):
    """The text is not a record, or exceeds the limits; the message explains the fault."""


def verify_file(record: IO[bytes], kept: Sequence[str] = (), keys: "Sequence[KnownKey]" = ()) -> dict[str, Any]:
    """Verify a record from a file; return the report (contract 7).

    `kept` are heads as `version:digest`, and `keys` the servers' keys that count. Raises `Unverifiable`, or `Hindered`
    if it is not the record's fault.
    """
    try:
        written = run_limited("A verification", [*PROGRAM, *arguments_of(kept, keys)], stdin=record)
    except TooMuch:
        raise Unverifiable(TOO_MUCH) from None
    answer: dict[str, Any] = json.loads(written)
    if "unreadable" in answer:
        raise Unverifiable(answer["unreadable"])
    return answer


def arguments_of(kept: Sequence[str], keys: "Sequence[KnownKey]") -> list[str]:
    """Return the arguments by which the process is given heads and keys."""
    return [*kept, *(f"{key.key}{KEY_UNTIL}{key.until or ''}" for key in keys)]


def verify_input(given: Sequence[str]) -> int:
    """Verify the record on the standard input within the limits; the answer is one JSON object."""
    limited_process.limit_process(MEMORY, SECONDS)
    try:
        answer = report_on(sys.stdin.buffer, given)
    except Exception as error:
        sys.stderr.write(limited_process.place(error))
        return 1
    sys.stdout.write(json.dumps(answer))
    return 0


def report_on(sent: IO[bytes], given: Sequence[str]) -> dict[str, Any]:
    """Return the report on a record, or the reason under `unreadable` if there is none.

    `given` are heads as `version:digest`, and keys as `key/until`.
    """
    from events.proof.documents import verify_document  # noqa: PLC0415 -- within the limits, not where it is started
    from events.proof.findings import Evidence, in_json  # noqa: PLC0415 -- the same
    from events.proof.record import Unreadable  # noqa: PLC0415 -- the same
    from events.proof.signed_heads import KnownKey  # noqa: PLC0415 -- the same

    heads = [limited_process.kept_head(text) for text in given if KEY_UNTIL not in text]
    parted = [text.partition(KEY_UNTIL) for text in given if KEY_UNTIL in text]
    try:
        keys = [KnownKey(key, until or None) for key, _, until in parted]
        _, report = verify_document(sent, Evidence(heads, keys))
    except Unreadable as error:
        return {"unreadable": _cut(str(error))}
    answer: dict[str, Any] = in_json(report)
    for check in answer["checks"]:
        check["detail"] = _cut(check["detail"])
    return answer


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


if __name__ == "__main__":
    sys.exit(verify_input(sys.argv[1:]))
