"""From Python, qrels of a sample come with what was not drawn, where that is asked for."""

import dissent


def test_what_was_not_drawn_is_read_on_demand(tmp_path):
    (tmp_path / "q").write_text("1 0 d1 a 1\n1 0 d2 a -1\n")
    plain = dissent.read_qrels(tmp_path / "q")
    whole = dissent.read_qrels(tmp_path / "q", with_unjudged=True)
    assert plain["document_id"].tolist() == ["d1"]
    assert whole[["document_id", "level", "stratum"]].values.tolist() == [
        ["d1", 1, "a"],
        ["d2", -1, "a"],
    ]
