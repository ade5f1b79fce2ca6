"""What a bundle says of its entries, to people."""

from collections.abc import Iterator, Sequence

from core.bundle.description import FILE, LABELS, Description
from core.bundle.figures import tell_paper
from core.bundle.methods import METHODS, REFERENCES, mark_text
from core.bundle.preferences import PREFERENCES
from core.bundle.printed import DIGITS
from core.wording import count

README = "README.md"

_TABLE_PURPOSES = {
    "agreement": "agreement of all assessors, by coefficient, with 95 % limits",
    "agreement_pairs": "agreement of every two assessors",
    "weights": "weights of levels by the User Disagreement Model",
    "preferences": "wins, losses and ties of what was judged side by side",
    "strengths": "strengths of what was judged side by side, by Bradley and Terry's model; "
    "95 % limits hold for each item by itself",
    "scores": "scores of systems on each topic",
    "means": "mean scores with 95 % limits over topics",
    "ranking": "systems in order of their means",
    "significance": "differences between every two systems, with p",
    "rank_correlation": "Kendall's τ between the orders under every two qrels versions",
}

_FIGURES = {
    "json": "figure, as Plotly's JSON",
    "svg": "figure for papers, as SVG",
    "pdf": "figure for papers, as PDF",
}


def tell_entries(about: Description, names: list[str]) -> dict[str, str]:
    """Return what each entry is, in words."""
    described = {
        FILE: "what was computed from what, with which seeds and software",
        LABELS: "labels, with codes for assessors",
        PREFERENCES: "preferences, with codes for assessors",
        README: "what this bundle holds",
        METHODS: "the methods, with the numbers of this study",
        REFERENCES: "what the methods cite, as BibTeX",
        **{one.file: f"qrels '{one.name}'" for one in about.versions},
        **{rule_file(one.file): f"rule of the qrels '{one.name}'" for one in about.versions},
        **{one.file: f"run '{one.system}'" for one in about.runs},
        **{f"tables/{name}.csv": text for name, text in _TABLE_PURPOSES.items()},
    }
    return {
        name: described.get(name) or _FIGURES.get(name.rpartition(".")[2], "") for name in names
    }


def rule_file(qrels: str) -> str:
    """Return the entry of a version's rule by that of its qrels."""
    return f"rules/{qrels.rpartition('/')[2].removesuffix('.qrels')}.json"


def write_readme(about: Description, names: list[str], notes: Sequence[str] = ()) -> bytes:
    """Return README.md: what each entry is, how to compute tables anew, and notes on them."""
    entries = tell_entries(about, sorted(names))
    listed = "\n".join(f"- `{name}`: {mark_text(text)}" for name, text in entries.items())
    lines = "".join(f"- {mark_text(f'{note[:1].upper()}{note[1:]}.')}\n" for note in notes)
    known = f"\n## What readers of the tables have to know\n\n{lines}" if lines else ""
    return f"""# {mark_text(about.collection)}

A study bundle of Dissent {about.software["dissent"]}. It is an RO-Crate 1.1. This computes every
table anew and compares each cell:

    dissent reproduce STUDY.zip

{" ".join([*_explain(about), *tell_paper(about.software, names)])}

{listed}
{known}""".encode()


def _explain(about: Description) -> Iterator[str]:
    yield f"Real numbers in tables have {DIGITS} decimals; an empty cell has no value."
    if any(not one.published for one in about.runs):
        yield (
            f"Some runs are not in the bundle: `{FILE}` has the SHA-256 of each, and `--run` takes "
            "the files."
        )
    labels = about.labels
    if labels.published and labels.left_out:
        yield (
            f"Labels of {count(labels.left_out, 'assessor')} are not published, as consent to that "
            f"is not known. The tables of agreement and weights rest on those of the other "
            f"{labels.assessors:,}; the qrels rest on everybody's."
        )
    elif not labels.agreement:
        yield "Neither labels nor the agreement of assessors are in the bundle."
    elif labels.published:
        yield "Assessors appear by codes."
    else:
        yield "Labels are not in the bundle, so what rests on them cannot be computed anew."
    if about.simulated:
        yield "The labels are simulated."
