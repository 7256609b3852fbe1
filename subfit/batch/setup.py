"""Everything an engine must know before it sees the first file, as plain data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from subfit.batch.job import Job
from subfit.batch.pivot import THROUGH, check_pivot
from subfit.decoding.prompts.template import find_template
from subfit.errors import ModelError, UsageError, reason_of
from subfit.hub.contents import is_causal, is_gguf
from subfit.hub.names import is_server
from subfit.limits.guideline import Guideline
from subfit.model.bundled import AUTO, check_direction, find_channel, find_model
from subfit.reporting.lengths import plain_data
from subfit.subtitles.encoding import checked_encoding
from subfit.text.languages import same_language
from subfit.version import __version__

_NOT_THE_MODEL = (".md", ".yaml", ".txt", ".tsv", "SHA256SUMS", "metrics.json", "measurements.json")
"""Ends of names in a model folder that no translation depends on."""


@dataclass(frozen=True, slots=True)
class RunSetup:
    """A job with the models and guidelines it leads to."""

    job: Job
    models: dict[str, tuple[str, ...]]
    """The places of the models of each language, which translate together: folders or hub names."""
    guidelines: dict[tuple[str, bool], Guideline]
    """The guidelines by language and whether the track has times."""
    pivot: str | None = None
    """The place of the model that translates into English first; None for none."""
    channels: dict[str, str] = field(default_factory=dict)
    """The places of the models that rank translations by how well they give their sources back, by
    target language; that of the first of two legs by `THROUGH`."""

    @property
    def asks_servers(self) -> bool:
        """Whether any of the models is behind a server."""
        places = chain.from_iterable(self.models.values())
        return any(map(is_server, (*places, self.pivot or "")))

    @property
    def first_model(self) -> str | None:
        """The name of the model that translates into English first, for reports."""
        return None if self.pivot is None else model_name(self.pivot)

    def talks(self, language: str) -> bool:
        """Whether a language's model is told in words what to do."""
        return any(is_server(place) or is_causal(place) for place in self.models[language])

    def _told(self, language: str) -> dict[str, Any]:
        """What such a model is told, beside the sentences themselves; nothing of others."""
        if not self.talks(language):
            return {}
        prompt = self.job.talk.prompt
        template = None if prompt is None else plain_data(asdict(find_template(prompt, "", "")))
        return {"context": self.job.options.context, "prompt": template}

    def describe(self, language: str) -> dict[str, Any]:
        """Return what a translation depends on beside its guideline, for its report."""
        job, options = self.job, self.job.options
        ratio = options.length_ratio
        assert not isinstance(ratio, tuple), "one ratio for each cue is nothing to ask for here"
        return {
            "model": " + ".join(map(model_name, self.models[language])),
            "source_language": options.source_language,
            "target_language": language,
            **({} if self.pivot is None else {"through": THROUGH, "pivot_model": self.first_model}),
            **self._channel_models(language),
            "length_ratio": None if ratio is None else plain_data(asdict(ratio)),
            "translate_sounds": options.translate_sounds,
            "sdh": options.sdh,
            "join": options.join,
            "dubbing": asdict(options.dubbing),
            "alternatives": options.alternatives,
            "condense": options.condense,
            "strict_budget": options.strict_budget,
            **({} if options.formality is None else {"formality": options.formality}),
            "glossary": job.describe_terms(language),
            **({} if not options.memory else {"memory": job.describe_memories(language)}),
            "bilingual": job.writing.bilingual,
            "timing": options.timing,
            "search": {**asdict(job.search()), "wide_beams": options.fitting.wide_beams},
            "precision": job.computing.precision,
            **self._told(language),
        }

    def _channel_models(self, language: str) -> dict[str, str]:
        """The names of what rates translations beside the models, if anything does."""
        kinds = {"": language, **({} if self.pivot is None else {"pivot_": THROUGH})}
        return {
            f"{leg}channel_model": model_name(self.channels[one])
            for leg, one in kinds.items()
            if one in self.channels
        }

    def fingerprint(self, language: str) -> str:
        """Return a checksum of all settings that translations into a language depend on."""
        job = self.job
        values = {
            "subfit": __version__,
            "options": plain_data(asdict(replace(job.options, terms=(), memory=(), context=0))),
            "reading": plain_data(asdict(job.reading)),
            "search": asdict(job.search()),
            "writing": [job.writing.output_encoding, job.writing.bilingual],
            "glossary": job.describe_terms(language),
            "memory": job.describe_memories(language),
            "precision": job.computing.precision,
            "language": language,
            **({} if self.pivot is None else {"through": place_checksum(self.pivot)}),
            "channels": {
                one: place_checksum(self.channels[one])
                for one in (language, THROUGH)
                if one in self.channels
            },
            **self._told(language),
            "guidelines": [plain_data(self.guidelines[language, timed]) for timed in (True, False)],
        }
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def make_setup(job: Job) -> RunSetup:
    """Find models and guidelines of all languages; loads no model.

    Raises:
        ModelError: A model is damaged.
        UsageError: There is no such model as is named, no model is for a language, or the one
            named is for others; a target language is the source's; a guideline or an encoding is
            unknown.
        GuidelineError: The guideline is broken.
        InputFileError: A translation memory cannot be read.
    """
    _refuse_same_language(job)
    for encoding in (job.reading.encoding, job.writing.output_encoding):
        if encoding is not None:
            checked_encoding(encoding)
    guidelines = {
        (language, timed): job.guideline_for(language, timed=timed)
        for language in job.languages
        for timed in (True, False)
    }
    job.check_memories()
    source, pivot = job.source_language, None
    if job.pivot_model is not None:
        check_pivot(job)
        pivot = find_model(job.pivot_model, source, THROUGH)
        check_direction(pivot, source, THROUGH)
        source = THROUGH
    models = {
        language: tuple(find_model(name, source, language) for name in _models(job))
        for language in job.languages
    }
    for language, places in models.items():
        for place in places:
            check_direction(place, source, language)
    channels = _channels(job, models, source, pivot)
    return RunSetup(job, models, guidelines, pivot, channels)


def _channels(
    job: Job, models: Mapping[str, Sequence[str]], source: str, pivot: str | None
) -> dict[str, str]:
    """The channel models; a model that is named is for the last leg."""
    channels = {
        language: find_channel(job.channel_model, own[0], source, language)
        for language, own in models.items()
    }
    if pivot is not None and job.channel_model == AUTO:
        channels[THROUGH] = find_channel(AUTO, pivot, job.source_language, THROUGH)
    return {language: channel for language, channel in channels.items() if channel is not None}


def _models(job: Job) -> tuple[str | None, ...]:
    """The names of models; None for the one that comes along."""
    return job.models or (None,)


def _refuse_same_language(job: Job) -> None:
    """Tell of a target that is the source; a model that is named may rewrite its own language."""
    for language in job.languages:
        if not job.models and same_language(language, job.source_language):
            raise UsageError(
                f"-t {language}: the input is taken for {job.source_language} as well; name "
                "another language with -t, or the input's with -s"
            )


def model_name(place: str) -> str:
    """Return a model's name, for reports."""
    path = Path(place)
    return path.stem if is_gguf(place) else path.name if path.is_dir() else place


def models_checksum(places: Sequence[str]) -> str:
    """Return a checksum of everything that translations by some models depend on.

    Args:
        places: Folders or hub names; the first one's tokenizer and configuration count for all.

    Raises:
        ModelError: A folder cannot be read.
    """
    sums = [place_checksum(place) for place in places]
    return sums[0] if len(sums) == 1 else hashlib.sha256("\n".join(sums).encode()).hexdigest()


def place_checksum(place: str) -> str:
    """Return a checksum of everything in a model folder that translations depend on.

    Args:
        place: A folder or a GGUF file; a server's address or a hub name stands for itself.

    Raises:
        ModelError: It cannot be read.
    """
    folder = Path(place)
    if folder.is_dir():
        files = sorted(path for path in folder.rglob("*") if path.is_file())
    elif is_gguf(place):
        files, folder = [folder], folder.parent
    else:
        return place
    digest = hashlib.sha256()
    try:
        for path in files:
            if not path.name.endswith(_NOT_THE_MODEL):
                digest.update(f"{path.relative_to(folder)}\0".encode())
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
    except OSError as error:
        raise ModelError(f"{folder}: cannot be read ({reason_of(error)})") from error
    return digest.hexdigest()
