"""The licences of the packages that are installed: read them, refuse those that do not fit.

What users install comes with this project, so it has to leave them as free as the project does.
What only the checks install is run beside it and never passed on: there the GPL does no harm.
"""

import re
from collections.abc import Mapping
from importlib.metadata import PackageMetadata

PERMISSIVE = frozenset(
    {
        *("MIT", "MIT-0", "MIT-CMU", "BSD", "BSD-2-Clause", "BSD-3-Clause", "0BSD"),
        *("Apache-2.0", "PSF-2.0", "MPL-2.0", "Zlib", "CC0-1.0"),
        # As MPL-2.0 it binds who changes the library, and leaves what uses it as it is.
        "LGPL-3.0-only",
    }
)
BESIDE = PERMISSIVE | {"GPL-3.0-only", "GPL-3.0-or-later"}
"""Also for what only the checks install."""

SPDX = {
    "Python Software Foundation License": "PSF-2.0",
    "2-clause BSD": "BSD-2-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "PSFL": "PSF-2.0",
}
"""What packages say beside the identifiers of SPDX. BSD alone: they do not say which. The libraries
that pypdfium2 has in it are under licences of this kind, too; it comes with the text of each."""

IN_FILES = {"axe-playwright-python": "MIT AND MPL-2.0"}
"""Packages that state nothing in their metadata: what their files say. It carries axe-core."""


def read_licence(metadata: PackageMetadata) -> str:
    """Return the licence a package states, by SPDX where it can be told."""
    if expression := metadata.get("License-Expression"):
        return expression
    name = (metadata.get("License") or "").strip()
    if name and "\n" not in name and name != "UNKNOWN":
        return SPDX.get(name, name)
    classified = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier") or ()
        if line.startswith("License :: OSI Approved :: ")
    ]
    stated = " AND ".join(SPDX.get(name, name) for name in classified)
    return stated or IN_FILES.get(metadata["Name"], "none stated")


def find_unfit(run: Mapping[str, str], checks: Mapping[str, str]) -> list[str]:
    """Say which packages have a licence that was not agreed to; of a choice all have to be."""
    return [
        f"{name} is under {licence}: leave it out, or read its licence and, if it fits, add it to "
        f"{list_name} in tests/licences.py"
        for licences, permitted, list_name in (
            (run, PERMISSIVE, "PERMISSIVE"),
            ({name: checks[name] for name in checks.keys() - run.keys()}, BESIDE, "BESIDE"),
        )
        for name, licence in sorted(licences.items())
        if not permitted.issuperset(re.split(r" (?:AND|OR) ", licence))
    ]
