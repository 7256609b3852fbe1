"""subfit: subtitles that fit. The names of `__all__` are its public interface.

```python
import subfit

guideline = subfit.Guideline.load("netflix", "de")
translator = subfit.Translator.load("en-multi", target_language="de")
done = subfit.localize(subfit.read_track("movie.en.srt"), translator, guideline)
subfit.write_track(done.track, "movie.de.srt")
```

``docs/api.md`` has more examples and says what stays as it is between versions. What is asked for
is imported when it is first used, so that ``import subfit`` takes no time, and reading, budgets and
checks need no PyTorch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from subfit.errors import (
    FileError,
    GuidelineError,
    InputFileError,
    ModelError,
    OutputFileError,
    RecipeError,
    SubfitError,
    UsageError,
)
from subfit.model.startup import wait_passively
from subfit.version import __version__

if TYPE_CHECKING:
    from subfit.decoding.loading import load_translator
    from subfit.decoding.translator import Translator
    from subfit.evaluation.corpus import Pair, read_pairs
    from subfit.evaluation.evaluation import Evaluation, evaluate
    from subfit.existing import fit
    from subfit.fitting.options import Options
    from subfit.limits.budget import LengthBudget, LengthRatio
    from subfit.limits.cue_budgets import cue_budgets
    from subfit.limits.guideline import Guideline, list_guidelines
    from subfit.localization import Localization, localize, localize_all
    from subfit.subtitles.cues import Contents, Cue, Format, Parsed, Spliced, Track
    from subfit.subtitles.formats import read_track, register_format, write_track
    from subfit.terms.glossary import Term

__all__ = [
    "Contents",
    "Cue",
    "Evaluation",
    "FileError",
    "Format",
    "Guideline",
    "GuidelineError",
    "InputFileError",
    "LengthBudget",
    "LengthRatio",
    "Localization",
    "ModelError",
    "Options",
    "OutputFileError",
    "Pair",
    "Parsed",
    "RecipeError",
    "Spliced",
    "SubfitError",
    "Term",
    "Track",
    "Translator",
    "UsageError",
    "__version__",
    "cue_budgets",
    "evaluate",
    "fit",
    "list_guidelines",
    "load_translator",
    "localize",
    "localize_all",
    "read_pairs",
    "read_track",
    "register_format",
    "write_track",
]

_HOMES = {
    name: module
    for module, names in {
        "subfit.decoding.loading": "load_translator",
        "subfit.decoding.translator": "Translator",
        "subfit.evaluation.corpus": "Pair read_pairs",
        "subfit.evaluation.evaluation": "Evaluation evaluate",
        "subfit.existing": "fit",
        "subfit.fitting.options": "Options",
        "subfit.limits.budget": "LengthBudget LengthRatio",
        "subfit.limits.cue_budgets": "cue_budgets",
        "subfit.limits.guideline": "Guideline list_guidelines",
        "subfit.localization": "Localization localize localize_all",
        "subfit.subtitles.cues": "Contents Cue Format Parsed Spliced Track",
        "subfit.subtitles.formats": "read_track register_format write_track",
        "subfit.terms.glossary": "Term",
    }.items()
    for name in names.split()
}
"""The modules of the names that are imported when they are first used (PEP 562)."""


wait_passively()  # before anything imports PyTorch


def __getattr__(name: str) -> object:
    """Import one of the public names from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module 'subfit' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
