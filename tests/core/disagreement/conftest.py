"""Labels for the tests of disagreement: small frames, and two real collections."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import

Frame = Callable[..., pd.DataFrame]


@pytest.fixture(scope="session")
def make_labels() -> Frame:
    """Return a function from rows of (topic, document, assessor, level) to a labels frame."""

    def build(rows: Iterable[tuple[str, str, str, float]], **columns: object) -> pd.DataFrame:
        names = ["topic_id", "document_id", "assessor_id", "level"]
        frame = pd.DataFrame(list(rows), columns=names)
        frame = frame.astype({name: "str" for name in names[:3]} | {"level": "float64"})
        fixed = {"facet": "page", "engine": "", "occasion": 0, "state": "level"}
        return frame.assign(**(fixed | columns))

    return build


@pytest.fixture(scope="session")
def dl19_labels(shared_data: Path, make_labels: Frame) -> pd.DataFrame:
    table = pd.read_csv(shared_data / "dl19" / "labels.tsv", sep="\t", dtype="str")
    columns = table[["topic", "document", "assessor", "level"]]
    return make_labels(columns.itertuples(index=False, name=None))


@pytest.fixture(scope="session")
def chorus_labels(shared_data: Path, make_labels: Frame) -> pd.DataFrame:
    table = pd.read_csv(shared_data / "chorus" / "ratings.csv", dtype="str")
    raters = ["agent_1_rating", "agent_2_rating", "agent_3_rating"]
    long = table.melt(["query", "docid"], raters, "rater", "level")
    return make_labels(long.itertuples(index=False, name=None))


@pytest.fixture(scope="session")
def rf10_labels(shared_data: Path) -> pd.DataFrame:
    """Crowd and gold labels of 0, 1 and 2; broken links (−2) left out."""
    columns = {"assessor": "workerID", "topic": "topicID", "document": "docID", "level": "label"}
    source = Source.at(shared_data / "rf10" / "labels.tsv.gz")
    read = read_import("labels", [source], columns=columns, missing=("-2",), gold="gold")
    return read.frames["labels"]
