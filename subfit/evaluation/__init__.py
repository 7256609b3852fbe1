"""Measuring translators on test sets: metrics, significance, comparisons of systems."""
