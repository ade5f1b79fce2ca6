"""The version of snippet and page together: from labels to scores, and on the pages."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from core.analysis.base.study import Study
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.past_versions import versions_at
from core.analysis.results.qrels_choices import BOTH_FACETS, list_choices, version_of
from core.analysis.results.scores import list_answers, rankings_of, scores_of
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.demo import load_demo
from core.measures.base import MEASURES
from core.reports.user_model import UserModel
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import list_rules, save_rule
from core.store.content.scales import get_scales
from core.store.events.frames import read_labels, read_runs
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.each import each
from tests.short import long

MODEL = UserModel(top=3, users=3, at_least=1, weighting="item", keep_lowest=False)
OWN = {"qrels-part": "Versions of your own"}
LABELS = "assessor\ttopic\tdocument\tengine\tfacet\tlevel\n" + "".join(
    f"{assessor}\tt1\td1\te1\tsnippet\t{snippet}\n{assessor}\tt1\td1\t\tpage\t{page}\n"
    for assessor, snippet, page in (("b1", 3, 3), ("b2", 3, 2), ("b3", 2, 2))
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    store = Store(tmp_path_factory.mktemp("demo") / "store.duckdb")
    yield Study(store, load_demo(store), is_masked=True)
    store.close()


@pytest.fixture(scope="module")
def choice(study):
    return list_choices(study, "page", MODEL)[BOTH_FACETS]


@pytest.fixture(scope="module")
def pairs(study) -> dict[tuple[str, str, str], list[tuple[int, int]]]:
    """The pairs of levels of each (topic, document, engine), joined label by label."""
    labels = read_labels(study.store, study.collection_id)
    labels = labels[(labels["state"] == "level") & (labels["occasion"] == 0)]
    page, found = {}, defaultdict(list)
    rows = list(labels.itertuples())
    for row in rows:
        if row.facet == "page":
            page[row.topic_id, row.document_id, row.assessor_id] = int(row.level)
    for row in rows:
        own = page.get((row.topic_id, row.document_id, row.assessor_id))
        if row.facet == "snippet" and own is not None:
            found[row.topic_id, row.document_id, row.engine].append((int(row.level), own))
    return found


@pytest.fixture(scope="module")
def expected(pairs) -> dict[tuple[str, str, str], float]:
    """The expected relevance of each result, counted pair by pair of assessors."""
    cases, tops = defaultdict(float), defaultdict(float)
    for given in pairs.values():
        for one, other in permutations(given, 2):
            share = 2 / (len(given) * (len(given) - 1))
            cases[one] += share
            tops[one] += share * (other == (3, 3))
    weights = {pair: 1 - (1 - tops[pair] / cases[pair]) ** 2 for pair in cases}
    weights |= {pair: 0.0 for pair in weights if pair[1] == 0} | {(3, 3): 1.0}
    return {item: np.mean([weights[pair] for pair in given]) for item, given in pairs.items()}


def test_levels_are_the_expected_relevance_of_results(study, choice, expected):
    version = version_of(study, choice)
    frame = version.frame
    assert choice.name == "snippet and page, 1 of 3"
    keys = list(zip(frame["topic_id"], frame["document_id"], frame["engine"], strict=True))
    assert frame["level"].tolist() == pytest.approx([expected[key] for key in keys], abs=1e-12)
    assert set(keys) == set(expected)
    assert len({document for _, document, _ in keys}) == version.n_documents < len(frame)
    assert version.unweighed == 0 < version.unpaired


def ndcg(gains, ideal, depth=10):
    discount = 1 / np.log2(np.arange(2, depth + 2))
    best = np.sort(ideal)[::-1][:depth]
    return gains[:depth] @ discount[: len(gains[:depth])] / (best @ discount[: len(best)])


def test_scores_are_those_of_a_recomputation(study, choice, expected):
    runs = read_runs(study.store, study.collection_id).sort_values("rank")
    best = defaultdict(dict)
    for (topic, document, _), level in expected.items():
        best[topic][document] = max(level, best[topic].get(document, 0.0))
    scores = scores_of(study, choice, ["nDCG@10", "CG@10"])
    found = scores.set_index(["system", "topic_id", "measure"])["value"]
    for (system, topic), listed in runs.groupby(["system", "topic_id"]):
        gains = [expected.get((topic, one, system), 0.0) for one in listed["document_id"]]
        wanted = ndcg(np.array(gains), np.array(list(best[topic].values())))
        assert found[system, topic, "nDCG@10"] == pytest.approx(wanted, abs=1e-12)
        assert found[system, topic, "CG@10"] == pytest.approx(sum(gains[:10]), abs=1e-12)
    assert len(found) == 2 * runs.groupby(["system", "topic_id"]).ngroups


@each("measure", [one for one in MEASURES if one.graded and not one.lack], ids=lambda m: m.name)
def test_every_graded_measure_takes_it(study, choice, measure):
    """The levels are chances, which a linear gain takes as they are."""
    value = measure(gain="linear", rel=1e-9) if measure.name == "RBP" else measure()
    scores = scores_of(study, choice, [str(value)])
    assert scores["value"].between(0, measure.upper_bound).all()
    means = scores.groupby("system")["value"].mean()
    assert means.idxmax() == "lantern"
    assert means.nunique() == 5


def test_err_stops_with_half_the_chance(study, choice, expected):
    """By hand: with the highest level 1, a document satisfies with level / (1 + 1)."""
    scores = scores_of(study, choice, ["ERR@5"]).set_index(["system", "topic_id"])["value"]
    runs = read_runs(study.store, study.collection_id).sort_values("rank")
    for (system, topic), listed in runs.groupby(["system", "topic_id"]):
        left, wanted = 1.0, 0.0
        for rank, document in enumerate(listed["document_id"][:5], start=1):
            stop = expected.get((topic, document, system), 0.0) / 2
            wanted, left = wanted + left * stop / rank, left * (1 - stop)
        assert scores[system, topic] == pytest.approx(wanted, abs=1e-12)


def test_a_list_shows_the_levels_of_its_own_engine(study, choice, expected):
    basis = ScoreBasis(choice, version_of(study, choice), rankings_of(study, choice))
    listed = list_answers(study, basis, "page", "chatter", "t01")
    wanted = [expected.get(("t01", one, "chatter"), np.nan) for one in listed["document_id"]]
    assert listed["level"].tolist() == pytest.approx(wanted, nan_ok=True)


@long
def test_an_earlier_event_brings_back_what_was(study):
    labels = read_labels(study.store, study.collection_id)
    whole = versions_at(study, "page", MODEL)[BOTH_FACETS].version
    half = versions_at(study, "page", MODEL, len(labels) // 2)[BOTH_FACETS].version
    assert half.n_labels < whole.n_labels
    assert half.content_hash != whole.content_hash
    assert half.last_sequence == len(labels) // 2


def test_either_facet_offers_the_same(study, choice):
    assert list_choices(study, "snippet", MODEL)[BOTH_FACETS] == choice


def texts(at) -> str:
    parts = [*at.markdown, *at.caption, *at.info, *at.warning]
    return "\n".join(part.value for part in parts).replace("\\", "")


@pytest.fixture
def both(store, filled) -> str:
    """The small collection, with three who judged a snippet of e1 and its page."""
    source = Source("labels.tsv", LABELS.encode())
    write_import(store, filled, read_import("labels", source, scales=get_scales(store, filled)))
    return filled


def test_it_is_offered_where_two_met_on_snippet_and_page(store, filled):
    assert BOTH_FACETS not in list_choices(Study(store, filled, is_masked=True), "page", MODEL)


def test_a_collection_of_pages_alone_does_not_offer_it(store):
    scales = {"page": get_scales(store, create_collection(store, "both"))["page"]}
    alone = create_collection(store, "pages", scales=scales)
    study = Study(store, alone, is_masked=True)
    assert list_choices(study, "page", MODEL) == {}
    assert versions_at(study, "page", MODEL, -1) == {}


@long
def test_the_scores_say_whose_snippets_were_not_judged(store, both, organiser, open_page):
    at = open_page("effectiveness", organiser, **{"version-page": BOTH_FACETS})
    assert not at.exception
    assert "Based on **snippet and page, 1 of 3**" in texts(at)
    assert "3 pairs of labels up to " in texts(at)
    assert (
        "the results of these systems, and they score as if they had found nothing: e2 and s1."
        in texts(at)
    )
    table = at.dataframe[0].value.set_index("system")
    assert table.loc["s1", "nDCG@10"] == 0 < table.loc["e1", "nDCG@10"]
    at = open_page("effectiveness", organiser, **{"version-page": "all, maximum"})
    assert "found nothing: e2" not in texts(at)


@long
def test_weights_are_not_weighed_again(store, both, organiser, open_page):
    chosen = {"version-page": BOTH_FACETS}
    at = open_page("effectiveness", organiser, **chosen, **{"scores-gain": "udm"})
    assert not at.exception
    assert "already UDM weights" in texts(at)
    at = open_page("effectiveness", organiser, **chosen)
    assert "already UDM weights" not in texts(at)


@long
@pytest.mark.parametrize("address", ["ranking", "comparison", "effectiveness"])
def test_the_pages_of_scores_take_it(store, organiser, open_page, address):
    load_demo(store)
    at = open_page(
        address,
        organiser,
        **{
            "version-page": BOTH_FACETS,
            "ranking-versions-page": [BOTH_FACETS, "all, maximum"],
        },
    )
    assert not at.exception
    assert not at.error


@long
def test_the_page_of_versions_counts_and_exports_it(store, both, organiser, open_page):
    at = open_page("qrels", organiser, **{"qrels-export": BOTH_FACETS})
    assert not at.exception
    row = at.dataframe[0].value.set_index("version").loc["snippet and page, 1 of 3"]
    assert (row["documents"], row["labels"], row["unpaired"], row["unweighed"]) == (1, 3, 0, 0)
    at.session_state["qrels-part"] = "Take away"
    at.run()
    assert "(times 1,000, to the nearest, halves up). They have no engines" in texts(at)


@long
def test_a_rule_of_both_can_be_saved(store, both, organiser, open_page):
    at = open_page("qrels", organiser, **OWN, **{"rule-combine": "combined", "rule-name": "mine"})
    assert "3 pairs of labels in 1 topic" in texts(at)
    at.button(key="rule-save").click().run()
    assert not at.exception
    rule = QrelsRule.from_json(list_rules(store, both)["mine"])
    choice = list_choices(Study(store, both, is_masked=True), "snippet", MODEL)[BOTH_FACETS]
    assert rule.pair_weights == choice.rule.pair_weights
    assert re.match(r"all topics, up to .* UTC \(label event 9\): snippet ", rule.weights_from)
    for facet in ("snippet", "page"):
        assert "mine" in list_choices(Study(store, both, is_masked=True), facet, MODEL)


@long
def test_without_weights_no_rule_comes_of_it(store, filled, organiser, open_page):
    at = open_page("qrels", organiser, **OWN, **{"rule-combine": "combined"})
    assert not at.exception
    assert "no two assessors have judged a snippet and its page" in texts(at)


@long
def test_labels_that_have_no_weight_or_page_are_told(store, both, organiser, open_page):
    rule = QrelsRule("few", combine="combined", pair_weights=[(3, 3, 1), (2, 2, 0.5)])
    save_rule(store, both, "few", rule.to_json())
    more = Source("more.tsv", (LABELS.splitlines()[0] + "\nb4\tt1\td1\te1\tsnippet\t1\n").encode())
    write_import(store, both, read_import("labels", more, scales=get_scales(store, both)))
    at = open_page("effectiveness", organiser, **{"version-page": "few"})
    assert not at.exception
    assert "gave the page no level: 1 snippet label." in texts(at)
    assert "so that they have no weight: 1 snippet label." in texts(at)


@long
def test_the_export_page_says_what_becomes_of_engines(store, both, organiser, open_page):
    at = open_page("export", organiser, **{"export-version-page": BOTH_FACETS})
    assert not at.exception
    assert "1 judged pair of topic and document from 3 pairs of labels" in texts(at)
    assert "the level of its best engine" in texts(at)
