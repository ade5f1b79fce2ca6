"""What the report of passages tells: how far people marked the same, or why that is not known."""

import pandas as pd
import pytest

from core.agreement.passages import F1
from core.reports.passages import PassageAgreement
from core.reports.report import stack_tables
from core.wording import drop_marks, plain_with_facts


def passages(*rows: tuple[str, str, int, int], characters: int = 40) -> pd.DataFrame:
    """Return passages; each row is topic, assessor, start, end."""
    frame = pd.DataFrame(rows, columns=["topic_id", "assessor_id", "start", "end"])
    return frame.assign(
        document_id="d1", facet="page", engine="", occasion=0, state="level", characters=characters
    )


TWO = passages(
    *(("t1", "ann", 0, 10), ("t1", "bob", 5, 15), ("t2", "ann", 0, 10), ("t2", "bob", 0, 10)),
    *(("t3", "ann", 0, 10), ("t3", "bob", 20, 30)),
)


def test_the_answer_tells_both_with_their_limits():
    found = PassageAgreement(TWO, "page")
    assert plain_with_facts(found.answer).startswith("Two assessors agree on **0\\.500** \\[")
    assert "(F1), over 3 topics and 3 items; beyond chance, α is 0." in drop_marks(found.answer)
    assert found.items[F1].tolist() == pytest.approx([0, 0.5, 1])
    assert found.notes == ()
    row = found.overall.iloc[0]
    assert found.describe_interval("overall", row)["of"].endswith("marked, over topics like these")


def test_without_limits_or_without_alpha_it_says_why():
    one = PassageAgreement(TWO[TWO["topic_id"] == "t1"], "page")
    assert "(no interval: " in one.answer
    whole = passages(("t1", "ann", 0, 40), ("t1", "bob", 0, 40), ("t2", "ann", 0, 40),
                     ("t2", "bob", 0, 40))  # fmt: skip
    assert PassageAgreement(whole, "page").answer.endswith(
        "α is not defined: every text is marked whole by everybody who marked it."
    )
    assert PassageAgreement(TWO, "snippet").answer == (
        "There is nothing to compare: no item has passages of two assessors."
    )
    assert PassageAgreement(TWO, "snippet").items.empty


def test_passages_of_another_text_are_counted_by_label():
    other = pd.concat(
        [TWO, passages(("t9", "ann", 0, 4), ("t9", "ann", 6, 8), ("t9", "bob", 1, 2), characters=0)]
    )
    told = "labels with passages in another version of the text, left out: 2"
    assert PassageAgreement(other, "page").notes == (told,)
    numbered = other.assign(sequence=range(len(other)))
    assert PassageAgreement(numbered, "page").unlike == 3
    pd.testing.assert_frame_equal(
        PassageAgreement(other, "page").overall, PassageAgreement(TWO, "page").overall
    )


def test_coefficients_are_written_for_people():
    found = PassageAgreement(TWO, "page")
    write = found.tables["overall"].columns["coefficient"].write
    assert write is not None
    assert [*map(write, found.overall["coefficient"])] == ["F1", "Krippendorff's α (nominal)"]
    assert set(stack_tables({one: found.table(one) for one in found.tables})["table"]) == {
        *("overall", "items"),
    }
