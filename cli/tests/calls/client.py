"""What the MCP SDK for Python sees: `client.py URL`, or the command of a server instead."""

import asyncio
import sys

from mcp import Client, StdioServerParameters


async def main():
    target = sys.argv[1:]
    server = target[0] if target[0].startswith("http") else StdioServerParameters(
        command=target[0], args=target[1:]
    )
    async with Client(server, read_timeout_seconds=30) as client:
        assert client.server_info.name == "shelf", client.server_info
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"add", "chat", "shelf_open", "shelf_take"} <= tools.keys(), tools
        assert tools["add"].input_schema["required"] == ["a", "b"], tools["add"]

        async def call(name, **arguments):
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result
            return result.structured_content

        assert await call("add", a=2, b=3) == {"sum": 5}
        assert await call("chat", times=10) == {"printed": 10}
        shelf = (await call("shelf_open", books=2))["shelf"]
        assert await call("shelf_take", shelf=shelf) == {"left": 1}
        await call("shelf_close", shelf=shelf)
        refused = await client.call_tool("add", {"a": 2, "b": "3"})
        assert refused.is_error and "/b: " in refused.content[0].text, refused


asyncio.run(main())
