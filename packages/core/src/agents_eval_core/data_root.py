"""The folder in which everything that Agents-eval keeps has its place."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRoot:
    """The data root and the places under it; nothing is made before it is needed."""

    path: Path

    @property
    def runs(self) -> Path:
        """One folder a run."""
        return self.path / "runs"

    @property
    def sweeps(self) -> Path:
        """One folder a sweep."""
        return self.path / "sweeps"

    @property
    def batches(self) -> Path:
        """One folder a batch."""
        return self.path / "batches"

    @property
    def database(self) -> Path:
        """The embedded store."""
        return self.path / "agents-eval.db"

    @property
    def datasets(self) -> Path:
        """Downloaded papers."""
        return self.path / "datasets"

    @property
    def tables(self) -> Path:
        """Tables that the user fitted, one folder a calibration, one file a venue."""
        return self.path / "tables"

    @property
    def replies(self) -> Path:
        """Answers of judges, to be used again."""
        return self.path / "replies"

    @property
    def certificates(self) -> Path:
        """What was found out about judges."""
        return self.path / "certificates"

    @property
    def prompts(self) -> Path:
        """The user's own copies of prompts and rubrics, one folder a set, in it one a copy."""
        return self.path / "prompts"

    @property
    def logs(self) -> Path:
        """Log files."""
        return self.path / "logs"
