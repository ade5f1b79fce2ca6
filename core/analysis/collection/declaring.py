"""Declaring what a study is about: checked against what there is, and told in words."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study, runs_of, scales_of, topics_of
from core.analysis.results.declared import describe_declared
from core.analysis.results.qrels_choices import (
    BOTH_FACETS,
    IMPORTED,
    MEANS,
    UDM,
    add_means,
    find_choice,
    list_choices,
)
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, NotFound
from core.measures.catalogue import parse_measure
from core.measures.gain import needs_weights
from core.store.content.declarations import Declaration, find_declaration, set_declaration
from core.store.people.roster import check_group
from core.versions.versions import COMBINED
from core.wording import count, plain

MOST_USERS = 1000
STANDARD = (
    *(f"all, {how}" for how in (*COMBINED, *MEANS)),
    UDM, BOTH_FACETS,
)  # fmt: skip
"""Versions that can be declared before anything is judged."""

_NEAR = 3


def declare(study: Study, changes: Mapping[str, Any], by: str = "") -> Declaration:
    """Change what a study declares, and return it.

    Parameters
    ----------
    study : Study
        The collection.
    changes : mapping
        Fields of `Declaration` by name; the others stay as they are.
    by : str, optional
        The id of who declares it.

    Raises
    ------
    BadInput
        A measure, version, system or topic is not there, or a number is out of its range.
    """
    masked = Study(study.store, study.collection_id, is_masked=True)
    before = find_declaration(study.store, study.collection_id)
    wanted = replace(before, **changes)
    _check_numbers(wanted)
    if "groups" in changes:
        wanted = replace(wanted, groups=wanted.groups.strip())
        check_group(wanted.groups)
    if "facet" in changes and wanted.facet:
        _require_known("facet", [wanted.facet], scales_of(masked))
    if "measure" in changes:
        wanted = replace(wanted, measure=_read_measure(wanted.measure))
    if "version" in changes or "facet" in changes:
        facet = wanted.facet or declared_of(masked).facet
        wanted = replace(wanted, version=wanted.version.removeprefix(IMPORTED))
        _require_version(masked, wanted.version, facet)
    if not {"measure", "version", "facet"}.isdisjoint(changes):
        _require_levels(wanted)
    if "baseline" in changes and wanted.baseline:
        _require_known("baseline", [wanted.baseline], map(str, runs_of(masked)["system"].unique()))
    if "topics" in changes:
        wanted = replace(wanted, topics=tuple(sorted(set(wanted.topics))))
        _require_known("topics", wanted.topics, topics_of(masked)["topic_id"])
    set_declaration(study.store, study.collection_id, wanted, by)
    return declared_of(study)


def say_declaration(study: Study) -> str:
    """Return in Markdown, in a few sentences, what a study declares."""
    declared = declared_of(study)
    against = f", against **{plain(declared.baseline)}**" if declared.baseline else ""
    return (
        f"This study compares systems by **{describe_declared(study)}**{against}: labels of "
        f"{declared.facet}s, {'' if declared.topics else 'all topics, '}α = {declared.alpha:g}. "
        f"The UDM stands for {count(declared.users, 'user')} of whom at least "
        f"{declared.at_least} {'finds' if declared.at_least == 1 else 'find'} an item top."
        f"{_tell_groups(declared)}"
    )


def _tell_groups(declared: Declaration) -> str:
    if not declared.groups and not declared.personal:
        return ""
    own = ", a personal attribute" if declared.hides_groups else ""
    return f" Groups of assessors are by {plain(declared.groups or 'group')}{own}."


def _check_numbers(wanted: Declaration) -> None:
    _ = SignificanceTest(alpha=wanted.alpha)
    if not 1 <= wanted.at_least <= wanted.users <= MOST_USERS:
        raise BadInput(
            f"at least 1 to N of N users find an item top, N up to {MOST_USERS:,}; "
            f"not {wanted.at_least} of {wanted.users}",
            field="users",
        )


def _read_measure(text: str) -> str:
    measure = parse_measure(text)
    if measure.obstacle:
        reason = f"systems cannot be compared by {measure}: {measure.obstacle}"
        raise BadInput(reason, field="measure")
    return str(measure)


def _require_version(study: Study, name: str, facet: str) -> None:
    """Refuse a version that not everybody can have who sees results, and those of one person."""
    known = add_means(study, facet, list_choices(study, facet, model_of(study, facet)))
    if name in STANDARD:
        return
    try:
        find_choice(study, name, facet)
    except NotFound:
        _require_known("version", [name], dict.fromkeys([*STANDARD, *known]))


def _require_levels(wanted: Declaration) -> None:
    """Refuse a measure whose gains are weights of levels beside a version of something else."""
    name = wanted.version.partition(", ")[0 if wanted.version.startswith((UDM, BOTH_FACETS)) else 2]
    if needs_weights(parse_measure(wanted.measure)) and name in (UDM, BOTH_FACETS, *MEANS):
        raise BadInput(
            f"{wanted.measure} takes a weight for each level of the scale, and *{wanted.version}* "
            "has other numbers; declare a version whose levels are those of the scale, such as "
            f"all, {COMBINED[0]}",
            field="measure",
        )


def _require_known(field: str, given: Iterable[str], known: Iterable[str]) -> None:
    there = list(map(str, known))
    for one in given:
        if one not in there:
            near = get_close_matches(one, there, _NEAR, 0.4) or there[:_NEAR]
            reason = f"there is none called '{one}'"
            raise BadInput(reason + (f"; near are {'; '.join(near)}" if near else ""), field=field)
