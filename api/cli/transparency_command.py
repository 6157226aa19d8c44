"""The command `dealt transparency` shows the transparency log, checks it and rebuilds its tiles."""

import sys
from contextlib import closing

import click

from api.cli.database import open_command_store
from events.settings import Settings


@click.group()
def transparency() -> None:
    """Show and repair the transparency log."""


@transparency.command("show")
@click.pass_obj
def show(given: Settings) -> None:
    """Show the name, the size and the newest checkpoint of the log.

    Example: dealt transparency show
    """
    from api.cli.keys_command import ring_of
    from events.proof.signed_notes import ED25519, NoteKey
    from events.store.tables import tree_rows

    with closing(open_command_store(given)) as store:
        tree = tree_rows.read_tree(store)
        if tree is None:
            click.echo("There is no transparency log yet: the scheduler or `dealt serve` creates it.")
            return
        newest, witnessed = tree_rows.newest_head(store), tree_rows.newest_head(store, witnessed=True)
        click.echo(f"{tree.origin}: {tree.size:,} leaves")
        for key in ring_of(given).keys:
            if key.until is None:
                click.echo(f"Key for witnesses: {NoteKey(tree.origin, ED25519, key.key)}")
        if newest is None:
            click.echo("No checkpoint was signed: the server has no signing key.")
            return
        click.echo(f"The last checkpoint with a quorum of witnesses has {witnessed.size if witnessed else 0:,} leaves.")
        click.echo(f"\n{newest.note}", nl=False)


@transparency.command("check")
@click.pass_obj
def check(given: Settings) -> None:
    """Check the log against the database. `dealt audit --all` checks it too.

    The exit code is 0 if all is right, and 1 if not.

    Example: dealt transparency check
    """
    from events.operations.audit_tree import audit_tree

    with closing(open_command_store(given)) as store:
        found = audit_tree(store)
    click.echo(found.detail)
    sys.exit(0 if found.ok else 1)


@transparency.command("rebuild")
@click.pass_obj
def rebuild(given: Settings) -> None:
    """Rebuild all tiles from the leaves.

    Example: dealt transparency rebuild
    """
    from events.operations.audit_tree import rebuild_tree

    with closing(open_command_store(given)) as store:
        click.echo(f"Rebuilt the tiles from {rebuild_tree(store):,} leaves.")


@transparency.command("rename")
@click.argument("origin")
@click.pass_obj
def rename(given: Settings, origin: str) -> None:
    """Rename the log to ORIGIN.

    Do this after you restored a backup that lacks entries. Witnesses refuse a log that lost entries, and players are
    warned of it. The log starts again under the new name. Tell your players why, and your witnesses the name. All
    earlier checkpoints are deleted.

    Example: dealt transparency rename cards.example.org/v1/transparency/2
    """
    import re

    from events.store.tables import tree_rows

    if not re.fullmatch(r"[0-9A-Za-z._/:-]{1,200}", origin):
        raise click.BadParameter("1 to 200 letters, digits and . _ / : -", param_hint="ORIGIN")
    with closing(open_command_store(given)) as store:
        if tree_rows.read_tree(store) is None:
            raise click.ClickException("There is no transparency log yet.")
        tree_rows.rename_tree(store, origin)
    click.echo(f"The log is now named {origin}.")
