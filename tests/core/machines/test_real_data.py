"""Real machine judges beside people, and a worker of a crowd taken for a machine."""

import krippendorff
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from core.agreement.coefficients import Alpha, Kappa
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.machine_qrels import read_machine_labels
from core.machines.alternative_test import FEW_LABELS, FEW_PEOPLE, alternative_test
from core.machines.audit import agreement_of_people, agreement_with_machine, compare_with_people
from core.machines.joined_labels import join_labels
from tests.core.machines.leaving_one_out import run
from tests.core.machines.made_up import LEVELS, make_people
from tests.short import long

LINEAR = Kappa("linear")
KAPPAS = {"kappa": None, "kappa(linear)": "linear", "kappa(quadratic)": "quadratic"}
CHOSEN = [Kappa(), LINEAR, Kappa("quadratic"), Alpha("ordinal")]


@pytest.fixture(scope="module")
def llmjudge(shared_data):
    """Return the labels of a person, those of each machine by its name, and them side by side."""
    folder = shared_data / "machine" / "llmjudge"
    files = {path.stem: read_machine_labels(Source.at(path)) for path in folder.glob("*.qrels")}
    human = files.pop("human")
    rows = human.assign(person="human")[["topic_id", "document_id", "person", "level"]]
    people = make_people(rows.itertuples(index=False, name=None))
    joined = {name: join_labels(people, LEVELS, name, given) for name, given in files.items()}
    return people, files, joined


@long
def test_ten_judges_equal_scikit_learn_and_krippendorff(llmjudge):
    people, machines, beside = llmjudge
    assert len(machines) == 10
    human = people.set_index(["topic_id", "document_id"])["level"]
    for name, given in machines.items():
        joined = beside[name]
        found = agreement_with_machine(joined, CHOSEN).set_index("coefficient")
        machine = given[given["level"].isin(LEVELS)].set_index(["topic_id", "document_id"])["level"]
        both = pd.concat([human, machine], axis=1, keys=["human", "machine"], join="inner")
        assert (found["n"] == len(both)).all()
        for text, weights in KAPPAS.items():
            expected = cohen_kappa_score(both["human"], both["machine"], weights=weights)
            assert found.loc[text, "value"] == pytest.approx(expected, abs=1e-9)
        alpha = krippendorff.alpha(
            both.to_numpy().T, level_of_measurement="ordinal", value_domain=LEVELS
        )
        assert found.loc["alpha(ordinal)", "value"] == pytest.approx(alpha, abs=1e-9)
        assert (found["low"] < found["value"]).all()
        assert (found["value"] < found["high"]).all()
        assert alternative_test(joined).reason == FEW_PEOPLE


def test_stray_levels_are_found_and_named(llmjudge):
    _, machines, beside = llmjudge
    invalid = {name: joined.invalid for name, joined in beside.items()}
    expected = {
        name: given[~given["level"].isin(LEVELS)]["document_id"].tolist()
        for name, given in machines.items()
    }
    assert {name: rows["document_id"].tolist() for name, rows in invalid.items()} == expected
    stray = invalid["RMITIR-llama70B"]
    assert stray[["topic_id", "document_id", "value"]].to_numpy().tolist() == [
        ["q0", "p3021", 5],
        ["q30", "p8935", 5],
    ]


def test_umbrela_beside_the_people_of_dl19(shared_data, dl19):
    people = read_import("labels", Source.at(dl19 / "labels.tsv")).frames["labels"]
    given = read_machine_labels(Source.at(shared_data / "machine" / "dl19-umbrela.qrels"))
    joined = join_labels(people, LEVELS, "umbrela", given)
    table = pd.read_csv(dl19 / "labels.tsv", sep="\t", dtype={"topic": "str", "document": "str"})
    wide = table.pivot(index=["topic", "document"], columns="assessor", values="level")
    machine = given.set_index(["topic_id", "document_id"])["level"].rename_axis(wide.index.names)
    wide = wide.join(machine.rename("umbrela"), how="inner")
    assert joined.items == len(wide)
    pairs = agreement_with_machine(joined, [LINEAR]).rename(columns={"person": "second"})
    pairs = pairs.assign(first="umbrela")
    for row in pd.concat([pairs, agreement_of_people(joined, [LINEAR])]).to_dict("records"):
        both = wide[[row["first"], row["second"]]].dropna().astype(int)
        assert row["n"] == len(both)
        if len(both) > 1:
            expected = cohen_kappa_score(*both.to_numpy().T, weights="linear", labels=LEVELS)
            assert row["value"] == pytest.approx(expected, abs=1e-9)
            assert row["low"] < row["value"] < row["high"]
    (row,) = compare_with_people(joined, [LINEAR]).to_dict("records")
    assert (row["units"], row["shown"]) == (22, "")
    assert alternative_test(joined, fewest_people=3).reason == FEW_LABELS.format(3)
    assert alternative_test(joined).defined


def test_a_worker_of_a_crowd_in_the_place_of_a_machine(shared_data):
    """RelFeedback10: many people an item, so that each can be left out."""
    table = pd.read_csv(shared_data / "rf10" / "labels.tsv.gz", sep="\t", dtype="str")
    table.columns = ["topic", "worker", "document", "gold", "level"]
    table["level"] = table["level"].astype(int)
    table = table[table["level"] >= 0].drop_duplicates(["topic", "worker", "document"])
    table = table[table["topic"].isin(sorted(table["topic"].unique())[:12])]
    worker = table["worker"].value_counts().index[1]
    is_machine = table["worker"] == worker
    machine = table[is_machine][["topic", "document", "level"]]
    others = table[~is_machine][["topic", "document", "worker", "level"]]
    people = list(others.itertuples(index=False, name=None))
    given = machine.set_axis(["topic_id", "document_id", "level"], axis=1)
    joined = join_labels(make_people(people), (0, 1, 2), "machine", given)
    found = alternative_test(joined, 0.1, fewest_items=14)
    labels = machine.itertuples(index=False, name=None)
    expected, omega, rho = run(people, labels, 0.1, fewest=14)
    rows = found.annotators.set_index("person")
    assert rows.index.tolist() == list(expected)
    assert (found.omega, found.rho) == (pytest.approx(omega), pytest.approx(rho))
    assert len(rows) > 10
    assert set(rows["test"]) == {"t", "wilcoxon"}
    for person, row in rows.iterrows():
        n, advantage, p, _ = expected[person]
        assert (row["n"], row["advantage"]) == (n, pytest.approx(advantage))
        assert row["p"] == pytest.approx(p, rel=1e-9)
