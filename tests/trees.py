"""Another commit beside this checkout, and a Python that does not lead back to it."""

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


@contextmanager
def check_out(commit: str) -> Iterator[Path]:
    """Yield a folder with the files of a commit; it is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "tree"
        add = ["git", "worktree", "add", "-q", "--detach", str(place), commit]
        subprocess.run(add, cwd=ROOT, check=True)
        try:
            yield place
        finally:
            remove = ["git", "worktree", "remove", "--force", str(place)]
            subprocess.run(remove, cwd=ROOT, check=True)


def make_python(folder: Path) -> Path:
    """Return a Python that has what is installed here, but not what leads to this checkout."""
    venv.create(folder, symlinks=os.name != "nt")
    paths = sysconfig.get_paths("venv", {"base": str(folder), "platbase": str(folder)})
    ours = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    Path(paths["purelib"], "needed.pth").write_text("\n".join(ours))
    return Path(paths["scripts"]) / Path(sys.executable).name
