"""What ``dissent clicks`` prints: JSON for programs, tables for people."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from core.clicks.fitting import Fit
from core.clicks.likelihood import EXAMINATION
from core.command.printing.output import describe_interval, print_json, with_reason
from core.command.printing.recording import limit_rows
from core.command.printing.tables import Cell, format_interval, format_table, name_units
from core.errors import TooLittleData
from core.reports.clicks import ClickAnalysis, describe_clicks

SHOWN = 20
"""Contradictions in a table; JSON has them all."""

_LIMITS = ("value", "low", "high")


def print_click_json(found: ClickAnalysis) -> None:
    """Print everything, unrounded."""
    content = {
        "sessions": len(pd.unique(found.log.session)),
        "pages": len(found.log),
        "clicks": int(found.log.clicked.sum()),
        "ctr_by_rank": found.by_rank["value"].tolist(),
        "ctr_by_level": {},
        "rates_by_rank": _list(found.by_rank, ("rank", "shown", "clicks", *_LIMITS)),
        "baseline": found.held_out.baseline,
        "answer": found.held_out.answer,
        "models": _list_models(found),
        "lift": [],
    }
    if found.levels is not None:
        content |= _list_judged(found)
    elif found.opinions:
        content["lift"] = _list_lift(found)
    print_json(content)


def _list_judged(found: ClickAnalysis) -> dict[str, Any]:
    """Return what is told of results that people judged."""
    rates = ("level", "shown", "clicks", *_LIMITS)
    content = {
        "ctr_by_level": {
            _name_level(row["level"]): row["value"] for row in found.by_level.to_dict("records")
        },
        "lift": _list_lift(found),
        "rates_by_level": _list(found.by_level, rates),
        "rates_by_level_and_rank": _list(found.by_level_and_rank, ("rank", *rates)),
        "attractiveness_model": str(found.leading),
        "attractiveness_by_level": _list(found.attractiveness, ("level", "items", *_LIMITS)),
    }
    for name, make in (
        ("contradictions", lambda: _describe_contradictions(found)),
        ("predicting", lambda: _list_predicted(found)),
    ):
        content |= _try(name, make)
    return content


def _try(name: str, make: Callable[[], Any]) -> dict[str, Any]:
    """Return a part of what is told; null, with the reason beside it, where data do not suffice."""
    try:
        return {name: make()}
    except TooLittleData as error:
        return {name: None, f"{name}_reason": str(error)}


def _list(frame: pd.DataFrame, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the rows of a table, each with what its limits rest on."""
    if "units" not in frame:
        frame = frame.rename(columns={"n": "units"})
    return [_entry(row, names) for row in frame.to_dict("records")]


def _entry(row: dict[Any, Any], names: tuple[str, ...]) -> dict[str, Any]:
    entry = {name: row[name] for name in names}
    return with_reason({**entry, "interval": describe_interval(row)}, row["reason"])


def _list_lift(found: ClickAnalysis) -> list[dict[str, Any]]:
    told = ("against", "rule", "title", "pairs", "ties", "unjudged", "agree", "expected", "lift")
    return _list(found.lift, (*told, "low", "high"))


def _list_predicted(found: ClickAnalysis) -> list[dict[str, Any]]:
    differences = ("difference", "difference_low", "difference_high")
    return _list(found.predicted, ("predictor", *_LIMITS, *differences))


def _describe_contradictions(found: ClickAnalysis) -> dict[str, Any]:
    result = found.contradictions
    return {
        "cut": result.cut,
        "compared": result.compared,
        "high_mean": result.high_mean,
        "low_mean": result.low_mean,
        "items": result.frame.to_dict("records"),
    }


def _list_models(found: ClickAnalysis) -> list[dict[str, Any]]:
    ranks = found.held_out.by_rank
    entries = []
    for row in found.held_out.frame.to_dict("records"):
        own = ranks[ranks["model"] == row["model"]].sort_values("rank")
        fit = found.fits[row["model"]]
        entry = {
            "model": row["model"],
            "log_likelihood": row["log_likelihood"],
            "pages": row["pages"],
            **{name: row[name] for name in _PERPLEXITY},
            "perplexity_by_rank": own["perplexity"].tolist(),
            "conditional_by_rank": own["conditional"].tolist(),
            "examination": _examination(fit),
            "fitted_log_likelihood": fit.log_likelihood,
            "steps": fit.steps,
            "converged": fit.converged,
            "cannot_tell": [one.what for one in found.unknown[row["model"]]],
            "interval": {"method": row["interval"], "unit": row["unit"], "n": row["n"]},
        }
        entries.append(entry)
    return entries


_PERPLEXITY = (
    *("perplexity", "low", "high", "difference", "difference_low", "difference_high"),
    *("conditional", "conditional_low", "conditional_high", "conditional_difference"),
    *("conditional_difference_low", "conditional_difference_high"),
)


def _examination(fit: Fit) -> list[Any] | None:
    """Return examination by rank (or by rank and rank of the click above); None without it."""
    found = fit.parameters.get(EXAMINATION)
    return None if found is None else found.tolist()


def print_click_tables(found: ClickAnalysis) -> None:
    """Print the answer, and then each question's table."""
    log = found.log
    print(
        f"{len(pd.unique(log.session)):,} sessions, {len(log):,} pages, {log.clicked.sum():,} "
        f"clicks\n{describe_clicks(found)}"
    )
    _print_rates(found.by_rank, "rank", "Click-through rate by rank")
    if found.levels is not None:
        by_level = found.by_level.assign(level=found.by_level["level"].map(_name_level))
        _print_rates(by_level, "level", "Click-through rate by level")
    _print_models(found)
    if found.levels is not None or found.opinions:
        _print_lift(found)
    if found.levels is None:
        return
    _print_attractiveness(found)
    for make in (_print_contradictions, _print_predicted):
        try:
            make(found)
        except TooLittleData as error:
            print(f"\n{str(error)[:1].upper()}{str(error)[1:]}.")


def _print_rates(rates: pd.DataFrame, name: str, title: str) -> None:
    rows: list[list[Cell]] = [
        [str(row[name]), row["shown"], row["clicks"], _interval(row)]
        for row in rates.to_dict("records")
    ]
    header = [name, "shown", "clicked", "rate [95 %]"]
    print(f"\n{format_table(header, rows, 4, title)}")
    print(f"{name_units(rates)}.")


def _print_models(found: ClickAnalysis) -> None:
    frame, rows = found.held_out.frame, list[list[Cell]]()
    for row in frame.to_dict("records"):
        both = [
            format_interval(row[name], row[f"{start}low"], row[f"{start}high"], 4)
            for name, start in (("perplexity", ""), ("conditional", "conditional_"))
        ]
        rows.append([row["model"], row["log_likelihood"], *both])
    header = ["model", "log-likelihood", "perplexity [95 %]", "given clicks above [95 %]"]
    print(f"\n{format_table(header, rows, 1, 'Click models on held-out sessions')}")
    print(f"{found.held_out.answer}\n{name_units(frame.rename(columns={'n': 'units'}))}.")
    for name, notes in found.unknown.items():
        for note in notes:
            print(f"{name}: {note.what}.")


def _print_lift(found: ClickAnalysis) -> None:
    for against, own in found.lift.groupby("against", sort=False):
        rows: list[list[Cell]] = [
            [
                row["title"],
                *(row[name] for name in ("pairs", "ties", "unjudged", "agree", "expected")),
                format_interval(row["lift"], row["low"], row["high"]),
            ]
            for row in own.to_dict("records")
        ]
        header = ["rule", "pairs", "ties", "unjudged", "agree", "by position", "lift [95 %]"]
        title = f"Preferences read from clicks against {against}"
        print(f"\n{title}\n{format_table(header, rows, title=title)}")
        print("Ties and unjudged pairs count in no share. By position: what position alone gives.")
        print(f"{name_units(own)}.")


def _print_attractiveness(found: ClickAnalysis) -> None:
    rows: list[list[Cell]] = [
        [_name_level(row["level"]), row["items"], _interval(row), row["reason"]]
        for row in found.attractiveness.to_dict("records")
    ]
    title = f"Attractiveness by level, {found.leading}"
    table = format_table(["level", "results", "attractiveness [95 %]", ""], rows, title=title)
    print(f"\n{title}\n{table}")
    print(f"{name_units(found.attractiveness.rename(columns={'n': 'units'}))}.")


def _print_contradictions(found: ClickAnalysis) -> None:
    result = found.contradictions
    names = ["query", "item", "level", "side", "shown", "clicks", "attractiveness"]
    shown = result.frame.head(limit_rows(SHOWN))
    rows: list[list[Cell]] = [
        [
            *(row[name] for name in names[:2]),
            f"{row['level']:g}",
            *(row[name] for name in (*names[3:], "probability", "false_share")),
        ]
        for row in shown.to_dict("records")
    ]
    title = "Results about which people and clicks contradict each other"
    header = ["query", "document", *names[2:], "probability", "false up to here"]
    print(f"\n{title}\n{format_table(header, rows, title=title)}")
    left = len(result.frame) - len(shown)
    if left > 0:
        print(f"… and {left:,} more; --format json has all")
    print(
        f"High is {result.cut:g} or more. Of {result.compared:,} judged results those are listed "
        "that are more likely than not high and less attractive than low ones are on average "
        f"({result.low_mean:.3f}), or low and more attractive than high ones "
        f"({result.high_mean:.3f}). False up to here: the share of the list so far that is "
        "expected to be chance."
    )


def _print_predicted(found: ClickAnalysis) -> None:
    rows: list[list[Cell]] = [
        [
            row["predictor"],
            _interval(row),
            format_interval(row["difference"], row["difference_low"], row["difference_high"]),
        ]
        for row in found.predicted.to_dict("records")
    ]
    title = "Which of two results of a query has the higher level: area under the ROC curve (AUC)"
    header = ["by", "AUC [95 %]", "beside rank [95 %]"]
    print(f"\n{title}\n{format_table(header, rows, title=title)}")
    print(f"Queries are held out. {name_units(found.predicted)}.")


def _interval(row: dict[Any, Any]) -> str:
    return format_interval(row["value"], row["low"], row["high"], 4)


def _name_level(level: float) -> str:
    return "unjudged" if level != level else f"{level:g}"
