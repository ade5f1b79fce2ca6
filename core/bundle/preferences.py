"""What was judged side by side, in a bundle: an entry, and the tables that rest on it."""

from collections.abc import Iterator

import pandas as pd

from core.analysis.agreement.preferences import preferences_of
from core.analysis.base.study import Study
from core.bundle.consented import find_consenting
from core.collection.export.preference_export import write_preferences
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.labels.label_options import CANNOT_JUDGE, JUDGED
from core.collection.labels.preferences import KEY
from core.collection.records import FACETS_OF
from core.errors import BadInput
from core.reports.preferences import Preferences

PREFERENCES = "labels/preferences.tsv"

FROM_PREFERENCES = ("preferences", "strengths")


def pack_preferences(study: Study, *, published: bool, imported: bool) -> bytes | None:
    """Return preferences as TSV; None where nobody stated any.

    Parameters
    ----------
    study : Study
        A masked study.
    published : bool
        Of those only whose labels may be published.
    imported : bool
        As `find_consenting` takes it.
    """
    preferences = preferences_of(study)
    preferences = preferences[
        preferences["state"].isin([JUDGED, CANNOT_JUDGE]) & (preferences["occasion"] == 0)
    ]
    if published:
        agreed = find_consenting(study, preferences, imported=imported)
        preferences = preferences[preferences["assessor_id"].isin(sorted(agreed))]
    if preferences.empty:
        return None
    try:
        return write_preferences(preferences.sort_values(list(KEY)).reset_index(drop=True))
    except BadInput:
        return None  # an id that TSV cannot hold: then no table rests on preferences


def unpack_preferences(content: bytes) -> pd.DataFrame:
    """Return the preferences of an entry; raises BadInput, which names the line."""
    return read_import("preferences", Source(PREFERENCES, content)).frames["preferences"]


def tabulate_preferences(preferences: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    """Return ``preferences`` (wins of every pair) and ``strengths`` (Bradley–Terry), by name.

    Each has what was compared in ``kind`` and ``facet``; a table without a row is left out.
    """
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in FROM_PREFERENCES}
    if preferences is not None:
        for name, table in _tables_of(preferences):
            parts[name].append(table)
    return {name: pd.concat(own, ignore_index=True) for name, own in parts.items() if own}


def _tables_of(preferences: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for kind, facets in FACETS_OF.items():
        for facet in facets:
            chosen = (preferences["kind"] == kind) & (preferences["facet"] == facet)
            own = preferences[chosen].reset_index(drop=True)
            if (own["state"] == JUDGED).any():
                report = Preferences(own)
                yield "preferences", _name(report.outcomes, kind, facet)
                yield "strengths", _name(report.fitted.frame, kind, facet)


def _name(table: pd.DataFrame, kind: str, facet: str) -> pd.DataFrame:
    named = table.copy()
    named.insert(0, "kind", kind)
    named.insert(1, "facet", facet)
    return named
