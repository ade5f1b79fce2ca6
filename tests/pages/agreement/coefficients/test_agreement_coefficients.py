"""Every coefficient on the agreement page, by group and by engine."""

import json

import pytest

from core.agreement.base import COEFFICIENTS
from core.agreement.overall import measure_agreement
from core.agreement.ratings import ratings_from_labels
from core.store.events.frames import read_labels
from core.store.store import Store
from tests.short import long

PART = {"agreement-part": "Coefficients"}


def test_the_table_holds_every_kind_of_coefficient_with_the_same_values(
    store: Store, demo: str, organiser: str, open_page
):
    at = open_page("agreement", organiser, **PART)
    assert not at.exception
    table = next(one.value for one in at.dataframe if "coefficient" in one.value.columns)
    shown = table.set_index("coefficient")["value"]
    for entry in COEFFICIENTS:
        assert shown.index.str.contains(entry.symbol, regex=False).any(), entry.name
    assert {"linear weighted κ", "unweighted κ", "raw agreement"} <= {*shown.index}
    ratings = ratings_from_labels(read_labels(store, demo), "page", [0, 1, 2, 3])
    alone = measure_agreement(ratings, [COEFFICIENTS.parse("alpha(ordinal)")])
    assert shown["Krippendorff's α (ordinal)"] == pytest.approx(alone["value"].iloc[0], abs=1e-12)


def head(table) -> str:
    """Return what the column of parts is called; '' where there is none."""
    return json.loads(table.proto.columns).get("part", {}).get("label", "")


@long
def test_groups_and_their_differences_are_shown(store: Store, demo: str, organiser: str, open_page):
    at = open_page("agreement", organiser, **PART)
    groups, differences = (
        next(one.value for one in at.dataframe if name in one.value.columns).set_index(keys)[value]
        for name, keys, value in (
            ("first_group", ["first_group", "second_group"], "value"),
            ("difference", ["first", "second"], "difference"),
        )
    )
    less = groups["expert", "expert"] - groups["crowd", "crowd"]
    assert differences["crowd × crowd", "expert × expert"] == pytest.approx(-less)


@long
def test_engines_are_shown_for_snippets_only(store: Store, demo: str, organiser: str, open_page):
    at = open_page("agreement", organiser, **PART)
    assert "engine" not in map(head, at.dataframe)
    at.radio(key="agreement-facet").set_value("snippet").run()
    (table,) = [one.value for one in at.dataframe if head(one) == "engine"]
    assert len(table) == 5


@long
def test_verticals_and_types_of_topics_are_parts_too(
    store: Store, demo: str, organiser: str, open_page
):
    with store.change(demo, "test", "results", "", "") as cursor:
        cursor.execute(
            "UPDATE results SET vertical = CASE engine WHEN 'lantern' THEN 'news' ELSE 'web' END"
        )
    at = open_page("agreement", organiser, **PART)
    at.radio(key="agreement-facet").set_value("snippet").run()
    (table,) = [one.value for one in at.dataframe if head(one) == "vertical"]
    labels = read_labels(store, demo)
    news = labels[labels["engine"] == "lantern"]
    ratings = ratings_from_labels(news, "snippet", [0, 1, 2, 3])
    alone = measure_agreement(ratings, [COEFFICIENTS.parse("kappa(linear)")])
    by_vertical = table.set_index("part")["value"]
    assert list(by_vertical.index) == ["news", "web"]
    assert by_vertical["news"] == pytest.approx(alone["value"].iloc[0], abs=1e-12)
    (types,) = [one.value for one in at.dataframe if "type of topic" in one.value.columns]
    assert types["type of topic"].nunique() == len(types) > 1
