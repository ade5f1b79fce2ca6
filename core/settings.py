"""What the environment says: which store to open, and whether this is the demo."""

import math
import os
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from core.errors import BadInput
from core.place import Place, expand_home, read_place

ROOT = Path(__file__).parent.parent
"""The folder that holds app.py, pages and sample_data: a checkout, or where a wheel put them."""

PREFIX = __name__.removesuffix("core.settings")
"""What stands before the names of our modules: nothing in a checkout, ``dissent.`` in a wheel."""

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}

Network = IPv4Network | IPv6Network

DEMO_DATA = ROOT / "sample_data" / "demo"


@dataclass(frozen=True)
class BackupPlan:
    """Where a server puts its backups, the hours between two, and how many of them it keeps."""

    folder: Path
    hours: float = 24.0
    keep: int = 14


@dataclass(frozen=True)
class Settings:
    """How a server was started.

    ``store`` is None only in the demo, which makes a throw-away store of its own and is never
    backed up.
    """

    store: Place | None
    demo: bool
    backups: BackupPlan | None = None


def read_settings() -> Settings:
    """Return the settings in DISSENT_STORE, DISSENT_DEMO and DISSENT_BACKUPS.

    Without either of the first two, the store is ``dissent.duckdb`` in the working directory.

    Raises
    ------
    BadInput
        DISSENT_BACKUP_HOURS or DISSENT_BACKUPS_KEPT is not a number that can be used.
    """
    demo = os.environ.get("DISSENT_DEMO", "") not in ("", "0")
    given = os.environ.get("DISSENT_STORE", "")
    if demo and not given:
        return Settings(None, True)
    place = read_place(given or "dissent.duckdb")
    store = place.absolute() if isinstance(place, Path) else place
    return Settings(store, demo, None if demo else _read_backups())


def _read_backups() -> BackupPlan | None:
    folder = os.environ.get("DISSENT_BACKUPS", "")
    if not folder:
        return None
    hours = _read_number("DISSENT_BACKUP_HOURS", BackupPlan.hours, least=0.001)
    keep = _read_number("DISSENT_BACKUPS_KEPT", BackupPlan.keep, least=1)
    return BackupPlan(expand_home(folder).absolute(), hours, int(keep))


def read_webhook_networks() -> tuple[Network, ...]:
    """Return the networks that webhooks may go to besides public machines; usually none.

    Raises
    ------
    BadInput
        DISSENT_WEBHOOK_NETWORKS holds something that is no network.
    """
    given = os.environ.get("DISSENT_WEBHOOK_NETWORKS", "").replace(",", " ")
    try:
        return tuple(ip_network(one) for one in given.split())
    except ValueError as error:
        raise BadInput(
            f"DISSENT_WEBHOOK_NETWORKS is '{given}'; it lists networks such as 10.20.0.0/16"
        ) from error


def _read_number(name: str, otherwise: float, *, least: float) -> float:
    given = os.environ.get(name, "") or str(otherwise)
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not least <= number < math.inf:
        raise BadInput(f"{name} is '{given}'; it has to be a number, at least {least:g}")
    return number


def local_host(address: str) -> str:
    """Return where a browser on this machine finds a server that listens at an address."""
    return _EVERYWHERE.get(address, address)


def local_address(address: str, port: int) -> str:
    """Return the URL at which a browser on this machine finds a server."""
    host = local_host(address)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
