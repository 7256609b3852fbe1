"""What ``--model`` may name beside folders: families of published models, and models of servers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from subfit.errors import UsageError
from subfit.text.languages import primary_language

_OPUS = "Helsinki-NLP/opus-mt"
_GROUPS = {
    "roa": "ca es fr gl it oc pt ro",
    "gmw": "af de en fy lb nl",
    "gem": "af da de en fo is nb nl no sv",
    "zle": "be ru uk",
    "zls": "bg bs hr mk sl sr",
    "zlw": "cs pl sk",
    "sla": "be bg cs hr mk pl ru sk sl sr uk",
    "bat": "lt lv",
    "fiu": "et fi hu",
    "cel": "br cy ga",
    "trk": "az kk tr tt uz",
    "sem": "ar he mt",
    "inc": "bn gu hi mr pa ur",
    "dra": "kn ml ta te",
}
"""Groups of languages that OPUS-MT has one model for (ISO 639-5), smaller ones first."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that are called alike."""

    name: str
    """What ``--model`` and ``subfit model get`` take."""
    description: str
    model: str | None = None
    """Hub name of the one model for all pairs; None where each pair has its own."""

    @property
    def has_pairs(self) -> bool:
        """Whether it has a model of its own for each pair of languages."""
        return self.model is None


FAMILIES = {
    family.name: family
    for family in (
        Family("opus-mt", "Marian models of OPUS-MT: one for a pair, or for a group of languages"),
        Family("nllb", "NLLB-200, 600M weights: 202 languages", "facebook/nllb-200-distilled-600M"),
        Family("m2m100", "M2M100, 418M weights: 100 languages", "facebook/m2m100_418M"),
        Family(
            "mbart50",
            "mBART-50, 611M weights: 52 languages",
            "facebook/mbart-large-50-many-to-many-mmt",
        ),
        Family("madlad", "MADLAD-400, 3B weights: over 400 languages", "google/madlad400-3b-mt"),
    )
}


def candidates(family: str, source_language: str, target_language: str) -> tuple[str, ...]:
    """Return the hub names that a family may have a pair's model under, the best first.

    Of OPUS-MT it is the model of the pair, then those of groups of languages, which take a token
    for their target language, then the larger ``tc-big`` ones.

    Args:
        family: One of `FAMILIES`.
        source_language: BCP 47 tag.
        target_language: BCP 47 tag.
    """
    if (model := FAMILIES[family].model) is not None:
        return (model,)
    source = primary_language(source_language) or source_language
    target = primary_language(target_language) or target_language
    pairs = [(source, target), *_group_pairs(source, target)]
    kinds = (_OPUS, f"{_OPUS}-tc-big")
    return tuple(dict.fromkeys(f"{kind}-{one}-{other}" for kind in kinds for one, other in pairs))


def _group_pairs(source: str, target: str) -> Iterator[tuple[str, str]]:
    """The pair with either side, or both, as a group; ``mul`` is any language."""
    sources = [*(name for name, members in _GROUPS.items() if source in members.split()), "mul"]
    targets = [*(name for name, members in _GROUPS.items() if target in members.split()), "mul"]
    yield from ((source, group) for group in targets)
    yield from ((group, target) for group in sources)
    yield from ((one, other) for one in sources for other in targets if one != other)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A model behind an OpenAI-compatible server: ``http://localhost:8080/v1#name``."""

    url: str
    """Up to and with the version: ``http://localhost:8080/v1``."""
    model: str
    """What the server calls it."""

    @property
    def chat(self) -> str:
        """Where chat completions are asked for."""
        return f"{self.url}/chat/completions"

    @property
    def host(self) -> str:
        """Name of the machine, without a port."""
        return urlsplit(self.url).hostname or ""

    def __str__(self) -> str:
        return f"{self.url}#{self.model}"

    @classmethod
    def parse(cls, name: str) -> ServerAddress:
        """Read an address with a model's name behind ``#``.

        Raises:
            UsageError: It has no name of a model, or has what must not stand in files and reports
                (a user, a password, a query).
        """
        try:
            parts = urlsplit(name)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise UsageError(f"--model {name}: is no address ({error})") from error
        if parts.username is not None or parts.password is not None or parts.query:
            address = urlunsplit((parts.scheme, host or "", parts.path, "", parts.fragment))
            raise UsageError(
                f"--model {address}: an address is given without user, password or '?'; a key goes "
                "into the environment, as SUBFIT_API_KEY"
            )
        if not host or not parts.fragment:
            raise UsageError(
                f"--model {name}: name a server and, behind '#', its model, as "
                "http://localhost:8080/v1#name"
            )
        path = parts.path.rstrip("/").removesuffix("/chat/completions")
        return cls(urlunsplit((parts.scheme, parts.netloc, path, "", "")), parts.fragment)


def is_server(name: str) -> bool:
    """Whether a model's name is the address of a server."""
    return name.startswith(("http://", "https://"))
