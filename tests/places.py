"""Where things lie that tests read."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "data"
EXAMPLES = ROOT / "examples"
EN_MULTI = ROOT / "models" / "en-multi"
TIMED = ROOT.parent / "shared" / "subtitles" / "timed"
