"""The types, ports and use cases of Agents-eval."""
