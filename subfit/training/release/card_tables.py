"""The figures of a released model as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from subfit.reporting.lengths import SHORT_SOURCE
from subfit.reporting.wording import percent, spread_of
from subfit.training.release.card_text import table
from subfit.training.release.measurements import MeasuredRow
from subfit.training.release.subtitle_files import FEWEST, SHOWN
from subfit.training.release.test_sets import LENGTH_CONTROLS, REFERENCE

LANGUAGES = {"de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian"}
"""Names of languages, where the tag alone would be rude."""
_TEST_HEADINGS = (
    "asked for",
    "BLEU",
    "BLEU*",
    "chrF",
    "LR source",
    "LC IWSLT",
    "LC strict",
    f"LC > {SHORT_SOURCE}",
    "VAR",
    "over",
    f"over > {SHORT_SOURCE}",
)
_ADEQUACY_HEADINGS = ("REP", "DROP")
_SHOWN_HEADINGS = {
    "shortened": "Shortened most, of the cues whose natural translation was too long:",
    "unsure": "The model was least sure of (lowest mean log-probability):",
    "sure": f"It was surest of, from {FEWEST} source characters on:",
}


_CONTROLS_EXPLAINED = (
    "`natural`: nothing was asked for. `isometric`: a hard ceiling of 1.1 and a wished floor of"
    " 0.9 times the source's characters. `−15 %` and `−30 %`: a hard ceiling of 0.85 and 0.7"
    " times the characters of the model's own natural translation, whatever that is to the"
    " source: so much has to go when a cue is found too long; with `whole`, sentences"
    " that lose something there go over it (`--no-strict-budget`). Very short lines cannot"
    " obey; the last column leaves them out."
)


def language_section(
    language: str, rows: Sequence[MeasuredRow], challenge: Mapping[str, Sequence[int]]
) -> str:
    """Return everything measured for one language; nothing where nothing was.

    Args:
        language: Its tag.
        rows: Those of all languages.
        challenge: By category, how many sentences of a challenge set passed, and of how many.
    """
    own = [row for row in rows if row.slot.language == language]
    parts = [_test_table(name, own) for name in _names(own, "test")]
    files = [row for row in own if row.slot.kind == "files"]
    if files:
        parts.append(_files_table(files))
    if challenge:
        parts.append(_challenge_table(challenge))
    parts += [_shown(row) for row in files if "shown" in row.figures]
    if not parts:
        return ""
    name = LANGUAGES.get(language)
    title = f"### {name} ({language})" if name else f"### {language}"
    return "\n\n".join([title, *parts])


def dev_section(rows: Sequence[MeasuredRow], losses: Mapping[str, float]) -> str:
    """Return what was measured on the dev set; nothing where nothing was."""
    own = [row for row in rows if row.slot.kind == "dev"]
    if not own:
        return ""
    values = ", ".join(f"{name} {value:.3f}" for name, value in losses.items())
    parts = [
        "### Dev set",
        "With the weights as exported. The dev set also served to follow the training, so a test"
        f" set may come out lower. Loss per token: {values}.",
        *(_test_table(name, own) for name in dict.fromkeys(row.slot.name for row in own)),
    ]
    return "\n\n".join(parts)


def definitions(rows: Sequence[MeasuredRow]) -> str:
    """Return what must be known to read the figures, with the signatures that belong to them."""
    lines = [
        "LR: mean ± standard deviation of target/source characters. LC: share of lines with a ratio"
        f" from 0.9 to 1.1; by the IWSLT rule (spaces not counted, sources of up to {SHORT_SOURCE}"
        " characters always comply), by the strict rule (spaces counted, every line), and by the"
        f" strict rule over lines with sources of more than {SHORT_SOURCE} characters. VAR: mean"
        " squared difference of output and asked length in characters, over the lines a length was"
        " asked for. Over: lines over their ceilings / characters over, in all."
    ]
    controls = {row.slot.control for row in rows}
    if "isometric" in controls:
        lines.append(_CONTROLS_EXPLAINED)
    if REFERENCE in controls:
        lines.append(f"`{REFERENCE}`: the length of the reference was asked for.")
    on_lines = [row for row in rows if row.slot.kind != "files"]
    signatures = {
        f"{name} `{row.figures['quality'][key]['signature']}`": None
        for row in on_lines
        for key, name in (("bleu", "BLEU"), ("bleu_star", "BLEU*"), ("chrf", "chrF"))
    }
    adequacy = [row.figures["adequacy"] for row in on_lines if row.figures.get("adequacy")]
    signatures |= {f"REP and DROP `{scores['signature']}`": None for scores in adequacy}
    if adequacy:
        lines.append(
            "REP: what is said more often than in the references. DROP: source words that these say"
            " and the translations do not. Both in per cent, the lower the better (Ferreira and"
            " Martins)."
        )
    versions = dict.fromkeys(f"subfit {row.key['subfit']}" for row in rows)
    search = dict.fromkeys(f"beam {row.figures['beam']}" for row in on_lines)
    lines.append("; ".join([*versions, *search, *signatures]) + ". COMET was not run.")
    return "\n\n".join(lines) if rows else "Nothing was measured yet."


def commands(rows: Sequence[MeasuredRow]) -> str:
    """Return the commands that measure every figure again."""
    if not rows:
        return ""
    lines = "\n".join(row.command for row in rows)
    return f"Each row by itself, in the folder of the data:\n\n```\n{lines}\n```"


def _names(rows: Iterable[MeasuredRow], kind: str) -> list[str]:
    return list(dict.fromkeys(row.slot.name for row in rows if row.slot.kind == kind))


def _test_table(name: str, rows: Sequence[MeasuredRow]) -> str:
    by_control = {row.slot.control: row for row in rows if row.slot.name == name}
    ordered = [
        by_control[control]
        for control in dict.fromkeys([*LENGTH_CONTROLS, *by_control])
        if control in by_control
    ]
    counts = dict.fromkeys(_count(row.figures) for row in ordered)
    files = dict.fromkeys(f"`{row.figures['file']}`" for row in ordered)
    measured = any(row.figures.get("adequacy") for row in ordered)
    cells = [
        (row.slot.control, *_test_cells(row.figures), *(_adequacy(row.figures) if measured else ()))
        for row in ordered
    ]
    headings = (*_TEST_HEADINGS, *(_ADEQUACY_HEADINGS if measured else ()))
    parts = [f"{', '.join(files)}: {'; '.join(counts)}", table(headings, cells)]
    if {"natural", "isometric"} <= set(by_control):
        parts += _by_reference(by_control["natural"].figures, by_control["isometric"].figures)
    return "\n\n".join(parts)


def _by_reference(natural: Mapping[str, Any], isometric: Mapping[str, Any]) -> Iterable[str]:
    """Say what the isometric limit costs where the reference keeps to it, and costs references."""
    free, kept = (figures.get("compliant_references") for figures in (natural, isometric))
    cut = isometric.get("cut_references")
    if free is None or kept is None or cut is None:
        return
    lines = free["lines"]
    figures = "; ".join(
        f"{name} {free['quality'][key]['value']:.1f} natural,"
        f" {kept['quality'][key]['value']:.1f} isometric"
        for key, name in (("bleu", "BLEU"), ("chrf", "chrF"))
    )
    yield (
        f"Of the references {lines:,} are isometric themselves. On these lines: {figures}. All"
        f" references, cut after a word to the isometric ceiling: BLEU {cut['bleu']['value']:.1f}."
    )


def _count(figures: Mapping[str, Any]) -> str:
    lines, all_lines = figures["lines"], figures["file_lines"]
    part = f"{lines:,}" if lines == all_lines else f"the first {lines:,} of {all_lines:,}"
    long = f"{figures['long']['lines']:,} of them with more than {SHORT_SOURCE} source characters"
    return f"{part} lines, {long}"


def _test_cells(figures: Mapping[str, Any]) -> Iterable[str]:
    quality, compliance, long = figures["quality"], figures["compliance"], figures["long"]
    yield from (f"{quality[name]['value']:.1f}" for name in ("bleu", "bleu_star", "chrf"))
    yield spread_of(figures["source_ratio"], 2)
    yield from map(percent, (compliance["iwslt"], compliance["strict"], long["strict"]))
    yield "–" if figures["variance"] is None else f"{figures['variance']:.1f}"
    yield from map(_over, (figures["overflow"], long["overflow"]))


def _adequacy(figures: Mapping[str, Any]) -> Iterable[str]:
    """REP and DROP, as far as they were measured."""
    scores = figures.get("adequacy")
    return ("–", "–") if scores is None else (f"{scores[name]:.1f}" for name in ("rep", "drop"))


def _files_table(rows: Iterable[MeasuredRow]) -> str:
    headings = (
        "files",
        "cues",
        "translated",
        "over, naturally",
        "over",
        "lines do not fit",
        "same times",
        "LR source",
        "CPS",
        "CPS at most",
    )
    cells = []
    for row in rows:
        figures = row.figures
        before, after = figures["overflow"]["before"], figures["overflow"]["after"]
        cells.append(
            (
                f"{row.slot.name} ({figures['files']}), {figures['guideline']}",
                f"{figures['cues']:,}",
                f"{figures['translated']:,}",
                _over(before),
                _over(after),
                str(figures["lines_overflow"]),
                f"{figures['same_times']:,}",
                spread_of(figures["length_ratio"], 2),
                spread_of(figures["cps"], 1),
                "–" if figures["cps"]["worst"] is None else f"{figures['cps']['worst']:.1f}",
            )
        )
    return f"Subtitle files (over: cues / characters over budget):\n\n{table(headings, cells)}"


def _challenge_table(categories: Mapping[str, Sequence[int]]) -> str:
    total = [sum(counts) for counts in zip(*categories.values(), strict=True)]
    cells = [(name, f"{passed} of {all_}") for name, (passed, all_) in categories.items()]
    return "Challenge set:\n\n" + table(
        ("category", "passed"), [*cells, ("all", f"{total[0]} of {total[1]}")]
    )


def _shown(row: MeasuredRow) -> str:
    """Show the cues that were chosen from files which may be shown."""
    headings = ("source", "translation", "characters / budget", "naturally")
    parts = [f"Cues from `{row.slot.name}`, at most {SHOWN} of each kind."]
    for kind, cues in row.figures["shown"].items():
        if cues:
            parts += [_SHOWN_HEADINGS[kind], table(headings, map(_cue_cells, cues))]
    return "\n\n".join(parts)


def _cue_cells(cue: Mapping[str, Any]) -> tuple[str, str, str, str]:
    budget = "–" if cue["budget"] is None else f"{cue['budget']:g}"
    same = " ".join(cue["natural"].split()) == " ".join(cue["target"].split())
    natural = "the same" if same else f"{cue['natural']} ({cue['natural_characters']:g})"
    return cue["source"], cue["target"], f"{cue['characters']:g} / {budget}", natural


def _over(overflow: Mapping[str, Any] | None) -> str:
    if overflow is None:
        return "–"
    return f"{overflow['over']:,} / {overflow['characters']:,.0f}"
