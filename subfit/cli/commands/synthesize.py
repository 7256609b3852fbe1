"""``subfit synthesize``: sources in, training pairs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from subfit.cli.failures import print_json
from subfit.cli.options import inference, shared
from subfit.cli.options.binding import takes
from subfit.cli.options.models import check_model
from subfit.cli.options.types import FILE, shares
from subfit.cli.views.console import Messages
from subfit.cli.views.text import one_line
from subfit.errors import InputFileError, UsageError
from subfit.files import check_writable
from subfit.model.computing import Computing
from subfit.reporting.wording import count_of

if TYPE_CHECKING:
    from subfit.training.data.synthesis import Synthesized


@dataclass(slots=True)
class Tally:
    """What became of the sources."""

    sources: int
    kept: int = 0
    """Sources whose natural translation was kept."""
    shorter: int = 0
    """Shorter translations that were kept."""
    refused: Counter[str] = field(default_factory=Counter)
    """Sources by the reason why their natural translation was refused."""

    def add(self, made: Synthesized) -> None:
        """Count one source."""
        self.kept += bool(made.targets)
        self.shorter += max(len(made.targets) - 1, 0)
        if made.refused:
            self.refused[made.refused] += 1


@click.command(
    epilog="Example: subfit synthesize my-model sources.txt -t fr -o train/synthetic.en-fr.tsv.xz"
)
@click.argument("model", metavar="MODEL")
@click.argument("file", type=FILE, metavar="FILE")
@shared.target_language_option("Language to translate into, for a model of several.")
@shared.pairs_output_option
@shared.overwrite_option("Replace an existing output file.")
@click.option(
    "--known",
    type=FILE,
    multiple=True,
    metavar="FILE.tsv",
    help="Leave out the sources of this file; can be given several times.",
)
@click.option(
    "--natural-ratios",
    type=shares,
    default="0.9,0.8,0.7",
    metavar="A,B…",
    help="Also ask for these shares of the natural length.",
)
@click.option(
    "--least-score",
    type=click.FloatRange(max=0),
    default=-0.7,
    metavar="X",
    help="Refuse natural translations with fewer nats per token.",
)
@click.option(
    "--margin",
    type=click.FloatRange(min=0),
    default=0.2,
    metavar="X",
    help="Nats per token that shorter translations may have less than the natural one.",
)
@click.option(
    "--corpus", default="synthetic", metavar="NAME", help="Name of the corpus, as recipes know it."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the first N sources that are not known.",
)
@inference.search_options
@inference.computing_options
@shared.json_option
@takes(computing=Computing)
def synthesize(
    model: str,
    file: Path,
    target_language: str | None,
    output: Path,
    overwrite: bool,
    known: tuple[Path, ...],
    natural_ratios: tuple[float, ...],
    least_score: float,
    margin: float,
    corpus: str,
    limit: int | None,
    beam: int | None,
    length_penalty: float | None,
    coverage_penalty: float | None,
    computing: Computing,
    json: bool,
) -> None:
    """Make training pairs with a model: translations of natural length, and shorter ones.

    FILE has sources, one a line, or the sentence pairs of another language, whose sources are
    taken; it may be packed as .xz or .gz. A translation is kept if the model holds it likely and
    nothing is visibly wrong with it; a shorter one must be about as likely as the natural one.
    """
    if not corpus or set(corpus) & set("\t\r\n"):
        raise UsageError("--corpus must be a name, without tabs")
    check_model(model, target_language)
    sources = _sources(file, known, limit)
    check_writable(output, overwrite=overwrite)
    # These take seconds to import: wrong arguments are told before.
    from subfit.decoding.translator import Translator
    from subfit.evaluation.corpus import Pair, pair_writer
    from subfit.evaluation.systems import settings_of
    from subfit.training.data.synthesis import SynthesisSettings
    from subfit.training.data.synthesis import synthesize as translate

    policy = SynthesisSettings(lengths=natural_ratios, least_score=least_score, margin=margin)
    translator = Translator.load(
        model,
        target_language=target_language,
        settings=settings_of(beam, length_penalty, coverage_penalty),
        computing=computing,
        channel_model=None,
    )
    messages = Messages(data_on_stdout=json, quiet=False)
    tally = Tally(len(sources))
    with (
        pair_writer(output, overwrite=overwrite) as write,
        messages.progress(file.name, len(sources), "sources") as advance,
    ):
        for made in translate(sources, translator, policy, advance):
            tally.add(made)
            for target in made.targets:
                write(Pair(corpus, made.source, target))
    if json:
        print_json({"file": str(file), "output": str(output), **asdict(tally)})
        return
    click.echo(f"{one_line(str(file))}: {count_of(tally.sources, 'source')}")
    messages.figures(_figures(tally))
    click.echo(f"pairs written to {one_line(str(output))}")


def _sources(file: Path, known: tuple[Path, ...], limit: int | None) -> list[str]:
    """Read the sources, each once, without those that are known."""
    from subfit.evaluation.corpus import read_sources

    seen = {source for path in known for source in read_sources(path)}
    sources = list(dict.fromkeys(line for line in read_sources(file) if line not in seen))[:limit]
    if not any(sources):
        raise InputFileError(file, "no sources in it" + " that are not known" * bool(known))
    return [source for source in sources if source]


def _figures(tally: Tally) -> Iterator[tuple[str, str]]:
    yield "translated", f"{tally.kept}, and {count_of(tally.shorter, 'shorter translation')}"
    reasons = ", ".join(f"{count} {reason}" for reason, count in tally.refused.most_common())
    yield "refused", f"{tally.refused.total()}" + f" ({reasons})" * bool(reasons)
