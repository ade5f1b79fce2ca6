"""The leaderboard: systems by one measure, and who is not shown to differ from the best."""

import pandas as pd

from core.analysis.base.study import Study
from core.analysis.results.declared import declared_test
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version
from core.analysis.results.scores import scores_of
from core.comparison.conditions import examine_condition
from core.comparison.significance_test import SignificanceTest
from core.comparison.ties import order_best, tie_close
from core.measures.catalogue import parse_measure
from core.numerals import write_limits, write_number
from core.reports.scores import average_topics
from core.wording import count, plain

MOST_NAMED = 3


@follows_version
def rank_means(study: Study, choice: QrelsChoice, measure: str, weights: Pairs) -> pd.DataFrame:
    """Return systems by their means, best first, each with its test against the best.

    Parameters
    ----------
    study : Study
        The collection.
    choice : QrelsChoice
        Whose judgements count.
    measure : str
        As `parse_measure` reads it.
    weights : pairs of level and weight
        For UDM gains; empty without.

    Returns
    -------
    DataFrame
        The columns of `average_topics`; ``rank``, equal means sharing one; ``p`` against the first
        of the best, as the default test corrects it for all pairs,
        α that which the study declares; ``differs``, True for p < α,
        missing for the best and where nothing was tested; ``untested``, why. Empty without scores.
    """
    scores = scores_of(study, choice, (measure,), weights)
    means = average_topics(scores)
    greater = parse_measure(measure).greater_is_better
    means = means.iloc[order_best(means["value"], greater)].reset_index(drop=True)
    tied = pd.Series(tie_close(means["value"]), means.index)
    return _test_against_best(means.assign(rank=tied.rank(ascending=not greater, method="min")),
                              scores, measure, declared_test(study))  # fmt: skip


def _test_against_best(
    means: pd.DataFrame, scores: pd.DataFrame, measure: str, test: SignificanceTest
) -> pd.DataFrame:
    if means.empty:
        return means.assign(p=0.0, differs=pd.array([], "boolean"), untested="")
    tested = examine_condition(measure, scores, test)
    best = means["system"].iloc[0]
    pairs = tested.pairs
    own = pairs[(pairs["first"] == best) | (pairs["second"] == best)]
    other = own["first"].where(own["second"] == best, own["second"])
    p = means["system"].map(dict(zip(other, own["p"], strict=True))).astype("float64")
    differs = (p < test.alpha).astype("boolean").mask(p.isna())
    return means.assign(p=p, differs=differs, untested=tested.reason)


def answer_leaderboard(rows: pd.DataFrame, test: SignificanceTest) -> str:
    """Return in Markdown which system is best, how sure its mean is, and who may be as good.

    Parameters
    ----------
    rows : DataFrame
        As `rank_means` returns it, with a row or more.
    test : SignificanceTest
        By which systems differ.
    """
    best = rows[rows["rank"] == rows["rank"].min()]
    first = rows.iloc[0]
    verb = "leads with" if len(best) == 1 else "share the first rank with"
    if len(rows) == 1:
        verb = "is the only system:"
    begun = (
        f"{_name(best['system'].tolist())} {verb} {plain(str(first['measure']))} "
        f"**{write_number(first['value'])}**{_limits(first)} over "
        f"{count(int(first['topics']), 'topic')}"
    )
    return f"{begun}{_judge(rows, len(best), test)}."


def _judge(rows: pd.DataFrame, best: int, test: SignificanceTest) -> str:
    """Say how many others are not shown to be worse, or why this is not known."""
    if len(rows) == 1:
        return ""
    if rows["differs"].isna().all():
        return f"; differences are not tested: {rows['untested'].iloc[0] or 'there are none'}"
    others = rows.iloc[best:]
    alike = int((~others["differs"].fillna(True)).sum())
    if others.empty:
        return ""
    if not alike:
        worse = "the other is" if len(others) == 1 else f"all {len(others)} others are"
        return f"; **{worse} shown to be worse**"
    return (
        f"; **{alike} of {count(len(others), 'other')}** "
        f"{'is' if alike == 1 else 'are'} not shown to differ from {'it' if best == 1 else 'them'} "
        f"({test.kind.title}, α = {test.alpha:g})"
    )


def _name(systems: list[str]) -> str:
    """Return a few names in bold, or how many there are."""
    if len(systems) > MOST_NAMED:
        return f"**{len(systems)} systems**"
    named = [f"**{plain(system)}**" for system in systems]
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def _limits(row: pd.Series) -> str:
    return "" if pd.isna(row["low"]) else f" {write_limits(row['low'], row['high'])}"
