"""Prompt templates, what is found in answers, and what all translators have that prompt a model.

There is one small YAML file for each family of models, or the user's own. The parts of a prompt
that there is nothing for (no glossary term, no length) are left out, with the line that they stand
in.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter

import regex

from subfit.configuration import Problem, RecipeProblemsError, check, read_tree, require
from subfit.decoding.any_translator import Capabilities
from subfit.decoding.hypotheses import FREE, Hypothesis, Request, TermConstraint
from subfit.errors import InputFileError, ModelError, UsageError
from subfit.servers.settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from subfit.terms.glossary import OPEN_END
from subfit.text.counting import Counting, count_characters
from subfit.text.doubts import Doubt, doubts_of
from subfit.text.formality import FORMALITIES
from subfit.text.languages import closest_language, primary_language, same_language

_LANGUAGES = ("source", "target", "source_code", "target_code")
_OF_MESSAGES = frozenset([*_LANGUAGES, "text", "notes", "terms", "formality", "length"])
_PLACES = {
    "user": _OF_MESSAGES,
    "rewrite": _OF_MESSAGES,
    "scene": frozenset(
        [*_LANGUAGES, "entries", "lengths", "speakers", "addresses", "notes", "terms"]
    ),
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
    number; it is to be answered with one of their translations. ``{lengths}``, ``{speakers}`` and
    ``{addresses}`` tell of some of them, by number. Without it each is asked for by itself."""
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


_VARIETIES = {
    "de-ch": "Swiss German (standard, with ss for ß)",
    "sr-cyrl": "Serbian in Cyrillic letters",
    "sr-latn": "Serbian in Latin letters",
    "zh-cn": "Simplified Chinese",
    "zh-hk": "Traditional Chinese",
    "zh-tw": "Traditional Chinese",
}
"""What they are called where their English names do not say how they are written."""


def language_name(tag: str) -> str:
    """Return the English name of a language, as prompts have it.

    Args:
        tag: BCP 47. One whose name is not known here stands for itself.
    """
    from babel import Locale  # long to import

    known = Locale("en").languages.items()
    names: dict[str, str] = {name.replace("_", "-").lower(): called for name, called in known}
    names |= _VARIETIES
    return names.get(closest_language(tag, names) or primary_language(tag) or "", tag)


Message = dict[str, str]
"""``role`` (system, user, assistant) and ``content``, as chat templates and servers take it."""


Said = tuple[tuple[str, str], ...]
"""Sentences with their translations, which are earlier turns."""


def most_of(request: Request) -> int:
    """Return the characters that a prompt tells of, 0 for none: where no length is aimed at, what
    there is room for."""
    if request.asked == FREE and math.isfinite(request.ceiling):
        return math.floor(request.ceiling)
    return request.asked


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

    @property
    def instructions(self) -> tuple[str, ...]:
        """What models are told whatever they are to translate."""
        texts = (self._system, self._user, self.template.scene, self.template.length)
        parts = defaultdict(str, self._languages)
        return tuple(text.format_map(parts) for text in texts)

    def messages(self, asked: Request, before: Said = ()) -> list[Message]:
        """Return the turns of a conversation that asks for a translation."""
        turns = self._opening(asked.setting.notes)
        for text, translation in before:
            turns += _exchange(self._said(Request(text)), translation)
        return [*turns, _turn("user", self._said(asked))]

    @property
    def takes_scenes(self) -> bool:
        """Whether sentences can be asked for together."""
        return bool(self.template.scene) and self._user is not self.template.rewrite

    def scene(self, asked: Sequence[Request], before: Sequence[tuple[str, str]]) -> list[Message]:
        """Return the turns of a conversation that asks for several sentences together.

        Args:
            asked: The sentences; they are numbered from 1 on.
            before: Sentences before them with their translations: an earlier exchange, which shows
                the form of the answer as well.
        """
        turns = self._opening(asked[0].setting.notes)
        if before:
            sources, translations = zip(*before, strict=True)
            said = self._scene([Request(text) for text in sources])
            turns += _exchange(said, _as_object(translations))
        return [*turns, _turn("user", self._scene(asked))]

    def _opening(self, notes: str) -> list[Message]:
        system = _filled(self._system, {**self._languages, "notes": notes})
        return [_turn("system", system)] if system else []

    def _scene(self, asked: Sequence[Request]) -> str:
        parts = {
            **self._languages,
            "notes": "" if self._system else asked[0].setting.notes,
            "terms": self._terms(term for one in asked for term in one.terms),
            "entries": _as_object([one.text for one in asked]),
            "lengths": _by_number(str(most_of(one) or "") for one in asked),
            "speakers": _by_number(one.setting.speaker for one in asked),
            "addresses": _by_number(one.formality or "" for one in asked),
        }
        return _filled(self.template.scene, parts)

    def _terms(self, terms: Iterable[TermConstraint]) -> str:
        forms_of = {
            one.source: " / ".join(form.removesuffix(OPEN_END) for form in one.forms)
            for one in terms
        }
        lines = [self.template.term.format(term=one, forms=own) for one, own in forms_of.items()]
        return _filled(self.template.terms, {"terms": "\n".join(lines)})

    def whole(self, messages: Sequence[Message]) -> str:
        """Return turns as one text, for a template that says how they are marked."""
        said = {message["role"]: message["content"] for message in messages}
        return self.template.turns.format(system=said.get("system", ""), user=said["user"])

    def shorter(self, characters: float, most: int) -> Message:
        """Return what is said to an answer that is too long.

        Args:
            characters: That it has.
            most: That it may have.
        """
        text = self.template.shorter.format(characters=f"{characters:g}", most=most)
        return {"role": "user", "content": text.strip()}

    def _said(self, asked: Request) -> str:
        template, most = self.template, most_of(asked)
        parts = {
            **self._languages,
            "text": asked.text,
            "notes": asked.setting.notes,
            "terms": self._terms(asked.terms),
            "formality": {"formal": template.formal, "informal": template.informal}.get(
                asked.formality or "", ""
            ).strip(),
            "length": template.length.format(characters=most) if most else "",
        }
        return _filled(self._user, parts)


def _turn(role: str, content: str) -> Message:
    return {"role": role, "content": content}


def _exchange(said: str, answered: str) -> list[Message]:
    return [_turn("user", said), _turn("assistant", answered)]


def _as_object(values: Sequence[str]) -> str:
    """Values as a JSON object, by numbers from 1 on, one a line."""
    by_number = {str(number): value for number, value in enumerate(values, 1)}
    return json.dumps(by_number, ensure_ascii=False, indent=0)


def _by_number(values: Iterable[str]) -> str:
    """What is told of some of the entries. It stands apart from them: small models answer with
    whatever comes first in an entry."""
    return ", ".join(f"{number}: {value}" for number, value in enumerate(values, 1) if value)


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


LONGEST = 4.0
"""An answer is no translation if it has more than this many times the source's characters, beside
`SPARE`."""
SPARE = 40

LABELLED = 1.5
"""From so many times the source's length on an answer's first line, if it ends in a colon, is none
of the translation."""

_THOUGHT = regex.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", regex.DOTALL | regex.I)
_FENCE = regex.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", regex.DOTALL)
# "Sure, here is the translation:", "Here's a shorter version:", "Translation:", "German:"
_OPENER = regex.compile(
    r"(?:sure|certainly|of course|okay|ok|here(?:[’']s| is| are)|the translation|translation"
    r"|translated (?:text|subtitle)|subtitle|shorter version|answer|output)\b[^\n:]{0,80}:",
    regex.I,
)
_TRANSLATION = (
    r"(?:translat|übersetz|tradu[cçz]|vertaling|översätt|overs[ae]tt|oversæt|tłumacz|p[rř]eklad"
    r"|prijevod|prevod|fordítás|käännös|tõlge|çeviri|перев[оі]д|переклад|превод|μετάφρασ"
    r"|翻[译譯訳]|译文|번역|ترجم|תרגום|अनुवाद|bản dịch|terjemahan)"
)
# "Hier ist die Übersetzung:", "Voici la traduction :", "**翻訳：**"
_NAMED = regex.compile(rf"[^\n:：]{{0,60}}?{_TRANSLATION}[^\n:：]{{0,60}}[:：][*_]*", regex.I)
_ASIDE = regex.compile(
    r"\(?(?:(?:note|explanation|notes|comment|literally|alternativ\w+)\b"
    r"|(?:hinweis|anmerkung|nota|remarque|opmerking|uwaga|примечание)\s?:).*",
    regex.I,
)
_LIST_MARK = regex.compile(r"(?:[-*•]|\d{1,2}[.)])[ \t]+")
_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "「": "」", "'": "'"}
_BOLD = regex.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")


def translation_in(answer: str, source: str, language: str = "") -> str | None:
    """Return the translation in an answer.

    Args:
        answer: What the model said.
        source: The one line that it was asked to translate.
        language: English name of the language of the translation, as a label may have it.

    Returns:
        One line; None if the answer has no words, or far too many to be a translation.
    """
    text = _THOUGHT.sub("", answer).replace("\r\n", "\n").strip()
    if fenced := _FENCE.search(text):
        text = fenced[1].strip() or _FENCE.sub("", text).strip()
    text = _without_label(text, source, language)
    lines = _first_paragraph(text)
    line = " ".join(_without_mark(line, source) for line in lines)
    line = _unquoted(_BOLD.sub(r"\2", " ".join(line.split())), source)
    if any(map(str.isalnum, source)) and not any(map(str.isalnum, line)):
        return None
    if line.endswith(":") and not source.rstrip().endswith(":"):  # "Here it is:", and no more
        return None
    if not line or count_characters(line) > LONGEST * count_characters(source) + SPARE:
        return None
    return line


def _without_label(text: str, source: str, language: str) -> str:
    """The text behind "Sure, here is the translation:", unless the source has such words too; and
    behind a line that ends in a colon, where the source has none, if the rest says it all."""
    labels = [_OPENER] if regex.search(_TRANSLATION, source, regex.I) else [_OPENER, _NAMED]
    if language:
        labels.append(regex.compile(rf"{regex.escape(language)}(?: translation)?:", regex.I))
    for label in labels:
        if opener := label.match(text):
            rest = text[opener.end() :]
            if rest.strip() and (":" not in source or rest.lstrip(" ").startswith("\n")):
                text = rest.strip()
    first, _, rest = text.partition("\n")
    if first.rstrip().endswith((":", "：")) and ":" not in source and rest.strip():
        more = len(text) > LABELLED * len(source) and 2 * len(rest) > len(source)
        if more or not rest.partition("\n")[0].strip():
            return rest.strip()
    return text


def _first_paragraph(text: str) -> list[str]:
    """The lines before an empty one or a note; a translation may be broken into lines."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and (not line.strip() or _ASIDE.match(line.strip())):
            break
        if line.strip():
            lines.append(line.strip())
    return lines


def _without_mark(line: str, source: str) -> str:
    """A line without the mark of a list, if its source has none."""
    return line if _LIST_MARK.match(source) else _LIST_MARK.sub("", line, count=1)


def _unquoted(line: str, source: str) -> str:
    """A line without quotation marks around all of it, if its source has none."""
    closing = _QUOTES.get(line[:1])
    whole = closing is not None and line[-1] in closing and line[1:-1].strip()
    if closing is None or not whole or source[:1] in _QUOTES:
        return line
    inner = line[1:-1]
    return line if set(inner) & {line[0], *closing} and line[0] != "'" else inner.strip()


class PromptedTranslator:
    """What such a model can do and what not; see `subfit.decoding.any_translator.AnyTranslator`.

    Args:
        name: The model's.
        template: What it is told.
        source_language: Tag.
        target_language: Tag.
        counting: What a character is.
    """

    _holds = True
    """Whether translations are held to ceilings while they are made."""
    rates = False
    """Whether it scores hypotheses as if no length had been asked for."""
    word_scores = None

    def __init__(
        self,
        name: str,
        template: PromptTemplate,
        source_language: str,
        target_language: str,
        counting: Counting,
    ) -> None:
        self.name, self.counting = name, counting
        self.language, self.source_language = target_language, source_language
        self._template = template
        self._prompter = Prompter(template, source_language, target_language)
        self._label = language_name(target_language)
        self._said: dict[str, str] = {}
        """The newest translation of each text that nothing speaks against."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: what its prompt asks for."""
        return Capabilities(
            lengths=self._template.takes_lengths,
            rates=self.rates,
            terms=bool(self._template.terms),
            prompted=True,
            holds=self._holds,
            formalities=FORMALITIES,
        )

    def predict_lengths(self, texts: Sequence[str]) -> list[int]:
        """As many characters as they have: a language model predicts no lengths."""
        return [max(1, len(text)) for text in texts]

    def _before(self, request: Request) -> Said:
        """The sentences before a text with their translations, as far as there are any."""
        before = request.setting.before
        return tuple((text, self._said[text]) for text in before if text in self._said)

    def _doubts(self, text: str, request: Request) -> tuple[Doubt, ...]:
        """What speaks against an answer."""
        return doubts_of(
            text,
            request.text,
            (self.source_language, self.language),
            told=(*self._prompter.instructions, request.setting.notes),
            others=self._before(request),
        )

    def _remember(self, request: Request, hypotheses: Sequence[Hypothesis]) -> None:
        """Keep the best translation of a text, to be shown with those behind it."""
        if hypotheses and not self._doubts(hypotheses[0].text, request):
            self._said[request.text] = hypotheses[0].text
