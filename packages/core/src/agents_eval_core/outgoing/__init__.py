"""The one way out: every request that Agents-eval itself makes goes through the client in here."""
