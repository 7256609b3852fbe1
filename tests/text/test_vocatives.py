"""What people are called tells how they are addressed."""

from __future__ import annotations

import pytest

from subfit.text.vocatives import called


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("Oui, monsieur.", "fr", (True, False)),
        ("Merci, maman.", "fr", (False, True)),
        ("Grazie, signora.", "it", (True, False)),
        ("Ciao, tesoro.", "it-IT", (False, True)),
        ("Je ne sais pas.", "fr", (False, False)),
        ("Yes, sir.", "en", (False, False)),
    ],
)
def test_titles_are_for_strangers_and_pet_names_for_friends(
    text: str, language: str, told: tuple[bool, bool]
) -> None:
    assert called(text, language) == told
