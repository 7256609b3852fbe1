"""Through English, for pairs of languages that no model translates between: two legs of one way.

The first leg has no limits, as nobody reads what comes of it. The second has all of them, by the
times of the source, and reports on the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from subfit.batch.job import Job
from subfit.decoding.any_translator import AnyTranslator
from subfit.errors import UsageError
from subfit.fitting.address import address_of_sources
from subfit.fitting.options import Options
from subfit.fitting.outcomes import CueOutcome
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, OnProgress, localize_all
from subfit.model.bundled import bundled_models
from subfit.reporting.report import report_on
from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.markup.payload import plain_text, seen_lines
from subfit.text.formality import Address, has_forms
from subfit.text.languages import same_language

THROUGH = "en"
"""What the first leg translates into."""


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
    directions = [model.directions for model in bundled]

    def straight(language: str) -> bool:
        served = any(each.serves(source, language) for each in directions)
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


def check_pivot(job: Job) -> None:
    """Check that a job with a model for the first leg asks for nothing that two legs cannot have.

    Raises:
        UsageError: One of its languages is English, or an option is of what both models read.
    """
    for option, language in (
        ("-s", job.source_language),
        *(("-t", each) for each in job.languages),
    ):
        if same_language(language, THROUGH):
            raise UsageError(
                f"--pivot-model is for pairs of languages without English; leave it out for "
                f"{option} {language}"
            )
    texts = {
        "--glossary": job.term_files.glossary,
        "--memory": job.options.memory,
        "--memory-out": job.writing.memory_out,
        "--length-ratio or --isometric": job.options.length_ratio,
    }
    for option, given in texts.items():
        if given:
            raise UsageError(
                f"{option} is about the source, which the second model does not read; leave that "
                "out, or name a model for the pair itself with --model"
            )


def first_guideline() -> Guideline:
    """Return the limits of the first leg: none."""
    return Guideline.load("none", THROUGH)


def localize_through(
    tracks: Sequence[Track],
    legs: tuple[AnyTranslator, AnyTranslator],
    guideline: Guideline,
    options: Options,
    on_progress: OnProgress | None = None,
    *,
    processes: int = 1,
) -> list[Localization]:
    """Translate tracks into English and from there into their target language.

    Args:
        tracks: The source cues of each file.
        legs: The translator into English, which counts as `first_guideline` does, and the one from
            it, which counts as the guideline does.
        guideline: The limits for the target language.
        options: For the source's language.
        on_progress: Called as sentences get done, of both legs.
        processes: See `localize_all`.

    Raises:
        UsageError: A track is a dubbing script.
    """
    if any(track.spoken for track in tracks):
        raise UsageError("dubbing scripts are not translated through English")
    shared = partial(localize_all, processes=processes)
    plain = replace(options, alternatives=0, condense=False, formality=None, timing="keep")
    first = shared(tracks, legs[0], first_guideline(), plain, _part(on_progress, second=False))
    onwards = replace(options, source_language=THROUGH, formality=options.formality or "any")
    addresses = [_address_of(one, options, legs[1]) for one in first]
    if any(addresses):  # a form for each track: English has none that could be followed
        asked = [each.taken if each else onwards.formality for each in addresses]
        second = [
            *chain.from_iterable(
                shared(
                    [one.track],
                    legs[1],
                    guideline,
                    replace(onwards, formality=form),
                    _part(on_progress, second=True, share=(number, len(asked))),
                )
                for number, (one, form) in enumerate(zip(first, asked, strict=True))
            )
        ]
    else:
        tracks, progress = [each.track for each in first], _part(on_progress, second=True)
        second = shared(tracks, legs[1], guideline, onwards, progress)
    legs_of = zip(first, second, addresses, strict=True)
    return [_joined(one, _told(other, said), guideline) for one, other, said in legs_of]


def _address_of(first: Localization, options: Options, second: AnyTranslator) -> Address | None:
    """How people address each other in a source that says so, where that is to be followed.

    By default it is where the second leg's search can bar words.
    """
    unasked = options.formality is None and second.bars_words and has_forms(second.language)
    if not (unasked or options.formality == "auto") or not has_forms(options.source_language):
        return None
    said = [each.source for each in first.outcomes if each.status == "fits"]
    return address_of_sources(said, options.source_language)


def _told(second: Localization, said: Address | None) -> Localization:
    """The second leg with the form of address that its first source has."""
    if said is None:
        return second
    unmet = second.address.unmet if second.address else 0
    return replace(second, address=replace(said, unmet=unmet))


def _part(
    on_progress: OnProgress | None, *, second: bool, share: tuple[int, int] = (0, 1)
) -> OnProgress | None:
    """The progress of one leg, as a part of the whole.

    Args:
        on_progress: Called with the progress of the whole.
        second: Whether it is the second leg.
        share: Number of the track that is done by itself, and how many there are.
    """
    if on_progress is None:
        return None
    number, count = share
    return lambda done, total: on_progress(
        done + total * (number + second * count), 2 * total * count
    )


def _joined(first: Localization, second: Localization, guideline: Guideline) -> Localization:
    """What both legs made of a track, reported by its source."""
    pairs = zip(first.outcomes, second.outcomes, strict=True)
    outcomes = tuple(_whole(one, other, first.source.format) for one, other in pairs)
    track = second.track.with_texts([each.payload for each in outcomes])
    report = report_on(
        outcomes,
        first.source,
        guideline,
        address=second.address,
        labels=first.labels,
    )
    return replace(
        second,
        track=track,
        outcomes=outcomes,
        report=report,
        source=first.source,
        labels=first.labels,
    )


def _whole(first: CueOutcome, second: CueOutcome, format: FormatName) -> CueOutcome:
    """What became of a cue; what either leg does not translate stands as in the source."""
    failed = next((each for each in (first, second) if each.status == "untranslated"), None)
    if failed is not None:
        shown = seen_lines(plain_text(first.cue.text, format))
        return replace(
            failed, cue=first.cue, source=first.source, target=shown, payload=first.cue.text
        )
    return replace(
        second,
        cue=first.cue,
        source=first.source,
        risk_features=(*first.risk_features, *second.risk_features),
    )
