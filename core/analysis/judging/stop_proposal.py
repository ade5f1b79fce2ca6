"""The organiser's stop rule, and whether it proposes to stop now."""

import pandas as pd

from core.analysis.base.study import Study
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.judging.enough import (
    ask_enough,
    by_document,
    has_pool,
    list_versions,
    missing_opinions,
    pool_in_numbers,
    unmet_opinions,
    usual_depth,
    usual_measure,
)
from core.analysis.overview.findings import OPEN, Finding
from core.analysis.results.qrels_choices import QrelsChoice
from core.errors import BadInput, DissentError
from core.reports.enough import EnoughQuestion
from core.stopping.stop_rule import StopRule
from core.store.content.saved_rules import find_stop_rule
from core.wording import plain, plain_with_facts

PARTS = 50
"""The overview looks at the rule again whenever so much of the pool more has a label: each time
costs about a second."""

CAREFULLY = plain("take P(best stays) with care, as the page says")
"""Beside the figures where the report's notes are not."""

_CACHE = VersionedCache(most=16)


def rule_of(study: Study) -> StopRule | None:
    """Return the stop rule of a collection, if it has one."""
    text = find_stop_rule(study.store, study.collection_id)
    return StopRule.from_json(text) if text else None


def usual_question(study: Study) -> EnoughQuestion:
    """Return what is asked of a collection first: by its stop rule, else by what it declares."""
    rule = rule_of(study)
    if rule is None:
        return EnoughQuestion(usual_measure(study), usual_depth(study))
    return EnoughQuestion(rule.measure, rule.depth, rule)


def choose_version(study: Study, rule: StopRule | None) -> QrelsChoice:
    """Return the qrels version that a rule names, or the first on offer.

    Raises
    ------
    BadInput
        There is none, or none of that name any more.
    """
    versions = list_versions(study)
    if not versions:
        raise BadInput("nothing is judged yet")
    if rule is None or not rule.version:
        return next(iter(versions.values()))
    if rule.version not in versions:
        raise BadInput(f"there are no judgements '{rule.version}' any more; set the rule anew")
    return versions[rule.version]


def find_proposal(study: Study) -> tuple[Finding, ...]:
    """Return that the stop rule proposes to stop, if there is one and it does.

    It is looked at again whenever another fiftieth of the pool has been labelled, and when no item
    of the pool lacks an opinion of a facet any more, or one does again.
    """
    rule = rule_of(study)
    if rule is None or not has_pool(study):
        return ()
    pool = pool_in_numbers(study, rule.depth)
    step = study.sequence * PARTS // max(len(pool), 1)
    changes = study.store.state(study.collection_id)[1]
    lacking = by_document(study, pd.concat([missing_opinions(study), unmet_opinions(study)]))
    inside = pool.find(lacking) >= 0
    state = (step, changes, frozenset(lacking["facet"][inside]))
    key = (study.store, study.collection_id, study.is_masked, rule)
    found: tuple[Finding, ...] = _CACHE.get(key, state, lambda: _propose(study, rule))
    return found


def _propose(study: Study, rule: StopRule) -> tuple[Finding, ...]:
    try:
        found = ask_enough(study, choose_version(study, rule), usual_question(study))
        if not found.proposes:
            return ()
    except DissentError:
        return ()
    answer = plain_with_facts(found.answer.removesuffix("."))
    what = f"{answer}; {CAREFULLY}"
    return (Finding("Enough is judged", what, "enough", OPEN, found.share),)
