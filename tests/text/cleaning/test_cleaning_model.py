"""What the model that comes with subfit makes of everything that is put back."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import regex

from subfit.decoding.translator import Translator
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.subtitles.cues import Cue, Track
from subfit.text.cleaning.asides import find_asides
from subfit.text.cleaning.cleaning import find_stand_ins
from subfit.text.cleaning.marks import find_doubled
from tests.text.cleaning.test_cleaning import KINDS, LANGUAGES, table

LEAST = 11
"""Of a dozen cases, at least so many have what is put back."""


@cache
def translated(language: str, sources: tuple[str, ...]) -> list[Any]:
    """What becomes of texts, each in a cue without limits."""
    cues = tuple(Cue(5000 * n, 5000 * n + 4000, text) for n, text in enumerate(sources))
    translator = Translator.load("en-multi", target_language=language)
    done = localize(Track(cues, "srt"), translator, Guideline("none", language), Options())
    return list(done.report.cues)


def has_it(kind: str, source: str, target: str, language: str) -> bool:
    """Whether a translation has what is to be put back into it."""
    if kind == "stutters":
        return regex.search(r"\b(\p{L})-\1", target, regex.I) is not None
    if kind == "drawn_out":
        return regex.search(r"(\p{L})\1\1", target, regex.I) is not None
    if kind == "shouting":
        return regex.search(r"\b\p{Lu}{2,}\b", target) is not None
    if kind == "asides":
        return all(aside.text in target for aside in find_asides(source))
    if kind == "marks":
        return all(mark.written in target for mark in find_doubled(source))
    return all(each.written in target for each in find_stand_ins(source, "en", language))


def missing(kind: str, language: str, verdicts: list[Any]) -> list[str]:
    return [
        cue.outcome.target
        for cue in verdicts
        if not has_it(kind, cue.outcome.source, cue.outcome.target, language)
    ]


def test_one_of_each_kind_comes_back_in_german():
    sources = tuple(table(kind)[0]["source"] for kind in KINDS)
    for kind, verdict in zip(KINDS, translated("de", sources), strict=True):
        assert not missing(kind, "de", [verdict])
        assert not verdict.lost


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_all_of_each_dozen_comes_back_and_what_does_not_is_told(language):
    sources = {kind: [row["source"] for row in table(kind)] for kind in KINDS}
    every = tuple(source for own in sources.values() for source in own)
    verdicts = dict(zip(every, translated(language, every), strict=True))
    for kind, own in sources.items():
        lacking = missing(kind, language, [verdicts[source] for source in own])
        assert len(own) - len(lacking) >= LEAST, (kind, lacking)
        if kind in ("addresses", "amounts", "measures", "times"):
            for source in own:
                cue = verdicts[source]
                assert cue.lost or not missing(kind, language, [cue])
