"""Runs the production server and its floor as separate processes."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryFile

import psycopg

from bench.database import plain
from bench.floor import TABLE
from tests.services import Database, free_port

START_SECONDS = 30
ROOT = Path(__file__).parents[2]


def api(found: Database) -> AbstractContextManager[int]:
    """Run `dealt api` on a database; yields its port."""
    port = free_port()
    command = [sys.executable, "-c", "from api.cli.main import main; main()", "api", "--port", str(port)]
    return _running(command, port, "/readyz", {"DATABASE_URL": found.app_url})


def floor(found: Database) -> AbstractContextManager[int]:
    """Run the floor on a database, where it writes to its own table; yields its port."""
    with psycopg.connect(plain(found.owner_url), autocommit=True) as owner:
        owner.execute(TABLE)
    port = free_port()
    command = [sys.executable, "-m", "bench.floor", str(port)]
    return _running(command, port, "/", {"FLOOR": plain(found.owner_url)})


@contextmanager
def _running(command: list[str], port: int, path: str, env: Mapping[str, str]) -> Iterator[int]:
    with TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **env}, stdout=said, stderr=said)
        try:
            _wait_for(process, port, path)
            yield port
        except BaseException:
            said.seek(0)
            sys.stderr.write(said.read()[-2000:].decode(errors="replace"))
            raise
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def _wait_for(process: "subprocess.Popen[bytes]", port: int, path: str) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", path)
            if connection.getresponse().status < 500:
                return
        except OSError:
            time.sleep(0.05)
        finally:
            connection.close()
    raise RuntimeError(f"{command_of(process)} did not start")


def command_of(process: "subprocess.Popen[bytes]") -> str:
    """Return the command line of a process."""
    return " ".join(map(str, process.args)) if isinstance(process.args, list) else str(process.args)
