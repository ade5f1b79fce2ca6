"""The steps of a class as they stand on a projector; every text is escaped here."""

from collections.abc import Sequence
from html import escape

import segno

from core.analysis.learn.lesson import LessonItem, Summary, tell_strength
from core.language.translate import t, tn
from pages.shared.level_bars import draw_bars

MOST_NAMES, MOST_COMMENTS = 60, 6


def draw_code(address: str) -> str:
    """Return an address as a QR code, dark on white whatever the theme, with its quiet zone."""
    made = segno.make(address, micro=False, error="m")
    source = made.svg_data_uri(border=4, omitsize=True, dark="#000", light="#fff")
    return f'<img alt="{t("QR code of the address")}" src="{escape(source)}">'


def draw_join(title: str, address: str, code: str, names: Sequence[str]) -> str:
    """Return the way in, and who has come."""
    shown = "".join(f"<li>{escape(name)}</li>" for name in names[:MOST_NAMES])
    more = (
        f"<li>{t('and {n} more', n=len(names) - MOST_NAMES)}</li>"
        if len(names) > MOST_NAMES
        else ""
    )
    place = address.partition("://")[2].rpartition("/")[0]
    return _page(
        title,
        f'<div class="two"><div class="qr">{draw_code(address)}</div><div>'
        f'<p class="quiet">{t("Scan the code, or open")}</p>'
        f'<p class="address">{escape(place)}</p>'
        f'<p class="quiet">{t("and type")}</p><p class="code">{escape(code)}</p>'
        f'<p class="big" data-testid="joined">{t("{n} joined", n=len(names))}</p>'
        f'<ul class="names">{shown}{more}</ul></div></div>',
    )


def draw_closed(title: str, names: int) -> str:
    """Return what stands in place of the way in when it is shut."""
    joined = t("{n} joined. Nobody else can join now.", n=names)
    return _page(title, f'<p class="big">{joined}</p>')


def draw_judging(title: str, meaning: str, counts: dict[str, int], pages: int) -> str:
    """Return how far the judging is: counts only."""
    students = counts["students"]
    share = 100 * counts["labels"] / max(1, students * pages)
    done = t("{n} of {total}", n=counts["done"], total=students)
    judged = tn(pages, "have judged all {n} page", "have judged all {n} pages")
    labels = t("{n} of {total} labels", n=counts["labels"], total=students * pages)
    return _page(
        title,
        f'<p class="quiet">{escape(meaning)}</p>'
        f'<p class="count" data-testid="done">{done}</p>'
        f'<p class="big">{judged}</p>'
        f'<div class="done"><span style="width:{min(100.0, share):.1f}%"></span></div>'
        f'<p class="quiet">{labels}</p>',
    )


def draw_item(item: LessonItem, place: int, of: int, levels: Sequence[str]) -> str:
    """Return the labels of one page by level, and who said why."""
    comments = "".join(
        f"<li><b>{escape(one.student)}</b>, {escape(one.level)}: {escape(one.comment)}</li>"
        for one in item.answers[:MOST_COMMENTS]
    )
    nobody = f'<p class="quiet">{t("Nobody wrote why.")}</p>'
    why = f'<ul class="said">{comments}</ul>' if comments else nobody
    which = t("{name}, {place} of {total}", name=item.name, place=place, total=of)
    labels = tn(item.labels, "{n} label", "{n} labels")
    return _page(
        item.title or item.name,
        f'<p class="quiet">{escape(which)}; {labels}</p>'
        f'<div class="two"><div data-testid="bars">{draw_bars(item.counts, levels)}</div>'
        f"<div>{why}</div></div>",
    )


def draw_discussion(item: LessonItem, levels: Sequence[str]) -> str:
    """Return what to talk about, above the page itself."""
    split = item.tell_split() or t("Everybody agrees. What made it so clear?")
    return _page(
        item.title or item.name,
        f'<p class="split" data-testid="split">{escape(split)}</p>'
        f"{draw_bars({name: n for name, n in item.counts.items() if n}, levels)}",
    )


def draw_summary(summary: Summary) -> str:
    """Return in words how far the class agrees."""
    return _page(t("How far do you agree?"), "".join(_paragraphs(summary)))


def draw_place(step: str) -> str:
    """Return the steps, with the one in view marked."""
    steps = {
        "join": t("Join"),
        "judge": t("Judge"),
        "reveal": t("Reveal"),
        "summary": t("Summary"),
    }
    names = (
        f'<b aria-current="step">{name}</b>' if key == step else f"<span>{name}</span>"
        for key, name in steps.items()
    )
    return f'<div class="projector-steps">{"".join(names)}</div>'


def _paragraphs(summary: Summary) -> Sequence[str]:
    if summary.raw is None:
        lacking = t("Agreement needs two students who judged the same pages.")
        return [f'<p class="big">{lacking}</p>']
    alike = t("Two of you agree on {share} of the pages.", share=f"{summary.raw:.0%}")
    paragraphs = [f'<p class="big">{alike}</p>']
    if summary.kappa is not None:
        paragraphs.append(f"<p>{_tell_kappa(summary.kappa, summary.linear)}</p>")
    if summary.alpha is not None:
        alpha = t(
            "Krippendorff’s α = {value}: it looks at all labels of a page at once, and levels far "
            "apart count more than neighbours.",
            value=f"{summary.alpha:.2f}",
        )
        paragraphs.append(f"<p>{alpha}</p>")
    for names in summary.united:
        united = t(
            "{levels} count as one level: both are the best that a page can be, so that choosing "
            "one or the other is no disagreement. In the weights they are one bar.",
            levels=escape(t(" and ").join(names)),
        )
        paragraphs.append(f"<p>{united}</p>")
    if summary.disputed is not None:
        title = escape(summary.disputed.title or summary.disputed.name)
        paragraphs.append(f'<p class="split">{t("Most disputed: {title}", title=title)}</p>')
    convention = t(
        "The words for κ are a convention (Landis and Koch 1977). A few pages of one query say "
        "nothing about other queries."
    )
    paragraphs.append(f'<p class="quiet">{convention}</p>')
    return paragraphs


def _tell_kappa(kappa: float, linear: float | None) -> str:
    facts = {"strength": f"<b>{tell_strength(kappa)}</b>", "value": f"{kappa:.2f}"}
    if linear is None:
        return t(
            "Part of that is chance. Beyond chance, agreement is {strength}: Cohen’s κ = {value}, "
            "where 1 is full agreement and 0 is chance alone.",
            **facts,
        )
    return t(
        "Part of that is chance. Beyond chance, agreement is {strength}: Cohen’s κ = {value}, "
        "where 1 is full agreement and 0 is chance alone; {linear} if near misses count in part.",
        **facts,
        linear=f"{linear:.2f}",
    )


def _page(title: str, body: str) -> str:
    return f'<div class="projector"><h1>{escape(title)}</h1>{body}</div>'
