"""Every report says the same through all of its doors of another version, with α declared."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.analysis.collection.declaring import declare
from tests.pages import test_report_doors as doors
from tests.pages import test_report_doors_results as results
from tests.pages.conftest import serve_copy
from tests.pages.test_report_doors import Asked, compare, made_up_store, replace  # noqa: F401
from tests.short import long

pytestmark = [long, pytest.mark.timeout(1200)]

ALPHA = 0.2
OTHERS = ("all, median, in whole levels", "all, minimum")
EVERY = [(doors, *one) for one in doors.EVERY] + [(results, *one) for one in results.EVERY]


@pytest.fixture
def declared(
    made_up_store: Asked,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Asked]:
    """A study that declares another measure, version, α and model than are asked for by name."""
    for module in (doors, results):
        monkeypatch.setattr(module, "VERSIONS", OTHERS, raising=False)
        monkeypatch.setattr(module, "VERSION", OTHERS[0], raising=False)
    monkeypatch.setattr(doors, "BUNDLES", {})
    with serve_copy(made_up_store.store.path, tmp_path) as store:
        test = replace(doors.TEST, alpha=ALPHA)
        question = doors.CompareQuestion(test)
        asked = replace(made_up_store, store=store, folder=tmp_path, compared=question)
        declare(asked.study, {"measure": "AP", "alpha": ALPHA, "users": 5, "at_least": 2})
        yield asked


@pytest.mark.parametrize(
    ("module", "report", "door"), EVERY, ids=[f"{report}-{door}" for _, report, door in EVERY]
)
def test_another_version_is_the_same_through_every_door(module, report, door, declared, capsys):
    asking = module.ASKING if module is doors else module.ASKED
    expected = asking[report](declared)
    compare(module.ask(report, door, declared, capsys), expected)
