"""Every door to results begins with what the study declares, and says so where it differs.

The study declares another measure, version and α than usual; three levels of it are used.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import dissent
from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study
from core.analysis.collection.declaring import declare
from core.analysis.judging.enough import ask_enough, usual_measure
from core.analysis.judging.planning import depths_of, pilot_of
from core.analysis.judging.simulated_judging import simulate_orders
from core.analysis.machines.conclusions import (
    MachineQuestion,
    conclusions_of,
    list_people_versions,
)
from core.analysis.overview.stability import ranking_stability
from core.analysis.results.declared import asked_choice, tell_difference
from core.analysis.results.interleaving import (
    InterleavingQuestion,
    beside_measure,
    power_of,
    preference_of,
)
from core.analysis.results.public_results import describe_results, study_of_page
from core.analysis.results.qrels_choices import find_choice, version_of, weights_of
from core.analysis.results.scores import ask_scores, ask_unpooled
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.description import FILE, read_description
from core.bundle.making import make_bundle
from core.bundle.public import make_public_bundle
from core.bundle.reproduction import EQUAL, UNCHECKED, reproduce
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels
from core.command.main import main
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.orders.base import parse_order
from core.paper.pack import make_pack
from core.reports.enough import EnoughQuestion
from core.reports.interleaving import count_agreement
from core.reports.judging_orders import JudgingQuestion
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.public_pages import PublicChoice, publish
from core.store.content.scales import get_scales
from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.store import Store
from core.wording import plain
from pages.api.public_page import draw_public_page
from pages.server.running import stop
from pages.shared.navigation import PAGES
from tests.core.analysis.machines.conftest import build_judged
from tests.core.api.made_up import write_study
from tests.pages.api.v1.described_client import DescribedClient, open_client

MEASURE, VERSION, ALPHA = "AP", "all, median", 0.2
DECLARED = {"measure": MEASURE, "version": VERSION, "alpha": ALPHA, "users": 5, "at_least": 2}
TOPICS = ("t1", "t2", "t3", "t4", "t5")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_study(tmp_path_factory.mktemp("study") / "files")


@pytest.fixture
def study(store: Store, files: Path) -> Study:
    here = create_collection(store, "Made up")
    for kind, path in (
        ("topics", files / "topics.tsv"),
        ("labels", files / "labels.tsv"),
        *(("runs", one) for one in sorted((files / "runs").iterdir())),
    ):
        options = {"scales": get_scales(store, here)} if kind == "labels" else {}
        write_import(store, here, read_import(kind, Source(path.name, path), **options))
    made = Study(store, here, is_masked=True)
    declare(made, DECLARED)
    return made


@pytest.fixture
def person(store: Store) -> str:
    return add_person(store, "Olga", "organiser")


def chosen(at: AppTest, label: str) -> list[str]:
    """Return what is chosen first in the control of a label, wherever on the page."""
    found = [one for one in [*at.selectbox, *at.multiselect] if one.label == label]
    return [one.value[0] if isinstance(one.value, list) else one.value for one in found]


def said(at: AppTest) -> str:
    return "\n".join(one.value for one in [*at.markdown, *at.caption])


def leaderboard(at: AppTest) -> None:
    assert "leads with AP" in said(at)
    assert "α = 0.2" in said(at)
    assert chosen(at, "Qrels version") == [VERSION]
    assert at.slider(key="udm-users").value == 5
    assert at.slider(key="udm-at-least").value == 2


def significance(at: AppTest) -> None:
    assert chosen(at, "Qrels versions") == [VERSION]
    assert chosen(at, "Measure") == [MEASURE]
    assert at.number_input(key="comparison-alpha").value == ALPHA


def robustness(at: AppTest) -> None:
    assert chosen(at, "Measure") == [MEASURE]
    assert chosen(at, "Versions, from left to right") == [VERSION]


def unpooled(at: AppTest) -> None:
    assert chosen(at, "Measure") == [MEASURE]
    assert chosen(at, "Qrels version") == [VERSION]


def with_version(at: AppTest) -> None:
    assert chosen(at, "Qrels version") == [VERSION]


PAGES_OF_RESULTS: dict[str, Callable[[AppTest], None]] = {
    "effectiveness": leaderboard,
    "comparison": significance,
    "ranking": robustness,
    "unpooled": unpooled,
    "informativeness": with_version,
    "interleaving": with_version,
}


def test_every_page_of_results_is_looked_at():
    there = {one.path for one in PAGES if one.destination == "Results"}
    assert there == set(PAGES_OF_RESULTS)


@pytest.mark.parametrize("path", PAGES_OF_RESULTS)
def test_a_page_begins_with_what_is_declared(path, study, person, open_page):
    at = open_page(path, person, study.collection_id)
    assert not at.exception
    PAGES_OF_RESULTS[path](at)
    assert "Declared:" not in said(at)


def test_interleaving_stands_beside_the_declared_measure(study, person, open_page):
    state = {"interleaving-part": "Beside a measure", "interleaving-impressions": 10}
    at = open_page("interleaving", person, study.collection_id, **state)
    assert re.search(f"differs? significantly in mean {MEASURE};", said(at))


def test_a_page_that_shows_something_else_says_so(study, person, open_page):
    at = open_page("effectiveness", person, study.collection_id)
    version = next(one for one in at.selectbox if one.label == "Qrels version")
    at = version.set_value("all, minimum").run()
    assert "Declared: AP under *all, median*; shown: AP under *all, minimum*." in said(at)
    at = at.multiselect(key="scores-measures").set_value(["P@5"]).run()
    assert f"shown: {plain('P@5')} under *all, minimum*." in said(at)


def test_the_overview_compares_by_it(study, person, open_page):
    at = open_page("monitor", person, study.collection_id, **{"stability-opened": True})
    assert "systems by AP" in said(at)
    assert "those of the version *all, median*" in said(at)


def test_the_collection_says_and_changes_it(store, study, person, open_page):
    state = {"collection-part": "Declared"}
    at = open_page("collection", person, study.collection_id, **state)
    assert "by **AP under *all, median***" in said(at)
    at.selectbox(key="declared-version").set_value("all, mean")
    at = at.button[-1].click().run()
    assert "by **AP under *all, mean***" in said(at)
    (detail,) = store.cursor().execute(
        "SELECT detail FROM changes WHERE subject = 'declaration' ORDER BY time DESC LIMIT 1"
    ).fetchone()  # fmt: skip
    assert detail == 'version: "all, median" → "all, mean"'


def test_the_collection_says_what_groups_are_by(study, person, open_page):
    at = open_page("collection", person, study.collection_id, **{"collection-part": "Declared"})
    at.text_input(key="declared-groups").set_value("hobby")
    at.checkbox(key="declared-personal").set_value(True)
    at = at.button[-1].click().run()
    assert "Groups of assessors are by hobby, a personal attribute." in said(at)


def test_the_public_page_says_what_differs(store, study):
    publish(store, study.collection_id, PublicChoice("all, maximum", "P@5"))
    page = study_of_page(store, study.collection_id)
    other = draw_public_page(describe_results(page, PublicChoice("all, maximum", "P@5")), "x")
    assert "The study declares AP under “all, median”; shown is P@5 under “all, maximum”." in other
    same = draw_public_page(describe_results(page, PublicChoice(VERSION, MEASURE)), "x")
    assert "declares" not in same


def test_the_public_form_begins_with_it(study, person, open_page):
    state = {"export-part": "Public page"}
    at = open_page("export", person, study.collection_id, **state)
    assert chosen(at, "Qrels version") == [VERSION]
    assert next(one for one in at.text_input if one.label == "Measure").value == MEASURE


def test_every_page_with_a_version_begins_with_it(study, person, open_page):
    """Whatever the control is called; what compares several begins with that one alone."""
    found = {}
    for page in PAGES:
        if "organiser" not in page.roles:
            continue
        at = open_page(page.path, person, study.collection_id)
        for one in [*at.selectbox, *at.multiselect]:
            if "all, minimum" in one.options and one.value:
                first = one.value if isinstance(one.value, str) else one.value[0]
                found[page.path, one.label] = first
    assert {key: first for key, first in found.items() if first != VERSION} == {}
    assert {path for path, _ in found} >= {"export", "enough", "judging-orders"}


def test_every_page_with_a_version_says_where_it_is_another(study, person, open_page):
    """But *Export*: a file has the version's name. And so where only α or the facet differs."""
    silent, asked = set(), set()
    for page in PAGES:
        if "organiser" not in page.roles or page.path == "export":
            continue
        at = open_page(page.path, person, study.collection_id)
        assert "Declared:" not in said(at)
        for one in [*at.selectbox, *at.multiselect]:
            if "all, minimum" in one.options and one.value:
                is_one = isinstance(one.value, str)
                at = one.set_value("all, minimum" if is_one else ["all, minimum"]).run()
                asked.add(page.path)
                silent |= set() if "under *all, minimum*" in said(at) else {page.path}
    assert silent == set()
    assert asked >= {*PAGES_OF_RESULTS, "plan", "enough", "judging-orders"}
    at = open_page("plan", person, study.collection_id)
    at = at.selectbox(key="plan-alpha").set_value(0.01).run()
    assert "α = 0.2; shown: AP under *all, median*, α = 0.01." in said(at)
    other = find_choice(study, VERSION, "page")
    declare(study, {"facet": "snippet"})
    assert tell_difference(study, choice=other).endswith(f"shown: AP under *{VERSION}* of pages.")


def test_qrels_are_of_it_where_no_version_is_named(store, study, person, open_page, capsys):
    """From Python, by the command and by REST; and it is the first of every list of versions."""
    declare(study, {"version": f"{VERSION}, in whole levels"})
    expected = version_of(study, asked_choice(study)).frame
    lines = write_qrels(expected)
    assert lines != write_qrels(version_of(study, asked_choice(study, "all, maximum")).frame)
    client = DescribedClient(open_client(), make_token(store, person, "study", ["read"]))
    here = study.collection_id
    assert client.ask("readQrels", collection=here) == lines
    listed = client.ask("listQrelsVersions", collection=here)["versions"]
    assert listed[0]["name"] == declared_of(study).version
    stop()
    words = ["export", "qrels", "--store", str(store.path), "--collection", here]
    assert main(words) == 0
    assert capsys.readouterr().out.encode() == lines
    with dissent.open_store(store.path) as opened:
        pd.testing.assert_frame_equal(opened.qrels(collection=here), expected, check_flags=False)
        assert opened.qrels_versions(here)["name"].tolist() == [one["name"] for one in listed]


def test_a_file_of_a_version_of_parts_needs_a_rounding(store, study, capsys):
    declare(study, {"version": "all, mean"})
    words = ["export", "qrels", "--store", str(store.path), "--collection", study.collection_id]
    stop()
    store.close()
    assert main(words) == 1
    assert "say how to round" in capsys.readouterr().err
    assert main([*words, "--rounding", "down"]) == 0
    down = capsys.readouterr().out
    assert main([*words, "--rounding", "up"]) == 0
    assert capsys.readouterr().out != down


def test_the_paper_pack_is_of_it(study):
    files = make_pack(study).files
    told = files["methods.md"].decode()
    assert VERSION in told or "median" in told
    names = "\n".join(one for one in files if one.startswith("tables/"))
    assert "median" in names
    assert "maximum" not in names


def test_a_bundle_says_it_and_is_computed_by_it(study, tmp_path):
    declare(study, {"version": "all, mean", "topics": TOPICS, "measure": "P@5"})
    made = make_bundle(study)
    assert made.about.declared is not None
    assert made.about.declared.version == "all, mean"
    assert made.about.versions[0].name.startswith("all, mean")
    assert [one.name.split(", in ")[0] for one in made.about.versions[1:4]] == [
        *("all, maximum", "all, median", "all, minimum"),
    ]
    assert made.about.measures[0] == "P@5"
    assert (made.about.alpha, made.about.users, made.about.at_least) == (ALPHA, 5, 2)
    assert made.about.declared.topics == TOPICS
    (tmp_path / "study.zip").write_bytes(made.content)
    found = reproduce(tmp_path / "study.zip")
    assert found.changes == ()
    states = {one.entry: one.status for one in found.parts if one.entry.startswith("tables/")}
    assert {"tables/means.csv", "tables/significance.csv"} <= set(states)
    assert {states["tables/means.csv"], states["tables/significance.csv"]} == {EQUAL}
    assert set(states.values()) <= {EQUAL, UNCHECKED}


def test_the_api_answers_with_it(store, study, person):
    client = DescribedClient(open_client(), make_token(store, person, "study", ["read", "write"]))
    here = study.collection_id
    told = client.ask("readScores", collection=here)
    assert told["version"] == VERSION
    assert {row["measure"] for row in told["means"]} == {MEASURE}
    assert client.ask("showDeclaration", collection=here) == told["declared"]
    changed = client.ask("changeDeclaration", {"version": "all, minimum"}, collection=here)
    assert changed["version"] == "all, minimum"
    assert client.ask("readScores", collection=here)["version"] == "all, minimum"


def test_the_command_prints_and_changes_it(store, study, capsys):
    place, here = store.path, study.collection_id
    stop()
    given = ["declare", "--store", str(place), "--collection", here, "--format", "json"]
    assert main(given) == 0
    assert json.loads(capsys.readouterr().out)["measure"] == MEASURE
    assert main([*given, "--measure", "P@5", "--topics", *TOPICS]) == 0
    assert json.loads(capsys.readouterr().out)["topics"] == list(TOPICS)
    assert main([*given, "--version", "all, medium"]) == 1
    assert "all, median" in capsys.readouterr().err
    with dissent.open_store(place) as opened:
        assert opened.declaration(here)["measure"] == "P@5"


def test_scores_are_of_the_declared_topics(store, study, person):
    client = DescribedClient(open_client(), make_token(store, person, "study", ["read", "write"]))
    client.ask("changeDeclaration", {"topics": list(TOPICS)}, collection=study.collection_id)
    told = client.ask("readScores", collection=study.collection_id, per_topic=True)
    assert {row["topic_id"] for row in told["topics"]} <= set(TOPICS)
    assert {row["topics"] for row in told["means"]} == {len(TOPICS)}


def test_users_prefer_by_the_declared_alpha(store, study, person, open_page, capsys):
    """On the page and by the command: whom users prefer, and beside which differences."""
    choice, asked = asked_choice(study), InterleavingQuestion("s0", "s4", impressions=10)
    fewer = power_of(study, choice, asked)
    declare(study, {"alpha": 0.999})
    found = preference_of(study, choice, replace(asked, impressions=40))
    assert found.alpha == 0.999
    assert "are not shown to prefer" in replace(found, alpha=found.comparison.p).answer
    assert "are not shown to prefer" not in found.answer
    pairs = beside_measure(study, choice, asked)
    many = count_agreement(pairs, 0.999)["significant"]
    assert many > count_agreement(pairs)["significant"]
    assert fewer["found"].sum() < power_of(study, choice, asked)["found"].sum()
    assert ask_unpooled(study, choice, (MEASURE,), (), 5, 0, ()).question.alpha == 0.999
    at = open_page("unpooled", person, study.collection_id)
    assert "Holm's correction over all pairs of systems, α = 0.999" in said(at)
    state = {"interleaving-part": "Lists needed", "interleaving-impressions": 10}
    at = open_page("interleaving", person, study.collection_id, **state)
    assert "finds a difference at p < 0.999," in said(at)
    state = {"interleaving-part": "Beside a measure", "interleaving-impressions": 10}
    at = open_page("interleaving", person, study.collection_id, **state)
    assert f"Of 10 pairs of runs **{many}** differ significantly" in said(at)
    stop()
    store.close()
    place = ["--store", str(store.path), "--collection", study.collection_id]
    words = ["interleave", *place, "--first", "s0", "--second", "s1", "--simulate", "perfect"]
    assert main([*words, "--beside", "s2", "s3", "s4", "--impressions", "10", "--power"]) == 0
    told = capsys.readouterr().out
    assert f"Of 10 pairs of runs {many} differ significantly" in told
    assert "simulated studies with p < 0.999, by" in told


def test_a_machine_is_compared_at_the_declared_alpha(store):
    here = Study(store, build_judged(store), is_masked=False)
    people = next(iter(list_people_versions(here, "page").values()))
    declare(here, {"alpha": 0.3})
    found = conclusions_of(here, MachineQuestion("page", "llm", people, "P@5"))
    assert found.significance.alpha == 0.3


ODD = (
    {"users": 1, "at_least": 1},
    {"users": 20, "at_least": 15, "version": "UDM"},
    {"alpha": 0.0005},
    {"alpha": 0.7},
)
"""What the command and the API let a study declare."""


@pytest.mark.parametrize("odd", ODD, ids=str)
@pytest.mark.parametrize("path", ["comparison", "disagreement", "collection"])
def test_a_page_begins_with_whatever_can_be_declared(path, odd, study, person, open_page):
    declare(study, odd)
    state = {"collection-part": "Declared"} if path == "collection" else {}
    at = open_page(path, person, study.collection_id, **state)
    assert not at.exception
    assert "Declared:" not in said(at)
    wanted = {**DECLARED, **odd}
    shown = {one.key: one.value for one in [*at.slider, *at.number_input, *at.selectbox]}
    begun = {
        "udm-users": wanted["users"],
        "udm-at-least": wanted["at_least"],
        "comparison-alpha": wanted["alpha"],
        "declared-alpha": wanted["alpha"],
    }
    there = begun.keys() & shown.keys()
    assert {key: shown[key] for key in there} == {key: begun[key] for key in there}
    assert there


def test_a_measure_with_weights_is_the_same_everywhere(
    store, study, person, open_page, capsys, tmp_path
):
    """Its weights are those of the declared users, wherever nobody gives others."""
    measure, version = "nDCG(gain='udm')@10", "all, maximum"
    declare(study, {"measure": measure, "version": version})
    client = DescribedClient(open_client(), make_token(store, person, "study", ["read"]))
    told = client.ask("readScores", collection=study.collection_id)
    means = {row["system"]: row["value"] for row in told["means"]}
    public = describe_results(study, PublicChoice(version, measure)).rows
    assert public.set_index("system")["value"].to_dict() == pytest.approx(means)
    choice = asked_choice(study)
    assert pilot_of(study, choice, measure, ()).topics == 8
    assert depths_of(study, choice, measure, ())["residual"].notna().any()
    asked = InterleavingQuestion("s0", "s4", impressions=10)
    assert len(beside_measure(study, choice, asked)) == 10
    assert len(ranking_stability(study))
    falls = ask_unpooled(study, choice, (measure,), (), 5, 0, ()).falls
    assert falls.set_index("system")["value"].to_dict() == pytest.approx(means)
    assert any("scores" in name for name in make_pack(study).files)
    made = make_bundle(study)
    (tmp_path / "study.zip").write_bytes(made.content)
    table = pd.read_csv(BytesIO(read_archive(made.content, "study.zip")["tables/means.csv"]))
    own = table[(table["measure"] == measure) & (table["qrels"] == version)]
    assert own.set_index("system")["value"].to_dict() == pytest.approx(means, abs=1e-4)
    assert reproduce(tmp_path / "study.zip").changes == ()
    assert measure not in make_bundle(study, Choices(agreement=False)).about.measures
    with pytest.raises(BadInput, match="weight"):
        make_bundle(study, Choices(agreement=False, measures=[measure]))
    for agreement in (True, False):
        public_choice = PublicChoice(version, measure, agreement, bundle=True)
        given = make_public_bundle(study_of_page(store, study.collection_id), public_choice)
        assert given is not None
        about = read_description(read_archive(given, "b.zip")[FILE], FILE)
        assert (measure in about.measures) == agreement
    for path in ("effectiveness", "comparison", "ranking", "plan", "enough", "judging-orders"):
        at = open_page(path, person, study.collection_id)
        assert chosen(at, "Measure") in ([measure], [])
        assert "weights first" not in said(at)
    orders = (parse_order("depth-first"),)
    asked_orders = JudgingQuestion(orders, parse_measure(measure), 5, shares=(0.5, 1.0))
    tried = simulate_orders(study, choice, asked_orders).orders
    assert tried["tau"].iloc[-1] == 1
    assert tried["shown_reason"].tolist() == ["", ""]
    enough = ask_enough(study, choice, EnoughQuestion(measure, 1000))
    today = enough.bounds.set_index("system")["today"].to_dict()
    assert today == pytest.approx(means)
    assert usual_measure(study) == measure
    at = open_page("effectiveness", person, study.collection_id)
    at = at.slider(key="udm-at-least").set_value(4).run()
    model = replace(model_of(study), at_least=4)
    others = ask_scores(study, choice, [measure], weights_of(study, "page", model)).means
    shown = at.dataframe[0].value.set_index("system")
    assert shown[measure].to_dict() == pytest.approx(others.set_index("system")["value"].to_dict())
    assert shown["weights"].iloc[0]
    stop()
    store.close()
    words = ["interleave", "--store", str(store.path), "--collection", study.collection_id]
    words += ["--first", "s0", "--second", "s1", "--simulate", "perfect", "--format", "json"]
    assert main([*words, "--beside", "s2", "--impressions", "10"]) == 0
    (row,) = [
        one
        for one in json.loads(capsys.readouterr().out)["beside"]["rows"]
        if {one["first"], one["second"]} == {"s0", "s2"}
    ]
    apart = means[row["first"]] - means[row["second"]]
    assert row["difference"] == pytest.approx(apart)


@pytest.mark.parametrize(
    ("baseline", "begun"), [("s3", ["s0", "s3"]), ("s0", ["s1", "s0"]), ("", ["s0", "s1"])]
)
def test_a_run_is_interleaved_with_the_baseline(baseline, begun, study, person, open_page):
    declare(study, {"baseline": baseline})
    at = open_page("interleaving", person, study.collection_id)
    assert [chosen(at, f"{one} run") for one in ("First", "Second")] == [[one] for one in begun]


def test_a_measure_is_the_same_under_chances(store, study, person, open_page):
    """Levels of *UDM* are below 1: what counts from 1 is refused everywhere, else has one name."""
    declare(study, {"version": "UDM"})
    client = DescribedClient(open_client(), make_token(store, person, "study", ["read"]))
    refused = client.send("readScores", collection=study.collection_id)
    at = open_page("effectiveness", person, study.collection_id)
    why = "AP counts documents from level 1, and the scale's highest is 0.987654; choose a lower"
    assert refused.status_code == 422
    assert why in refused.json()["detail"]
    assert why in at.info[0].value.replace("\\", "").replace("\u2060", "")
    for path in ("enough", "judging-orders", "unpooled"):
        shown = open_page(path, person, study.collection_id)
        told = "\n".join(one.value for one in [*shown.info, *shown.markdown, *shown.error])
        assert why in told.replace("\\", "").replace("\u2060", "")
    declare(study, {"measure": "AP(rel=0.5)"})
    (best, *_) = client.ask("readScores", collection=study.collection_id)["means"]
    at = open_page("effectiveness", person, study.collection_id)
    shown = at.dataframe[0].value.set_index("system")
    assert shown[best["measure"]][best["system"]] == pytest.approx(best["value"])


def test_a_comparison_takes_discussed_labels_as_scores_do(store, study, person):
    client = DescribedClient(open_client(), make_token(store, person, "study", ["read"]))
    given = {"collection": study.collection_id, "discussed": True}
    scored = client.ask("readScores", **given)
    assert scored["version"] == f"{VERSION}, after discussion"
    rows = client.ask("readComparison", **given, table="ranking")["rows"]
    assert {row["condition"] for row in rows} == {scored["version"]}
