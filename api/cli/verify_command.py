"""The command `dealt verify` checks a record on this machine, with nothing but the record."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from msgspec import DecodeError, convert, json

from api.safe_text import clean
from api.terminal import record_files

if TYPE_CHECKING:
    from events.proof.findings import Finding, Report, Verdict
    from events.proof.signed_heads import KnownKey, NonceReceipt

HEAD: Final = r"[1-9][0-9]{0,9}:[0-9a-f]{64}"
WIDTH: Final = 100
CHANGED: Final = "This record is not what happened, or has been changed since."
UNVERIFIABLE: Final = 3
"""The exit code for what cannot be judged: neither good nor bad."""

EXIT_CODES: "Final[dict[Verdict, int]]" = {"verified": 0, "failed": 1, "unverifiable": UNVERIFIABLE}
"""The exit code of each verdict."""


class HeadParam(click.ParamType[tuple[int, str]]):
    """The parameter is a head that the user has kept."""

    name = "VERSION:DIGEST"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str]:
        import re

        if isinstance(value, tuple):
            return value
        if not re.fullmatch(HEAD, value):
            self.fail("write it as the version, a colon, and the 64 digits of the digest.", param, ctx)
        version, _, digest = value.partition(":")
        return int(version), digest


STRICT: Final = click.option(
    "--strict/--lenient",
    default=True,
    show_default=True,
    help=f"Whether what cannot be verified ends with the exit code {UNVERIFIABLE}, or with 0.",
)


class KeyParam(click.ParamType["tuple[KnownKey, ...]"]):
    """The parameter is a public key in hex, or a file with the answer of `GET /v1/keys`."""

    name = "KEY|FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "tuple[KnownKey, ...]":
        from events.proof.signed_heads import KEY, KnownKey, listed, succeeds

        if isinstance(value, tuple):
            return value
        if KEY.fullmatch(value):
            return (KnownKey(value),)
        try:
            keys = listed(json.decode(Path(value).read_bytes())["items"])
        except (OSError, DecodeError, KeyError, TypeError):
            self.fail("give the 64 digits of a public key, or a file with what GET /v1/keys answers.", param, ctx)
        if false := next((key.key for key in keys if succeeds(key) is False), None):
            self.fail(f"the key before {false} has not signed it, though the list says so.", param, ctx)
        return keys


@click.command()
@click.argument("record", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--head", "heads", type=HeadParam(), multiple=True, help="A head that you kept; may be given again.")
@click.option(
    "--key", "keys", type=KeyParam(), multiple=True, help="A key that must have signed it; may be given again."
)
@click.option(
    "--receipt",
    "receipts",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A receipt of a nonce, as an answer had it; may be given again.",
)
@click.option("--compare", nargs=2, type=click.Path(path_type=Path), help="Two records or signed heads, to compare.")
@STRICT
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def verify(
    record: Path | None,
    heads: tuple[tuple[int, str], ...],
    keys: "tuple[tuple[KnownKey, ...], ...]",
    receipts: tuple[Path, ...],
    compare: tuple[Path, Path] | None,
    strict: bool,  # noqa: FBT001 -- an option's
    as_json: bool,  # noqa: FBT001 -- an option's
) -> None:
    """Verify the RECORD of a match, tournament, collection or duplicate group: a file, or - for the standard input.

    Needs no server, no network and no configuration. The exit code is 0 if everything was checked and holds, 1 if
    something does not hold, or if this is no record, and 3 if nothing is wrong but not everything could be checked:
    rules of another version, a game that is not installed, an unknown option, cards that are not disclosed, the record
    of a table that is missing, or a head that no server signed and that you do not hold. With --key one of these keys
    must have signed it; with --head you say which digests you kept. With --receipt, a nonce that the server has
    acknowledged must be in it: else the receipt convicts the server.

    --compare A B takes two records of one match, tournament or collection, or of two tables of one duplicate group, or
    signed heads that answers gave. It exits with 0 if they say the same, with 1 if they tell different histories, and
    with 3 if they cannot be compared. If one server has signed both, that proves that it lied; with --key also across
    a change of its key.
    """
    if (record is None) == (compare is None):
        raise click.UsageError("Name a RECORD to verify, or two documents with --compare.")
    if record is None:
        from api.cli.verify_compare import compare as compared

        assert compare is not None
        sys.exit(compared(*compare, [key for some in keys for key in some], as_json=as_json))
    from events.proof.documents import verify_document
    from events.proof.findings import in_json

    trusted = [key for some in keys for key in some] or None
    with record_files.opened(record) as file:
        what, report = verify_document(file, heads, trusted, [_receipt(path) for path in receipts])
    if as_json:
        click.echo(json.format(json.encode(in_json(report))))
    else:
        click.echo("\n".join(report_lines(report, CHANGED, "unknown game" if what == "match" else what)))
    sys.exit(exit_code(report.verdict, strict=strict))


def _receipt(path: Path) -> "NonceReceipt":
    """Read a receipt, or take the only one of an answer."""
    from events.proof.signed_heads import NonceReceipt

    try:
        found = json.decode(path.read_bytes())
        if isinstance(found, dict) and "receipts" in found:
            (found,) = found["receipts"]
        return convert(found, NonceReceipt)
    except (OSError, DecodeError, ValueError) as error:
        raise click.BadParameter(f"{path} is no receipt of a nonce: {error}", param_hint="--receipt") from error


def exit_code(verdict: "Verdict", *, strict: bool) -> int:
    """Give the exit code of a verdict; what cannot be judged counts as good where it is not `strict`."""
    return 0 if verdict == "unverifiable" and not strict else EXIT_CODES[verdict]


def report_lines(report: "Report", wrong: str, what: str = "unknown game") -> Iterator[str]:
    """Tell a report to a person, line by line.

    `wrong` says what it means that it is not good, `what` stands for the game where none is known.
    """
    name = click.style(f"{clean(report.game or what)} {clean(report.match)}", bold=True)
    yield f"{name}, {report.version} events"
    yield f"head {report.version}:{clean(report.head)}"
    if any(check.name == "signatures" for check in report.checks):
        yield _vouched(report)
    yield ""
    width = max(len(check.name) for check in report.checks)
    for check in report.checks:
        yield _line(check, width)
    yield ""
    match report.verdict:
        case "failed":
            yield click.style(wrong, fg="red", bold=True)
        case "unverifiable":
            left = ", ".join(check.name for check in report.checks if check.skipped)
            yield click.style(f"Nothing was found wrong, but it is not verified. Not checked: {left}.", fg="yellow")
        case _:
            yield click.style("All of it holds.", fg="green", bold=True) + _if_it_is_its_key(report)


def _vouched(report: "Report") -> str:
    """Say who vouches for the head."""
    if report.signed is None:
        held = any(check.name == "signatures" and check.ok and not check.skipped for check in report.checks)
        return "unsigned; you hold its head" if held else click.style("unsigned: nobody vouches for it", fg="yellow")
    whose = "which you named" if report.signed.known else "if this is its key, as its GET /v1/keys says"
    return f"signed by {clean(report.signed.server)}, {whose}: {clean(report.signed.key)}"


def _if_it_is_its_key(report: "Report") -> str:
    """Return the condition of a verdict by the signature of a key that was not given; empty if there is none."""
    if report.signed is None or report.signed.known:
        return ""
    return f" Whether {clean(report.signed.server)} vouches for it, its GET /v1/keys says: give it with --key."


def _line(check: "Finding", width: int) -> str:
    sign, colour = ("✗", "red") if not check.ok else ("–", "yellow") if check.skipped else ("✓", "green")
    where = f"Event {check.seq}: " if check.seq is not None and not check.ok else ""
    indent = " " * (width + 5)
    text = click.wrap_text(where + clean(check.detail), WIDTH, indent, indent)
    return f"  {click.style(sign, fg=colour)} {check.name:<{width}} {text.lstrip()}"
