"""The paper pack: its tables are the analyses', its files open, and it compiles."""

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pypdfium2
import pytest

import dissent
from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import find_choice
from core.collection.export.latex_text import escape_latex
from core.collection.records import numeric_scale
from core.command.main import main
from core.demo import load_demo
from core.errors import BadInput
from core.figures import printed
from core.numerals import write_limits, write_number
from core.paper.pack import PaperPack, make_pack
from core.store.content.collections import create_collection, get_collection
from core.store.store import Store
from tests.short import long

pytest.importorskip("matplotlib", reason="the extra 'paper' is not installed")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("pack") / "demo.duckdb"
    store = Store(path)
    name = get_collection(store, load_demo(store)).name
    store.close()
    return path, name


@pytest.fixture(scope="module")
def folder(demo: tuple[Path, str]) -> Path:
    """The pack as the command writes it."""
    path, name = demo
    place = path.parent / "out"
    words = ["paper", place, "--store", path, "--collection", name, "--version", "all, median"]
    assert main([*map(str, words), "--measure", "ndcg_cut_10", "map"]) == 0
    return place


def read_data(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / "tables" / f"{name}.csv", keep_default_na=False, na_values=[""])


def read_table(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table as it is shown, from Markdown."""
    text = (folder / "tables" / f"{name}.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [
        [re.sub(r"\\(.)", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines
    ]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


def test_tables_are_those_of_the_api(demo, folder):
    with dissent.open_store(demo[0]) as store:
        labels, qrels = store.labels(), store.qrels("all, median")
        found = dissent.agreement(labels, ["kappa(linear)"], facet="page").overall.iloc[0]
        scores = dissent.evaluate(store.runs(), qrels, ["nDCG@10", "AP"])
    rows = {row["coefficient"]: row for row in read_table(folder, "agreement-on-pages")}
    value = f"{write_number(found['value'])} {write_limits(found['low'], found['high'])}"
    assert rows["linear weighted κ"]["value [95 %]"] == value
    means = scores.means.set_index(["system", "measure"])
    name = "scores-of-systems-all-median"
    table, data = read_table(folder, name), read_data(folder, name)
    assert [row["system"] for row in table] == scores.systems
    for row in table:
        for measure in ("nDCG@10", "AP"):
            own = means.loc[(row["system"], measure)]
            expected = f"{write_number(own['value'])} {write_limits(own['low'], own['high'])}"
            assert row[f"{measure} [95 %]"] == expected
            (given,) = data[
                (data["system"] == row["system"]) & (data["measure"] == measure)
            ].to_dict("records")
            for column in ("value", "low", "high", "rank"):
                assert given[column] == pytest.approx(own[column], rel=1e-12)
    differences = read_table(folder, "differences-of-systems-by-ndcg-10-all-median")
    assert len(differences) == len(table) * (len(table) - 1) // 2


def test_every_table_has_the_same_cells_in_print_and_its_data_as_csv(folder):
    names = {path.stem for path in (folder / "tables").iterdir()}
    assert len(names) >= 8
    for name in names:
        rows = read_table(folder, name)
        cells = [list(rows[0]), *(list(row.values()) for row in rows)]
        latex = (folder / f"tables/{name}.tex").read_text(encoding="utf-8")
        assert (r"\endhead" in latex) == (len(rows) > 40)
        head, body = re.search(
            r"\\toprule\n([^\n]*)\n *\\midrule\n(?:.*\\endfoot\n)?(.*?)\n *\\(?:bottomrule|end)",
            latex,
            re.DOTALL,
        ).groups()  # fmt: skip
        split = [
            re.split(r"(?<!\\)&", line.strip().removesuffix(r" \\"))
            for line in (head, *body.splitlines())
        ]
        assert [[cell.strip() for cell in line] for line in split] == [
            [escape_latex(cell) for cell in row] for row in cells
        ]
        assert rf"\label{{tab:{name}}}" in latex
        data = read_data(folder, name)
        assert len(data) >= len(rows)
        for column in {"value", "low", "high", "p", "difference"} & {*data}:
            assert data[column].dtype == "float64", (name, column)
        assert not [one for one in data if "[" in one]


def test_figures_open_and_are_alike_in_size(folder):
    stems = {path.stem for path in (folder / "figures").iterdir()}
    assert stems == {
        *("agreement-on-pages", "agreement-on-snippets", "precision-by-recall-all-median"),
        *(f"agreement-of-every-two-assessors-on-{facet}s" for facet in ("page", "snippet")),
        *(f"top-probability-by-level-on-{facet}s" for facet in ("page", "snippet")),
        "scores-by-ndcg-10-all-median",
    }
    for stem in stems:
        root = ElementTree.parse(folder / f"figures/{stem}.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        document = pypdfium2.PdfDocument(folder / f"figures/{stem}.pdf")
        assert len(document) == 1
        assert document[0].get_width() == pytest.approx(72 * printed.WIDTH, abs=0.5)
        written = document[0].get_textpage().get_text_range()
        assert sum(letter.isalpha() for letter in written) > 10
        document.close()
    scores = (folder / "figures/scores-by-ndcg-10-all-median.svg").read_text(encoding="utf-8")
    assert "lantern" in scores
    assert "nDCG@10" in scores
    paper = (folder / "paper.tex").read_text(encoding="utf-8")
    assert r"\caption{Scores by nDCG@10, all, median}" in paper


def test_methods_and_sources_belong_together(folder):
    markdown = (folder / "methods.md").read_text(encoding="utf-8")
    latex = (folder / "methods.tex").read_text(encoding="utf-8")
    cited = {key for group in re.findall(r"\\cite\{([^}]+)\}", latex) for key in group.split(",")}
    assert cited == set(re.findall(r"@(\w+)[];]", markdown))
    bibliography = (folder / "references.bib").read_text(encoding="utf-8")
    assert set(re.findall(r"^@\w+\{(\w+),", bibliography, re.MULTILINE)) == cited
    assert "were scored by nDCG@10 [@jarvelin2002] and AP" in markdown


def test_nobody_is_named(demo, folder):
    store = Store(demo[0])
    names = {f"simulated-{number}" for number in range(1, 12)}
    store.close()
    for path in folder.rglob("*"):
        if path.suffix in {".tex", ".md", ".csv", ".svg", ".bib"}:
            text = path.read_text(encoding="utf-8")
            assert not [name for name in names if re.search(rf"{name}\b", text)], path


@long
def test_the_same_study_gives_the_same_zip(demo):
    store = Store(demo[0])
    collection_id = next(iter(store_ids(store)))
    packs = []
    for _ in range(2):
        study = Study(store, collection_id, is_masked=True)
        packs.append(make_pack(study, [find_choice(study, "all, median")], ["AP"]).zip())
    store.close()
    assert packs[0] == packs[1]
    with zipfile.ZipFile(io.BytesIO(packs[0])) as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == "paper.tex"


def store_ids(store: Store) -> list[str]:
    from core.store.content.collections import list_collections

    return [one.collection_id for one in list_collections(store)]


@long
def test_without_labels_there_is_a_pack_that_says_so(tmp_path):
    store = Store(tmp_path / "empty.duckdb")
    scales = {"page": numeric_scale(range(3))}
    study = Study(store, create_collection(store, "Empty", scales=scales), is_masked=True)
    pack = make_pack(study)
    store.close()
    assert set(pack.files) == {"paper.tex", "methods.md", "methods.tex", "references.bib"}
    assert pack.files["methods.md"].startswith(b"No page has been judged yet.")


@long
def test_without_matplotlib_the_rest_is_made_and_the_reason_told(demo, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    store = Store(demo[0])
    study = Study(store, store_ids(store)[0], is_masked=True)
    pack: PaperPack = make_pack(study, measures=["AP"])
    store.close()
    assert not [path for path in pack.files if path.startswith("figures/")]
    assert b"pip install 'dissent-ir[paper]'" in pack.files["notes.txt"]
    assert b"includegraphics" not in pack.files["paper.tex"]


def test_a_folder_with_something_in_it_stays(demo, tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    words = ["paper", str(tmp_path), "--store", str(demo[0]), "--collection", demo[1]]
    assert main(words) == 1
    assert "not an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_format_or_part_that_cannot_be_printed_is_refused():
    import plotly.graph_objects as go

    with pytest.raises(BadInput, match="'png' is none of svg, pdf"):
        printed.print_figure(go.Figure(), "png")
    with pytest.raises(BadInput, match="'pie' cannot be printed"):
        printed.print_figure(go.Figure(go.Pie(values=[1])), "svg")


def test_names_in_figures_are_text():
    import plotly.graph_objects as go

    figure = go.Figure(go.Bar(x=[1, 2], y=["$x_1$ &lt;b>", "two"], orientation="h"))
    svg = printed.print_figure(figure, "svg").decode()
    assert "$x_1$ &lt;b" in svg
    assert svg == printed.print_figure(figure, "svg").decode()


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX is not installed")
def test_the_paper_compiles(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "paper")
    for command in (["pdflatex"], ["bibtex"], ["pdflatex"], ["pdflatex"]):
        options = ["-interaction=nonstopmode", "-halt-on-error"] if "pdf" in command[0] else []
        words = [*command, *options, "paper"]
        done = subprocess.run(words, cwd=tmp_path / "paper", capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    log = (tmp_path / "paper/paper.log").read_text(encoding="utf-8", errors="replace")
    assert "undefined" not in log
    assert "Missing character" not in log
    assert max(map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)), default=0) < 60
