"""Which languages a model translates from and into, and which of them it must be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from subfit.errors import UsageError
from subfit.text.languages import closest_language


@dataclass(frozen=True, slots=True)
class Directions:
    """The languages of a model, as far as its configuration tells them."""

    sources: tuple[str, ...]
    """Tags of the languages it translates from; none where it does not tell."""
    targets: tuple[str, ...]
    """Likewise of those it translates into."""
    told_source: bool = False
    """Whether it has tokens for its sources, and must be told which; else for its targets."""

    @classmethod
    def of(
        cls, source: str | None, target: str | None, tokens: Mapping[str, Any] | None
    ) -> Directions:
        """Read the values of a configuration.

        Args:
            source: ``source_language``.
            target: ``target_language``; with ``language_tokens`` it is None where these are of
                several target languages, and the one target where they are of several sources.
            tokens: ``language_tokens``.
        """
        one = (source,) if source else ()
        other = (target,) if target else ()
        if not tokens:
            return cls(one, other)
        if target:
            return cls(tuple(tokens), other, told_source=True)
        return cls(one, tuple(tokens))

    @classmethod
    def of_config(cls, config: object) -> Directions:
        """Read the configuration of a model; one that knows nothing of languages has none."""
        names = ("source_language", "target_language", "language_tokens")
        return cls.of(*(getattr(config, name, None) for name in names))

    @property
    def name(self) -> str:
        """What the model translates, as ``en to de, it``."""
        return f"{', '.join(self.sources)} to {', '.join(self.targets)}"

    def told(self, source: str | None, target: str | None) -> str | None:
        """Of a pair, the language that the model is told; its tables are named for that, too."""
        return source if self.told_source else target

    def pair_of(self, language: str) -> tuple[str | None, str | None]:
        """Source and target to name for texts of one of the languages that the model is told.

        Args:
            language: Its tag; empty for a model of one pair, which need not be told.
        """
        named = language or None
        return (named, None) if self.told_source else (None, named)

    def check_source(self, name: str, language: str | None) -> None:
        """Check that the model called so translates from a language.

        Args:
            name: The model's.
            language: Language tag; None will do for a model of one source.

        Raises:
            UsageError: It does not, or it has several and none is named.
        """
        _check(f"{name} translates from", self.sources, language, "source")

    def check_target(self, name: str, language: str | None) -> None:
        """Check likewise that it translates into a language."""
        _check(f"{name} translates into", self.targets, language, "target")

    def serves(self, source: str, target: str) -> bool:
        """Whether the model translates from one language into the other."""
        return (
            closest_language(source, self.sources) is not None
            and closest_language(target, self.targets) is not None
        )


def _check(does: str, known: Sequence[str], language: str | None, side: str) -> None:
    if language is None and len(known) > 1:
        problem = f"; name the {side} language"
    elif language is not None and known and closest_language(language, known) is None:
        problem = f", not {'from ' if side == 'source' else ''}{language}"
    else:
        return
    raise UsageError(f"{does} {', '.join(known)}{problem}")
