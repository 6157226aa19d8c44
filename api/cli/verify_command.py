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
        from events.proof.signed_heads import KEY, KnownKey

        if isinstance(value, tuple):
            return value
        if KEY.fullmatch(value):
            return (KnownKey(value),)
        try:
            listed = json.decode(Path(value).read_bytes())["items"]
            return tuple(KnownKey(key["key"], key["until"]) for key in listed)
        except (OSError, DecodeError, KeyError, TypeError):
            self.fail("give the 64 digits of a public key, or a file with what GET /v1/keys answers.", param, ctx)


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
@click.option(
    "--compare", nargs=2, type=click.Path(path_type=Path), help="Two records or signed heads of a match, to compare."
)
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
    """Verify the RECORD of a match, of a collection or of a tournament: a file, or - for the standard input.

    Needs no server, no network and no configuration. The exit code is 0 if all holds that the record must show by now,
    1 if something does not, or if this is no record, and 3 if something of it cannot be judged here: rules of another
    version, a game that is not installed, an unknown option, cards that are never disclosed. It says who vouches for
    the record: a server that has signed it, or nobody. With --key one of these keys must have signed it. With
    --receipt, a nonce that the server has acknowledged must be in it: else the receipt convicts the server.

    --compare A B takes two records of one match, or signed heads that answers gave, and exits with 1 if they tell
    different histories; if one server has signed both, that proves that it lied.
    """
    if (record is None) == (compare is None):
        raise click.UsageError("Name a RECORD to verify, or two documents with --compare.")
    if record is None:
        from api.cli.verify_compare import differ

        assert compare is not None
        sys.exit(1 if differ(*compare) else 0)
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
    left = ", ".join(check.name for check in report.checks if check.skipped and check.name != "signatures")
    match report.verdict:
        case "failed":
            yield click.style(wrong, fg="red", bold=True)
        case "unverifiable":
            yield click.style(f"It cannot be verified here: {left}.", fg="yellow", bold=True)
        case _ if left:
            yield f"What can be checked by now holds; still open: {left}."
        case _:
            yield click.style("All of it holds.", fg="green", bold=True)


def _vouched(report: "Report") -> str:
    """Say who vouches for the head."""
    if report.signed is None:
        return click.style("unsigned: the moves are nobody's word", fg="yellow")
    whose = "which you named" if report.signed.known else "if this is its key, as its GET /v1/keys says"
    return f"signed by {clean(report.signed.server)}, {whose}: {clean(report.signed.key)}"


def _line(check: "Finding", width: int) -> str:
    sign, colour = ("✗", "red") if not check.ok else ("–", "yellow") if check.skipped else ("✓", "green")
    where = f"Event {check.seq}: " if check.seq is not None and not check.ok else ""
    indent = " " * (width + 5)
    text = click.wrap_text(where + clean(check.detail), WIDTH, indent, indent)
    return f"  {click.style(sign, fg=colour)} {check.name:<{width}} {text.lstrip()}"
