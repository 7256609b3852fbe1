"""What there is to say about the lines of a dubbing script once they are translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from subfit.dub_budgets import Dubbing
from subfit.outcomes import CueOutcome
from subfit.speaking import Speaking, SpeakingTime, estimate_seconds, rate_of
from subfit.verdicts import CueVerdict
from subfit.voice import VoiceName, measure_seconds

_DECIMALS = 2


def with_speaking(
    outcomes: Sequence[CueOutcome], dubbing: Dubbing, language: str
) -> tuple[CueOutcome, ...]:
    """Add how long every line takes to say; what a voice says longer than it may is over.

    Args:
        outcomes: What became of the lines.
        dubbing: What they are held to, and the voice that measures them.
        language: Tag of the language of the translation.

    Raises:
        VoiceError: The voice cannot be used.
    """
    return tuple(_with_speaking(each, dubbing, language) for each in outcomes)


def remarks_on(
    cues: Sequence[CueVerdict], voice: VoiceName | None
) -> tuple[Mapping[str, str | float | None], ...]:
    """Return what is written beside each line of a script, by heading.

    Args:
        cues: The verdicts on the lines.
        voice: What measured them, if anything.
    """
    return tuple(_remarks(cue, measured=voice is not None) for cue in cues)


def _remarks(cue: CueVerdict, *, measured: bool) -> Mapping[str, str | float | None]:
    spoken = cue.speaking or Speaking("", "", None, 0.0)
    ratio = None if spoken.estimated is None else cue.length_ratio
    found: dict[str, str | float | None] = {
        "LR": None if ratio is None else round(ratio, _DECIMALS),
        "Estimated s": spoken.estimated,
    }
    if measured:
        found["Measured s"] = spoken.measured
    return found | {
        "Speed factor": spoken.speed_factor,
        "Over/under": spoken.sync,
        "Status": cue.status,
    }


def _with_speaking(outcome: CueOutcome, dubbing: Dubbing, language: str) -> CueOutcome:
    cue = outcome.cue
    slot = cue.duration / 1000 if cue.duration > 0 else None
    source = estimate_seconds(outcome.source, dubbing.source_language)
    found = Speaking(
        speaker=cue.speaker,
        notes=cue.notes,
        slot=slot,
        source_estimated=round(source, _DECIMALS),
    )
    if outcome.status not in ("fits", "overflow") and not cue.target:
        return replace(outcome, speaking=found)
    estimated = estimate_seconds(outcome.target, language)
    measured = None
    if dubbing.voice is not None:
        speed = rate_of(language).words_per_minute
        measured = measure_seconds(
            outcome.target, language, words_per_minute=speed, name=dubbing.voice
        )
    seconds = estimated if measured is None else measured
    found = replace(
        found,
        estimated=round(estimated, _DECIMALS),
        measured=None if measured is None else round(measured, _DECIMALS),
    )
    if slot is None:
        return replace(outcome, speaking=found)
    time = SpeakingTime.of(slot, dubbing.speed_factor, source, language)
    sync = time.sync(seconds)
    found = replace(found, speed_factor=round(seconds / slot, _DECIMALS), sync=sync)
    late = sync == "over" and outcome.status == "fits" and dubbing.budget != "isometric"
    return replace(outcome, speaking=found, status="overflow" if late else outcome.status)
