"""What a public page of results looks like: its figure, its tables and its files, as HTML."""

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape

import pandas as pd

from core.analysis.results.public_results import (
    FEWEST,
    QRELS,
    SCORES,
    PublicResults,
    PublicVersion,
)
from core.bundle.public import BUNDLE
from core.language.translate import t, tn
from core.numerals import ABSENT
from pages.api.plain_page import part_address

_ROW, _TOP, _FOOT = 46, 8, 30

_NARROW = 3
"""Columns that a phone has room for."""

_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw_public_page(results: PublicResults, code: str) -> str:
    """Return the body of a page; everything in it that people wrote is escaped."""
    parts = [
        f'<link rel="stylesheet" href="{part_address("results.css")}">',
        *_warn(results),
        *_tell_systems(results),
        *_tell_agreement(results),
        *_tell_versions(results.versions),
        *_offer_files(results, code),
    ]
    return "".join(parts)


def _warn(results: PublicResults) -> Iterable[str]:
    if results.is_simulated:
        warning = t("The labels of this collection are simulated: nobody has judged.")
        yield f'<p class="warned">{escape(warning)}</p>'


def _tell_systems(results: PublicResults) -> Iterable[str]:
    yield f"<h2>{escape(t('Systems'))}</h2>"
    if results.rows.empty:
        yield f"<p>{escape(t('There are no scores yet.'))} {escape(results.missing)}</p>"
        return
    first = results.rows.iloc[0]
    yield f'<p class="lead">{escape(results.answer)}</p>'
    if results.version is not None:
        based = t("Judgements: {version}.", version=results.version.name)
        yield f"<p>{escape(based)}</p>"
    yield from _tell_declared(results)
    yield _draw(results.rows)
    header = [
        (t("Rank"), True),
        (t("System"), False),
        (str(first["measure"]), True),
        (t("95 %"), True),
        *([(t("Judged"), True)] if "judged" in results.rows else []),
        (t("Differs from the first"), False),
    ]
    rows = [
        [
            f"{row['rank']:.0f}",
            str(row["system"]),
            _number(row["value"]),
            _limits(row),
            *([f"{100 * row['judged']:.0f} %"] if "judged" in row else []),
            _differs(row["differs"]),
        ]
        for _, row in results.rows.iterrows()
    ]
    yield _table(
        t(
            "Systems by their mean, best first. What is not judged counts as not relevant. Not "
            "shown to differ does not mean equal."
        ),
        header,
        rows,
    )


def _tell_declared(results: PublicResults) -> Iterable[str]:
    """Say where the page shows something else than what the study declares."""
    if results.declared and results.version:
        measure, version = results.declared
        sentence = t(
            "The study declares {measure} under “{version}”; shown is {shown} under “{other}”.",
            measure=measure,
            version=version,
            shown=results.rows["measure"].iloc[0],
            other=results.version.name,
        )
        yield f"<p>{escape(sentence)}</p>"


def _differs(differs: bool | None) -> str:
    if pd.isna(differs):
        return ABSENT
    return t("yes") if differs else t("not shown")


def _draw(rows: pd.DataFrame) -> str:
    """Return the dots with their intervals; the same numbers stand in the table below."""
    low = min(0.0, rows["low"].min(), rows["value"].min())
    high = max(1.0, rows["high"].max(), rows["value"].max())
    ticks = _STEPS if (low, high) == (0.0, 1.0) else (low, (low + high) / 2, high)
    height = _TOP + _ROW * len(rows) + _FOOT
    bottom = height - _FOOT

    def at(value: float) -> str:
        return f"{round(100 * (value - low) / (high - low), 2)}%"

    marks = [
        f'<line class="axis" x1="{at(tick)}" x2="{at(tick)}" y1="{_TOP}" y2="{bottom}"/>'
        f'<text class="scale" x="{at(tick)}" y="{bottom + 20}" text-anchor="{_anchor(place)}">'
        f"{tick:.3g}</text>"
        for tick, place in zip(ticks, _places(len(ticks)), strict=True)
    ]
    for number, (_, row) in enumerate(rows.iterrows()):
        marks.append(_mark(row, _TOP + _ROW * number, at, is_first=number == 0))
    hint = t("Dots with intervals: the numbers are in the table below.")
    caption = t(
        "The dot is the mean, the line its 95 % interval over topics. Ochre: the first, and those "
        "not shown to differ from it."
    )
    return (
        f'<figure><svg role="img" aria-label="{escape(hint)}" width="100%" height="{height}">'
        f"{''.join(marks)}</svg><figcaption>{escape(caption)}</figcaption></figure>"
    )


def _mark(row: pd.Series, top: int, at: Callable[[float], str], *, is_first: bool) -> str:
    alike = is_first or (not pd.isna(row["differs"]) and not row["differs"])
    line = ""
    y = top + 32
    if not math.isnan(row["low"]):
        line = (
            f'<line class="interval" x1="{at(row["low"])}" x2="{at(row["high"])}" '
            f'y1="{y}" y2="{y}"/>'
        )
    return (
        f'<g class="{"alike" if alike else "other"}"><text x="0" dx="8" y="{top + 18}">'
        f"{escape(str(row['system']))}</text>{line}"
        f'<circle class="mean" cx="{at(row["value"])}" cy="{y}" r="6"/></g>'
    )


def _places(n: int) -> list[float]:
    return [number / (n - 1) for number in range(n)]


def _anchor(place: float) -> str:
    return {0.0: "start", 1.0: "end"}.get(place, "middle")


def _tell_agreement(results: PublicResults) -> Iterable[str]:
    if not results.assessors:
        return
    yield f"<h2>{escape(t('Agreement between assessors'))}</h2>"
    if results.assessors < FEWEST:
        message = t("Agreement is public from {n} assessors on.", n=FEWEST)
        yield f"<p>{escape(message)}</p>"
        return
    if results.agreement.empty:
        yield f"<p>{escape(t('Not enough was judged by several assessors yet.'))}</p>"
        return
    yield _table(
        tn(
            results.assessors,
            "Over {n} assessor, with 95 % intervals over topics.",
            "Over {n} assessors, with 95 % intervals over topics.",
        ),
        [(t("Coefficient"), False), (t("Value"), True), (t("95 %"), True)],
        [
            [str(row["coefficient"]), _number(row["value"]), _limits(row)]
            for _, row in results.agreement.iterrows()
        ],
    )


def _tell_versions(versions: Sequence[PublicVersion]) -> Iterable[str]:
    if not versions:
        return
    yield f"<h2>{escape(t('Qrels versions'))}</h2>"
    header = [(t("Version"), False), (t("Rule"), False)]
    if any(one.documents is None for one in versions):
        explained = t("What is made of the labels. How much there is of it, and its hash, are told "
                      "once nobody judges any more.")  # fmt: skip
        yield _table(explained, header, [[one.name, one.rule] for one in versions])
        return
    header += [(t("Documents"), True), (t("Content"), False)]
    rows = [[one.name, one.rule, f"{one.documents:,}", one.content_hash] for one in versions]
    yield _table(
        t("What is made of the labels. The content is the beginning of a hash."), header, rows
    )


def _offer_files(results: PublicResults, code: str) -> Iterable[str]:
    names = {
        SCORES: t("Scores as CSV"),
        QRELS: t("Judgements as TREC qrels"),
        BUNDLE: t("Study bundle, to compute all of this anew"),
    }
    links = [
        f'<li><a href="/public/{code}/{name}" download>{escape(names[name])}</a></li>'
        for name in (*results.files, *([BUNDLE] if results.has_bundle else []))
    ]
    if links or results.withheld:
        yield f"<h2>{escape(t('Files'))}</h2>"
    if links:
        yield f"<ul>{''.join(links)}</ul>"
    if results.withheld:
        message = t("The judgements can be downloaded once nobody judges any more.")
        yield f"<p>{escape(message)}</p>"


def _table(caption: str, header: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; of a column is told whether it holds numbers."""
    kinds = [' class="number"' if number else "" for _, number in header]
    heads = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>'
        for (name, _), kind in zip(header, kinds, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{escape(cell)}</td>" for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in rows
    )
    name, wide = escape(caption), ' class="wide"' if len(header) > _NARROW else ""
    return (
        f'<p class="caption">{name}</p>'
        f'<div class="scrolls" tabindex="0" role="region" aria-label="{name}"><table{wide}>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _number(value: float) -> str:
    return ABSENT if pd.isna(value) else f"{value:.3f}"


def _limits(row: pd.Series) -> str:
    return ABSENT if pd.isna(row["low"]) else f"{row['low']:.3f} – {row['high']:.3f}"
