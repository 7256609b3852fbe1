"""Measuring a finished model, and writing its card from what was measured."""
