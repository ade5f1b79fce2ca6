"""``dissent compare``: which systems differ, under one or several qrels, topic sets, measures."""

from argparse import Namespace
from collections.abc import Sequence

from core.command.files.reading import open_source
from core.command.files.score_files import (
    read_measures,
    read_runs,
    read_score_weights,
    read_several_judgements,
    shorten_paths,
)
from core.command.files.topic_files import read_topic_ids
from core.command.printing.compare_tables import (
    print_comparison_json,
    print_comparison_tables,
    print_comparison_trec_eval,
)
from core.command.printing.output import print_notes, show_progress
from core.command.printing.recording import print_data
from core.comparison.bayes import ROPE
from core.comparison.significance_test import SignificanceTest
from core.comparison.tau_limits import Judges
from core.errors import BadInput, TooLittleData
from core.reports.compare import CompareQuestion, SystemComparison
from core.reports.conditions import ScoredCondition, name_conditions
from core.reports.report import stack_tables
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.versions.judgements import hash_rows


def run(arguments: Namespace) -> int:
    """Print how systems compare."""
    if arguments.format == "trec_eval" and (len(arguments.qrels) > 1 or len(arguments.topics) > 1):
        arguments.parser.error("the trec_eval format cannot show several qrels or topic sets")
    significance = SignificanceTest(
        arguments.test,
        arguments.correction,
        arguments.permutations,
        arguments.alpha,
        arguments.seed,
        arguments.over_conditions,
    )
    rope = arguments.rope
    question = CompareQuestion(
        significance,
        arguments.tau_interval,
        arguments.common_topics,
        ROPE if rope is None else rope,
    )
    report = SystemComparison(score_conditions(arguments), question, progress=show_progress)
    print_notes(report.notes)
    asked = [one for one in report.tables if one != "posterior" or rope is not None]
    if arguments.format == "trec_eval":
        print_comparison_trec_eval(report)
    elif arguments.format == "json":
        print_comparison_json(report, asked)
    elif arguments.format == "csv":
        print_data(stack_tables({name: report.table(name) for name in asked}))
    else:
        print_comparison_tables(report, asked)
    return 0


SHOWN = 5
TopicSet = tuple[str, tuple[str, ...] | None]


def score_conditions(arguments: Namespace) -> list[ScoredCondition]:
    """Return the scores under every condition that is asked for; notes go to stderr.

    Raises
    ------
    BadInput
        A file cannot be used, or nothing is left to score under some condition.
    """
    runs, weights = read_runs(arguments), read_score_weights(arguments)
    measures = list(dict.fromkeys(read_measures(arguments)))
    for measure in measures:
        if measure.obstacle:
            raise BadInput(measure.obstacle)
    question = ScoresQuestion(tuple(map(str, measures)), arguments.empty_topics)
    sets, found, notes = _read_topic_sets(arguments.topics), [], list[str]()
    judges = _read_judges(arguments.judged_by, arguments.qrels)
    paths = dict.fromkeys(arguments.qrels)
    for path, judged in read_several_judgements(paths, arguments, sampled=True).items():
        scores = Scores(judge_runs(runs, judged, path, weights), question)
        content = hash_rows(judged.frame[judged.frame["level"] >= 0])
        notes += scores.assumptions
        for topic_set in sets:
            notes += _describe_strangers(topic_set, scores.rankings.topics, path)
            for name in question.measures:
                facts: dict[str, object] = {"qrels": path, "content_hash": content}
                found.append(_limit(scores, name, topic_set, facts, judges.get(path, {})))
    print_notes(dict.fromkeys(notes))
    return name_conditions(found, shorten_paths(arguments.qrels))


def _limit(
    scores: Scores, measure: str, topic_set: TopicSet, facts: dict[str, object], judges: Judges
) -> ScoredCondition:
    """Return the scores on a set of topics; refuse it when nothing is left to score."""
    name, topics = topic_set
    try:
        return scores.condition(measure, facts, topic_set=name, topics=topics, judges=judges)
    except TooLittleData as error:
        where = "" if topics is None else f" on the topics '{name}'"
        raise BadInput(
            f"{measure} has nothing to find{where}: no judgement there counts",
            file=str(facts["qrels"]),
        ) from error


def _read_judges(given: Sequence[tuple[str, str]], qrels: Sequence[str]) -> dict[str, Judges]:
    """Return who judged each topic, by the qrels.

    Raises
    ------
    BadInput
        A file of judges is for qrels that are not compared, or one of its lines is no pair.
    """
    found: dict[str, Judges] = {}
    for name, path in given:
        if name not in qrels:
            raise BadInput(f"'{name}' is not among the qrels that are compared", file=path)
        judges: dict[str, list[str]] = {}
        for number, line in open_source(path).lines():
            words = line.split()
            if len(words) not in (0, 2):
                raise BadInput("a line has a topic and an assessor", file=path, line=number)
            if words:
                judges.setdefault(words[0], []).append(words[1])
        found[name] = {topic: sorted(set(names)) for topic, names in judges.items()}
    return found


def _read_topic_sets(given: Sequence[tuple[str, str]]) -> list[TopicSet]:
    """Return topic ids by the name of their set; a single nameless set when none is given."""
    names = [name for name, _ in given]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"two topic sets are called '{name}'; name each one differently")
    return [(name, read_topic_ids(path) if path else None) for name, path in given] or [("", None)]


def _describe_strangers(topic_set: TopicSet, judged: Sequence[str], qrels: str) -> list[str]:
    """Return a note on the topics of a set that nobody judged."""
    name, topics = topic_set
    known = set(judged)
    unknown = [topic for topic in topics or () if topic not in known]
    shown = ", ".join(unknown[:SHOWN]) + (" …" if len(unknown) > SHOWN else "")
    return [f"{qrels}: topics of '{name}' without a judgement: {shown}"] if unknown else []
