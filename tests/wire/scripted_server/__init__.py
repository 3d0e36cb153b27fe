"""A server on this machine that speaks the dialects of providers and answers from a script."""
