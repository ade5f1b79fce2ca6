"""The export page offers a bundle of what the organiser chose, and says whose labels are in it."""

import streamlit as st

from core.bundle.archive import read_archive
from core.bundle.reproduction import reproduce
from core.store.people.consent import answer_consent, set_consent_text
from tests.short import long

LABELS = "export-bundle-labels"


BUNDLE = {"export-part": "Bundle and paper"}


def make_what_is_offered(monkeypatch, at):
    """Draw the page again and return the bundle that its button would hand out."""
    made = []

    def take(label, *_given, data, **_named):
        if label == "Study bundle":
            made.append(data())

    with monkeypatch.context() as patch:
        patch.setattr(st, "download_button", take)
        at.run()
    assert not at.exception
    return made[-1]


def test_without_anything_to_publish_there_is_no_bundle(open_page, organiser):
    at = open_page("export", organiser, **BUNDLE)
    assert "Study bundle" not in [one.value for one in at.header]


@long
def test_the_bundle_is_what_was_chosen(open_page, organiser, judged, monkeypatch):
    at = open_page("export", organiser, **BUNDLE)
    chosen = at.multiselect(key="export-bundle-versions")
    others = ["all, maximum", "all, median", "all, minimum"]
    assert chosen.value == ["all, median, in whole levels", *others]
    chosen.set_value(["all, median"])
    at.radio(key="export-bundle-runs").set_value("hashes")
    at.text_input(key="export-bundle-licence").set_value("https://example.org/cc0")
    entries = read_archive(make_what_is_offered(monkeypatch, at), "b.zip")
    (file,) = [one for one in entries if one.startswith("qrels/")]
    assert file == "qrels/01-all-median-in-whole-levels.qrels"
    assert not [one for one in entries if one.startswith(("runs/", "labels/"))]
    assert b"https://example.org/cc0" in entries["ro-crate-metadata.json"]
    assert any("dissent reproduce" in one.value for one in at.code)


@long
def test_labels_are_those_of_who_agreed(open_page, store, organiser, judged, monkeypatch):
    set_consent_text(store, judged, "May we?")
    answer_consent(store, judged, "a1", given=True)
    at = open_page("export", organiser, **BUNDLE)
    at.checkbox(key=LABELS).check().run()
    (said,) = [one.value for one in at.caption if one.value.startswith("Labels of")]
    assert said.startswith("Labels of 1 of ")
    bundle = make_what_is_offered(monkeypatch, at)
    lines = read_archive(bundle, "b.zip")["labels/labels.csv"].decode().splitlines()
    assert len({line.split(",")[0] for line in lines[1:]}) == 1
    assert all(line.startswith("a-") for line in lines[1:])
    assert reproduce(bundle).changes == ()


@long
def test_without_a_version_there_is_no_button_to_press(open_page, organiser, judged):
    at = open_page("export", organiser, **BUNDLE)
    at.multiselect(key="export-bundle-versions").set_value([]).run()
    assert [one.disabled for one in at.download_button if one.label == "Study bundle"] == [True]
