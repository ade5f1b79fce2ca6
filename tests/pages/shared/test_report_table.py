"""Tables of reports on pages: what the report says of its columns is what is drawn."""

import json
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.reports.report import Column, Estimated
from core.store.content.collections import create_collection
from core.store.people.people import add_person
from core.store.store import Store
from pages.shared import figure
from tests.pages.test_number_formats import drawn_tables


def draw(reason: str, unit_counts: list[int]) -> None:
    from typing import ClassVar

    import pandas as pd

    from core.numerals import write_p
    from core.reports.report import Column, Estimated, Report
    from pages.shared.figure import show_report

    class Near(Report):
        name = "near"
        tables: ClassVar = {
            "all": Estimated(
                "All",
                "a share",
                {
                    "person": Column("who"),
                    "engine_name": Column("where", names="nobody"),
                    "share": Column("near", "within one level", percent=True),
                    "p": Column("p", write=write_p),
                    "n": Column("items"),
                    "mean": Column("mean level", digits=1),
                    "empty": Column("note"),
                    "absent": Column("absent"),
                },
                estimate="share",
            )
        }
        answer = "Some are near."
        all = pd.DataFrame(
            {"p": [1e-9, 0.5], "hidden": ["anna", "x"], "low": [0.1, 0.2], "high": [0.4, 0.5],
             "share": [0.25, 0.5], "person": ["anna", "bob"], "engine_name": ["anna", "bob"],
             "n": [1161, 2], "mean": [1.25, 2.5], "empty": ["", ""], "interval": "t",
             "unit": "topic", "units": unit_counts, "reason": ["", reason]}
        )  # fmt: skip

    show_report(Near(), "all", "near", "What it shows.")


def columns_of(at: AppTest) -> tuple[list[str], dict[str, Any]]:
    """Return the columns that are shown, in order, and how each is drawn."""
    ((_, proto),) = drawn_tables(at)
    given = json.loads(proto.columns)
    return [one for one in proto.column_order if not given[one].get("hidden")], given


def test_columns_have_the_order_heads_and_formats_of_the_report():
    at = AppTest.from_function(draw, args=("one topic", [5, 7])).run()
    assert not at.exception
    order, given = columns_of(at)
    assert order == [
        *("person", "engine_name", "share", "low", "high", "p", "n", "mean", "units", "reason")
    ]
    heads = ["who", "where", "near", "from", "to", "p", "items", "mean level", "topics"]
    assert [given[one]["label"] for one in order] == [*heads, "why empty"]
    assert given["share"]["help"] == "within one level"
    formats = [given[one]["type_config"]["format"] for one in ("share", "low", "n", "mean")]
    assert formats == ["percent", "percent", "%,d", "%,.1f"]
    assert at.dataframe[0].value["p"].tolist() == ["< 0.001", "0.500"]
    assert given["person"]["pinned"]


def draw_near(width: float) -> None:
    from typing import ClassVar

    import pandas as pd

    from core.reports.report import Column, Estimated, Report
    from pages.shared.figure import show_report

    class Narrow(Report):
        name = "narrow"
        tables: ClassVar = {"all": Estimated("All", "it", {"value": Column("it")})}
        answer = "It is."
        all = pd.DataFrame(
            {"value": [0.0005, 0.3], "low": [0.0005, 0.1], "high": [0.0005, 0.4], "reason": ""}
        )

    Narrow.all["high"] += [width, 0.0]
    show_report(Narrow(), "all", "narrow", "What it shows.")


@pytest.mark.parametrize(("width", "drawn"), [(0.0004, "%,.5f"), (0.0, "%,.3f"), (0.1, "%,.3f")])
def test_limits_that_would_be_drawn_alike_have_more_decimals(width: float, drawn: str):
    at = AppTest.from_function(draw_near, args=(width,)).run()
    assert not at.exception
    _, given = columns_of(at)
    formats = {given[one]["type_config"]["format"] for one in ("value", "low", "high")}
    assert formats == {drawn}


def test_a_reason_that_no_row_has_is_hidden_and_one_number_of_topics_is_said_beneath():
    at = AppTest.from_function(draw, args=("", [5, 5])).run()
    order, _ = columns_of(at)
    assert not {"reason", "units"} & {*order}
    assert "What it shows. Limits rest on 5 topics." in [one.value for one in at.markdown]


def test_data_hide_people_but_where_a_column_is_said_to_name_nobody(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    given: dict[str, Any] = {}
    monkeypatch.setattr(
        figure, "_offer", lambda data, *said: given.update(data=data, said=said[2:])
    )
    add_person(store, "anna", "assessor")
    columns = {
        "person": Column("who"),
        "place": Column("place", names="nobody"),
        "version_name": Column("version", names="lists"),
    }
    report: Any = type("One", (), {"tables": {"all": Estimated("All", "", columns)}})
    rows = pd.DataFrame({key: ["ask anna"] for key in [*columns, "hidden"]})
    figure.show_report(report, "all", "one", "", rows=rows)
    nobody, listed = given["said"]
    made = create_collection(store, "Judged")
    told = figure.hide_names(store, made, given["data"], nobody=nobody, listed=listed).iloc[0]
    assert (told["place"], told["version_name"]) == ("ask anna", "ask anna")
    assert "anna" not in told["person"] + told["hidden"]
