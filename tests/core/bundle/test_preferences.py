"""What was judged side by side is in a bundle as labels are, and its tables are computed anew."""

import pytest

from core.analysis.agreement.preferences import preferences_on
from core.analysis.base.study import Study
from core.bundle.archive import read_archive, write_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.bundle.preferences import (
    PREFERENCES,
    pack_preferences,
    tabulate_preferences,
    unpack_preferences,
)
from core.bundle.printed import read_printed
from core.bundle.reproduction import reproduce
from core.comparison.significance_test import SignificanceTest
from core.demo import load_demo
from core.store.store import Store
from tests.core.bundle.conftest import seal
from tests.short import long

QUICK = Choices(
    versions=["all, maximum"],
    labels=True,
    imported_labels=True,
    measures=["AP"],
    test=SignificanceTest(samples=50),
)
TABLES = ("tables/preferences.csv", "tables/strengths.csv")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("demo") / "demo.duckdb")
    study = Study(store, load_demo(store), is_masked=True)
    yield study
    store.close()


@pytest.fixture(scope="module")
def entries(demo):
    return read_archive(make_bundle(demo, QUICK).content, "b.zip")


def states(found):
    return {one.entry: one.status for one in found.parts}


@long
def test_wins_are_those_of_the_page_and_are_computed_anew(demo, entries):
    header, *rows = read_printed(entries[TABLES[0]], "t")
    found = [dict(zip(header, row, strict=True)) for row in rows]
    documents = [one for one in found if (one["kind"], one["facet"]) == ("documents", "page")]
    outcomes = preferences_on(demo, "documents", "page").outcomes
    assert [int(one["wins"]) for one in documents] == outcomes["wins"].tolist()
    assert [one["first"] for one in documents] == outcomes["first"].tolist()
    told = states(reproduce(write_archive(entries)))
    assert {told[name] for name in TABLES} == {"equal"}


@long
def test_a_preference_that_was_changed_together_with_all_hashes_is_found(entries):
    lines = entries[PREFERENCES].split(b"\n")
    del lines[1]
    found = reproduce(write_archive(seal({**entries, PREFERENCES: b"\n".join(lines)})))
    assert states(found)[TABLES[0]] == "different"
    assert not found.is_reproduced


@long
def test_without_labels_no_preference_leaves_and_the_tables_are_not_checked(demo):
    chosen = Choices(versions=["all, maximum"], measures=["AP"], test=QUICK.test)
    made = make_bundle(demo, chosen)
    assert PREFERENCES not in made.entries
    told = {one.entry: one for one in reproduce(made.content).parts}
    for name in TABLES:
        assert name in made.entries
        assert told[name].status == "not checked"
        assert told[name].reason == "preferences are not in the bundle"


@long
def test_nothing_of_them_is_public_where_agreement_is_not(demo):
    chosen = Choices(versions=["all, maximum"], measures=["AP"], test=QUICK.test, agreement=False)
    assert not {*TABLES, PREFERENCES, "tables/agreement.csv"} & {*make_bundle(demo, chosen).entries}


def test_only_those_who_agreed_are_packed(demo):
    assert pack_preferences(demo, published=True, imported=False) is None  # nobody was asked
    vouched = pack_preferences(demo, published=True, imported=True)
    assert vouched == pack_preferences(demo, published=False, imported=False)
    preferences = unpack_preferences(vouched)
    assert preferences["assessor_id"].str.startswith("a-").all()
    tables = tabulate_preferences(preferences)
    documents = tables["preferences"].query("kind == 'documents' and facet == 'page'")
    outcomes = preferences_on(demo, "documents", "page").outcomes
    assert documents["wins"].tolist() == outcomes["wins"].tolist()
    assert set(tables["strengths"]["kind"]) == set(preferences["kind"])


@long
def test_only_those_who_agreed_are_in_it(demo, entries):
    assert b"a-" in entries[PREFERENCES]
    simulated = Choices(versions=["all, maximum"], labels=True, measures=["AP"], test=QUICK.test)
    assert PREFERENCES not in make_bundle(demo, simulated).entries  # nobody was asked
