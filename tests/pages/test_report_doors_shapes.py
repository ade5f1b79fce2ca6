"""Every report says the same through all of its doors on real collections, too."""

from pathlib import Path

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store
from tests.pages.test_report_doors import ASKING, EVERY, Agreement, Asked, ask, compare, make_asked
from tests.pages.test_report_doors_results import ASKED
from tests.pages.test_report_doors_results import EVERY as EVERY_RESULT
from tests.pages.test_report_doors_results import ask as ask_result
from tests.short import long

pytestmark = [long, pytest.mark.timeout(1200)]

RF10 = {"assessor": "workerID", "topic": "topicID", "document": "docID", "level": "label"}


def bring(store: Store, here: str, kind: str, path: Path, **options: object) -> None:
    if kind == "labels":
        options["scales"] = get_scales(store, here)
    write_import(store, here, read_import(kind, Source.at(path), **options))


@pytest.fixture
def dl19_asked(dl19: Path, store: Store, tmp_path: Path) -> Asked:
    """Eight assessors, 37 runs: those of the first five teams."""
    here = create_collection(store, "dl19", scales={"page": numeric_scale(range(4))})
    bring(store, here, "topics", dl19 / "topics.tsv")
    bring(store, here, "labels", dl19 / "labels.tsv")
    for run in sorted((dl19 / "runs").iterdir())[:5]:
        bring(store, here, "runs", run)
    return make_asked(store, here, tmp_path)


@pytest.mark.parametrize(("report", "door"), EVERY)
def test_dl19(report: str, door: str, dl19_asked: Asked, capsys):
    compare(ask(report, door, dl19_asked, capsys), ASKING[report](dl19_asked))


@pytest.mark.parametrize(("report", "door"), EVERY_RESULT)
def test_dl19_results(report: str, door: str, dl19_asked: Asked, capsys):
    compare(ask_result(report, door, dl19_asked, capsys), ASKED[report](dl19_asked))


@pytest.mark.parametrize(("report", "door"), [one for one in EVERY if one[0] == Agreement.name])
def test_rf10(report: str, door: str, shared_data: Path, store: Store, tmp_path: Path, capsys):
    """A crowd of 763, and no runs."""
    here = create_collection(store, "rf10", scales={"page": numeric_scale(range(3))})
    path = shared_data / "rf10" / "labels.tsv.gz"
    bring(store, here, "labels", path, columns=RF10, missing=["-2"])
    asked: Asked = make_asked(store, here, tmp_path)
    compare(ask(report, door, asked, capsys), ASKING[report](asked))
