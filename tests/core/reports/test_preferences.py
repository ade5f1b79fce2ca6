"""What preferences say: which pairs are decided, what a note tells, and tables without rows."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.preference.transitivity import NO_TRIPLE
from core.reports.preferences import (
    LEVEL,
    NO_WEIGHT,
    UNCORRECTED,
    WEIGHT,
    PreferenceQuestion,
    Preferences,
)
from core.reports.report import stack_tables
from core.wording import drop_marks, plain_with_facts
from tests.core.preference.simulated import preferences, simulate
from tests.each import each

BY_ITSELF = "limits of strengths hold for each of the {} items by itself, not for all at once"

TESTED = "(exact sign test, p < 0.05 after Holm's correction for 2 pairs)"


def decided(won: int, lost: int, first: str = "a_", second: str = "b") -> pd.DataFrame:
    """Return one pair of documents, each preference by an assessor of its own."""
    choices = ["first"] * won + ["second"] * lost
    return preferences(
        *(("1", first, second, choice, f"x{at}") for at, choice in enumerate(choices))
    )


def several(number: int, kind: str = "documents") -> pd.DataFrame:
    """Return preferences by ten assessors, none of whom judges a pair twice."""
    said = simulate(number, 4, 5, np.random.default_rng(3), kind=kind)
    return said.drop_duplicates(["topic_id", "first", "second", "assessor_id"])


def test_the_clearest_pair_is_named_with_its_count():
    two = pd.concat([decided(9, 0), decided(0, 6, "a_", "c")], ignore_index=True)
    found = Preferences(two)
    assert found.tell_pairs("1") == found.answer.replace(", on topic 1", "")
    assert drop_marks(found.answer) == (
        f"Of 2 pairs of documents, 2 have a clear winner {TESTED}; the clearest, on topic 1: "
        "a_ over b, 9 to 0."
    )
    assert "**a\\_** over b, 9 to 0" in plain_with_facts(found.answer)
    assert "**b** over a\\_" in plain_with_facts(Preferences(decided(0, 9)).answer)


def test_alpha_is_part_of_the_question():
    said = drop_marks(Preferences(decided(6, 0), PreferenceQuestion(alpha=0.01)).answer)
    begun = "Of 1 pair of documents, none has a clear winner (exact sign test, p < 0.01"
    assert said.startswith(begun)
    assert drop_marks(Preferences(decided(6, 0)).answer).startswith(
        "Of 1 pair of documents, 1 has a clear winner"
    )


def test_systems_stand_beside_their_scores():
    found = Preferences(several(200, "systems"))
    order = found.strengths["item"].tolist()
    scores = pd.Series([0.9, 0.5, 0.5 + 1e-12], order[:3])
    beside = found.rank_beside(scores)
    assert beside["system"].tolist() == order
    assert beside["rank"].tolist() == [1, 2, 3, 4]
    assert beside["score"].tolist()[:2] == [0.9, 0.5]
    assert beside["rank_by_score"].tolist()[:3] == [1, 2, 2]
    assert beside[["score", "rank_by_score"]].iloc[3].isna().all()
    assert plain_with_facts(found.tell_beside(pd.Series([3.0, 2.0, 1.0], order[:3]), "AP")) == (
        r"Kendall's τ\-b between the order by preference and that by AP is **1\.000** over 3 "
        r"systems\."
    )
    assert "**−1\\.000**" in plain_with_facts(found.tell_beside(scores[:2] * -1, "AP"))
    said = found.tell_beside(scores[:1], "AP")
    assert said.endswith(" of the two orders is not defined: fewer than two systems have both.")
    with pytest.raises(BadInput, match="systems are ranked over topics"):
        Preferences(several(200)).rank_beside(scores)


def test_among_equal_systems_hardly_any_has_a_clear_winner():
    """Ten of them on 20 topics: 45 sign tests find one in most studies, the answer in few."""
    rng = np.random.default_rng(5)
    pairs = [(f"s{one}", f"s{two}") for one in range(10) for two in range(one + 1, 10)]
    said = alone = 0
    for _ in range(40):
        rows = [
            (str(topic), *pair, "first" if rng.random() < 0.5 else "second")
            for pair in pairs
            for topic in range(20)
        ]
        found = Preferences(preferences(*rows, kind="systems"))
        said += "Of 45 pairs of systems, none has" not in drop_marks(found.answer)
        alone += bool((found.outcomes["p"] < 0.05).any())
    assert said <= 5
    assert alone >= 25


def test_cycles_are_in_the_answer_where_triples_are_decided():
    circle = preferences(("1", "a", "b"), ("1", "b", "c"), ("1", "a", "c", "second"))
    found = Preferences(circle)
    assert drop_marks(found.answer).endswith(
        "1 of 1 triple with a majority on all three pairs is intransitive (100.0 %; choices at "
        "random would give 25 % on average)."
    )
    none = preferences(("1", "a", "b"), ("1", "b", "c"), ("1", "a", "c"))
    assert "0 of 1 triple with a majority on all three pairs is" in drop_marks(
        Preferences(none).answer
    )
    assert found.intransitive.iloc[0].tolist() == ["1", "a", "b", "c"]
    assert found.triples["share"].tolist() == [1.0]
    alone = Preferences(decided(2, 0))
    assert alone.tell_cycles() == ""
    assert alone.triples["reason"].tolist() == [NO_TRIPLE]


def test_notes_tell_what_is_missing_and_what_a_tie_is_worth():
    one = Preferences(preferences(("1", "a", "b"), ("1", "b", "c", "tie")))
    told = "agreement needs labels of two assessors; only x has given a level so far"
    assert one.no_agreement == told
    assert one.notes[0] == told
    assert "the data set no bound" in one.notes[1]
    assert UNCORRECTED in one.notes
    alone = Preferences(decided(1, 0))  # one pair, one assessor: each p is the only one
    assert UNCORRECTED not in alone.notes
    assert one.agreement.empty
    assert one.agreement_by_pair.empty
    found = Preferences(several(200, "systems"), PreferenceQuestion("davidson"))
    assert found.no_agreement == ""
    assert found.notes == [
        BY_ITSELF.format(4),
        UNCORRECTED,
        f"tie parameter of strengths: {found.fitted.tie_parameter:.3f}",
    ]
    assert set(found.agreement["coefficient"]) == {"raw", "kappa"}
    assert len(found.agreement_by_pair)


def test_strengths_are_the_strongest_first():
    found = Preferences(several(200))
    for _, own in found.strengths.groupby(["topic_id", "group"]):
        assert own["strength"].is_monotonic_decreasing
    assert len(found.strengths) == len(found.fitted.frame)


def test_every_table_stands_in_one_below_the_others():
    said = several(300, "systems")
    reasons = said.head(6).assign(reason=["new", "short"] * 3)
    found = Preferences(said, given_reasons=reasons)
    whole = stack_tables({name: found.table(name) for name in found.tables})
    of_documents = {"by_level", "by_weight", "slopes"}
    assert set(whole["table"]) >= {*found.tables} - {"intransitive"} - of_documents
    assert len(found.reasons) == whole["table"].value_counts()["reasons"]
    assert (whole.loc[whole["table"] == "outcomes_by_topic", "topic_id"] != "").all()
    assert Preferences(said).reasons.empty
    row = found.outcomes.iloc[0]
    assert found.describe_interval("outcomes", row)["of"].endswith("over topics like these")


def test_nothing_given_is_too_little_and_an_unknown_model_is_refused():
    with pytest.raises(TooLittleData, match="nobody has given a preference"):
        _ = Preferences(decided(1, 0).assign(state="cannot judge")).answer
    with pytest.raises(BadInput, match="is not a model"):
        _ = Preferences(decided(1, 0), PreferenceQuestion("elo")).strengths


def judged(levels: dict[str, float], facet: str = "page") -> pd.DataFrame:
    """Return the labels of one assessor on topics 1 and 2: levels of documents."""
    rows = [(topic, item, level) for topic in "12" for item, level in levels.items()]
    frame = pd.DataFrame(rows, columns=["topic_id", "document_id", "level"])
    return frame.assign(facet=facet, state="level", assessor_id="x", occasion=0)


def on_two_topics() -> pd.DataFrame:
    """Return preferences on topics 1 and 2: a over b three of four times, a and c alike."""
    choices = [("b", "first"), ("b", "first"), ("b", "tie"), ("b", "first"), ("c", "tie")]
    return preferences(
        *((topic, "a", other, choice, f"x{at}")
          for topic in "12" for at, (other, choice) in enumerate(choices))
    )  # fmt: skip


def test_preferences_are_set_against_levels_and_weights():
    """By hand: of 8 preferences between a and b 7 are for a, a tie a half, and log(7) is the slope
    for all of their difference."""
    labels = judged({"a": 2, "b": 0, "c": 2, "d": 1})
    asked = PreferenceQuestion(weights=((0, 0.0), (2, 0.5)))
    found = Preferences(on_two_topics(), asked, given_labels=labels)
    rows = found.by_level
    assert rows["name"].iloc[-1] == "1.6–2"
    assert rows.loc[0, ["n", "ties", "higher"]].tolist() == [2, 2, 0]
    assert rows["share"].iloc[-1] == 0.875
    assert found.slopes["of"].tolist() == [LEVEL, WEIGHT]
    slopes = found.slopes["value"]
    assert slopes.tolist() == pytest.approx([np.log(7) / 2, np.log(7) / 0.5])
    assert found.slopes["units"].tolist() == [2, 2]
    told = drop_marks(found.tell_slope())
    assert told.startswith(
        "The slope of the log odds of being preferred, for a unit of mean level, is 0.973 (no "
        "interval: every topic has the same slope, so"
    )
    given = on_two_topics()
    varied = given.assign(choice=given["choice"].where(given.index > 0, "tie"))
    apart = Preferences(varied, given_labels=judged({"a": 2, "b": 0}))
    assert "(95 % interval over topics [" in apart.tell_slope()
    assert found.by_weight["up_to"].max() == pytest.approx(0.5)
    row = found.slopes.iloc[0]
    assert found.describe_interval("slopes", row)["of"].endswith("over topics like these")


def test_what_levels_cannot_tell_is_said():
    given = on_two_topics()
    without = Preferences(given)
    assert (without.tell_slope(), without.no_levels, len(without.by_level)) == ("", "", 0)
    nobody = Preferences(given, given_labels=judged({}))
    assert (nobody.no_levels, nobody.notes) == ("", without.notes)
    other = Preferences(given, given_labels=judged({"a": 2, "b": 0}, "snippet"))
    assert other.no_levels == "no preference is between two items with a level"
    assert other.no_levels in other.notes
    assert other.slopes.empty
    unlike = PreferenceQuestion(weights=((7, 1.0),))  # no level has one
    weightless = Preferences(given, unlike, given_labels=judged({"a": 2, "b": 0}))
    assert weightless.no_levels == ""
    assert weightless.by_weight.empty
    assert weightless.no_weights == NO_WEIGHT
    assert NO_WEIGHT in weightless.notes
    assert Preferences(given, given_labels=judged({"a": 2, "b": 0})).no_weights == ""
    alike = Preferences(given, given_labels=judged({"a": 1, "b": 1}))
    assert alike.tell_slope().endswith("is not defined: no pair has a difference.")
    assert len(alike.by_level) == 1
    alone = given[given["topic_id"] == "1"]
    one = Preferences(alone, given_labels=judged({"a": 1, "b": 0}))
    assert "(no interval: all these preferences are of one topic;" in one.tell_slope()
    unknown = PreferenceQuestion(weights=((3, 1.0),))
    weighed = Preferences(given, unknown, given_labels=judged({"a": 1, "b": 0}))
    assert weighed.by_weight.empty
    assert len(weighed.by_level)
    assert Preferences(several(9, "systems"), given_labels=judged({"a": 1})).by_level.empty


def test_limits_of_three_strengths_or_more_are_said_to_be_each_items_own():
    many = Preferences(several(300))
    limited = many.strengths[np.isfinite(many.strengths["low"])]
    assert BY_ITSELF.format(len(limited)) in many.notes
    topic = limited["topic_id"].iloc[0]
    own = len(limited[limited["topic_id"] == topic])
    assert many.tell_by_itself(topic) == BY_ITSELF.format(own)
    # Of two items one is the other's opposite, and without limits there is nothing to say.
    two = Preferences(decided(6, 3))
    assert np.isfinite(two.strengths["low"]).all()
    unbounded = Preferences(preferences(("1", "a", "b"), ("1", "b", "c"), ("1", "a", "c")))
    assert np.isinf(unbounded.strengths["low"]).all()
    assert two.tell_by_itself() == unbounded.tell_by_itself() == many.tell_by_itself("no") == ""


def test_everybody_and_notes_are_written_short():
    who, note = (
        Preferences.tables[table].columns[name].write
        for table, name in (("sides", "assessor_id"), ("strengths", "note"))
    )
    assert who is not None
    assert note is not None
    assert [who(""), who("ann"), note(""), note("some items …")] == ["(all)", "ann", "", "*"]


def test_pairs_that_are_as_clear_are_counted_beside_the_first():
    rows = [(str(topic), *pair) for pair in (("a", "b"), ("c", "d")) for topic in range(9)]
    told = drop_marks(Preferences(preferences(*rows, kind="systems")).tell_pairs())
    assert told.endswith("the clearest: a over b, 9 to 0, and 1 more as clear.")


@each(
    ("topics", "said"),
    [
        (1, "; with at most 1 topic a pair, none could have."),
        (6, "; with at most 6 topics a pair, none could have."),
        (7, "after Holm's correction for 2 pairs)."),
    ],
)
def test_where_no_pair_could_have_a_clear_winner_that_is_said(topics, said):
    """Two pairs without a loss have p = 2 · 2 / 2 ** n after Holm's correction."""
    rows = [
        (str(topic), *pair, "first" if topic % 2 else "second")
        for pair in (("a", "b"), ("c", "d"))
        for topic in range(topics)
    ]
    told = drop_marks(Preferences(preferences(*rows, kind="systems")).tell_pairs())
    assert told.endswith(said)


@each("alpha", [0, 1, 3])
def test_an_alpha_that_is_none_is_refused(alpha):
    with pytest.raises(BadInput, match="between 0 and 1"):
        PreferenceQuestion(alpha=alpha)
