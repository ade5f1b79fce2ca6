import pandas as pd
import pytest

from core.agreement.ratings import ratings_from_labels
from core.disagreement.strata import (
    cross_strata,
    estimate_by_stratum,
    list_strata,
    select_stratum,
    strata_by_quality,
    strata_by_rank,
    strata_by_topic,
)
from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.errors import BadInput


@pytest.fixture(scope="session")
def results():
    """Two topics, two engines: e1 brings x, y, z and e2 z, w; in u only e2 answers."""
    rows = [
        *(("t", "e1", document, rank) for rank, document in enumerate("xyz", 1)),
        *(("t", "e2", document, rank) for rank, document in enumerate("zw", 1)),
        ("u", "e2", "x", 1),
    ]
    return pd.DataFrame(rows, columns=["topic_id", "engine", "document_id", "rank"])


@pytest.fixture(scope="session")
def pages(make_labels):
    levels = {"x": (0, 2), "y": (1, 2), "z": (1, 0), "w": (0, 1)}
    rows = [
        ("t", d, name, at)
        for d, both in levels.items()
        for name, at in zip("ab", both, strict=True)
    ]
    rows += [("u", "x", name, 1) for name in "ab"]
    return ratings_from_labels(make_labels(rows), "page", (0, 1, 2))


def estimate(ratings, strata, **options):
    return estimate_by_stratum(ratings, strata, 2, **options)


def test_ranks_and_quality_of_lists(results, pages):
    ranks = strata_by_rank(results, (1, 2))
    assert ranks["stratum"].value_counts().to_dict() == {"top 2": 5, "top 1": 3}
    quality = strata_by_quality(results, pages, 2)
    assert quality.groupby(["topic_id", "engine"])["stratum"].unique().map(list).to_dict() == {
        ("t", "e1"): ["high quality"],
        ("t", "e2"): ["low quality"],
        ("u", "e2"): ["low quality"],
    }
    table = estimate(pages, quality)
    assert table["stratum"].tolist() == ["high quality"] * 3 + ["low quality"] * 3
    # z stands in a list of each kind; a page counts once in a stratum.
    assert table["items"].tolist() == [3] * 3 + [3] * 3
    assert table["cases"].tolist() == [2, 2, 2, 2, 4, 0]
    assert table["top_cases"].tolist() == [1, 1, 0, 0, 0, 0]


def test_snippets_belong_to_one_engine(results, make_labels):
    labels = make_labels([("t", "z", name, 2) for name in "ab"] + [("t", "z", "a", 0)])
    labels = labels.assign(facet="snippet", engine=["e2", "e2", "e1"])
    snippets = ratings_from_labels(labels, "snippet", (0, 1, 2))
    quality = strata_by_quality(results, snippets, 2)
    assert set(quality.loc[quality["stratum"] == "high quality", "engine"]) == {"e2"}
    table = estimate(snippets, quality)
    assert table.groupby("stratum")["items"].first().to_dict() == {
        "high quality": 1,
        "low quality": 1,
    }


def test_strata_of_topics_and_their_weights(pages):
    strata = strata_by_topic({"t": "faceted", "u": "ambiguous", "v": ""})
    assert strata["stratum"].tolist() == ["faceted", "ambiguous"]
    table = estimate(pages, strata, weighting="pairs").set_index(["stratum", "level"])
    chosen = select_stratum(pages, strata, "faceted")
    alone = estimate_top_probability(chosen, 2, "pairs")
    assert table.loc["faceted", "p"].tolist() == alone["p"].tolist() == [1 / 3, 1 / 3, 0]
    weights = relevance_weights(alone.set_index("level")["p"], 2, users=2, at_least=1)
    assert weights == {0: 0, 1: pytest.approx(1 / 3), 2: 1}
    assert table.loc[("ambiguous", 1), "p"] == 0
    assert table.loc[("ambiguous", 2), "reason"] != ""


def test_strata_can_be_crossed(results, pages):
    both = cross_strata(strata_by_rank(results, (1,)), strata_by_quality(results, pages, 2))
    assert sorted(both["stratum"]) == [
        "top 1, high quality",
        "top 1, low quality",
        "top 1, low quality",
    ]
    kinds = strata_by_topic({"t": "faceted"})
    assert set(cross_strata(both, kinds)["stratum"]) == {
        "top 1, high quality, faceted",
        "top 1, low quality, faceted",
    }


def test_the_whole_is_a_stratum_like_any_other(dl19_labels):
    ratings = ratings_from_labels(dl19_labels, "page")
    strata = strata_by_topic(dict.fromkeys(ratings.topics, "all"))
    found = estimate_by_stratum(ratings, strata, 3).drop(columns=["stratum", "items"])
    expected = estimate_top_probability(ratings, 3)
    pd.testing.assert_frame_equal(found, expected)


def test_what_does_not_fit_is_refused(results, pages):
    with pytest.raises(BadInput, match="no stratum 'good'"):
        select_stratum(pages, strata_by_rank(results), "good")
    with pytest.raises(BadInput, match="no stratum to estimate in"):
        estimate(pages, strata_by_topic({}))
    with pytest.raises(BadInput, match="strata need one of the columns"):
        estimate(pages, pd.DataFrame({"stratum": ["x"], "engine": ["e1"]}))
    with pytest.raises(BadInput, match="share one of the columns"):
        cross_strata(strata_by_topic({"t": "x"}), pd.DataFrame({"engine": ["e1"]}))
    for cuts in ((), (0, 5)):
        with pytest.raises(BadInput, match="field 'rank'"):
            strata_by_rank(results, cuts)


def test_short_lists_have_no_parts_by_rank(results, pages):
    topics = pd.DataFrame({"topic_id": ["t", "u"], "type": ["faceted", ""]})
    kinds, quality = list_strata(topics, results, pages, 2)
    assert kinds["stratum"].unique().tolist() == ["faceted topics"]
    assert set(quality["stratum"]) == {"high quality", "low quality"}
    longer = results.assign(rank=results["rank"] * 4)
    assert len(list_strata(topics, longer, pages, 2)) == 4


def test_without_results_only_the_kinds_of_topics_are_parts(results, pages):
    topics = pd.DataFrame({"topic_id": ["t", "u"], "type": ["faceted", None]})
    (kinds,) = list_strata(topics, results.iloc[:0], pages, 2)
    assert kinds["stratum"].unique().tolist() == ["faceted topics"]
    assert list_strata(topics.assign(type=""), results.iloc[:0], pages, 2) == []
