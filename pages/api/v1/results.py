"""The API's results: qrels, scores and agreement, by the same functions as on pages."""

from dataclasses import replace
from typing import Any

import pandas as pd

from core.analysis.agreement.between_assessors import ask_agreement
from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study, scales_of
from core.analysis.collection.collection_frames import CollectionFrames
from core.analysis.collection.exported_files import Wanted, export_file
from core.analysis.people.groups import ask_groups
from core.analysis.results.declared import asked_choice, declared_test, offer_versions
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    after_discussion,
    refuse_unfiled,
    version_of,
)
from core.analysis.results.scores import ask_scores
from core.analysis.results.version_scores import ALL, compare_versions, topic_sets
from core.collection.export.exported_kinds import EXPORTED
from core.collection.qrels_and_runs.trec import write_qrels
from core.comparison.choices import CORRECTIONS, DEFAULT, TESTS, UNITS
from core.errors import BadInput, NotAllowed
from core.measures.catalogue import parse_measure
from core.reports.agreement import Agreement, AgreementQuestion
from core.reports.compare import USUAL, CompareQuestion, SystemComparison
from core.reports.groups import GroupRankings
from core.reports.progress import Progress
from core.reports.report import Report
from core.store.content.aspects import find_aspect
from core.store.people.token_scopes import READ
from core.store.store import Store
from core.wording import drop_marks
from pages.api.v1.declarations import DECLARED
from pages.api.v1.guard import list_reached
from pages.api.v1.operation import (
    ASPECT,
    BYTES,
    COLLECTION,
    DISCUSSED,
    EVERYBODY,
    FACET,
    FLAG,
    NAMES,
    NOTES,
    PARQUET,
    TEXT,
    TEXT_OF,
    Answer,
    Asked,
    Operation,
    Parameter,
    record,
    rows,
    text,
)
from pages.api.v1.records import to_records, write_frame

MOST_CHOSEN = 20
"""Measures or coefficients that are computed for one answer."""

_RESULTS = ("organiser", "viewer")


def _study(asked: Asked) -> Study:
    aspect = asked.values.get("aspect") or ""
    if aspect:
        aspect = find_aspect(asked.store, asked.collection_id, aspect).name
    return Study(asked.store, asked.collection_id, asked.is_masked, aspect)


def _facet(study: Study, asked: Asked) -> str:
    facet, known = asked.values["facet"] or declared_of(study).facet, scales_of(study)
    if facet not in known:
        raise BadInput(f"'{facet}' is none of {', '.join(known)}", field="facet")
    return str(facet)


def _choice(study: Study, asked: Asked, version: str) -> QrelsChoice:
    choice = asked_choice(study, version, _facet(study, asked) if asked.values["facet"] else "")
    return after_discussion(choice) if asked.values["discussed"] else choice


def _versions(asked: Asked) -> dict[str, Any]:
    study = _study(asked)
    facet = _facet(study, asked)
    model = model_of(study, facet)
    choices = offer_versions(study, facet, model)
    return {
        "versions": [
            {"version": key, "name": one.name, "rule": one.rule_text}
            for key, one in choices.items()
        ]
    }


def _qrels(asked: Asked) -> bytes:
    study = _study(asked)
    choice = _choice(study, asked, asked.values["version"] or "")
    version = version_of(study, choice)
    refuse_unfiled(choice, version)
    return write_qrels(version.frame)


def _scores(asked: Asked) -> dict[str, Any]:
    study = _study(asked)
    measures = asked.values["measure"] or [declared_of(study).measure]
    if len(measures) > MOST_CHOSEN:
        raise BadInput(f"at most {MOST_CHOSEN} measures are computed at once", field="measure")
    names = tuple(str(parse_measure(one)) for one in measures)
    choice = _choice(study, asked, asked.values["version"] or "")
    found = ask_scores(study, choice, names)
    means = _rows(found, "means")
    topics = {"topics": to_records(found.by_topic)} if asked.values["per_topic"] else {}
    return {
        "version": choice.name,
        "declared": declared_of(study).to_dict(),
        "answer": drop_marks(found.answer),
        "means": means,
        **topics,
        "notes": [*found.notes],
    }


def _agreement(asked: Asked) -> dict[str, Any]:
    study, chosen = _study(asked), asked.values["coefficient"]
    if len(chosen) > MOST_CHOSEN:
        raise BadInput(f"at most {MOST_CHOSEN} at once", field="coefficient")
    found = ask_agreement(study, _facet(study, asked), AgreementQuestion(tuple(chosen)))
    return _answer(found, asked.values["table"] or "overall")


def _groups(asked: Asked) -> dict[str, Any]:
    study = _study(asked)
    return _answer(ask_groups(study, _facet(study, asked)), asked.values["table"] or "orders")


def _comparison(asked: Asked) -> dict[str, Any]:
    study, values = _study(asked), asked.values
    declared = declared_of(study)
    facet = _facet(study, asked)
    versions = values["version"] or [""]
    measures = values["measure"] or [declared.measure]
    offered = topic_sets(study, facet)
    names = values["topic_set"] or [ALL]
    if unknown := [one for one in names if one not in offered]:
        raise BadInput(f"'{unknown[0]}' is none of {', '.join(offered)}", field="topic_set")
    if len(versions) * len(measures) * len(names) > MOST_CHOSEN:
        raise BadInput(f"at most {MOST_CHOSEN} conditions are compared at once")
    own = {one: values[name] for one, name in _TEST.items() if values[name] is not None}
    question = CompareQuestion(
        replace(declared_test(study), **own),
        values["tau_interval"] or USUAL.tau_unit,
        bool(values["common_topics"]),
    )
    choices = [_choice(study, asked, one) for one in versions]
    texts = [str(parse_measure(one)) for one in measures]
    if obstacle := next((one.obstacle for one in map(parse_measure, texts) if one.obstacle), ""):
        raise BadInput(obstacle, field="measure")
    sets = {one: offered[one] for one in names}
    found = compare_versions(study, choices, texts, question, sets=sets)
    return {
        **_answer(found, values["table"] or "pairs"),
        "verdict": found.verdict,
        "test": found.comparison.made.settings,
    }


_TEST = {
    "test": "test",
    "correction": "correction",
    "samples": "permutations",
    "alpha": "alpha",
    "seed": "seed",
    "over_conditions": "over_conditions",
}
"""What parts of a test are called where they are asked for."""


def _answer(found: Report, table: str) -> dict[str, Any]:
    """Return a report's answer, one of its tables and its notes."""
    return {
        "answer": drop_marks(found.answer),
        "rows": _rows(found, table),
        "notes": [*found.notes],
    }


def _rows(found: Report, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table; where these have limits, with what they are limits of."""
    rows = to_records(found.table(table))
    return [
        {**row, "of": found.describe_interval(table, row)["of"]} if "unit" in row else row
        for row in rows
    ]


class OpenFrames(CollectionFrames):
    """The frames of the store that this server has open."""

    def __init__(self, store: Store, *, names: bool) -> None:
        super().__init__(names=names)
        self._open = store

    @property
    def _store(self) -> Store:
        return self._open


_PEOPLE = ("everybody", "discussed")
FRAMES: dict[str, tuple[str, ...]] = {
    "topics": (),
    "subtopics": (),
    "documents": (),
    "results": (),
    "runs": (),
    "scales": (),
    "rounds": (),
    "progress": ("round", "table"),
    "assessors": (),
    "machines": (),
    "machine_answers": (),
    "aspects": (),
    "labels": (*_PEOPLE, "aspect"),
    "passages": (),
    "paradata": (),
    "adjudications": (),
    "preferences": _PEOPLE,
    "reasons": _PEOPLE,
    "gold": (),
    "qrels_versions": ("facet", "aspect"),
    "qrels": ("version", "facet", "aspect", "discussed"),
}
"""What each frame can be asked for, as the method of this name takes it."""

FOR_VIEWERS = {"topics", "subtopics", "runs", "scales", "rounds", "progress", "aspects",
               "qrels_versions", "qrels"}  # fmt: skip
"""Frames that tell nothing of single assessors, as viewers see on pages."""


def _frame(asked: Asked) -> bytes:
    name = asked.values["frame"]
    assert asked.person is not None
    if asked.person.role != "organiser" and name not in FOR_VIEWERS:
        raise NotAllowed(f"The frame '{name}' is for tokens of organisers.")
    options = {
        option: asked.values[option]
        for option in ("everybody", "discussed", "aspect", "facet", "version", "round", "table")
        if asked.values[option]
    }
    for option in options:
        if option not in FRAMES[name]:
            raise BadInput(f"{name} take no '{option}'", field=option)
    frames = OpenFrames(asked.store, names=not asked.is_masked)
    frame: pd.DataFrame = getattr(frames, name)(collection=asked.collection_id, **options)
    return write_frame(frame)


def _collections(asked: Asked) -> bytes:
    assert asked.person is not None
    assert asked.token is not None
    frame = OpenFrames(asked.store, names=False).collections()
    reached = list_reached(asked.store, asked.person, asked.token)
    return write_frame(frame[frame["collection_id"].isin(list(reached))].reset_index(drop=True))


def _file(asked: Asked) -> bytes:
    values = asked.values
    wanted = Wanted(
        not asked.is_masked,
        bool(values["everybody"]),
        bool(values["discussed"]),
        values["aspect"] or "",
        bool(values["parquet"]),
        values["tool"] or "",
        values["log"] or "",
    )
    return export_file(asked.store, asked.collection_id, values["kind"], wanted).content


_VERSION = Parameter(
    "version",
    text(300, minLength=1),
    "By name, as 'all, median'; see the list of versions. Without it, that "
    "which the study declares.",
)

OPERATIONS = (
    Operation(
        "listQrelsVersions", "GET", "/collections/{collection}/qrels/versions",
        "The qrels versions on offer", READ, _versions,
        Answer("With their rules, as JSON.", record(versions=rows("", "version", "name", "rule"))),
        _RESULTS, (COLLECTION, FACET, ASPECT, NAMES), subject="Results",
    ),
    Operation(
        "readQrels", "GET", "/collections/{collection}/qrels", "One qrels version, as TREC has it",
        READ, _qrels, Answer("topic iteration document level", TEXT_OF, TEXT), _RESULTS,
        (COLLECTION, _VERSION, FACET, ASPECT, DISCUSSED, NAMES), subject="Results",
    ),
    Operation(
        "readScores", "GET", "/collections/{collection}/scores",
        "Scores of the runs under a qrels version", READ, _scores,
        Answer(
            "Means with 95 % limits over topics, and if wanted the scores of topics; the version "
            "that they are under, and what the study declares.",
            record(version=TEXT_OF, declared=DECLARED, answer=TEXT_OF,
                   means=rows("", "system", "measure", "rank", "value", "low", "high", "interval",
                              "topics", "of"),
                   notes=NOTES),
        ),
        _RESULTS,
        (
            COLLECTION, _VERSION, FACET, ASPECT, DISCUSSED, NAMES,
            Parameter("measure", text(200, minLength=1), "As nDCG@10; several times. Without "
                      "it, the declared one.", False, True),
            Parameter("per_topic", FLAG, "Also the scores of each topic."),
        ),
        subject="Results",
    ),
    Operation(
        "readAgreement", "GET", "/collections/{collection}/agreement",
        "How far the assessors agree", READ, _agreement,
        Answer(
            "Values with 95 % limits over topics, or what `of` says; the answer in a sentence.",
            record(answer=TEXT_OF, rows=rows("", "value", "low", "high", "of"),
                   notes=NOTES),
        ),
        _RESULTS,
        (
            COLLECTION, FACET, ASPECT, NAMES,
            Parameter("coefficient", text(200, minLength=1), "As kappa(linear); several times.",
                      False, True),
            Parameter("table", {"type": "string", "enum": list(Agreement.tables)},
                      "Of all, or of whom."),
        ),
        subject="Results",
    ),
    Operation(
        "readGroups", "GET", "/collections/{collection}/groups",
        "Whether groups of assessors rank systems differently", READ, _groups,
        Answer(
            "A table of groups, by the version, measure and users that the study declares; the "
            "answer in a sentence. Of a personal attribute groups below 20 people are not shown.",
            record(answer=TEXT_OF, rows=rows(""), notes=NOTES),
        ),
        _RESULTS,
        (
            COLLECTION, FACET, ASPECT, NAMES,
            Parameter("table", {"type": "string", "enum": list(GroupRankings.tables)},
                      "Which; orders, without."),
        ),
        subject="Results",
    ),
    Operation(
        "readComparison", "GET", "/collections/{collection}/comparison",
        "Which systems differ", READ, _comparison,
        Answer(
            "A table of how systems compare under one condition or several: each version, set of "
            "topics and measure that is asked for; the answer in a sentence, and what else was "
            "found.",
            record(answer=TEXT_OF, rows=rows(""), notes=NOTES, verdict=NOTES,
                   test={"type": "object"}),
        ),
        _RESULTS,
        (
            COLLECTION, replace(_VERSION, many=True), FACET, ASPECT, DISCUSSED, NAMES,
            Parameter("measure", text(200, minLength=1), "As nDCG@10; several times. Without "
                      "it, the declared one.", False, True),
            Parameter("topic_set", text(300), "As the page Significance offers it, such as "
                      "'high-agreement topics'; several times. All topics, without.", False, True),
            Parameter("common_topics", FLAG, "Only topics that count under all conditions."),
            Parameter("table", {"type": "string", "enum": list(SystemComparison.tables)},
                      "Which; pairs, without."),
            Parameter("test", {"type": "string", "enum": list(TESTS)},
                      f"How differences are tested; {DEFAULT}, without."),
            Parameter("correction", {"type": "string", "enum": list(CORRECTIONS)},
                      "Of p of paired tests for the number of pairs; holm, without."),
            Parameter("permutations", {"type": "integer", "minimum": 99, "maximum": 200_000},
                      "Random exchanges, permutations or draws; 10,000 without."),
            Parameter("alpha", {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
                      "Differences with p below it are significant; the declared one, without."),
            Parameter("seed", {"type": "integer", "minimum": 0}, "Of what is random; 1 without."),
            Parameter("over_conditions", FLAG, "Correct p for the number of conditions."),
            Parameter("tau_interval", {"type": "string", "enum": list(UNITS)},
                      "What limits of τ take for the sample; topics, without."),
        ),
        subject="Results",
    ),
    Operation(
        "readFrame", "GET", "/collections/{collection}/frames/{frame}",
        "A frame, as from dissent.open_store", READ, _frame,
        Answer("Parquet, for pandas.", None, PARQUET), _RESULTS,
        (
            COLLECTION,
            Parameter("frame", {"type": "string", "enum": list(FRAMES)}, "Which.", True),
            EVERYBODY, DISCUSSED, ASPECT, FACET, NAMES,
            Parameter("version", text(300), "Of qrels; without it, the declared one."),
            Parameter("round", text(200), "Of progress; the latest that is open, without."),
            Parameter("table", {"type": "string", "enum": list(Progress.tables)},
                      "Of progress; topics, without."),
        ),
        subject="Frames and files",
    ),
    Operation(
        "readCollections", "GET", "/frames/collections", "The collections as a frame", READ,
        _collections, Answer("Parquet, for pandas.", None, PARQUET), _RESULTS,
        subject="Frames and files",
    ),
    Operation(
        "readFile", "GET", "/collections/{collection}/files/{kind}",
        "A file, as the page Export has it", READ, _file,
        Answer("CSV, TSV or Parquet.", None, BYTES), ("organiser",),
        (
            COLLECTION,
            Parameter("kind", {"type": "string", "enum": list(EXPORTED)}, "Which.", True),
            EVERYBODY, DISCUSSED, ASPECT, NAMES,
            Parameter("parquet", FLAG, "Labels as Parquet."),
            Parameter("tool", {"type": "string"}, "Labels or pairs as this other tool reads them."),
            Parameter("log", {"type": "string"}, "Of clicks: this log, where there are several."),
        ),
        subject="Frames and files",
    ),
)  # fmt: skip
"""Of results."""
