import numpy as np
import pandas as pd
import pytest

from core.disagreement.repeated_labels import code_repeated_labels, mark_top
from core.errors import BadInput


def test_repeats_stay_and_labels_are_sorted_by_item_and_person(make_labels):
    labels = make_labels(
        [("u", "d", "b", 2), ("t", "d", "b", 1), ("u", "d", "a", 0), ("u", "d", "b", 0)]
    )
    labels["occasion"] = [0, 0, 0, 1]
    coded = code_repeated_labels(labels, "page", (0, 1, 2))
    assert coded.item.tolist() == [0, 1, 1, 1]
    assert coded.person.tolist() == [0, 0, 0, 1]
    assert coded.level.tolist() == [1, 2, 0, 0]
    assert coded.levels == (0, 1, 2)


def test_other_facets_and_states_are_left_out(make_labels):
    labels = make_labels([("t", "d", name, 1) for name in "abc"])
    labels["facet"] = ["page", "snippet", "page"]
    labels["state"] = ["level", "level", "later"]
    assert len(code_repeated_labels(labels, "page").item) == 1
    assert len(code_repeated_labels(labels.iloc[:0], "page").item) == 0


def test_by_document_gold_counts_once_and_in_the_first_topic_only(make_labels):
    rows = [(topic, "d", name, 1) for topic in "tu" for name in ("a", "gold")]
    rows += [("t", "e", "a", 1), ("u", "e", "gold", 0)]
    labels = make_labels(rows).sample(frac=1, random_state=1)
    by_topic = code_repeated_labels(labels, "page")
    by_document = code_repeated_labels(labels, "page", group_by="document")
    assert np.bincount(by_topic.item).tolist() == [2, 1, 2, 1]
    assert np.bincount(by_document.item).tolist() == [3, 1]
    everyone = code_repeated_labels(labels, "page", group_by="document", once=())
    assert np.bincount(everyone.item).tolist() == [4, 2]


def test_rf10_has_the_items_of_the_paper(rf10_labels):
    # Demeester et al. (2014), section 3.1.1: 2,738 results with six labels or more.
    coded = code_repeated_labels(rf10_labels, "page", group_by="document")
    assert np.count_nonzero(np.bincount(coded.item) >= 6) == 2738


def test_rf10_crowd_and_gold_agree_as_often_as_the_paper_says(shared_data):
    # Section 3.2: 39 % of the crowd's labels, among them broken links, equal the gold label.
    table = pd.read_csv(shared_data / "rf10" / "labels.tsv.gz", sep="\t", dtype={"topicID": str})
    known = table[table["gold"] >= 0]
    assert (known["label"] == known["gold"]).mean() == pytest.approx(0.39, abs=0.005)


def test_what_does_not_fit_is_refused(make_labels):
    labels = make_labels([("t", "d", "a", 1)])
    with pytest.raises(BadInput, match="'topics' is no grouping; known are topic, document"):
        code_repeated_labels(labels, "page", group_by="topics")
    with pytest.raises(BadInput, match="1 is not a level of the scale 0, 2"):
        code_repeated_labels(labels, "page", (0, 2))
    with pytest.raises(BadInput, match="field 'assessor_id'"):
        code_repeated_labels(labels.assign(assessor_id=pd.NA), "page")
    with pytest.raises(BadInput, match="3 is not a level"):
        mark_top((0, 1), 3)
