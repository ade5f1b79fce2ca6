"""The steps of a class as they stand on a projector; every text is escaped here."""

from collections.abc import Sequence
from html import escape

import segno

from core.analysis.base.wording import count
from core.analysis.learn.lesson import Item, Summary, tell_strength
from pages.shared.level_bars import draw_bars

MOST_NAMES, MOST_SAID = 60, 6
STEPS = {"join": "Join", "judge": "Judge", "reveal": "Reveal", "summary": "Summary"}


def draw_code(address: str) -> str:
    """Return an address as a QR code, dark on white whatever the theme, with its quiet zone."""
    made = segno.make(address, micro=False, error="m")
    source = made.svg_data_uri(border=4, omitsize=True, dark="#000", light="#fff")
    return f'<img alt="QR code of the address" src="{escape(source)}">'


def draw_join(title: str, address: str, code: str, names: Sequence[str]) -> str:
    """Return the way in, and who has come."""
    shown = "".join(f"<li>{escape(name)}</li>" for name in names[:MOST_NAMES])
    more = f"<li>and {len(names) - MOST_NAMES} more</li>" if len(names) > MOST_NAMES else ""
    place = address.partition("://")[2].rpartition("/")[0]
    return _page(
        title,
        f'<div class="two"><div class="qr">{draw_code(address)}</div><div>'
        f'<p class="quiet">Scan the code, or open</p>'
        f'<p class="address">{escape(place)}</p>'
        f'<p class="quiet">and type</p><p class="code">{escape(code)}</p>'
        f'<p class="big" data-testid="joined">{len(names)} joined</p>'
        f'<ul class="names">{shown}{more}</ul></div></div>',
    )


def draw_closed(title: str, names: int) -> str:
    """Return what stands in place of the way in when it is shut."""
    return _page(title, f'<p class="big">{names} joined. Nobody else can join now.</p>')


def draw_judging(title: str, told: str, counts: dict[str, int], pages: int) -> str:
    """Return how far the judging is: counts only."""
    students = counts["students"]
    share = 100 * counts["labels"] / max(1, students * pages)
    return _page(
        title,
        f'<p class="quiet">{escape(told)}</p>'
        f'<p class="count" data-testid="done">{counts["done"]} of {students}</p>'
        f'<p class="big">have judged all {count(pages, "page")}</p>'
        f'<div class="done"><span style="width:{min(100.0, share):.1f}%"></span></div>'
        f'<p class="quiet">{counts["labels"]} of {students * pages} labels</p>',
    )


def draw_item(item: Item, place: int, of: int, levels: Sequence[str]) -> str:
    """Return the labels of one page by level, and who said why."""
    said = "".join(
        f"<li><b>{escape(one.student)}</b>, {escape(one.level)}: {escape(one.comment)}</li>"
        for one in item.said[:MOST_SAID]
    )
    why = f'<ul class="said">{said}</ul>' if said else '<p class="quiet">Nobody wrote why.</p>'
    return _page(
        item.title or item.name,
        f'<p class="quiet">{escape(item.name)}, {place} of {of}; '
        f"{count(item.labels, 'label')}</p>"
        f'<div class="two"><div data-testid="bars">{draw_bars(item.counts, levels)}</div>'
        f"<div>{why}</div></div>",
    )


def draw_discussion(item: Item, levels: Sequence[str]) -> str:
    """Return what to talk about, above the page itself."""
    split = item.tell_split() or "Everybody agrees. What made it so clear?"
    return _page(
        item.title or item.name,
        f'<p class="split" data-testid="split">{escape(split)}</p>'
        f"{draw_bars({name: n for name, n in item.counts.items() if n}, levels)}",
    )


def draw_summary(summary: Summary) -> str:
    """Return in words how far the class agrees."""
    return _page("How far do you agree?", "".join(_paragraphs(summary)))


def draw_place(step: str) -> str:
    """Return the steps, with the one in view marked."""
    names = (
        f'<b aria-current="step">{name}</b>' if key == step else f"<span>{name}</span>"
        for key, name in STEPS.items()
    )
    return f'<div class="projector-steps">{"".join(names)}</div>'


def _paragraphs(summary: Summary) -> Sequence[str]:
    if summary.raw is None:
        return ['<p class="big">Agreement needs two students who judged the same pages.</p>']
    told = [f'<p class="big">Two of you agree on {summary.raw:.0%} of the pages.</p>']
    if summary.kappa is not None:
        told.append(
            f"<p>Part of that is chance. Beyond chance, agreement is "
            f"<b>{tell_strength(summary.kappa)}</b>: Cohen’s κ = {summary.kappa:.2f}, where 1 is "
            "full agreement and 0 is chance alone"
            f"{_tell_linear(summary.linear)}.</p>"
        )
    if summary.alpha is not None:
        told.append(
            f"<p>Krippendorff’s α = {summary.alpha:.2f}: it looks at all labels of a page at once, "
            "and levels far apart count more than neighbours.</p>"
        )
    for names in summary.united:
        told.append(
            f"<p>{escape(' and '.join(names))} count as one level: both are the best that a page "
            "can be, so that choosing one or the other is no disagreement. In the weights they "
            "are one bar.</p>"
        )
    if summary.disputed is not None:
        told.append(
            f'<p class="split">Most disputed: '
            f"{escape(summary.disputed.title or summary.disputed.name)}</p>"
        )
    told.append(
        '<p class="quiet">The words for κ are a convention (Landis and Koch 1977). A few pages of '
        "one query say nothing about other queries.</p>"
    )
    return told


def _tell_linear(linear: float | None) -> str:
    return "" if linear is None else f"; {linear:.2f} if near misses count in part"


def _page(title: str, body: str) -> str:
    return f'<div class="projector"><h1>{escape(title)}</h1>{body}</div>'
