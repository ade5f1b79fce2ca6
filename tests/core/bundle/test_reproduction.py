"""A bundle is computed anew to the last digit; whatever was changed in it is found and named."""

import csv
import json
import re
from dataclasses import replace

import plotly.io as pio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bundle.archive import read_archive, write_archive
from core.bundle.choices import HASHES, Choices
from core.bundle.crate import METADATA
from core.bundle.hashes import MANIFEST, find_changes
from core.bundle.making import make_bundle
from core.bundle.preferences import FROM_PREFERENCES
from core.bundle.reproduction import reproduce
from core.bundle.tables import TABLES
from core.collection.files.source import Source
from core.errors import BadInput
from tests.core.bundle.conftest import OPEN, TEST, seal
from tests.short import few, long

_LIMITS = "value low high interval unit"
COLUMNS = {
    "agreement": f"facet coefficient pairs n {_LIMITS} units reason",
    "agreement_pairs": f"facet first second n coefficient {_LIMITS} units reason",
    "means": f"qrels system measure {_LIMITS} judged topics reason",
    "rank_correlation": "measure first second tau low high interval unit units p",
    "ranking": "measure qrels system rank value",
    "scores": "qrels system topic_id measure value judged reason",
    "significance": "measure qrels first second difference low high p effect_size reason",
    "weights": "facet level cases top_cases pairs p low high topics few reason weight weight_low "
    "weight_high",
}
"""What others read a bundle's tables by."""


def states(found):
    return {one.entry: one.status for one in found.parts}


def test_every_part_is_equal(made):
    found = reproduce(made.bundle)
    assert found.is_reproduced
    assert (found.changes, found.software) == ((), ())
    assert set(states(found).values()) == {"equal"}
    assert {f"tables/{name}.csv" for name in {*TABLES} - {*FROM_PREFERENCES}} < set(states(found))
    written = sorted(one for one in states(found) if one.endswith(".qrels"))
    names = ["01-all-median-in-whole-levels", "02-all-maximum", "03-all-minimum"]
    assert written[:3] == [f"qrels/{name}.qrels" for name in names], "none of them twice"


def test_each_table_has_its_columns(made):
    """Making and computing anew share a code: a column that both lack would be found by neither."""
    tables = {name: text for name, text in made.entries.items() if name.startswith("tables/")}
    heads = {name: text.decode().partition("\n")[0] for name, text in tables.items()}
    told = {name: " ".join(json.loads(f"[{head}]")) for name, head in heads.items()}
    assert told == {f"tables/{name}.csv": columns for name, columns in COLUMNS.items()}


@long
def test_the_same_study_makes_the_same_bytes(made):
    assert make_bundle(made.study, OPEN).content == made.bundle


@long
def test_figures_do_not_follow_the_look_of_a_server(made, monkeypatch):
    monkeypatch.setattr(pio.templates, "default", "plotly_dark")
    assert make_bundle(made.study, OPEN).content == made.bundle


@given(st.data())
def test_one_changed_byte_of_any_entry_is_found_and_named(made, data):
    name = data.draw(st.sampled_from(sorted(made.entries)))
    content = bytearray(made.entries[name])
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    changes = find_changes({**made.entries, name: bytes(content)}, made.entries[METADATA])
    assert set(changes) == {name}


@pytest.mark.parametrize(
    "name", few(["study.json", "tables/means.csv", "labels/labels.csv", METADATA, MANIFEST])
)
def test_a_changed_bundle_is_not_reproduced(made, name):
    content = bytearray(made.entries[name])
    content[len(content) // 2] ^= 1
    found = reproduce(made.with_entries(**{name: bytes(content)}))
    assert not found.is_reproduced
    assert [one.entry for one in found.changes] == [name]


@long
def test_an_entry_that_is_missing_or_new_is_named(made):
    for name in ("tables/means.csv", MANIFEST, METADATA):
        found = reproduce(made.with_entries(**{name: None}))
        assert [(one.entry, one.reason) for one in found.changes] == [(name, "is missing")]
    found = reproduce(made.with_entries(**{"tables/more.csv": b"1"}))
    assert [one.entry for one in found.changes] == ["tables/more.csv"]
    assert not found.is_reproduced


def test_a_number_that_was_changed_together_with_all_hashes_is_found(made):
    own = made.entries["tables/means.csv"]
    first = next(csv.DictReader(own.decode().splitlines()))
    value = b'"%s"' % first["value"].encode()
    assert value.startswith(b'"0.')
    forged = own.replace(value, b'"0.9999"', 1)
    found = reproduce(write_archive(seal({**made.entries, "tables/means.csv": forged})))
    assert found.changes == ()
    assert not found.is_reproduced
    (part,) = [one for one in found.parts if one.entry == "tables/means.csv"]
    assert (part.status, part.number) == ("different", 1)
    assert (part.cells[0].row, part.cells[0].column) == (1, "value")
    assert part.cells[0].published == "0.9999"
    assert "the software is the same" in part.reason


@long
def test_a_judgement_that_was_changed_together_with_all_hashes_is_found(made):
    name = "qrels/02-all-maximum.qrels"
    lines = made.entries[name].splitlines()
    lines[0] = lines[0][:-1] + (b"3" if lines[0][-1:] == b"0" else b"0")
    forged = b"\n".join(lines) + b"\n"
    found = states(reproduce(write_archive(seal({**made.entries, name: forged}))))
    assert found[name] == "different"
    assert found["tables/scores.csv"] == "different"
    assert found["tables/agreement.csv"] == "equal"


@long
def test_other_software_is_told(made):
    about = json.loads(made.entries["study.json"])
    about["software"]["numpy"] = "1.0"
    text = json.dumps(about).encode()
    found = reproduce(write_archive(seal({**made.entries, "study.json": text})))
    assert [(one.name, one.then) for one in found.software] == [("numpy", "1.0")]
    assert found.is_reproduced


@long
def test_without_labels_what_rests_on_them_is_not_checked(made):
    bundle = make_bundle(made.study, Choices(test=TEST)).content
    entries = read_archive(bundle, "b.zip")
    assert "labels/labels.csv" not in entries
    assert "tables/agreement_pairs.csv" not in entries
    texts = [own for name, own in entries.items() if not name.endswith((".pdf", ".txt"))]
    assert not re.search(rb"\ba-[0-9a-f]", b"".join(texts))
    found = reproduce(bundle)
    assert found.is_reproduced
    reasons = {one.entry: one.reason for one in found.parts if one.status == "not checked"}
    for told in ("methods.md", "references.bib"):
        assert reasons.pop(told) == "it tells numbers of labels that are not in the bundle"
    assert reasons == dict.fromkeys(
        [
            "qrels/01-all-median-in-whole-levels.qrels",
            "qrels/02-all-maximum.qrels",
            "qrels/03-all-minimum.qrels",
            "tables/agreement.csv",
            "tables/weights.csv",
        ],
        "labels are not in the bundle",
    )


@long
def test_runs_by_their_hashes_are_to_be_given(made, study_files):
    bundle = make_bundle(made.study, replace(OPEN, runs=HASHES)).content
    assert not [name for name in read_archive(bundle, "b.zip") if name.startswith("runs/")]
    without = reproduce(bundle)
    assert states(without)["tables/scores.csv"] == "not checked"
    assert states(without)["tables/agreement.csv"] == "equal"
    assert "--run" in {one.entry: one.reason for one in without.parts}["tables/means.csv"]
    files = sorted((study_files / "runs").iterdir())
    whole = reproduce(bundle, [Source.at(one) for one in files])
    assert whole.is_reproduced
    assert set(states(whole).values()) == {"equal"}
    some = reproduce(bundle, [Source.at(files[0])])
    assert states(some)["tables/scores.csv"] == "not checked"


@long
def test_another_run_is_refused(made, study_files):
    bundle = make_bundle(made.study, replace(OPEN, runs=HASHES)).content
    text = (study_files / "runs" / "s0.run").read_text()
    with pytest.raises(BadInput, match="'s0' is not the run that was scored"):
        reproduce(bundle, [Source("s0.run", text.replace(" 1 ", " 1 9", 1).encode())])
    with pytest.raises(BadInput, match="'other' is no run of this study; there are s0, s1"):
        reproduce(bundle, [Source("other.run", text.replace("s0\n", "other\n").encode())])


@long
def test_nothing_checked_is_not_reproduced(made):
    bundle = make_bundle(made.study, Choices(test=TEST, runs=HASHES)).content
    found = reproduce(bundle)
    assert "different" not in states(found).values()
    assert {one.entry for one in found.parts if one.status == "equal"} <= {
        one.entry for one in found.parts if one.entry.startswith(("figures/", "methods"))
    }
    assert not found.is_reproduced


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", 2),
        ("samples", 10**9),
        ("samples", -1),
        ("seed", "1"),
        ("measures", ["nonsense@x"]),
        ("measures", "AP"),
        ("levels", {"shoe": [0, 1]}),
        ("levels", {"page": [0] * 5000}),
        ("alpha", 2),
        ("runs", [{"system": "s"}]),
        ("versions", {"a": 1}),
        ("labels", None),
        ("software", []),
    ],
)
def test_a_description_of_another_form_is_refused(made, field, value):
    about = {**json.loads(made.entries["study.json"]), field: value}
    if value == []:
        about[field] = 3
    text = json.dumps(about).encode()
    with pytest.raises(BadInput, match=r"study\.json"):
        reproduce(write_archive(seal({**made.entries, "study.json": text})))


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b"[" * 100_000, b"\xff"])
def test_a_description_that_is_none_is_refused(made, text):
    with pytest.raises(BadInput, match=r"study\.json"):
        reproduce(write_archive(seal({**made.entries, "study.json": text})))


def test_an_archive_without_a_description_is_refused(made):
    with pytest.raises(BadInput, match=r"holds no 'study\.json'"):
        reproduce(made.with_entries(**{"study.json": None}))


def test_the_corrections_that_were_chosen_are_recorded_and_computed_anew(made):
    def test_by(**chosen):
        bundle = make_bundle(made.study, replace(OPEN, test=replace(TEST, **chosen))).content
        lines = read_archive(bundle, "b.zip")["tables/significance.csv"].decode().splitlines()
        return bundle, [float(one["p"] or "nan") for one in csv.DictReader(lines)]

    (bundle, corrected), (_, plain) = (
        test_by(test="t", correction="bonferroni", over_conditions=True),
        test_by(test="t", correction="none"),
    )
    about = json.loads(read_archive(bundle, "b.zip")["study.json"])
    runs, versions = len(about["runs"]), len(about["versions"])
    times = runs * (runs - 1) // 2 * versions
    assert min(runs - 1, versions) > 1
    expected = [min(1.0, times * one) for one in plain]
    rounded = times * 1e-4  # p has four decimals there
    assert corrected == pytest.approx(expected, abs=rounded, nan_ok=True)
    assert reproduce(bundle).is_reproduced


@pytest.mark.parametrize(
    ("measure", "state"), [("DCG@5", "equal"), ("nDCG@5", "different")], ids=["without", "with"]
)
def test_limits_of_means_without_a_highest_score_are_not_compared_with_earlier_ones(
    made, measure, state
):
    """Earlier releases, which did not name their test, made them otherwise."""
    entries = read_archive(make_bundle(made.study, replace(OPEN, measures=(measure,))).content, "b")
    about = json.loads(entries["study.json"])
    entries["study.json"] = json.dumps({**about, "tested_by": ""}).encode()
    rows = [*csv.reader(entries["tables/means.csv"].decode().splitlines())]
    at = rows[0].index("high")
    lines = [rows[0], *([*row[:at], "99.0000", *row[at + 1 :]] for row in rows[1:])]
    text = "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in lines)
    entries["tables/means.csv"] = text.encode()
    found = reproduce(write_archive(seal(entries)))
    (part,) = (one for one in found.parts if one.entry == "tables/means.csv")
    assert part.status == state
    told = "not compared, as found otherwise since: low, high, interval"
    assert (part.reason == told) == (state == "equal")
