"""Finding a Chromium for the browser tests, or getting one."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BARE_NAMES = ("chromium-headless-shell",)
"""The same engine without a window around it: it takes a quarter less time for the same tests."""

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium(*, bare: bool = False) -> str | None:
    """Return a browser's path: the one DISSENT_CHROMIUM names, an installed one, Playwright's.

    With ``bare`` one without a window is preferred to a whole one, else the other way round.
    """
    named = os.environ.get("DISSENT_CHROMIUM")
    if named:
        return named
    for name in (*BARE_NAMES, *NAMES) if bare else (*NAMES, *BARE_NAMES):
        if path := shutil.which(name):
            return path
    return _playwrights_own()


def get_chromium(*, bare: bool = False) -> str:
    """Return a browser's path, installing one where that is possible; says what is missing."""
    found = find_chromium(bare=bare)
    if found:
        return found
    tried = []
    for command in _ways(bare):
        print("Getting Chromium:", " ".join(command), flush=True)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = find_chromium(bare=bare)
        if found:
            return found
        tried.append(f"  {' '.join(command)}\n    {(done.stderr or done.stdout).strip()[-300:]}")
    raise SystemExit(
        "The browser tests need Chromium, and none was found or could be installed.\n"
        "Install it (on Debian and Ubuntu: apt install chromium), or set DISSENT_CHROMIUM to "
        "the path of one. Tried:\n" + "\n".join(tried)
    )


def _ways(bare: bool) -> list[list[str]]:
    ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        install = "apt-get install -y -qq --no-install-recommends"
        wanted = f"{install} chromium-headless-shell || {install} chromium" if bare else ""
        command = f"apt-get update -qq && ({wanted or f'{install} chromium'})"
        ways.insert(0, ["sh", "-c", command])
    return ways


def _playwrights_own() -> str | None:
    """Return the path of the Chromium that Playwright has got itself, if it has.

    It is asked in a thread of its own: who opens a browser has often begun a Playwright, and
    there is none within another.
    """
    with ThreadPoolExecutor(1) as aside:
        path = aside.submit(_ask_playwright).result()
    return path if Path(path).exists() else None


def _ask_playwright() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path
