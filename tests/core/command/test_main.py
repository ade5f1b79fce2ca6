import subprocess
import sys

import pytest

from core.command.main import COMMANDS
from core.settings import ROOT
from core.version import __version__
from tests.short import long


def test_version_is_that_of_the_project(dissent):
    result = dissent("--version")
    assert (result.status, result.out) == (0, f"dissent {__version__}\n")


def test_help_names_every_command(dissent):
    result = dissent("--help")
    assert result.status == 0
    for command in COMMANDS:
        assert f"  {command.name} " in result.out
        assert command.summary in result.out


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_explains_itself(dissent, command):
    result = dissent(command.name, "--help")
    assert result.status == 0
    assert result.out.startswith(f"usage: dissent {command.name} ")
    assert "%" not in result.out.replace("95 %", "")


@pytest.mark.parametrize(
    "words", [(), ("judge",), ("pool",), ("agreement", "x", "--format", "xml")]
)
def test_wrong_usage_is_status_2_and_says_what_is_right(dissent, words):
    result = dissent(*words)
    assert result.status == 2
    assert "usage: dissent" in result.err
    assert result.out == ""


def test_a_missing_file_is_one_sentence(dissent):
    result = dissent("agreement", "nowhere.tsv")
    assert result.status == 1
    assert (
        result.err == "dissent: nowhere.tsv: the file cannot be read: no such file or directory\n"
    )


TABLE = "assessor\ttopic\tdocument\tlevel\n" + "".join(
    f"{assessor}\t1\td{number}\t{number % 2}\n" for assessor in "ab" for number in range(4)
)
FROM_INPUT = [sys.executable, "-m", "core.command.main", "agreement", "-"]


def test_as_a_process_it_has_the_status_and_reads_standard_input():
    done = subprocess.run(FROM_INPUT, cwd=ROOT, input=TABLE, capture_output=True, text=True)
    assert done.returncode == 0
    assert "linear weighted κ" in done.stdout


@long
def test_as_a_process_it_tells_a_fault_of_standard_input():
    broken = TABLE.replace("a\t1\td2\t0", "a\t1\td2\tx")
    done = subprocess.run(FROM_INPUT, cwd=ROOT, input=broken, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("dissent: standard input:4: ")
    assert done.stdout == ""


@long
def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    labels = tmp_path / "labels.tsv"
    rows = [f"{who}\t{topic}\td\t{topic % 2}" for who in "ab" for topic in range(3000)]
    labels.write_text("\n".join(["assessor\ttopic\tdocument\tlevel", *rows]))
    command = [sys.executable, "-m", "core.command.main", "agreement", labels, "--format", "json"]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        (note,) = running.stderr.read().splitlines()
        assert note.startswith(b"note: labels read as TSV")


@long
def test_a_terminal_without_the_characters_still_gets_the_result(tmp_path):
    labels = tmp_path / "labels.tsv"
    labels.write_text("assessor\ttopic\tdocument\tlevel\nå\t1\td\t1\nß\t1\td\t1\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "core.command.main", "agreement", labels],
        cwd=ROOT,
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    assert rb"\xe5" in done.stdout
