"""Everything an engine must know before it sees the first file, and each file made ready for it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from subfit.batch.items import Source
from subfit.batch.job import Job, with_shot_changes
from subfit.decoding.prompts import find_template
from subfit.errors import UsageError
from subfit.hub.names import ServerAddress, is_causal, is_server, place_checksum
from subfit.limits.guideline import Guideline
from subfit.memory.files import memory_checksum
from subfit.memory.recall import open_memories
from subfit.memory.store import Languages
from subfit.model.bundled import bundled_models, check_direction, find_model
from subfit.reporting.lengths import plain_data
from subfit.servers.usage import Usage
from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.encoding import checked_encoding
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, render_track, written_format
from subfit.subtitles.formats.convert import conversion_losses
from subfit.subtitles.pairing import check_bilingual
from subfit.text.languages import same_language
from subfit.version import __version__

THROUGH = "en"
"""What the first of two models translates into, where none translates between the languages."""
_TOLD_OTHERWISE = ("terms", "memory", "scene", "synopsis", "people")
"""Fields of `Options` that reports have in another form."""


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

    @property
    def asks_servers(self) -> bool:
        """Whether any of the models is behind a server."""
        places = chain.from_iterable(self.models.values())
        return any(map(is_server, (*places, self.pivot or "")))

    def describe(self, language: str) -> dict[str, Any]:
        """Return what a translation depends on beside its guideline, for its report."""
        job = self.job
        options = plain_data(asdict(replace(job.options, terms=(), memory=())))
        settings: dict[str, Any] = {
            "model": " + ".join(map(model_name, self.models[language])),
            "target_language": language,
            **{name: one for name, one in options.items() if name not in _TOLD_OTHERWISE},
            "glossary": _terms(job, language),
            "memory": _memories(job, language),
            "bilingual": job.writing.bilingual,
            "search": asdict(job.search()),
            "precision": job.computing.precision,
        }
        if self.pivot is not None:
            settings |= {"through": THROUGH, "pivot_model": model_name(self.pivot)}
        if any(is_server(place) or is_causal(place) for place in self.models[language]):
            prompt = job.talk.prompt
            template = None if prompt is None else asdict(find_template(prompt, "", ""))
            settings |= {
                "scene": job.options.scene,
                "synopsis": bool(job.options.synopsis),
                "persons": len(job.options.people),
                "prompt": plain_data(template),
            }
        return settings

    def fingerprint(self, language: str) -> str:
        """Return a checksum of all that translations into a language depend on but their inputs.

        Raises:
            ModelError: A model cannot be read.
        """
        job = self.job
        places = (*self.models[language], self.pivot)
        values = {
            "subfit": __version__,
            "settings": self.describe(language),
            "options": plain_data(asdict(replace(job.options, terms=(), memory=(), scene=0))),
            "reading": plain_data(asdict(job.reading)),
            "encoding": job.writing.output_encoding,
            "models": [None if place is None else place_checksum(place) for place in places],
            "guidelines": [plain_data(self.guidelines[language, timed]) for timed in (True, False)],
        }
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def make_setup(job: Job) -> RunSetup:
    """Find models and guidelines of all languages; loads no model.

    Raises:
        ModelError: A model is damaged.
        UsageError: There is no such model as is named, no model is for a language, or the one
            named is for others; a target language is the source's; a guideline or an encoding is
            unknown; no memory has what is translated.
        GuidelineError: The guideline is broken.
        InputFileError: A translation memory cannot be read.
    """
    for language in job.languages:
        if not job.models and same_language(language, job.source_language):
            raise UsageError(
                f"-t {language}: the input is taken for {job.source_language} as well; name "
                "another language with -t, or the input's with -s"
            )
    for encoding in (job.reading.encoding, job.writing.output_encoding):
        if encoding is not None:
            checked_encoding(encoding)
    guidelines = {
        (language, timed): job.guideline_for(language, timed=timed)
        for language in job.languages
        for timed in (True, False)
    }
    _check_memories(job)
    source, pivot = job.source_language, None
    if job.pivot_model is not None:
        _check_pivot(job)
        pivot = find_model(job.pivot_model, source, THROUGH)
        check_direction(pivot, source, THROUGH)
        source = THROUGH
    models = {
        language: tuple(find_model(name, source, language) for name in job.models or (None,))
        for language in job.languages
    }
    for language, places in models.items():
        for place in places:
            check_direction(place, source, language)
    return RunSetup(job, models, guidelines, pivot)


def with_bundled_pivot(job: Job) -> Job:
    """Return a job that goes through English where the models that come with subfit do only that.

    A job that names a model, or whose targets bundled models reach straight from the source, stays
    as it is.

    Raises:
        UsageError: Some of its targets are reached through English alone, some without.
    """
    if job.models or job.pivot_model is not None:
        return job
    source, bundled = job.source_language, bundled_models().values()

    def straight(language: str) -> bool:
        served = any(model.directions.serves(source, language) for model in bundled)
        return served or same_language(language, THROUGH)

    first = next((model for model in bundled if model.directions.serves(source, THROUGH)), None)
    through = [language for language in job.languages if not straight(language)]
    if first is None or not through:
        return job
    if others := [language for language in job.languages if straight(language)]:
        raise UsageError(
            f"from {source}, -t {through[0]} goes through English and -t {others[0]} does not; "
            "name them in a command each"
        )
    return replace(job, pivot_model=first.name)


def first_guideline() -> Guideline:
    """Return the limits of the first of two legs: none, as nobody reads what comes of it."""
    return Guideline.load("none", THROUGH)


def model_name(place: str) -> str:
    """Return a model's name, for reports."""
    path = Path(place)
    return path.name if path.is_dir() else place


def _check_pivot(job: Job) -> None:
    """Refuse what two legs cannot have: English at an end, or what both models would read."""
    ends = (("-s", job.source_language), *(("-t", language) for language in job.languages))
    for option, language in ends:
        if same_language(language, THROUGH):
            raise UsageError(
                f"--pivot-model is for pairs of languages without English; leave it out for "
                f"{option} {language}"
            )
    about_source = {
        "--glossary": job.term_files.glossary,
        "--memory": job.options.memory,
        "--length-ratio or --isometric": job.options.length_ratio,
    }
    for option, given in about_source.items():
        if given:
            raise UsageError(
                f"{option} is about the source, which the second model does not read; leave that "
                "out, or name a model for the pair itself with --model"
            )


def _check_memories(job: Job) -> None:
    """Open all translation memories, and refuse those that have nothing for any language."""
    names, source = job.options.memory, job.source_language
    pairs = [Languages(source, language) for language in job.languages]
    if names and not any(len(open_memories(names, pair)) for pair in pairs):
        languages = ", ".join(job.languages)
        raise UsageError(
            f"--memory {', '.join(names)}: has no translations from {source} to {languages}"
        )


def _memories(job: Job, language: str) -> dict[str, object] | None:
    """What memories count for a language, and a checksum; None of none."""
    names = job.options.memory
    if not names:
        return None
    entries = len(open_memories(names, Languages(job.source_language, language)))
    files = [Path(name).name for name in names]
    return {"files": files, "entries": entries, "sha256": memory_checksum(names)}


def _terms(job: Job, language: str) -> dict[str, object] | None:
    """How many terms and names count for a language, and a checksum; None of none."""
    terms = [term for term in job.options.terms if term.is_name or term.language == language]
    if not terms:
        return None
    content = json.dumps([asdict(term) for term in terms], sort_keys=True)
    names = sum(term.is_name for term in terms)
    checksum = hashlib.sha256(content.encode()).hexdigest()
    return {"terms": len(terms) - names, "names": names, "sha256": checksum}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read, and what it is to be held against."""

    source: Source
    track: Track
    guideline: Guideline
    output_format: FormatName
    expected: Usage | None = None
    """About what it takes to ask the server that is to translate it; None without one, or where
    that is not to be known."""

    def render(self, track: Track, output_encoding: str | None) -> bytes:
        """Return the bytes of the output file."""
        return render_track(
            track,
            output_format=self.output_format,
            output_encoding=output_encoding,
            name=self.source.item.target,
        )


def prepare(source: Source, setup: RunSetup) -> Prepared:
    """Parse a file and check that its translation can be written.

    Raises:
        InputFileError: It is no subtitle file, or the list of its shot changes is none.
        OutputFileError: Its encoding cannot hold its markup.
        UsageError: It cannot become what the output's name says.
    """
    item, job = source.item, setup.job
    track = job.reading.parse(source.data, item.source, job.source_language, job.limits)
    guideline = setup.guidelines[item.language, track.timed]
    if job.options.timing == "extend" and track.spoken:
        raise UsageError(
            f"{item.source}: the times of a dubbing script are those of the speech; "
            "--timing extend is for subtitles"
        )
    if setup.pivot is not None and track.spoken:
        raise UsageError(f"{item.source}: dubbing scripts are not translated through English")
    track = with_shot_changes(track, item.shot_changes, guideline, source.shot_changes)
    suffix = "" if item.to_stdout else Path(item.target).suffix.lower()
    output_format = FORMAT_OF_SUFFIX.get(suffix, written_format(track.format))
    losses = conversion_losses(track, output_format)
    track = replace(track, repairs=(*track.repairs, *losses))
    prepared = Prepared(source, track, guideline, output_format)
    if job.writing.bilingual is not None:
        check_bilingual({track.format, output_format})
    # Written once without words: it tells of unknown encodings and impossible conversions.
    prepared.render(track.with_texts([""] * len(track.cues)), job.writing.output_encoding)
    return prepared


def with_expected_usage(prepared: Prepared, setup: RunSetup) -> Prepared:
    """Return a file with about what it takes to ask the server that is to translate it."""
    job, language = setup.job, prepared.source.item.language
    place, source = setup.models[language][0], THROUGH if setup.pivot else job.source_language
    if not is_server(place):
        return prepared
    from subfit.decoding.server_translator import server_translator
    from subfit.localization import expected_usage

    guideline = prepared.guideline
    told = source, language, guideline.counting, job.search().beams
    translator = server_translator(ServerAddress.parse(place), job.talk, *told)
    usage = expected_usage(prepared.track, translator, guideline, job.options)
    return replace(prepared, expected=usage)
