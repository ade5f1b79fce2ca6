"""Snippets are offered where there are any, and pages always."""

import pytest

from core.analysis.base.facets import facets_of, has_snippets
from core.analysis.base.study import Study
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import PAGE, SNIPPET
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales

HEADER = "assessor\ttopic\tdocument\tengine\tfacet\tlevel\n"


@pytest.fixture
def made(store):
    return Study(store, create_collection(store, "Some"), is_masked=False)


def bring(study: Study, kind: str, text: str) -> Study:
    options = {"scales": get_scales(study.store, study.collection_id)} if kind == "labels" else {}
    read = read_import(kind, Source(f"{kind}.txt", text.encode()), **options)
    write_import(study.store, study.collection_id, read)
    return Study(study.store, study.collection_id, is_masked=False)


def test_both_may_come_while_nothing_is_there(made):
    assert facets_of(made) == [PAGE, SNIPPET]
    assert not has_snippets(made)


def test_labels_of_pages_alone_leave_snippets_out_until_there_are_some(made):
    study = bring(made, "labels", f"{HEADER}a\tt\td\t\tpage\t2\n")
    assert facets_of(study) == [PAGE]
    results = "topic\tengine\tdocument\trank\tsnippet\nt\te\td\t1\tSeen\n"
    study = bring(study, "results", results)
    assert has_snippets(study)
    assert facets_of(study) == [PAGE, SNIPPET]


def test_labels_of_snippets_need_no_results(made):
    study = bring(made, "labels", f"{HEADER}a\tt\td\te\tsnippet\t2\n")
    assert facets_of(study) == [PAGE, SNIPPET]
