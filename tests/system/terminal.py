"""Provides a real terminal in which a command runs, with its keys and its screen."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import termios
import time

from tests.system.processes import COMMAND, ROOT, until

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l\x1b[?25h"


class Terminal:
    """An 80×24 terminal in which a `dealt` command or another program runs."""

    def __init__(self, *args, env=None, command=COMMAND):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | (env or {}))
            os.execv(command[0], [*command, *map(str, args)])
        self.sized(80, 24)
        self.before = termios.tcgetattr(self.fd)
        self.shown = ""
        self.status = None
        # A read may end in the middle of a character.
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def sized(self, width, height):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def types(self, text):
        self.shown = ""
        os.write(self.fd, text.encode())

    def shows(self, text, seconds=20):
        """Wait until the screen shows a text; return the screen without colours."""
        return self.is_so(lambda: text in self.plain(), seconds)

    def is_so(self, what, seconds=20):
        ends = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < ends, self.shown[-3000:]
            if select.select([self.fd], [], [], 0.1)[0]:
                self.shown += self._read()
        return self.plain()

    def plain(self):
        return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", self.shown.rpartition("\x1b[H")[2])

    def ends(self, seconds=10):
        """Wait until the program has ended; return its exit code."""
        until(self._over, seconds)
        while select.select([self.fd], [], [], 0)[0] and (rest := self._read()):
            self.shown += rest
        after = termios.tcgetattr(self.fd)
        os.close(self.fd)
        assert after == self.before
        return os.waitstatus_to_exitcode(self.status)

    def _over(self):
        if select.select([self.fd], [], [], 0)[0]:
            self.shown += self._read()
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        self.status = status if pid else None
        return pid

    def _read(self):
        try:
            return self.decoder.decode(os.read(self.fd, 65536))
        except OSError:  # the other end is closed
            return ""
