"""Whether a machine of a collection changes what is concluded about its systems."""

from dataclasses import dataclass

import pandas as pd

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.labels import names_of
from core.analysis.base.study import Study, follows_labels, left_out_of
from core.analysis.machines.machine_labels import machine_rule
from core.analysis.results.declared import declared_test, judged_of, offer_versions, scored_runs_of
from core.analysis.results.qrels_choices import QrelsChoice, level_names
from core.analysis.results.scores import weights_for
from core.comparison.choices import SYSTEMS, TOPICS
from core.comparison.score_matrix import score_matrix
from core.errors import TooLittleData
from core.machines.gain import LineageAdvantage, compare_lineage
from core.measures.catalogue import parse_measure
from core.reports.conclusions import Conclusions, draw_conclusions
from core.reports.estimate import EstimateQuestion, Estimation, estimate_scores
from core.reports.scores import judge_runs
from core.versions.judgements import Judgements
from core.wording import count


@dataclass(frozen=True)
class MachineQuestion:
    """What is asked of a machine in place of people: its labels, theirs, and the measure.

    Parameters
    ----------
    facet : str
        Whose labels.
    machine : str
        The machine's id.
    people : QrelsChoice
        How people's labels are combined.
    measure : str
        What systems are scored by.
    """

    facet: str
    machine: str
    people: QrelsChoice
    measure: str


def list_people_versions(study: Study, facet: str) -> dict[str, QrelsChoice]:
    """Return the versions by key that are people's alone, on the scale that a machine has, too.

    The declared one is the first.
    """
    model = model_of(study, facet)
    found = offer_versions(study, facet, model)
    return {key: one for key, one in found.items() if _is_comparable(study, facet, one)}


def _is_comparable(study: Study, facet: str, choice: QrelsChoice) -> bool:
    if choice.rule is None:
        return True
    is_people = left_out_of(study).keys().isdisjoint(choice.rule.assessors)
    return is_people and bool(level_names(study, facet, choice))


@follows_labels
def conclusions_of(study: Study, question: MachineQuestion) -> Conclusions:
    """Return what is concluded under people's judgements, the machine's and mixed ones.

    Raises
    ------
    BadInput
        Systems are not compared by this measure.
    TooLittleData
        Fewer than two systems, or than two topics that count under all judgements.
    """
    people, machine = qrels_of(study, question)
    name = names_of(study)[question.machine]
    return draw_conclusions(
        plain_runs(study),
        people,
        {name: machine},
        parse_measure(question.measure),
        significance=declared_test(study),
        weights=_weights_for(study, question),
    )


def qrels_of(study: Study, question: MachineQuestion) -> tuple[Judgements, pd.DataFrame]:
    """Return people's judgements and the machine's; raises TooLittleData where a rule has none."""
    name = names_of(study)[question.machine]
    own = QrelsChoice(name, machine_rule(study, question.facet, question.machine))
    return judged_of(study, question.people), judged_of(study, own).frame


@follows_labels
def lineage_of(
    study: Study, question: MachineQuestion, members: tuple[str, ...]
) -> tuple[LineageAdvantage, ...]:
    """Return how much more the runs of a lineage gain than others: over topics, and over runs.

    Raises
    ------
    BadInput
        The lineage is none or all of the runs.
    """
    measure = parse_measure(question.measure)
    judged, answered = qrels_of(study, question)
    weights = _weights_for(study, question)
    people, machine = (
        judge_runs(plain_runs(study), one, weights=weights).score([measure])
        for one in (judged, judged.on_same_scale(answered))
    )
    topics = set(people["topic_id"]) & set(machine["topic_id"])
    matrices = [score_matrix(one[one["topic_id"].isin(topics)]) for one in (people, machine)]
    return tuple(
        compare_lineage(matrices[0], matrices[1], members, measure.upper_bound, unit)
        for unit in (TOPICS, SYSTEMS)
    )


def _weights_for(study: Study, question: MachineQuestion) -> dict[int, float] | None:
    return dict(weights_for(study, question.people, (question.measure,))) or None


def plain_runs(study: Study) -> pd.DataFrame:
    """Return the runs on the declared topics with ids as texts."""
    ids = ["system", "topic_id", "document_id"]
    return scored_runs_of(study).astype(dict.fromkeys(ids, "str"))


@follows_labels
def estimation_of(study: Study, question: MachineQuestion, finite: bool) -> Estimation:
    """Return three estimates of every system's mean: by people, by both, by the machine alone.

    Parameters
    ----------
    study, question
        Whose labels, and the measure.
    finite : bool
        Whether the topics are all there are, rather than a sample of more.

    Raises
    ------
    BadInput
        No topic is judged by both, a run answers none of those, or the measure's mean is geometric.
    TooLittleData
        Fewer than two topics that both judged count, or none that only the machine did.
    """
    people, machine = qrels_of(study, question)
    measures = [parse_measure(question.measure)]
    asked, topics = EstimateQuestion(finite), declared_of(study).topics
    weights = _weights_for(study, question)
    try:
        return estimate_scores(plain_runs(study), people, machine, measures, asked, weights)
    except TooLittleData as error:
        if not topics:
            raise
        which = f"on the {count(len(topics), 'topic')} that the study declares"
        raise TooLittleData(f"{which}, {error}") from error
