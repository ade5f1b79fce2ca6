"""Which colours are on a page."""

from playwright.sync_api import Page

# What is red: of every element that is seen, outside figures, its ink, its ground or its border.
_RED = """() => {
  const isRed = colour => {
    const [r, g, b, a = 1] = (colour.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    const spread = r - Math.min(g, b);
    return a > 0.05 && r > g && r > b && spread > 40 && Math.abs(g - b) < spread / 3;
  };
  const found = [];
  for (const one of document.querySelectorAll('.stApp *')) {
    if (one.closest('.js-plotly-plot') || !one.getClientRects().length) continue;
    const style = getComputedStyle(one);
    const sides = ['Top', 'Bottom', 'Left', 'Right'].filter(
      side => parseFloat(style[`border${side}Width`]) > 0);
    const parts = ['color', 'backgroundColor', 'fill', ...sides.map(side => `border${side}Color`)];
    const red = parts.find(part => isRed(style[part]));
    if (red) found.push(`${one.dataset.testid ?? one.tagName} ${red}: ${one.innerText ?? ''}`);
  }
  return found;
}"""


def reds(page: Page) -> list[str]:
    """Return what is red on a page: which element, and which part of it."""
    return list(page.evaluate(_RED))
