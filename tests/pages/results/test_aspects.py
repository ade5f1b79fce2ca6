"""Results under an aspect: one control, which holds on every page of results."""

import pytest

from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import find_choice
from core.analysis.results.scores import scores_of
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.declarations import NEW_STUDY
from core.store.content.imports import write_import
from tests.core.judged_aspects import PAGES, TOPICS, build
from tests.pages.conftest import lasting_store as store  # noqa: F401
from tests.short import few, long

TRUST = {"results-aspect": "trust"}


@pytest.fixture(scope="module")
def organiser(lasting_organiser: str) -> str:
    return lasting_organiser


@pytest.fixture(scope="module")
def judged(store) -> Study:  # noqa: F811
    """The collection with aspects, and three systems that order its pages differently."""
    made = build(store)
    orders = {"up": range(PAGES), "down": range(PAGES)[::-1], "mixed": (3, 0, 4, 1, 2)}
    lines = [
        f"t{topic} Q0 d{page} {rank} {PAGES - rank} {system}\n"
        for system, pages in orders.items()
        for topic in range(TOPICS)
        for rank, page in enumerate(pages)
    ]
    write_import(store, made, read_import("runs", Source("runs", "".join(lines).encode())))
    return Study(store, made, is_masked=False)


def means(study: Study) -> dict[str, float]:
    scores = scores_of(study, find_choice(study, NEW_STUDY.version), ["nDCG@10"])
    return scores.groupby("system")["value"].mean().to_dict()


@long
@pytest.mark.parametrize("aspect", few(["trust", "age", ""]))
def test_the_leaderboard_scores_by_what_was_said_of_the_aspect(
    open_page, organiser, judged, aspect
):
    at = open_page("effectiveness", organiser, **{"results-aspect": aspect})
    assert not at.exception
    (control,) = [one for one in at.selectbox if one.label == "Aspect"]
    assert control.options == ["relevance", "trust", "age"]
    shown = at.dataframe[0].value.set_index("system")["nDCG@10"].to_dict()
    expected = means(judged.of_aspect(aspect))
    assert shown == pytest.approx(expected)
    assert aspect == "" or expected != pytest.approx(means(judged))
    (version,) = [one for one in at.selectbox if one.label == "Qrels version"]
    assert version.options[0] == ": ".join(filter(None, (aspect, NEW_STUDY.version)))


def test_the_level_that_is_relevant_is_one_of_the_aspect(open_page, organiser, judged):
    at = open_page("effectiveness", organiser, **TRUST)
    (cut,) = [one for one in at.selectbox if one.label == "Relevant from"]
    assert cut.options == ["Half or Wholly"]


@long
@pytest.mark.parametrize("address", ["comparison", "ranking", "informativeness"])
def test_every_page_of_results_can_be_had_of_an_aspect(open_page, organiser, judged, address):
    at = open_page(address, organiser, address=TRUST)
    assert not at.exception
    assert not at.error
    assert at.selectbox(key="results-aspect").value == "trust"
    (versions,) = [
        one
        for one in (*at.multiselect, *at.selectbox)
        if one.label.startswith(("Qrels version", "Versions"))
    ]
    assert versions.options
    assert all(name.startswith("trust: ") for name in versions.options)
    assert len(at.dataframe)


@long
def test_what_is_compared_of_an_aspect_is_made_of_its_levels(open_page, organiser, judged):
    at = open_page("comparison", organiser, **TRUST)
    conditions = [one.value for one in at.dataframe if "condition" in one.value]
    assert conditions[0]["condition"].iloc[0] == f"trust: {NEW_STUDY.version}"
    relevance = open_page("comparison", organiser)
    own, other = (
        {hash_ for one in drawn.dataframe for hash_ in one.value.get("content_hash", ())}
        for drawn in (at, relevance)
    )
    assert own
    assert not own & other
