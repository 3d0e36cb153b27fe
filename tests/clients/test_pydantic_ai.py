"""PydanticAI's own MCP client drives the server, with a model that follows a function."""

from collections.abc import Sequence

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel


def follow(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Call run_review once, then tell its summary."""
    returned = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    if returned:
        return ModelResponse(parts=[TextPart(str(returned[-1].content))])
    assert "run_review" in {tool.name for tool in info.function_tools}
    return ModelResponse(parts=[ToolCallPart("run_review", {"paper": "sparse-gates", "composition": "manager"})])


async def test_an_agent_of_pydantic_ai_has_a_paper_reviewed(stdio_server: Sequence[str]) -> None:
    tools = MCPToolset(StdioTransport(command=stdio_server[0], args=list(stdio_server[1:])))
    agent = Agent(FunctionModel(follow), toolsets=[tools])
    async with agent:
        said = (await agent.run("review it")).output
    assert "composite" in said
