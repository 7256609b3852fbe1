"""Nouns of two words and more whose meaning is not that of their words: a front desk is no desk.

A small model translates them word by word ("real estate" was "Wirklichkeit", the reality). Where a
translation says none of the words that another language has for one, it is searched for once more
with such a word, which stands in its source in place of the compound: the model takes it over, as
it does names. Of several words together it would take over some, so that these are only asked for;
what it then says twice is said once. The list, ``compounds.tsv``, is of English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import regex

from subfit.terms.glossary import Occurrence
from subfit.terms.word_lists import by_number, known_language, read_list, says_one_of

_HEADS = """
    account accounts activist activists advice area areas bill bills board body book books bus
    card care cells chief class classes clerk code community companies company conference cost
    costs council course courses court crisis data day days debt department desk diploma door
    editor expert experts field film firm floor fraud friend friends game games group groups
    guard guards guru history home house industry issue issues job jobs key keys kid kids law
    laws level levels library license line list lobby magazine man map market men menu method
    methods model models movie museum music name news nurse nurses office page party patient
    patients plan plans platform policy problem problems process professor program programs
    project projects report research rights room safety scene science scientist scientists score
    series service services shop show site song specialist staff star stars startup store
    stories story student students study stuff sweetheart system systems table task tasks tax
    taxes team teams technique techniques technology test tests theft theory therapy ticket tool
    tools toy toys treaty uniform unit value values wall week window woman women work world year
    years
"""
_IS_HEAD = regex.compile(
    r"(?:"
    + "|".join(_HEADS.split())
    + r"|\p{L}+(?:ers?|ors?|ists?|ments?|tions?|ness|it(?:y|ies)|ings?))"
)
"""What is a noun behind a compound, so that this only says what kind of one."""
_IS_NONE = regex.compile(
    r"(?:after|ever|however|later|never|other|others|over|rather|under|whether|anything|being|during"
    r"|everything|having|nothing|something|coming|going)"
)
_OF = r"(?:(?:d[aeiou]|de[ls]|dell[aeo]|de l[ao]s?|degli|von) |(?:d|dell|de l)['’])"
"""What joins nouns, with or without an article."""
_VERB = r"(?:a|e|è|es|est|et|era|était|fue|ha|hanno|ont|son|sono|sont|y)"
"""What shows that another clause begins."""
_NEXT = regex.compile(r"[ -]([\p{L}]+)")


class Compound(Occurrence):
    """A compound in a text."""

    @property
    def instead(self) -> str:
        """The word that the other language has for it, with a capital where a sentence begins.

        Nothing where it has several words for it.
        """
        word = self.targets[0]
        if " " in word:
            return ""
        return word[0].upper() + word[1:] if self.source[0].isupper() else word

    def is_in(self, text: str) -> bool:
        """Whether a translation has one of the words for it; see `says_one_of`."""
        return says_one_of(text, self.targets)


def without_stutter(text: str, terms: Sequence[Occurrence]) -> str:
    """Return a translation without what a model says of a compound before it says it whole.

    "El reconocimiento del reconocimiento de voz" becomes "El reconocimiento de voz".

    Args:
        text: The translation.
        terms: Of its source; compounds among them count.
    """
    for term in terms:
        if isinstance(term, Compound):
            for target in term.targets:
                text = _stutter(target).sub("", text)
    return text


def find_compounds(text: str, source_language: str, language: str) -> tuple[Compound, ...]:
    """Return the compounds of a text whose words say something else, in their order, each once.

    Args:
        text: As spoken.
        source_language: Its tag; only English is known.
        language: Tag of the target language; German, Spanish, French and Italian are known.
    """
    known = known_language(source_language, language)
    if known is None:
        return ()
    said = _said(known)
    found: dict[str, Compound] = {}
    for match in _pattern(known).finditer(text):
        name = _plain(match[0])
        if name not in found and not _is_of_another(text[match.end() :]):
            found[name] = Compound(match[0], match.start(), said[name], True, language=known)
    return tuple(found.values())


def _is_of_another(behind: str) -> bool:
    """Whether a noun follows: "real estate taxes" are taxes."""
    match = _NEXT.match(behind)
    word = match[1].lower() if match else ""
    return bool(_IS_HEAD.fullmatch(word) and not _IS_NONE.fullmatch(word))


def _plain(words: str) -> str:
    return " ".join(words.lower().replace("’", "'").replace("-", " ").split())


@cache
def _stutter(target: str) -> regex.Pattern[str]:
    """What of several words is said before they are said: the first few, or any long one."""
    words = [regex.escape(word) for word in regex.split(r"[ '’]", target)]
    if len(words) < 2:
        return regex.compile(r"(?!)")
    first = [r"[ '’]".join(words[:count]) for count in range(len(words) - 1, 0, -1)]
    begun = "|".join([*first, *(word for word in words if len(word) > 3)])
    other = rf"{words[0]} {_OF}(?:(?!{_VERB} )\p{{L}}+ ){{0,3}}?"
    return regex.compile(
        rf"(?<!\p{{L}})(?:(?:{begun}) (?:{_OF})?|{other})(?={regex.escape(target)})", regex.I
    )


@cache
def _said(language: str) -> Mapping[str, tuple[str, ...]]:
    """What says each compound, singular and plural, the best first."""
    rows = read_list("compounds.tsv")
    return dict(each for row in rows for each in by_number(row["compound"], row[language]))


@cache
def _pattern(language: str) -> regex.Pattern[str]:
    """Matches the longest compound at each place, of those that there are words for."""
    names = sorted(_said(language), key=len, reverse=True)
    words = (regex.escape(name).replace(r"\ ", r"[\s-]+").replace("'", "['’]") for name in names)
    return regex.compile(
        rf"(?<![\p{{L}}\p{{N}}-])(?:{'|'.join(words)})(?![\p{{L}}\p{{N}}])", regex.I
    )
