"""Options that several commands have in the same words."""

from pathlib import Path
from typing import Annotated

import typer

Judge = Annotated[
    str | None,
    typer.Option(help="Who judges: provider, provider:model, a panel a+b+c, claude-code, caller, or auto."),
]
JudgeProvider = Annotated[str | None, typer.Option(help="Where the judge's model comes from.")]
JudgeModel = Annotated[str | None, typer.Option(help="The judge's model; default is the provider's.")]
DataDir = Annotated[Path | None, typer.Option(help="The folder of venues; default is AGENTS_EVAL_DATA_DIR.")]
Dataset = Annotated[str, typer.Option(help="peerread or sample.")]
Venue = Annotated[str | None, typer.Option(help="Only this venue, such as iclr_2017.")]
Limit = Annotated[int, typer.Option(min=0, help="Show at most so many; 0 shows all.")]
