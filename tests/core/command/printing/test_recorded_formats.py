"""Tables of every command as CSV, LaTeX and Markdown: the cells of the table for people."""

import csv
import io
import re
import shutil
import subprocess
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.collection.export.latex_text import escape_latex
from core.collection.export.table_formats import (
    TextTable,
    escape_markdown,
    tabulate,
    write_csv,
    write_latex,
    write_markdown,
    write_tables,
)
from core.command.main import main
from core.command.printing.recording import print_data, run_recorded
from core.settings import DEMO_DATA
from tests.short import few, long

Cells = list[list[str]]

PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{booktabs}
\usepackage{longtable}
\begin{document}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs and qrels of four topics, with names that other formats take for commands."""
    place = tmp_path_factory.mktemp("formats")
    for system, order in {"a_1": "abcd", "b&2": "bacd", "c|3": "dcba"}.items():
        lines = [
            f"t{topic} Q0 {document} 0 {9 - rank} {system}\n"
            for topic in range(4)
            for rank, document in enumerate(order[topic % 2 :])
        ]
        (place / f"{system[0]}.run").write_text("".join(lines))
    for name, best in {"one_x": "ab", "two": "cd"}.items():
        lines = [f"t{topic} 0 {one} {int(one in best)}\n" for topic in range(4) for one in "abcd"]
        (place / f"{name}.qrels").write_text("".join(lines))
    rng = np.random.default_rng(5)
    lines = ["assessor\ttopic\tdocument\tlevel\tgroup"]
    for topic in range(14):
        for document, useful in enumerate(rng.normal(1.5, 1, 5)):
            lines += [
                f"p_{who}\tt{topic}\td{document}\t{min(max(level, 0), 3)}\t{'ab'[who % 2]}%"
                for who, level in enumerate((useful + rng.normal(0, 0.7, 6)).round().astype(int))
            ]
    (place / "labels.tsv").write_text("\n".join(lines) + "\n")
    return place


LABELS, PREFERENCES = "labels.tsv", DEMO_DATA / "preferences.tsv"
SCORED = ("--run", "a.run", "b.run", "c.run", "--measure", "AP", "P@2")
COMMANDS = {
    "weights": (LABELS, "--facet", "page", "--top", "3", "--users", "3", "--at-least", "1"),
    "agreement": (LABELS, "--facet", "page"),
    "verify": (LABELS, "--facet", "page", "--top", "3", "--min-labels", "3", "--mutual"),
    "evaluate": ("--qrels", "one_x.qrels", *SCORED, "--per-topic"),
    "compare": ("--qrels", "one_x.qrels", "two.qrels", *SCORED, "--permutations", "100"),
    "informativeness": ("--qrels", "one_x.qrels", *SCORED[:-1], "--depth", "3"),
    "preferences": (PREFERENCES,),
    "measures": (),
    "pool": ("--run", "a.run", "b.run", "c.run", "--depth", "2"),
}

DATA = {*COMMANDS} - {"measures", "pool"}
UNSAMPLED = {"informativeness"}
"""Of these CSV is one long table of plain numbers; some of them have no limits."""

PEOPLE = {name: words for name, words in COMMANDS.items() if name not in DATA}


@pytest.fixture
def printed(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)

    def call(name: str, form: str) -> str:
        capsys.readouterr()
        assert main([name, *map(str, COMMANDS[name]), "--format", form]) == 0
        return capsys.readouterr().out

    return call


def read_markdown(text: str) -> list[Cells]:
    found = [[]]
    for line in text.splitlines():
        if line.startswith("| "):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            found[-1].append([cell.strip() for cell in cells])
        elif found[-1]:
            found.append([])
    return [[table[0], *table[2:]] for table in found if table]


def read_latex(text: str) -> list[Cells]:
    """Return tables as they begin: one that breaks over pages has its head again on each."""
    once = re.sub(r"\\endfirsthead.*?\\endfoot\n", "", text, flags=re.DOTALL)
    tables = re.findall(r"\\toprule\n(.*?)(?:\\bottomrule|\\end\{longtable\})", once, re.DOTALL)
    return [
        [
            [cell.strip() for cell in re.split(r"(?<!\\)&", line.strip().removesuffix(r"\\"))]
            for line in table.splitlines()
            if line.strip() != r"\midrule" and line.strip()
        ]
        for table in tables
    ]


def read_csv(text: str) -> list[Cells]:
    blocks = [list(csv.reader(io.StringIO(block))) for block in text.split("\n\n")]
    return [block[1:] if len(block[0]) == 1 else block for block in blocks]


@pytest.mark.parametrize("name", few(PEOPLE))
def test_every_format_has_the_cells_of_the_table(name, printed):
    plain = printed(name, "table")
    tables = read_csv(printed(name, "csv"))
    assert tables
    assert all(len(row) == len(table[0]) for table in tables for row in table)
    markdown, latex = printed(name, "md"), printed(name, "latex")
    escaped = [[[escape_markdown(cell) for cell in row] for row in table] for table in tables]
    assert read_markdown(markdown) == escaped
    assert read_latex(latex) == [
        [[escape_latex(cell) for cell in row] for row in table] for table in tables
    ]
    lines = {" ".join(line.split()) for line in plain.splitlines()}
    beyond = [
        table
        for table in tables
        if not all(" ".join(" ".join(row).split()) in lines for row in table[:11])
    ]
    assert not beyond
    labels = re.findall(r"\\label\{tab:([a-z0-9-]+)\}", latex)
    assert len(labels) == len(set(labels)) == len(tables)
    assert "\ue000" not in markdown + latex


@pytest.mark.parametrize("name", sorted(DATA))
def test_data_are_one_table_of_plain_numbers(name, printed):
    (table,) = read_csv(printed(name, "csv"))
    header, *rows = table
    assert rows
    assert all(len(row) == len(header) for row in rows)
    limited = {"low", "high", "interval"}
    assert {"table", *(() if name in UNSAMPLED else limited)} <= {*header}
    for row in rows if limited <= {*header} else ():
        limits = [row[header.index(which)] for which in ("low", "high")]
        assert not any(limits) or float(limits[0]) <= float(limits[1])
    markdown, latex = (printed(name, form) for form in ("md", "latex"))
    apart = [[[escape_latex(cell) for cell in row] for row in one] for one in unescaped(markdown)]
    assert read_latex(latex) == apart


def unescaped(markdown: str) -> list[Cells]:
    return [
        [[re.sub(r"\\(.)", r"\1", cell) for cell in row] for row in table]
        for table in read_markdown(markdown)
    ]


def test_data_hold_no_formula(capsys):
    def run(_: Namespace) -> int:
        print_data(pd.DataFrame({"system": ["=1+1", "s"], "value": [-0.5, None]}))
        return 0

    assert run_recorded(run, Namespace(), "csv") == 0
    assert [*csv.reader(io.StringIO(capsys.readouterr().out))] == [
        ["system", "value"], ["'=1+1", "-0.5"], ["s", ""]
    ]  # fmt: skip


@long
def test_what_is_said_stays_beside_the_tables(printed):
    markdown, latex = printed("agreement", "md"), printed("agreement", "latex")
    assert "95 % limits over topics (14), by the jackknife" in markdown
    assert r"\footnotesize 95 \% limits over topics (14), by the jackknife" in latex
    assert "--format json has all" not in markdown + latex
    assert "% high agreement" in latex


def test_a_refusal_stays_a_refusal(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    words = ["evaluate", "--qrels", "none.qrels", *SCORED, "--format", "md"]
    assert main(words) == 1
    assert capsys.readouterr().out == ""


HOSTILE = TextTable(
    ("name", "n"),
    (
        ("=1+1", "-0.5"),
        (r"\input{/etc/passwd}%$^_~", "3"),
        ("[a](javascript:x) | <b>`c`", "1,234"),
        ("κ ≥ α – “q” 中文 \U0001f600 \x07 é ß", "–"),
        ("two\nlines", "< 0.001"),
    ),
    "50 % of {a}_b & [c]",
    ("a note: 100 %",),
)


LONG = TextTable(("system", "mean"), tuple((f"s{at}", "0.500") for at in range(41)), "Many")


def test_a_table_that_no_page_holds_breaks_over_pages():
    latex = write_latex(LONG)
    assert latex.count(r"\begin{longtable}{lr}") == latex.count(r"\end{longtable}") == 1
    first, every, foot, rows = re.split(r"\\end(?:firsthead|head|foot)\n", latex)
    assert r"\caption{Many}\label{tab:many} \\" in first
    assert first.count("system & ") == every.count("system & ") == 1
    assert foot.strip() == r"\bottomrule"
    assert rows.count(r" \\") == 41
    fits = write_latex(replace(LONG, rows=LONG.rows[1:]))
    assert r"\begin{tabular}{lr}" in fits
    assert "longtable" not in fits


def test_a_table_that_has_its_data_is_that_as_csv():
    data = pd.DataFrame({"system": ["=a"], "mean": [1 / 3]})
    read = pd.read_csv(io.StringIO(write_csv(replace(LONG, data=data))))
    assert read["mean"].tolist() == [1 / 3]
    assert read["system"].tolist() == ["'=a"]


def test_nothing_that_somebody_wrote_is_a_command_a_formula_or_a_link():
    rows = list(csv.reader(io.StringIO(write_csv(HOSTILE))))
    assert rows[1] == ["'=1+1", "-0.5"]
    assert [row[1] for row in rows[1:]] == [row[1] for row in HOSTILE.rows]
    latex = write_latex(HOSTILE)
    assert r"\textbackslash{}input\{/etc/passwd\}\%\$\textasciicircum{}\_" in latex
    assert r"\begin{tabular}{p{.4\linewidth}r}" in latex
    assert r"\label{tab:50-of-a-b-c}" in latex
    markdown = write_markdown(HOSTILE)
    assert r"[a\](javascript:x) \| \<b>\`c\`" in markdown
    assert all(line.count(" | ") >= 1 for line in markdown.splitlines() if line.startswith("|"))


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX is not installed")
def test_latex_compiles(printed, tmp_path):
    parts = [printed(name, "latex") for name in COMMANDS]
    compile_latex(tmp_path, "\n".join([*parts, write_tables([HOSTILE, HOSTILE, LONG], "latex")]))


def compile_latex(folder: Path, body: str) -> bytes:
    (folder / "paper.tex").write_text(f"{PREAMBLE}{body}\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    return (folder / "paper.pdf").read_bytes()


def test_a_frame_is_shown_as_tables_show_it():
    frame = pd.DataFrame(
        {
            "system": ["a", None],
            "value": [-0.12345, float("nan")],
            "n": [1234, 5],
            "level": [2.0, float("nan")],
            "p": [0.00001, 0.25],
            "clear": [True, False],
        }
    )
    table = tabulate(frame, "Scores")
    assert table.rows == (
        ("a", "−0.123", "1,234", "2", "< 0.001", "yes"),
        ("–", "–", "5", "–", "0.250", "no"),
    )
    assert table.right == (False, True, True, True, True, False)


def test_no_name_of_a_file_stands_for_a_table(folder, capsys):
    """Where tables stand is marked by what no file can be called."""
    strange = folder / "a\ue0009\ue001.qrels"
    strange.write_bytes((folder / "two.qrels").read_bytes())
    words = ["evaluate", "--qrels", strange, "--run", folder / "a.run", "--measure", "AP"]
    for form in ("csv", "latex", "md"):
        assert main([*map(str, words), "--format", form]) == 0
        assert "AP" in capsys.readouterr().out
