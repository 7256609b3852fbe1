"""Reports as they are kept for later runs, which may ask for them in another form."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from subfit.reporting.files.written import WrittenFile
from subfit.reporting.report import Report
from subfit.version import __version__

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True)
class KeptReport:
    """All that a report on one translation is made of, whatever its form."""

    __pydantic_config__: ClassVar = {"ser_json_inf_nan": "constants"}

    subfit: str
    """The version that made it; others may have other figures."""
    report: Report
    written: WrittenFile
    whole: tuple[str, ...]
    """Fields of the guideline that are whole numbers; read back, they would be decimals."""


def pack(report: Report, written: WrittenFile) -> bytes:
    """Return a report as it is kept."""
    guideline = report.guideline
    whole = [
        field.name for field in fields(guideline) if type(getattr(guideline, field.name)) is int
    ]
    kept = KeptReport(__version__, report, written, tuple(whole))
    return zlib.compress(_adapter().dump_json(kept))


def unpack(data: bytes) -> KeptReport | None:
    """Return a report that was kept, or None if it cannot be used any more.

    Args:
        data: What `pack` made, perhaps of another version.
    """
    try:
        kept = _adapter().validate_json(zlib.decompress(data))
    except (zlib.error, ValueError):
        return None
    if kept.subfit != __version__:
        return None
    guideline = kept.report.guideline
    whole: dict[str, Any] = {name: int(getattr(guideline, name)) for name in kept.whole}
    return replace(kept, report=replace(kept.report, guideline=replace(guideline, **whole)))


@cache
def _adapter() -> TypeAdapter[KeptReport]:
    from pydantic import TypeAdapter  # which takes its time, and few runs need it

    return TypeAdapter(KeptReport)
