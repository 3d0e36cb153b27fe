"""A paper and a case for the agents, with marks where they may not look."""

from typing import Final

import pytest

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper, Section
from agents_eval_core.review import HumanReview, Rating, Scale

SECRETS: Final = (
    "zebra quince reference verdict",
    "walrus lantern declared fact",
    "ocelot mandolin group",
    "heron-aspect",
)


@pytest.fixture
def a_paper() -> Paper:
    return Paper(
        id="p1",
        dataset="made",
        venue="made_2020",
        title="Spectral Cuts for Graph Pooling",
        abstract="We propose SpectralCut, a pooling layer for graphs. It improves accuracy by 3.1 points on PROTEINS.",
        authors=("Ada Example", "Bo Example"),
        sections=(
            Section(
                heading="1 Introduction",
                text="Pooling matters for graph classification. We propose SpectralCut, a layer that cuts a graph by"
                " its second eigenvector. We show that it is faster than dense pooling on large graphs.",
            ),
            Section(
                heading="2 Method",
                text=r"The loss is $\frac{a}{b} + \lambda \|W\|_{2}$ with {braces} kept. We train with Adam for 200"
                " epochs on one GPU and choose the cut by power iteration with 20 steps. " * 120,
            ),
            Section(
                heading="3 Experiments",
                text="Table 1 shows an accuracy of 78.2 on PROTEINS against 75.1 for the baseline TopK. We use the"
                " PROTEINS and ENZYMES data sets. Results are from a single run.",
            ),
            Section(heading="", text="An appendix without a heading lists hyperparameters."),
        ),
        text_source="text",
    )


@pytest.fixture
def secrets() -> tuple[str, ...]:
    """Sentences that stand only in what a review is held against."""
    return SECRETS


@pytest.fixture
def a_case(a_paper: Paper) -> Case:
    reference, fact, group, aspect = SECRETS
    scale = Scale(lowest=1, highest=10)
    grade = Rating(value=3, scale=scale)
    review = HumanReview(id="r1", text=f"The {reference} is harsh.", rating=grade, aspects={aspect: grade})
    return Case(
        id="p1",
        dataset="made",
        paper=a_paper,
        references=(review,),
        rating_scale=scale,
        decision="rejected",
        declared_facts=(fact,),
        group_id=group,
    )
