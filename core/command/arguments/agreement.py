"""Arguments of commands that ask how far people agree, and what follows from it."""

from argparse import ArgumentParser

from core.agreement.choices import INTERVALS
from core.collection.records import FACETS, FACETS_OF
from core.command.arguments.label_files import add_label_files, add_label_options
from core.command.arguments.score_files import add_runs, parse_measure_text
from core.command.arguments.shared import (
    WEIGHTS_HELP,
    add_alpha,
    add_collection,
    add_seed,
    add_table_format,
    parse_count,
    parse_list,
)
from core.disagreement.choices import GROUPINGS
from core.preference.choices import MODELS
from core.registered import list_values


def describe_agreement(parser: ArgumentParser) -> None:
    """Describe ``dissent agreement``."""
    parser.description = (
        "Agreement of every two assessors with common items: confusion matrix, coefficients with "
        "95 % intervals; of all assessors together, by group, by engine and by round; and topic by "
        "topic (linear weighted kappa). Without --facet each facet in the file is analysed, and a "
        "topic agrees when every pair agrees in every facet."
    )
    known = ", ".join(f"{entry.name} ({entry.description})" for entry in list_values("coefficient"))
    parser.epilog = f"Coefficients: {known}."
    add_label_files(parser)
    parser.add_argument(
        "--binary-at", metavar="LEVEL", help="also binarise: levels from this one up count as one"
    )
    parser.add_argument(
        "--run",
        nargs="+",
        action="extend",
        dest="runs",
        metavar="R",
        help="TREC runs: also alpha with items weighted by the best rank that a run gives them",
    )
    parser.add_argument(
        "--interval",
        choices=INTERVALS,
        default=INTERVALS[0],
        help="intervals of pairs. Topics are taken for sampled by the jackknife with Student's t "
        "(default) and by the bootstrap, which covers less with few topics; items, as if all "
        "topics were alike, by each coefficient's own formula (analytic; Cohen 1968 for kappa) "
        "and that of Fleiss, Cohen and Everitt (fleiss1969). Those of single topics are over "
        "items: by the jackknife, or by formula where one is chosen. All others are by the "
        "jackknife",
    )
    parser.add_argument(
        "--differences",
        action="store_true",
        help="also compare linear weighted kappa between every two pairs of groups, or of "
        "assessors where the file has no groups; at most 20,000 differences",
    )
    parser.add_argument(
        "--rounds",
        type=parse_list,
        metavar="A,B,…",
        help="only labels given in these rounds, by the column 'round' (default all)",
    )
    add_seed(parser)
    add_table_format(parser)


def describe_assessors(parser: ArgumentParser) -> None:
    """Describe ``dissent assessors``."""
    parser.description = (
        "How each assessor judges: leniency, the mean distance from the others on the same items "
        "in steps of the scale, with 95 % intervals in which topics are what is sampled; linear "
        "weighted kappa with the others from 10 common items on, as mean, lowest and highest; with "
        "--gold, or labels of an assessor 'gold', agreement with gold; how often each level was "
        "given, the active time it took where that is known, and leniency over tenths of the "
        "labels. Findings stand beside what they come to on labels that are dealt anew, and so "
        "does what leaving out those who agree least makes of alpha and, with --run, of the "
        "ranking of systems. Nothing is corrected by it. "
        "Without --facet each facet in the file is analysed."
    )
    add_label_files(parser)
    add_runs(parser, required=False)
    _add_ranking(parser, "the labels")
    add_table_format(parser)


def _add_ranking(parser: ArgumentParser, whose: str) -> None:
    """Add how systems are scored by labels."""
    parser.add_argument(
        "--measure",
        type=parse_measure_text,
        default="nDCG@10",
        metavar="M",
        help="by which systems are scored (default nDCG@10)",
    )
    parser.add_argument(
        "--version",
        default="all, median, in whole levels",
        metavar="NAME",
        help=f"how {whose} of an item become one level: 'all, maximum', 'all, mean' … "
        "(default 'all, median, in whole levels')",
    )
    parser.add_argument(
        "--topics",
        metavar="FILE",
        help="score systems on these topics only, one topic id a line; all labels tell the rest",
    )
    parser.add_argument("--weights", metavar="FILE", help=f"for gain='udm', {WEIGHTS_HELP}")


def describe_groups(parser: ArgumentParser) -> None:
    """Describe ``dissent groups``."""
    parser.description = (
        "Whether groups of assessors (experts and students, say) rank systems differently, score "
        "any of them so, or mean something else by a level: rankings by the labels of each group, "
        "UDM weights and gains of levels, and permutation tests in which people, with all their "
        "labels, are dealt anew to groups of the same sizes. p of systems and of levels are "
        "corrected for their number. Of personal attributes (age, sex, country and the like, or "
        "with --personal) groups below 20 people are not shown. Without --facet each facet in the "
        "file is analysed."
    )
    add_label_files(parser)
    add_runs(parser, required=False)
    parser.add_argument(
        "--people", metavar="FILE", help="TSV, CSV or JSONL with assessor and the column of --by"
    )
    parser.add_argument(
        "--by",
        default="group",
        metavar="COLUMN",
        help="the column that tells groups, of the labels or of --people (default group)",
    )
    parser.add_argument(
        "--personal", action="store_true", help="it is a personal attribute, whatever its name"
    )
    _add_ranking(parser, "a group's labels")
    parser.add_argument(
        "--users", type=parse_count(1), default=3, metavar="N", help="users of the UDM (default 3)"
    )
    parser.add_argument(
        "--at-least",
        type=parse_count(1),
        default=1,
        metavar="M",
        help="so many of them find an item top (default 1)",
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="A", help="shown for p < A (default 0.05)"
    )
    parser.add_argument(
        "--permutations",
        type=parse_count(99),
        default=999,
        metavar="B",
        help="how often people are dealt anew (default 999)",
    )
    add_seed(parser)
    add_table_format(parser)


def describe_passages(parser: ArgumentParser) -> None:
    """Describe ``dissent passages``."""
    parser.description = (
        "Agreement of the assessors of a collection on the passages they marked, over items with "
        "passages of two assessors: F1 of characters, the mean over pairs and then over items, and "
        "Krippendorff's alpha with each character as a unit; with 95 % intervals, in which topics "
        "are what is sampled. 'dissent export passages' writes the passages themselves."
    )
    add_collection(parser)
    parser.add_argument("--facet", choices=FACETS, help="only passages of snippets or of pages")
    add_table_format(parser)


def describe_weights(parser: ArgumentParser) -> None:
    """Describe ``dissent weights``."""
    parser.description = (
        "The User Disagreement Model: p(top | level), the probability that another assessor finds "
        "an item top to which one assessor gave that level, with its number of cases and 95 % "
        "interval; and the weight, the probability that at least M of N users find it top. "
        "Topics are what is sampled. Estimates from fewer than 50 cases or 5 topics are marked as "
        "few. The facet is that of the file, or page where it has both. The JSON is what "
        "'dissent evaluate --weights' reads."
    )
    add_label_files(parser)
    parser.add_argument(
        "--top",
        required=True,
        metavar="LEVEL",
        help="the top level, by number or, with --scale, by name; with --combined one for both "
        "facets or SNIPPET,PAGE",
    )
    count = parse_count(1)
    parser.add_argument("--users", required=True, type=count, metavar="N", help="how many users")
    parser.add_argument(
        "--at-least",
        required=True,
        type=count,
        metavar="M",
        help="how many of the users have to find it top",
    )
    parser.add_argument(
        "--combined", action="store_true", help="weights of pairs (snippet level, page level)"
    )
    parser.add_argument(
        "--keep-lowest",
        action="store_true",
        help="keep the lowest level's p; otherwise it counts as mistakes and the level has weight "
        "0",
    )
    parser.add_argument(
        "--pairs",
        action="store_true",
        help="count every pair of labels once, instead of every item as one double judgement",
    )
    add_table_format(parser)


def describe_verify(parser: ArgumentParser) -> None:
    """Describe ``dissent verify``."""
    parser.description = (
        "The User Disagreement Model against labels of many users: for each item with enough "
        "labels, one label is drawn at random, then up to five others, repeatedly. Shown are "
        "p(top | level) from 1 to 5 of the others, and how often at least M of N labels, the "
        "first included, are top, beside the weight the model predicts. The standard deviation "
        "is that of redrawing the same labels, no sampling error; the 95 % limits leave topics "
        "out in turn, or items that are documents of all topics. All labels of an item count, an "
        "assessor's repeated ones, too. The facet is that of the file, or page where it has both."
    )
    add_label_files(parser)
    parser.add_argument(
        "--top",
        required=True,
        metavar="LEVEL",
        help="the top level, by number or, with --scale, by name",
    )
    parser.add_argument(
        "--min-labels",
        type=parse_count(2),
        metavar="N",
        help="leave out items with fewer labels (default: as many, up to 6, as leave 50 items)",
    )
    parser.add_argument(
        "--repeats",
        type=parse_count(1),
        default=50,
        metavar="R",
        help="how often to draw (default 50)",
    )
    parser.add_argument(
        "--group-by",
        choices=tuple(GROUPINGS),
        default="topic",
        help="an item is a document of one topic (default), or of all topics together; then the "
        "gold label of a document is that of its first topic",
    )
    parser.add_argument(
        "--mutual",
        action="store_true",
        help="also score the ranking of one assessor's labels by another's: what a system can "
        "reach, by measure; topics are what is sampled",
    )
    parser.add_argument(
        "--consistency",
        action="store_true",
        help="also compare assessors who judged an item several times with themselves and with "
        "others",
    )
    parser.add_argument(
        "--strata",
        action="store_true",
        help="also estimate p(top | level) in parts of the collection: needs --results, --topics "
        "or both",
    )
    parser.add_argument(
        "--results",
        nargs="+",
        metavar="FILE",
        help="what each engine showed, with topic, engine, document, rank; parts are lists with "
        "and without a top result, and first ranks",
    )
    parser.add_argument(
        "--topics", metavar="FILE", help="topics with a type; parts are the types of topics"
    )
    add_seed(parser)
    add_table_format(parser)


def describe_preferences(parser: ArgumentParser) -> None:
    """Describe ``dissent preferences``."""
    parser.description = (
        "Wins, losses and ties of each pair with the share of wins (a tie is half a win) and a "
        "sign test; Bradley-Terry strengths; intransitive triples; side bias of the assessors and "
        "their agreement; with 95 % intervals. Systems are compared over all topics, which are "
        "what is sampled: limits come from leaving each topic out, and a trial of the sign test "
        "is a topic, won by the system that most of its preferences favour; tied topics are "
        "dropped. Documents are compared within their topic: limits of strengths are over its "
        "assessors, those of shares over preferences. Strengths to which the data set no bound "
        "have no finite limits. Hidden repeats count for side bias only."
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="TSV, CSV or JSONL with topic, left, right, choice (left, right, tie), perhaps "
        "strength, assessor, kind, facet, occasion; or lines 'topic documentA documentB winner'; "
        "may be .gz; - for stdin",
    )
    parser.add_argument(
        "--kind",
        choices=tuple(FACETS_OF),
        default="",
        help="only preferences between these; also what they are between where the file does not "
        "say (documents by default)",
    )
    parser.add_argument("--facet", choices=FACETS, default="", help="only snippets or only pages")
    parser.add_argument(
        "--model",
        choices=MODELS,
        default=MODELS[0],
        help="how strengths treat ties: half a win each (default), or Davidson's model",
    )
    parser.add_argument(
        "--per-topic", action="store_true", help="also the outcomes of systems topic by topic"
    )
    parser.add_argument(
        "--reasons",
        metavar="FILE",
        help="also count why things were preferred, from a file that 'dissent export reasons' has "
        "written",
    )
    parser.add_argument(
        "--labels",
        nargs="+",
        action="extend",
        metavar="LABELS",
        help="also how often the document of the higher mean level is preferred, from labels of "
        "the same documents, read as below",
    )
    parser.add_argument(
        "--weights", metavar="FILE", help=f"with --labels, also by mean weight: {WEIGHTS_HELP}"
    )
    add_alpha(parser)
    add_label_options(parser)
    add_table_format(parser)
