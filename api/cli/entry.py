"""Starts the command `dealt`."""

from api.cli.bytecode import keep_bytecode


def main() -> None:
    """Run the command of the arguments."""
    keep_bytecode()  # before anything else is imported
    from api.cli.main import main as run

    run()
