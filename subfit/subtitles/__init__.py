"""Cues, tracks and sentences, and the files they stand in."""

from subfit.subtitles import formats as _formats  # noqa: F401  (fills `cues.FORMATS`)
