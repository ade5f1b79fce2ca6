"""How long a server takes to answer, and how much disk Dissent takes with all it needs.

``python -m tests.bench.start``
"""

import re
import tempfile
import time
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from tests.browser.running import Running


def main() -> None:
    """Start the demo and a new store three times each; add up the installed files."""
    for name, demo in (("demo", True), ("new store", False)):
        times = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                store = None if demo else Path(folder) / "store.duckdb"
                server = Running(store, Path(folder) / "server.log", afresh=True)
                started = time.perf_counter()
                server.start()
                times.append(time.perf_counter() - started)
                server.stop()
        print(f"{name}: answering after s {', '.join(f'{one:.2f}' for one in times)}")
    sizes = {name: size_of(found) for name, found in needed("dissent-ir").items()}
    print(f"installed size MB {sum(sizes.values()) / 1e6:.0f} in {len(sizes)} distributions")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:6]:
        print(f"  {name} {size / 1e6:.0f}")


def needed(name: str) -> dict[str, Distribution]:
    """Return a distribution and all that it requires without extras, by name."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        for requirement in found[name].requires or []:
            if "extra ==" not in requirement:
                waiting.append(re.split(r"[\s;<>=!~\[(]", requirement, maxsplit=1)[0])
    return found


def size_of(found: Distribution) -> int:
    """Return the bytes of a distribution's files."""
    paths = [Path(str(found.locate_file(file))) for file in found.files or []]
    return sum(path.stat().st_size for path in paths if path.is_file())


if __name__ == "__main__":
    main()
