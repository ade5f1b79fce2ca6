"""The organiser's stop rule, and whether it proposes to stop now."""

from core.analysis.base.study import Study
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.judging.enough import Enough, enough_of, has_pool, list_versions, pool_in_numbers
from core.analysis.overview.findings import OPEN, Finding
from core.analysis.results.qrels_choices import QrelsChoice
from core.errors import BadInput, DissentError
from core.numerals import write_limits, write_number
from core.stopping.expected import ExpectedTau
from core.stopping.stop_rule import StopRule
from core.store.content.stop_rules import find_stop_rule
from core.wording import plain

PARTS = 50
"""The overview looks at the rule again whenever so much of the pool more has a label: each time
costs about a second."""

_CACHE = VersionedCache(most=16)


def rule_of(study: Study) -> StopRule | None:
    """Return the stop rule of a collection, if it has one."""
    text = find_stop_rule(study.store, study.collection_id)
    return StopRule.from_json(text) if text else None


def choose_version(study: Study, rule: StopRule) -> QrelsChoice:
    """Return the qrels version that a rule names, or the first on offer.

    Raises
    ------
    BadInput
        There is none, or none of that name any more.
    """
    versions = list_versions(study)
    if not versions:
        raise BadInput("nothing is judged yet")
    if not rule.version:
        return next(iter(versions.values()))
    if rule.version not in versions:
        raise BadInput(f"there are no judgements '{rule.version}' any more; set the rule anew")
    return versions[rule.version]


def find_proposal(study: Study) -> tuple[Finding, ...]:
    """Return that the stop rule proposes to stop, if there is one and it does.

    It is looked at again whenever another fiftieth of the pool has been labelled.
    """
    rule = rule_of(study)
    if rule is None or not has_pool(study):
        return ()
    size = len(pool_in_numbers(study, rule.depth))
    step = study.sequence * PARTS // max(size, 1)
    state = (step, study.store.state(study.collection_id)[1])
    key = (study.store, study.collection_id, study.is_masked, rule)
    found: tuple[Finding, ...] = _CACHE.get(key, state, lambda: _propose(study, rule))
    return found


def _propose(study: Study, rule: StopRule) -> tuple[Finding, ...]:
    try:
        found = enough_of(study, choose_version(study, rule), rule.measure, rule.depth, ())
    except DissentError:
        return ()
    if not rule.proposes(found.expected):
        return ()
    what = (
        f"the stop rule ({rule.tell()}) proposes to stop: {tell_figures(found.expected)}, with "
        f"{found.judged:,} of {found.items:,} items of the pool judged"
    )
    return (Finding("Enough is judged", what, "enough", OPEN, found.share),)


def tell_figures(expected: ExpectedTau) -> str:
    """Return P(best stays) and τ with its limits, in words."""
    limits = write_limits(expected.low, expected.high)
    return (
        f"{plain(expected.best)} stays best with P = {write_number(expected.best_stays)}, τ to "
        f"the full pool {write_number(expected.tau)} {limits}"
    )


def answer(found: Enough, rule: StopRule | None) -> str:
    """Return in a sentence or two whether enough is judged.

    Without a rule of its own the usual one is the yardstick.
    """
    judged = f"{found.share:.0%} of {found.items:,} judged"
    if found.expected.reason:
        return f"Not yet: {found.expected.reason} ({judged})."
    asked = rule or StopRule()
    verdict = "Enough, by the rule" if rule else "Enough, by the usual rule"
    if not asked.proposes(found.expected):
        verdict = "Not yet"
    return f"**{verdict}**: {tell_figures(found.expected)}; {judged}."
