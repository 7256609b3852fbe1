"""What there is to say about the lines of a dubbing script once they are translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.cue_budgets import Dubbing, speaking_time
from subfit.reporting.verdicts import CueVerdict
from subfit.speech.speaking import Speaking, estimate_seconds, measure_at_rate
from subfit.speech.voice import VoiceName

_DECIMALS = 2


def with_speaking(
    outcomes: Sequence[CueOutcome], dubbing: Dubbing, language: str
) -> tuple[CueOutcome, ...]:
    """Add how long every line takes to say.

    Args:
        outcomes: What became of the lines.
        dubbing: What they are held to, and the voice that measures them.
        language: Tag of the language of the translation.

    Raises:
        VoiceError: The voice cannot be used.
    """
    return tuple(_with_speaking(outcome, dubbing, language) for outcome in outcomes)


def remarks_on(
    cues: Sequence[CueVerdict], voice: VoiceName | None
) -> tuple[Mapping[str, str | float | None], ...]:
    """Return what is written beside each line of a script, by heading."""
    return tuple(_remarks(cue, measured=voice is not None) for cue in cues)


def _remarks(cue: CueVerdict, *, measured: bool) -> Mapping[str, str | float | None]:
    spoken = cue.outcome.speaking or Speaking("", "", None, 0.0)
    ratio = None if spoken.estimated is None else cue.length_ratio
    remarks: dict[str, str | float | None] = {
        "LR": None if ratio is None else round(ratio, _DECIMALS),
        "Estimated s": spoken.estimated,
    }
    if measured:
        remarks["Measured s"] = spoken.measured
    remarks |= {
        "Speed factor": spoken.speed_factor,
        "Over/under": spoken.sync,
        "Status": cue.outcome.status,
    }
    if cue.translated and not spoken.kept:  # else what stands there may still hold
        remarks["Left out"] = " | ".join(cue.outcome.omitted) or None
    return remarks


def _with_speaking(outcome: CueOutcome, dubbing: Dubbing, language: str) -> CueOutcome:
    cue = outcome.cue
    time = speaking_time(cue, outcome.source, dubbing, language)
    source = estimate_seconds(outcome.source, dubbing.source_language)
    spoken = Speaking(
        cue.speaker, cue.notes, None if time is None else time.slot, round(source, _DECIMALS)
    )
    if outcome.status not in ("fits", "overflow"):
        return replace(outcome, speaking=spoken)
    seconds = estimate_seconds(outcome.target, language)
    spoken = replace(spoken, estimated=round(seconds, _DECIMALS), kept=bool(cue.target))
    if dubbing.voice is not None:
        seconds = measure_at_rate(outcome.target, language, dubbing.voice)
        spoken = replace(spoken, measured=round(seconds, _DECIMALS))
    if time is None:
        return replace(outcome, speaking=spoken)
    sync, factor = time.sync(seconds), round(seconds / time.slot, _DECIMALS)
    return replace(outcome, speaking=replace(spoken, speed_factor=factor, sync=sync))
