"""Text of others inside a Markdown page."""


def inline(text: str) -> str:
    r"""Return text of others on one line, unable to start markup of its own.

    >>> print(inline("a <b>\n# c"))
    a \<b> \# c
    """
    line = " ".join(text.split())
    for character in "\\`<[|#":
        line = line.replace(character, f"\\{character}")
    return line
