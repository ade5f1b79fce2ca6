"""The TypeScript compiler of the checks: one release, got by npm, and kept for the next run."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha512
from pathlib import Path

from tests.changed import KEPT

VERSION = "5.9.3"
DIGEST = "jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw=="
"""SHA-512 of the package, as npm writes it."""

_HOME = KEPT / f"typescript-{VERSION}"
_OPTIONS = {
    **{"allowJs": True, "checkJs": True, "strict": True, "noEmit": True, "types": []},
    **{"noUnusedLocals": True, "noUnusedParameters": True, "noImplicitReturns": True},
    **{"target": "es2023", "lib": ["es2023", "dom", "dom.iterable"]},
    **{"module": "esnext", "moduleResolution": "bundler"},
}


def find_compiler() -> Path | None:
    """Return the compiler, if an earlier run has got it and there is a Node to run it."""
    path = _HOME / "bin" / "tsc"
    return path if path.is_file() and shutil.which("node") else None


def get_compiler() -> Path:
    """Return the compiler, getting it where that is possible; says what is missing."""
    if found := find_compiler():
        return found
    if not shutil.which("npm") and shutil.which("apt-get") and os.geteuid() == 0:
        command = "apt-get update -qq && apt-get install -y -qq --no-install-recommends npm"
        print("Getting npm:", command, flush=True)
        subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    said = "There is no npm."
    if shutil.which("npm"):
        print(f"Getting TypeScript: npm pack typescript@{VERSION}", flush=True)
        said = _get()
    if found := find_compiler():
        return found
    raise SystemExit(
        f"The checks of JavaScript need TypeScript {VERSION}, and npm did not get it.\n"
        f"Install Node with npm (on Debian and Ubuntu: apt install npm). {said}"
    )


def _get() -> str:
    """Get the package and put it where it is kept; returns what went wrong."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        command = ["npm", "pack", f"typescript@{VERSION}", "--silent", "--pack-destination", folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        packed = Path(folder, f"typescript-{VERSION}.tgz")
        if not packed.is_file():
            return (done.stderr or done.stdout).strip()[-300:]
        if b64encode(sha512(packed.read_bytes()).digest()).decode() != DIGEST:
            return "What came is not the release that the checks know: its digest differs."
        shutil.unpack_archive(packed, folder)
        shutil.rmtree(_HOME, ignore_errors=True)
        Path(folder, "package").rename(_HOME)
    return ""


def declare_nodes(markup: str) -> str:
    """Return the type ``Refs`` of the nodes that are marked with ``data-ref``, by that name."""
    nodes = re.findall(r'<(\w+)\b[^>]*? data-ref="(\w+)"', markup)
    lines = "".join(f'  {name}: HTMLElementTagNameMap["{tag}"];\n' for tag, name in nodes)
    return f"interface Refs {{\n{lines}}}\n"


def check_types(compiler: Path, files: Iterable[Path], folder: Path) -> list[str]:
    """Return what the compiler finds in some files, a line each; ``folder`` is for its settings."""
    settings = {"compilerOptions": _OPTIONS, "files": [str(file) for file in files]}
    project = folder / "tsconfig.json"
    project.write_text(json.dumps(settings), encoding="utf-8")
    command = ["node", str(compiler), "--pretty", "false", "-p", str(project)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done.stdout.splitlines()
