"""What is installed has a licence that fits: permissive where users get it."""

from functools import cache
from importlib.metadata import PathDistribution, distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tests.licences import find_unfit, read_licence
from tests.pins import CHECKS, RUN, read_pins
from tests.requirements import LICENCES


def read_installed(path: Path) -> dict[str, str]:
    """Return the licences of what a file pins, as far as it is installed here."""
    return dict(_read_once(path))


@cache
def _read_once(path: Path) -> dict[str, str]:
    names = {pin.name for pin in read_pins(path.read_text(encoding="utf-8"))}
    found = {canonicalize_name(one.name): one for one in distributions()}
    return {name: read_licence(found[name].metadata) for name in names & found.keys()}


def make_up(folder: Path, *lines: str) -> str:
    """Return the licence of a package whose metadata have these lines."""
    folder = folder / "made_up-1.0.dist-info"
    folder.mkdir()
    head = ("Metadata-Version: 2.4", "Name: made-up", "Version: 1.0")
    (folder / "METADATA").write_text("\n".join((*head, *lines, "")), encoding="utf-8")
    return read_licence(PathDistribution(folder).metadata)


def test_the_licences_of_what_is_installed_fit():
    run, checks = read_installed(RUN), read_installed(CHECKS)
    assert len(run) > 40
    assert find_unfit(run, checks) == []


def test_the_list_holds_what_is_pinned():
    head, *lines = LICENCES.read_text(encoding="utf-8").splitlines()
    assert head == "package\tversion\tfor\tlicence"
    rows = [line.split("\t") for line in lines]
    run = {pin.name for pin in read_pins(RUN.read_text(encoding="utf-8"))}
    pinned = read_pins(CHECKS.read_text(encoding="utf-8"))
    assert [row[:3] for row in rows] == [
        [pin.name, str(pin.version), "run" if pin.name in run else "checks"] for pin in pinned
    ]
    listed = {name: licence for name, _, _, licence in rows}
    assert listed == listed | read_installed(CHECKS)
    assert find_unfit({name: listed[name] for name in run}, listed) == []


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        (["License-Expression: GPL-3.0-or-later"], "GPL-3.0-or-later"),
        (["License-Expression: MIT AND GPL-3.0-or-later"], "MIT AND GPL-3.0-or-later"),
        (["License: AGPL-3.0-only"], "AGPL-3.0-only"),
        (
            ["Classifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)"],
            "GPL-3.0-only",
        ),
        (["License: As you like it"], "As you like it"),
        (["License: UNKNOWN"], "none stated"),
        ([], "none stated"),
    ],
)
def test_what_does_not_fit_is_refused_to_users(tmp_path: Path, lines: list[str], licence: str):
    run, checks = read_installed(RUN), read_installed(CHECKS)
    run["made-up"] = checks["made-up"] = make_up(tmp_path, *lines)
    (sentence,) = find_unfit(run, checks)
    assert sentence.startswith(f"made-up is under {licence}: leave it out, or read its licence")
    assert "PERMISSIVE" in sentence


@pytest.mark.parametrize(
    ("licence", "fits"),
    [
        *(("GPL-3.0-or-later", True), ("GPL-3.0-only", True), ("MIT", True)),
        *(("AGPL-3.0-only", False), ("GPL-3.0-only AND SSPL-1.0", False), ("Proprietary", False)),
    ],
)
def test_the_gpl_fits_what_only_the_checks_install(tmp_path: Path, licence: str, fits: bool):
    made_up = {"made-up": make_up(tmp_path, f"License-Expression: {licence}")}
    assert (find_unfit({}, made_up) == []) == fits


def test_a_real_gpl_package_does_not_reach_users():
    checks = read_installed(CHECKS)
    under_gpl = {name: licence for name, licence in checks.items() if licence.startswith("GPL")}
    assert "krippendorff" in under_gpl
    assert len(find_unfit(under_gpl, checks)) == len(under_gpl)
