"""Whom users prefer of two runs: by simulation, by a log, and beside nDCG on real runs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.collection.click_logs.interleaving_log import TEAMS, LoggedList
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, TooLittleData
from core.interleaving.base import METHODS, parse_method
from core.interleaving.outcomes import InterleavedComparison
from core.interleaving.pairs import pair_rankings
from core.interleaving.users import USERS, parse_user
from core.measures.catalogue import parse_measure
from core.reports.interleaving import (
    Interleaving,
    compare_with_measure,
    count_agreement,
    make_traffic,
    read_preference,
    simulate_preference,
    tell_agreement,
)
from core.versions.judgements import put_on_scale
from core.wording import drop_marks, plain_with_facts
from tests.each import each
from tests.short import long

NAMES = ("good", "poor")


def make_study(topics: int = 8, documents: int = 15) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return two runs, 'good' and 'poor', and judgements of levels 0 to 2."""
    rng = np.random.default_rng(2)
    runs, qrels = [], []
    for topic in range(topics):
        useful = rng.integers(0, 3, size=documents)
        for name, noise in zip(NAMES, (0.3, 2.0), strict=True):
            order = np.argsort(noise * rng.normal(size=documents) - useful)
            runs += [(name, f"t{topic}", f"d{at}", rank) for rank, at in enumerate(order, start=1)]
        qrels += [(f"t{topic}", "0", f"d{at}", int(level)) for at, level in enumerate(useful)]
    return (
        pd.DataFrame(runs, columns=["system", "topic_id", "document_id", "rank"]),
        pd.DataFrame(qrels, columns=["topic_id", "iteration", "document_id", "level"]),
    )


def split(runs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    one, other = (runs[runs["system"] == name] for name in NAMES)
    return one, other


@long
@each("text", METHODS.suggested())
@each("user", USERS.names())
def test_simulated_users_prefer_the_good_run(text: str, user: str):
    runs, qrels = make_study()
    traffic, notes = make_traffic(*split(runs), put_on_scale(qrels), parse_user(user))
    found = simulate_preference(traffic, NAMES, parse_method(text), impressions=2_000)
    assert (found.first, found.second, found.method, found.topics) == (*NAMES, text, 8)
    assert found.comparison.low > 0
    assert notes == ()
    assert (found.random_clicks != 0) == (text == "balanced")
    again = simulate_preference(traffic, NAMES, parse_method(text), impressions=2_000)
    assert again.comparison == found.comparison


def test_topics_that_cannot_count_are_told():
    runs, qrels = make_study()
    one, other = split(runs)
    qrels = qrels[qrels["topic_id"] != "t0"]
    traffic, notes = make_traffic(
        one, other[other["topic_id"] != "t1"], put_on_scale(qrels), parse_user("perfect")
    )
    assert len(traffic.pairs) == 6
    assert notes == (
        "topics of both runs without a judgement, left out: 1",
        "judged topics that a run does not answer, left out: 1",
    )


def test_levels_are_shares_of_the_highest_and_none_is_below_nothing():
    runs, qrels = make_study(topics=1, documents=3)
    qrels["level"] = [-2, 1, 2]
    traffic, _ = make_traffic(*split(runs), put_on_scale(qrels, 4), parse_user("perfect"))
    found = dict(zip(traffic.pairs[0].documents, traffic.relevance[0].tolist(), strict=True))
    assert found == {"d0": 0, "d1": 0.25, "d2": 0.5}


@each(
    ("change", "reason"),
    [({"level": 0}, "no document is judged relevant"), ({"topic_id": "x"}, "no judged topic")],
)
def test_without_anything_to_click_nobody_is_simulated(change: dict, reason: str):
    runs, qrels = make_study()
    with pytest.raises(TooLittleData, match=reason):
        make_traffic(*split(runs), put_on_scale(qrels.assign(**change)), parse_user("perfect"))


def log_of(runs: pd.DataFrame, qrels: pd.DataFrame, text: str, number: int) -> list[LoggedList]:
    """Return lists that simulated users clicked, as a log has them; two to a session."""
    method, rng = parse_method(text), np.random.default_rng(9)
    levels = qrels.set_index(["topic_id", "document_id"])["level"] / 2
    lists = []
    for pair in pair_rankings(*split(runs)):
        mixed = method.mix(pair, rng, 6, number)
        relevance = np.array([levels[pair.topic, one] for one in pair.documents])
        clicked = parse_user("navigational").click(relevance[mixed.document], rng)
        for row in range(number):
            teams = tuple(TEAMS[one] for one in mixed.team[row]) if method.needs_teams else ()
            shown = tuple(pair.documents[at] for at in mixed.document[row])
            session = f"{pair.topic}-{row // 2}"
            clicks = tuple(clicked[row].tolist())
            lists.append(LoggedList(session, pair.topic, shown, teams, clicks, len(lists) + 1))
    return lists


@each("text", METHODS.suggested())
def test_a_log_says_what_its_users_prefer(text: str):
    runs, qrels = make_study()
    lists = log_of(runs, qrels, text, 60)
    found = read_preference(lists, *split(runs), NAMES, parse_method(text))
    assert (found.comparison.impressions, found.comparison.sessions) == (480, 240)
    assert found.comparison.low > 0
    assert found.comparison.p < 0.01


def test_lists_of_different_lengths_are_laid_out():
    runs, qrels = make_study()
    lists = log_of(runs, qrels, "team-draft", 12)
    short = [
        LoggedList(one.session, one.topic_id, one.documents[:3], one.teams[:3],
                   one.clicked[:3], one.line) if at % 2 else one
        for at, one in enumerate(lists)
    ]  # fmt: skip
    method = parse_method("team-draft")
    found = read_preference(short, *split(runs), NAMES, method)
    assert found.comparison.impressions == len(lists)


def test_a_log_of_other_runs_is_refused_by_line():
    runs, qrels = make_study()
    (one, *_), method = log_of(runs, qrels, "team-draft", 1), parse_method("team-draft")

    def refuse(changed: LoggedList, match: str) -> None:
        with pytest.raises(BadInput, match=match) as refused:
            read_preference([changed], *split(runs), NAMES, method, file="clicks.tsv")
        assert (refused.value.file, refused.value.line) == ("clicks.tsv", 1)

    shown = ("x", *one.documents[1:])
    refuse(LoggedList("s", "t0", shown, one.teams, one.clicked, 1), "the (first|second) run does")
    nobody = ("", *one.teams[1:])
    refuse(LoggedList("s", "t0", shown, nobody, one.clicked, 1), "neither run returns")
    refuse(LoggedList("s", "t9", shown, one.teams, one.clicked, 1), "not answered by both runs")
    without = LoggedList("s", "t0", one.documents, (), one.clicked, 1)
    with pytest.raises(BadInput, match="needs to know which run"):
        read_preference([without], *split(runs), NAMES, method)


def test_delta_stands_beside_the_difference_of_scores():
    runs, qrels = make_study()
    told: list[float] = []
    pairs = compare_with_measure(
        runs, put_on_scale(qrels), parse_measure("nDCG@10"), parse_method("team-draft"),
        parse_user("perfect"),
        progress=told.append,
    )  # fmt: skip
    assert told == [1]
    row = pairs.iloc[0]
    assert (row["first"], row["second"], row["agrees"]) == (*NAMES, "same sign")
    assert row["difference"] > 0
    assert row["low"] < row["delta"] < row["high"]
    counted = count_agreement(pairs)
    assert counted == {"pairs": 1, "significant": 1, "same_sign": 1, "opposed": 0}


def test_where_less_is_better_the_lower_stands_first():
    runs, qrels = make_study()
    qrels["level"] = 2 - qrels["level"]
    pairs = compare_with_measure(
        runs,
        put_on_scale(qrels),
        parse_measure("nDCG@10"),
        parse_method("balanced"),
        parse_user("perfect"),
    )
    assert pairs.iloc[0]["first"] == "poor"


def test_alike_runs_have_no_sign_and_opposed_ones_are_counted():
    runs, qrels = make_study()
    one, _ = split(runs)
    alike = pd.concat([one, one.assign(system="same")])
    pairs = compare_with_measure(
        alike,
        put_on_scale(qrels),
        parse_measure("nDCG@10"),
        parse_method("balanced"),
        parse_user("perfect"),
    )
    assert pairs["agrees"].tolist() == ["no sign"]
    opposed = pd.DataFrame({"p": [0.01, 0.01], "p_interleaving": [0.01, 0.5]})
    counted = count_agreement(opposed.assign(agrees="other sign"))
    assert counted == {"pairs": 2, "significant": 2, "same_sign": 0, "opposed": 1}


@long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("data", ["trec2", "dl19"])
@pytest.mark.parametrize("user", ["navigational", "perfect"])
def test_signs_agree_where_ndcg_differs_significantly(
    data: str, user: str, shared_data, record_property
):
    """Real runs under their judgements: 1,000 lists a pair, pairs spread over the differences."""
    folder = shared_data / data
    # Some runs of TREC-2 have documents twice in a topic.
    paths = sorted(one for one in (folder / "runs").iterdir() if "UREKA" not in one.name)[::3]
    runs = read_import("runs", [Source.at(path) for path in paths]).frames["runs"]
    qrels = _read_qrels(folder)
    pairs = compare_with_measure(
        runs,
        put_on_scale(qrels),
        parse_measure("nDCG@10"),
        parse_method("team-draft"),
        parse_user(user),
        impressions=1_000,
        most=40,
    )
    counted = count_agreement(pairs)
    record_property("counts", f"{data}, {user}: {counted}")
    assert counted["significant"] >= 3
    assert counted["opposed"] == 0
    assert counted["same_sign"] == counted["significant"]


def _read_qrels(folder) -> pd.DataFrame:
    if (folder / "adhoc.qrels.gz").exists():
        return read_import("qrels", [Source.at(folder / "adhoc.qrels.gz")]).frames["qrels"]
    labels = pd.read_csv(folder / "labels.tsv", sep="\t", dtype=str)
    columns = {"topic": "topic_id", "document": "document_id"}
    levels = labels.rename(columns=columns).astype({"level": "int64"})
    means = levels.groupby(["topic_id", "document_id"], as_index=False)["level"].min()
    return means.assign(iteration="0")


def outcome(delta: float, p: float, **more: object) -> Interleaving:
    """Return what was found of two runs with this Δ and p."""
    numbers = dict.fromkeys(("first_wins", "second_wins", "ties"), 1.0)
    won = (8, 4) if delta > 0 else (4, 8)
    found = InterleavedComparison(
        **numbers, without_clicks=0, impressions=12, sessions=12, sessions_first=won[0],
        sessions_second=won[1], delta=delta, low=-0.1, high=0.3, p=p, p_ties_half=p, p_bootstrap=p,
        reason="",
    )  # fmt: skip
    return Interleaving("a*", "b", "team-draft", found, 3, **{"random_clicks": 0.0, **more})


@each(
    ("found", "says"),
    [
        (
            outcome(0.2, 0.01, user="navigational"),
            r"Simulated navigational users prefer **a\*** to **b** \(Δ = **\+0\.200** "
            r"\[−0\.100, 0\.300\], 12 lists, p = 0\.010\)\.",
        ),
        (outcome(-0.2, 0.01), r"Users prefer **b** to **a\***"),
        (outcome(0.2, 0.3), r"Users are not shown to prefer **a\*** or **b**"),
        (outcome(0.0, np.nan), r"Users show no preference\: every session is a tie"),
        (
            outcome(0.2, 0.3, user="PBM", log="log.tsv"),
            r"Simulated users who click as PBM says, fitted to log\.tsv are not shown",
        ),
    ],
)
def test_the_answer_says_whom_users_prefer_and_how_sure_that_is(found, says):
    assert plain_with_facts(found.answer).startswith(says)


def test_users_of_nobody_s_name_are_simulated_all_the_same():
    runs, qrels = make_study()
    traffic, _ = make_traffic(*split(runs), put_on_scale(qrels), parse_user("perfect"))
    found = simulate_preference(traffic, NAMES, parse_method("team-draft"), impressions=20)
    assert found.answer.startswith("Simulated users ")


def test_whom_the_method_itself_favours_is_noted_after_what_was_left_out():
    left = ("2 topics",)
    assert outcome(0.1, 0.5, left_out=left).notes == left
    one, other = (outcome(0.1, 0.5, left_out=left, random_clicks=at) for at in (0.01, -0.01))
    assert one.notes[0] == other.notes[0] == "2 topics"
    assert "team-draft interleaving favours a* by itself" in one.notes[1]
    assert "favours b by itself" in other.notes[1]


def test_the_table_has_one_row_and_says_what_its_limits_are_of():
    found = outcome(0.1, 0.5)
    (row,) = found.preference.to_dict("records")
    assert (row["user"], row["first"], row["units"]) == ("the log", "a*", 12)
    assert found.describe_interval("preference", row)["of"].endswith("over sessions like these")


def test_one_list_is_one():
    found = outcome(0.5, 0.01)
    one = replace(found, comparison=replace(found.comparison, impressions=1, sessions=1))
    assert ", 1 list, " in one.answer


def click(session: object, *clicked: bool) -> LoggedList:
    """Return a list of two documents, the first from either run."""
    return LoggedList(str(session), "t0", ("d0", "d1"), TEAMS, clicked, 1)


def read(*lists: LoggedList) -> Interleaving:
    """Return whom users prefer by these lists."""
    rows = [(name, "t0", one, at) for name, docs in zip(NAMES, (("d0", "d2"), ("d1", "d3")),
            strict=True) for at, one in enumerate(docs, start=1)]  # fmt: skip
    runs = pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])
    return read_preference(lists, *split(runs), NAMES, parse_method("team-draft"))


@each(
    ("lists", "says"),
    [
        (60, "poor wins more sessions than good, 15 to 2, but good wins more lists: "),
        (7.5, "poor wins more sessions than good, 15 to 2, but both win as many lists: "),
    ],
)
def test_whom_the_test_speaks_for_is_who_wins_sessions(lists: float, says: str):
    """Δ weighs sessions by their lists, and may have the other sign."""
    often = [click("x" if at % 2 else "y", True, False) for at in range(int(2 * lists))]
    found = read(*(click(at, False, True) for at in range(15)), *often)
    assert found.comparison.p < 0.05
    assert (found.comparison.sessions_first, found.comparison.sessions_second) == (2, 15)
    assert drop_marks(found.answer).startswith(says)
    assert f"{15 + int(2 * lists)} lists in 17 sessions, p = 0.002" in found.answer


def test_where_nothing_is_clicked_nobody_has_no_preference():
    one = read(click(1, False, False))
    assert drop_marks(one.answer) == (
        "Nothing was clicked on 1 list of good and poor, so that nothing tells which of them users "
        "prefer."
    )
    ties = read(*(click(at, True, True) for at in range(20)))
    assert ties.answer.startswith("Users show no preference: every session is a tie")


def test_a_small_difference_is_not_told_as_none():
    few = [click(f"x{at}", True, False) for at in range(6)]
    found = read(*few, *(click(at, True, True) for at in range(10_000)))
    assert "(Δ = +0.00030 [0.00005, 0.00060], 10,006 lists" in drop_marks(found.answer)


def test_two_runs_of_one_name_are_told_apart():
    runs, qrels = make_study()
    traffic, _ = make_traffic(*split(runs), put_on_scale(qrels), parse_user("perfect"))
    found = simulate_preference(traffic, ("x", "x"), parse_method("team-draft"), impressions=200)
    assert (found.first, found.second) == ("x (first)", "x (second)")
    assert "prefer x (first) to x (second) (" in drop_marks(found.answer)


def test_what_shows_nothing_is_refused():
    with pytest.raises(TooLittleData, match="the log has no list"):
        read()
    runs, qrels = make_study()
    judgements, user = put_on_scale(qrels), parse_user("perfect")
    with pytest.raises(BadInput, match="one document at least, not 0"):
        make_traffic(*split(runs), judgements, user, length=0)
    traffic, _ = make_traffic(*split(runs), judgements, user)
    with pytest.raises(BadInput, match="one list at least, not 0"):
        simulate_preference(traffic, NAMES, parse_method("team-draft"), impressions=0)


@each(
    ("counts", "says"),
    [
        ((1, 0, 0, 0), "Of 1 pair of runs none is shown to differ in mean nDCG."),
        (
            (3, 1, 1, 0),
            "Of 3 pairs of runs 1 differs significantly in mean nDCG; in 1 of these Δ has the same "
            "sign, in 0 it is significant with the other.",
        ),
    ],
)
def test_how_often_a_measure_agrees_is_told_with_its_number(counts, says):
    names = ("pairs", "significant", "same_sign", "opposed")
    counted = dict(zip(names, counts, strict=True))
    assert drop_marks(tell_agreement(counted, "nDCG")) == says
