"""What a viewer is not shown: who the assessors are, and what they wrote."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from core.store.people.pseudonyms import assessor_codes, hide_assessors
from core.versions.rules import QrelsRule

if TYPE_CHECKING:
    from core.analysis.base.study import Study


def mask_people(study: "Study", frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of labels, preferences, members or slots as somebody may see it.

    Everything that is read from the store for an analysis passes here, so that neither a
    figure nor a table nor a download can hold what is hidden. Groups are shown.
    """
    if not study.is_masked:
        return frame
    hidden = hide_assessors(study.store, study.collection_id, frame)
    return hidden.assign(comment="") if "comment" in hidden else hidden


def mask_rule(study: "Study", rule: QrelsRule) -> QrelsRule:
    """Return a rule that names assessors as `mask_people` does."""
    if not study.is_masked or not rule.assessors:
        return rule
    codes = assessor_codes(study.store, study.collection_id, rule.assessors)
    return replace(rule, assessors=tuple(codes.values()))
