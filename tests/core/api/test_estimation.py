"""Estimates from Python: levels, lengths of documents, and figures of what comes out."""

import dissent
from tests.core.reports.test_estimate import make_study


def test_the_level_and_the_lengths_of_documents_are_passed_on():
    runs, human, machine = make_study()
    strict = dissent.estimate(runs, human, machine, "P@5", level=3).systems
    assert strict["measure"].unique().tolist() == ["P(rel=3)@5"]
    documents = runs[["document_id"]].drop_duplicates().assign(text="a word " * 90, html="")
    alike = dissent.estimate(runs, human, machine, ["TBG"]).systems
    short = dissent.estimate(runs, human, machine, ["TBG"], documents=documents).systems
    assert (short["value"] > alike["value"]).all()


def test_figures_show_the_first_measure_or_the_one_asked_for():
    found = dissent.estimate(*make_study(), ["AP", "nDCG@5"])
    assert dissent.figures.plot_estimates(found).layout.xaxis.title.text == "mean AP"
    figure = dissent.figures.plot_widths(found, "nDCG@5", "difference")
    assert "nDCG@5, differences" in figure.layout.yaxis.title.text
    assert figure.layout.shapes[0].x0 == 8
