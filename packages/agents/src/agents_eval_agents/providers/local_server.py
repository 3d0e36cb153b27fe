"""Whether a server on this machine answers."""

import socket
from typing import Final
from urllib.parse import urlsplit

PATIENCE_SECONDS: Final = 0.5
PORTS: Final = {"http": 80, "https": 443}


def answers(base_url: str) -> bool:
    """Return whether something takes connections at a place on this machine; nothing is sent.

    >>> answers("http://127.0.0.1:9/v1")
    False
    """
    place = urlsplit(base_url)
    try:
        with socket.create_connection((place.hostname, place.port or PORTS[place.scheme]), PATIENCE_SECONDS):
            return True
    except OSError:
        return False
