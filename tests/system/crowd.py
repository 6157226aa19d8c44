"""A crowd at one address: each of its connections asks again as soon as it is answered. It is a separate program.

Started as `python -m tests.system.crowd PORT ADDRESS CONNECTIONS asks|sends PATH...`. With `sends`, it sends large
bodies that stop before their end. Each second it writes how many answers it got, by status.
"""

import asyncio
import json
import sys
from collections import Counter
from contextlib import suppress

LARGE = 5_000_000
"""The size of a large body in bytes."""

ABSENT = 100
"""The bytes at its end that are never sent, so that the server keeps the others until its time limit."""


class Crowd:
    """All connections of one address."""

    def __init__(self, port: int, address: str, paths: list[str], *, sends: bool) -> None:
        self._port, self._address, self._paths = port, address, paths
        self._turn = self._send if sends else self._ask
        self.answers: Counter[int] = Counter()

    async def member(self, number: int) -> None:
        """Keep one connection busy, and reopen it whenever it is closed."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                here = (self._address, 0)
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=here)
                try:
                    while True:
                        number += 1
                        await self._turn(reader, writer, self._paths[number % len(self._paths)])
                finally:
                    writer.close()

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> None:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        self._count(head)
        lines = dict(line.lower().split(b": ", 1) for line in head.strip().split(b"\r\n")[1:])
        if b"content-length" in lines:
            await reader.readexactly(int(lines[b"content-length"]))
            return
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()

    async def _send(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> None:
        said = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {LARGE}\r\n\r\n"
        writer.write(said.encode())
        answer = asyncio.ensure_future(reader.readuntil(b"\r\n\r\n"))
        try:
            for at in range(0, LARGE - ABSENT, 50_000):
                writer.write(b" " * min(50_000, LARGE - ABSENT - at))
                await writer.drain()
                if answer.done():
                    break
        finally:
            self._count(await answer)
        raise ConnectionAbortedError

    def _count(self, head: bytes) -> None:
        self.answers[int(head.split(b" ", 2)[1])] += 1

    async def report(self) -> None:
        """Print the number of answers since the last report."""
        while True:
            await asyncio.sleep(1)
            sys.stdout.write(json.dumps(self.answers) + "\n")
            sys.stdout.flush()
            self.answers.clear()


async def main() -> None:
    """Run with the command-line arguments until the process is killed."""
    port, address, count, kind, *paths = sys.argv[1:]
    crowd = Crowd(int(port), address, paths, sends=kind == "sends")
    await asyncio.gather(crowd.report(), *(crowd.member(number) for number in range(int(count))))


if __name__ == "__main__":
    asyncio.run(main())
