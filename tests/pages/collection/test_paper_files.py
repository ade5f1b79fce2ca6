"""The paper pack on the export page: what the button hands out."""

import io
import zipfile

import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tests.short import long

pytestmark = long
pytest.importorskip("matplotlib", reason="the extra 'paper' is not installed")


def test_the_page_hands_out_the_pack(open_page, organiser, filled, monkeypatch):
    offer, offered = st.download_button, {}

    def keep(label, data, **named):
        offered[label] = (data, named["file_name"])
        return offer(label, data, **named)

    monkeypatch.setattr(st, "download_button", keep)
    assert DeltaGenerator.download_button is not keep
    at = open_page("export", organiser, **{"export-part": "Bundle and paper"})
    assert not at.exception
    assert at.multiselect(key="paper-measures").value == ["nDCG@10", "AP"]
    data, name = offered["Paper pack"]
    assert name.endswith("paper.zip")
    with zipfile.ZipFile(io.BytesIO(data())) as archive:
        names = archive.namelist()
        assert {"paper.tex", "methods.md", "references.bib", "tables/qrels-versions.tex"} <= {
            *names
        }
        assert b"judged" in archive.read("methods.md")
