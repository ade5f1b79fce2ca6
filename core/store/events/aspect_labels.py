"""What assessors said of aspects, as frames for analyses and files."""

import pandas as pd

from core.store.events.current_labels import LATEST, SEALED
from core.store.events.frames import read_labels
from core.store.file.database import fetch_frame
from core.store.store import Store

_KEY = ("topic_id", "document_id", "facet", "engine", "assessor_id", "occasion")
_STANDING = f"""
    (SELECT {", ".join(_KEY)}, arg_max(event_id, sequence) AS event_id FROM labels
     WHERE collection_id = $1 AND NOT stale AND sequence <= $2 AND occasion >= 0
         AND facet IN ('snippet', 'page') AND source <> 'adjudicated' AND ($3 OR {SEALED})
     GROUP BY ALL) AS standing"""
_LEVELS = f"""
    SELECT {", ".join(f"standing.{one} AS {one}" for one in _KEY)},
        said.aspect AS aspect, said.level AS given_level, scale.counts_as AS level
    FROM {_STANDING} JOIN (FROM aspect_labels WHERE collection_id = $1) AS said USING (event_id)
    JOIN (FROM aspects WHERE collection_id = $1) AS defined ON defined.name = said.aspect
    LEFT JOIN (FROM aspect_levels WHERE collection_id = $1) AS scale
        ON scale.aspect = said.aspect AND scale.level = said.level
    ORDER BY {", ".join(f"standing.{one}" for one in _KEY)}, defined.position"""


def read_aspect_labels(
    store: Store, collection_id: str, until: int = LATEST, *, discussed: bool = False
) -> pd.DataFrame:
    """Return what stood of all aspects at a label event, a row for each label and aspect.

    As for ``read_labels``, what was said after seeing others counts only with ``discussed``.

    Columns are topic_id, document_id, facet, engine, assessor_id, occasion, aspect, given_level
    (missing where it was left out) and level (as counted).
    """
    return fetch_frame(store.cursor(), _LEVELS, [collection_id, until, discussed])


def read_labels_of_aspect(
    store: Store,
    collection_id: str,
    aspect: str,
    until: int = LATEST,
    *,
    discussed: bool = False,
) -> pd.DataFrame:
    """Return what ``read_labels`` does with the levels of an aspect in place of relevance.

    Labels without a level of this aspect have no row.
    """
    here = store, collection_id, until
    aspects = read_aspect_labels(*here, discussed=discussed)
    return replace_levels(read_labels(*here, discussed=discussed), aspects, aspect)


def replace_levels(labels: pd.DataFrame, aspects: pd.DataFrame, aspect: str) -> pd.DataFrame:
    """Return labels with the levels of an aspect; those without one are left out.

    Parameters
    ----------
    labels : DataFrame
        As ``read_labels`` returns them, perhaps with further columns.
    aspects : DataFrame
        As ``read_aspect_labels`` returns it.
    aspect : str
        The name of the aspect.
    """
    own = aspects[(aspects["aspect"] == aspect) & aspects["given_level"].notna()]
    own = own[[*_KEY, "given_level", "level"]]
    joined = labels.drop(columns=["given_level", "level"]).merge(own, on=list(_KEY))
    whole = joined.astype({"given_level": "int32", "level": "int32"})
    return whole[list(labels.columns)]


def list_aspect_levels(labels: pd.DataFrame, aspects: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each label and aspect, for a file: in the order of the labels.

    It has the columns of the labels, but what belongs to a label as a whole (dwell_ms, comment);
    ``relevance`` is the level that the label itself gives. ``state`` is 'unjudged' where the
    aspect was left out. The parameters are those of ``replace_levels``.
    """
    kept = labels.rename(columns={"given_level": "relevance"})
    kept = kept.drop(columns=["level", "state", "dwell_ms", "comment"])
    rows = kept.merge(aspects, on=list(_KEY))
    return rows.assign(state=rows["given_level"].notna().map({True: "level", False: "unjudged"}))
