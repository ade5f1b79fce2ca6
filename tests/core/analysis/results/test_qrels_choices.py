"""Finding a version by its name: the short way gives what listing all versions gives."""

import pytest

from core.analysis.base.declared import model_of
from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import MEANS, add_means, find_choice, list_choices
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import NotFound
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales
from core.store.store import Store
from core.versions.rules import QrelsRule
from core.versions.versions import COMBINED
from tests.each import each

NAMES = [f"all, {how}" for how in (*COMBINED, *MEANS)]
LABELS = "assessor\ttopic\tdocument\tfacet\tlevel\na\tt\td1\t{0}\t1\nb\tt\td1\t{0}\t2\n"


def make(store: Store, facet: str) -> Study:
    """Return a study in which one facet was judged."""
    here = create_collection(store, "small")
    source = Source("labels.tsv", LABELS.format(facet).encode())
    options = {"scales": get_scales(store, here)}
    write_import(store, here, read_import("labels", source, **options))
    return Study(store, here, is_masked=False)


@each("facet", ["page", "snippet"])
def test_versions_of_all_labels_are_those_on_the_list(store: Store, facet: str):
    study = make(store, facet)
    listed = add_means(study, facet, list_choices(study, facet, model_of(study, facet)))
    for name in NAMES:
        assert find_choice(study, name) == find_choice(study, name, facet) == listed[name]
    whole = find_choice(study, "all, median, in whole levels")
    assert whole.rule
    assert (whole.rule.facet, whole.rule.whole) == (facet, True)


def test_of_a_facet_that_nobody_judged_there_is_none(store: Store):
    study = make(store, "page")
    with pytest.raises(NotFound):
        find_choice(study, "all, maximum", "snippet")


def test_a_saved_rule_of_that_name_goes_before(store: Store):
    study = make(store, "page")
    rule = QrelsRule("all, maximum", "page", "maximum", assessors=("a",))
    save_rule(store, study.collection_id, rule.name, rule.to_json())
    later = Study(store, study.collection_id, is_masked=False)
    assert find_choice(later, "all, maximum").rule == rule
