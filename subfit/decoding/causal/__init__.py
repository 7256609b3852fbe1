"""Decoder-only models under the same budgeted search: a prompt in, its answer out."""
