"""The MUST rules of the RO-Crate Metadata Specification 1.1, and what the bundle says of itself.

https://www.researchobject.org/ro-crate/specification/1.1/ (structure.html, root-data-entity.html,
data-entities.html, contextual-entities.html, metadata.html, appendix/jsonld.html).
"""

import json
import re
from hashlib import sha256

import pytest

from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.crate import METADATA, NO_LICENCE
from core.bundle.hashes import MANIFEST
from core.bundle.making import make_bundle
from tests.core.bundle.conftest import TEST
from tests.short import long


@pytest.fixture(scope="module")
def crate(made):
    return json.loads(made.entries[METADATA])


@pytest.fixture(scope="module")
def graph(crate):
    return {one["@id"]: one for one in crate["@graph"]}


def test_the_metadata_file_is_in_the_root_and_is_flattened_json_ld(crate):
    assert METADATA == "ro-crate-metadata.json"
    assert set(crate) == {"@context", "@graph"}
    assert "https://w3id.org/ro/crate/1.1/context" in crate["@context"]
    assert all(isinstance(one, dict) for one in crate["@graph"])


def test_every_entity_has_an_id_of_its_own_and_a_type(crate, graph):
    assert len(graph) == len(crate["@graph"])
    assert all(one["@type"] for one in graph.values())


def test_the_graph_is_flat(graph):
    for one in graph.values():
        for value in one.values():
            for part in value if isinstance(value, list) else [value]:
                assert isinstance(part, str) or set(part) == {"@id"}


def test_the_descriptor_says_what_it_conforms_to_and_is_about(graph):
    assert graph[METADATA] == {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }


def test_the_root_has_what_it_must(graph):
    root = graph["./"]
    assert root["@type"] == "Dataset"
    assert root["name"]
    assert root["description"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", root["datePublished"])
    assert root["license"] == {"@id": "https://example.org/cc0"}
    assert graph["https://example.org/cc0"]["@type"] == "CreativeWork"


def test_every_file_is_linked_from_the_root_and_is_there(made, graph):
    parts = [one["@id"] for one in graph["./"]["hasPart"]]
    files = {name for name, one in graph.items() if one["@type"] == "File"}
    assert sorted(files) == sorted(parts)
    assert set(parts) == set(made.entries) - {METADATA, MANIFEST}
    for name in parts:
        assert graph[name]["sha256"] == sha256(made.entries[name]).hexdigest()
        assert int(graph[name]["contentSize"]) == len(made.entries[name])
        assert "\\" not in name
        assert re.fullmatch(r"[\w./-]+", name)


def test_what_is_referred_to_is_described(graph):
    references = [
        part["@id"]
        for one in graph.values()
        for key, value in one.items()
        if key != "conformsTo"
        for part in (value if isinstance(value, list) else [value])
        if isinstance(part, dict)
    ]
    assert set(references) <= set(graph)


def test_terms_beyond_the_context_are_defined(crate):
    (own,) = [one for one in crate["@context"] if isinstance(one, dict)]
    assert set(own) == {"sha256"}
    assert own["sha256"].startswith("https://")


@long
def test_without_a_licence_it_says_so(made):
    entries = read_archive(make_bundle(made.study, Choices(test=TEST)).content, "b.zip")
    graph = {one["@id"]: one for one in json.loads(entries[METADATA])["@graph"]}
    assert graph["./"]["license"] == NO_LICENCE


def test_the_readme_names_every_entry(made):
    text = made.entries["README.md"].decode()
    for name in set(made.entries) - {METADATA, MANIFEST}:
        assert f"`{name}`: " in text


def test_the_methods_have_the_numbers_of_the_tables(made):
    text = made.entries["methods.md"].decode()
    assert text.startswith("# Methods\n\n4 assessors judged 120 pages for 8 topics and gave 240 ")
    median = "“all, median, in whole levels” holds 120 judgements for 8 topics, from 240 labels"
    assert f"{median}: The median" in text
    assert "5 runs were scored by AP [@" in text
    assert "B = 500, seed 3, α = 0.05" in text
