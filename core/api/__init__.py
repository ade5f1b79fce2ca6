"""The public Python API: what ``import dissent`` gives."""

from core.analysis.frames.estimate import Estimation
from core.api import figures
from core.api.agreement import Agreement, agreement, combined_weights, weights
from core.api.bundles import bundle, reproduce
from core.api.clicks import clicks, read_clicks
from core.api.estimation import estimate
from core.api.evaluation import (
    Scores,
    SystemComparison,
    compare,
    evaluate,
    informativeness,
)
from core.api.files import (
    read_labels,
    read_machine_labels,
    read_preferences,
    read_qrels,
    read_results,
    read_runs,
    read_topics,
)
from core.api.interleaving import interleave, read_interleaved
from core.api.judging import simulate_judging
from core.api.machines import conclusions, machines
from core.api.passages import passage_agreement
from core.api.planning import plan
from core.api.preferences import preferences
from core.api.served_store import ServedStore, connect
from core.api.store_frames import StoreFrames, open_store
from core.api.unpooled import unpooled
from core.api.verification import verify
from core.comparison.significance_test import SignificanceTest
from core.errors import (
    BadInput,
    DissentError,
    NotAllowed,
    NotFound,
    StoreInUse,
    StoreUnusable,
    TooLittleData,
)
from core.preference.reasons import count_reasons
from core.version import __version__

__all__ = [
    "Agreement",
    "BadInput",
    "DissentError",
    "Estimation",
    "NotAllowed",
    "NotFound",
    "Scores",
    "ServedStore",
    "SignificanceTest",
    "StoreFrames",
    "StoreInUse",
    "StoreUnusable",
    "SystemComparison",
    "TooLittleData",
    "__version__",
    "agreement",
    "bundle",
    "clicks",
    "combined_weights",
    "compare",
    "conclusions",
    "connect",
    "count_reasons",
    "estimate",
    "evaluate",
    "figures",
    "informativeness",
    "interleave",
    "machines",
    "open_store",
    "passage_agreement",
    "plan",
    "preferences",
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
