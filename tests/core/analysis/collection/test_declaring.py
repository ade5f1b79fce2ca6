"""What can be declared, what is refused, and what is known of it in words."""

from pathlib import Path

import pytest

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study
from core.analysis.collection.declaring import declare, say_declaration
from core.analysis.results.declared import declared_choice, offer_declared, tell_difference
from core.analysis.results.qrels_choices import find_choice, list_choices, version_of
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.core.api.made_up import write_study


@pytest.fixture
def study(store: Store, tmp_path: Path) -> Study:
    files, here = write_study(tmp_path / "files"), create_collection(store, "Made up")
    runs = sorted((files / "runs").iterdir())
    for kind, path in (
        *(("topics", files / "topics.tsv"), ("labels", files / "labels.tsv")),
        *(("runs", one) for one in runs),
    ):
        options = {"scales": get_scales(store, here)} if kind == "labels" else {}
        write_import(store, here, read_import(kind, Source(path.name, path), **options))
    return Study(store, here, is_masked=False)


REFUSED = {
    "no measure": ({"measure": "nDGC@10"}, "measure"),
    "no comparable one": ({"measure": "GMAP"}, "measure"),
    "a mistyped version": ({"version": "all, medain"}, "all, median"),
    "that of one person": ({"version": "only a0"}, "version"),
    "α": ({"alpha": 1.0}, "alpha"),
    "users": ({"at_least": 4}, "4 of 3"),
    "no system": ({"baseline": "s99"}, "'s99'; near are s4"),
    "no topic": ({"topics": ("t1", "t99")}, "t99"),
    "no facet": ({"facet": "query"}, "page"),
    "no short line": ({"groups": "a\nb"}, "one line"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_there_is_refused_and_nothing_changes(study, name):
    changes, told = REFUSED[name]
    with pytest.raises(BadInput, match=told):
        declare(study, changes)
    assert declared_of(study).measure == "nDCG@10"
    assert declared_of(study).version == "all, median, in whole levels"


@pytest.mark.parametrize(
    "version", ["all, mean", "all, mean, in whole levels", "UDM", "UDM, 2 of 4", "slot 1", "own"]
)
def test_every_version_that_has_a_name_can_be_declared(study, version):
    rule = QrelsRule("own", "page", "first", assessors=("a0",))
    save_rule(study.store, study.collection_id, "own", rule.to_json())
    declare(study, {"version": version})
    choice = declared_choice(study)
    assert choice is not None
    assert choice == find_choice(study, version)
    offered = offer_declared(study, "page", list_choices(study, "page", model_of(study)))
    assert next(iter(offered.values())) == choice
    assert tell_difference(study, choice=choice) == ""


@pytest.mark.parametrize("version", ["all, mean", "all, sum", "UDM", "UDM, 2 of 4"])
def test_gains_that_are_weights_of_levels_are_refused_where_a_version_has_none(study, version):
    measure = "nDCG(gain='udm')@10"
    before = declare(study, {"version": "all, maximum"})
    with pytest.raises(BadInput, match="a weight for each level of the scale"):
        declare(study, {"measure": measure, "version": version})
    assert declared_of(study) == before
    declare(study, {"measure": measure, "version": "all, mean, in whole levels"})
    with pytest.raises(BadInput, match="a weight for each level of the scale"):
        declare(study, {"version": version})


def test_it_can_be_declared_before_anything_is_judged(store: Store):
    study = Study(store, create_collection(store, "new"), is_masked=True)
    declare(study, {"version": "all, median", "measure": "AP", "alpha": 0.01})
    assert declared_choice(study) is None
    assert say_declaration(study).startswith(
        "This study compares systems by **AP under *all, median***: labels of pages, all topics, "
        "α = 0.01."
    )


def test_what_is_declared_changes_no_version(study):
    before = version_of(study, find_choice(study, "all, median"))
    declare(study, {"version": "all, median", "topics": ("t1",), "alpha": 0.01})
    after = version_of(study, find_choice(study, "all, median"))
    assert after.content_hash == before.content_hash
    assert after.rule.to_json() == before.rule.to_json()


def test_udm_stands_for_the_users_that_are_declared(study):
    assert find_choice(study, "UDM").name == "UDM, 1 of 3"
    declare(study, {"users": 5, "at_least": 2})
    assert find_choice(study, "UDM").name == "UDM, 2 of 5"
    assert find_choice(study, "UDM, 1 of 3").name == "UDM, 1 of 3"


def test_what_differs_is_told(study):
    minimum = find_choice(study, "all, minimum")
    said = tell_difference(study, measure="AP", choice=minimum, alpha=0.01)
    assert said.startswith("Declared: nDCG")
    assert said.endswith("α = 0.05; shown: AP under *all, minimum*, α = 0.01.")
    assert tell_difference(study, measure="nDCG@10", alpha=0.05, facet="page") == ""
    assert "of snippets" in tell_difference(study, facet="snippet")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"groups": " expertise "}, "Groups of assessors are by expertise."),
        ({"groups": "Sex"}, "Groups of assessors are by Sex, a personal attribute."),
        ({"groups": "hobby", "personal": True}, "are by hobby, a personal attribute."),
        ({"personal": True}, "are by group, a personal attribute."),
    ],
)
def test_what_groups_are_by_is_declared_and_told(study, changes, told):
    assert "Groups of" not in say_declaration(study)
    declare(study, changes)
    assert say_declaration(study).endswith(told)
