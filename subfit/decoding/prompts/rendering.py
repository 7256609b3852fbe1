"""From a request to the words of a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Formatter

from subfit.decoding.prompts.language_names import language_name
from subfit.decoding.prompts.template import PromptTemplate
from subfit.text.languages import same_language

Message = dict[str, str]
"""``role`` (system, user, assistant) and ``content``, as chat templates and servers take it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a prompt is to ask for."""

    text: str
    """One line of the source language."""
    most: int = 0
    """Most characters; 0 for no limit."""
    context: tuple[str, ...] = ()
    """The sentences before it."""
    terms: tuple[tuple[str, tuple[str, ...]], ...] = field(default=())
    """Terms of the source, and what they may be translated as."""
    formality: str | None = None
    """``formal``, ``informal`` or None."""


class Prompter:
    """Makes prompts for one pair of languages.

    Args:
        template: Of the model's family.
        source_language: Language tag.
        target_language: Likewise; where it is the same language, texts are only made shorter.
    """

    def __init__(
        self, template: PromptTemplate, source_language: str, target_language: str
    ) -> None:
        self.template = template
        rewrites = bool(template.rewrite) and same_language(source_language, target_language)
        self._system = "" if rewrites else template.system
        self._user = template.rewrite if rewrites else template.user
        self._languages = {
            "source": language_name(source_language),
            "target": language_name(target_language),
            "source_code": source_language,
            "target_code": target_language,
        }

    def messages(self, asked: Asked) -> list[Message]:
        """Return the turns of a conversation that asks for a translation."""
        system = _filled(self._system, self._languages)
        turns = [{"role": "system", "content": system}] if system else []
        return [*turns, {"role": "user", "content": self._said(asked)}]

    def whole(self, asked: Asked) -> str:
        """Return the prompt as one text, for a template that says how turns are marked."""
        said = {message["role"]: message["content"] for message in self.messages(asked)}
        return self.template.turns.format(system=said.get("system", ""), user=said["user"])

    def shorter(self, characters: float, most: int) -> Message:
        """Return what is said to an answer that is too long.

        Args:
            characters: That it has.
            most: That it may have.
        """
        text = self.template.shorter.format(characters=f"{characters:g}", most=most)
        return {"role": "user", "content": text.strip()}

    def _said(self, asked: Asked) -> str:
        template = self.template
        terms = [
            template.term.format(term=term, forms=" / ".join(forms)) for term, forms in asked.terms
        ]
        parts = {
            **self._languages,
            "text": asked.text,
            "context": _filled(template.context, {"lines": "\n".join(asked.context)}),
            "terms": _filled(template.terms, {"terms": "\n".join(terms)}),
            "formality": {"formal": template.formal, "informal": template.informal}.get(
                asked.formality or "", ""
            ).strip(),
            "length": template.length.format(characters=asked.most) if asked.most else "",
        }
        return _filled(self._user, parts)


def _filled(text: str, parts: Mapping[str, str]) -> str:
    """A text with its parts.

    A line whose parts are all empty is left out, with an empty line behind it; so is the text, if
    all that it has are.
    """
    lines: list[str] = []
    left_out, says = False, False
    for line in text.strip().split("\n"):
        values = [parts[name] for _, name, _, _ in Formatter().parse(line) if name]
        if (values and not any(values)) or (left_out and not line.strip()):
            left_out = True
            continue
        left_out, says = False, says or any(values)
        lines.append(line.format(**parts).rstrip())
    return "\n".join(lines).strip() if says or "{" not in text else ""
