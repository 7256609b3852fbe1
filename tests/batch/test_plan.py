"""Which files are meant, which becomes which, and what cannot be meant so."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from subfit.batch.job import Job, Writing
from subfit.batch.plan import (
    FileChoice,
    Listing,
    Naming,
    Plan,
    find_inputs,
    guess_source,
    plan_files,
    plan_items,
)
from subfit.errors import UsageError

from .conftest import write


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "a.srt", "b.en.vtt", "s/1.srt", "s/x/2.srt")


def plan(*inputs: str, to: str = "de", shots: str | None = None, **writing: object) -> Plan:
    job = Job(inputs, tuple(to.split()), writing=Writing(**writing))  # type: ignore[arg-type]
    if shots is not None:
        extending = replace(job.options, timing="extend")
        job = replace(job, options=extending, shot_changes=Path(shots))
    return plan_items(job)


def targets(*inputs: str, to: str = "de", **writing: object) -> list[str]:
    return [Path(item.target).as_posix() for item in plan(*inputs, to=to, **writing).items]


@pytest.mark.parametrize(
    ("inputs", "to", "output", "expected"),
    [
        (["a.srt"], "de", None, ["a.de.srt"]),
        (["b.en.vtt"], "de", None, ["b.de.vtt"]),
        (["a.srt"], "de", "new.vtt", ["new.vtt"]),
        (["-"], "de", None, ["-"]),
        (["a.srt"], "de fr", None, ["a.de.srt", "a.fr.srt"]),
        (["a.srt", "b.en.vtt"], "de", "out", ["out/a.de.srt", "out/b.de.vtt"]),
        (["s"], "de", "out", ["out/1.de.srt", "out/x/2.de.srt"]),
        (["a.srt"], "de", "out/", ["out/a.de.srt"]),
    ],
)
def test_where_translations_go(inputs, to, output, expected):
    assert targets(*inputs, to=to, output=output) == expected


def test_only_several_files_in_one_folder_can_be_resumed() -> None:
    assert plan("s", output="out").keeps_manifest
    assert not plan("a.srt", output="out/").keeps_manifest
    assert not plan("a.srt", to="de fr").keeps_manifest


@pytest.mark.parametrize(
    ("inputs", "writing", "told"),
    [
        (["-", "a.srt"], {"output": "out"}, "must be the only input"),
        (["s"], {}, "s is a folder; name one for what is made of it with -o"),
        (["a.srt", "s/1.srt"], {"output": "new.srt"}, "several files go into a folder"),
        (["a.srt"], {"output": "a.srt"}, "a.srt would be written over itself"),
        (["a.srt"], {"report": Path("a.srt")}, "is an input or output as well"),
        (["a.srt"], {"cue_reports": Path("r")}, "--cue-reports is for several translations"),
    ],
)
def test_what_cannot_be_meant_is_told(inputs, writing, told):
    with pytest.raises(UsageError, match=re.escape(told)):
        plan(*inputs, **writing)


def test_of_many_names_that_collide_five_are_told() -> None:
    write(Path(), *(f"{folder}/{n}.srt" for folder in "pq" for n in range(8)))
    files = [f"{folder}/{n}.srt" for folder in "pq" for n in range(8)]
    with pytest.raises(UsageError) as error:
        plan(*files, output="out")
    assert str(error.value).count("would both go to") == 5
    assert str(error.value).endswith("; and 3 more like these")


def test_every_film_has_its_own_shot_changes() -> None:
    write(Path(), "shots/1.shots.txt", "shots/b.shots.txt")
    items = plan("s/1.srt", "b.en.vtt", "a.srt", output="out", shots="shots").items
    found = [Path(item.shot_changes or "").as_posix() for item in items]
    assert found == ["shots/1.shots.txt", "shots/b.shots.txt", "shots/a.shots.txt"]
    with pytest.raises(UsageError, match="several inputs need a folder"):
        plan("a.srt", "s/1.srt", output="out", shots="shots/1.shots.txt")


def in_place(inputs: list[str], *, dry_run: bool = False, **writing: object) -> list[str]:
    naming = Naming(
        lambda path, _: path, ("und",), in_place=dry_run or bool(writing.get("overwrite"))
    )
    planned = plan_files(inputs, Writing(**writing), naming)  # type: ignore[arg-type]
    return [Path(item.target).as_posix() for item in planned.items]


@pytest.mark.parametrize(
    ("inputs", "writing", "expected"),
    [
        (["a.srt"], {"output": "new.srt"}, ["new.srt"]),
        (["a.srt"], {"overwrite": True}, ["a.srt"]),
        (["a.srt"], {"dry_run": True}, ["a.srt"]),
        (["-"], {}, ["-"]),
        (["s"], {"output": "out"}, ["out/1.srt", "out/x/2.srt"]),
        (["s"], {"overwrite": True}, ["s/1.srt", "s/x/2.srt"]),
    ],
)
def test_files_that_keep_their_names_go_elsewhere_or_replace_themselves_if_asked(
    inputs, writing, expected
) -> None:
    assert in_place(inputs, **writing) == expected


@pytest.mark.parametrize(
    ("inputs", "writing", "told"),
    [
        (["a.srt"], {}, "a.srt would be written over itself; name another output with -o"),
        (["-"], {"output": "out/"}, "standard input has no name"),
        (["a.srt", "s/1.srt"], {"output": "."}, "a.srt would be written over itself"),
        (["1.srt", "s/1.srt"], {"output": "s"}, "would both go to s/1.srt"),
        (["a.srt", "b.en.vtt"], {"output": "s", "report": Path("s/a.srt")}, "--report s/a.srt"),
    ],
)
def test_nothing_is_planned_over_what_is_there_unasked(inputs, writing, told) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        in_place(inputs, **writing)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs symbolic links")
def test_another_name_of_an_input_is_that_input() -> None:
    Path("link.srt").symlink_to("a.srt")
    with pytest.raises(UsageError, match="would be written over itself"):
        in_place(["a.srt"], output="link.srt")


def found(*inputs: str, include: tuple[str, ...] = (), output: str = "out") -> Listing:
    return find_inputs(inputs, FileChoice("en", include, Path(output)))


def paths(*inputs: str, **options: object) -> list[str]:
    return [each.path for each in found(*inputs, **options).files]  # type: ignore[arg-type]


def places(*inputs: str) -> list[str]:
    return [(each.folder / Path(each.path).name).as_posix() for each in found(*inputs).files]


def test_a_folder_stands_for_the_subtitles_below_it_in_order() -> None:
    write(Path("t"), "b.srt", "a/2.VTT", "a/1.srt", "notes.txt", "a/cover.jpg")
    assert paths("t") == ["t/b.srt", "t/a/1.srt", "t/a/2.VTT"]
    assert places("t") == ["b.srt", "a/1.srt", "a/2.VTT"]


@pytest.mark.parametrize(
    ("include", "taken"),
    [
        (("*.txt",), ["t/notes.txt", "t/a/notes.txt"]),
        (("*.srt", "*.txt"), ["t/b.srt", "t/notes.txt", "t/a/notes.txt"]),
        (("a/*.txt",), ["t/a/notes.txt"]),
    ],
)
def test_include_chooses_other_files(include: tuple[str, ...], taken: list[str]) -> None:
    write(Path("t"), "b.srt", "notes.txt", "a/notes.txt")
    assert paths("t", include=include) == taken


def test_a_file_that_is_named_needs_no_include_and_translations_stay_out_of_one() -> None:
    write(Path("t"), "b.srt", "c.de.srt")
    assert paths("t", "t/b.srt", include=("*.txt",)) == ["t/b.srt"]
    assert found("t", include=("*.de.srt",)).left_out == ["t/c.de.srt"]


def test_outputs_of_earlier_runs_and_hidden_files_are_no_inputs() -> None:
    write(Path("t"), "m.srt", "out/m.de.srt", "german/m.de.srt", "german/.subfit/manifest.sqlite")
    write(Path("t"), ".trash/m.srt", "._m.srt", "more/n.srt")
    assert paths("t", output="t/out") == ["t/m.srt", "t/more/n.srt"]


def test_translations_beside_their_source_are_left_out_and_told() -> None:
    names = ("m.srt", "m.de.srt", "n.en.srt", "n.pt-BR.sdh.srt", "o.eng.srt", "Kill.It.srt")
    write(Path("t"), *names)
    assert paths("t") == ["t/Kill.It.srt", "t/m.srt", "t/n.en.srt", "t/o.eng.srt"]
    assert found("t").left_out == ["t/m.de.srt", "t/n.pt-BR.sdh.srt"]
    assert paths("t/m.de.srt") == ["t/m.de.srt"]  # who names a file means it


def test_several_folders_keep_their_names_in_the_output() -> None:
    write(Path(), "s1/e.srt", "s2/e.srt")
    assert places("s1", "s2") == ["s1/e.srt", "s2/e.srt"]


def test_patterns_work_without_a_shell_and_keep_their_tree() -> None:
    write(Path("shows"), "s1/e.srt", "s2/e.srt", "s2/x/f.srt", "s2/e.de.srt")
    assert places("shows/*/e.srt") == ["s1/e.srt", "s2/e.srt"]
    assert places("shows/s?") == ["s1/e.srt", "s2/e.srt", "s2/x/f.srt"]
    with pytest.raises(UsageError, match="matches no file"):
        find_inputs(["shows/*.vtt"], FileChoice("en"))


@pytest.mark.parametrize("pattern", ["t/*.srt", "t/**", "[t]/*"])
def test_a_pattern_leaves_out_translations_as_a_folder_does(pattern: str) -> None:
    write(Path("t"), "m.srt", "m.de.srt")
    assert paths(pattern) == ["t/m.srt"]
    assert found(pattern).left_out == ["t/m.de.srt"]


def test_a_pattern_that_says_a_language_means_it() -> None:
    write(Path("t"), "m.srt", "m.de.srt", "m.fr.srt")
    assert paths("t/*.de.srt") == ["t/m.de.srt"]


def test_a_file_whose_name_looks_like_a_pattern_is_a_file() -> None:
    write(Path(), "[1] film.srt", "1 film.srt")
    assert paths("[1] film.srt") == ["[1] film.srt"]


def test_a_folder_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    write(Path("t"), "open/a.srt", "shut/b.srt")
    scan = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    result = found("t")
    assert [each.path for each in result.files] == ["t/open/a.srt"]
    [(place, failure)] = result.failures
    assert place == "t/shut"
    assert failure.message == "t/shut: cannot be searched (permission denied)"


CUE = "1\n00:00:01,000 --> 00:00:03,000\n{}\n"
GERMAN = "Ich weiß nicht, wo der Hund ist, aber er war hier."
ENGLISH = "I do not know where the dog is, but he was here."


@pytest.fixture
def films(tmp_path: Path):
    def made(**texts: str) -> list[str]:
        """Files by their names, with ``_`` for the full stops before the suffix."""
        for name, text in texts.items():
            path = tmp_path / "films" / f"{name.replace('_', '.')}.srt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(CUE.format(text), encoding="utf-8")
        return sorted(map(str, (tmp_path / "films").glob("*.srt")))

    return made


@pytest.mark.parametrize(
    ("texts", "targets", "language", "why"),
    [
        ({"film_de": GERMAN}, ["fr"], "de", "the name of film.de.srt"),
        ({"film_de": ENGLISH}, ["fr"], "de", "the name of film.de.srt"),  # the name goes first
        ({"film_en": GERMAN}, ["de"], "en", ""),
        ({"film_pt-BR": "Oi."}, ["de"], "pt-BR", "the name of film.pt-BR.srt"),
        ({"film": GERMAN}, ["fr"], "de", "the text of film.srt"),
        ({"film": ENGLISH}, ["fr"], "en", ""),
        ({"film": "Anna!"}, ["fr"], "en", ""),
        ({"film_de": GERMAN, "film_en": ENGLISH}, ["fr"], "en", ""),
        ({"a_it": "Sì.", "b_it": "No."}, ["fr"], "it", "the name of b.it.srt"),
        ({"film_de": ENGLISH}, ["de"], "en", ""),  # named ahead
        ({"film": GERMAN}, ["de"], "en", ""),  # as it was before; the same language is refused
    ],
)
def test_names_go_before_texts(films, texts, targets, language, why):
    assert guess_source(films(**texts), targets) == (language, why)


@pytest.mark.parametrize("tag", ["de-AT", "es-MX", "fr-CA", "it-CH", "deu", "spa", "fra", "ita"])
def test_regions_and_longer_tags_are_told_by_the_name(films, tag):
    (named,) = films(**{f"film_{tag}": "Anna!"})
    language, why = guess_source([named], ["en"])
    assert why == f"the name of film.{tag}.srt" and language.startswith(tag[:2])


def test_several_languages_are_asked_about(films):
    with pytest.raises(
        UsageError, match=r"a\.it\.srt \(it\), .*b\.fr\.srt|b\.fr\.srt \(fr\), a\.it"
    ):
        guess_source(films(a_it="Sì.", b_fr="Oui."), ["de"])


@pytest.mark.parametrize("inputs", [["-"], ["absent.srt"], ["*.nothing"], [""]])
def test_what_cannot_be_read_is_left_to_whoever_reads_it(inputs):
    assert guess_source(inputs, ["de"])[0] == "en"
