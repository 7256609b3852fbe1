"""Which models and recipes there are, where they lie, and which languages they are for."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from subfit.errors import ModelError, UnknownModelError, UnknownRecipeError, UsageError
from subfit.hub.download import fetch, kept
from subfit.hub.names import FAMILIES, ServerAddress, candidates, is_server
from subfit.model.config import is_text, read_config
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


@dataclass(frozen=True, slots=True)
class BundledModel:
    """A model that comes with subfit."""

    name: str
    folder: Path
    directions: Directions


def bundled_folder(name: str) -> Path | None:
    """Find ``models`` or ``recipes``; None if this installation has none.

    A wheel carries them inside the package; an editable install or a clone has them at the
    repository's root, beside the package.
    """
    package = Path(str(files("subfit")))
    places = (package / name, package.parent / name)
    return next((place for place in places if place.is_dir()), None)


def bundled_models() -> dict[str, BundledModel]:
    """Return the models that come with subfit, by name (``en-de``).

    Raises:
        ModelError: The configuration of one is damaged.
    """
    folder = bundled_folder("models")
    configs = sorted(folder.glob("*/config.json")) if folder else []
    return {config.parent.name: _bundled_model(config) for config in configs}


def _bundled_model(config: Path) -> BundledModel:
    values = read_config(config.parent)
    tokens = values.get("language_tokens")
    named: list[Any] = list(tokens) if isinstance(tokens, dict) else []
    source, target = values.get("source_language"), values.get("target_language")
    directions = Directions.of(source, target, dict.fromkeys(named))
    # Hugging Face writes null for what is not set.
    tags: tuple[Any, ...] = (*directions.sources, *directions.targets)
    if not (directions.sources and directions.targets and all(map(is_text, tags))):
        raise ModelError(f"{config}: no configuration of a model that comes with subfit")
    return BundledModel(config.parent.name, config.parent, directions)


def bundled_recipes() -> dict[str, Path]:
    """Return the recipes that come with subfit, by name (``en-de``)."""
    folder = bundled_folder("recipes")
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))} if folder else {}


def find_recipe(name: str) -> Path:
    """Return the file of a recipe.

    Args:
        name: A file, or a bundled recipe's name.

    Raises:
        RecipeError: There is neither.
    """
    bundled = bundled_recipes()
    # A model's folder may have its recipe's name.
    if name in bundled and not Path(name).is_file():
        return bundled[name]
    if Path(name).suffix in (".yaml", ".yml") or Path(name).exists():
        return Path(name)
    close = get_close_matches(name, bundled, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    known = ", ".join(bundled) or "none"
    raise UnknownRecipeError(
        f"{name}: no recipe here; {hint}recipes that come with subfit: {known}"
    )


def find_model(name: str | None, source_language: str, target_language: str) -> str:
    """Return the folder of the model to use; one of the hub is fetched if it is not here yet.

    Args:
        name: What the user asked for: a folder, a server's address, a bundled model's name, a hub
            name (``owner/model``) or a family's (``opus-mt``); None for the bundled model of the
            languages, one for exactly this pair before one of several target languages.
        source_language: Language tag.
        target_language: Likewise.

    Raises:
        ModelError: There is no such model, or it cannot be had from the hub.
        UsageError: None is named, and none is for these languages; or a family without a pair.
    """
    bundled = bundled_models()
    if name is None:
        return str(_model_for(source_language, target_language, list(bundled.values())).folder)
    if is_server(name):
        return str(ServerAddress.parse(name))
    if name.lower().endswith(".gguf"):
        raise UnknownModelError(
            f"{name}: GGUF files are run by a server; start one (llama-server -m {name}) and name"
            " it: --model http://localhost:8080/v1#name"
        )
    if (Path(name) / "config.json").is_file():
        return name
    if name in bundled:
        return str(bundled[name].folder)
    if name in FAMILIES:
        if FAMILIES[name].model is None and "und" in (source_language, target_language):
            raise UsageError(f"{name} has a model for each pair of languages; name one of them")
        return str(_from_hub(candidates(name, source_language, target_language)))
    if Path(name).exists() or name.count("/") != 1 or name.startswith((".", "/", "~")):
        known = ", ".join([*bundled, *FAMILIES])
        raise UnknownModelError(
            f"{name}: no model here; a model is a folder with config.json and model.safetensors,"
            f" a hub name (owner/model), or one of: {known}"
        )
    return str(_from_hub((name,)))


def _from_hub(names: Sequence[str]) -> Path:
    """The folder of the first of some hub models that is here, or else that can be fetched."""
    for name in names:
        if model := kept(name):
            return model.folder
    return fetch(names, progress=sys.stderr is not None and sys.stderr.isatty()).folder


def check_direction(place: str, source_language: str, target_language: str) -> None:
    """Check that a model translates from one language into the other, as far as it tells.

    Args:
        place: From `find_model`. What tells nothing of its languages, as Marian models, may be
            asked for any.
        source_language: Language tag.
        target_language: Likewise.

    Raises:
        UsageError: It is for other languages.
    """
    try:
        model = _bundled_model(Path(place) / "config.json")
    except ModelError:  # a Marian model, or a damaged one: found out when it is loaded
        return
    model.directions.check_source(model.name, source_language)
    model.directions.check_target(model.name, target_language)


def check_target(place: str, target_language: str | None) -> None:
    """Check that a model translates into a language, as far as it tells, without loading it.

    Args:
        place: From `find_model`.
        target_language: Language tag; None will do for a model of one language.

    Raises:
        UsageError: It does not, or it has several languages and none is named.
    """
    try:
        model = _bundled_model(Path(place) / "config.json")
    except ModelError:  # as in `check_direction`
        return
    model.directions.check_target(model.name, target_language)


def _way_round(source: str, target: str, bundled: Sequence[BundledModel]) -> str:
    """How a pair may be translated through English, if a bundled model does the second half."""
    if source == "en" or not any(model.directions.serves("en", target) for model in bundled):
        return ""
    return f", or one from {source} to en with --pivot-model"


def _model_for(
    source_language: str, target_language: str, bundled: Sequence[BundledModel]
) -> BundledModel:
    pair = source_language, target_language
    serving = [model for model in bundled if model.directions.serves(*pair)]
    if not serving:
        raise UsageError(
            f"no model comes with subfit for {source_language} to {target_language}"
            f" (there is: {_directions(bundled)});"
            " name a model folder or a Marian hub model with --model"
            f"{_way_round(source_language, target_language, bundled)}"
        )
    return min(serving, key=lambda one: len(one.directions.sources) + len(one.directions.targets))


def _directions(bundled: Sequence[BundledModel]) -> str:
    """What all models together translate, as ``en to de, it; fr to en``."""
    targets: dict[tuple[str, ...], dict[str, None]] = {}
    for model in bundled:
        into = targets.setdefault(model.directions.sources, {})
        into.update(dict.fromkeys(model.directions.targets))
    pairs = (Directions(sources, tuple(into)).name for sources, into in targets.items())
    return "; ".join(pairs) or "none"
