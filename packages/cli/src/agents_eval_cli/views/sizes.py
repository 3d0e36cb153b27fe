"""Amounts of bytes as people read them."""


def megabytes(size: int) -> str:
    """Return bytes as millions of bytes.

    >>> megabytes(1_234_567), megabytes(0), megabytes(12)
    ('1.2', '0.0', '0.1')
    """
    millions = size / 1e6
    return f"{max(millions, 0.1) if size else 0.0:,.1f}"
