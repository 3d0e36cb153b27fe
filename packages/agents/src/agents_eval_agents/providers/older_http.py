"""HTTP clients for SDKs that stand on the older HTTP library, which comes with them."""

import httpx

from agents_eval_agents.providers.connection import ANSWER_SECONDS, CONNECT_SECONDS, certificates


def older_http_client() -> httpx.AsyncClient:
    """Return a client; whoever asked for it closes it. It follows no redirect."""
    return httpx.AsyncClient(verify=certificates(), timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS))
