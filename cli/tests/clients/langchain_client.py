"""The adapters of LangChain: `langchain_client.py SERVERS`. Their SDK tells a server nothing of a cancelled call: what they cancel is
the session, and by default they have one for each call."""

import asyncio
import json
import sys

import tasks
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools


class LangChain:
    def __init__(self, tools):
        self.loaded = {tool.name: tool for tool in tools}

    async def tools(self):
        return {name: tool.args_schema for name, tool in self.loaded.items()}

    async def call(self, name, arguments):
        message = await self.loaded[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
        if message.status == "error":
            raise tasks.Refused(message.text)
        structured = (message.artifact or {}).get("structured_content")
        return structured or message.text

    async def cancel(self, name, arguments):
        return await tasks.given_up(self.call(name, arguments))


async def main():
    for name, target in json.loads(sys.argv[1]).items():
        connection = (
            {"transport": "http", "url": target}
            if isinstance(target, str)
            else {"transport": "stdio", "command": target[0], "args": target[1:]}
        )
        client = MultiServerMCPClient({"opendyn": connection})
        if name == "killed":
            await tasks.killed(LangChain(await client.get_tools()))
            continue
        # Handles need a session that lasts.
        async with client.session("opendyn") as session:
            await getattr(tasks, name)(LangChain(await load_mcp_tools(session)))


asyncio.run(main())
