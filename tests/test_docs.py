"""README and handbook say what the code says; what they show runs, and what they name exists."""

import ast
import gzip
import json
import re
import shlex
import tomllib
from glob import glob
from pathlib import Path

import numpy as np
import pytest

import dissent
from core.collection.formats import KINDS, format_names
from core.command.main import main, parse
from core.registered import list_formats, list_values
from core.settings import ROOT
from sample_data.small.simulate import make_files
from tests.docs import (
    FOLDER,
    README,
    REGISTERED,
    REGISTRIES,
    lay_out_registered,
    make_tables,
    read_block,
    read_pages,
    read_table,
)
from tests.each import each
from tests.short import few

PAGES = read_pages()
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def section(page: str, heading: str) -> str:
    """Return the text under a heading of a page, up to the next one."""
    _, _, rest = (FOLDER / page).read_text(encoding="utf-8").partition(f"\n## {heading}\n")
    assert rest, f"{page} has no section {heading}"
    return re.split(r"\n##+ ", rest)[0]


def list_fences(*kinds: str) -> list[tuple[str, str]]:
    """Return the fences of some kinds in all pages, with where they begin."""
    return [
        (f"{path.name}:{text[: found.start()].count(chr(10)) + 2}", found[2])
        for path, text in PAGES.items()
        for found in FENCE.finditer(text)
        if found[1] in kinds
    ]


def name_anchors(text: str) -> set[str]:
    """Return what links within a page lead to: its headings, as they are written in addresses."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


def test_a_page_has_one_subject_and_is_not_long():
    assert len(PAGES[README].splitlines()) <= 200
    for path, text in PAGES.items():
        assert len(re.findall(r"^# ", FENCE.sub("", text), re.MULTILINE)) == 1, path
        assert len(text.splitlines()) <= 400, path


def test_every_page_is_in_the_index_and_in_the_readme():
    names = {path.name for path in FOLDER.glob("*.md")} - {"README.md"}
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| \[[^]]+\]\(([\w-]+\.md)\) \|", index, re.MULTILINE)) == names
    assert names == set(re.findall(r"\(\.docs/([\w-]+\.md)\)", PAGES[README]))


def test_what_is_refused_is_told_in_the_words_of_the_messages():
    text = (FOLDER / "refused.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    code = "".join(
        re.sub(r'"\s*f?"', "", path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "core" / "collection").rglob("*.py"))
    )
    assert len(told) > 20
    for message in told:
        assert all(part in code for part in message.split(" … ")), message


@each("name", sorted(make_tables()))
def test_its_tables_follow_from_the_code(name: str):
    assert read_table(name) == make_tables()[name], "renew it by python -m tests.docs"


def test_help_lists_what_is_registered():
    found = REGISTERED.read_text(encoding="utf-8")
    assert found == lay_out_registered(), "renew it by python -m tests.docs"
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


@each("path", [*PAGES, ROOT / ".github/CONTRIBUTING.md", ROOT / ".github/CHANGELOG.md"])
def test_links_lead_somewhere(path: Path):
    text = path.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text))
    links += re.findall(r'(?:src|srcset)="([^"]+)"', text)
    for link in links:
        if not link.startswith("https://"):
            file, _, anchor = link.partition("#")
            found = (path.parent / file).resolve() if file else path
            assert found.is_file(), link
            assert not anchor or anchor in name_anchors(found.read_text(encoding="utf-8")), link


def test_nothing_leads_to_what_is_not_there_any_more():
    """Code, messages and pages name files of the documents as they are called now."""
    known = {path.name for path in FOLDER.glob("*.md")}
    for folder in ("core", "pages", "tests", ".container", ".github"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".md", ".yaml", ".js"} and path.name != "CHANGELOG.md":
                text = path.read_text(encoding="utf-8")
                assert set(re.findall(r"\.docs/([\w-]+\.md)", text)) <= known, path
                assert "CONVENTIONS" + ".md" not in text, path


@each("part", ["core", "core/analysis", "core/command", "core/store", "pages"])
def test_every_folder_has_its_place_in_the_layout(part: str):
    table = section("develop.md", "How the code is laid out")
    (row,) = [one for one in table.splitlines() if one.startswith(f"| `{part}` |")] or [table]
    folders = [
        path for path in (ROOT / part).iterdir() if path.is_dir() and path.name != "__pycache__"
    ]
    names = {f"{part}/{path.name}" if part == "core" else path.name for path in folders}
    assert {one for one in names if f"`{one}`" not in row} == set()


def test_every_path_in_the_layout_exists():
    table = section("develop.md", "How the code is laid out")
    paths = set(re.findall(r"`([\w.]+/[\w./]+)`", table))
    assert len(paths) > 15
    assert {one for one in paths if not (ROOT / one).exists()} == set()


@each(("place", "lines"), list_fences("python"))
def test_every_line_of_python_is_one_and_names_what_there_is(place: str, lines: str):
    tree = ast.parse(lines, place)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "dissent":
            assert hasattr(dissent, node.attr), f"{place}: dissent.{node.attr}"


@each(("place", "text"), list_fences("json", "toml"))
def test_every_block_of_settings_can_be_read(place: str, text: str):
    assert json.loads(text) if text.startswith("{") else tomllib.loads(text)


def list_lines() -> list[tuple[str, str]]:
    """Return every line for the command in all pages, those that go on in the next made one."""
    return [
        (place, one.removeprefix(".venv/bin/"))
        for place, text in list_fences("bash", "sh")
        for one in text.replace("\\\n", " ").splitlines()
        if re.match(r"(\.venv/bin/)?dissent ", one)
    ]


def test_every_line_for_a_terminal_is_understood():
    lines = list_lines()
    assert len(lines) > 25
    for place, line in lines:
        _, *words = shlex.split(line)
        try:
            assert parse(words).run, place
        except SystemExit:
            pytest.fail(f"{place}: {line}")


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
    lines = read_block("python")
    write_study(tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(lines, "python", "exec"), names)
    told = capsys.readouterr().out
    for text in ("kappa(linear)", "alpha(ordinal)", "nDCG@10", "nDCG(gain='udm')@10"):
        assert text in told
    assert "The best system is good of 2 systems." in told
    limits = [names["agreement"].overall, names["scores"].means]
    for table in limits:
        assert ((table["low"] < table["value"]) & (table["value"] < table["high"])).all()


def test_the_first_lines_run_as_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(compile(read_block("front"), "front", "exec"), names)
    told = capsys.readouterr().out
    assert {"kappa(linear)", "value", "low", "high", "good", "poor"} <= set(told.split())
    assert f"a linear weighted κ of {names['found']['value'][0]:.3f}:" in PAGES[README]
    lines = FENCE.findall(PAGES[README].partition("In a terminal:")[2])[0][1].splitlines()
    for line in lines:
        words = [one for word in shlex.split(line)[1:] for one in sorted(glob(word)) or [word]]
        assert main(words) == 0, line
    assert f"{names['found']['value'][0]:.3f}" in capsys.readouterr().out


def test_the_files_for_them_are_what_they_are_said_to_be():
    for name, text in make_files().items():
        assert (ROOT / "sample_data/small" / name).read_text(encoding="utf-8") == text


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
    """Return the lines for a terminal that need nothing but files."""
    lines = FENCE.findall((FOLDER / "terminal.md").read_text(encoding="utf-8"))[0][1].splitlines()
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
