"""Arguments of commands that score runs, and compare systems and measures."""

from argparse import ArgumentParser, ArgumentTypeError

from core.command.arguments.score_files import (
    add_permutations,
    add_qrels_scale,
    add_run_files,
    add_runs,
    add_score_files,
    add_test,
    parse_level,
    parse_measure_text,
)
from core.command.arguments.shared import (
    WEIGHTS_HELP,
    add_alpha,
    add_qrels_reading,
    add_run_reading,
    add_seed,
    add_table_format,
    parse_count,
    parse_named,
)
from core.registered import list_values


def describe_evaluate(parser: ArgumentParser) -> None:
    """Describe ``dissent evaluate``."""
    parser.description = (
        "Scores of runs against qrels, with the judged share of what each score looks at. The "
        "order of a run is trec_eval's: score, then document id, both descending. A topic that a "
        "run does not answer scores 0; a topic with nothing to find is left out of the mean."
    )
    known = ", ".join(f"{entry.name} ({entry.description})" for entry in list_values("measure"))
    parser.epilog = (
        f"Measures: {known}. Options are given in brackets and a cut-off after @, as in "
        "nDCG(gain='exp')@10. With --format trec_eval each run begins with a line 'runid all "
        "SYSTEM' and measures keep their names here. The residual of RBP and INST is how much "
        "higher the score would be if all that is not judged had the highest gain."
    )
    add_score_files(parser)
    parser.add_argument("--per-topic", action="store_true", help="each topic's scores as well")
    add_table_format(parser, "trec_eval")


def describe_compare(parser: ArgumentParser) -> None:
    """Describe ``dissent compare``."""
    from core.comparison.choices import MEANING, TESTS, UNITS

    parser.description = (
        "Tests every two systems and compares the results between qrels: the orders of systems, "
        "how many pairs differ significantly, and which of them do so under both. Several topic "
        "sets, or several measures, are compared like several qrels. The order of a run is "
        "trec_eval's; a topic that a run does not answer scores 0; a topic with nothing to find is "
        "left out."
    )
    tests = " ".join(f"{one.name}: {one.meaning}. {one.error_rate}" for one in TESTS.values())
    units = "; ".join(f"{unit}, {meaning}" for unit, meaning in MEANING.items())
    parser.epilog = (
        f"Tests. {tests} 95 % limits of differences take topics for a sample, and hold for all "
        f"pairs at once. Limits of τ: {units}."
    )
    add_score_files(parser)
    add_test(parser)
    add_permutations(parser)
    parser.add_argument(
        "--over-conditions",
        action="store_true",
        help="correct p for the number of conditions, too (Bonferroni); otherwise each condition "
        "has its own chance of an error",
    )
    parser.add_argument(
        "--rope",
        type=_width,
        metavar="W",
        help="also compare by posterior probabilities; differences below W are practically none "
        "(say 0.01)",
    )
    parser.add_argument(
        "--tau-interval",
        choices=UNITS,
        default=UNITS[0],
        help=f"what limits of τ take for the sample (default {UNITS[0]}); see below",
    )
    parser.add_argument(
        "--judged-by",
        nargs="+",
        action="extend",
        default=[],
        type=parse_named("QRELS=FILE"),
        metavar="QRELS=FILE",
        help="who judged each topic of these qrels, lines of topic and assessor; for limits of τ "
        "that take assessors for a sample",
    )
    add_alpha(parser)
    parser.add_argument(
        "--topics",
        nargs="+",
        action="extend",
        default=[],
        type=_topic_set,
        metavar="SET=FILE",
        help="compare on this set of topics, one topic id a line; SET alone stands for all topics",
    )
    parser.add_argument(
        "--common-topics",
        action="store_true",
        help="use only those topics that count under all qrels and measures",
    )
    add_seed(parser)
    add_table_format(parser, "trec_eval")


def _topic_set(text: str) -> tuple[str, str]:
    name, mark, path = text.partition("=")
    if not name.strip() or (mark and not path):
        raise ArgumentTypeError(f"'{text}' is not written SET=FILE")
    return name.strip(), path


def _width(text: str) -> float:
    try:
        width = float(text)
    except ValueError:
        width = -1.0
    if not 0 <= width < float("inf"):
        raise ArgumentTypeError(f"'{text}' is not a width of 0 or more")
    return width


def describe_curves(parser: ArgumentParser) -> None:
    """Describe ``dissent curves``."""
    from core.measures.choices import AVERAGES, DEPTH, GAIN

    parser.description = (
        "Interpolated precision at the eleven standard levels of recall, precision and recall by "
        "rank, and the gain that adds up by rank beside that of the best list of what was judged; "
        "means over topics. A topic with nothing to find is left out; one that a run does not "
        "answer counts as 0. Differences are not tested: see 'dissent compare'."
    )
    averages = "; ".join(f"{name}, {meaning}" for name, meaning in AVERAGES.items())
    parser.epilog = f"How nCG and nDCG are averaged: {averages}."
    parser.add_argument("--qrels", required=True, metavar="Q", help="TREC qrels")
    add_runs(parser)
    parser.add_argument(
        "--measure",
        type=parse_measure_text,
        default=GAIN,
        metavar="M",
        help=f"CG, nCG, DCG or nDCG, without a cut-off, such as nDCG(gain='exp') (default {GAIN})",
    )
    parser.add_argument("--weights", metavar="FILE", help=f"for gain='udm', {WEIGHTS_HELP}")
    parser.add_argument(
        "--level",
        type=parse_level,
        default=1.0,
        metavar="L",
        help="level from which documents count as relevant (default 1)",
    )
    parser.add_argument(
        "--depth",
        type=parse_count(1),
        default=DEPTH,
        metavar="K",
        help=f"the last rank (default {DEPTH})",
    )
    parser.add_argument(
        "--average", choices=tuple(AVERAGES), default="topics", help="see below (default topics)"
    )
    parser.add_argument(
        "--per-topic",
        action="store_true",
        help="each topic's curves as well, and precision at every relevant document found",
    )
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_qrels_scale(parser)
    add_table_format(parser)


def describe_unpooled(parser: ArgumentParser) -> None:
    """Describe ``dissent unpooled``."""
    from core.comparison.choices import LEFT_OUT_TEST

    parser.description = (
        "Builds the pool anew without each run in turn, or each team's runs, takes away the "
        "judgements that only it brought, and scores all runs with what is left: by how much the "
        "run falls in score and in rank, and how many significant differences it loses. So it "
        "would fare had it not contributed. Judged documents in nobody's pool stay."
    )
    parser.epilog = (
        "A fall below 0 is a rise: condensed lists (judged_only=True) leave unjudged documents out "
        "and tend to flatter runs that did not contribute, as standard measures tend to wrong "
        f"them. Significant differences are by {LEFT_OUT_TEST}. Nothing is sampled: the figures "
        "are of these runs, topics and judgements, and have no limits."
    )
    parser.add_argument("--qrels", required=True, metavar="Q", help="TREC qrels")
    add_run_files(parser)
    add_qrels_scale(parser)
    parser.add_argument(
        "--depth",
        type=parse_count(1),
        metavar="K",
        help="how far down the runs were pooled; by default the last rank up to which, at every "
        "rank, nine in ten of the documents shown are judged",
    )
    teams = parser.add_mutually_exclusive_group()
    teams.add_argument(
        "--teams", metavar="FILE", help="lines 'system team'; others are teams of their own"
    )
    teams.add_argument(
        "--team-letters",
        type=parse_count(1),
        metavar="N",
        help="systems whose names begin with the same N characters are one team",
    )
    add_alpha(parser)
    add_table_format(parser)


def describe_measures(parser: ArgumentParser) -> None:
    """Describe ``dissent measures``."""
    parser.description = (
        "The measures, how they are written, and what else they are called: names of trec_eval, "
        "ndeval and ir_measures are understood in any case, such as map, P_10, ndcg_cut_10, "
        "ndcg@10, recip_rank, nDCG(dcg='exp-log2')@10. With NAME, one measure and its parameters."
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="one measure, by any of its names")
    add_table_format(parser)


def describe_informativeness(parser: ArgumentParser) -> None:
    """Describe ``dissent informativeness``."""
    from core.informativeness.choices import DEPTHS, PAPER, RECURSIONS

    parser.description = (
        "Infers each ranking from the value of one measure and the number of relevant documents, "
        "by maximum entropy, and compares the result with the actual ranking: precision-recall "
        "curves and the values of the other measures. Labels are binary, from --level; several "
        "iterations of the qrels are intents. A topic with nothing relevant is left out."
    )
    recursions = "; ".join(f"{name}, {meaning}" for name, meaning in RECURSIONS.items())
    parser.epilog = f"Recursions of cascade measures: {recursions}."
    parser.add_argument("--qrels", required=True, metavar="Q", help="TREC qrels")
    add_runs(parser)
    parser.add_argument(
        "--measure",
        nargs="+",
        action="extend",
        dest="measures",
        metavar="M",
        type=parse_measure_text,
        help=f"default: {', '.join(PAPER)}, those by intent where the qrels have intents",
    )
    parser.add_argument(
        "--depth",
        type=parse_count(DEPTHS[0]),
        default=10,
        metavar="N",
        help="how many ranks are used (default 10)",
    )
    parser.add_argument(
        "--level",
        type=parse_level,
        default=1.0,
        metavar="L",
        help="level from which documents count as relevant, for all measures (default 1)",
    )
    parser.add_argument(
        "--recursion", choices=tuple(RECURSIONS), default="exact", help="see below (default exact)"
    )
    parser.add_argument(
        "--intents",
        metavar="TOPICS",
        help="topics with subtopics whose probabilities weight the intents (default: equal "
        "weights)",
    )
    for what in ("topics", "systems"):
        parser.add_argument(
            f"--most-{what}",
            type=parse_count(1),
            metavar="N",
            help=f"only the N {what} with the most relevant documents",
        )
    add_alpha(parser)
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_qrels_scale(parser)
    add_table_format(parser)
