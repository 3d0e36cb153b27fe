"""Charts in Vega-Lite: each draws what a use case returned, and says the same in words."""
