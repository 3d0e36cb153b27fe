"""Hold what was downloaded against what should be there; needs no network."""

from dataclasses import dataclass
from pathlib import Path

from agents_eval_core.errors import PaperError
from agents_eval_core.settings import Settings
from agents_eval_core.store.paper_folder import PaperFolder
from agents_eval_core.use_cases.data_folder import download_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What was found, by paths under the folder.

    Attributes:
        files: How many should be there.
        missing: Those that are not there.
        damaged: Those that are there but have another content than was listed.
        superfluous: What nobody downloaded, or an interrupted download left.
    """

    folder: Path
    files: int
    missing: tuple[str, ...]
    damaged: tuple[str, ...]
    superfluous: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Whether everything is there as it should be, and nothing else."""
        return not (self.missing or self.damaged or self.superfluous)


def verify_papers(*, settings: Settings, dataset: str = "peerread") -> Verification:
    """Read every downloaded file and hold it against the manifest.

    Raises:
        PaperError: Nothing was downloaded yet.
        UnreadableError: The manifest is damaged.
    """
    folder = PaperFolder(download_folder(dataset, settings), dataset)
    manifest = folder.manifest()
    if not manifest.files:
        raise PaperError(
            f"nothing was downloaded into {folder.path} yet; 'agents-eval papers download iclr_2017' gets a venue"
        )
    states = {file.path: folder.state(file) for file in manifest.files}
    return Verification(
        folder=folder.path,
        files=len(states),
        missing=tuple(path for path, state in states.items() if state == "missing"),
        damaged=tuple(path for path, state in states.items() if state == "damaged"),
        superfluous=folder.superfluous(manifest),
    )
