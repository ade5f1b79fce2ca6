"""Which measure tells most about rankings: the report of informativeness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import pandas as pd

from core.comparison.significance_test import SignificanceTest
from core.informativeness.inferred_curves import VIEWS
from core.informativeness.solve import STATUS
from core.informativeness.study import InformativenessStudy
from core.informativeness.verdict import ALPHA, name_measures, reach_verdict
from core.reports.report import Column, Estimated, Report
from core.wording import mark_fact


@dataclass(frozen=True, eq=False)
class Informativeness(Report):
    """What measures tell about rankings; ``dissent.informativeness`` makes it.

    Its tables are ``curve_errors``, ``inference``, ``statuses`` and ``problems``; ``verdict`` says
    what they come to, ``answer`` is its first sentence. ``study`` has what they are made of.

    Parameters
    ----------
    study : InformativenessStudy
        From ``measure_informativeness``.
    gaps : tuple of str
        What runs and judgements do not have in common.
    alpha : float, default 0.05
        The errors of two measures differ when p is below it.

    Raises
    ------
    BadInput
        α is not between 0 and 1.
    """

    study: InformativenessStudy
    gaps: tuple[str, ...] = ()
    alpha: float = ALPHA

    name: ClassVar[str] = "informativeness"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "curve_errors": Estimated(
            "Error of the inferred precision at the ranks of relevant documents",
            "",
            {
                "measure": Column("measure", names="nobody"),
                "curve": Column("curve of", names="nobody", write=VIEWS.__getitem__),
                "rms": Column("RMS"),
                "mae": Column("MAE"),
                "uniform_rms": Column("RMS, number only"),
                "uniform_mae": Column("MAE, number only"),
                "problems": Column("rankings"),
                "left_out": Column("left out"),
            },
        ),
        "inference": Estimated(
            "Other measures inferred from one",
            "",
            {
                "target": Column("known", names="nobody"),
                "measure": Column("inferred", names="nobody"),
                "tau": Column("Kendall's τ-b"),
                "rmsr": Column("RMSR"),
                "mare": Column("MARE"),
                "systems": Column("runs"),
            },
        ),
        "statuses": Estimated(
            "Inference problems by outcome",
            "",
            {"measure": Column("measure", names="nobody"), **{one: Column(one) for one in STATUS}},
        ),
        "problems": Estimated(
            "Inference problems",
            "",
            {
                "measure": Column("measure", names="nobody"),
                "system": Column("system", names="nobody"),
                "topic_id": Column("topic"),
                "value": Column("value"),
                "status": Column("outcome", names="nobody"),
                "entropy": Column("entropy"),
            },
        ),
    }

    def __post_init__(self) -> None:
        _ = SignificanceTest(alpha=self.alpha)

    @property
    def notes(self) -> tuple[str, ...]:
        """What runs and judgements do not have in common."""
        return self.gaps

    @cached_property
    def names(self) -> dict[str, str]:
        """A short name of each measure: see ``name_measures``."""
        return name_measures(self.study)

    @cached_property
    def verdict(self) -> list[str]:
        """What was found, in sentences."""
        return list(reach_verdict(self.study, alpha=self.alpha))

    @cached_property
    def answer(self) -> str:
        """Which measures tell most about where the relevant documents stand."""
        return reach_verdict(self.study, mark_fact, self.alpha)[0]

    @property
    def curve_errors(self) -> pd.DataFrame:
        """``measure`` and the columns of ``measure_curve_errors``."""
        return self.study.curve_errors

    @property
    def inference(self) -> pd.DataFrame:
        """How well each measure predicts each other one: as ``compare_inferences`` returns it."""
        return self.study.inference

    @cached_property
    def statuses(self) -> pd.DataFrame:
        """How many problems of each measure ended how: ``measure`` and each status."""
        return self.study.statuses()

    @property
    def problems(self) -> pd.DataFrame:
        """Every inference problem, as ``InformativenessStudy`` has it."""
        return self.study.problems

    @property
    def means(self) -> pd.DataFrame:
        """The points of the scatter plots: as ``infer_means`` returns it."""
        return self.study.means
