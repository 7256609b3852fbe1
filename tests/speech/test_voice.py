from __future__ import annotations

import io
import shutil
import stat
import wave
from pathlib import Path

import pytest

from subfit.errors import UsageError
from subfit.speech.speaking import (
    VoiceError,
    check_voice,
    estimate_seconds,
    measure_seconds,
    rate_of,
)

needs_voice = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="the program espeak-ng is not installed"
)


def fake(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program of that name first on the path."""
    program = folder / "espeak-ng"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    measure_seconds.cache_clear()


def sound(folder: Path, *parts: tuple[int, int]) -> Path:
    """A file of 1000 samples a second: for each part its samples and their amplitude."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(1000)
        for samples, amplitude in parts:
            file.writeframes(amplitude.to_bytes(2, "little", signed=True) * samples)
    path = folder / "sound.wav"
    path.write_bytes(out.getvalue())
    return path


def test_silence_at_either_end_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sound(tmp_path, (300, 0), (400, 9000), (200, 0), (400, -9000), (500, 12))
    fake(tmp_path, monkeypatch, f"cat {path}")
    assert measure_seconds("x", "de", words_per_minute=175) == pytest.approx(1.0, abs=0.02)


def test_a_program_that_is_missing_or_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    measure_seconds.cache_clear()
    with pytest.raises(VoiceError, match="not installed; its Debian package is called espeak-ng"):
        check_voice("espeak-ng", "de")
    fake(tmp_path, monkeypatch, "echo out of memory >&2; exit 1")
    with pytest.raises(VoiceError, match="out of memory"):
        check_voice("espeak-ng", "de")
    fake(
        tmp_path,
        monkeypatch,
        "echo 'Error: The specified espeak-ng voice does not exist.' >&2; exit 1",
    )
    with pytest.raises(UsageError, match="no voice for 'xx'"):
        check_voice("espeak-ng", "xx")


@needs_voice
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Der letzte Zug ist vor einer Stunde gefahren, und bis morgen kommt keiner mehr."),
        ("es", "El último tren salió hace una hora, y hasta mañana no hay otro."),
        ("fr", "Le dernier train est parti il y a une heure, et il n'y en a plus avant demain."),
        ("it", "L'ultimo treno è partito un'ora fa, e fino a domani non ce n'è un altro."),
    ],
)
def test_the_estimate_is_near_what_a_voice_takes(language: str, text: str) -> None:
    speed = rate_of(language).words_per_minute
    measured = measure_seconds(text, language, words_per_minute=speed)
    assert estimate_seconds(text, language) == pytest.approx(measured, rel=0.15)


@needs_voice
def test_a_voice_says_text_as_text() -> None:
    speed = 175
    assert measure_seconds("…", "de", words_per_minute=speed) < 0.3
    plain = measure_seconds("-v Hallo.", "de-AT", words_per_minute=speed)
    assert plain > measure_seconds("Hallo.", "de", words_per_minute=speed)
