"""What the environment says: which store to open, and whether this is the demo."""

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The folder that holds app.py, pages and sample_data: a checkout, or where a wheel put them."""

DEMO_DATA = ROOT / "sample_data" / "demo"


@dataclass(frozen=True)
class Settings:
    """How a server was started.

    ``store`` is None only in the demo, which makes a throw-away store of its own.
    """

    store: Path | None
    demo: bool


def read_settings() -> Settings:
    """Return the settings in DISSENT_STORE and DISSENT_DEMO.

    Without either, the store is ``dissent.duckdb`` in the working directory.
    """
    demo = os.environ.get("DISSENT_DEMO", "") not in ("", "0")
    given = os.environ.get("DISSENT_STORE", "")
    if demo and not given:
        return Settings(None, True)
    return Settings(Path(given or "dissent.duckdb").expanduser().absolute(), demo)
