"""Recipes that tests read."""

from __future__ import annotations

from tests.places import ROOT

RECIPES = sorted((ROOT / "recipes").glob("*.yaml"))

WHOLE = """\
name: test
source_language: en
target_language: de
data:
  train: [a.tsv, b.tsv.xz]
  dev: dev.tsv
  weights: {games: 2, parliament: 0.3}
length:
  classes: {short: 0.9, long: null}
  encodings: [abs, rel]
optimizer:
  learning_rate: 1e-3
  betas: [0.9, 0.999]
schedule: {steps: 100, warmup: 10}
"""
