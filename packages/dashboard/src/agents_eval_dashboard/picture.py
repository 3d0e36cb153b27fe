"""Drawings of ours as pictures with the same in words: a page may hold no SVG, for text of others could act in it."""

import re
from base64 import b64encode
from typing import Final

from markupsafe import Markup

XMLNS: Final = "http://www.w3.org/2000/svg"
LABEL: Final = re.compile(r"aria-label=(\"[^\"]*\"|'[^']*')")
LIGHT: Final = {"line": "#767c86", "band": "#c9dbf0", "ink": "#1a1a1a", "mark": "#1f5fa8", "page": "#ffffff"}
DARK: Final = {"line": "#8d949e", "band": "#2f4a6b", "ink": "#f0f0f0", "mark": "#8ab4f8", "page": "#14171c"}


def picture(svg: str, *, dark: bool) -> Markup:
    """Return a drawing as an image; what it says of itself becomes the text in place of it.

    >>> picture('<svg aria-label="one &lt; two"></svg>', dark=False)[:26]
    Markup('<img alt="one &lt; two" sr')
    """
    label = LABEL.search(svg)
    words = Markup(label.group(1)[1:-1]).unescape() if label else ""  # noqa: S704  unescaped, then escaped again
    plain = str(svg)  # markup that is marked as such would escape what is put into it
    coloured = plain if "xmlns=" in plain else plain.replace("<svg ", f'<svg xmlns="{XMLNS}" ', 1)
    for name, colour in (DARK if dark else LIGHT).items():
        coloured = coloured.replace(f"var(--{name})", colour)
    data = b64encode(coloured.encode()).decode()
    return Markup('<img alt="{}" src="data:image/svg+xml;base64,{}">').format(words, data)
