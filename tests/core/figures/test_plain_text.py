"""Names that look like markup stand in every figure as the letters that they are."""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import core.figures.style as style
from core.figures.style import plain_names, plain_text
from tests.each import each

A, B = "<a href='//x'>%{x}&", "<b>%{y}&lt;"
BOTH = [A, B]
ONES = [1.0, 0.5]
FOLDER = Path(style.__file__).parent


def rows(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({**columns})


LEVELS = {"low": [0.1, 0.2], "high": [0.9, 1.0], "labels": [3, 4]}
RANKED = rows(condition=[A, A, B, B], system=BOTH * 2, rank=[1, 2, 2, 1], value=[0.4, 0.3] * 2)
PAIRS = rows(topic_id=BOTH, name=BOTH, first=[0.2, 0.4], second=[0.4, 0.1], difference=[-0.2, 0.3])
CURVE = rows(system=[A, A, B, B], rank=[1, 2, 1, 2], recall=[0.5, 1.0] * 2, value=[1.0, 0.5] * 2)
SCORES = rows(system=BOTH, topic_id=[B, A], value=ONES)
OVERLAP = rows(first=[A], second=[B], only_first=[1], both=[2], only_second=[3], share=[1 / 3])
TAU = rows(first=[A], second=[B], tau=[0.5], low=[0.1], high=[0.9], differ=[True])
TRIAL = rows(name=BOTH, n=[1, 1], mean=ONES, sd=[0.1, 0.1], low=[0.0, 0.5], high=ONES, share=ONES)
ERRORS = rows(measure=["m", "n"], rms=ONES, mae=ONES, uniform_rms=ONES, uniform_mae=ONES)
INFERRED = rows(
    target=["m", "n"], measure=["n", "m"], tau=[0.5, np.nan], rmsr=ONES, mare=ONES, reason=["", A]
)
ONE_CURVE = rows(
    measure=["m"], rank=[1], matched=[True], recall=[0.5], precision=[0.5], actual_recall=[0.5],
    actual_precision=[1.0],
)  # fmt: skip
NAMES = {"m": A, "n": B}
NAMES_OF_LEVELS = {0.0: A, 1.0: B}

CASES: dict[str, tuple[Any, ...]] = {
    "draw_orders": (
        rows(order=BOTH, share=ONES, judged=[1, 2], relevant_found=ONES, tau=ONES, low=ONES,
             high=ONES).assign(share=0.5), "AP",
    ),
    "draw_intervals": (rows(name=BOTH, n=[9, 9], value=ONES, counted=[True, False], **LEVELS),),
    "draw_pair_matrix": (rows(first=[A], second=[B], n=[4], value=[0.5]),),
    "draw_confusion": (
        rows(first=[A, A, B, B], second=BOTH * 2, items=1, share=0.5, written="1"), BOTH, A, B,
    ),
    "draw_level_shares": (
        rows(name=BOTH, labels=[1, 1], share=ONES, others=[2, 2], others_share=ONES), A,
    ),
    "draw_times": (rows(name=BOTH, labels=[1, 1], lower=ONES, median=ONES, upper=ONES),),
    "draw_means": (RANKED, "AP"),
    "draw_significance_matrix": (
        rows(first=[A], second=[B], difference=[0.1], low=[0.0], high=[0.2], p=[0.01]),
        BOTH, 0.05, "AP",
    ),
    "draw_leaderboard": (
        rows(system=BOTH, value=ONES, judged=ONES, topics=[2, 2], differs=[None, True], **LEVELS),
        "AP",
    ),
    "draw_asl_curves": (rows(condition=BOTH, pair=[1, 1], p=ONES), 0.05),
    "draw_tau_intervals": (TAU, BOTH),
    "draw_overlaps": (OVERLAP, BOTH),
    "draw_precision_points": (CURVE.assign(interpolated=1.0),),
    "draw_top_probability": (
        rows(name=BOTH, p=ONES, cases=[60, 2], few=[False, True], p_shown=["1", "2"], **LEVELS), A,
    ),
    "draw_weights": (rows(name=BOTH, weight=ONES, linear=ONES, exp=ONES),),
    "draw_combined": (
        rows(snippet=[A], page=[B], weight=[0.5], weight_shown=["½"], cases=[3]), BOTH, BOTH,
    ),
    "draw_distributions": (SCORES, "system", "topic_id", "AP"),
    "draw_precision_recall": (CURVE,),
    "draw_gain_curve": (CURVE,),
    "draw_topic_scores": (SCORES.assign(typical=0.4), "system", "AP"),
    "draw_curve_errors": (ERRORS, NAMES),
    "draw_inference": (INFERRED, NAMES, "tau"),
    "draw_inferred_means": (rows(system=BOTH, inferred=ONES, actual=[0.2, 0.9], topics=2), A, B),
    "draw_inferred_curves": (ONE_CURVE, NAMES),
    "draw_lines": (rows(series=BOTH, at=[1, 2], value=ONES), "at"),
    "draw_rank_pairs": (rows(document=BOTH, first=[1, 2], second=[2, 1]),),
    "draw_label_counts": (rows(item=BOTH, level=[B, A], labels=[1, 2]), BOTH),
    "draw_level_weights": (rows(name=BOTH, weight=ONES, written=["1", "½"]),),
    "draw_missed_pages": (rows(engine=BOTH, share=ONES, lost=[1, 1], top_pages=[2, 2], **LEVELS),),
    "draw_matrix": (
        *(rows(**{A: [0.5], B: [0.5]}).set_axis([A]) for _ in range(3)), "%{x}",
    ),
    "draw_wins": (rows(first=[A], second=[B], n=[3], share=[0.5]),),
    "draw_predictions_by_grade": (rows(name=BOTH, n=[3, 3], share=ONES, **LEVELS),),
    "draw_rank_lines": (RANKED, [A], "condition"),
    "draw_tau_matrix": (TAU, BOTH),
    "draw_differences": (PAIRS, A, B, "AP"),
    "draw_topic_scatter": (PAIRS, A, B, "AP", BOTH),
    "draw_chances": (TRIAL, A),
    "draw_predictions": (
        rows(name=BOTH, users=[2, 2], observed=ONES, sd=ONES, predicted=ONES, predicted_low=ONES,
             predicted_high=ONES), 1,
    ),
    "draw_samples": (TRIAL, B),
    "draw_source_scores": (
        rows(system=BOTH, people=ONES, people_low=ONES, people_high=ONES, value=ONES, **LEVELS),
        "AP", A, BOTH,
    ),
    "draw_gains": (
        rows(system=BOTH, gain=ONES, relative=ONES, relative_low=ONES, relative_high=ONES),
        "AP", [A],
    ),
    "draw_circularity": (
        rows(system=BOTH, statistic=ONES, p_corrected=ONES, pairs=[1, 2], flagged=[True, False]),
    ),
    "draw_machine_agreement": (
        rows(machine=[A, A], person=BOTH, n=[1, 2], value=ONES, **LEVELS),
        rows(machine=[A, A], first=BOTH, second=BOTH[::-1], n=[1, 2], value=ONES, **LEVELS),
    ),
    "draw_machine_levels": (
        rows(machine=A, level=[0, 0, 1, 1], machine_level=[0, 1] * 2, n=1, value=0.5),
    ),
    "draw_level_shift": (rows(machine=A, person=BOTH, n=[1, 2], value=ONES, **LEVELS),),
    "draw_falls": (rows(system=BOTH, measure=["AP", A], fall=ONES, rank_fall=[1, -2]), "AP"),
    "draw_estimates": (
        rows(system=BOTH, estimate=["ppi", "classical"], value=ONES, units=[4, 4], **LEVELS), "AP",
    ),
    "draw_detectable": (
        rows(topics=[5, 9], effect=ONES, effect_low=ONES, effect_high=ONES), 0.05, 9.0, 5, B,
    ),
    "draw_power": (rows(title=BOTH, topics=[5, 9], power=ONES), 0.8, 5),
    "draw_item_widths": (
        rows(per_topic=[5, 9], topics=[3, 4], items=[15, 36], width=ONES), 0.2, B,
    ),
    "draw_moving_topics": (rows(name=BOTH, part=ONES, judged=[1, 2], items=[3, 4]),),
    "draw_score_bounds": (
        rows(system=BOTH, today=ONES, all_relevant=ONES, lowest=ONES, highest=ONES), "AP",
    ),
    "draw_preferences": (
        rows(first=A, second=B, user=BOTH, method=BOTH, delta=ONES, units=[4, 4], **LEVELS),
    ),
    "draw_beside_measure": (
        rows(first=BOTH, second=BOTH, difference=ONES, p=[0.01, 0.2], delta=ONES,
             agrees=["same sign", "no sign"], **LEVELS),
        "AP", 0.05,
    ),
    "draw_click_rates": (
        rows(level=[0.0, 0, 1, 1], rank=[1, 2] * 2, shown=9, value=ONES * 2, low=0.1, high=1.0),
        NAMES_OF_LEVELS,
    ),
    "draw_perplexity": (rows(model=BOTH, rank=[1, 2], perplexity=ONES),),
    "draw_examination": ({A: np.array(ONES), B: np.array(ONES)},),
    "draw_level_distributions": (rows(version=BOTH, written=BOTH, documents=[1, 2], share=ONES),),
}  # fmt: skip

TITLES = {
    "draw_lines": {"x": "at", "y": "value"},
    "draw_predictions_by_grade": {"x": A},
    "draw_matrix": {"x": "x", "y": "y", "height": 200},
}

NAMELESS = {
    *("draw_halves", "draw_expected_tau", "draw_reliability"),
    *("draw_burn_up", "draw_drift", "draw_judged_times", "draw_spread", "draw_stability"),
    *("draw_same_cost", "draw_power_by_lists", "draw_terms", "draw_widths"),
    "draw_learning",
}
"""Figures that hold numbers and words of this program only."""


def functions() -> dict[str, Callable[..., Any]]:
    """Return every function that draws a figure."""
    found = {}
    for file in FOLDER.glob("*.py"):
        module = import_module(f"core.figures.{file.stem}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("draw_") and function.__module__ == module.__name__:
                found[name] = function
    return found


def texts(part: Any) -> Iterator[str]:
    """Yield every text in a figure."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for inner in part.values():
            yield from texts(inner)
    elif isinstance(part, list | tuple | np.ndarray | pd.Series):
        for inner in part:
            yield from texts(inner)


def test_every_figure_is_tried():
    assert set(functions()) == set(CASES) | NAMELESS


@each("name", CASES)
def test_names_are_shown_as_they_are(name: str):
    figure = functions()[name](*CASES[name], **TITLES.get(name, {}))
    shown = list(texts(figure.to_dict()))
    assert any("&lt;a href" in text or "&lt;b>" in text for text in shown)
    for text in shown:
        assert "<a href" not in text
        assert "<b>%" not in text
        assert "%{x}&amp;" not in text
        assert "&amp;lt;a" not in text, "escaped twice"


def test_a_text_is_escaped_for_markup_and_for_templates():
    assert plain_text(A) == "&lt;a href='//x'>%&#123;x}&amp;"
    assert plain_text("BM25 (k1 = 1.2)") == "BM25 (k1 = 1.2)"
    frame = plain_names(rows(name=BOTH, other=BOTH), "name")
    assert frame["name"].tolist() == [plain_text(A), plain_text(B)]
    assert frame["other"].tolist() == BOTH
