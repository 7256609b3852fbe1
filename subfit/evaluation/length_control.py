"""Which lengths are asked of a model that is measured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from subfit.decoding.hypotheses import FREE
from subfit.errors import InputFileError, UsageError
from subfit.evaluation.corpus import EvaluationSet, Pair, read_lines
from subfit.model.config import LengthClass, LengthConfig

if TYPE_CHECKING:  # options are read, and refused, before torch is imported
    from subfit.decoding.any_translator import AnyTranslator
    from subfit.model.length import LengthUnit

Kind = Literal["natural", "free", "source", "reference", "predicted", "fixed"]
DESIRED_LENGTHS = (
    "natural, free, source, source*1.1, reference, predicted, a number of characters, a file"
)
"""What may be asked for, as told to users."""

_NAMED = re.compile(r"natural|free|(source|reference|predicted)(?:\*(\d+\.?\d*|\.\d+))?")
_LENGTH = re.compile(r"[1-9]\d{0,5}")
"""A number of characters, from 1 to 999 999."""


@dataclass(frozen=True, slots=True)
class DesiredLength:
    """A way to ask for lengths."""

    text: str
    """As the user wrote it."""
    kind: Kind
    """``natural``: what `subfit.localize` asks for. ``free``: none. Otherwise the length of the
    source, of the reference, as predicted by the model, or given as numbers; in characters, or in
    tokens where a model's lengths are tokens."""
    scale: float = 1.0
    """What lengths of sources, references and predictions are multiplied by."""
    lengths: tuple[int, ...] = ()
    """The numbers given: one for all lines, or one for each."""
    file: Path | None = None
    """Where the lengths stand, if they are one for each line."""

    def of(self, test: EvaluationSet) -> DesiredLength:
        """Return what to ask for on the measured lines of a test set.

        Raises:
            InputFileError: The file of lengths has another number of lines.
        """
        if self.file is None:
            return self
        return replace(self, lengths=test.select(self.lengths, self.file))

    def at(self, numbers: Sequence[int]) -> DesiredLength:
        """Return what to ask for where only some of the lines are asked for."""
        if self.file is None:
            return self
        return replace(self, lengths=tuple(self.lengths[number] for number in numbers))


def parse_desired_length(text: str) -> DesiredLength:
    """Read what ``--ask`` says: one of `DESIRED_LENGTHS`.

    Raises:
        UsageError: It is none of them, and no file.
        InputFileError: It is a file of something else than one length a line.
    """
    if named := _NAMED.fullmatch(text):
        scale = float(named[2] or 1)
        if not 0 < scale <= 100:
            raise UsageError(f"--ask {text}: the factor must be above 0, and at most 100")
        return DesiredLength(text, cast(Kind, named[1] or text), scale)
    if _LENGTH.fullmatch(text):
        return DesiredLength(text, "fixed", lengths=(int(text),))
    if Path(text).is_file():
        return DesiredLength(text, "fixed", lengths=_read_lengths(Path(text)), file=Path(text))
    raise UsageError(
        f"--ask {text}: there is no such file; what may be asked for is {DESIRED_LENGTHS}"
    )


def check_length_control(
    translator: AnyTranslator, length: DesiredLength, length_class: str | None = None
) -> None:
    """Refuse what a model cannot be asked for.

    Args:
        translator: The model.
        length: What is asked of it.
        length_class: Name of a length token.

    Raises:
        UsageError: The model has no such class, must have a length, or takes none.
    """
    config = getattr(translator, "config", None)
    classes: tuple[LengthClass, ...] = ()
    encodings, kind = translator.capabilities.lengths, length.kind
    if isinstance(config, LengthConfig):
        classes, encodings = config.classes, bool(config.length_encodings)
    names = [each.name for each in classes]
    if length_class is not None and length_class not in names:
        known = f"it has: {', '.join(names)}" if names else "it has none"
        raise UsageError(f"this model has no length class {length_class!r}; {known}")
    told = kind not in ("natural", "free")
    for refused, problem in (
        (kind == "predicted" and not translator.capabilities.predicts,
         "does not predict lengths; --ask predicted is not for it"),
        (kind == "free" and encodings and length_class is not None,
         "must be asked for a length besides a class; add --ask"),
        (kind == "free" and not translator.capabilities.freely and length_class is None,
         "must be asked for some length; --ask free is not for it"),
        (told and not encodings and length_class is not None,
         f"takes a length class alone; leave out --ask {length.text}"),
        (told and not encodings and not names,
         f"has no length control; --ask {length.text} is not for it"),
    ):  # fmt: skip
        if refused:
            raise UsageError(f"this model {problem}")


def unit_of(translator: AnyTranslator) -> LengthUnit:
    """Return what a model is asked for lengths in: characters, unless it was trained otherwise."""
    from subfit.model.length import CHARACTERS

    unit: LengthUnit = getattr(translator, "length_unit", CHARACTERS)
    return unit


def desired_lengths(
    length: DesiredLength, translator: AnyTranslator, pairs: Sequence[Pair]
) -> list[int]:
    """Return the lengths to ask for in the model's unit, one per pair; `FREE` for none.

    Args:
        length: Anything but ``natural``; lengths of a file are one per pair.
        translator: Predicts lengths, where they are to be predicted.
        pairs: Sentences the model accepts.
    """
    unit = unit_of(translator)
    match length.kind:
        case "fixed":
            return list(length.lengths) if length.file else [*length.lengths] * len(pairs)
        case "source":
            lengths = unit.source_lengths([pair.source for pair in pairs])
        case "reference":
            lengths = unit.target_lengths([pair.target for pair in pairs])
        case "predicted":
            texts = [pair.source for pair in pairs]
            lengths = getattr(translator, "predict_units", translator.predict_lengths)(texts)
        case _:
            return [FREE] * len(pairs)
    return [max(1, round(number * length.scale)) for number in lengths]


def _read_lengths(path: Path) -> tuple[int, ...]:
    lines = read_lines(path)
    for number, line in enumerate(lines, start=1):
        if not _LENGTH.fullmatch(line.strip()):
            raise InputFileError(
                path,
                f"{line[:40]!r} is no length",
                line=number,
                remedy="expected a whole number of characters, from 1 to 999999",
            )
    return tuple(int(line) for line in lines)
