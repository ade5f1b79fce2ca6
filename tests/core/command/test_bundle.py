"""A bundle made by the command is computed anew elsewhere: another folder, time zone, language."""

import json
import os
import subprocess
import sys
import zipfile

import pytest

import dissent as api
from core.analysis.base.study import Study
from core.bundle.archive import read_archive, write_archive
from core.bundle.making import make_bundle
from core.demo import load_demo
from core.settings import ROOT
from core.store.store import Store
from tests.conftest import import_study
from tests.core.api.made_up import write_study
from tests.short import long

FEW = ("--permutations", 300, "--measure", "AP")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("made-up"))


@pytest.fixture(scope="module")
def store(files, tmp_path_factory):
    return import_study(files, tmp_path_factory.mktemp("store") / "study.duckdb")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    path = tmp_path_factory.mktemp("demo") / "demo.duckdb"
    opened = Store(path)
    load_demo(opened)
    opened.close()
    return path


def elsewhere(tmp_path, bundle, *words):
    """Compute a bundle anew in another folder, time zone and locale; returns status and JSON."""
    there = tmp_path / "some where ü"
    there.mkdir()
    own = {"TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "C", "COLUMNS": "40"}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "core.command.main",
            "reproduce",
            bundle,
            "--format",
            "json",
            *words,
        ],
        cwd=there,
        env={**os.environ, **own, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def make(dissent, store, collection, file, *words):
    made = dissent("bundle", file, "--store", store, "--collection", collection, *words)
    assert made.status == 0, made.err
    return made


@long
def test_the_demo_is_equal_elsewhere(dissent, demo, tmp_path):
    name, bundle = "Demo: five made-up search engines", tmp_path / "demo.zip"
    open_labels = ("--labels", "--imported-labels")
    versions = ("all, maximum", "slot 2", "UDM", "snippet and page", "group expert, maximum")
    words = (*open_labels, "--version", *versions, *FEW, "--format", "json")
    made = make(dissent, demo, name, bundle, *words)
    assert made.json["written"] == {
        "versions": 5,
        "runs": 5,
        "assessors": 6,
        "left_out": 0,
        "tables": 10,
    }
    status, told = elsewhere(tmp_path, bundle)
    assert (status, told["reproduced"]) == (0, True)
    assert {one["status"] for one in told["parts"]} == {"equal"}
    assert (told["changes"], told["software"]) == ([], [])
    with zipfile.ZipFile(bundle) as archive:
        assert sorted(archive.namelist()) == made.json["entries"]


@pytest.mark.long
def test_dl19_is_equal_elsewhere(dissent, dl19_store, tmp_path):
    bundle = tmp_path / "dl19.zip"
    make(dissent, dl19_store, "dl19", bundle, "--labels", "--imported-labels")
    status, told = elsewhere(tmp_path, bundle)
    assert status == 0
    assert {one["status"] for one in told["parts"]} == {"equal"}


@long
def test_it_is_written_anew_byte_by_byte_and_never_over_another_file(dissent, store, tmp_path):
    made = make(dissent, store, "dl19", tmp_path / "a.zip", *FEW)
    assert made.out.startswith(f"{tmp_path / 'a.zip'}: ")
    make(dissent, store, "dl19", tmp_path / "b.zip", *FEW)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    again = dissent("bundle", tmp_path / "a.zip", "--store", store, "--collection", "dl19")
    assert again.status == 1
    assert "never overwrites" in again.err


def test_a_changed_number_is_named(dissent, store, tmp_path):
    bundle = tmp_path / "a.zip"
    words = ("--labels", "--imported-labels", "--version", "all, maximum", *FEW)
    make(dissent, store, "dl19", bundle, *words)
    told = dissent("reproduce", bundle)
    assert told.status == 0
    assert "\nReproduced: " in told.out
    entries = read_archive(bundle, "a.zip")
    means = entries["tables/means.csv"]
    value = means.split(b"\n")[1].split(b",")[4]
    entries["tables/means.csv"] = means.replace(value, b'"0.9999"', 1)
    bundle.write_bytes(write_archive(entries))
    told = dissent("reproduce", bundle)
    assert told.status == 1
    entries["tables/means.csv"] = means.replace(value, b'"\x1b[2J"', 1)
    (tmp_path / "escape.zip").write_bytes(write_archive(entries))
    assert "\x1b" not in dissent("reproduce", tmp_path / "escape.zip").out
    assert "tables/means.csv is not what was published.\n" in told.out
    found = value.decode().strip('"')
    said = f"tables/means.csv, row 1, column value: 0.9999 was published, {found} is found\n"
    assert said in told.out
    assert "Not reproduced: " in told.out


@long
def test_runs_of_hashes_are_given(dissent, store, files, tmp_path):
    bundle = tmp_path / "a.zip"
    made = make(dissent, store, "dl19", bundle, "--runs", "hashes", *FEW)
    assert "runs are in it by their hashes" in made.err
    without = dissent("reproduce", bundle)
    assert without.status == 1
    assert "give them by --run: s0, s1" in without.err
    runs = sorted((files / "runs").iterdir())
    told = dissent("reproduce", bundle, "--run", *runs, "--format", "json")
    assert told.status == 0
    assert {"tables/scores.csv": "equal"}.items() <= {
        one["entry"]: one["status"] for one in told.json["parts"]
    }.items()


@long
def test_chosen_versions_are_in_it(dissent, store, tmp_path):
    versions = ("slot 2", "UDM, 2 of 5")
    make(dissent, store, "dl19", tmp_path / "a.zip", "--version", *versions, *FEW)
    entries = read_archive(tmp_path / "a.zip", "a.zip")
    named = [name for name in entries if name.startswith("qrels/")]
    assert named == ["qrels/01-slot-2.qrels", "qrels/02-udm-2-of-5-in-whole-levels.qrels"]
    refused = dissent(
        "bundle", tmp_path / "b.zip", "--store", store, "--collection", "dl19", "--version", "none"
    )
    assert refused.status == 1
    assert "There are no qrels 'none'" in refused.err


def test_wrong_use_is_told(dissent, store, tmp_path):
    words = ("bundle", tmp_path / "a.zip", "--store", store, "--collection", "dl19")
    assert dissent(*words, "--imported-labels").status == 2
    assert dissent(*words, "--runs", "some").status == 2
    assert dissent(*words, "--measure", "nonsense").status == 1
    assert not (tmp_path / "a.zip").exists()
    missing = dissent("reproduce", tmp_path / "a.zip")
    assert (missing.status, missing.err) == (
        1,
        f"dissent: There is no file {tmp_path / 'a.zip'}.\n",
    )
    (tmp_path / "notes.zip").write_text("no archive")
    assert "not a ZIP archive" in dissent("reproduce", tmp_path / "notes.zip").err


@long
def test_python_makes_and_computes_the_same(store, files, tmp_path):
    test = api.SignificanceTest(samples=300)
    with api.open_store(store, names=True) as opened:
        content = api.bundle(opened, labels=True, imported_labels=True, measures=["AP"], test=test)
        study = Study(opened._store, opened._find(""), is_masked=False)
        assert make_bundle(study).entries
    (tmp_path / "a.zip").write_bytes(content)
    assert b"a0\n" not in content
    found = api.reproduce(tmp_path / "a.zip", sorted((files / "runs").iterdir()))
    assert found.is_reproduced
    assert found.count("equal") == len(found.parts)
    with pytest.raises(api.NotFound):
        api.reproduce(tmp_path / "none.zip")
