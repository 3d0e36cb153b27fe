"""A server of our factory with the fixtures that the conformance suite asks for; for tests alone."""

import asyncio
import base64
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import Message, UserMessage
from mcp.types import (
    AudioContent,
    CallToolResult,
    Completion,
    EmbeddedResource,
    ImageContent,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel, Field

from agents_eval_core.settings import Settings
from agents_eval_mcp_server.root import open_root
from agents_eval_mcp_server.server import build_server
from agents_eval_mcp_server.session import Session

PIXEL: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SOUND: Final = base64.b64encode(b"RIFF$\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00").decode()


def add_fixtures(server: MCPServer[Session]) -> None:
    """Mount what the suite calls by name."""
    _add_texts(server)
    _add_media(server)
    _add_talk(server)
    _add_resources(server)
    _add_prompts(server)


def _add_texts(server: MCPServer[Session]) -> None:
    @server.tool(structured_output=False)
    def test_simple_text() -> str:
        """Give a text."""
        return "This is a simple text response for testing."

    @server.tool(structured_output=False)
    def test_error_handling() -> str:
        """Fail."""
        raise ToolError("This tool intentionally returns an error for testing")

    assert test_simple_text and test_error_handling  # noqa: PT018  registered above


def _add_media(server: MCPServer[Session]) -> None:
    @server.tool(structured_output=False)
    def test_image_content() -> ImageContent:
        """Give an image."""
        return ImageContent(type="image", data=PIXEL, mime_type="image/png")

    @server.tool(structured_output=False)
    def test_audio_content() -> AudioContent:
        """Give a sound."""
        return AudioContent(type="audio", data=SOUND, mime_type="audio/wav")

    @server.tool(structured_output=False)
    def test_embedded_resource() -> EmbeddedResource:
        """Give a resource within the answer."""
        return EmbeddedResource(
            type="resource",
            resource=TextResourceContents(
                uri="test://embedded-resource", mime_type="text/plain", text="This is an embedded resource content."
            ),
        )

    @server.tool(structured_output=False)
    def test_multiple_content_types() -> CallToolResult:
        """Give several kinds at once."""
        return CallToolResult(
            content=[
                TextContent(type="text", text="Multiple content types test:"),
                ImageContent(type="image", data=PIXEL, mime_type="image/png"),
                EmbeddedResource(
                    type="resource",
                    resource=TextResourceContents(
                        uri="test://mixed-content-resource", mime_type="application/json", text='{"test":"data"}'
                    ),
                ),
            ]
        )

    assert test_image_content and test_audio_content and test_embedded_resource  # noqa: PT018  registered above
    assert test_multiple_content_types


def _add_talk(server: MCPServer[Session]) -> None:
    @server.tool(structured_output=False)
    async def test_tool_with_progress(ctx: Context[Any]) -> str:
        """Report progress."""
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100)
            await asyncio.sleep(0.05)
        return "done"

    @server.tool(structured_output=False)
    async def test_elicitation(message: str, answer: Annotated[ElicitationResult["Answer"], Resolve(_ask)]) -> str:
        """Ask the user."""
        return f"User response for {message}: {answer}"

    assert test_tool_with_progress and test_elicitation  # noqa: PT018  registered above


class Answer(BaseModel):
    """What the user is asked."""

    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


def _ask(message: str) -> Elicit[Answer]:
    return Elicit(message, Answer)


def _add_resources(server: MCPServer[Session]) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        """Give a text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """Give bytes."""
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002  the suite's name
        """Give what the address asks for."""
        return f'{{"id": "{id}", "templateTest": true, "data": "Data for ID: {id}"}}'

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched() -> str:
        """Give what may be watched."""
        return "Watched resource content"

    assert static_text and static_binary and template and watched  # noqa: PT018  registered above


def _add_prompts(server: MCPServer[Session]) -> None:
    @server.prompt()
    def test_simple_prompt() -> str:
        """Ask."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """Ask with arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[Message]:  # noqa: N803  the suite's name
        """Ask about a resource."""
        resource = TextResourceContents(
            uri=resourceUri, mime_type="text/plain", text="Embedded resource content for testing."
        )
        embedded = EmbeddedResource(type="resource", resource=resource)
        return [UserMessage(embedded), UserMessage("Please process the embedded resource above.")]

    @server.prompt()
    def test_prompt_with_image() -> list[Message]:
        """Ask about an image."""
        image = ImageContent(type="image", data=PIXEL, mime_type="image/png")
        return [UserMessage(image), UserMessage("Please analyze the image above.")]

    @server.completion()
    async def complete(*_: object) -> Completion:
        return Completion(values=["paris", "park", "party"])

    assert test_simple_prompt and complete  # noqa: PT018  registered above


def main() -> None:
    """Serve on the port that is given."""
    with tempfile.TemporaryDirectory() as folder:
        server = build_server(open_root(Path(folder), Settings()))
        add_fixtures(server)
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))


if __name__ == "__main__":
    main()
