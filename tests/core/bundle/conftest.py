"""One small study, as stores and as bundles, for all tests of bundles."""

import json
from dataclasses import dataclass
from hashlib import sha256

import pytest

from core.analysis.base.study import Study
from core.bundle.archive import read_archive, write_archive
from core.bundle.choices import Choices
from core.bundle.crate import METADATA
from core.bundle.hashes import MANIFEST, write_manifest
from core.bundle.making import make_bundle
from core.comparison.significance_test import SignificanceTest
from core.store.content.collections import list_collections
from core.store.store import Store
from tests.conftest import import_study
from tests.core.api.made_up import write_study

TEST = SignificanceTest(samples=500, seed=3)
OPEN = Choices(labels=True, imported_labels=True, test=TEST, licence="https://example.org/cc0")


@dataclass(frozen=True)
class Made:
    """A study's store, as it was imported, and its bundle with everything in it."""

    study: Study
    bundle: bytes
    entries: dict[str, bytes]

    def with_entries(self, **changed: bytes | None) -> bytes:
        """Return the bundle with other entries, by their names; None takes one away."""
        own = {**self.entries, **changed}
        return write_archive({name: one for name, one in own.items() if one is not None})


def seal(entries):
    """Return entries with hashes that fit them, as somebody who tampers would write them."""
    graph = json.loads(entries[METADATA])
    for one in graph["@graph"]:
        if "sha256" in one:
            one["sha256"] = sha256(entries[one["@id"]]).hexdigest()
    sealed = {**entries, METADATA: json.dumps(graph).encode()}
    del sealed[MANIFEST]
    return {**sealed, MANIFEST: write_manifest(sealed)}


@pytest.fixture(scope="package")
def study_files(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("made-up"))


@pytest.fixture(scope="package")
def study_path(study_files, tmp_path_factory):
    return import_study(study_files, tmp_path_factory.mktemp("store") / "study.duckdb")


@pytest.fixture(scope="package")
def made(study_path):
    store = Store(study_path)
    study = Study(store, list_collections(store)[0].collection_id, is_masked=True)
    bundle = make_bundle(study, OPEN).content
    yield Made(study, bundle, read_archive(bundle, "b.zip"))
    store.close()
