"""Agreement and qrels of an aspect are those of its levels, and relevance is left as it is."""

import itertools
import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau
from statsmodels.stats.inter_rater import cohens_kappa

from core.agreement.coefficients import Kappa
from core.analysis.agreement.between_assessors import (
    agreement_of,
    agreement_of_aspects,
    disagreement_by_item,
)
from core.analysis.base.study import Study, labels_of, scales_of
from core.analysis.results.past_versions import versions_at
from core.analysis.results.qrels_choices import QrelsChoice, find_choice, list_choices, version_of
from core.collection.records import counted_levels
from core.errors import BadInput, NotFound
from core.reports.user_model import usual_model
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.saved_rules import save_rule
from core.store.events.aspect_labels import read_labels_of_aspect
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.core.judged_aspects import ASSESSORS, PAGES, TOPICS, TRUST, build, said_of
from tests.short import long

LINEAR = Kappa("linear")


@pytest.fixture(scope="module")
def judged_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = Path(shutil.copy(blank_store, tmp_path_factory.mktemp("aspects")))
    with closing(Store(path)) as store:
        return path, build(store)


@pytest.fixture
def study(tmp_path: Path, judged_store: tuple[Path, str]) -> Iterator[Study]:
    path, collection_id = judged_store
    with closing(Store(Path(shutil.copy(path, tmp_path)))) as store:
        yield Study(store, collection_id, is_masked=False)


def counted() -> pd.DataFrame:
    """What was said of trust, counted by hand: level 2 counts as 1."""
    rows = []
    for topic, page, place in itertools.product(range(TOPICS), range(PAGES), range(3)):
        level, said = said_of(topic, page, place)
        if "trust" in dict(said):
            trust = min(dict(said)["trust"], 1)
            rows.append((f"t{topic}", f"d{page}", ASSESSORS[place], min(level, 3), trust))
    return pd.DataFrame(rows, columns=["topic_id", "document_id", "who", "relevance", "trust"])


def test_the_labels_of_an_aspect_are_those_that_have_one(study):
    own = labels_of(study.of_aspect("trust"))
    expected = counted().sort_values(["topic_id", "document_id", "who"])
    found = own.sort_values(["topic_id", "document_id", "assessor_id"])
    assert found["level"].tolist() == expected["trust"].tolist()
    assert own.columns.tolist() == labels_of(study).columns.tolist()
    assert own["given_level"].max() == 2
    assert len(labels_of(study)) == TOPICS * PAGES * 3
    assert scales_of(study.of_aspect("trust")) == {"page": TRUST.levels}
    with pytest.raises(NotFound, match="there are trust, age"):
        scales_of(study.of_aspect("truth"))


def test_two_assessors_agree_as_an_oracle_says(study):
    own = study.of_aspect("trust")
    (row,) = (
        agreement_of(own, "page")
        .by_pair([LINEAR])
        .query("first == 'anna' and second == 'bob'")
        .to_dict("records")
    )
    wide = counted().pivot(index=["topic_id", "document_id"], columns="who", values="trust")
    both = wide[["anna", "bob"]].dropna()
    table = pd.crosstab(both["anna"], both["bob"]).to_numpy()
    assert row["n"] == len(both)
    assert row["value"] == pytest.approx(cohens_kappa(table, return_results=False))


def test_the_table_names_each_aspect_with_its_tau_to_relevance(study):
    table = agreement_of_aspects(study, "page").set_index("aspect")
    assert table.index.tolist() == ["trust", "age"]
    said = counted()
    means = said.groupby(["topic_id", "document_id"])[["trust", "relevance"]].mean()
    tau = kendalltau(means["trust"].round(9), means["relevance"].round(9)).statistic
    assert table.loc["trust", "tau"] == pytest.approx(tau)
    assert table.loc["trust", ["labels", "items"]].tolist() == [len(said), len(means)]
    whole = agreement_of(study.of_aspect("trust"), "page").measure([LINEAR])
    for name in ("value", "low", "high", "units"):
        assert table.loc["trust", name] == whole[name].iloc[0]
    of_snippets = agreement_of_aspects(study, "snippet")
    assert of_snippets["aspect"].tolist() == ["age"]
    assert of_snippets["tau"].isna().all()
    assert of_snippets["reason"].iloc[0]


def test_the_page_of_an_aspect_shows_no_gold(study):
    mark_gold(study.store, study.collection_id, GoldItem("t1", "d1", "page", "", 3))
    assert (disagreement_by_item(study, "page", "t1")["gold"] != "").any()
    assert (disagreement_by_item(study.of_aspect("trust"), "page", "t1")["gold"] == "").all()


@long
def test_who_may_not_see_people_sees_codes_there_too(study):
    masked = Study(study.store, study.collection_id, is_masked=True, aspect="trust")
    assert not set(labels_of(masked)["assessor_id"]) & set(ASSESSORS)


def test_qrels_of_an_aspect_are_made_by_the_same_rules_and_named_for_it(study):
    own = study.of_aspect("trust")
    model = usual_model(counted_levels(scales_of(own)["page"]))
    choices = list_choices(own, "page", model)
    assert choices["all, maximum"].name == "trust: all, maximum"
    assert {one.rule.aspect for one in choices.values()} == {"trust"}
    made = version_of(study, choices["all, maximum"])
    highest = counted().groupby(["topic_id", "document_id"])["trust"].max()
    assert made.frame.set_index(["topic_id", "document_id"])["level"].to_dict() == highest.to_dict()
    assert made.gmax == 1
    for name in ("all, maximum", "trust: all, maximum"):
        assert find_choice(own, name).rule == choices["all, maximum"].rule
    assert not any(one.rule.aspect for one in list_choices(study, "page", model).values())


def test_a_rule_of_an_aspect_stands_for_itself(study):
    rule = QrelsRule("mine", combine="majority", aspect="trust")
    assert QrelsRule.from_json(rule.to_json()) == rule
    assert rule.rule_hash != QrelsRule("mine", combine="majority").rule_hash
    save_rule(study.store, study.collection_id, rule.name, rule.to_json())
    assert find_choice(study.of_aspect("trust"), "mine").rule == rule
    with pytest.raises(NotFound):
        find_choice(study, "mine")
    decided = QrelsRule("decided", combine="adjudicated", aspect="trust")
    with pytest.raises(BadInput, match="of relevance"):
        version_of(study, QrelsChoice("decided", decided))


@long
def test_versions_as_of_an_event_are_those_of_that_time(study):
    own = study.of_aspect("trust")
    model = usual_model(counted_levels(scales_of(own)["page"]))
    before, until = versions_at(own, "page", model)["all, median"].version, study.sequence
    for who in ("anna", "bob"):
        key = Key("t1", "d1", "page", "", who, 0)
        current = study.store.labels.current(study.collection_id, who)[key]
        said = (("trust", 0 if dict(current.aspects)["trust"] else 2),)
        event = LabelEvent(str(uuid.uuid4()), current.event_id, key, "level", 3, aspects=said)
        study.store.labels.append(study.collection_id, [event])
    now = Study(study.store, study.collection_id, is_masked=False, aspect="trust")
    then = versions_at(now, "page", model, until)["all, median"].version
    assert then.content_hash == before.content_hash
    assert versions_at(now, "page", model)["all, median"].version.content_hash != then.content_hash
    stood = read_labels_of_aspect(study.store, study.collection_id, "trust", until)
    assert len(stood) == len(counted())
    assert np.isfinite(stood["level"]).all()
