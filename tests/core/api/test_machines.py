"""From Python the audit of machines is that of the command, and can be drawn."""

import json

import pytest

import dissent
from core.command.main import main
from tests.core.machines.made_up import simulate
from tests.short import long


@pytest.fixture
def folder(tmp_path):
    people, machine = simulate()
    rows = [f"{who}\t{topic}\t{item}\t{level}" for topic, item, who, level in people]
    header = "assessor\ttopic\tdocument\tlevel"
    (tmp_path / "labels.tsv").write_text("\n".join([header, *rows]) + "\n")
    stray = [*machine[:-1], (*machine[-1][:2], -1)]
    lines = [f"{topic} 0 {item} {level}\n" for topic, item, level in stray]
    (tmp_path / "m.qrels").write_text("".join(lines))
    return tmp_path


@pytest.fixture
def found(folder):
    labels = dissent.read_labels(folder / "labels.tsv")
    return dissent.machines(labels, {"m": dissent.read_machine_labels(folder / "m.qrels")})


@long
def test_it_finds_what_the_command_prints(folder, found, capsys):
    words = ["machines", "--people", folder / "labels.tsv", "--machine", f"m={folder / 'm.qrels'}"]
    assert main([*map(str, words), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    values = [one for pair in printed["pairs"] for one in pair["coefficients"]]
    assert [one["name"] for one in values] == found.pairs["coefficient"].tolist()
    for column in ("value", "low", "high"):
        assert [one[column] for one in values] == pytest.approx(found.pairs[column].tolist())
    shifts = [pair["shift"]["value"] for pair in printed["pairs"]]
    assert shifts == pytest.approx(found.shifts["value"].tolist())
    assert printed["verdicts"] == found.verdicts
    assert printed["invalid"][0]["value"] == -1 == found.invalid["value"].iloc[0]
    assert printed["alternative_test"][0]["omega"] == found.alternative_tests["m"].omega


def test_options_are_those_of_the_analysis(folder):
    labels = dissent.read_labels(folder / "labels.tsv")
    given = {"m": dissent.read_machine_labels(str(folder / "m.qrels"))}
    found = dissent.machines(
        labels, given, ["alpha(ordinal)"], levels=range(-1, 4), epsilon=0.1, chosen="selected"
    )
    assert (len(found.invalid), found.scale[0]) == (0, -1)
    assert set(found.pairs["coefficient"]) == {"alpha(ordinal)"}
    assert found.alternative_tests["m"].epsilon == 0.1
    assert "not drawn at random" in found.sampling


def test_faults_are_told_at_once(folder):
    labels = dissent.read_labels(folder / "labels.tsv")
    with pytest.raises(dissent.BadInput, match="no machine"):
        dissent.machines(labels, {})
    with pytest.raises(dissent.NotFound, match="no file"):
        dissent.read_machine_labels(folder / "none.qrels")


@long
def test_figures_take_what_it_returns(found):
    assert len(dissent.figures.plot_machines(found).data[0].y) == 4
    assert len(dissent.figures.plot_machines(found, "raw").data) == 2
    assert len(dissent.figures.plot_level_shift(found).data[0].y) == 4
    assert len(dissent.figures.plot_machine_levels(found, "m").data[0].z) == 4


def test_labels_without_a_level_are_too_little_not_a_choice_of_facets(folder):
    labels = dissent.read_labels(folder / "labels.tsv")
    with pytest.raises(dissent.TooLittleData, match="none of these labels is a level"):
        dissent.machines(labels[:0], {"m": labels})
