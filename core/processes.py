"""Processes of our own beside this one: what strangers supply is unpacked there."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from core.settings import PREFIX, ROOT

_OURS = ("DISSENT_", "PG")
"""Of settings' names, PostgreSQL's among them."""


def start_module(module: str, **options: Any) -> "subprocess.Popen[bytes]":
    """Start a module of ours as a program; ``options`` are those of `subprocess.Popen`.

    It is told none of our settings: it reads files of strangers, and keys and passwords are there.
    """
    command = [sys.executable, *(["-P"] if PREFIX else []), "-m", module]
    variables = {name: text for name, text in os.environ.items() if not name.startswith(_OURS)}
    # Where memory is limited, each thread would otherwise set 64 MiB of it aside.
    environment = variables | {"MALLOC_ARENA_MAX": "1"}
    return subprocess.Popen(command, cwd=ROOT, env=environment, **options)


def limit_memory(more: int) -> None:
    """Let this process have so many bytes beside what it has by now; on Linux only.

    macOS refuses such a limit, and the process would not start. What asks for more gets a
    MemoryError, or the process ends.
    """
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, hard))


def limit_time(more: int) -> None:
    """End this process when it has taken so many more seconds of a processor; where that is known.

    The time of the processor, not that of the clock: it is the same on a machine that is busy.
    """
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + more, most))
