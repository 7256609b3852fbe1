"""How long a synthetic voice takes to say a text: espeak-ng, where that program is installed."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import wave
from array import array
from functools import cache
from typing import Literal

from subfit.errors import SubfitError, UsageError, reason_of

VoiceName = Literal["espeak-ng"]
"""A program that speaks."""

_PATIENCE = 60
"""Seconds one text may take."""
_SILENCE = 0.01
"""Share of full amplitude: what is below at either end is no speech."""


class VoiceError(SubfitError):
    """A voice that cannot be used."""


def check_voice(name: VoiceName, language: str) -> None:
    """Find out before the work whether a voice speaks a language.

    Raises:
        VoiceError: The program is missing, or fails.
        UsageError: It does not speak the language.
    """
    measure_seconds("a", language, words_per_minute=175, name=name)


@cache
def measure_seconds(
    text: str, language: str, *, words_per_minute: int, name: VoiceName = "espeak-ng"
) -> float:
    """Let a text be spoken and return how long that took, without silence at either end.

    Args:
        text: Plain text, without directions.
        language: BCP 47 tag; its region is heeded if there is such a voice.
        words_per_minute: As espeak-ng understands its option ``-s``, 80 to 450.
        name: The program.

    Returns:
        Seconds; 0.0 for what has no sound.

    Raises:
        VoiceError: The program is missing, or fails.
        UsageError: It does not speak the language.
    """
    command = [_program(name), "--stdin", "--stdout", "-s", str(words_per_minute), "-v"]
    spoken: bytes | None = None
    for voice in dict.fromkeys((language.lower(), language.lower().partition("-")[0])):
        spoken = _run([*command, voice], text)
        if spoken is not None:
            return _sounding(spoken)
    raise UsageError(f"{name} has no voice for {language!r}; '{name} --voices' lists what it has")


def _program(name: VoiceName) -> str:
    program = shutil.which(name)
    if program is None:
        raise VoiceError(
            f"--voice {name}: the program is not installed; its Debian package is called {name}. "
            "Without --voice times are estimated"
        )
    return program


def _run(command: list[str], text: str) -> bytes | None:
    """Return the sound of a text as a WAV file, or None if there is no such voice."""
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise VoiceError(f"{command[0]} failed ({reason_of(error)})") from error
    message = done.stderr.decode(errors="replace")
    if "voice does not exist" in message:
        return None
    if done.returncode != 0:
        short = " ".join(message.split())[:120] or f"exit code {done.returncode}"
        raise VoiceError(f"{command[0]} failed ({short})")
    return done.stdout


def _sounding(data: bytes) -> float:
    """Return the seconds from the first sound of a WAV file to the last."""
    if not data:
        return 0.0
    with wave.open(io.BytesIO(data)) as sound:
        # A stream does not know its length when its header is written: read to its end.
        samples = array("h", sound.readframes(1 << 30))
        rate = sound.getframerate()
    if sys.byteorder == "big":
        samples.byteswap()
    quiet = _SILENCE * 32768
    loud = [at for at in range(0, len(samples), 8) if abs(samples[at]) > quiet]
    return (loud[-1] - loud[0]) / rate if loud else 0.0
