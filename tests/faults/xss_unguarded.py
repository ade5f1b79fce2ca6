"""The app with its escaping taken out: a control that shows what the escaping is good for."""

import core.figures.style
import pages.shared.wording

core.figures.style.plain_text = str
pages.shared.wording.plain = str

from app import app  # noqa: E402 - only now, as modules take the functions over by name

__all__ = ["app"]
