"""Who a request comes from: the holder of a token over HTTP, the one user of the process over stdio."""

from mcp.server.auth.middleware.auth_context import get_access_token

THE_USER = "user"


def principal() -> str:
    """Return the name that handles are bound to."""
    token = get_access_token()
    return THE_USER if token is None else token.client_id
