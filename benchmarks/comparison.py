"""What comparing costs: 8 compositions, all 28 pairs, 10,000 resamples, 1,000 papers; time and memory over the import.

python benchmarks/comparison.py
"""

import resource
import time
from itertools import combinations

import numpy as np

from agents_eval_core.statistics.evidence import PairedValues, paired_evidence
from agents_eval_core.statistics.multiplicity import holm
from agents_eval_core.statistics.settling import settling

SIDES = 8
ROUNDS = 5
LIMITS = {"seconds": 0.5, "MB over import": 150.0}


def series(papers: int, repetitions: int = 1) -> list[PairedValues]:
    """Return the scores of all pairs of sides, as a comparison hands them over."""
    generator = np.random.default_rng(1)
    of_paper = generator.beta(6, 3, size=(papers, 1, 1))
    own = generator.normal(0, 0.08, size=(papers, SIDES, repetitions))
    values = np.clip(of_paper + 0.01 * np.arange(SIDES)[None, :, None] + own, 0, 1)
    names = [f"paper {paper}" for paper in range(papers) for _ in range(repetitions)]
    flat = [values[:, side, :].ravel().tolist() for side in range(SIDES)]
    return [
        PairedValues(values=list(zip(flat[one], flat[other], strict=True)), papers=names)
        for one, other in combinations(range(SIDES), 2)
    ]


def compared(pairs: list[PairedValues]) -> int:
    """Return how many of the pairs differ, with everything that is said of each."""
    found = paired_evidence(pairs, margin=0.02)
    adjusted = holm([each.p for each in found])
    for each in found:
        if each.estimate is not None and each.variance is not None:
            settling(each.estimate, each.variance, margin=0.02)
    return sum(p <= 0.05 for p in adjusted)


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    for papers, repetitions in ((10, 1), (100, 3), (1000, 1)):
        pairs = series(papers, repetitions)
        before = peak()
        wall: list[float] = []
        cpu: list[float] = []
        differing = 0
        for _ in range(ROUNDS):
            start, start_cpu = time.perf_counter(), time.process_time()
            differing = compared(pairs)
            wall.append(time.perf_counter() - start)
            cpu.append(time.process_time() - start_cpu)
        print(
            f"{len(pairs)} pairs, {papers} papers, {repetitions} repetitions: best {min(wall):.3f} s wall, "
            f"{min(cpu):.3f} s CPU, +{peak() - before:.0f} MB; {differing} differ"
        )
    print(f"limits at 1000 papers: {LIMITS}")


if __name__ == "__main__":
    main()
