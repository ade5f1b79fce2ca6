"""What is printed of conclusions: JSON with intervals and reasons, tables for people."""

import json

import numpy as np
import pytest

from core.command.printing.machine_tables import list_conclusions, print_conclusions
from core.command.printing.output import print_json
from core.comparison.significance_test import SignificanceTest
from core.measures.catalogue import parse_measure
from core.reports.conclusions import Conclusions, draw_conclusions
from core.versions.judgements import put_on_scale
from tests.calibration.machine_models import FOLLOWING
from tests.short import long


@pytest.fixture(scope="module")
def found() -> Conclusions:
    runs, people, machine = FOLLOWING.draw(15, 8, np.random.default_rng(1))
    return draw_conclusions(
        runs,
        put_on_scale(people),
        {"m": machine, "same": people},
        parse_measure("nDCG@10"),
        lineages={"m": ["s00", "s01"]},
        bests=(3, 5),
        significance=SignificanceTest(samples=500),
        mixed=False,
    )


@long
def test_json_has_values_limits_and_reasons(found: Conclusions, capsys):
    print_json(list_conclusions(found))
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == [
        "conclusion", "sources", "rankings", "significance", "gains", "lineage", "circularity",
        "notes",
    ]  # fmt: skip
    first = printed["rankings"][0]
    assert first["source"] == "m"
    assert first["low"] <= first["tau"] <= first["high"]
    of = "rank correlation with people's order, over topics like these"
    assert first["interval"] == {"method": "bootstrap", "unit": "topic", "n": 15, "of": of}
    assert list(first["tau_top"]) == list(first["tau_top_limits"]) == ["3", "5"]
    assert first["tau_ap_limits"]["low"] <= first["tau_ap"] <= first["tau_ap_limits"]["high"]
    assert first["differ"] in (True, False)
    assert "reason" not in first
    kept, same = printed["significance"]
    assert (
        kept["kept"] + kept["vanished"] + kept["turned"] + kept["appeared"] + kept["neither"] == 28
    )
    changed = {one["change"] for one in kept["differences"]}
    assert changed <= {"kept", "vanished", "turned", "appeared"}
    assert len(kept["differences"]) == 28 - kept["neither"]
    assert same["vanished"] == same["appeared"] == same["turned"] == 0
    gain = next(one for one in printed["gains"] if one["machine"] == "m")
    of = "mean score by the machine less that by people, over topics like these"
    assert gain["interval"] == {"method": "t on log odds", "unit": "topic", "n": 15, "of": of}
    over_topics, over_runs = printed["lineage"]
    assert over_topics["interval"]["unit"] == "topic"
    assert over_runs["low"] is None
    assert over_runs["reason"].startswith("limits over runs")
    flagged = [one["system"] for one in printed["circularity"] if one["flagged"]]
    assert flagged == ["s00"]
    without = next(one for one in printed["circularity"] if one["machine"] == "same")
    assert without["flagged"] is without["p"] is None
    assert "tells no two documents apart" in without["reason"]
    assert without["sentence"].startswith("s00 cannot be compared")


def test_tables_say_what_changes(found: Conclusions, capsys):
    print_conclusions(found)
    printed = capsys.readouterr().out
    assert printed.startswith("By nDCG@10, the order of 8 systems under the labels of m (Kend")
    for words in (
        "Orders of systems beside people's (limits: what studies of this size find on average)\n",
        "95 % limits over topics (15), by the bootstrap",
        "τ-b of the best 3",
        "shown to differ",
        "vanished",
        "m: what systems gain from a machine's judgements",
        "- The 2 runs of the lineage gain",
        "m: agreement beyond people and the other runs",
        "it stands out: it may have been made with the machine's labels",
        "- Whether a run agrees with the machine more than others was not tested: the machine t",
        "tells no two documents apart",
    ):
        assert words in printed
    table = printed.partition("m: agreement beyond")[2].partition("same: agreement")[0]
    rows = [line for line in table.splitlines() if line.startswith("s0")]
    assert len(rows) == 5
    assert " yes " in rows[0]
    assert " no " in rows[1]
