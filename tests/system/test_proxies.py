"""Tests the proxies of `docs/how-to/run-a-server.md` as printed: addresses, event streams and bodies pass them."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import requests

from tests import reaper
from tests.services import free_port
from tests.system.processes import until
from tests.system.test_serve import served

__all__ = ["served"]

GUIDE = Path(__file__).parents[2] / "docs/how-to/run-a-server.md"
NAME = "cards.example.org"

pytestmark = pytest.mark.long


def printed(language: str) -> str:
    """Return the block of the guide in this language."""
    (block,) = re.findall(rf"```{language}\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    return str(block)


def configured(program: str, folder: Path, port: int, upstream: int) -> tuple[str, list[str]]:
    """Return the printed configuration with the ports and the certificate of this test, and the command to run it."""
    text = printed(program).replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    if program == "caddy":
        options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"
        tls = f"{NAME}:{port} {{\n\ttls {folder}/{NAME}.pem {folder}/{NAME}.key"
        return options + text.replace(f"{NAME} {{", tls), ["caddy", "run", "--adapter", "caddyfile", "--config"]
    text = text.replace("listen 443", f"listen {port}").replace("/etc/ssl", str(folder))
    head = f"daemon off; pid {folder}/pid; error_log {folder}/error; events {{}}\nhttp {{ access_log off;\n"
    return f"{head}{text}}}", ["nginx", "-c"]


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SimpleNamespace]:
    """Return a proxy: its address once it runs in front of a port."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    processes = []

    def start(upstream: int) -> str:
        certificate = ["-keyout", f"{tmp_path}/{NAME}.key", "-out", f"{tmp_path}/{NAME}.pem"]
        subject = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *certificate],
            check=True,
            capture_output=True,
        )
        port = free_port()
        text, command = configured(request.param, tmp_path, port, upstream)
        (tmp_path / "config").write_text(text)
        process = subprocess.Popen(
            [*command, str(tmp_path / "config")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "HOME": str(tmp_path)},
        )  # fmt: skip
        processes.append((process, reaper.note("process group", process.pid)))
        return f"https://127.0.0.1:{port}"

    yield SimpleNamespace(start=start, certificate=tmp_path / f"{NAME}.pem")
    for process, take_back in processes:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)
        take_back()


class NamedHost(requests.adapters.HTTPAdapter):
    """Names the host in TLS and in the request, as a browser does that has its address from DNS."""

    def init_poolmanager(self, *args, **kwargs):
        super().init_poolmanager(*args, server_hostname=NAME, assert_hostname=NAME, **kwargs)


def test_address_streams_and_bodies_pass_the_printed_proxy(served, proxy):
    served.start(DEALT_PUBLIC_URL=f"https://{NAME}", DEALT_TRUSTED_PROXIES="1")
    base = proxy.start(served.port)
    with requests.Session() as session:
        session.trust_env, session.verify = False, str(proxy.certificate)
        session.mount("https://", NamedHost())
        session.headers.update({"Host": NAME})

        def answers() -> bool:
            try:
                return bool(session.get(f"{base}/healthz", timeout=5).ok)
            except requests.ConnectionError:
                return False

        until(answers, 30)
        made = session.post(f"{base}/v1/players", json={"name": "Ann"}, timeout=30)
        assert made.headers["Location"] == f"https://{NAME}/v1/players/me"
        token = {"Authorization": f"Bearer {made.json()['token']}"}
        match = session.post(f"{base}/v1/matches", json={"game": "hearts"}, headers=token, timeout=30).json()
        listening = {**token, "Accept": "text/event-stream"}
        stream = session.get(f"{base}/v1/matches/{match['id']}/events", headers=listening, stream=True, timeout=10)
        assert b"MatchCreated" in next(line for line in stream.iter_lines(1) if line.startswith(b"event:"))
        stream.close()
        large = session.post(f"{base}/v1/records/verify", json={"x": "a" * 2**22}, timeout=60)
        assert (large.status_code, large.json()["code"]) == (422, "unreadable_record")
