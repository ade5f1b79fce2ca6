"""A version asked for by name alone is of the facet that the study declares, at every door."""

import csv
from pathlib import Path

import pandas as pd
import pytest

import dissent
from core.analysis.base.study import Study
from core.analysis.collection.declaring import declare
from core.analysis.methods_text import describe_methods
from core.analysis.results.public_results import describe_results, study_of_page
from core.analysis.results.qrels_choices import find_choice, version_of
from core.bundle.archive import read_archive
from core.bundle.description import FILE, read_description
from core.bundle.making import make_bundle
from core.bundle.public import make_public_bundle
from core.bundle.reproduction import reproduce
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels
from core.collection.records import counted_levels
from core.command.main import main
from core.paper.pack import make_pack
from core.store.content.imports import write_import
from core.store.content.public_pages import PublicChoice, publish
from core.store.content.scales import get_scales
from core.store.people.tokens import make_token
from core.store.store import Store
from core.versions.rules import QrelsRule
from pages.api.public_page import draw_public_page
from pages.server.running import stop
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.test_declared_doors import VERSION, files, person, study  # noqa: F401

OTHER = "all, minimum"


@pytest.fixture
def of_snippets(store, study: Study, files: Path) -> Study:  # noqa: F811
    """The study with snippets judged otherwise than pages, which declares these."""
    scales = get_scales(store, study.collection_id)
    levels = sorted(counted_levels(scales["snippet"]))
    rows = list(csv.reader((files / "labels.tsv").read_text().splitlines(), delimiter="\t"))
    lines = ["\t".join(rows[0])] + [
        "\t".join([*row, str(levels[(int(level) + len(row[1])) % len(levels)])])
        for *row, level in rows[1:]
    ]
    source = Source("snippets.tsv", "\n".join([*lines, ""]).encode())
    here = study.collection_id
    write_import(store, here, read_import("labels", source, scales=scales, facet="snippet"))
    declare(study, {"facet": "snippet"})
    return study


def expected_of(study: Study, facet: str = "snippet") -> pd.DataFrame:  # noqa: F811
    return version_of(study, find_choice(study, OTHER, facet)).frame


def test_qrels_by_name_are_of_it(store, of_snippets, person, capsys):  # noqa: F811
    expected, here = expected_of(of_snippets), of_snippets.collection_id
    assert not expected.equals(expected_of(of_snippets, "page"))
    client = DescribedClient(open_client(), make_token(store, person, "study", ["read"]))
    assert client.ask("readQrels", collection=here, version=OTHER) == write_qrels(expected)
    own = client.ask("readScores", collection=here, version=OTHER)["means"]
    assert own == client.ask("readScores", collection=here, version=OTHER, facet="snippet")["means"]
    stop()
    words = ["export", "qrels", "--store", str(store.path), "--collection", here]
    assert main([*words, "--version", OTHER]) == 0
    assert capsys.readouterr().out.encode() == write_qrels(expected)
    with dissent.open_store(store.path) as opened:
        found = opened.qrels(OTHER, here)
    pd.testing.assert_frame_equal(found, expected, check_flags=False)


def test_an_order_learns_from_it(store, of_snippets, capsys):
    words = ["pool", "--store", str(store.path), "--collection", of_snippets.collection_id]
    words += [
        "--order",
        "max-mean",
        "--relevant-from",
        "2",
        "--batch",
        "1",
        "-o",
        "-",
        "--depth",
        "9",
    ]
    orders = []
    for facet in ("snippet", "page"):
        declare(of_snippets, {"facet": facet})
        stop()
        store.close()
        assert main(words) == 0
        orders.append(capsys.readouterr().out)
        store = Store(store.path)
        of_snippets = Study(store, of_snippets.collection_id, is_masked=True)
    store.close()
    assert orders[0] != orders[1]


def test_a_bundle_is_of_it(of_snippets, tmp_path):
    made = make_bundle(of_snippets)
    assert made.about.versions[0].name == f"{VERSION}, in whole levels"
    assert all('"facet": "snippet"' in one.rule for one in made.about.versions)
    (tmp_path / "study.zip").write_bytes(made.content)
    assert reproduce(tmp_path / "study.zip").changes == ()


def test_methods_and_the_paper_begin_with_it(of_snippets):
    assert "snippets" in describe_methods(of_snippets).markdown
    pack = make_pack(of_snippets)
    assert "snippets" in pack.files["methods.md"].decode()


def test_the_public_page_says_which_of_two_is_shown(store, of_snippets):
    here = of_snippets.collection_id
    wanted = PublicChoice(VERSION, "AP")
    publish(store, here, wanted)
    page = study_of_page(store, here)
    other = draw_public_page(describe_results(page, wanted), "x")
    assert f"declares AP under “snippet: {VERSION}”; shown is AP under “{VERSION}”" in other
    same = describe_results(page, PublicChoice(f"snippet: {VERSION}", "AP"))
    assert "declares" not in draw_public_page(same, "x")
    for key, facet in ((VERSION, "page"), (f"snippet: {VERSION}", "snippet")):
        given = make_public_bundle(page, PublicChoice(key, "AP", bundle=True))
        assert given is not None
        about = read_description(read_archive(given, "b.zip")[FILE], FILE)
        assert [QrelsRule.from_json(one.rule).facet for one in about.versions] == [facet]
    assert same.version is not None
    assert same.version.name == f"snippet: {VERSION}"
