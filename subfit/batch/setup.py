"""Everything an engine must know before it sees the first file, as plain data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from subfit.batch.settings import Settings
from subfit.errors import ModelError, reason_of
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.limits.guideline import Guideline
from subfit.model.bundled import check_direction, find_model
from subfit.model.computing import DEFAULT_COMPUTING, Computing
from subfit.reporting.lengths import plain_data
from subfit.speech.voice import check_voice
from subfit.subtitles.encoding import checked_encoding
from subfit.version import __version__

if TYPE_CHECKING:
    from subfit.decoding.queries import SearchSettings

_NOT_THE_MODEL = (".md", ".yaml", ".txt", ".tsv", "SHA256SUMS", "metrics.json", "measurements.json")
"""Ends of names in a model folder that no translation depends on."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Settings with what they lead to."""

    settings: Settings
    languages: tuple[str, ...]
    models: dict[str, tuple[str, ...]]
    """The places of the models of each language, which translate together: folders or hub names."""
    guidelines: dict[tuple[str, bool], Guideline]
    """By language and whether the track has times."""
    computing: Computing = DEFAULT_COMPUTING
    """Where and how precisely the models compute."""

    def describe(self, language: str) -> dict[str, Any]:
        """Return what a translation depends on beside its guideline, for its report."""
        settings, ratio = self.settings, self.settings.limits.length_ratio
        return {
            "model": " + ".join(map(model_name, self.models[language])),
            "source_language": settings.reading.source_language,
            "target_language": language,
            "length_ratio": None if ratio is None else plain_data(asdict(ratio)),
            "translate_sounds": settings.translate_sounds,
            "join": settings.join,
            "dubbing": asdict(settings.dubbing),
            "alternatives": settings.alternatives,
            "condense": settings.condense,
            "whole_sentences": settings.whole_sentences,
            "glossary": settings.describe_terms(language),
            "bilingual": settings.bilingual,
            "timing": settings.timing.mode,
            "search": {**asdict(self.search()), "wide_beams": DEFAULT_SETTINGS.wide_beams},
            "precision": self.computing.precision,
        }

    def search(self) -> SearchSettings:
        """Return how to search."""
        from subfit.decoding.queries import SearchSettings

        found = SearchSettings()
        beam, penalty = self.settings.beam, self.settings.length_penalty
        if beam is not None:
            found = replace(found, beams=beam, nbest=min(found.nbest, beam))
        return found if penalty is None else replace(found, length_penalty=penalty)

    def fingerprint(self, language: str) -> str:
        """Return a checksum of all settings that translations into a language depend on."""
        values = {
            "subfit": __version__,
            "policy": DEFAULT_SETTINGS.checksum,
            "settings": plain_data(asdict(replace(self.settings, terms=()))),
            "glossary": self.settings.describe_terms(language),
            "precision": self.computing.precision,
            "language": language,
            "guidelines": [plain_data(self.guidelines[language, timed]) for timed in (True, False)],
        }
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def make_setup(
    settings: Settings,
    languages: Sequence[str],
    models: Sequence[str] = (),
    computing: Computing = DEFAULT_COMPUTING,
) -> Setup:
    """Find models and guidelines of all languages; loads no model.

    Args:
        settings: How to translate.
        languages: Tags of the target languages.
        models: What the user named, to translate together; none for the bundled model of each
            language.
        computing: Where and how precisely the models compute.

    Raises:
        ModelError: There is no such model as is named.
        UsageError: No model is for a language, or the one named is for others; an encoding is
            unknown.
        VoiceError: The voice that is to measure cannot be used.
        GuidelineError: The guideline is unknown or broken.
    """
    for encoding in (settings.reading.encoding, settings.output_encoding):
        if encoding is not None:
            checked_encoding(encoding)
    source = settings.reading.source_language
    guidelines = {
        (language, timed): settings.guideline_for(language, timed=timed)
        for language in languages
        for timed in (True, False)
    }
    if settings.dubbing.voice is not None:
        for language in languages:
            check_voice(settings.dubbing.voice, language)
    places = {
        language: tuple(find_model(name, source, language) for name in models or (None,))
        for language in languages
    }
    for language, found in places.items():
        for place in found:
            check_direction(place, source, language)
    return Setup(settings, tuple(languages), places, guidelines, computing)


def model_name(place: str) -> str:
    """Return a model's name, for reports."""
    return Path(place).name if Path(place).is_dir() else place


def models_checksum(places: Sequence[str]) -> str:
    """Return a checksum of everything that translations by some models depend on.

    Args:
        places: Folders or hub names; the first one's tokenizer and configuration count for all.

    Raises:
        ModelError: A folder cannot be read.
    """
    sums = [model_checksum(place) for place in places]
    return sums[0] if len(sums) == 1 else hashlib.sha256("\n".join(sums).encode()).hexdigest()


def model_checksum(place: str) -> str:
    """Return a checksum of everything in a model folder that translations depend on.

    Args:
        place: A folder; a hub name stands for itself.

    Raises:
        ModelError: The folder cannot be read.
    """
    folder = Path(place)
    if not folder.is_dir():
        return place
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    digest = hashlib.sha256()
    try:
        for each in files:
            if not each.name.endswith(_NOT_THE_MODEL):
                digest.update(f"{each.relative_to(folder)}\0".encode())
                with each.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
    except OSError as error:
        raise ModelError(f"{folder}: cannot be read ({reason_of(error)})") from error
    return digest.hexdigest()
