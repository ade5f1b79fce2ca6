import pandas as pd
import pytest

from core.disagreement.combined import combined_ratings
from core.disagreement.missed_pages import find_missed_pages, missed_pages_by_engine
from core.errors import BadInput
from tests.core.agreement.leaving_out import limits_of_share


@pytest.fixture(scope="session")
def combined(make_labels):
    # Topic, document, engine, assessor, snippet level; then the page's level by assessor.
    snippets = [
        ("t", "d", "e1", "a", 0),
        ("t", "d", "e1", "b", 2),
        ("t", "d", "e2", "a", 2),
        ("u", "d", "e1", "a", 1),
        ("u", "f", "e1", "a", 0),
        ("u", "g", "e2", "a", 2),
    ]
    pages = [("t", "d", "a", 3), ("t", "d", "b", 3), ("u", "d", "a", 3), ("u", "f", "a", 1)]
    above = make_labels([(t, d, name, level) for t, d, _, name, level in snippets])
    above = above.assign(facet="snippet", engine=[row[2] for row in snippets])
    labels = pd.concat([above, make_labels(pages)], ignore_index=True)
    return combined_ratings(labels, (0, 1, 2), (0, 1, 3))


def test_top_pages_behind_poor_snippets_are_listed(combined):
    found = find_missed_pages(combined)
    assert found.to_numpy().tolist() == [
        ["t", "d", "e1", "a", 0, 3, True],
        ["t", "d", "e1", "b", 2, 3, False],
        ["t", "d", "e2", "a", 2, 3, False],
        ["u", "d", "e1", "a", 1, 3, True],
    ]
    names = "topic_id document_id engine assessor_id snippet page lost"
    assert " ".join(found.columns) == names
    assert find_missed_pages(combined, below=1)["lost"].tolist() == [True, False, False, False]
    assert len(find_missed_pages(combined, top=1)) == 5


def test_shares_by_engine(combined):
    table = missed_pages_by_engine(find_missed_pages(combined))
    assert table["engine"].tolist() == ["e1", "e2"]
    assert table[["top_pages", "lost"]].to_numpy().tolist() == [[3, 2], [1, 0]]
    assert table["share"].tolist() == [2 / 3, 0]
    # Of e1's topics, t loses one of two and u its only one: without t 1, without u 1/2.
    limits = limits_of_share(2 / 3, [1, 0.5], [2, 1])
    assert table.loc[0, ["low", "high"]].tolist() == pytest.approx(limits)
    assert table[["low", "high"]].isna().all(axis=1).tolist() == [False, True]
    assert table["reason"].tolist() == ["", "all top pages belong to one topic"]


def test_no_top_page_gives_no_row(combined, make_labels):
    empty = combined_ratings(make_labels([]))
    assert missed_pages_by_engine(find_missed_pages(empty)).empty
    assert find_missed_pages(empty).empty


def test_grades_off_their_scales_are_refused(combined):
    with pytest.raises(BadInput, match="2 is not a level of the scale 0, 1, 3"):
        find_missed_pages(combined, top=2)
    with pytest.raises(BadInput, match="field 'below'"):
        find_missed_pages(combined, below=3)
