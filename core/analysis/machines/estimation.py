"""Mean scores of a collection's systems from few topics of people and many of a machine."""

from core.analysis.base.study import Study, follows_labels
from core.analysis.machines.conclusions import MachineQuestion, plain_runs, qrels_of
from core.measures.catalogue import parse_measure
from core.reports.estimate import EstimateQuestion, Estimation, estimate_scores


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
    asked = EstimateQuestion(finite)
    return estimate_scores(plain_runs(study), people, machine, measures, asked)
