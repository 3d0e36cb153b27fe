"""What ratings a venue's words go with, as a calibration that can be fitted anew for any venue."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from agents_eval_core.ports.calibration import FittedTable
from agents_eval_core.score import Quartiles
from agents_eval_evaluators.calibration.human_agreement import LICENCE, SOURCE
from agents_eval_evaluators.calibration.rating_model import CALIBRATION
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.calibration.venue_tables import table_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingCalibration:
    """Fits the model that `coherence` applies.

    Attributes:
        fitted_on: The day to write into the model; None is today.
    """

    name: str = CALIBRATION
    fitted_on: date | None = None

    def fit(self, data_dir: Path, venue: str) -> FittedTable:
        """Return the model fitted from a venue of a PeerRead folder.

        Raises:
            PaperError: The folder is not PeerRead's, or the venue has too few rated reviews.
        """
        from agents_eval_evaluators.calibration.rating_fit import (  # noqa: PLC0415  scikit-learn takes seconds to load
            fit_rating_model,
        )

        day = (self.fitted_on or datetime.now(tz=UTC).date()).isoformat()
        model = fit_rating_model(venue_cases(data_dir, venue), venue, source=SOURCE, licence=LICENCE, fitted_on=day)
        content = table_bytes(model.model_dump(mode="json", by_alias=True))
        return FittedTable(content=content, warnings=model.provenance.warnings)

    def humans(self, venue: str, tables: Path | None = None) -> Mapping[str, Quartiles]:  # noqa: ARG002  the port
        """Return nothing: coherence is a warning, no metric on which people lie somewhere."""
        return {}
