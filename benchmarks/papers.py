"""What it costs to load, search and verify many papers: CPU seconds and peak memory at 1,000 and at 10,000.

Run it with `python benchmarks/papers.py`. The papers are made up; each size is measured in a process of its own, so
that the peak of one is not that of another. The floor is `json.loads` of the same files, one after the other.
"""

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from agents_eval_core.datasets.peerread import PeerReadDataset
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.search_papers import search_papers

SIZES = (1_000, 10_000)
PROMISED_SECONDS = 3.0
WORDS = [
    "we",
    "measure",
    "how",
    "a",
    "team",
    "of",
    "agents",
    "reads",
    "and",
    "reviews",
    "papers",
    "with",
    "graphs",
    "networks",
    "and",
    "data",
    "of",
    "many",
    "kinds",
]
STATUS = Path("/proc/self/status")


def make_papers(folder: Path, count: int) -> None:
    """Write made-up papers with three reviews each, of the size of those of ICLR 2017 in PeerRead (about 10 kB)."""
    reviews = folder / "iclr_2017" / "train" / "reviews"
    reviews.mkdir(parents=True)
    for number in range(count):
        seed = hashlib.sha256(str(number).encode()).digest()
        words = [WORDS[byte % len(WORDS)] for byte in seed * 8]
        review = {
            "comments": " ".join(words) + f" {number}",
            "RECOMMENDATION": seed[0] % 10 + 1,
            "IS_META_REVIEW": False,
        }
        content = {
            "title": " ".join(words[:8]),
            "abstract": " ".join(words),
            "authors": "A. One, B. Two",
            "accepted": bool(seed[1] % 2),
            "reviews": [{**review, "comments": f"{part} {review['comments']} " * 2} for part in range(3)],
        }
        (reviews / f"{number}.json").write_text(json.dumps(content), encoding="utf-8")


def list_all(folder: Path) -> None:
    deque(PeerReadDataset().entries(folder), maxlen=0)


def search_all(folder: Path) -> None:
    search_papers("graphs", settings=Settings(), data_dir=folder)


def decode_all(folder: Path) -> None:
    for file in sorted((folder / "iclr_2017" / "train" / "reviews").iterdir()):
        json.loads(file.read_bytes())


WORK: dict[str, Callable[[Path], None]] = {"list": list_all, "search": search_all, "json.loads": decode_all}


def measure(name: str, folder: Path) -> None:
    """Do one piece of work and print its CPU seconds and the peak of this process in MB."""
    begun = time.process_time()
    WORK[name](folder)
    print(json.dumps({"seconds": time.process_time() - begun, "peak_mb": peak_megabytes()}))


def peak_megabytes() -> float:
    """Return the peak since this program was started; elsewhere than on Linux it may include that of the parent."""
    if STATUS.is_file():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        for size in SIZES:
            make_papers(Path(place) / str(size), size)
        for name in WORK:
            for size in SIZES:
                line = [sys.executable, __file__, name, str(Path(place) / str(size))]
                done = subprocess.run(line, capture_output=True, text=True, check=True)  # noqa: S603  this file
                found = json.loads(done.stdout)
                promised = f" (promised: {PROMISED_SECONDS:g} s)" if (name, size) == ("list", SIZES[-1]) else ""
                print(
                    f"{name} {size:>6,} papers: {found['seconds']:.2f} s CPU, peak {found['peak_mb']:.0f} MB{promised}"
                )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
