"""The client of fastmcp: `fastmcp_client.py SERVERS`."""

import asyncio
import json
import sys

import tasks
from fastmcp import Client
from fastmcp.client.transports import StdioTransport


class FastMcp:
    def __init__(self, client):
        self.client = client

    async def tools(self):
        return {tool.name: tool.input_schema for tool in await self.client.list_tools()}

    async def call(self, name, arguments):
        result = await self.client.call_tool(name, arguments, raise_on_error=False)
        if result.is_error:
            raise tasks.Refused(result.content[0].text)
        return result.structured_content or result.content[0].text

    async def cancel(self, name, arguments):
        return await tasks.given_up(self.call(name, arguments))


async def main():
    for name, target in json.loads(sys.argv[1]).items():
        is_url = isinstance(target, str)
        async with Client(target if is_url else StdioTransport(command=target[0], args=target[1:])) as client:
            await getattr(tasks, name)(FastMcp(client))


asyncio.run(main())
