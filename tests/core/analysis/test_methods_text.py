"""The paragraph on methods: its numbers are those of the Python API and of the labels."""

import re
from pathlib import Path

import pytest

import dissent
from core.agreement.base import COEFFICIENTS
from core.analysis.base.study import Study
from core.analysis.bibliography import _read, cite_measure, cite_test, list_works, write_bibtex
from core.analysis.methods_text import MethodsText, describe_methods
from core.analysis.results.qrels_choices import find_choice
from core.collection.records import numeric_scale
from core.comparison.choices import CORRECTIONS, TESTS
from core.comparison.significance_test import SignificanceTest
from core.demo import load_demo
from core.errors import BadInput
from core.measures.base import MEASURES
from core.numerals import write_limits, write_number
from core.store.content.collections import create_collection
from core.store.store import Store
from tests.each import each


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("methods") / "demo.duckdb"
    store = Store(path)
    collection_id = load_demo(store)
    store.close()
    return path, collection_id


@pytest.fixture(scope="module")
def told(demo: tuple[Path, str]) -> MethodsText:
    path, collection_id = demo
    store = Store(path)
    study = Study(store, collection_id, is_masked=True)
    versions = [find_choice(study, name) for name in ("all, median", "UDM")]
    test = SignificanceTest("t", "holm")
    found = describe_methods(
        study,
        versions=versions,
        measures=["nDCG@10", "AP"],
        significance=test,
        software="Dissent 9.9",
    )
    store.close()
    return found


def test_its_numbers_are_those_of_the_api(demo, told):
    path, _ = demo
    with dissent.open_store(path) as store:
        labels = store.labels()
        median = store.qrels("all, median")
        systems = store.results()["engine"].nunique()
    pages = labels[(labels["facet"] == "page") & (labels["state"] == "level")]
    pages = pages[pages["occasion"] == 0]
    by_item = pages.groupby(["topic_id", "document_id"]).size()
    found = dissent.agreement(labels, ["kappa(linear)", "alpha(ordinal)"], facet="page")
    kappa, alpha = found.overall.to_dict("records")
    several = int((by_item > 1).sum())
    for expected in (
        f"{pages['assessor_id'].nunique()} assessors in 2 groups (crowd, expert)",
        f"judged {len(by_item):,} pages for {pages['topic_id'].nunique()} topics and gave "
        f"{len(pages):,} labels",
        f"{several:,} ({several / len(by_item):.1%}) were judged by two or more",
        f"pages have {len(pages) / len(by_item):.2f} labels on average",
        f"pooled over {int(kappa['pairs'])} pairs of assessors, is {write_number(kappa['value'])} "
        f"(95 % interval {write_limits(kappa['low'], kappa['high'])}, by the jackknife over "
        f"{kappa['units']} topics)",
        f"is {write_number(alpha['value'])} (95 % interval "
        f"{write_limits(alpha['low'], alpha['high'])}",
        f"“all, median” holds {len(median):,} judgements for {median['topic_id'].nunique()} topics",
        "The median of the levels of each page, by all assessors.",
        f"{systems} runs were scored by nDCG@10 (Järvelin and Kekäläinen 2002) and AP",
        "paired t test (Sakai 2018; Holm 1979) (p after Holm, α = 0.05)",
        "by Holm's method, not for the 2 conditions",
        "computed with Dissent 9.9.",
    ):
        assert expected in told.text


def test_only_what_is_cited_is_a_source_and_each_has_its_bibtex(told):
    assert told.sources == (
        *("cohen1968", "krippendorff2004", "demeester2014", "jarvelin2002", "baezayates2011"),
        *("sakai2018", "holm1979"),
    )
    assert re.findall(r"^@\w+\{(\w+),$", told.bibtex, re.MULTILINE) == sorted(told.sources)
    assert "".join(text for text, _ in told.parts) in re.sub(r" \[@[\w; @]+\]", "", told.markdown)
    assert [key for _, keys in told.parts for key in keys] == [*told.sources]


def test_without_labels_it_says_so(tmp_path):
    store = Store(tmp_path / "empty.duckdb")
    scales = {"page": numeric_scale(range(3))}
    study = Study(store, create_collection(store, "Empty", scales=scales), is_masked=True)
    found = describe_methods(study, measures=["AP"], significance=SignificanceTest())
    with pytest.raises(BadInput, match="nonsense"):
        describe_methods(study, measures=["nonsense"])
    store.close()
    assert found.text.startswith("No page has been judged yet. Agreement cannot be told: ")
    assert found.sources == ()
    assert found.bibtex == ""


def test_what_somebody_wrote_is_no_citation():
    found = MethodsText("A level [@nobody2000] and one [@cohen1968].", ("cohen1968",))
    assert found.text == "A level [@nobody2000] and one (Cohen 1968)."
    assert found.parts == [("A level [@nobody2000] and one", ("cohen1968",)), (".", ())]


@each("name", [entry.name for entry in (*MEASURES, *COEFFICIENTS)])
def test_every_measure_and_coefficient_has_its_work(name):
    """A reference begins with its authors and the year, unless something else stands before ':'."""
    assert cite_measure(name) in list_works()


def test_every_test_and_correction_has_its_work():
    for test in TESTS:
        for correction in CORRECTIONS:
            assert cite_test(test, correction)
            assert set(cite_test(test, correction)) <= set(list_works())


def test_bibtex_is_balanced_and_complete():
    known = list_works()
    whole = write_bibtex(known)
    assert whole.count("@") == len(known)
    assert whole.count("{") == whole.count("}")
    for work in known.values():
        fields = dict(work.fields)
        assert {"author", "year"} <= set(fields)
        assert ("howpublished" if work.kind == "misc" else "title") in fields
        assert all(fields.values())
        assert re.fullmatch(r"10\.\d{4,9}/\S+", fields.get("doi", "10.1000/none"))
        assert work.key.endswith(fields["year"])
        assert work.citation.endswith(fields["year"])


@each(
    ("reference", "key", "told", "fields"),
    [
        (
            "Järvelin & Kekäläinen (2002), ACM TOIS 20(4), doi:10.1145/582415.582418",
            "jarvelin2002",
            "Järvelin and Kekäläinen 2002",
            {
                "author": "Järvelin and Kekäläinen",
                "year": "2002",
                "howpublished": "ACM TOIS 20(4)",
                "doi": "10.1145/582415.582418",
            },
        ),
        (
            "its interval: Baeza-Yates et al. (1999), Search & Find",
            "baezayates1999",
            "Baeza-Yates et al. 1999",
            {
                "author": "Baeza-Yates and others",
                "year": "1999",
                "howpublished": r"Search \& Find",
            },
        ),
        (
            "Fox, Shaw & Cox (1994), TREC-2",
            "fox1994",
            "Fox et al. 1994",
            {"author": "Fox and Shaw and Cox", "year": "1994", "howpublished": "TREC-2"},
        ),
    ],
)
def test_a_work_that_is_not_listed_is_told_by_its_reference(reference, key, told, fields):
    work = _read(reference)
    assert (work.key, work.citation, dict(work.fields)) == (key, told, fields)


def test_without_authors_and_a_year_there_is_no_work():
    assert _read("folklore") is None
    assert cite_measure("nobody's") == ""
