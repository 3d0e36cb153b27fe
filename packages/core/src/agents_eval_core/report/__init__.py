"""How a run and its scorecard are written down."""
