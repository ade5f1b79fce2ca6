"""The README says what the code says itself; what it shows runs, and what it names exists."""

import gzip
import re
import shlex
from glob import glob
from pathlib import Path

import numpy as np
import pytest

from core.collection.formats import KINDS, format_names
from core.command.main import main
from core.registered import list_formats, list_values
from core.settings import ROOT
from tests.each import each
from tests.readme import README, REGISTERED, REGISTRIES, lay_out_registered, make_tables, put_in
from tests.short import few


def section(heading: str) -> str:
    """Return the text under a heading, up to the next one."""
    _, _, rest = README.read_text(encoding="utf-8").partition(f"\n{heading}\n")
    assert rest, f"the README has no section {heading}"
    return re.split(r"\n##+ ", rest)[0]


def test_its_tables_follow_from_the_code():
    text = README.read_text(encoding="utf-8")
    for name, table in make_tables().items():
        _, _, rest = text.partition(f"<!-- {name} -->\n")
        found = rest.partition("<!-- end -->")[0]
        assert found == table, f"renew it by python -m tests.readme; it should be:\n{table}"
    assert put_in(text) == text


def test_help_lists_what_is_registered():
    found = REGISTERED.read_text(encoding="utf-8")
    assert found == lay_out_registered(), "renew it by python -m tests.readme"
    for registry in REGISTRIES:
        told = list_values(registry.kind)
        assert [one.name for one in told] == registry.names()
        assert [text for one in told for text in one.suggested] == registry.suggested()
    assert list_formats() == {kind: format_names(kind) for kind in KINDS}


def test_every_registry_is_among_them():
    made = re.compile(r"^\w+: Registry\[\w+\] = Registry\(\"([^\"]+)\"", re.MULTILINE)
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "core").rglob("*.py")]
    kinds = sorted(kind for text in texts for kind in made.findall(text))
    assert kinds == sorted(registry.kind for registry in REGISTRIES)


def test_its_links_lead_somewhere():
    text = README.read_text(encoding="utf-8")
    headings = re.findall(r"^##+ (.+)$", text, re.MULTILINE)
    anchors = {f"#{heading.lower().replace(' ', '-')}" for heading in headings}
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 5
    lost = [one for one in links if one not in anchors and not (ROOT / one).is_file()]
    assert lost == []


@each("part", ["core", "core/analysis", "core/command", "core/store", "pages"])
def test_every_folder_has_its_place_in_the_layout(part: str):
    table = section("### How the code is laid out")
    (row,) = [one for one in table.splitlines() if one.startswith(f"| `{part}` |")] or [table]
    folders = [
        path for path in (ROOT / part).iterdir() if path.is_dir() and path.name != "__pycache__"
    ]
    names = {f"{part}/{path.name}" if part == "core" else path.name for path in folders}
    assert {one for one in names if f"`{one}`" not in row} == set()


def test_every_path_in_the_layout_exists():
    table = section("### How the code is laid out")
    paths = set(re.findall(r"`([\w.]+/[\w./]+)`", table))
    assert len(paths) > 15
    assert {one for one in paths if not (ROOT / one).exists()} == set()


def write_study(folder: Path) -> None:
    """Write the files that the lines of Python read: simulated, of eight topics."""
    rng = np.random.default_rng(3)
    documents = [(f"t{topic}", f"t{topic}-d{place}") for topic in range(8) for place in range(12)]
    useful = rng.normal(1.5, 1, len(documents))
    labels, qrels = ["assessor\ttopic\tdocument\tlevel"], []
    for assessor in ("ann", "ben", "cem"):
        levels = (useful + rng.normal(0, 0.5, len(documents))).round().clip(0, 3)
        for (topic, document), level in zip(documents, levels, strict=True):
            labels.append(f"{assessor}\t{topic}\t{document}\t{level:.0f}")
            if assessor == "ann":
                qrels.append(f"{topic} 0 {document} {level:.0f}")
    (folder / "labels.tsv").write_text("\n".join(labels) + "\n")
    (folder / "study.qrels").write_text("\n".join(qrels) + "\n")
    (folder / "runs").mkdir()
    for system, noise in {"good": 0.3, "poor": 3.0}.items():
        scores = useful + rng.normal(0, noise, len(documents))
        lines = [
            f"{topic} Q0 {document} 1 {score:.4f} {system}"
            for (topic, document), score in zip(documents, scores, strict=True)
        ]
        (folder / "runs" / f"{system}.run").write_text("\n".join(lines) + "\n")


def test_the_lines_of_python_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    _, _, rest = README.read_text(encoding="utf-8").partition("<!-- python -->\n```python\n")
    lines = rest.partition("```")[0]
    write_study(tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(lines, str(README), "exec"), names)
    told = capsys.readouterr().out
    for text in ("kappa(linear)", "alpha(ordinal)", "nDCG@10", "nDCG(gain='udm')@10"):
        assert text in told
    assert "The best system is good of 2 systems." in told
    limits = [names["agreement"].overall, names["scores"].means]
    for table in limits:
        assert ((table["low"] < table["value"]) & (table["value"] < table["high"])).all()


PREFERENCES = """topic\tleft\tright\tchoice\tassessor
t0\ta\tb\tleft\tann
t0\tb\tc\tleft\tann
t0\tc\ta\ttie\tben
"""


def make_log(qrels: str) -> str:
    """Return a click log that shows what is judged: a session a line, every other a click."""
    judged = [line.split() for line in qrels.splitlines()]
    lines = [
        f"s{at}\t{topic}\t1\t{document}\t{at % 2}"
        for at, (topic, _, document, _) in enumerate(judged)
    ]
    return "\n".join(["session\ttopic\trank\tdocument\tclicked", *lines]) + "\n"


def list_commands() -> list[str]:
    """Return the README's lines for a terminal that need nothing but files."""
    _, _, rest = section("### From a terminal").partition("```bash\n")
    lines = [one for one in rest.partition("```")[0].splitlines() if one.startswith("dissent ")]
    assert len(lines) > 4
    return lines


@pytest.mark.parametrize("line", few(list_commands(), 2))
def test_the_lines_for_a_terminal_run(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    write_study(tmp_path)
    for run in (tmp_path / "runs").iterdir():
        run.with_suffix(".gz").write_bytes(gzip.compress(run.read_bytes()))
        run.unlink()
    qrels = (tmp_path / "study.qrels").read_text()
    (tmp_path / "first.qrels").write_text(qrels)
    (tmp_path / "second.qrels").write_text(qrels.replace(" 3\n", " 1\n"))
    (tmp_path / "preferences.tsv").write_text(PREFERENCES)
    (tmp_path / "log.tsv").write_text(make_log(qrels))
    monkeypatch.chdir(tmp_path)
    _, *words = shlex.split(line)
    given = [found for word in words for found in sorted(glob(word)) or [word]]
    assert main(given) == 0
    assert len(capsys.readouterr().out.splitlines()) > 3
