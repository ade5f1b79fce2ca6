"""What a viewer is not shown: who the assessors are, and what they wrote."""

from dataclasses import replace

import pandas as pd

from core.store.pseudonyms import assessor_codes, hide_assessors
from core.versions.rules import QrelsRule
from pages.shared.session import Visit


def mask_people(visit: Visit, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of labels, preferences, members or slots as a visitor may see it.

    Everything that is read from the store for a Watch page passes here, so that neither a
    figure nor a table nor a download can hold what is hidden. Groups are shown.
    """
    if not visit.is_masked:
        return frame
    hidden = hide_assessors(visit.store, visit.collection_id, frame)
    return hidden.assign(comment="") if "comment" in hidden else hidden


def mask_rule(visit: Visit, rule: QrelsRule) -> QrelsRule:
    """Return a rule that names assessors as `mask_people` does."""
    if not visit.is_masked or not rule.assessors:
        return rule
    codes = assessor_codes(visit.store, visit.collection_id, rule.assessors)
    return replace(rule, assessors=tuple(codes.values()))
