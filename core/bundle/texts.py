"""The texts of a bundle: what it holds, and the methods with the numbers filled in."""

import csv
import io
from collections.abc import Iterator, Mapping

from core.analysis.base.wording import count
from core.bundle.description import FILE, LABELS, Description
from core.bundle.printed import DIGITS
from core.collection.export import restore
from core.versions.rules import QrelsRule
from core.versions.wording import describe_rule

README, METHODS = "README.md", "methods.md"

_TOLD = {
    "agreement": "agreement of all assessors, by coefficient, with 95 % limits",
    "agreement_pairs": "agreement of every two assessors",
    "weights": "weights of levels by the User Disagreement Model",
    "scores": "scores of systems on each topic",
    "means": "mean scores with 95 % limits over topics",
    "ranking": "systems in order of their means",
    "significance": "differences between every two systems, with p",
    "rank_correlation": "Kendall's τ between the orders under every two qrels versions",
}
_IN_TEXT = ("kappa(linear)", "alpha(ordinal)")


def tell_entries(about: Description, names: list[str]) -> dict[str, str]:
    """Return what each entry is, in words."""
    told = {
        FILE: "what was computed from what, with which seeds and software",
        LABELS: "labels, with codes for assessors",
        README: "what this bundle holds",
        METHODS: "the methods, with the numbers of this study",
        **{one.file: f"qrels '{one.name}'" for one in about.versions},
        **{rule_file(one.file): f"rule of the qrels '{one.name}'" for one in about.versions},
        **{one.file: f"run '{one.system}'" for one in about.runs},
        **{f"tables/{name}.csv": text for name, text in _TOLD.items()},
    }
    return {name: told.get(name, "figure, as Plotly's JSON") for name in names}


def rule_file(qrels: str) -> str:
    """Return the entry of a version's rule by that of its qrels."""
    return f"rules/{qrels.rpartition('/')[2].removesuffix('.qrels')}.json"


def write_readme(about: Description, names: list[str]) -> bytes:
    """Return README.md: what each entry is, and how to compute the tables anew."""
    told = tell_entries(about, sorted(names))
    listed = "\n".join(f"- `{name}`: {_mark(text)}" for name, text in told.items())
    return f"""# {_mark(about.collection)}

A study bundle of Dissent {about.software["dissent"]}. It is an RO-Crate 1.1. This computes every
table anew and compares each cell:

    dissent reproduce STUDY.zip

{" ".join(_explain(about))}

{listed}
""".encode()


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
    elif labels.published:
        yield "Assessors appear by codes."
    else:
        yield "Labels are not in the bundle, so what rests on them cannot be computed anew."
    if about.simulated:
        yield "The labels are simulated."


def write_methods(about: Description, tables: Mapping[str, bytes]) -> bytes:
    """Return methods.md: one paragraph a subject, its numbers from the printed tables."""
    parts = [_judging(about, tables), *_versions(about), _scoring(about, tables)]
    return ("# Methods\n\n" + "\n\n".join(filter(None, parts)) + "\n").encode()


def _judging(about: Description, tables: Mapping[str, bytes]) -> str:
    labels = about.labels
    if not labels.assessors + labels.left_out:
        return ""
    who = count(labels.assessors + labels.left_out, "assessor")
    words = [f"The labels of {who} are simulated." if about.simulated else f"{who} judged."]
    if labels.published and labels.left_out:
        words.append(f"Agreement is that of the {labels.assessors:,} whose labels are published.")
    for row in _rows(tables, "agreement"):
        if row["coefficient"] in _IN_TEXT and row["value"]:
            limits = f" [{row['low']}, {row['high']}]" if row["low"] else ""
            words.append(
                f"On {row['facet']}s, {row['coefficient']} is {row['value']}{limits} "
                f"(n = {row['n']}; 95 % limits by the {row['interval']} over "
                f"{row['units']} {row['unit']}s)."
            )
    return " ".join(words)


def _versions(about: Description) -> Iterator[str]:
    for one in about.versions:
        said = describe_rule(QrelsRule.from_json(one.rule)) if one.rule else "Imported."
        yield f"Qrels '{_mark(one.name)}' ({one.judgements:,} judgements): {_mark(said)}"


def _scoring(about: Description, tables: Mapping[str, bytes]) -> str:
    if "means" not in tables:
        return ""
    rows = _rows(tables, "means")
    topics = sorted({int(row["topics"]) for row in rows if row["topics"]})
    span = f"{topics[0]:,}" if topics[0] == topics[-1] else f"{topics[0]:,} to {topics[-1]:,}"
    words = [
        f"{count(len(about.runs), 'run')} {'were' if len(about.runs) != 1 else 'was'} scored by "
        f"{', '.join(about.measures)} on {span} topics, with the whole levels of the qrels."
    ]
    if "significance" in tables:
        systems = len({row["system"] for row in rows})
        words += [f"Differences: {about.test}.", about.test.explain(systems)]
    return " ".join(words)


def _rows(tables: Mapping[str, bytes], name: str) -> list[dict[str, str]]:
    text = tables.get(name, b"").decode()
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [{key: restore(value) for key, value in row.items()} for row in rows]


def _mark(text: str) -> str:
    """Return a text without what Markdown or a page would take for more than text."""
    plain = " ".join(text.split())
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace("[", "\\[").replace("`", "'")
