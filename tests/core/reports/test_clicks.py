"""Clicks beside judges: items found by topic and document, and what is said of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, TooLittleData
from core.reports.clicks import (
    ClickAnalysis,
    ClickQuestion,
    analyse_clicks,
    describe_lift,
    levels_of_items,
    preferences_of_items,
    weigh_items,
)
from core.reports.report import stack_tables
from core.wording import drop_marks
from tests.core.clicks.worlds import LEVELS, draw_log

PBM, BOTH = ClickQuestion(("PBM",)), ClickQuestion(("UBM", "PBM"))


def read_preferences(text: str) -> pd.DataFrame:
    source = Source("p.tsv", f"topic\tleft\tright\tchoice\n{text}".encode())
    return read_import("preferences", [source]).frames["preferences"]


def test_levels_are_found_by_topic_and_document():
    log = draw_log("PBM", 20)
    rows = [("q", "d0", 1), ("q", "d1", 0), ("q", "d1", 2), ("r", "d2", 3)]
    qrels = pd.DataFrame(rows, columns=["topic_id", "document_id", "level"])
    found = levels_of_items(log, ["q"], qrels)
    assert found.tolist()[:2] == [1, 2]
    assert np.isnan(found[2:]).all()
    assert np.isnan(levels_of_items(log, [""], qrels)).all()


def test_weights_are_those_of_levels():
    found = weigh_items(LEVELS, {0: 0.0, 1: 0.3})
    assert found[:3].tolist() == [0, 0.3, 0.3]
    assert np.isnan(found[3:]).all()


def test_preferences_are_found_by_topic_and_document():
    log = draw_log("PBM", 20)
    said = preferences_of_items(
        log, ["q"], read_preferences("q\td0\td1\tright\nq\td1\td9\tleft\nr\td0\td1\tleft\n")
    )
    found = said.compare(np.array([[0, 1]]))[0]
    assert (found[0, 1], found[1, 0]) == (-1, 1)
    with pytest.raises(TooLittleData, match="two results that the click log shows"):
        preferences_of_items(log, ["q"], read_preferences("r\td0\td1\tleft\n"))
    with pytest.raises(TooLittleData, match="two results"):
        preferences_of_items(log, [""], read_preferences("q\td0\td1\tleft\n"))


def test_without_judgements_position_is_all_that_is_told():
    found = ClickAnalysis(draw_log("PBM", 100), question=PBM)
    assert drop_marks(found.answer).startswith("Of results at rank 1, ")
    assert "People" not in found.answer
    for ask in (lambda: found.by_level, lambda: found.contradictions):
        with pytest.raises(TooLittleData, match="no result of the click log has a level"):
            ask()
    with pytest.raises(TooLittleData, match="nothing that people said"):
        _ = found.lift
    nobody = ClickAnalysis(found.log, np.full(6, np.nan), question=PBM)
    assert nobody.answer == found.answer


def test_it_says_how_clicks_agree_with_people():
    log = draw_log("PBM", 2000)
    found = ClickAnalysis(log, LEVELS, question=PBM)
    assert "more often than by position alone (lift" in found.answer
    lift = found.lift
    assert set(lift["against"]) == {"levels"}
    usual = lift["rule"] == "click-skip-above"
    turned = lift.assign(low=0.5, high=0.9)
    assert "less often than by position alone" in describe_lift(turned)
    assert "not shown to be other" in describe_lift(lift.assign(low=0.5, high=1.5))
    assert "(click > earlier click)" in describe_lift(lift[~usual])
    none = lift.assign(low=np.nan, pairs=0)
    assert describe_lift(none) == (
        "Clicks cannot be set against people: no rule reads pairs that they tell apart."
    )


def test_counts_of_one_and_none_are_told_as_such():
    log = draw_log("PBM", 2000)
    found = ClickAnalysis(log, LEVELS, question=PBM)
    one = found.lift.assign(pairs=1, units=1)
    assert " of 1 pair (1 session), " in drop_marks(describe_lift(one))
    result = found.contradictions
    for rows, says in ((0, "none is"), (1, "1 is"), (2, "2 are")):
        frame = (
            pd.concat([result.frame] * 2).head(0) if rows == 0 else pd.DataFrame(index=range(rows))
        )
        found.__dict__["contradictions"] = replace(result, frame=frame, compared=1)
        begin = f"Of 1 judged result {says} more likely than not judged high"
        assert drop_marks(found.tell("contradicting")).startswith(begin)


def test_a_list_of_one_rank_has_no_last():
    log = draw_log("PBM", 100)
    short = replace(log, item=log.item[:, :1], clicked=log.clicked[:, :1])
    answer = drop_marks(ClickAnalysis(short, question=PBM).answer)
    assert answer.startswith("Of results at rank 1, ")
    assert answer.endswith("% were clicked.")


def test_pairs_of_one_session_are_not_called_none():
    log = draw_log("PBM", 200)
    found = ClickAnalysis(replace(log, session=np.zeros_like(log.session)), LEVELS, question=PBM)
    assert found.lift["pairs"].max() > 1
    assert found.answer.endswith(
        "Clicks cannot be set against people: all pairs are of one session: limits over sessions "
        "need two."
    )


def test_what_few_sessions_cannot_tell_is_not_offered():
    """All else is there, and a note says why models are not compared."""
    log = draw_log("PBM", 6)
    found = ClickAnalysis(log, LEVELS, question=PBM)
    assert "by_rank" in found.offered
    assert not {"models", "perplexity"} & set(found.offered)
    assert "3 sessions cannot be dealt into 5 folds" in found.notes


def test_a_log_without_a_page_and_a_cut_that_is_no_level_are_refused():
    log = draw_log("PBM", 6)
    with pytest.raises(TooLittleData, match="no page"):
        analyse_clicks(log.select(log.session > 9), PBM)
    with pytest.raises(BadInput, match="a cut is a level, not nan"):
        ClickQuestion(cut=float("nan"))


def test_models_fitted_without_judgements_serve_with_them():
    log = draw_log("PBM", 300)
    alone = ClickAnalysis(log, question=BOTH)
    found = ClickAnalysis(log, LEVELS, question=BOTH, alone=alone)
    assert found.fits is alone.fits
    assert found.held_out is alone.held_out
    assert str(found.leading) == "UBM"
    assert found.leading_fit is alone.fits["UBM"]
    assert set(found.unknown) == {"rank-CTR", "UBM", "PBM"}
    assert found.attractiveness["level"].iloc[0] == 0


def test_a_model_with_attractiveness_is_there_in_any_case():
    found = ClickAnalysis(draw_log("PBM", 300), LEVELS, question=ClickQuestion(("CTR",), cut=1))
    assert str(found.leading) == "PBM"
    assert found.contradictions.cut == 1
    with pytest.raises(TooLittleData, match="1 query has results of different levels"):
        _ = found.predicted
    with pytest.raises(BadInput, match="two folds"):
        _ = ClickAnalysis(found.log, question=ClickQuestion(("PBM",), folds=1)).held_out


def test_tables_that_can_be_had_stand_below_each_other():
    log = draw_log("PBM", 300)
    alone = ClickAnalysis(log, question=PBM)
    assert alone.offered == ("by_rank", "models", "perplexity", "cannot_tell")
    assert alone.notes == []
    found = ClickAnalysis(log, LEVELS, question=PBM)
    assert set(found.tables) - set(found.offered) == {"predicted"}  # the log has one query
    (note,) = found.notes
    assert "1 query has results of different levels" in note
    whole = stack_tables({name: found.table(name) for name in found.offered})
    assert set(whole["table"]) <= set(found.offered)
    for name in ("by_rank", "models", "attractiveness", "lift"):
        row = found.table(name).iloc[0]
        assert found.describe_interval(name, row)["of"].endswith("over sessions like these")


def test_what_models_and_contradictions_come_to_is_told():
    found = ClickAnalysis(draw_log("PBM", 2000), LEVELS, question=PBM)
    assert found.tell("models") == found.held_out.answer
    told = drop_marks(found.tell("contradicting"))
    assert told.startswith("Of 5 judged results ")
    assert "(from 2 up)" in told
    assert "(from Maybe up)" in found.tell("contradicting", "Maybe")
    assert found.tell("attractiveness") == "By the model PBM."
    assert found.tell("by_rank") == ""
    write = found.tables["by_level"].columns["level"].write
    assert write is not None
    assert [write(2.0), write(float("nan"))] == ["2", "unjudged"]


def test_frames_are_set_beside_a_log_of_the_same_names():
    log = draw_log("PBM", 300)
    rows = [(log.queries[0], f"d{one}", one % 3) for one in range(5)]
    qrels = pd.DataFrame(rows, columns=["topic_id", "document_id", "level"])
    found = analyse_clicks(log, PBM, qrels, weights={0: 0.0, 1: 0.3, 2: 1.0})
    assert set(found.lift["against"]) == {"levels", "weights"}
    said = read_preferences(f"{log.queries[0]}\td0\td1\tright\n")
    alone = analyse_clicks(log, PBM, preferences=said)
    assert set(alone.lift["against"]) == {"preferences"}
    assert "lift" in alone.offered
    with pytest.raises(TooLittleData, match="no result of the click log has a level"):
        analyse_clicks(log, PBM, qrels.assign(topic_id="elsewhere"))
    with pytest.raises(BadInput, match="a model by level needs judgements"):
        analyse_clicks(log, ClickQuestion(("level-CTR",)))
    with pytest.raises(BadInput, match="weights are of levels"):
        analyse_clicks(log, PBM, weights={0: 1.0})
