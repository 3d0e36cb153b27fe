"""How alike human reviews of one paper are, as a calibration that can be fitted anew for any venue."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from agents_eval_core.ports.calibration import FittedTable
from agents_eval_core.score import Quartiles
from agents_eval_evaluators.calibration.agreement_table import CALIBRATION, venue_table
from agents_eval_evaluators.calibration.venue_cases import venue_cases

SOURCE: Final = "PeerRead layout (Kang et al., NAACL 2018, arXiv 1804.09635)"
LICENCE: Final = (
    "Word counts and similarities only, no review text. The venue's reviews have their own terms: ICLR's are public on "
    "OpenReview, ACL's and CoNLL's are CC BY 4.0"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanAgreement:
    """Fits the table that `output_similarity`, `task_success` and `coordination_quality` apply.

    Attributes:
        fitted_on: The day to write into the table; None is today.
    """

    name: str = CALIBRATION
    fitted_on: date | None = None

    def fit(self, data_dir: Path, venue: str) -> FittedTable:
        """Return the table fitted from a venue of a PeerRead folder.

        Raises:
            PaperError: The folder is not PeerRead's, or the venue has too few reviewed papers.
        """
        from agents_eval_evaluators.calibration.agreement_fit import (  # noqa: PLC0415  scikit-learn takes seconds to load
            fit_table,
            table_file,
        )

        day = self.fitted_on or datetime.now(tz=UTC).date()
        table = fit_table(
            venue_cases(data_dir, venue), venue, source=SOURCE, licence=LICENCE, fitted_on=day.isoformat()
        )
        return FittedTable(content=table_file(table), warnings=table.provenance.warnings)

    def humans(self, venue: str, tables: Path | None = None) -> Mapping[str, Quartiles]:
        """Return where human reviewers lie, by metric, from the venue's table, else from the default one."""
        return venue_table(venue, tables).humans
