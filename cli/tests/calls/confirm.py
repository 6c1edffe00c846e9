"""What the person at the MCP SDK for Python is asked: `confirm.py URL`, or the command of a server instead. In each case
the server has `--confirm require`."""

import asyncio
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult


async def main():
    target = sys.argv[1:]
    server = target[0] if target[0].startswith("http") else StdioServerParameters(
        command=target[0], args=target[1:]
    )
    questions, actions = [], ["accept", "decline", "cancel"]

    async def person(context, params):
        questions.append(params.message)
        action = actions[len(questions) - 1]
        return ElicitResult(action=action, content={} if action == "accept" else None)

    async with Client(server, read_timeout_seconds=30, elicitation_callback=person) as client:
        shelf = (await client.call_tool("shelf_open", {"books": 3})).structured_content["shelf"]
        assert not questions, questions
        results = [await client.call_tool("shelf_take", {"shelf": shelf}) for _ in actions]
        assert results[0].structured_content == {"left": 2}, results[0]
        said = [result.content[0].text for result in results if result.is_error]
        assert said == [
            "`shelf_take` was not called: the user declined",
            "`shelf_take` was not called: the user dismissed the question",
        ], said
        assert len(questions) == 3 and all(shelf in question for question in questions), questions

    async with Client(server, read_timeout_seconds=30) as client:
        shelf = (await client.call_tool("shelf_open", {"books": 1})).structured_content["shelf"]
        refused = await client.call_tool("shelf_take", {"shelf": shelf})
        assert refused.is_error and "can ask one" in refused.content[0].text, refused


asyncio.run(main())
