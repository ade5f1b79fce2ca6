"""People's judgements filled up with a machine's."""

import pandas as pd

from core.machines.mixed_qrels import keep_common_documents, mix_qrels

COLUMNS = ["topic_id", "iteration", "document_id", "level"]


def judge(**levels: int) -> pd.DataFrame:
    """Return judgements of one topic."""
    return pd.DataFrame(
        [("t", "0", name, level) for name, level in levels.items()], columns=COLUMNS
    )


def test_people_go_first_and_the_machine_fills_up():
    mixed = mix_qrels(judge(a=2, b=0, c=-1), judge(a=0, b=3, c=1, d=2))
    assert list(mixed.columns) == COLUMNS
    assert dict(zip(mixed["document_id"], mixed["level"], strict=True)) == {
        "a": 2, "b": 0, "c": 1, "d": 2,
    }  # fmt: skip


def test_the_same_document_of_another_topic_is_another():
    other = judge(a=3).assign(topic_id="u")
    assert len(mix_qrels(judge(a=2), other)) == 2


def test_only_what_all_have_judged_is_kept():
    machines = {"m": judge(a=1, b=-1, c=1), "n": judge(a=0, c=2, d=1)}
    people, kept = keep_common_documents(judge(a=2, b=1, c=0, e=1), machines)
    assert people["document_id"].tolist() == ["a", "c"]
    assert kept["m"]["level"].tolist() == [1, 1]
    assert kept["n"]["level"].tolist() == [0, 2]
