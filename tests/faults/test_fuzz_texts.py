"""Smaller texts that people and files give: scales, weights, rules and measures."""

import json
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.command.arguments.shared import parse_scale
from core.command.files.weight_files import read_pair_weights, read_weights
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.versions.rules import QrelsRule
from tests.faults.fuzz_mutations import NASTY, spoiled_files

pytestmark = pytest.mark.timeout(3_600)

SHORT, LONG = 50, 2_000

WEIGHTS = json.dumps({"top": 3, "levels": [{"level": 0, "weight": 0.0}, {"level": 1, "weight": 1}]})
PAIRS = json.dumps({"levels": [{"level": [0, 1], "weight": 0.5}, {"level": [1, 1], "weight": 1}]})
RULE = QrelsRule("mine", combine="udm", weights=((0, 0.0), (1, 1.0)), slots=(1, 2)).to_json()
PAIR_RULE = QrelsRule("both", combine="combined", pair_weights=((0, 1, 0.5),)).to_json()

CRAFTED = (
    "[" * 100_000,
    '{"levels":' * 50_000,
    '{"levels": [{"level": 1e999, "weight": 1}]}',
    '{"levels": [{"level": [1e999, 0], "weight": 1}]}',
    '{"levels": [{"level": [0], "weight": NaN}]}',
    '{"levels": {"a": 1}}',
    '{"levels": [null]}',
    '{"levels": 3}',
    '{"name": "x", "weights": [[1e999, 1]], "combine": "udm"}',
    '{"name": "x", "weights": {"1": "x"}, "combine": "udm"}',
    '{"name": {}, "slots": ["a", 1]}',
    '{"name": "x", "judges": [1]}',
    '{"name": "x", "judges": "many"}',
    '{"name": "x", "topics": [[1], "a"]}',
    '{"name": "x", "facet": []}',
    '{"name": "x", "factor": 1e999}',
    '{"name": "x", "pair_weights": [[1, 2]], "combine": "combined"}',
    '{"name": "x", "__class__": 1}',
    "nDCG" + "(" * 100_000,
    "nDCG@" + "9" * 5_000,
    "RBP(p=" + "9" * 5_000 + ")",
    "RBP(p=" + "-" * 100_000 + "1)",
    "nDCG(gain={" + "(" * 100_000 + "})",
    "P(rel='" + "a" * 100_000 + "')",
    "page=" + ",".join(map(str, range(1_000))),
    "page=²,³",
    "page=" + "9" * 5_000 + ",1",
    "0=1," * 10_000 + "1=2",
)

Read = Callable[[str, Path], Any]


def _from_file(read: Callable[[str], Any]) -> Read:
    def read_text(text: str, folder: Path) -> Any:
        path = folder / "given.json"
        path.write_text(text, encoding="utf-8", newline="")
        return read(str(path))

    return read_text


READERS: dict[str, tuple[Read, tuple[str, ...], tuple[str, ...]]] = {
    "scale": (
        lambda text, _: parse_scale(text),
        ("page=0,1,2,3", "page=Non,Rel,Nav=Rel", "snippet=default"),
        ("page", "=", ",", "-1", "²", "default"),
    ),
    "weights": (_from_file(read_weights), (WEIGHTS,), ("levels", "level", "weight", "1e999")),
    "weights written out": (
        lambda text, _: read_weights(text) if "=" in text else None,
        ("0=0,1=0.28,2=1",),
        ("=", ",", "nan", "inf", "\0"),
    ),
    "weights of pairs": (_from_file(read_pair_weights), (PAIRS,), ("level", "weight", "1e999")),
    "rule": (
        lambda text, _: QrelsRule.from_json(text),
        (RULE, PAIR_RULE),
        ("name", "weights", "slots", "judges", "facet", "1e999", '"x"'),
    ),
    "measure": (
        lambda text, _: parse_measure(text),
        ("nDCG(gain='udm', discount='zipf')@10", "P@5", "RBP(p=0.8)"),
        ("@", "(", ")", "=", "'", "nan", "1e999", "__class__", "gain", "rel"),
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_a_text_is_read_or_refused(
    name: str, tmp_path: Path, long_form: bool, record_property: Callable[[str, object], None]
):
    read, seeds, words = READERS[name]
    seen: Counter[str] = Counter()

    @settings(
        max_examples=LONG if long_form else SHORT,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        st.one_of(
            spoiled_files(tuple(seed.encode() for seed in seeds), words).map(
                lambda data: data.decode("utf-8", "replace")
            ),
            st.sampled_from(NASTY),
            st.text(max_size=30),
        )
    )
    def try_text(text: str) -> None:
        try:
            read(text, tmp_path)
            seen["read"] += 1
        except (BadInput, ArgumentTypeError) as error:
            str(error).encode("utf-8", "replace")
            seen["refused"] += 1

    for seed in seeds:
        read(seed, tmp_path)
    for text in CRAFTED:
        try_text.hypothesis.inner_test(text)
    try_text()
    record_property("counts", f"{name}: {dict(seen)}")
    assert seen["refused"]
