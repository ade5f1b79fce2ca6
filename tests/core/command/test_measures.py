"""``dissent measures``: every measure with its other names, and one of them explained."""

from core.measures.base import MEASURES


def test_every_measure_is_listed(dissent):
    found = dissent("measures", "--format", "json").json["measures"]
    assert [one["name"] for one in found] == MEASURES.names()
    assert all(one["explanation"] and one["examples"] and one["reference"] for one in found)
    lines = dissent("measures").out.splitlines()
    assert len(lines) == len(found) + 2
    assert any(line.startswith("AP ") and line.endswith("map, map_cut") for line in lines)


def test_a_measure_is_explained_by_any_of_its_names(dissent):
    out = dissent("measures", "ndcg_cut_10").out
    assert "DCG divided by that of the ideal ranking" in out
    assert "'ndcg_cut_10' is nDCG@10 here" in out
    assert "doi:10.1145/582415.582418" in out
    assert "'map' is AP here" in dissent("measures", "map").out


def test_an_unknown_measure_is_answered(dissent):
    result = dissent("measures", "ndgc")
    assert result.status == 1
    assert "did you mean nDCG" in result.err
