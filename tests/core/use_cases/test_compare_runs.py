"""Comparing what is in a data root: which runs a selector brings, and which count."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.comparison import Comparison
from agents_eval_core.composite import compose
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.ports.store import Store
from agents_eval_core.run import Run, RunStatus, System
from agents_eval_core.score import Score, Scorecard
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.compare_runs import compare_runs
from agents_eval_core.use_cases.paper_differences import paper_differences
from agents_eval_core.use_cases.selection import record_of

START = datetime(2026, 1, 1, tzinfo=UTC)
FULL, MANAGER = "composition=full", "composition=manager"


class Shelf:
    """A data root into which runs are put the way a review puts them."""

    def __init__(self, path: Path, store: Store) -> None:
        self.root = DataRoot(path=path)
        self.settings: Settings = load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": path})
        self._store = store

    def put(
        self,
        composition: str,
        paper: str,
        value: float | None,
        *,
        status: RunStatus = "complete",
        model: str = "small",
        metric: str = "task_success",
        repetition: int = 0,
        sweep: str | None = None,
        text: str | None = None,
    ) -> RunDirectory:
        """Keep a run with one score; without a value it is not evaluated."""
        run = Run(
            id=f"{composition}-{paper}-{model}" + (f"-{repetition}" if repetition else ""),
            status=status,
            case=Case(id=paper, dataset="sample"),
            system=System(engine="mas", composition=composition, model=model),
            created_at=START,
            output_text=text,
            repetition=repetition,
            sweep=sweep,
        )
        directory = RunDirectory.create(self.root.runs, run)
        self._store.begin(record_of(run.changed(status="unfinished"), directory.path, self.root, None))
        if status == "unfinished":
            return directory
        directory.finish(run, {})
        card = a_card(run.id, metric, value) if value is not None else None
        if card is not None:
            directory.write_scorecard(card, {})
        self._store.finish(record_of(run, directory.path, self.root, card), None, card)
        return directory

    def put_each(self, composition: str, values: Sequence[float], *, model: str = "small") -> None:
        """Keep one run for each value, each of another paper."""
        for index, value in enumerate(values):
            self.put(composition, f"p{index}", value, model=model)

    async def compare(
        self, *selectors: str, metrics: Sequence[str] | None = None, confidence: float = 0.95
    ) -> Comparison:
        """Compare what the selectors name."""
        return await compare_runs(selectors, settings=self.settings, metrics=metrics, confidence=confidence)


def a_card(run_id: str, metric: str, value: float) -> Scorecard:
    scores = (Score(name=metric, value=value, evaluator=metric, version="1", tier=1),)
    return Scorecard.model_validate({**compose(scores).model_dump(), "run_id": run_id, "scores": scores})


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    root = DataRoot(path=tmp_path / "root")
    root.path.mkdir()
    store = registry.store("sqlite", root.database)
    yield Shelf(root.path, store)
    store.close()


async def test_two_compositions_are_compared_over_the_papers_of_both(shelf: Shelf) -> None:
    shelf.put_each("full", [0.70, 0.72, 0.75, 0.71, 0.69, 0.74, 0.73])
    shelf.put_each("manager", [0.60, 0.63, 0.62, 0.60, 0.64, 0.61])
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    assert (contrast.baseline.label, contrast.candidate.label) == ("manager", "full")
    assert contrast.conclusion == "better"
    assert contrast.sentence.startswith("full is better than manager by 0.10 [")
    assert "(95 %, 6 papers)" in contrast.sentence
    assert contrast.unmatched_candidate == ("full-p6-small",)
    assert [each.metric for each in contrast.metrics] == ["composite", "task_success"]


async def test_three_papers_decide_nothing(shelf: Shelf) -> None:
    shelf.put_each("full", [0.9, 0.8, 0.9])
    shelf.put_each("manager", [0.1, 0.2, 0.1])
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    assert contrast.conclusion == "not enough data"
    assert "3 papers cannot decide; at least 6 are needed" in contrast.sentence


async def test_all_pairs_are_compared_the_earlier_named_as_baseline(shelf: Shelf) -> None:
    for composition in ("full", "manager", "manager+researcher"):
        shelf.put_each(composition, [0.5, 0.6])
    found = await shelf.compare(FULL, MANAGER, "composition=manager+researcher")
    assert [(each.baseline.label, each.candidate.label) for each in found.contrasts] == [
        ("full", "manager"),
        ("full", "manager+researcher"),
        ("manager", "manager+researcher"),
    ]


async def test_sides_are_labelled_by_what_tells_them_apart(shelf: Shelf) -> None:
    shelf.put_each("full", [0.5], model="small")
    shelf.put_each("full", [0.6], model="large")
    shelf.put_each("manager", [0.6], model="large")
    (contrast,) = (await shelf.compare(f"{FULL},model=small", f"{FULL},model=large")).contrasts
    assert (contrast.baseline.label, contrast.candidate.label) == ("small", "large")
    (mixed,) = (await shelf.compare(f"{FULL},model=small", "model=large")).contrasts
    assert (mixed.baseline.label, mixed.candidate.label) == ("small", "large")


async def test_runs_that_did_not_complete_are_left_out_and_counted(shelf: Shelf) -> None:
    shelf.put_each("full", [0.5, 0.6])
    shelf.put_each("manager", [0.5])
    shelf.put("manager", "p1", None, status="failed")
    shelf.put("manager", "p2", None, status="unfinished")
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    assert contrast.baseline.runs == ("manager-p0-small",)
    assert contrast.baseline.excluded == {"manager-p1-small": "failed", "manager-p2-small": "unfinished"}
    assert "1 run of manager left out: failed" in contrast.sentence
    assert contrast.unmatched_candidate == ("full-p1-small",)


async def test_a_run_that_was_not_evaluated_is_unmatched_and_says_what_to_do(shelf: Shelf) -> None:
    shelf.put_each("full", [0.5])
    shelf.put("manager", "p0", None)
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    assert contrast.unmatched_baseline == ("manager-p0-small",)
    assert contrast.unmatched_reasons["manager-p0-small"] == (
        "it was not evaluated; 'agents-eval evaluate manager-p0-small' does that"
    )


async def test_a_damaged_scorecard_costs_its_own_run_only(shelf: Shelf) -> None:
    shelf.put_each("full", [0.5, 0.6])
    shelf.put_each("manager", [0.5])
    broken = shelf.put("manager", "p1", 0.5)
    (broken.path / "scorecard.json").write_text("{")
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    assert contrast.metrics[0].pairs == 1
    assert contrast.unmatched_reasons["manager-p1-small"].startswith("its scorecard cannot be read: ")


async def test_the_weights_of_the_settings_decide_the_composite(shelf: Shelf) -> None:
    shelf.put("full", "p0", 0.9)
    shelf.put("manager", "p0", 0.5)
    shelf.settings = load_settings(
        None,
        environment={},
        options={"AGENTS_EVAL_HOME": shelf.root.path, "JUDGE_WEIGHT_TASK_SUCCESS": 0},
    )
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    composite, task_success = contrast.metrics
    assert composite.pairs == 0
    assert task_success.pairs == 1


async def test_only_the_metrics_asked_for_are_shown_beside_the_composite(shelf: Shelf) -> None:
    shelf.put("full", "p0", 0.9)
    shelf.put("full", "p1", 0.9, metric="tool_efficiency")
    shelf.put("manager", "p0", 0.5)
    (contrast,) = (await shelf.compare(MANAGER, FULL, metrics=["task_success", "composite"])).contrasts
    assert [each.metric for each in contrast.metrics] == ["composite", "task_success"]
    with pytest.raises(UnknownNameError, match="no metric named 'task_sucess'; did you mean 'task_success'"):
        await shelf.compare(MANAGER, FULL, metrics=["task_sucess"])


async def test_a_higher_confidence_needs_more_and_says_so(shelf: Shelf) -> None:
    shelf.put_each("full", [0.70, 0.72, 0.75, 0.71, 0.69, 0.74, 0.73])
    shelf.put_each("manager", [0.60, 0.63, 0.62, 0.60, 0.64, 0.61, 0.62])
    usual, strict = [await shelf.compare(MANAGER, FULL, confidence=each) for each in (0.95, 0.99)]
    assert usual.contrasts[0].conclusion == "better"
    assert strict.contrasts[0].conclusion == "not enough data"
    assert "at least 8 are needed" in strict.contrasts[0].sentence


async def test_a_run_is_not_compared_with_itself(shelf: Shelf) -> None:
    shelf.put_each("full", [0.5, 0.6])
    shelf.put_each("manager", [0.5])
    for selectors in ((FULL, FULL), (FULL, "engine=mas"), ("full-p0-small", FULL)):
        with pytest.raises(UsageError, match="have runs in common"):
            await shelf.compare(*selectors)


async def test_a_selector_that_finds_nothing_is_named(shelf: Shelf) -> None:
    shelf.put_each("full", [0.5])
    with pytest.raises(UsageError, match="composition=manager"):
        await shelf.compare(MANAGER, FULL)


@pytest.mark.parametrize("selectors", [[], ["composition=full"]])
async def test_a_comparison_takes_two(shelf: Shelf, selectors: list[str]) -> None:
    with pytest.raises(UsageError, match="two selectors or more"):
        await shelf.compare(*selectors)


@pytest.mark.parametrize("confidence", [0.0, 0.5, 1.0, 95.0, float("nan")])
async def test_a_confidence_out_of_range_is_refused(shelf: Shelf, confidence: float) -> None:
    with pytest.raises(UsageError, match=r"between 0\.5 and 1"):
        await shelf.compare(MANAGER, FULL, confidence=confidence)


async def test_a_comparison_survives_json(shelf: Shelf) -> None:
    shelf.put_each("full", [0.5, 0.6])
    shelf.put_each("manager", [0.5, 0.7])
    found = await shelf.compare(MANAGER, FULL)
    assert Comparison.model_validate_json(found.model_dump_json()) == found


async def test_repetitions_with_the_same_output_and_scores_count_once_and_it_is_said(shelf: Shelf) -> None:
    for composition in ("full", "manager"):
        for index in range(6):
            for repetition in range(3):
                shelf.put(
                    composition, f"p{index}", 0.5 + index / 20, repetition=repetition, text=f"the same about {index}"
                )
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    assert (contrast.metrics[0].pairs, contrast.metrics[0].papers) == (6, 6)
    assert len(contrast.candidate.identical) == 12
    assert "12 runs of full repeat another word for word and count once with it" in contrast.sentence
    assert not contrast.unmatched_candidate


async def test_repetitions_that_differ_count_in_full_and_have_metrics_across_runs(shelf: Shelf) -> None:
    for composition in ("full", "manager"):
        for repetition in range(2):
            shelf.put(composition, "p0", 0.5, repetition=repetition, text=f"try {repetition} of {composition}")
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    assert contrast.metrics[0].pairs == 2
    assert contrast.candidate.identical == ()
    means = {mean.metric: mean for mean in contrast.candidate.group_means}
    assert means["answer_agreement"].papers == 1
    assert means["answer_agreement"].interval is None


async def test_a_side_that_mixes_systems_is_said_to(shelf: Shelf) -> None:
    shelf.put("full", "p0", 0.5, model="small")
    shelf.put("full", "p1", 0.5, model="large")
    shelf.put("manager", "p0", 0.5)
    (contrast,) = (await shelf.compare(MANAGER, FULL)).contrasts
    assert "full mixes runs of 2 systems" in contrast.sentence
    assert "manager mixes" not in contrast.sentence


async def test_a_margin_out_of_range_is_refused(shelf: Shelf) -> None:
    for margin in (0.0, 1.0, -0.1, float("nan")):
        with pytest.raises(UsageError, match="margin"):
            await compare_runs([MANAGER, FULL], settings=shelf.settings, margin=margin)


async def test_the_compositions_of_a_sweep_are_named_at_once(shelf: Shelf) -> None:
    for composition in ("manager", "manager+analyst", "manager+researcher"):
        for paper in ("p0", "p1"):
            shelf.put(composition, paper, 0.5, sweep="night")
    found = await shelf.compare("night:*")
    assert [standing.label for standing in found.standings] == ["manager", "manager+analyst", "manager+researcher"]
    assert len(found.contrasts) == 3


def test_each_paper_tells_what_it_contributes_the_largest_loss_first(shelf: Shelf) -> None:
    shelf.put_each("full", [0.70, 0.50, 0.75])
    shelf.put_each("manager", [0.60, 0.80, 0.70])
    found = paper_differences(MANAGER, FULL, settings=shelf.settings)
    assert [(each.paper, round(each.difference, 2), each.is_loss) for each in found.papers] == [
        ("p1", -0.3, True),
        ("p2", 0.05, False),
        ("p0", 0.1, False),
    ]
    alone = paper_differences(MANAGER, FULL, settings=shelf.settings, metric="task_success")
    assert alone.papers == found.papers
    assert paper_differences(MANAGER, FULL, settings=shelf.settings, metric="elapsed_seconds").papers == ()
