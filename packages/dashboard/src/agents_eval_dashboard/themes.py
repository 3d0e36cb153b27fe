"""The looks of the dashboard, through Streamlit's own theming: as bright as the reader's system, or more contrast."""

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

CATEGORIES: Final = {
    "light": ("#1f5fa8", "#a84300", "#2e6e31", "#7a3aa0", "#6b5200", "#9c1f52"),
    "dark": ("#8ab4f8", "#ffb27a", "#8fd694", "#d3a6f2", "#e3cf72", "#ff9fc0"),
}
LIGHT: Final = {
    "primaryColor": "#1f5fa8",
    "backgroundColor": "#ffffff",
    "secondaryBackgroundColor": "#f1f4f8",
    "textColor": "#1a1a1a",
    "codeTextColor": "#1a1a1a",
    "linkColor": "#174a85",
    "grayTextColor": "#4a4f57",
    "borderColor": "#767c86",
}
DARK: Final = {
    "primaryColor": "#8ab4f8",
    "backgroundColor": "#14171c",
    "secondaryBackgroundColor": "#20242b",
    "textColor": "#f0f0f0",
    "codeTextColor": "#f0f0f0",
    "linkColor": "#a3c7ff",
    "grayTextColor": "#c0c5cd",
    "borderColor": "#8d949e",
}
HIGH_CONTRAST: Final = {
    "primaryColor": "#0000d0",
    "backgroundColor": "#ffffff",
    "secondaryBackgroundColor": "#ffffff",
    "textColor": "#000000",
    "codeTextColor": "#000000",
    "linkColor": "#0000a0",
    "grayTextColor": "#000000",
    "borderColor": "#000000",
    "showWidgetBorder": "true",
}
HIGH_CONTRAST_DARK: Final = {
    "primaryColor": "#9dc3ff",
    "backgroundColor": "#000000",
    "secondaryBackgroundColor": "#000000",
    "textColor": "#ffffff",
    "codeTextColor": "#ffffff",
    "linkColor": "#ffff00",
    "grayTextColor": "#ffffff",
    "borderColor": "#ffffff",
    "showWidgetBorder": "true",
}

HEADINGS: Final = ("2rem", "1.5rem", "1.2rem", "1.1rem", "1rem", "1rem")


class Theme(StrEnum):
    """How the dashboard looks."""

    system = "system"
    light = "light"
    dark = "dark"
    high_contrast = "high-contrast"


def theme_arguments(theme: Theme) -> Iterator[str]:
    """Yield what Streamlit is told about colours; `system` and `high-contrast` are as bright as the reader's system.

    >>> [argument for argument in theme_arguments(Theme.dark) if "base=" in argument]
    ['--theme.base=dark']
    """
    light, dark = (HIGH_CONTRAST, HIGH_CONTRAST_DARK) if theme is Theme.high_contrast else (LIGHT, DARK)
    yield "--theme.baseFontSize=16"
    yield f"--theme.headingFontSizes={json.dumps(HEADINGS)}"
    if theme in (Theme.light, Theme.dark):
        yield f"--theme.base={theme}"
        yield from _colours("theme", light if theme is Theme.light else dark, str(theme))
        return
    yield from _colours("theme.light", light, "light")
    yield from _colours("theme.dark", dark, "dark")


def _colours(section: str, colours: Mapping[str, str], brightness: str) -> Iterator[str]:
    yield from (f"--{section}.{name}={value}" for name, value in colours.items())
    yield f"--{section}.chartCategoricalColors={json.dumps(CATEGORIES[brightness])}"
