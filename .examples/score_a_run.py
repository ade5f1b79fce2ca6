"""How good is a ranking? From a run and qrels to measures."""

from pathlib import Path

import dissent

TEXTBOOK = Path(__file__).resolve().parent.parent / "sample_data" / "textbook"

run = dissent.read_runs(TEXTBOOK / "textbook.run")
scores = dissent.evaluate(run, dissent.read_qrels(TEXTBOOK / "binary.qrels"), ["P@5", "AP"])
print(scores.side_by_side.round(3).to_string(index=False))
graded = dissent.evaluate(run, dissent.read_qrels(TEXTBOOK / "graded.qrels"), "nDCG@10")
print(f"nDCG@10 on average {graded.means['value'].item():.3f}")
