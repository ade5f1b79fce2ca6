"""A name is given alone or in a list, wherever names are given."""

import inspect

import pandas as pd

import dissent
from core.api.calls.arguments import as_list


def test_a_text_is_one_name():
    assert as_list("kappa(linear)") == ["kappa(linear)"]
    assert as_list(("kappa", "raw")) == ["kappa", "raw"]
    assert as_list(()) == []


def test_no_call_takes_the_letters_of_a_name():
    only_lists = []
    for name in dissent.__all__:
        if inspect.isfunction(call := getattr(dissent, name)):
            for parameter in inspect.signature(call).parameters.values():
                if str(parameter.annotation).removeprefix("collections.abc.") == "Sequence[str]":
                    only_lists.append(f"{name}: {parameter.name}")
    assert only_lists == []


def test_a_coefficient_is_asked_for_by_its_name():
    labels = pd.DataFrame(
        {
            **{"topic_id": "t1", "document_id": list("abcd") * 2, "facet": "page", "engine": ""},
            **{"assessor_id": ["ann"] * 4 + ["bob"] * 4, "occasion": 0, "state": "level"},
            **{"group": "", "level": [0, 1, 2, 2, 0, 1, 2, 1]},
        }
    )
    one = dissent.agreement(labels, "kappa").overall
    assert one.equals(dissent.agreement(labels, ["kappa"]).overall)
    assert one["coefficient"].tolist() == ["kappa"]
