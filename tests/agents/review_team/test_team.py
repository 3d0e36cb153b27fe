import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from pydantic_ai import UsageLimitExceeded, UsageLimits
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agents_eval_agents.providers.offline_conversation import Conversation
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.outputs import DraftPoint, ReviewDraft
from agents_eval_agents.review_team.team import Team
from agents_eval_agents.tools.quotation import quotations
from agents_eval_core.paper import Paper

Teams = Callable[[Model, str], Team]
DRAFT = {"summary": "A sound paper.", "weaknesses": [{"text": "One run only.", "anchor": "3 Experiments"}]}


def offered(info: AgentInfo) -> set[str]:
    return {tool.name for tool in (*info.function_tools, *info.output_tools)}


def script(
    *steps: ToolCallPart, draft: Mapping[str, object] = DRAFT
) -> Callable[[list[ModelMessage], AgentInfo], ModelResponse]:
    """Play the manager's steps in order; every delegate answers at once with what its form needs."""

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        names = offered(info)
        if not any(name.startswith("delegate_to_") for name in names):
            answers = {
                "give_research": {"overview": "O."},
                "give_analysis": {},
                "give_review": {**draft},
                "give_critique": {},
            }
            (name,) = names & set(answers)
            return ModelResponse(parts=[ToolCallPart(name, answers[name])])
        turn = sum(isinstance(message, ModelResponse) for message in messages)
        return ModelResponse(parts=[steps[min(turn, len(steps) - 1)]])

    return play


async def test_the_synthesizers_draft_is_handed_on_word_for_word(a_team: Teams, a_desk: Desk) -> None:
    steps = (ToolCallPart("delegate_to_synthesizer", {"task": "t"}), ToolCallPart("hand_on_draft", {"reason": "good"}))
    draft = await a_team(FunctionModel(script(*steps)), "full").review(a_desk, "")
    assert draft == ReviewDraft.model_validate(DRAFT)


async def test_no_draft_can_be_handed_on_before_there_is_one(a_team: Teams, a_desk: Desk) -> None:
    steps = (ToolCallPart("hand_on_draft", {"reason": "lazy"}), ToolCallPart("give_review", DRAFT))
    draft = await a_team(FunctionModel(script(*steps)), "full").review(a_desk, "")
    assert draft.weaknesses == [DraftPoint(text="One run only.", anchor="3 Experiments")]


async def test_an_empty_review_is_asked_for_again(a_team: Teams, a_desk: Desk) -> None:
    steps = (ToolCallPart("give_review", {"summary": " "}), ToolCallPart("give_review", DRAFT))
    assert (await a_team(FunctionModel(script(*steps)), "full").review(a_desk, "")).summary == "A sound paper."


async def test_agents_that_serve_two_runs_at_once_ask_the_model_of_each(
    a_team: Teams, a_paper: Paper, a_desk: Desk
) -> None:
    other_desk = Desk(paper=a_paper, scale=a_desk.scale)
    steps = (ToolCallPart("delegate_to_synthesizer", {"task": "t"}), ToolCallPart("hand_on_draft", {"reason": "good"}))
    other = script(*steps, draft={**DRAFT, "summary": "The other one's."})
    teams = a_team(FunctionModel(script(*steps)), "full"), a_team(FunctionModel(other), "full")
    drafts = await asyncio.gather(teams[0].review(a_desk, ""), teams[1].review(other_desk, ""))
    assert [draft.summary for draft in drafts] == ["A sound paper.", "The other one's."]


async def test_a_delegate_is_not_asked_without_end(a_team: Teams, a_desk: Desk) -> None:
    asks = [ToolCallPart("delegate_to_analyst", {"task": "again"}) for _ in range(5)]
    await a_team(FunctionModel(script(*asks, ToolCallPart("give_review", DRAFT))), "full").review(a_desk, "")
    assert a_desk.asked["analyst"] == 3


async def test_a_draft_is_challenged_once(a_team: Teams, a_desk: Desk) -> None:
    seen: list[str] = []
    steps = (
        ToolCallPart("delegate_to_critic", {"task": "too early"}),
        ToolCallPart("delegate_to_critic", {"task": "t", "draft": DRAFT}),
        ToolCallPart("delegate_to_critic", {"task": "again"}),
        ToolCallPart("hand_on_draft", {"reason": "no objections"}),
    )
    play = script(*steps)

    def listen(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.extend(str(part.content) for part in messages[-1].parts if isinstance(part, ToolReturnPart))
        return play(messages, info)

    await a_team(FunctionModel(listen), "manager+critic").review(a_desk, "")
    assert a_desk.asked["critic"] == 1
    assert ["no draft" in text or "challenged already" in text for text in seen] == [True, False, True]


async def test_a_delegate_is_given_its_task_and_the_material_so_far(a_team: Teams, a_desk: Desk) -> None:
    prompts: list[str] = []
    play = script(
        ToolCallPart("delegate_to_researcher", {"task": "Look for error bars."}),
        ToolCallPart("delegate_to_analyst", {"task": "Weigh the error bars."}),
        ToolCallPart("give_review", DRAFT),
    )

    def listen(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if "give_analysis" in offered(info):
            prompts.append(Conversation.of(messages).prompt)
        return play(messages, info)

    a_desk.query = "Mind the statistics."
    await a_team(FunctionModel(listen), "full").review(a_desk, "")
    assert "Weigh the error bars." in prompts[0]
    assert "Mind the statistics." in prompts[0]
    assert "Rating scale: from 1 to 10" in prompts[0]
    assert [item.kind for item in quotations(prompts[0])] == ["title", "research"]


def broken_researcher(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Read without end as the researcher, give up on it as the manager."""
    if "give_research" in offered(info):
        return ModelResponse(parts=[ToolCallPart("search_paper", {"query": f"pooling {len(messages)}"})])
    if len(messages) == 1:
        return ModelResponse(parts=[ToolCallPart("delegate_to_researcher", {"task": "t"})])
    return ModelResponse(parts=[ToolCallPart("give_review", DRAFT)])


async def test_a_delegates_own_limit_does_not_end_the_run(a_team: Teams, a_desk: Desk) -> None:
    draft = await a_team(FunctionModel(broken_researcher), "manager+researcher").review(a_desk, "")
    assert draft.summary == "A sound paper."
    assert "the researcher failed (UsageLimitExceeded" in a_desk.notes[0]


async def test_the_limit_of_the_whole_run_ends_the_run(a_team: Teams, a_desk: Desk) -> None:
    team = replace(a_team(FunctionModel(broken_researcher), "manager+researcher"), limits=UsageLimits(request_limit=5))
    with pytest.raises(UsageLimitExceeded):
        await team.review(a_desk, "")
    assert a_desk.notes == []


async def test_a_delegate_that_never_fits_the_form_does_not_end_the_run(a_team: Teams, a_desk: Desk) -> None:
    def formless(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if "give_analysis" in offered(info):
            return ModelResponse(parts=[ToolCallPart("give_analysis", {"strengths": "all"})])
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("delegate_to_analyst", {"task": "t"})])
        return ModelResponse(parts=[ToolCallPart("give_review", DRAFT)])

    assert (await a_team(FunctionModel(formless), "manager+analyst").review(a_desk, "")).summary == "A sound paper."
    assert "the analyst failed (UnexpectedModelBehavior" in a_desk.notes[0]


@pytest.mark.parametrize(("composition", "reads"), [("manager", True), ("manager+analyst", True), ("full", False)])
async def test_the_paper_tools_are_the_researchers_where_there_is_one(
    composition: str, reads: bool, a_team: Teams, a_desk: Desk
) -> None:
    seen: list[set[str]] = []

    def note(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(offered(info))
        return ModelResponse(parts=[ToolCallPart("give_review", DRAFT)])

    await a_team(FunctionModel(note), composition).review(a_desk, "")
    assert ({"paper_metadata", "list_sections", "read_section", "search_paper"} <= seen[0]) == reads
    assert ("read_section" in seen[0]) == reads
