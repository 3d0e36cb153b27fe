"""What worker processes are forked from: importing this loads the plug-ins, so that no worker has to."""

from agents_eval_core import registry

LOADED = [plugin for group in ("engines", "evaluators", "providers", "views") for plugin in registry.load_all(group)]
