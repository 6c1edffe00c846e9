"""What the MCP SDK for Python sees of scripts beside a library: `scripts.py URL`, or the command of a server."""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters


async def main():
    target = sys.argv[1:]
    environment = {name: os.environ[name] for name in ("PATH", "OPENDYN_PYTHON") if name in os.environ}
    server = target[0] if target[0].startswith("http") else StdioServerParameters(
        # The SDK passes on little of its environment.
        command=target[0], args=target[1:], env=environment
    )
    async with Client(server, read_timeout_seconds=60) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"add", "shelf_open", "report", "hello"} <= tools.keys(), tools
        assert tools["report"].input_schema["required"] == ["a", "b"], tools["report"]
        added = await client.call_tool("add", {"a": 2, "b": 3})
        assert added.structured_content == {"sum": 5}, added
        reported = await client.call_tool("report", {"a": 2, "b": 3})
        assert not reported.is_error, reported
        assert reported.structured_content == {"success": True, "message": "ok", "data": "Hello, 5"}, reported
        refused = await client.call_tool("report", {"a": 2, "b": "3"})
        assert refused.is_error and "/b: " in refused.content[0].text, refused


asyncio.run(main())
