"""What a bundle holds for papers: the methods of the paper pack, and figures as SVG and PDF."""

import json
from importlib.metadata import PackageNotFoundError

import pytest

from core.analysis.methods_text import describe_methods
from core.analysis.results.qrels_choices import find_choice
from core.bundle import figures
from core.bundle.archive import read_archive, write_archive
from core.bundle.choices import Choices
from core.bundle.crate import METADATA
from core.bundle.making import make_bundle
from core.bundle.reproduction import reproduce
from core.version import __version__
from tests.core.bundle.conftest import OPEN, seal
from tests.short import long

SVG, PDF = "figures/means-01.svg", "figures/means-01.pdf"


def parts(found):
    return {one.entry: one for one in found.parts}


def test_the_methods_are_those_of_a_paper(made):
    about = json.loads(made.entries["study.json"])
    names = [one["name"] for one in about["versions"]]
    told = describe_methods(
        made.study,
        versions=[find_choice(made.study, name) for name in names],
        measures=about["measures"],
        significance=OPEN.test,
        software=f"Dissent {__version__}",
    )
    text = made.entries["methods.md"].decode()
    assert text.split("\n\n")[1] == told.markdown
    assert "pooled over" in told.markdown
    assert made.entries["references.bib"].decode() == told.bibtex != ""


@long
def test_methods_that_were_changed_together_with_all_hashes_are_found(made):
    forged = made.entries["methods.md"].replace(b"4 assessors", b"9 assessors")
    found = reproduce(write_archive(seal({**made.entries, "methods.md": forged})))
    assert parts(found)["methods.md"].status == "different"
    assert not found.is_reproduced


def test_every_figure_is_there_on_paper(made):
    drawn = {name for name in made.entries if name.startswith("figures/")}
    for name in (one.removesuffix("json") for one in drawn if one.endswith(".json")):
        assert made.entries[f"{name}svg"].startswith(b"<?xml")
        assert made.entries[f"{name}pdf"].startswith(b"%PDF")
    assert len(drawn) == 3 * len([one for one in drawn if one.endswith(".json")]) > 0
    types = {
        one["@id"]: one.get("encodingFormat")
        for one in json.loads(made.entries[METADATA])["@graph"]
    }
    assert (types[SVG], types[PDF]) == ("image/svg+xml", "application/pdf")


@long
@pytest.mark.parametrize("name", [SVG, PDF])
def test_a_figure_that_was_changed_together_with_all_hashes_is_found(made, name):
    forged = made.entries[name][:-1] + b"x"
    found = reproduce(write_archive(seal({**made.entries, name: forged})))
    assert parts(found)[name].status == "different"
    assert not found.is_reproduced


@long
def test_figures_of_another_matplotlib_are_not_compared(made):
    about = json.loads(made.entries["study.json"])
    about["software"]["matplotlib"] = "1.0"
    changed = {"study.json": json.dumps(about).encode(), SVG: b"<svg/>"}
    found = reproduce(write_archive(seal({**made.entries, **changed})))
    assert parts(found)[SVG].status == "not checked"
    assert parts(found)[SVG].reason.startswith("it was drawn with Matplotlib 1.0, and here is ")
    assert found.is_reproduced


@long
def test_without_matplotlib_a_bundle_says_so_and_is_whole(made, monkeypatch):
    def find_none(name):
        raise PackageNotFoundError(name)

    here = reproduce(made.bundle)
    with monkeypatch.context() as patch:
        patch.setattr(figures, "version", find_none)
        bundle = make_bundle(made.study, Choices(labels=True, imported_labels=True, test=OPEN.test))
        elsewhere = reproduce(made.bundle)
        assert reproduce(bundle.content).is_reproduced
    entries = read_archive(bundle.content, "b.zip")
    assert not [name for name in entries if name.endswith((".svg", ".pdf"))]
    said = b"Figures are not there as SVG and PDF: Matplotlib was not installed."
    assert said in entries["README.md"]
    assert said in entries[METADATA]
    assert said not in made.entries["README.md"]
    assert reproduce(bundle.content).is_reproduced
    assert elsewhere.is_reproduced
    assert parts(elsewhere)[SVG].status == "not checked"
    assert parts(here)[SVG].status == "equal"
