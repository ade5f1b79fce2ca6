"""The wheel: all of it under ``dissent``, and at work beside somebody else's package ``core``."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import dissent
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.command.main import COMMANDS
from core.settings import ROOT
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.store import Store
from core.version import __version__
from tests.core.command.serving import get, serve
from tests.each import each
from tests.short import long

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
OFFLINE = ("--no-index", "--no-deps")
FOREIGN = "somebody else's package"
ABOUT = f"dissent_ir-{__version__}.dist-info"


def run(*words: object, cwd: Path) -> str:
    """Return what a command prints that finds nothing of this checkout by its environment."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(word) for word in words]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def read_members(wheel: Path) -> dict[str, int]:
    """Return the checksum of each file in a wheel, by its path there."""
    with zipfile.ZipFile(wheel) as archive:
        return {member.filename: member.CRC for member in archive.infolist()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("built")
    run(*(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder), cwd=ROOT)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel where there is a package ``core`` already; return the commands' folder.

    What Dissent needs is that of the environment that runs the tests. Only its folder is on the
    path: what leads from there to this checkout is not followed.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name != "nt")
    paths = sysconfig.get_paths("venv", {"base": str(folder), "platbase": str(folder)})
    site, commands = Path(paths["purelib"]), Path(paths["scripts"])
    (site / "core").mkdir()
    (site / "core" / "__init__.py").write_text(f"WHOSE = {FOREIGN!r}\n")
    before = set(site.iterdir())
    run(*PIP, "--python", commands / "python", "install", *OFFLINE, wheel, cwd=folder)
    added = {path.name for path in set(site.iterdir()) - before}
    assert added == {"dissent", ABOUT}
    ours = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    (site / "needed.pth").write_text("\n".join(ours))
    return commands


@pytest.fixture(scope="module")
def hook() -> Any:
    spec = spec_from_file_location("hook", ROOT / ".build" / "hook.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_everything_in_the_wheel_is_under_dissent(wheel):
    members = read_members(wheel)
    tops = {name.partition("/")[0] for name in members}
    assert tops == {"dissent", ABOUT}
    inside = {name.removeprefix("dissent/") for name in members if name.startswith("dissent/")}
    files = [file for part in ("core", "pages", "sample_data") for file in (ROOT / part).rglob("*")]
    shipped = {
        file.relative_to(ROOT).as_posix()
        for file in files
        if file.is_file()
        and "__pycache__" not in file.parts
        and not file.name.endswith(".d.ts")  # for the type checker alone
    }
    package = {"__init__.py", "__main__.py", "py.typed", "app.py", ".streamlit/config.toml"}
    assert inside == shipped | package
    assert len(shipped) > 400
    assert wheel.stat().st_size <= 4 * 2**20


def test_the_licence_goes_with_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        told = archive.read(f"{ABOUT}/METADATA").decode().splitlines()
        licence = archive.read(f"{ABOUT}/licenses/.github/LICENSE")
    assert {"License-Expression: Apache-2.0", "License-File: .github/LICENSE"} <= set(told)
    assert licence == (ROOT / ".github" / "LICENSE").read_bytes()
    assert b"TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION" in licence


@long
def test_the_source_archive_makes_the_same_wheel(wheel, tmp_path):
    run(*(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path), cwd=ROOT)
    (source,) = tmp_path.glob("*.tar.gz")
    run(*PIP, "wheel", *OFFLINE, "--no-build-isolation", "-w", tmp_path, source, cwd=tmp_path)
    (again,) = tmp_path.glob("*.whl")
    assert again.name == wheel.name
    assert read_members(again) == read_members(wheel)


def test_an_editable_installation_finds_the_checkout(tmp_path):
    run(*(sys.executable, "-m", "hatchling", "build", "-t", "wheel:editable", "-d", tmp_path),
        cwd=ROOT)  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    names = {name for name in read_members(wheel) if ".dist-info/" not in name}
    assert names == {"_dissent_ir.pth"}
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    # Without -S, what leads to this checkout already would be followed.
    script = "import site; site.addsitedir('.'); import dissent; print(dissent.__file__)"
    told = run(sys.executable, "-S", "-c", script, cwd=tmp_path)
    assert Path(told.strip()) == ROOT / ".build" / "package" / "dissent" / "__init__.py"


_EVERY_MODULE = """
import json, sys
from importlib import import_module
from pathlib import Path

import core, dissent
from dissent.core.command.main import COMMANDS, build_parser
from dissent.core.settings import ROOT

for command in COMMANDS:
    build_parser([command.name])
for part in ("core", "pages"):
    for file in sorted((ROOT / part).rglob("*.py")):
        name = ".".join(file.relative_to(ROOT.parent).with_suffix("").parts)
        if name != "dissent.pages.main":
            import_module(name.removesuffix(".__init__"))
ours = [one.__file__ for name, one in sys.modules.items() if name.startswith("dissent.")]
tops = {name.partition(".")[0] for name in sys.modules}
print(json.dumps({
    "root": str(ROOT), "whose": core.WHOSE, "tops": sorted(tops & {"core", "pages", "app"}),
    "places": [dissent.__file__, *filter(None, ours)],
    "foreign": sorted(name for name in sys.modules if name.startswith("core.")),
}))
"""


@long
def test_every_module_is_found_beside_a_foreign_core(scripts, tmp_path):
    told = json.loads(run(scripts / "python", "-c", _EVERY_MODULE, cwd=tmp_path))
    assert told["whose"] == FOREIGN
    assert (told["tops"], told["foreign"]) == (["core"], [])
    assert Path(told["root"]).is_relative_to(scripts.parent)
    assert len(told["places"]) > 400
    assert [one for one in told["places"] if not Path(one).is_relative_to(told["root"])] == []


_EXAMPLE = """
import json, sys
import dissent
with dissent.open_store(sys.argv[1]) as store:
    topics, qrels = store.topics(), store.qrels("all, maximum")
print(json.dumps([dissent.__version__, sorted(dissent.__all__), dir(dissent),
    topics.to_csv(), qrels.to_csv()]))
"""


@pytest.fixture
def small_store(tmp_path: Path) -> Path:
    path = tmp_path / "small.duckdb"
    store = Store(path)
    collection_id = create_collection(store, "Small")
    for kind, text in (
        ("topics", "t1\tfirst\nt2\tsecond\n"),
        ("labels", "assessor\ttopic\tdocument\tlevel\nann\tt1\td1\t1\nben\tt1\td1\t3\n"),
    ):
        file = tmp_path / f"{kind}.tsv"
        file.write_text(text)
        write_import(store, collection_id, read_import(kind, [Source.at(file)]))
    store.close()
    return path


@long
def test_the_api_is_that_of_a_checkout(scripts, small_store, tmp_path):
    told = json.loads(run(scripts / "python", "-c", _EXAMPLE, small_store, cwd=tmp_path))
    with dissent.open_store(small_store) as store:
        frames = [store.topics(), store.qrels("all, maximum")]
    names = sorted(dissent.__all__)
    assert told == [__version__, names, names, *(frame.to_csv() for frame in frames)]
    assert [len(frame) for frame in frames] == [2, 1]


@long
def test_the_command_explains_itself(scripts, tmp_path):
    told = run(scripts / "dissent", "--help", cwd=tmp_path)
    assert [one.name for one in COMMANDS if f"  {one.name} " not in told] == []
    for command in ((scripts / "dissent",), (scripts / "python", "-m", "dissent")):
        assert run(*command, "--version", cwd=tmp_path) == f"dissent {__version__}\n"


@long
def test_the_demo_runs_until_it_is_ended(scripts, tmp_path):
    with serve(("--demo", "--port", 0), tmp_path, installed=[scripts / "dissent"]) as served:
        address = served.address()
        assert get(address, "/api/health") == (200, b'{"status":"ok"}')
        assert get(address, "/")[0] == 200
        assert served.stop(signal.SIGTERM) == 0
    assert "Traceback" not in served.output.read_text()


@each(
    ("before", "after"),
    [
        ("from core.errors import BadInput", "from dissent.core.errors import BadInput"),
        ("def f():\n    from core import api", "def f():\n    from dissent.core import api"),
        (
            "import core.a as a, os, pages as b",
            "import dissent.core.a as a, os, dissent.pages as b",
        ),
        ("import core.a  # core.a", "import dissent.core.a  # core.a"),
        ("x = 'é→'; from core.a import (\n  b)", "x = 'é→'; from dissent.core.a import (\n  b)"),
        ("'''\n>>> from core.a import b\n'''", "'''\n>>> from dissent.core.a import b\n'''"),
        ("'''from core.a import b'''", "'''from core.a import b'''"),
        ("import corelib\nfrom . import core", "import corelib\nfrom . import core"),
        ("import core.a as core\ncore.b", "import dissent.core.a as core\ncore.b"),
    ],
)
def test_imports_are_moved(hook, before: str, after: str):
    assert hook.move_imports(before.encode(), "a.py").decode() == after


@each("text", ["import core.a\nprint(core.a)", "from  core.a import b"])
def test_an_import_that_cannot_be_moved_ends_the_build(hook, text: str):
    with pytest.raises(ValueError, match=r"^a\.py"):
        hook.move_imports(text.encode(), "a.py")


def names_modules(text: str) -> bool:
    """Tell whether a module has texts that name modules of ours, as to import them by."""
    constants = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return any(re.fullmatch(r"(core|pages)(\.\w+)+", str(node.value)) for node in constants)


def test_who_names_modules_in_texts_asks_where_they_are():
    files = [path for part in ("core", "pages") for path in (ROOT / part).rglob("*.py")]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files}
    like = re.compile(r"""["'}](core|pages)\.""")  # so that few have to be parsed
    naming = {
        place: text for place, text in texts.items() if like.search(text) and names_modules(text)
    }
    assert "core/command/main.py" in naming
    asks = re.compile(r"\bPREFIX\b|__package__")
    assert [place for place, text in naming.items() if not asks.search(text)] == []
