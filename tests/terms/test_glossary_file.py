"""Glossaries and lists of names as people write them."""

from pathlib import Path

import pytest

from subfit.errors import InputFileError, SubfitError, UsageError
from subfit.terms.glossary import Term, name
from subfit.terms.glossary_file import Entries, Origin, read_glossary, read_names


def read(folder: Path, content: str | bytes, *languages: str, file: str = "terms.csv") -> Entries:
    path = folder / file
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    entries = Entries()
    read_glossary(str(path), "en", languages or ("de",), entries)
    return entries


SHIP = Term(("ship",), ("Schiff",), "de")


@pytest.mark.parametrize(
    "content",
    [
        "ship,Schiff\n",
        "source,target\nship,Schiff\n",
        "Target;Notes;Source\nSchiff;of the line;ship\n",
        "ship\tSchiff\n",
        "en,de\nship,Schiff\n",
        "EN,fr,DE\nship,bateau,Schiff\n",
        '# ours, "checked" once\n\nship , Schiff \n,\n',
        '"ship","Schiff"\r\n',
        "source,target,domain\nship,Schiff,sea\n",
        "ship,Schiff,no,,a note\n",
        "\ufeffsource,target\nship,Schiff",
        "source,target\nship,Schiff\n".encode("utf-16"),
    ],
)
def test_ways_to_write_the_same(content, tmp_path):
    assert read(tmp_path, content).terms == [SHIP]


def test_forms_and_case(tmp_path):
    mouse, harbour = read(tmp_path, "Mouse|Mice,Maus|Mäuse,yes\nharbour,Hafen|Häfen\n").terms
    assert mouse == Term(("Mouse", "Mice"), ("Maus", "Mäuse"), "de", case=True)
    assert harbour == Term(("harbour",), ("Hafen", "Häfen"), "de")


def test_a_column_for_each_language(tmp_path):
    table = "source,de,pt-BR,fr\nship,Schiff,navio,bateau\nsea,Meer,,mer\n"
    terms = read(tmp_path, table, "de-AT", "pt-BR").terms
    assert [(each.sources[0], each.targets[0], each.language) for each in terms] == [
        ("ship", "Schiff", "de-AT"),
        ("ship", "navio", "pt-BR"),
        ("sea", "Meer", "de-AT"),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "id,source,target,no\n1,ship,Schiff,x\n",
        "en-US,de-DE\nship,Schiff\n",
        "eng,deu\nship,Schiff\n",
    ],
)
def test_other_columns_and_tags_of_regions(table, tmp_path):
    (term,) = read(tmp_path, table, "de").terms
    assert (term.sources, term.targets) == (("ship",), ("Schiff",))


def test_a_legacy_encoding_is_told(tmp_path):
    entries = read(tmp_path, "door,Tür\nkey,Schlüssel\nbridge,Brücke\n".encode("cp1252"))
    assert [each.targets[0] for each in entries.terms] == ["Tür", "Schlüssel", "Brücke"]
    assert "not UTF-8" in entries.notes[0]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("ship,Schiff\nboat\n", ":2: 'boat' has no target; use --keep for what stays as it is"),
        ("ship,Schiff\n,Boot\n", ":2: no source term"),
        ("source,target\nship,Schiff,Kahn\n", ":2: 3 cells where there are 2 columns; put a cell"),
        ('ship,Schiff\n"boat,Boot\nx,y\n', ":2: not a row of a table (unexpected end of data)"),
        ("ship,Schiff,maybe\n", ":1: unknown case 'maybe'; write yes or no"),
        ("ship,*\n", ":1: a target of nothing but *"),
        (
            "ship,Schiff\nsea,Meer\nShip,Kahn\n",
            ":3: 'Ship' is to be 'Kahn' here and 'Schiff' in ",
        ),
        ("", ": no terms in it"),
        ("source,target\n", ""),
    ],
)
def test_what_is_broken_is_told_with_its_line(content, told, tmp_path):
    if not told:
        assert read(tmp_path, content).terms == []
        return
    with pytest.raises(InputFileError) as failure:
        read(tmp_path, content)
    assert f"terms.csv{told}" in str(failure.value) and "\n" not in str(failure.value)


@pytest.mark.parametrize(
    ("content", "languages", "told"),
    [
        ("ship,Schiff\n", ("de", "fr"), "one column of targets for de, fr"),
        ("source,de\nship,Schiff\n", ("de", "fr"), "no column for fr; there are de"),
    ],
)
def test_a_language_without_a_column(content, languages, told, tmp_path):
    with pytest.raises(UsageError, match=told):
        read(tmp_path, content, *languages)


def test_what_is_said_twice_is_told_and_counts_once(tmp_path):
    entries = read(tmp_path, "ship,Schiff\nsea,Meer\nShip,Schiff\n")
    assert [each.sources for each in entries.terms] == [("ship",), ("sea",)]
    (note,) = entries.notes
    assert note.endswith(":3: 'Ship' stands in " + str(tmp_path / "terms.csv:1") + " already")


def test_case_tells_terms_apart(tmp_path):
    terms = read(tmp_path, "Polish,Polnisch,yes\npolish,polieren,yes\n").terms
    assert [each.targets for each in terms] == [("Polnisch",), ("polieren",)]


def test_names(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("# people\nAnna\n\n  New   York \n", encoding="utf-8")
    entries = Entries()
    read_names(str(path), entries)
    assert entries.terms == [name("Anna"), name("New York")]


def test_a_name_that_is_translated_as_well_is_refused(tmp_path):
    entries = Entries()
    entries.add(Origin("--keep"), name("Wolf"))
    path = tmp_path / "terms.csv"
    path.write_text("wolf,der Wolf\n")
    with pytest.raises(SubfitError, match="'wolf' is to be 'der Wolf' here and 'Wolf' in --keep"):
        read_glossary(str(path), "en", ["de"], entries)


def test_a_list_without_names(tmp_path):
    (tmp_path / "names.txt").write_text("# none yet\n")
    with pytest.raises(InputFileError, match="no names in it"):
        read_names(str(tmp_path / "names.txt"), Entries())
