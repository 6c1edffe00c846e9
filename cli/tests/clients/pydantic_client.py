"""The MCP toolset of pydantic-ai: `pydantic_client.py SERVERS`. An agent whose model is a function calls, too."""

import asyncio
import json
import sys

import tasks
from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.function import FunctionModel


class PydanticAi:
    def __init__(self, toolset):
        self.toolset = toolset

    async def tools(self):
        return {tool.name: tool.input_schema for tool in await self.toolset.list_tools()}

    async def call(self, name, arguments):
        try:
            result = await self.toolset.direct_call_tool(name, arguments)
        except ModelRetry as error:
            raise tasks.Refused(str(error)) from error
        # What has the name `result` alone is shown without it.
        return {"result": result} if isinstance(result, int) else result

    async def cancel(self, name, arguments):
        return await tasks.given_up(self.call(name, arguments))


async def agent(toolset):
    """What the model of an agent is shown, and what it reads of a result and of an error."""
    read = []

    def model(messages, info):
        assert {"search_tools", "call_tool", "read_result"} == {tool.name for tool in info.function_tools}, info
        read.extend(part for part in messages[-1].parts if hasattr(part, "tool_name"))
        match len(read):
            case 0:
                return ModelResponse([ToolCallPart("search_tools", {"query": "which version of SQLite is this"})])
            case 1:
                return ModelResponse([ToolCallPart("call_tool", {"name": "sqlite3_libversin"})])
            case 2:
                return ModelResponse([ToolCallPart("call_tool", {"name": "sqlite3_libversion"})])
        return ModelResponse([TextPart("done")])

    await Agent(FunctionModel(model), toolsets=[toolset], retries=2).run("Which version?")
    found, error, version = [part.content for part in read]
    assert "sqlite3_libversion" in str(found), found
    assert "did you mean `sqlite3_libversion`?" in str(error), error
    assert "3." in str(version), version


async def main():
    for name, target in json.loads(sys.argv[1]).items():
        is_url = isinstance(target, str)
        toolset = MCPToolset(target if is_url else StdioTransport(command=target[0], args=target[1:]))
        async with toolset:
            await getattr(tasks, name)(PydanticAi(toolset))
            if name.startswith("searched"):
                await agent(toolset)


asyncio.run(main())
