"""A rule of one's own: which labels, how they are combined, and the resulting version."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.analysis.agreement.user_disagreement import (
    ask_combined_weights,
    ask_weights,
    has_both_scales,
    strata_names,
)
from core.analysis.base.labels import names_of, round_names
from core.analysis.base.moments import describe_moment
from core.analysis.base.study import labels_of_all, scales_of
from core.analysis.results.basis import count_judged, count_labels, describe_pairs
from core.analysis.results.qrels_choices import (
    EXPORTED_PARTS,
    QrelsChoice,
    saved_rules,
    version_of,
)
from core.analysis.results.version_scores import ALL, topic_sets
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import PAGE, SNIPPET, counted_levels
from core.errors import DissentError
from core.reports.level_weights import PairWeights, Weights, WeightsQuestion
from core.reports.user_model import UserModel
from core.store.content.saved_rules import delete_rule, save_rule
from core.versions.combine import COMBINATIONS, PAIR
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion
from core.versions.wording import COMBINED, describe_rule, describe_ties
from core.wording import count, plain
from pages.shared.scoring_widgets import queries_of
from pages.shared.session import PageContext
from pages.shared.wording import ask_discussed, refuse, say_why_not

CHOSEN = "topics that I choose"


@dataclass(frozen=True)
class Whose:
    """Whose labels a rule takes, as far as the organiser has limited them."""

    assessors: tuple[str, ...]
    groups: tuple[str, ...]
    slots: tuple[int, ...]
    judges: int | None
    rounds: tuple[str, ...]
    discussed: bool


def edit_rules(context: PageContext, facet: str, model: UserModel, taken: set[str]) -> None:
    """List the saved rules and offer to make another, with what comes of it beforehand."""
    st.markdown(
        "A version is a rule: whose labels, and how several of them become one level. The rule is "
        "saved, not its result: new labels are included as they arrive."
    )
    _list_saved(context)
    with st.container(border=True):
        labels = counted_labels(labels_of_all(context.study), facet)
        rule = _ask_rule(context, facet, model, labels)
        if rule is None:
            return
        made = _preview(context, rule, labels)
        if st.button(f"Save this rule for {facet}s", disabled=made is None, key="rule-save"):
            _save(context, taken, rule)


def _list_saved(context: PageContext) -> None:
    for rule in saved_rules(context.study):
        with st.container(horizontal=True, vertical_alignment="center"):
            words = plain(describe_rule(rule, names_of(context.study), round_names(context.study)))
            st.markdown(f"**{plain(rule.name)}**  {words}")
            if st.button("Delete", key=f"delete-rule-{rule.name}", icon=":material/delete:"):
                delete_rule(context.store, context.collection_id, rule.name, by=context.person_id)
                st.rerun()


def _ask_rule(
    context: PageContext, facet: str, model: UserModel, labels: pd.DataFrame
) -> QrelsRule | None:
    """Return the rule that is asked for; None, with the reason shown, where it cannot be."""
    left, right = st.columns(2)
    with left:
        name = st.text_input("Name", key="rule-name").strip()
        combine = st.selectbox(
            "Combine the labels of an item by",
            [*COMBINATIONS, *([PAIR] if has_both_scales(context.study) else [])],
            index=list(COMBINATIONS).index("maximum"),
            help="  \n".join(f"*{how}*: {words}." for how, words in COMBINED.items()),
            key="rule-combine",
        )
        set_name, topics = _ask_topics(context, facet)
    with right:
        whose = _ask_whose(context, facet, labels)
    given = dict(**vars(whose), topics=topics, topic_set=set_name, aspect=context.study.aspect)
    if combine == "udm":
        weights, origin = _ask_weights(context, facet, model)
        if not weights:
            st.info("These topics give no weights: no two assessors have judged the same item.")
            return None
        given |= dict(weights=weights, weights_from=origin, factor=EXPORTED_PARTS)
    if combine == PAIR:
        pair_weights, origin = _weigh_pairs(context, facet, model)
        if not pair_weights:
            st.info("There are no weights: no two assessors have judged a snippet and its page.")
            return None
        facet = PAGE
        given |= dict(pair_weights=pair_weights, weights_from=origin, factor=EXPORTED_PARTS)
    if set_name and not topics:
        st.info("Choose topics.")
        return None
    return QrelsRule(name or "without a name", facet, combine, **given)


def _ask_topics(context: PageContext, facet: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of a set, empty for all topics, and the topics in it."""
    sets = topic_sets(context.study, facet)
    name = st.selectbox(
        "Topics",
        [*sets, CHOSEN],
        help="A set is saved as the topics that are in it now: later labels may move a topic from "
        "high to low agreement, but not in a version that is saved.",
        key=f"rule-topics-{facet}",
    )
    if name == ALL:
        return "", ()
    if name in sets:
        return name, sets[name]
    queries = queries_of(context)
    chosen = st.multiselect(
        "These", list(queries), format_func=lambda one: f"{one} {queries[one]}", key="rule-chosen"
    )
    return "chosen by hand", tuple(chosen)


def _ask_whose(context: PageContext, facet: str, labels: pd.DataFrame) -> Whose:
    names = names_of(context.study)
    assessors = st.multiselect(
        "Only these assessors",
        sorted(labels["assessor_id"].unique(), key=names.__getitem__),
        format_func=names.__getitem__,
        placeholder="all",
        key=f"rule-assessors-{facet}",
    )
    groups = sorted({*labels["group"].unique()} - {""})
    chosen = st.multiselect(
        "Only these groups", groups, placeholder="all", key=f"rule-groups-{facet}"
    )
    slots = st.multiselect(
        "Only these slots (the first, second … assessor of a topic)",
        range(1, 1 + _most_assessors(labels)),
        placeholder="all",
        key=f"rule-slots-{facet}",
    )
    judges = st.number_input(
        "Most labels per item",
        min_value=1,
        value=None,
        placeholder="all",
        key="rule-judges",
    )
    rounds = round_names(context.study)
    given_in = []
    if rounds:
        given_in = st.multiselect(
            "Only labels given in these rounds",
            list(rounds),
            format_func=rounds.__getitem__,
            placeholder="all, and imported ones",
            key=f"rule-rounds-{facet}",
        )
    discussed = ask_discussed(context, f"rule-discussed-{facet}")
    own = tuple(assessors), tuple(chosen), tuple(slots), judges, tuple(given_in)
    return Whose(*own, discussed)


def _most_assessors(labels: pd.DataFrame) -> int:
    numbers = labels.groupby("topic_id")["assessor_id"].nunique()
    return 0 if numbers.empty else int(numbers.max())


def _ask_weights(context: PageContext, facet: str, model: UserModel) -> tuple[Weights, str]:
    """Return the UDM weights, and in words what they were estimated from."""
    sets = topic_sets(context.study, facet)
    parts = [
        name
        for name in strata_names(context.study, facet, model.top)
        if not name.endswith(" topics")
    ]
    stratum = st.selectbox(
        "Estimate the weights from",
        [*sets, *parts],
        help="They are saved with the rule and do not change. The number of users is chosen above, "
        "under *Users of the UDM*.",
        key=f"rule-weights-{facet}",
    )
    top = counted_levels(scales_of(context.study)[facet])[model.top]
    moment = describe_moment(context.study, context.study.sequence)
    origin = (
        f"{stratum}, {facet}s, up to {moment}: {top} for at least {model.at_least} of "
        f"{model.users} users"
    )
    question = WeightsQuestion(model, "" if stratum in sets else stratum, sets.get(stratum, ()))
    return ask_weights(context.study, facet, question).weights, origin


def _weigh_pairs(context: PageContext, facet: str, model: UserModel) -> tuple[PairWeights, str]:
    """Return the weights of pairs of levels, and in words what they were estimated from."""
    found = ask_combined_weights(context.study, facet, WeightsQuestion(model))
    highest = dict(zip((SNIPPET, PAGE), found.top, strict=True))
    scales = scales_of(context.study)
    tops = " and ".join(
        f"{name} {counted_levels(scales[name])[level]}" for name, level in highest.items()
    )
    moment = describe_moment(context.study, context.study.sequence)
    origin = f"all topics, up to {moment}: {tops} for at least {model.at_least} of "
    return found.weights, f"{origin}{model.users} users"


def _preview(context: PageContext, rule: QrelsRule, labels: pd.DataFrame) -> QrelsVersion | None:
    """Say what would come of a rule and who is left out of it."""
    try:
        made = version_of(context.study, QrelsChoice(rule.name, rule))
    except DissentError as error:
        say_why_not(error, "No version comes of these choices yet:")
        return None
    st.markdown(plain(describe_rule(rule, names_of(context.study), round_names(context.study))))
    for words in [*describe_ties(made), *describe_pairs(made)]:
        st.caption(words)
    st.caption(
        f"{count_judged(made)} from {count_labels(made)} in "
        f"{count(made.frame['topic_id'].nunique(), 'topic')}."
    )
    gone = left_out(context, made, {*labels["assessor_id"].unique()})
    if gone:
        st.warning(f"Left out: {plain(', '.join(gone))}.", icon=":material/person_off:")
    return made


def left_out(context: PageContext, version: QrelsVersion, everybody: set[str]) -> list[str]:
    """Return the names of those who judged, but none of whose labels is in a version."""
    names = names_of(context.study)
    return sorted(names.get(one, one) for one in everybody - set(version.assessors))


def _save(context: PageContext, taken: set[str], rule: QrelsRule) -> None:
    name = st.session_state["rule-name"].strip()
    if name in taken:
        st.error("A version of this name is there already. Choose another name.")
        return
    try:
        save_rule(context.store, context.collection_id, name, rule.to_json(), by=context.person_id)
    except DissentError as error:
        refuse(error, "The version was not saved.")
        return
    st.toast("Saved.")
    st.rerun()
