"""The public Python API: what ``import dissent`` gives; each name is imported when asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.settings import PREFIX

if TYPE_CHECKING:
    from core.api.calls import figures
    from core.api.calls.agreement import agreement, combined_weights, weights
    from core.api.calls.assessors import assessors, groups, passage_agreement, verify
    from core.api.calls.bundles import bundle, reproduce
    from core.api.calls.clicks import clicks, read_clicks
    from core.api.calls.evaluation import compare, curves, evaluate, informativeness, unpooled
    from core.api.calls.files import (
        read_labels,
        read_machine_labels,
        read_preferences,
        read_qrels,
        read_results,
        read_runs,
        read_topics,
    )
    from core.api.calls.interleaving import ab_test, interleave, read_ab_log, read_interleaved
    from core.api.calls.judging import (
        enough,
        plan,
        plan_opinions,
        plan_votes,
        simulate_judging,
    )
    from core.api.calls.machines import conclusions, estimate, machines
    from core.api.calls.preferences import preferences
    from core.api.calls.published import published
    from core.api.calls.served_store import ServedStore, connect
    from core.api.calls.store_frames import StoreFrames, open_store
    from core.comparison.significance_test import SignificanceTest
    from core.errors import (
        BadInput,
        DissentError,
        NotAllowed,
        NotFound,
        ReadWarning,
        StoreInUse,
        StoreUnusable,
        TooLittleData,
    )
    from core.preference.reasons import count_reasons
    from core.reports.agreement import Agreement
    from core.reports.compare import SystemComparison
    from core.reports.estimate import Estimation
    from core.reports.scores import Scores
    from core.version import __version__

_HOMES = {
    "core.reports.agreement": "Agreement",
    "core.reports.compare": "SystemComparison",
    "core.reports.estimate": "Estimation",
    "core.reports.scores": "Scores",
    "core.api.calls": "figures",
    "core.api.calls.agreement": "agreement combined_weights weights",
    "core.api.calls.assessors": "assessors groups passage_agreement verify",
    "core.api.calls.bundles": "bundle reproduce",
    "core.api.calls.clicks": "clicks read_clicks",
    "core.api.calls.evaluation": "compare curves evaluate informativeness unpooled",
    "core.api.calls.files": "read_labels read_machine_labels read_preferences "
    "read_qrels read_results read_runs read_topics",
    "core.api.calls.interleaving": "ab_test interleave read_ab_log read_interleaved",
    "core.api.calls.judging": "enough plan plan_opinions plan_votes simulate_judging",
    "core.api.calls.machines": "conclusions estimate machines",
    "core.api.calls.preferences": "preferences",
    "core.api.calls.published": "published",
    "core.api.calls.served_store": "ServedStore connect",
    "core.api.calls.store_frames": "StoreFrames open_store",
    "core.comparison.significance_test": "SignificanceTest",
    "core.errors": "BadInput DissentError NotAllowed "
    "NotFound ReadWarning StoreInUse StoreUnusable TooLittleData",
    "core.preference.reasons": "count_reasons",
    "core.version": "__version__",
}
"""In which module the names stand."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOME_OF[name]
    if name == "figures":
        return import_module(f"{PREFIX}{home}.figures")
    return getattr(import_module(PREFIX + home), name)


__all__ = [
    "Agreement",
    "BadInput",
    "DissentError",
    "Estimation",
    "NotAllowed",
    "NotFound",
    "ReadWarning",
    "Scores",
    "ServedStore",
    "SignificanceTest",
    "StoreFrames",
    "StoreInUse",
    "StoreUnusable",
    "SystemComparison",
    "TooLittleData",
    "__version__",
    "ab_test",
    "agreement",
    "assessors",
    "bundle",
    "clicks",
    "combined_weights",
    "compare",
    "conclusions",
    "connect",
    "count_reasons",
    "curves",
    "enough",
    "estimate",
    "evaluate",
    "figures",
    "groups",
    "informativeness",
    "interleave",
    "machines",
    "open_store",
    "passage_agreement",
    "plan",
    "plan_opinions",
    "plan_votes",
    "preferences",
    "published",
    "read_ab_log",
    "read_clicks",
    "read_interleaved",
    "read_labels",
    "read_machine_labels",
    "read_preferences",
    "read_qrels",
    "read_results",
    "read_runs",
    "read_topics",
    "reproduce",
    "simulate_judging",
    "unpooled",
    "verify",
    "weights",
]
