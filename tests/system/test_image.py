"""Tests the image: the steps of the Dockerfile, carried out on the files that .dockerignore leaves, and the served
API."""

import json
import os
import platform
import shutil
import signal
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
import requests

from tests import reaper
from tests.services import free_port
from tests.system.processes import answers, until

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PROGRAMS = ("buildah", "debootstrap")
PYTHON = "python3,python3-pip,python3-venv"
DATABASE = "sqlite:////tmp/image.sqlite3"
TRUSTED = Path("/etc/ssl/certs/ca-certificates.crt")
"""The certificates that this machine trusts, including those of mirrors of PyPI and npm."""
PORT = "8000"
"""The port of the image's command and of its health check; a test takes a free one."""


class Builder:
    """Builds and runs images without a daemon and without a registry."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, *args: str) -> list[str]:
        storage = ["--root", f"{self.folder}/images", "--runroot", f"{self.folder}/run", "--storage-driver", "overlay"]
        # The mount disappears with the process, so a killed test leaves nothing but files.
        return ["unshare", "--mount", "buildah", *storage, *args]

    def does(self, *args: str) -> str:
        done = subprocess.run(self.command(*args), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{args[0]}: {done.stdout[-4_000:]}{done.stderr[-4_000:]}"
        return done.stdout.strip()

    def makes_base(self) -> None:
        """Create a Debian image with its Python that trusts the same certificates as this machine."""
        debian = self.folder / "debian"
        shutil.rmtree(debian, ignore_errors=True)  # from an interrupted try
        suite = platform.freedesktop_os_release()["VERSION_CODENAME"]
        subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={PYTHON}", suite, str(debian)],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        shutil.copy(TRUSTED, debian / "etc/trusted.crt")
        (debian / "etc/pip.conf").write_text("[global]\ncert = /etc/trusted.crt\n")
        container = self.does("from", "scratch")
        self.does("add", "--quiet", container, str(debian), "/")
        self.does("config", "--env", "NODE_EXTRA_CA_CERTS=/etc/trusted.crt", container)
        self.does("commit", "--quiet", "--rm", container, "localhost/base")
        shutil.rmtree(debian)

    def builds(self) -> dict[str, Any]:
        """Build the image as the Dockerfile specifies; return its settings."""
        self.does(
            "bud", "--isolation", "chroot", "--format", "docker", "--build-arg", "BASE=localhost/base",
            "--tag", "localhost/dealt", str(ROOT),
        )  # fmt: skip
        settings: dict[str, Any] = json.loads(self.does("inspect", "--type", "image", "localhost/dealt"))
        return dict(settings["Docker"]["config"])


class Container:
    """A container of the image, with its own files and this machine's network."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.name = builder.does("from", "localhost/dealt")

    def command(self, *args: str) -> list[str]:
        env = ["--env", f"DATABASE_URL={DATABASE}"]
        return self.builder.command("run", "--isolation", "chroot", *env, self.name, "--", *args)

    def runs(self, *args: str) -> str:
        done = subprocess.run(self.command(*args), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{args}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    @contextmanager
    def running(self, *args: str):
        process = subprocess.Popen(self.command(*args), start_new_session=True, stdout=subprocess.DEVNULL)
        with reaper.noted("process group", process.pid):
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait(60)


@pytest.fixture(scope="module")
def builder():
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing or os.geteuid() != 0:
        pytest.skip(f"building the image needs root and {' and '.join(PROGRAMS)}")
    folder = Path(mkdtemp(prefix="dealt-image-", dir="/var/tmp"))  # the usual temporary folder may lie in memory
    with reaper.noted("folder", str(folder)):
        yield Builder(folder)
        shutil.rmtree(folder)


def test_image_can_be_built_and_serves_the_api(builder):
    builder.makes_base()
    image = builder.builds()
    container = Container(builder)
    assert container.runs("id", "-u") == image["User"].partition(":")[0] != "0"
    container.runs("dealt", "migrate")
    port = str(free_port())
    base = f"http://127.0.0.1:{port}"
    with container.running(*(port if word == PORT else word for word in image["Cmd"])) as process:
        until(lambda: answers(base) or process.poll() is not None, 120)
        games = requests.get(f"{base}/v1/games", timeout=30).json()["items"]
        assert {game["game"] for game in games} >= {"hearts", "holdem"}
        made = requests.post(f"{base}/v1/players", json={"name": "Ann"}, timeout=30)
        assert made.status_code == 201
        for page in ("/play", "/docs", "/docs/proof", "/docs/rules", "/docs/contract", "/docs/how-to/run-a-server"):
            assert requests.get(base + page, timeout=30).status_code == 200, page
        check = [word.replace(PORT, port) for word in image["Healthcheck"]["Test"][1:]]
        container.runs(*check)
