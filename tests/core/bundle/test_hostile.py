"""Bundles that were made to harm: with hashes that fit, and entries of another form."""

import json

import pytest

from core.bundle.archive import read_archive, write_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.bundle.reproduction import reproduce
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, DissentError
from tests.core.bundle.conftest import seal
from tests.each import each
from tests.short import few, long

QUICK = SignificanceTest(samples=50)


@pytest.fixture(scope="module")
def entries(made):
    """A bundle without labels, whose tables of agreement are taken as they are published."""
    choices = Choices(versions=["all, maximum"], measures=["AP"], test=QUICK)
    return read_archive(make_bundle(made.study, choices).content, "b.zip")


@pytest.mark.parametrize(
    "garbage", few([b"\xff\xfe", b"", b"a,b\n1,2\n", b'"', b"x" * 200_000, b"[" * 50_000])
)
@each(
    "name",
    [
        "tables/agreement.csv",
        "tables/ranking.csv",
        "qrels/01-all-maximum.qrels",
        "runs/001-s0.run",
        "figures/means-01.json",
    ],
)
def test_garbage_is_refused_or_found(entries, name, garbage):
    try:
        found = reproduce(write_archive(seal({**entries, name: garbage})), name="b.zip")
    except DissentError as error:
        refused = str(error)
    else:
        refused = "" if found.is_reproduced else "found"
    assert refused


@each("file", ["../up.qrels", "/etc/passwd", "qrels/\x1b[2J.qrels", "README.md"])
def test_a_description_cannot_name_other_files(entries, file):
    about = json.loads(entries["study.json"])
    about["versions"][0]["file"] = file
    text = json.dumps(about).encode()
    with pytest.raises(BadInput, match="is no entry of qrels or of a run"):
        reproduce(write_archive(seal({**entries, "study.json": text})))


@long
@each("rule", ["{", '{"combine": "magic"}', '{"name": 3, "judges": -1}', "[" * 9999])
def test_a_rule_that_is_none_is_refused(entries, rule):
    about = json.loads(entries["study.json"])
    about["versions"][0]["rule"] = rule
    text = json.dumps(about).encode()
    with pytest.raises(BadInput):
        reproduce(write_archive(seal({**entries, "study.json": text})))
