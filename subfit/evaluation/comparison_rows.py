"""The rows of a table of systems: which models, and what is asked of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from subfit.configuration.contradictions import require
from subfit.decoding.queries import SearchSettings
from subfit.errors import SubfitError
from subfit.evaluation.asking import Wish, make_wish
from subfit.evaluation.systems import is_translations, settings_of
from subfit.limits.budget import LengthRatio


@dataclass(frozen=True, slots=True)
class Row:
    """A system and what is asked of it."""

    model: str
    """A model folder, a bundled model's name or a hub model; or a file of translations, one a
    line, to which nothing below applies."""
    ask: str | int | None = None
    """The length asked for, as ``subfit evaluate --ask`` takes it."""
    length_class: str | None = None
    """The length token to use, whatever length is asked for."""
    length_ratio: str | None = None
    """Floor and ceiling as multiples of the source's characters: ``0.9:1.1``."""
    length_penalty: float | None = None
    """Scores are divided by tokens to this power; 1 by default."""
    beam: int | None = None
    """Hypotheses kept while searching."""
    target_language: str | None = None
    """Tag of the language to translate into, for a model of several."""

    def __post_init__(self) -> None:
        require(
            (not self._wrong_wish(), "ask length_class length_ratio", self._wrong_wish()),
            (self.beam is None or 1 <= self.beam <= 64, "beam", "beam must be from 1 to 64"),
            (
                self.length_penalty is None or 0 <= self.length_penalty <= 10,
                "length_penalty",
                "length_penalty must be from 0 to 10",
            ),
            (
                not is_translations(self.model) or self._asks_nothing,
                " ".join(_ASKED),
                f"{self.model} is a file of translations; there is nothing to ask of it",
            ),
        )

    @property
    def _asks_nothing(self) -> bool:
        return all(getattr(self, key) is None for key in _ASKED)

    @property
    def wish(self) -> Wish:
        """What is asked of the model about lengths."""
        ask = None if self.ask is None else str(self.ask)
        ratio = None if self.length_ratio is None else LengthRatio.parse(self.length_ratio)
        return make_wish(ask, self.length_class, ratio)

    @property
    def settings(self) -> SearchSettings:
        """The settings of the search."""
        return settings_of(self.beam, self.length_penalty)

    def _wrong_wish(self) -> str:
        try:
            self.wish  # noqa: B018
        except SubfitError as error:
            return str(error)
        return ""


_ASKED = tuple(each.name for each in fields(Row) if each.name != "model")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of a table."""

    rows: Mapping[str, Row]
    """By label, in order."""
    against: str | None = None
    """Label of the row that all others are tested against."""
