"""The command `dealt verify` checks a record on this machine, using only the record."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click
from msgspec import DecodeError, Meta, convert, json

from api.safe_text import remove_controls
from api.terminal import record_files

if TYPE_CHECKING:
    from events.proof.findings import Finding, Report, Verdict
    from events.proof.signed_heads import KnownKey, NonceReceipt
    from events.proof.signed_notes import NoteKey

HEAD: Final = r"[1-9][0-9]{0,9}:[0-9a-f]{64}"
WIDTH: Final = 100
CHANGED: Final = "Verification failed: this record was altered."
UNVERIFIABLE: Final = 3
"""The exit code if nothing is wrong, but a check was not possible."""

NAME_KEYS: Final = (
    "Anyone can sign in a server's name. Name the keys of the server that you trust: its address, a file with the"
    " answer of its GET /v1/keys, or a key:"
)
"""The advice about a signature by an unknown key."""

ATTESTED: Final = {"witnessed": "; witnessed by a quorum that you named", "signed": "; signed only, not witnessed"}
"""Additions about witnesses to the sentence on the signature of the head."""

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
    help=f"Exit with {UNVERIFIABLE} if a check was not possible, or with 0.",
)


class KeyParam(click.ParamType["tuple[KnownKey, ...]"]):
    """The parameter is a public key in hex, or the answer of `GET /v1/keys`: in a file, or fetched from a server."""

    name = "KEY|FILE|URL"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "tuple[KnownKey, ...]":
        from api.terminal.source import NotThere, key_list_at
        from events.proof.signed_heads import KEY, BadKeyList, KnownKey, read_key_list

        if isinstance(value, tuple):
            return value
        if KEY.fullmatch(value):
            return (KnownKey(value),)
        is_address = value.startswith(("http://", "https://"))
        try:
            return read_key_list(key_list_at(value) if is_address else Path(value).read_bytes())
        except NotThere as error:
            self.fail(str(error), param, ctx)
        except BadKeyList as error:
            self.fail(f"{value}: {error}", param, ctx)
        except (OSError, ValueError):
            self.fail("name a server's address, a file with the answer of its GET /v1/keys, or a key.", param, ctx)


class WitnessParam(click.ParamType["NoteKey"]):
    """The parameter is the verifier key of a witness."""

    name = "KEY"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "NoteKey":
        from events.proof.signed_notes import COSIGNATURE, BadNote, NoteKey, read_note_key

        if isinstance(value, NoteKey):
            return value
        try:
            key = read_note_key(value)
        except BadNote as error:
            self.fail(str(error), param, ctx)
        if key.type != COSIGNATURE:
            self.fail(f"The key of {key.name} is not a witness's key.", param, ctx)
        return key


@click.command()
@click.argument("record", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--head", "heads", type=HeadParam(), multiple=True, help="A head that you saved; repeatable.")
@click.option(
    "--key",
    "keys",
    type=KeyParam(),
    multiple=True,
    help="A server's keys: its address, a file with the answer of its GET /v1/keys, or a key. Without keys, no"
    " signature counts. Repeatable.",
)
@click.option(
    "--receipt",
    "receipts",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A file with a nonce's receipt, or with an answer that has receipts; repeatable.",
)
@click.option(
    "--witness",
    "witnesses",
    type=WitnessParam(),
    multiple=True,
    help="The verifier key of a witness of the server's transparency log; repeatable.",
)
@click.option(
    "--quorum", type=click.IntRange(1, 64), help="The number of witnesses that must have cosigned.  [default: all]"
)
@click.option("--compare", nargs=2, type=click.Path(path_type=Path), help="Compare two records or signed heads.")
@STRICT
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def verify(
    record: Path | None,
    heads: tuple[tuple[int, str], ...],
    keys: "tuple[tuple[KnownKey, ...], ...]",
    receipts: tuple[Path, ...],
    witnesses: "tuple[NoteKey, ...]",
    quorum: int | None,
    compare: tuple[Path, Path] | None,
    strict: bool,  # noqa: FBT001 -- an option's
    as_json: bool,  # noqa: FBT001 -- an option's
) -> None:
    """Verify a record.

    RECORD is the record of a match, tournament, collection or duplicate group: a file, or - for standard input. The
    command needs no configuration, and no network unless --key is an address.

    The exit code is 0 if every check passes, and 1 if one fails or the file is not a record. It is 3 if nothing is
    wrong, but a check was not possible. For example, the game is not installed, cards are not disclosed, the record of
    a table is missing, or the signer is unknown.

    Anyone can sign in any server's name with a different key, so get the server's keys from the server and name them
    with --key. Without a signature, --head with the digest of the last event is enough. With --receipt, the nonce that
    the server acknowledged must be in the record, or the receipt convicts the server. Receipts work for matches, for
    tournaments that you entered and for collections whose boosters you opened.

    With --witness, the proof in the record must lead to a checkpoint of the transparency log that the witnesses
    cosigned: then the server cannot show others a different history. Get their keys from the witnesses.

    Option --compare takes two records or signed heads of one match, tournament, collection or duplicate group, two
    pages of events of one match, or two tables of one group. It exits with 0 if they agree, 3 if they cannot be
    compared, and 1 if they contradict each other and one server signed both: that server showed different histories. It
    exits with 4 if they contradict each other, but one is not signed with a key that you named.

    Example: dealt verify record.json --key https://cards.example.org
    """
    if (record is None) == (compare is None):
        raise click.UsageError("Name a RECORD to verify, or two documents with --compare.")
    if quorum is not None and quorum > len(witnesses):
        raise click.UsageError("--quorum must be at most the number of --witness options.")
    trusted = [key for some in keys for key in some]
    if record is None:
        from api.cli.verify_compare import compare as compared

        assert compare is not None
        sys.exit(compared(*compare, trusted, as_json=as_json))
    from events.proof.documents import verify_document
    from events.proof.findings import Evidence, in_json

    with record_files.open_record_file(record) as file:
        kept = [receipt for path in receipts for receipt in _receipts(path)]
        what, report = verify_document(file, Evidence(heads, trusted, kept, witnesses, quorum))
    if as_json:
        click.echo(json.format(json.encode(in_json(report))))
    else:
        click.echo("\n".join(report_lines(report, CHANGED, "unknown game" if what == "match" else what)))
    is_missing = bool(trusted and _unvouched(report)) or bool(witnesses and report.attested != "witnessed")
    sys.exit(exit_code(report.verdict, strict=strict or is_missing))


def _receipts(path: Path) -> "list[NonceReceipt]":
    """Read a receipt, or the receipts of an answer."""
    from events.proof.signed_heads import NonceReceipt

    try:
        found = json.decode(path.read_bytes())
        said = found["receipts"] if isinstance(found, dict) and "receipts" in found else [found]
        kept: list[NonceReceipt] = convert(said, Annotated[list[NonceReceipt], Meta(min_length=1)])
    except (OSError, DecodeError, ValueError) as error:
        raise click.BadParameter(f"{path} has no receipt of a nonce: {error}", param_hint="--receipt") from error
    return kept


def exit_code(verdict: "Verdict", *, strict: bool) -> int:
    """Return the exit code of a verdict; without `strict`, `unverifiable` is 0."""
    return 0 if verdict == "unverifiable" and not strict else EXIT_CODES[verdict]


def report_lines(report: "Report", wrong: str, what: str = "unknown game") -> Iterator[str]:
    """Print a report, line by line.

    `wrong` explains a failure; `what` is the name of the subject if no game is known.
    """
    name = click.style(f"{remove_controls(report.game or what)} {remove_controls(report.match)}", bold=True)
    yield f"{name}, {report.version} events"
    yield f"head {report.version}:{remove_controls(report.head)}"
    if report.signed is not None or any(check.name == "signatures" for check in report.checks):
        yield _vouched(report) + ATTESTED.get(report.attested or "", "")
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
            yield click.style(
                f"No fault was found, but not everything could be checked. Not checked: {left}.", fg="yellow"
            )
            if report.signed is not None and _unvouched(report):
                yield click.wrap_text(NAME_KEYS, WIDTH)
                yield "  dealt verify RECORD --key https://ADDRESS-OF-THE-SERVER"
        case _:
            yield click.style("All checks passed.", fg="green", bold=True)


def _unvouched(report: "Report") -> bool:
    """Return whether neither a trusted key nor a held head vouches for the record."""
    return any(check.name == "signatures" and check.skipped for check in report.checks)


def _vouched(report: "Report") -> str:
    """Print the signer of the head."""
    signed = report.signed
    if signed is not None and signed.known:
        return f"signed by {remove_controls(signed.server)} with a key that you named: {remove_controls(signed.key)}"
    if any(check.name == "signatures" and not check.ok for check in report.checks):
        return click.style("signature invalid: no server vouches for it", fg="red")
    held = "" if _unvouched(report) else "; you saved its head"
    if signed is not None:
        server, key = remove_controls(signed.server), remove_controls(signed.key)
        said = f"signed as {server} with a key that you have not named: {key}"
        return said + held if held else click.style(said, fg="yellow")
    return f"unsigned{held}" if held else click.style("unsigned: no server vouches for it", fg="yellow")


def _line(check: "Finding", width: int) -> str:
    sign, colour = ("✗", "red") if not check.ok else ("–", "yellow") if check.skipped else ("✓", "green")
    where = f"Event {check.seq}: " if check.seq is not None and not check.ok else ""
    indent = " " * (width + 5)
    text = click.wrap_text(where + remove_controls(check.detail), WIDTH, indent, indent)
    return f"  {click.style(sign, fg=colour)} {check.name:<{width}} {text.lstrip()}"
