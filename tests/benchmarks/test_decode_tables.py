"""Tables of decoders beside each other."""

from __future__ import annotations

from benchmarks.decode_tables import tables


def result(*seconds: float, same: float = 1.0) -> dict[str, object]:
    return {
        "wall": [2 * each for each in seconds],
        "cpu": list(seconds),
        "single_wall": [0.5],
        "single_cpu": [0.02, 0.04, 0.03],
        "characters": 400,
        "peak_mib": 123.4,
        "same": same,
    }


def test_rates_are_medians_and_ratios_those_of_each_round():
    names = ("generate fp32", "subfit fp32")
    runs = [
        {
            "threads": 1,
            "beams": 4,
            "batch": batch,
            "sentences": 10,
            "results": dict(zip(names, both, strict=True)),
        }
        for batch, both in (
            (16, (result(4.0, 8.0, 4.0), result(2.0, 2.0, 2.0, same=0.9))),
            (64, (result(4.0, 4.0, 4.0), result(1.0, 2.0, 4.0, same=0.8))),
        )
    ]
    document = {
        "machine": "A machine",
        "model": "tiny",
        "sentences": 10,
        "rounds": 3,
        "baseline": names[0],
        "clock": "cpu",
        "contestants": names,
        "runs": runs,
    }
    lines = tables(document).splitlines()
    assert "1 thread, beam 4:" in lines
    assert "|  | batch 16 | batch 64 | characters | one, ms | peak, MiB | same |" in lines
    assert (
        "| subfit fp32 | 5.0 [2.00 (2.00 to 4.00)] | 5.0 [2.00 (1.00 to 4.00)]"
        " | 200 | 30 | 123 | 80% |"
    ) in lines
