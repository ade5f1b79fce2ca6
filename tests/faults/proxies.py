"""Real proxies with TLS in front of a server, as the handbook sets them up."""

import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

from tests.browser.running import ROOT, Running, free_port, wait_until

NAMES = ("nginx", "caddy")
_BLOCK = {"nginx": "nginx", "caddy": "caddyfile"}
_EXAMPLE = "judge.example.org"
NGINX = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 2000; }}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {block}
}}
"""

_OTHER_HOST = """
server {{
    listen 127.0.0.1:{port} ssl;
    server_name www.localhost;
    ssl_certificate {pem};
    ssl_certificate_key {key};
    {way}
}}
"""


def find_proxy(name: str) -> str | None:
    """Return where a proxy is installed; None where it is not."""
    return shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/local/bin:/usr/bin:/bin")


def read_example(name: str, place: int = 0) -> str:
    """Return the block of the handbook that sets a proxy up: for one server, or 1 for several."""
    page = ROOT / ".docs" / ("many-servers.md" if place else "operating.md")
    text = page.read_text(encoding="utf-8")
    return str(re.findall(rf"```{_BLOCK[name]}\n(.*?)```", text, re.DOTALL)[0])


def read_way_on() -> str:
    """Return the handbook's line that leads from a folder of another host to the server."""
    text = (ROOT / ".docs" / "operating.md").read_text(encoding="utf-8")
    return str(re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)[1])


class Proxy:
    """A proxy of its own in front of a server, by the handbook's block with other places in it."""

    def __init__(self, name: str, server: Running, folder: Path) -> None:
        self.name, self._server, self._folder = name, server, folder
        self.port = free_port()
        self.address = f"https://localhost:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it listens; fails with what it said when it does not."""
        program = find_proxy(self.name)
        assert program
        self._make_certificate()
        settings = self._folder / f"{self.name}.conf"
        settings.write_text(self._write_settings(), encoding="utf-8")
        given = {
            "nginx": ["-p", str(self._folder), "-c", str(settings)],
            "caddy": ["run", "--adapter", "caddyfile", "--config", str(settings)],
        }[self.name]
        log = self._folder / f"{self.name}.log"
        with log.open("wb") as said:
            self._process = subprocess.Popen(
                [program, *given],
                stdout=said,
                stderr=subprocess.STDOUT,
                env={"HOME": str(self._folder), "XDG_DATA_HOME": str(self._folder)},
            )
        wait_until(lambda: self._listens() or self._process.poll() is not None)  # type: ignore[union-attr]
        assert self._process.poll() is None, log.read_text(encoding="utf-8")

    def stop(self) -> None:
        """End it."""
        if self._process:
            self._process.terminate()
            self._process.wait(30)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            probe.settimeout(1)
            listens = probe.connect_ex(("127.0.0.1", self.port)) == 0
        if listens and self.name == "nginx":  # its worker comes a moment after its port
            time.sleep(0.2)
        return listens

    def _make_certificate(self) -> None:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost", "-keyout", self._folder / "judge.key",
             "-out", self._folder / "judge.pem"],
            check=True,
            capture_output=True,
        )  # fmt: skip

    def _write_settings(self) -> str:
        pem, key = self._folder / "judge.pem", self._folder / "judge.key"
        changes = {"127.0.0.1:8501": f"127.0.0.1:{self._server.port}"}
        if self.name == "nginx":
            changes |= {
                "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
                f"server_name {_EXAMPLE}": "server_name localhost",
                "/etc/ssl/judge.pem": str(pem),
                "/etc/ssl/judge.key": str(key),
            }
        else:
            changes |= {
                "{\n    servers {": "{\n    admin off\n    auto_https disable_redirects\n"
                "    default_bind 127.0.0.1\n    servers {",
                f"{_EXAMPLE} {{": f"{self.address} {{\n    tls {pem} {key}",
            }
        text = read_example(self.name)
        for old, new in changes.items():
            assert text.count(old) == 1, f"the handbook's block has changed: {old}"
            text = text.replace(old, new)
        if self.name == "nginx":
            text += _OTHER_HOST.format(
                port=self.port,
                pem=pem,
                key=key,
                way=read_way_on().replace(f"https://{_EXAMPLE}", self.address),
            )
        user = "" if os.geteuid() else "user root;"  # else its worker is nobody, who has no folder
        return (
            NGINX.format(folder=self._folder, block=text, user=user)
            if self.name == "nginx"
            else text
        )
