"""Long calls and large results as the MCP SDK for Python sees them: `long.py URL`, or the command of a server instead."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def check(client):
    told = []

    async def progress(done, total, message):
        told.append((done, total, message))

    async def call(name, arguments, **options):
        result = await client.call_tool(name, arguments, **options)
        assert not result.is_error, result
        return result

    steps = {"count": 4, "milliseconds": 150}
    await call("steps", steps, progress_callback=progress)
    assert told[0] == (1, 4, "stepping") and told[-1] == (4, 4, "arrived"), told
    assert told == sorted(told), told

    # The client compares a reply with the schema of the tool.
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert {"steps", "repeated", "call_tool", "read_result"} == tools, tools
    large = await call("repeated", {"count": 5000})
    kept = large.structured_content["largeResult"]
    assert kept["bytes"] == 5011 and len(large.content[0].text) < 2000, large
    assert large.content[1].type == "resource_link", large
    read, offset = "", 0
    while offset < kept["bytes"]:
        part = await client.read_resource(f"{kept['uri']}?offset={offset}&length=2000")
        read += part.contents[0].text
        offset += len(part.contents[0].text)
    assert json.loads(read) == {"text": "x" * 5000}, read
    part = await call("read_result", {"id": kept["id"], "offset": 9, "length": 3})
    assert part.content[0].text == "xxx", part
    small = await call("repeated", {"count": 3})
    assert small.structured_content == {"text": "xxx"}, small

    begun = await call("call_tool", {"name": "steps", "arguments": {**steps, "count": 30}, "wait": 1})
    job = json.loads(begun.content[0].text)
    assert job["state"] == "running", job
    told.clear()
    ended = await call("call_tool", {"job": job["job"], "wait": 30}, progress_callback=progress)
    assert ended.content[0].text == "{}" and told[-1] == (30, 30, "arrived"), (ended, told)


async def main():
    target = sys.argv[1:]
    for mode in ["legacy", "auto"]:
        server = target[0] if target[0].startswith("http") else StdioServerParameters(
            command=target[0], args=target[1:]
        )
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            await check(client)


asyncio.run(main())
