"""Prompt templates: one small YAML file for each family of models, or the user's own.

The parts of a prompt that there is nothing for (no glossary term, no length) are left out, with the
line that they stand in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter

from subfit.configuration import Problem, RecipeProblemsError, check, read_tree, require
from subfit.errors import InputFileError, ModelError, UsageError
from subfit.servers.settings import DEFAULT_SERVER_SETTINGS, ServerSettings

_LANGUAGES = ("source", "target", "source_code", "target_code")
_OF_MESSAGES = frozenset([*_LANGUAGES, "text", "notes", "terms", "formality", "length"])
_PLACES = {
    "user": _OF_MESSAGES,
    "rewrite": _OF_MESSAGES,
    "scene": frozenset([*_LANGUAGES, "entries", "notes", "terms"]),
    "system": frozenset([*_LANGUAGES, "notes"]),
    "terms": frozenset({"terms"}),
    "term": frozenset({"term", "forms"}),
    "length": frozenset({"characters"}),
    "shorter": frozenset({"characters", "most"}),
    "turns": frozenset({"system", "user"}),
}
"""The names in braces that each text may have."""

ANY = "chat"
"""The template for models of which no more is known than that they can be talked to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    """How a family of models is asked for a translation; the keys of a template file."""

    user: str
    """What is said: ``{source}`` and ``{target}`` are the languages' names, ``{source_code}`` and
    ``{target_code}`` their tags, ``{text}`` the sentence, ``{notes}`` what there is to know of the
    film and its persons; ``{terms}``, ``{formality}`` and ``{length}`` are the texts below."""
    scene: str = ""
    """What is said for the sentences of a scene together: ``{entries}``, a JSON object of them by
    number; it is to be answered with one of their translations. Without it each is asked for by
    itself."""
    rewrite: str = ""
    """What is said where both languages are one, and a text is only made shorter."""
    system: str = ""
    """What is said once, before ``user``."""
    terms: str = ""
    """The glossary's terms, ``{terms}``."""
    term: str = "{term}: {forms}"
    """One of these."""
    formal: str = ""
    """Where people are to be addressed politely."""
    informal: str = ""
    """Where people are to be addressed familiarly."""
    length: str = ""
    """At most how many ``{characters}``."""
    shorter: str = ""
    """Said to an answer of ``{characters}`` characters where there is room for ``{most}``."""
    turns: str = ""
    """The whole prompt, made of ``{system}`` and ``{user}``, for models without a chat template or
    whose own is of another kind."""
    options: dict[str, bool | str] = field(default_factory=dict)
    """What the model's own chat template is given."""
    model_types: tuple[str, ...] = ()
    """``model_type`` of the configurations that it is for."""
    names: tuple[str, ...] = ()
    """Parts of the names of models that it is for; these count before model types."""
    description: str = ""

    def __post_init__(self) -> None:
        require(
            self,
            ("{text}" in self.user, "user must have {text}, the sentence to translate"),
            (not self.turns or "{user}" in self.turns, "turns must have {user}"),
            (not self.scene or "{entries}" in self.scene, "scene must have {entries}"),
            *(
                (False, f"{key} may not have {{{name}}}; it may have {_known(key)}")
                for key in _PLACES
                for name in _names_in(getattr(self, key), _PLACES[key])
            ),
        )

    @property
    def takes_lengths(self) -> bool:
        """Whether it can ask for a length."""
        return bool(self.length) and "{length}" in self.user


def _known(key: str) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(_PLACES[key]))


def _names_in(text: str, known: frozenset[str]) -> Iterator[str]:
    """The names in braces that a text may not have."""
    try:
        for _, name, form, conversion in Formatter().parse(text):
            if name is not None and (name not in known or form or conversion):
                yield name
    except ValueError:
        yield "..."


def bundled_templates() -> dict[str, Path]:
    """Return the template files that come with subfit, by name."""
    paths = Path(__file__).with_name("templates").glob("*.yaml")
    return {path.stem: path for path in sorted(paths)}


def read_template(path: Path) -> PromptTemplate:
    """Read a template file, and those that it ``extends``.

    Raises:
        InputFileError: It cannot be read, or has unknown keys or names in braces; the message
            lists all of them with their lines.
    """
    problems: list[Problem] = []
    try:
        tree = read_tree(path, bundled_templates(), problems)
        template = check(PromptTemplate, tree, problems)
        if problems or template is None:
            raise RecipeProblemsError(problems)
    except RecipeProblemsError as error:
        raise InputFileError(path, str(error).removeprefix(f"{path}: ")) from error
    return template


def find_template(wish: str | None, model_type: str, name: str) -> PromptTemplate:
    """Return the template for a model.

    Args:
        wish: A bundled template's name, or a file; None for the one of the model's family.
        model_type: Of its configuration; empty where that is not known, as of servers.
        name: The model's name.

    Raises:
        InputFileError: The user's file is no template.
        UsageError: There is no such template.
        ModelError: No family is known for the model.
    """
    bundled = bundled_templates()
    if wish is not None:
        if wish not in bundled and not Path(wish).is_file():
            known = ", ".join(bundled)
            raise UsageError(f"--prompt {wish}: no such file, and no template: {known}")
        return read_template(bundled.get(wish, Path(wish)))
    templates = [read_template(path) for path in bundled.values()]
    named = [
        (len(part), number)
        for number, one in enumerate(templates)
        for part in one.names
        if part in name.lower()
    ]
    if named:
        return templates[max(named)[1]]
    if not model_type:
        return read_template(bundled[ANY])
    for template in templates:
        if model_type in template.model_types:
            return template
    raise ModelError(f"{name}: no prompt is known for {model_type} models; give --prompt FILE")


@dataclass(frozen=True, slots=True)
class TalkSettings:
    """What a user may choose for models that are told in words what to do."""

    prompt: str | None = None
    """A template's name or file; None for that of the model's family."""
    server: ServerSettings = DEFAULT_SERVER_SETTINGS
    """How servers are talked to."""


DEFAULT_TALK = TalkSettings()
