"""Compares translating cue by cue with translating sentences over their cues.

Both ways translate all timed files of a folder that have the source language in their names
(``film.en.srt``), under the same guideline; files beside them in a target language are references
(``film.de.srt``). ``--json`` keeps what has been measured: the same command goes on where it was
stopped.

    python -m benchmarks.across_cues models/en-multi timed -t de es fr it --json across.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from benchmarks.across_figures import Source, compared, figures, quality
from benchmarks.measuring import machine, markdown
from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.translator import Translator
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize_all
from subfit.model.checkpoint import load_checkpoint
from subfit.reporting.lengths import plain_data
from subfit.subtitles.formats import FORMAT_OF_SUFFIX
from subfit.subtitles.joining import MOST_CHARACTERS, MOST_CUES
from subfit.version import __version__

WAYS = ("cue by cue", "sentences")
TITLES = (
    "",
    "over budget at natural length",
    "left over",
    "CPS mean",
    "CPS worst",
    "LR",
    "broken phrases",
    "of these between cues",
    "false stops",
)
QUALITY_TITLES = ("", "units", "chrF", "BLEU", "BLEU*", "p (chrF)", "p (BLEU)")


class Remembering(Translator):
    """A translator that searches for nothing twice: most cues are the same both ways.

    What is found for a request does not depend on the others beside it.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._found: dict[Request, list[Hypothesis]] = {}

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        new = list(dict.fromkeys(each for each in requests if each not in self._found))
        self._found.update(zip(new, super().translate(new, on_done), strict=True))
        return [self._found[each] for each in requests]


def read_sources(folder: Path, language: str) -> list[Source]:
    """Read the files of a folder that are in the source language by their names."""
    timed = [suffix for suffix, form in FORMAT_OF_SUFFIX.items() if form in ("srt", "vtt")]
    paths = sorted(p for suffix in timed for p in folder.glob(f"*.{language}{suffix}"))
    if not paths:
        sys.exit(f"{folder}: no files such as film.{language}.srt in it")
    return [Source.read(path, language) for path in paths]


def measure(
    options: argparse.Namespace, sources: Sequence[Source], language: str
) -> dict[str, Any]:
    """Translate all files both ways and measure them."""
    guideline = Guideline.load(options.guideline, language)
    checkpoint = load_checkpoint(str(options.model))
    translator = Remembering(checkpoint, guideline.counting, target_language=language)
    tracks = [source.track for source in sources]
    found: dict[str, Any] = {}
    ways: list[list[Localization]] = []
    for name, across in zip(WAYS, (False, True), strict=True):
        setting = Options(join=across, source_language=options.source_language)
        ways.append(localize_all(tracks, translator, guideline, setting))
        found[name] = figures(sources, ways[-1], guideline)
    files = [
        (source, source.references(options.source_language, language), (apart, joined))
        for source, apart, joined in zip(sources, *ways, strict=True)
    ]
    for name, sentences in (("per cue", False), ("per sentence", True)):
        found[name] = quality(compared(files, sentences=sentences), options.trials)
    if options.show:
        show(sources, ways, options.show)
    return found


def show(sources: Sequence[Source], ways: Sequence[Sequence[Localization]], count: int) -> None:
    """Print some joined sentences, both ways, to standard error."""
    places = [
        (number, sentence)
        for number, source in enumerate(sources)
        for sentence in source.sentences
        if len(sentence.parts) > 1
    ]
    chosen = random.Random(0).sample(places, min(count, len(places)))
    for number, sentence in sorted(chosen, key=lambda each: (each[0], each[1].parts[0].cue)):
        print(f"\n{sources[number].path.name}", file=sys.stderr)
        for part in sentence.parts:
            apart, joined = (way[number].outcomes[part.cue] for way in ways)
            budget = joined.budget.characters if joined.budget else 0
            cells = (f"{part.cue + 1} ({budget:.0f})", joined.source, apart.target, joined.target)
            print(" | ".join(cell.replace("\n", " / ") for cell in cells), file=sys.stderr)


def tables(results: dict[str, dict[str, Any]]) -> str:
    """Return the two tables of all languages."""
    rows, scores = [], []
    for language, found in results.items():
        rows += [_figures_row(f"{language}, {way}", found[way]) for way in WAYS]
        for unit in ("per cue", "per sentence"):
            if (compared_ := found[unit]) is not None:
                scores += [_quality_row(language, unit, way, compared_) for way in WAYS]
    parts = [markdown(TITLES, rows)]
    if scores:
        parts.append(markdown(QUALITY_TITLES, scores))
    return "\n\n".join(parts)


def _figures_row(name: str, found: dict[str, Any]) -> list[str]:
    totals, breaks = found["totals"], found["breaks"]
    before, after = totals["overflow"]["before"], totals["overflow"]["after"]
    ratio = totals["length_ratio"]
    return [
        name,
        f"{before['over']} of {before['texts']} ({before['characters']:.0f} characters)",
        f"{after['over']} ({after['characters']:.0f})",
        f"{totals['cps']['mean']:.1f}",
        f"{totals['cps']['worst']:.1f}",
        f"{ratio['mean']:.2f} ± {ratio['sd']:.2f}",
        f"{_percent(breaks['share'])} of {breaks['lines'] + breaks['cues']}",
        f"{_percent(breaks['share_of_cues'])} of {breaks['cues']}",
        _percent(breaks["share_of_stops"]),
    ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _quality_row(language: str, unit: str, way: str, found: dict[str, Any]) -> list[str]:
    scores, test = found[way], found["significance"]
    shown = [f"{scores[name]['value']:.1f}" for name in ("chrf", "bleu", "bleu_star")]
    p_values = [f"{test[name]:.4f}" if way == WAYS[1] else "" for name in ("chrf", "bleu")]
    return [f"{language} {unit}, {way}", str(found["units"]), *shown, *p_values]


def _known(path: Path | None, key: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what an earlier run with the same key has measured."""
    if path is None or not path.is_file():
        return {}
    document = json.loads(path.read_text(encoding="utf-8"))
    return dict(document["languages"]) if document["key"] == key else {}


def _write(path: Path, document: dict[str, Any]) -> None:
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(plain_data(document), indent=1, ensure_ascii=False) + "\n")
    temporary.replace(path)


def _key(options: argparse.Namespace, sources: Sequence[Source]) -> dict[str, Any]:
    """What figures depend on."""
    files = hashlib.sha256(b"".join(source.path.read_bytes() for source in sources))
    weights = hashlib.sha256((options.model / "model.safetensors").read_bytes())
    code = hashlib.sha256(
        b"".join(path.read_bytes() for path in sorted(Path("subfit").rglob("*.py")))
    )
    return {
        "subfit": __version__,
        "code": code.hexdigest()[:16],
        "weights": weights.hexdigest(),
        "files": files.hexdigest(),
        "guideline": options.guideline,
        "trials": options.trials,
        "most": [MOST_CUES, MOST_CHARACTERS],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.across_cues", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("folder", type=Path, help="timed files")
    parser.add_argument("-s", "--source-language", default="en", metavar="TAG")
    parser.add_argument("-t", "--target-languages", nargs="+", required=True, metavar="TAG")
    parser.add_argument("--guideline", default="netflix")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--trials", type=int, default=2000, help="of paired randomisation")
    parser.add_argument("--json", type=Path, help="keeps figures; an interrupted run goes on")
    parser.add_argument("--show", type=int, default=0, help="print so many sentences, both ways")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    torch.set_num_threads(options.threads)
    sources = read_sources(options.folder, options.source_language)
    key = _key(options, sources)
    known = _known(options.json, key)
    command = f"python -m benchmarks.across_cues {shlex.join(given)}"
    results: dict[str, dict[str, Any]] = {}
    for language in options.target_languages:
        results[language] = known.get(language) or measure(options, sources, language)
        if options.json is not None:
            document = {"key": key, "command": command, "machine": machine(), "languages": results}
            _write(options.json, document)
    cues = sum(len(source.track.cues) for source in sources)
    runs = sum(len(each.parts) > 1 for source in sources for each in source.sentences)
    print(
        f"`{command}`\n\n{machine()}; weights {key['weights'][:8]}; {len(sources)} files, {cues} "
        f"cues, {runs} sentences over several; guideline {options.guideline}.\n"
    )
    print(tables(results))
    signatures = [
        found["per cue"]["sentences"][name]["signature"]
        for found in list(results.values())[:1]
        if found["per cue"]
        for name in ("chrf", "bleu")
    ]
    print("".join(f"\n`{each}`" for each in signatures))


if __name__ == "__main__":
    main()
