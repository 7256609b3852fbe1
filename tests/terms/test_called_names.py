"""Names that people are called by."""

from __future__ import annotations

import pytest

from subfit.terms.called_names import called_names
from subfit.terms.file_names import FileNames


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["Good night, Scales.", "Scales?"], ["Scales"]),
        (["Get him, Scales! Come on!", "Look. Scales!"], ["Scales"]),
        (["Good night, Scales."], []),  # never alone
        (["Scales?", "Scales!"], []),  # never behind a comma
        (["Good night, Scales.", "Scales?", "It has scales."], []),
        (["Thank you, Captain.", "Captain!"], []),  # has a translation
        (["Paris, France.", "We are in Paris."], []),
        (["Ven aquí, Paloma.", "¿Paloma?", "Paloma."], ["Paloma"]),
        (["Gracias, Capitán.", "Capitán."], []),
        (["Viens ici, Violette.", "Violette ?"], ["Violette"]),
        (["Attends, Violette\u00a0!", "Violette\u00a0!", "Une violette."], []),
        (["Merci, Docteur.", "Docteur !"], []),
        (["Vieni qui, Stella.", "Stella?"], ["Stella"]),
        (["Grazie, Signora.", "Signora?"], []),
    ],
)
def test_who_is_called_has_a_name(texts, names):
    assert list(called_names(texts)) == names


def test_it_is_kept_where_nothing_else_can_be_meant():
    names = FileNames(["Good night, Scales.", "Scales?"], "en", "de")
    assert [found.source for found in names.find("Scales?")] == ["Scales"]
    assert [found.source for found in names.find("Get him, Scales!")] == ["Scales"]
    assert not names.find("Scales fell from his eyes.")


def test_german_writes_all_nouns_so():
    assert not FileNames(["Gute Nacht, Schuppe.", "Schuppe?"], "de", "en").find("Schuppe?")
