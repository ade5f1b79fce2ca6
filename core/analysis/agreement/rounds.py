"""How far assessors agree within each round."""

import pandas as pd

from core.agreement.coefficients import Kappa
from core.analysis.base.labels import counted_levels
from core.analysis.base.rounds import labels_by_round, round_names
from core.analysis.base.study import Study, follows_labels, scales_of
from core.reports.agreement_by_round import agreement_by_round

LINEAR = Kappa("linear")


@follows_labels
def agreement_of_rounds(study: Study) -> pd.DataFrame:
    """Return linear weighted κ of all pairs within each round, by facet.

    Returns
    -------
    DataFrame
        round (its name), facet and the columns of ``measure_agreement``, rounds in their order;
        no row for rounds without labels.
    """
    names, labels = round_names(study), labels_by_round(study)
    tables = []
    for facet, scale in scales_of(study).items():
        table = agreement_by_round(labels, facet, [LINEAR], list(counted_levels(scale)))
        tables.append(table.assign(facet=facet))
    found = pd.concat(tables, ignore_index=True)
    order = found["part"].map({one: place for place, one in enumerate(names)})
    found = found.iloc[order.argsort(kind="stable")]
    return found.assign(round=found["part"].map(names)).drop(columns="part").reset_index(drop=True)
