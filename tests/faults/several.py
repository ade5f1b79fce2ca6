"""Several servers on one database behind a real proxy, to be killed and started again."""

import os
import random
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from core.place import Address
from tests.browser.running import Running, free_port, wait_until
from tests.faults.proxies import NGINX, find_proxy, read_example
from tests.postgres import Cluster


class Several:
    """Servers, the database and nginx, with the block of the handbook for several servers.

    ``ways`` are the addresses of the database, one for each server.
    """

    def __init__(self, cluster: Cluster, ways: Sequence[Address], folder: Path) -> None:
        self.cluster, self._folder = cluster, folder
        self.servers = [Running(way, folder / f"server{n}.log") for n, way in enumerate(ways)]
        self.port = free_port()
        self._nginx: subprocess.Popen[bytes] | None = None
        self.kills = self.restarts = 0

    def start(self) -> None:
        """Start all, and wait until they answer."""
        for one in self.servers:
            one.start()
        program = find_proxy("nginx")
        assert program, "no nginx: run 'python -m tests', which gets one"
        settings = self._folder / "nginx.conf"
        settings.write_text(self._write_settings(), encoding="utf-8")
        with (self._folder / "nginx.log").open("wb") as said:
            self._nginx = subprocess.Popen(
                [program, "-p", str(self._folder), "-c", str(settings)],
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        time.sleep(0.5)
        assert self._nginx.poll() is None, (self._folder / "nginx.log").read_text()

    def kill_one(self, rng: random.Random) -> None:
        """Kill a server at once, and start it again without waiting for it."""
        one = rng.choice(self.servers)
        one.kill()
        self.kills += 1
        one.launch()

    def restart_database(self) -> None:
        """Restart the database as after a crash."""
        self.cluster.stop()
        self.restarts += 1
        self.cluster.start()

    def wait(self) -> None:
        """Wait until every server answers.

        One that met no database when it was starting has ended: it is started again, as whatever
        looks after a server does.
        """
        for one in self.servers:
            wait_until(lambda one=one: _goes(one), 120)

    def stop(self) -> None:
        """End all."""
        for one in self.servers:
            one.stop()
        if self._nginx:
            self._nginx.terminate()
            self._nginx.wait(30)

    def _write_settings(self) -> str:
        block = read_example("nginx", 1)
        for number, one in enumerate(self.servers, start=11):
            block = block.replace(f"10.0.0.{number}:8501", f"127.0.0.1:{one.port}")
        spare = [f"10.0.0.{number}" for number in range(11 + len(self.servers), 14)]
        left_out = ("ssl_certificate", *spare)
        lines = [one for one in block.splitlines() if not any(name in one for name in left_out)]
        block = "\n".join(lines).replace("listen 443 ssl;", f"listen 127.0.0.1:{self.port};")
        assert "10.0.0." not in block, "the handbook lists other servers"
        user = "" if os.geteuid() else "user root;"
        return NGINX.format(folder=self._folder, block=block, user=user)


def _goes(server: Running) -> bool:
    if server.has_ended():
        server.launch()
    return server.answers()
