"""The scale of `verdict_agreement` as a calibration that can be fitted anew for any venue."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from agents_eval_core.errors import PaperError, UndefinedMetricError
from agents_eval_core.ports.calibration import FittedTable
from agents_eval_core.score import Quartiles
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.calibration.venue_tables import quartiles_of, table_bytes
from agents_eval_evaluators.text.verdict_scale import CALIBRATION, fit_verdict_scale, venue_verdict_scale

SOURCE: Final = "ratings of human reviews in PeerRead's layout (Kang et al., NAACL 2018, arXiv 1804.09635)"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCalibration:
    """Fits how far human ratings of one paper lie apart.

    Attributes:
        fitted_on: The day to write into the scale; None is today.
    """

    name: str = CALIBRATION
    fitted_on: date | None = None

    def fit(self, data_dir: Path, venue: str) -> FittedTable:
        """Return the scale fitted from a venue of a PeerRead folder.

        Raises:
            PaperError: The folder is not PeerRead's, or no paper of the venue has two ratings.
        """
        day = (self.fitted_on or datetime.now(tz=UTC).date()).isoformat()
        try:
            scale = fit_verdict_scale(venue_cases(data_dir, venue), venue, source=SOURCE, fitted_on=day)
        except UndefinedMetricError as problem:
            raise PaperError(f"{problem}; choose a venue whose reviews have ratings") from problem
        return FittedTable(content=table_bytes(scale.model_dump(mode="json", by_alias=True), separators=(", ", ": ")))

    def humans(self, venue: str, tables: Path | None = None) -> Mapping[str, Quartiles]:
        """Return where the venue's reviewers lie on `verdict_agreement`; nothing for a venue without a scale."""
        scale = venue_verdict_scale(venue, tables)
        if scale is None:
            return {}
        return {"verdict_agreement": quartiles_of([scale.agreement(gap) for gap in scale.gaps], scale.venue)}
