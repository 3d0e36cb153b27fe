"""Behaviour metrics held against labels that people or checkers gave."""
