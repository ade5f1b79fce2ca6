"""The paper pack: tables, figures, a paragraph on methods and BibTeX, as files."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.agreement.base import name_coefficient
from core.analysis.agreement.between_assessors import agreement_of, pairs_of_assessors
from core.analysis.agreement.user_disagreement import declared_weights
from core.analysis.base.declared import declared_first
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import Study, facets_of
from core.analysis.methods_text import MethodsText, describe_methods
from core.analysis.results.declared import (
    declared_choice,
    declared_measures,
    declared_test,
)
from core.analysis.results.qrels_choices import QrelsChoice
from core.analysis.results.scores import ask_curves, ask_scores
from core.collection.export.latex_text import escape_latex
from core.collection.export.table_formats import (
    ENDINGS,
    TABLE_FORMATS,
    TextTable,
    name_apart,
    set_apart,
    slugify,
    write_latex,
)
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.figures.agreement import draw_intervals, draw_pair_matrix
from core.figures.disagreement import draw_top_probability
from core.figures.effectiveness import draw_precision_recall
from core.figures.printed import FIGURE_FORMATS, print_figure
from core.figures.style import COLOURS, Figure
from core.measures.catalogue import parse_measure
from core.numerals import write_number
from core.paper.choices import MEASURES
from core.paper.tables import (
    tabulate_agreement,
    tabulate_levels,
    tabulate_scores,
    tabulate_versions,
)
from core.reports.curves import USUAL
from core.version import __version__

_BEGIN = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{booktabs}
\usepackage{longtable}
\usepackage{graphicx}
\begin{document}
\section*{Methods}
\input{methods}
"""


@dataclass(frozen=True)
class PaperPack:
    """What a paper takes: files by their paths, and what could not be made.

    Parameters
    ----------
    files : mapping of str to bytes
        ``methods.md`` and ``.tex``, ``references.bib``, ``tables/…`` as LaTeX, Markdown and CSV,
        which has the data unrounded and limits in columns of their own, ``figures/…`` as SVG and
        PDF, and ``paper.tex``, which shows all of them.
    notes : list of str
        What is left out, and why.
    """

    files: Mapping[str, bytes]
    notes: list[str] = field(default_factory=list)

    def zip(self) -> bytes:
        """Return the files as one ZIP, the same for the same files."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in self.files.items():
                archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content)
        return out.getvalue()


def make_pack(
    study: Study,
    versions: Sequence[QrelsChoice] = (),
    measures: Sequence[str] = (),
    significance: SignificanceTest | None = None,
) -> PaperPack:
    """Return the paper pack of what has been judged so far.

    Parameters
    ----------
    study : Study
        The collection. Masked, it names no assessor.
    versions : sequence of QrelsChoice, optional
        By which runs are scored; the one that the study declares, without.
    measures : sequence of str, optional
        Differences are tested by the first of them; without, the declared one and usual ones.
    significance : SignificanceTest, optional
        How; the default test at the declared α, without.

    Raises
    ------
    BadInput
        A measure cannot be read.
    """
    chosen_measures = measures or declared_measures(study, MEASURES)
    texts = tuple(dict.fromkeys(str(parse_measure(one)) for one in chosen_measures))
    test = significance or declared_test(study)
    judged = [one for one in facets_of(study) if len(ratings_of(study, one).item)]
    facets = declared_first(study, judged)
    chosen = list(versions) or _choose_version(study)
    tables, figures = list[TextTable](), dict[str, Figure]()
    for facet in facets:
        tables += [*tabulate_agreement(study, facet), *tabulate_levels(study, facet)]
        figures |= draw_agreement(study, facet)
    tables += tabulate_versions(study, chosen)
    for choice in chosen:
        tables += tabulate_scores(study, choice, texts, test)
        figures |= draw_scores(study, choice, texts[0])
    methods = describe_methods(
        study,
        facet=facets[0] if facets else "",
        versions=chosen,
        measures=texts,
        significance=test,
        software=f"Dissent {__version__}",
    )
    return _write(methods, name_apart(tables), figures)


def _choose_version(study: Study) -> list[QrelsChoice]:
    """Return the version that the study declares; before any label, none."""
    choice = declared_choice(study)
    return [] if choice is None else [choice]


def _write(
    methods: MethodsText, tables: Mapping[str, TextTable], figures: Mapping[str, Figure]
) -> PaperPack:
    named = dict(zip(set_apart(map(slugify, figures)), figures, strict=True))
    drawn, notes = _print_figures({name: figures[caption] for name, caption in named.items()})
    files = {
        "paper.tex": _write_paper(methods, tables, named if drawn else {}),
        "methods.md": f"{methods.markdown}\n",
        "methods.tex": write_methods(methods),
        "references.bib": methods.bibtex,
    }
    for name, table in tables.items():
        for form, ending in ENDINGS.items():
            latex = form == "latex"
            text = write_latex(table, name) if latex else TABLE_FORMATS[form](table)
            files[f"tables/{name}.{ending}"] = text
    if notes:
        files["notes.txt"] = "\n".join([*notes, ""])
    content = {path: text.encode("utf-8", "replace") for path, text in files.items()}
    return PaperPack({**content, **drawn}, notes)


def _print_figures(figures: Mapping[str, Figure]) -> tuple[dict[str, bytes], list[str]]:
    """Return the figures as files; where they cannot be printed, none and the reason."""
    try:
        return {
            f"figures/{name}.{form}": print_figure(figure, form)
            for name, figure in figures.items()
            for form in FIGURE_FORMATS
        }, []
    except BadInput as error:
        return {}, [f"no figures: {error}"]


def write_methods(methods: MethodsText) -> str:
    r"""Return the paragraph as LaTeX, with ``\cite`` for what it rests on."""
    cited = [rf"~\cite{{{','.join(keys)}}}" if keys else "" for _, keys in methods.parts]
    texts = [escape_latex(text) for text, _ in methods.parts]
    return "".join(text + cite for text, cite in zip(texts, cited, strict=True)) + "\n"


def _write_paper(
    methods: MethodsText, tables: Mapping[str, TextTable], figures: Mapping[str, str]
) -> str:
    body = [rf"\input{{tables/{name}}}" for name in tables]
    for name, caption in figures.items():
        body += [
            r"\begin{figure}[htbp]",
            r"  \centering",
            rf"  \includegraphics{{figures/{name}.pdf}}",
            rf"  \caption{{{escape_latex(caption)}}}",
            rf"  \label{{fig:{name}}}",
            r"\end{figure}",
        ]
    cited = [r"\bibliographystyle{plain}", r"\bibliography{references}"] if methods.sources else []
    return _BEGIN + "\n".join([*body, r"\clearpage", *cited, r"\end{document}", ""])


MOST_ASSESSORS = 20
"""Up to how many a matrix of every two can be read in a column's width."""


def draw_agreement(study: Study, facet: str) -> dict[str, Figure]:
    """Return coefficients, the matrix of assessors and p(top | level); none without a pair."""
    try:
        overall, pairs = agreement_of(study, facet).overall, pairs_of_assessors(study, facet)
    except TooLittleData:
        return {}
    named = overall.assign(name=overall["coefficient"].map(name_coefficient), counted=True)
    found = {f"Agreement on {facet}s": draw_intervals(named[named["value"].notna()], x="agreement")}
    if 2 < len({*pairs["first"], *pairs["second"]}) <= MOST_ASSESSORS:
        matrix = draw_pair_matrix(pairs.rename(columns={"linear": "value"}))
        found[f"Agreement of every two assessors on {facet}s"] = matrix
    weighed = declared_weights(study, facet)
    rows = weighed.levels
    if rows["p"].notna().any():
        written = [
            f"({write_number(p, 2)})" if few else write_number(p, 2)
            for p, few in zip(rows["p"], rows["few"], strict=True)
        ]
        found[f"Top probability by level on {facet}s"] = draw_top_probability(
            rows.assign(p_shown=written), weighed.labels.name(weighed.model.top)
        )
    return found


def draw_scores(study: Study, choice: QrelsChoice, measure: str) -> dict[str, Figure]:
    """Return means with their intervals, and precision by recall; none without scores."""
    try:
        scores = ask_scores(study, choice, (measure,))
        means = scores.sort(scores.means)
    except TooLittleData:
        return {}
    if means["value"].isna().all():
        return {}
    rows = means.assign(name=means["system"], n=means["topics"], counted=True)
    found = {f"Scores by {measure}, {choice.name}": draw_intervals(rows, x=measure)}
    systems = rows["system"].tolist()
    if len(systems) <= len(COLOURS):
        curve = ask_curves(study, choice, USUAL, ()).eleven_points
        curve = curve[curve["system"].isin(systems)]
        if not curve.empty:
            found[f"Precision by recall, {choice.name}"] = draw_precision_recall(curve)
    return found
