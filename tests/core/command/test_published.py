"""The settings of the papers: what they print of the papers' own figures, and who wins."""

import inspect

import numpy as np
import pandas as pd
import pytest

import dissent as api
from core.command.main import build_parser, parse
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput
from core.published import PUBLISHED
from tests.core.agreement.test_pairwise import SAKAI_2017
from tests.core.command.test_verify import RF10
from tests.each import each
from tests.short import long

SETTINGS = [(key, command) for key, one in PUBLISHED.items() for command in one.settings]
NEEDED = {
    "agreement": ["labels.tsv"],
    "weights": ["labels.tsv", "--top", "2"],
    "verify": ["labels.tsv", "--top", "2"],
    "evaluate": ["--qrels", "q", "--run", "r"],
    "compare": ["--qrels", "q", "--run", "r"],
    "informativeness": ["--qrels", "q", "--run", "r"],
}


@pytest.fixture(scope="module")
def table_1(tmp_path_factory):
    """Write labels with the matrices of Sakai's table 1, each pair of people on its own topic."""
    rows = []
    for pair, (matrix, *_) in enumerate(SAKAI_2017):
        first, second = np.indices((3, 3)).reshape(2, -1).repeat(np.ravel(matrix), axis=1)
        document = np.arange(len(first))
        for who, level in ((f"{pair}a", first), (f"{pair}b", second)):
            frame = {"assessor": who, "topic": pair, "document": document, "level": level}
            rows.append(pd.DataFrame(frame))
    path = tmp_path_factory.mktemp("sakai") / "labels.tsv"
    pd.concat(rows).to_csv(path, sep="\t", index=False)
    return path


@each(("key", "command"), SETTINGS)
def test_a_command_takes_the_settings_of_a_paper(key, command):
    found = vars(parse([command, *NEEDED[command], "--as", key]))
    for name, value in PUBLISHED[key].settings[command].items():
        given = found[name] if name in found else found[f"{name}s"]
        assert str(given) == str(list(value) if isinstance(value, tuple) else value)
    usual = [
        command,
        *NEEDED[command],
        *(["--measure", "AP"] * (command in ("evaluate", "compare"))),
    ]
    if command == "weights":
        usual += ["--users", "5", "--at-least", "2"]
    assert vars(parse(usual)) != found | {"published": None}


@each("words", [["--as", "sakai2017"], ["--as=sakai2017"]])
@each("is_before", [True, False])
def test_what_is_given_wins(words, is_before):
    given = ["--measure", "AP", "--alpha=0.01"]
    options = [*given, *words] if is_before else [*words, *given]
    found = parse(["compare", *NEEDED["compare"], *options])
    assert (found.measures, found.alpha, found.test) == (["AP"], 0.01, "tukey")


@each("words", [["--as", "demeester2014"], ["--as", "nobody"], ["--as"]])
def test_a_paper_without_settings_of_a_command_is_refused(words, capsys):
    with pytest.raises(SystemExit):
        parse(["agreement", "labels.tsv", *words])
    assert "--as" in capsys.readouterr().err


def test_other_commands_have_no_papers():
    assert "--as" not in build_parser(["plan"]).format_help()


def test_sakai_2017_has_the_figures_of_its_table_1(dissent, table_1):
    result = dissent("agreement", table_1, "--as", "sakai2017", "--format", "json")
    assert "settings of Sakai (2017) where none are given" in result.err
    assert any("Sakai (2017)" in note for note in result.json["notes"])
    assert len(result.json["pairs"]) == len(SAKAI_2017)
    for pair, (_, linear, binary, raw) in zip(result.json["pairs"], SAKAI_2017, strict=True):
        found = {one["name"]: one for one in pair["coefficients"]}
        for name, expected in (("kappa(linear)", linear), ("kappa(binary>=1)", binary)):
            limits = [found[name][part] for part in ("value", "low", "high")]
            assert limits == pytest.approx(expected, abs=0.0006)
        assert found["raw(binary>=1)"]["value"] == pytest.approx(raw, abs=0.0005)
    usual = dissent("agreement", table_1, "--format", "json").json["pairs"][0]["coefficients"]
    assert {one["low"] for one in usual if one["name"] == "kappa(linear)"} == {None}


def test_python_takes_them_as_the_command_does(dissent, table_1):
    asked = api.published("sakai2017", "agreement")
    found = api.agreement(api.read_labels(table_1), **asked).pairs.set_index(
        ["first", "coefficient"]
    )
    printed = dissent("agreement", table_1, "--as", "sakai2017", "--format", "json").json
    for pair in printed["pairs"]:
        for one in pair["coefficients"]:
            row = found.loc[(pair["first"], one["name"])]
            assert (row["value"], row["low"]) == (one["value"], one["low"])


@each(("key", "command"), SETTINGS)
def test_a_call_takes_them(key, command):
    call = inspect.signature(getattr(api, command))
    assert set(api.published(key, command)) <= set(call.parameters)


def test_those_of_a_comparison_are_a_test():
    found = api.published("sakai2017", "compare")
    assert found["test"] == SignificanceTest("tukey", samples=10_000, alpha=0.05)
    assert found["tau_unit"] == "hollander-wolfe"


def test_unknown_ones_are_refused():
    with pytest.raises(BadInput, match="'sakai' is none of sakai2017, "):
        api.published("sakai", "compare")
    with pytest.raises(BadInput, match="sakai2017 has settings for agreement, "):
        api.published("sakai2017", "weights")


@long
def test_demeester_2014_has_the_figures_of_its_table_1(dissent, shared_data):
    labels = shared_data / "rf10" / "labels.tsv.gz"
    words = (labels, *RF10[:5], "--top", 2, "--as", "demeester2014", "--format", "json")
    found = dissent("verify", *words).json
    assert (found["items"], found["min_labels"], found["group_by"]) == (2738, 6, "document")
    rows = {(row["level"], row["users"], row["at_least"]): row for row in found["weights"]}
    for at_least, users, observed, predicted in (
        (1, 3, 0.49, 0.51),
        (2, 3, 0.10, 0.09),
        (2, 4, 0.23, 0.21),
        (2, 5, 0.35, 0.35),
    ):
        row = rows[1, users, at_least]
        assert abs(row["observed"] - observed) < row["sd"]
        assert row["predicted"] == pytest.approx(predicted, abs=0.01)


def test_ashkan_2011_takes_as_many_topics_as_it_took(dissent, shared_data):
    folder = shared_data / "web09"
    files = ("--qrels", folder / "diversity.qrels.gz", "--run", folder / "indri-baseline.run.gz")
    found = dissent("informativeness", *files, "--as", "ashkan2011", "--format", "json").json
    assert (found["topics"], found["depth"], found["recursion"]) == (25, 10, "paper")
    assert len(found["problems"]) == 25 * 7
