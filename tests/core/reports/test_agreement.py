"""Differences of agreement: counted before they are made, and refused where nobody reads them."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.agreement.base import name_coefficient
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput, TooLittleData
from core.numerals import write_limits, write_number
from core.reports import agreement
from core.reports.agreement import (
    LINEAR,
    Agreement,
    AgreementQuestion,
    FacetLabels,
    read_facet,
)
from core.reports.report import stack_tables
from core.wording import drop_marks, plain, plain_with_facts


@pytest.fixture
def four() -> Agreement:
    """Four assessors who have judged the same twelve items of three topics."""
    rows = [
        (f"a{person}", f"t{item % 3}", f"d{item}", (item * (person + 2)) % 3)
        for person in range(4)
        for item in range(12)
    ]
    labels = pd.DataFrame(rows, columns=["assessor_id", "topic_id", "document_id", "level"])
    labels = labels.assign(facet="page", state="level", engine="", occasion=0)
    return Agreement(FacetLabels("page", ratings_from_labels(labels, "page", [0, 1, 2])))


def grouped(found: Agreement) -> Agreement:
    """Return the same with each assessor in a group of one's own."""
    return Agreement(replace(found.labels, groups={name: name for name in found.ratings.assessors}))


def test_their_number_is_known_before(four):
    assert four.count_differences() == len(four.differences) == 15
    groups = grouped(four)
    assert groups.count_differences() == len(groups.differences) == 15


def test_differences_are_of_what_is_asked_for(four):
    asked = AgreementQuestion(("kappa", "raw"))
    found = replace(four, question=asked)
    of_pairs = found.pairs.set_index(["first", "second", "coefficient"])["value"]
    for row in found.differences.to_dict("records"):
        first, second = (
            of_pairs[*row[name].split(" × "), row["coefficient"]] for name in ("first", "second")
        )
        assert row["difference"] == pytest.approx(first - second, abs=1e-12)
    assert found.differences["coefficient"].tolist() == ["kappa", "raw"] * 15
    with pytest.raises(BadInput, match="differences are of coefficients of two"):
        _ = replace(four, question=AgreementQuestion(("alpha(ordinal)",))).differences


def test_too_many_are_refused_with_their_number(four, monkeypatch):
    monkeypatch.setattr(agreement, "MOST_DIFFERENCES", 14)
    with pytest.raises(
        BadInput, match=r"two of 6 pairs of assessors are 15 .* at most 14 .* the a"
    ):
        four.table("differences")
    with pytest.raises(BadInput, match=r"two of 6 pairs of groups are 15 .*; have fewer groups"):
        grouped(four).table("differences")


def judged(*people: str, topics: int = 3, items: int = 12) -> pd.DataFrame:
    """Return labels of people, each of whose names is the levels that they give in turn."""
    rows = [
        (who, f"t{item % topics}", f"d{item}", int(who[item % len(who)]))
        for who in people
        for item in range(items)
    ]
    labels = pd.DataFrame(rows, columns=["assessor_id", "topic_id", "document_id", "level"])
    return labels.assign(facet="page", state="level", engine="", occasion=0)


def tell(labels: pd.DataFrame, names: dict[str, str] | None = None) -> str:
    own = read_facet(labels, "page", [0, 1, 2])
    return Agreement(replace(own, names=names or {})).answer


def test_the_answer_has_its_limits_and_its_ends():
    labels = judged("01212", "01211", "20120")
    row = Agreement(read_facet(labels, "page", [0, 1, 2])).measure([LINEAR]).iloc[0]
    pairs = Agreement(read_facet(labels, "page", [0, 1, 2])).by_pair([LINEAR])
    ends = pairs.set_index(["first", "second"])["value"]
    least, most = ends.idxmin(), ends.idxmax()
    names = {"01212": "Ann", "01211": "Bob", "20120": "C*"}
    said = tell(labels, names)
    assert drop_marks(said) == (
        f"Linear weighted κ is {write_number(row['value'])} "
        f"{write_limits(row['low'], row['high'])} over 3 topics and 36 common items. Of 3 pairs, "
        f"the lowest has {write_number(ends.min())} ({names[least[0]]} and {names[least[1]]}), the "
        f"highest {write_number(ends.max())} ({names[most[0]]} and {names[most[1]]})."
    )
    fact = plain(write_number(row["value"]))
    assert f"is **{fact}** " in plain_with_facts(said)
    assert r"C\*" in plain_with_facts(said)


def test_few_common_items_name_no_pair():
    said = tell(judged("01212", "01211", "20120", items=9))
    assert said.endswith("over 3 topics and 27 common items.")


def test_the_answer_says_why_it_has_no_limits_or_no_value():
    assert "(no interval: all common items belong to one topic" in tell(
        judged("01", "11", topics=1)
    )
    assert tell(judged("1", "11")).startswith("Linear weighted κ is not defined: both ")


ASKED = ("kappa", "pi(linear)", "raw", "alpha(ordinal)", "AC1", "fleiss")


@pytest.mark.parametrize("asked", ASKED)
def test_the_answer_tells_what_is_asked_first(asked):
    labels = judged("01212", "01211", "20120")
    found = Agreement(
        read_facet(labels, "page", [0, 1, 2]), AgreementQuestion((asked, "kappa(linear)"))
    )
    row, several = found.overall.iloc[0], found.overall["n"].iloc[0] == 12
    own = found.pairs[found.pairs["coefficient"] == row["coefficient"]]["value"]
    said = drop_marks(found.answer)
    n = "12 items of several assessors" if several else "36 common items"
    name = name_coefficient(row["coefficient"])
    assert said.startswith(
        f"{name[:1].upper() if name[0] != 'κ' else 'κ'}{name[1:]} is {write_number(row['value'])} "
        f"{write_limits(row['low'], row['high'])} over 3 topics and {n}. Of 3 pairs, the lowest "
        f"has {write_number(own.min())} ("
    )
    assert f"the highest {write_number(own.max())} (" in said


def test_the_answer_tells_topics_by_what_is_asked_where_0_is_chance():
    labels = judged("01212", "01211", "20120", items=60)

    def ask(*asked: str) -> Agreement:
        return Agreement(read_facet(labels, "page", [0, 1, 2]), AgreementQuestion(asked))

    values = ask("alpha(ordinal)").topics["value"]
    told = f"By topic and pair it is {write_number(values.mean())} on average, from "
    assert told in ask("alpha(ordinal)", "kappa").answer
    assert told not in ask().answer
    assert "By topic" not in ask("raw").answer


def test_the_answer_of_a_coefficient_by_rank_has_no_pairs():
    labels = judged("01212", "01211", "20120")
    runs = labels[["topic_id", "document_id"]].drop_duplicates().assign(system="s")
    runs["rank"] = runs.groupby("topic_id").cumcount() + 1
    own = read_facet(labels, "page", [0, 1, 2], runs)
    said = drop_marks(Agreement(own, AgreementQuestion(("alpha(ordinal, p=0.8)",))).answer)
    assert said.startswith("Rank-biased α (ordinal, p = 0.8) is ")
    assert said.endswith(" over 3 topics and 12 items of several assessors.")


def test_what_groups_and_differences_lack_is_said(four):
    def left_out(found: Agreement) -> list[str]:
        return [note for note in found.notes if "groups and differences" in note]

    asked = AgreementQuestion(("kappa", "alpha(ordinal)", "alpha(nominal)", "AC1"))
    for found in (replace(four, question=asked), replace(grouped(four), question=asked)):
        assert set(found.differences["coefficient"]) == {"kappa"}
        (note,) = left_out(found)
        assert ": Krippendorff's α and AC1 do not add up over pairs of assessors" in note
    assert "alpha(ordinal)" in set(grouped(four).overall["coefficient"])
    assert "alpha(ordinal)" not in set(grouped(four).groups["coefficient"])
    (note,) = left_out(grouped(four))
    assert "Krippendorff's α" in note
    assert left_out(four) == [], "without groups, and without a word on coefficients"
    for alone in (("kappa", "raw"), ("alpha(ordinal)",)):
        assert left_out(replace(grouped(four), question=AgreementQuestion(alone))) == []


def test_a_table_that_is_not_there_is_refused_by_name(four):
    with pytest.raises(BadInput, match="'pair' is no table of agreement; known are overall, pairs"):
        four.table("pair")


def test_each_interval_says_what_it_is_of(four):
    said = {
        name: {four.describe_interval(name, row)["of"] for row in table.to_dict("records")}
        for name in four.tables
        if len(table := four.table(name))
    }
    assert said == {
        "overall": {"agreement of all assessors, over topics like these"},
        "pairs": {"agreement of these two assessors, over topics like these"},
        "topics": {"agreement of these two assessors on this topic, over items like these"},
        "differences": {"difference in agreement of the two, over topics like these"},
    }


def test_tables_below_each_other_are_data(four):
    stacked = stack_tables({name: four.table(name) for name in ("overall", "pairs", "groups")})
    assert stacked["table"].unique().tolist() == ["overall", "pairs"]
    written = pd.read_csv(io.StringIO(stacked.to_csv(index=False)))
    own = written[written["table"] == "pairs"].reset_index(drop=True)
    np.testing.assert_array_equal(own["value"], four.pairs["value"])
    np.testing.assert_array_equal(own["low"], four.pairs["low"])


def test_a_refusal_names_the_only_assessor_as_the_answer_does():
    alone = replace(read_facet(judged("01212"), "page", [0, 1, 2]), names={"01212": "Ann"})
    with pytest.raises(TooLittleData, match="only Ann has given a level so far"):
        _ = Agreement(alone).overall
    by_round = replace(alone, by_round=lambda: {"first": alone.ratings})
    assert Agreement(by_round).rounds["reason"].str.contains("only Ann has").all()
    with pytest.raises(TooLittleData, match="only 01212 has"):
        _ = Agreement(replace(alone, names={})).overall


def read(rows: list[tuple[str, str, str, int]]) -> Agreement:
    labels = pd.DataFrame(rows, columns=["topic_id", "document_id", "assessor_id", "level"])
    labels = labels.assign(facet="page", engine="", occasion=0, state="level", source="judged")
    return Agreement(read_facet(labels, "page", (0, 1, 2, 3)))


def of_two(topic: str, items: int, agreed: int, names: str = "ab") -> list[tuple]:
    """Return the labels of two people who agree on so many items, and differ by 2 on the others."""
    return [
        (topic, f"d{at}", name, (at % 4) if at < agreed or not who else (at + 2) % 4)
        for at in range(items)
        for who, name in enumerate(names)
    ]


def test_a_topic_that_was_read_differently_is_named_and_where_none_was_nothing_is_said():
    alike = [row for at in range(9) for row in of_two(f"t{at}", 20, 17 + at % 3)]
    turned = [
        ("odd", f"d{at}", "ab"[who], (at % 4, 3 - at % 4)[who])
        for at in range(20)
        for who in (0, 1)
    ]
    assert read(alike).notes == ()
    (note,) = read([*alike, *turned]).notes
    assert note.startswith("on topic odd assessors are not shown to agree beyond chance")
    assert "see whether somebody read it differently" in note


def test_large_topics_that_agree_less_are_a_note():
    sizes = (12, 16, 20, 28, 40, 60, 90, 140)
    shares = (1.0, 0.95, 0.9, 0.84, 0.76, 0.7, 0.62, 0.55)
    less = [
        row for n, s in zip(sizes, shares, strict=True) for row in of_two(f"t{n}", n, round(n * s))
    ]
    more = [
        row
        for n, s in zip(sizes, reversed(shares), strict=True)
        for row in of_two(f"t{n}", n, round(n * s))
    ]
    (note,) = read(less).notes
    assert note.startswith("topics with more items agree less")
    assert read(more).notes == ()


def test_pairs_that_share_few_topics_are_a_note():
    pairs = [of_two(f"t{at}", 20, 17 + at % 3, ("ab", "cd", "ef")[at % 3]) for at in range(9)]
    (note,) = read([row for one in pairs for row in one]).notes
    assert note.startswith("two assessors share 3.0 topics on average")
    pairs = [of_two(f"t{at}", 20, 17 + at % 3, ("ab", "cd")[at % 2]) for at in range(12)]
    assert read([row for one in pairs for row in one]).notes == ()


def test_an_interval_is_one_that_is_known():
    with pytest.raises(BadInput, match="'hand' is none of jackknife, bootstrap, analytic, fl"):
        AgreementQuestion(interval="hand")
