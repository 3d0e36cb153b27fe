"""Tests of the metrics themselves."""
