"""Kills a process between two of its writes."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any
from unittest.mock import patch


def killed(act: Callable[[], Any], module: ModuleType, name: str, calls: int) -> None:
    """Run another process, and kill it after a number of calls of a function of a module.

    It shares no connection with this process: `act` opens its own.
    """
    then, called = getattr(module, name), []

    def dies(*args: Any, **named: Any) -> Any:
        done = then(*args, **named)
        called.append(done)
        if len(called) == calls:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    child = os.fork()
    if child == 0:
        with suppress(BaseException), patch.object(module, name, dies):
            act()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
