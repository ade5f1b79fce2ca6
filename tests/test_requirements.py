"""What is installed is pinned, complete for Linux and macOS, and free of known holes."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from importlib.metadata import distributions, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.docs import read_block
from tests.each import each
from tests.pins import (
    CHECKS,
    ENVIRONMENTS,
    INSTALLER,
    OLDEST,
    PIP,
    ROOT,
    RUN,
    WHEELS_ONLY,
    find_gaps,
    read_pins,
    read_project,
)
from tests.short import long

Homes = Mapping[str, list[str]]

NEEDED, ADDED = read_project()
ASKED = {RUN: NEEDED, CHECKS: [*NEEDED, *ADDED]}

LAST_AFFECTED = {
    "authlib": "1.7.0",  # CVE-2026-44681, and before it CVE-2026-27962, CVE-2025-68158 …
    "cryptography": "46.0.4",  # CVE-2026-26007
    "h11": "0.15.0",  # CVE-2025-43859
    "jinja2": "3.1.5",  # CVE-2025-27516
    "joserfc": "1.6.2",  # CVE-2026-27932
    "protobuf": "6.33.4",  # CVE-2026-0994
    "pyarrow": "23.0.0",  # CVE-2026-25087
    "pytest": "9.0.2",  # CVE-2025-71176
    "python-multipart": "0.0.26",  # CVE-2026-42561
    "requests": "2.32.5",  # CVE-2026-25645
    "starlette": "1.3.0",  # CVE-2026-54283
    "urllib3": "2.6.2",  # CVE-2026-21441
}
"""The last version of a package with a published advisory that was known at the last look."""


LIKE_IMPORT = re.compile(r"(?:^|[;:])[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
"""What looks like an import: each is, but for a few lines of prose."""


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def find_open(requirements: list[Requirement]) -> list[str]:
    """Return the requirements without a floor or without a ceiling."""
    return [
        str(one) for one in requirements if {spec.operator for spec in one.specifier} != {">=", "<"}
    ]


def find_affected(requirements: list[Requirement]) -> list[str]:
    """Return the requirements that admit a version with a known advisory."""
    affected = {one: LAST_AFFECTED.get(canonicalize_name(one.name)) for one in requirements}
    return [str(one) for one, last in affected.items() if last and last in one.specifier]


def read_imports(*folders: str) -> set[str]:
    """Return the top-level modules that are imported and neither ours nor Python's."""
    imported: set[str] = set()
    known = {"core", "dissent", "pages", "sample_data", "tests"} | sys.stdlib_module_names
    for text in (read(path) for folder in folders for path in (ROOT / folder).rglob("*.py")):
        if {*LIKE_IMPORT.findall(text)} <= imported | known:
            continue  # nothing new, so it need not be parsed
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").partition(".")[0])
    return imported - known


def find_undeclared(imported: set[str], declared: list[Requirement], homes: Homes) -> set[str]:
    """Return what is imported from packages that nobody asked for."""
    names = {canonicalize_name(one.name) for one in declared}
    return {
        module
        for module in imported
        if not names.intersection(map(canonicalize_name, homes.get(module, ())))
    }


def test_each_requirement_has_a_floor_and_a_ceiling():
    assert find_open([*NEEDED, *ADDED]) == []
    for line in ("pyarrow>=21", "pyarrow<27", "pyarrow", "pyarrow==26.*"):
        assert find_open([Requirement(line)]) == [line]


def test_no_requirement_admits_a_version_with_a_known_advisory():
    assert find_affected([*NEEDED, *ADDED]) == []
    assert find_affected([Requirement("Authlib>=1.6,<2")]) == ["Authlib<2,>=1.6"]


@each("path", ASKED, ids=lambda path: path.stem)
def test_no_pinned_release_has_a_known_advisory(path: Path):
    pins = {pin.name: pin.version for pin in read_pins(read(path))}
    checked = {name for name in LAST_AFFECTED if name in pins}
    assert checked >= {"authlib", "starlette", "pyarrow", "python-multipart"}
    assert [name for name in checked if pins[name] <= Version(LAST_AFFECTED[name])] == []
    assert pins["authlib"] >= Version("1.6.6")


def test_what_is_imported_is_asked_for():
    """Nothing rests on a package that is there only because another one needs it."""
    homes = packages_distributions()
    run, checks = read_imports("core", "pages"), read_imports("tests")
    run -= {"ir_datasets"}  # used where a person has installed it, and nowhere needed
    optional = [one for one in ADDED if one.name == "matplotlib"]  # of the extra 'paper'
    assert find_undeclared(run, [*NEEDED, *optional], homes) == set()
    assert find_undeclared(checks, [*NEEDED, *ADDED], homes) == set()
    without = [one for one in [*NEEDED, *optional] if one.name != "starlette"]
    assert find_undeclared(run, without, homes) == {"starlette"}


@each("path", ASKED, ids=lambda path: path.stem)
def test_the_pins_are_complete(path: Path):
    assert find_gaps(read_pins(read(path)), ASKED[path]) == []


@each(
    ("change", "gap"),
    [
        (lambda text: drop(text, "authlib"), "asks for Authlib, which is not pinned"),
        (lambda text: drop(text, "h11"), "uvicorn asks for h11, which is not pinned"),
        (lambda text: drop(text, "hatchling"), "asks for hatchling, which is not pinned"),
        (lambda text: text.replace("authlib==1.", "authlib==2."), "pinned is 2."),
        (lambda text: text.replace("numpy==2.", "numpy==1."), "pandas asks for numpy"),
        (lambda text: mark(text, "numpy", "python_version < '3.14'"), "numpy, which is not"),
        (lambda text: mark(text, "numpy", "sys_platform == 'linux'"), "numpy, which is not"),
    ],
)
def test_a_gap_is_told(change: Callable[[str], str], gap: str):
    changed = change(read(RUN))
    assert changed != read(RUN)
    assert gap in "\n".join(find_gaps(read_pins(changed), NEEDED))


def drop(text: str, name: str) -> str:
    return re.sub(rf"^{name}==.*\n(    --hash.*\n)+", "", text, flags=re.MULTILINE)


def mark(text: str, name: str, marker: str) -> str:
    return re.sub(rf"^{name}==[^ ]+", rf"\g<0> ; {marker}", text, flags=re.MULTILINE)


@each(
    "line",
    [
        "--index-url https://packages.example.org/simple",
        "--extra-index-url https://packages.example.org/simple",
        "--find-links /srv/wheels",
        "--trusted-host packages.example.org",
        "# made with /home/anna/.venv/bin/uv",
        "idna>=3",
        "idna==3.20",
        "idna==3.20 \\\n    --hash=md5:0123456789abcdef0123456789abcdef",
        "idna @ https://packages.example.org/idna.whl",
        "./idna",
        "-e .",
    ],
)
def test_a_line_that_pins_nothing_is_refused(line: str):
    with pytest.raises(ValueError, match="not one release with the hashes of its files"):
        read_pins(f"{read(RUN)}{line}\n")


def test_a_marker_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match="marker"):
        read_pins(mark(read(RUN), "numpy", "sys_platform is linux"))


def test_the_pins_are_for_all_supported_pythons():
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    assert project["requires-python"] == f">={OLDEST}"
    assert {one["python_version"] for one in ENVIRONMENTS} > {OLDEST}


def test_users_install_a_part_of_what_the_checks_ran_on():
    run, checks = read_pins(read(RUN)), read_pins(read(CHECKS))
    assert set(run) < set(checks)
    assert len({pin.name for pin in checks}) == len(checks), "one release for all"


def test_the_pip_that_installs_the_checks_is_pinned():
    (pin,) = read_pins(read(INSTALLER))
    assert (pin.name, pin.version in PIP.specifier) == ("pip", True)
    assert f"-r {INSTALLER.relative_to(ROOT)}" in read_block("test")


def test_the_checks_run_on_what_is_pinned():
    here = {canonicalize_name(one.name): Version(one.version) for one in distributions()}
    pins = [pin for pin in read_pins(read(CHECKS)) if pin.fits({"extra": ""})]
    other = [pin.name for pin in pins if here.get(pin.name) != pin.version]
    assert other == [], "not the pinned release: install again, with the README's test command"


@pytest.mark.parametrize(("mark", "path"), [("pinned", RUN), ("test", CHECKS)])
def test_the_readme_installs_what_is_pinned_and_builds_with_it(mark: str, path: Path):
    """No step has an index choose: neither a release, nor what a release is built with."""
    command = read_block(mark)
    *first, pins, ours = [one for one in command.split(" && ") if " install " in one]
    assert all(f"--require-hashes -r {INSTALLER.relative_to(ROOT)}" in one for one in first)
    # Without --no-deps, pip 23 takes the newest release for an extra, and then refuses it.
    assert f"--require-hashes -r {path.relative_to(ROOT)}" in pins
    assert WHEELS_ONLY in pins + read(path)
    assert "--no-build-isolation" in ours
    assert " --no-deps " in pins
    assert " --no-deps " in ours
    tools = {"hatchling", "editables"} if " -e " in ours else {"hatchling"}
    assert tools <= {pin.name for pin in read_pins(read(path))}


@long
def test_nothing_that_a_pinned_release_needs_is_missing():
    command = [sys.executable, "-m", "pip", "check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
