"""Tests a server with the MCP SDK for Python: `sdk.py calc|sqlite|search URL`, or the command of a server instead. `sdk.py sessions URL`
has several clients of one server with SQLite.

The SDK checks every result against the schema in the list, and raises an error if it is invalid.
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters


async def refused(client, name, arguments, message):
    """An error result has a message for the model and no structured content."""
    result = await client.call_tool(name, arguments)
    assert result.is_error and result.structured_content is None, result
    assert message in result.content[0].text, result


async def given(client, name, arguments, expected):
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result
    assert result.structured_content == expected, result
    return result


async def calc(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    # The tool of the server itself, which reads on in large results.
    assert tools.pop("read_result").annotations.read_only_hint is True
    add = tools["add"]
    assert add.title is None and add.description == "The sum of two numbers.", add
    assert add.annotations.read_only_hint is True, add
    assert tools["greet"].annotations is None, tools["greet"]
    assert add.input_schema["properties"]["a"]["type"] == "integer", add
    assert "The first number." in add.input_schema["properties"]["a"]["description"], add
    assert add.input_schema["required"] == ["a", "b"], add
    assert all(tool.output_schema["type"] == "object" for tool in tools.values())

    result = await given(client, "add", {"a": 2, "b": 3}, {"result": 5})
    assert result.content[0].text == '{"result":5}', result
    await given(client, "divide", {"dividend": 17, "divisor": 5}, {"code": 0, "quotient": 3, "remainder": 2})
    await given(client, "greet", {}, {"greeting": "Hello, everybody!"})
    await refused(client, "add", {"a": 2, "b": "3"}, "/b: ")
    await refused(client, "add", {"a": 2**31, "b": 3}, "2147483648 does not fit int")
    await refused(client, "greet", {"name": ""}, "NULL")
    try:
        await client.call_tool("ad", {})
    except MCPError as error:
        assert error.error.code == -32602 and "did you mean `add`?" in error.error.message, error
    else:
        raise AssertionError("there is no `ad`")


async def sqlite(client):
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert {"sqlite3_open", "sqlite3_step", "sqlite3_column_int64"} <= tools, tools

    async def call(name, **arguments):
        result = await client.call_tool(f"sqlite3_{name}", arguments)
        assert not result.is_error, result
        return result.structured_content

    db = (await call("open", filename=":memory:"))["db"]
    await call("exec", db=db, sql="CREATE TABLE t (a, b); INSERT INTO t VALUES (4498396441000000001, NULL)")
    stmt = (await call("prepare_v2", db=db, sql="SELECT a, b FROM t"))["stmt"]
    assert (await call("step", stmt=stmt))["code"] == 100
    # An integer that many JSON readers would round, and NULL: both are valid for their schemas.
    assert (await call("column_int64", stmt=stmt, column=0))["value"] == "4498396441000000001"
    assert (await call("column_text", stmt=stmt, column=1))["value"] is None
    await call("finalize", stmt=stmt)
    await refused(client, "sqlite3_step", {"stmt": stmt}, "stmt")
    await refused(client, "sqlite3_prepare_v2", {"db": db, "sql": "SELEC"}, "near \"SELEC\": syntax error")
    await call("close", db=db)


async def search(client):
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert tools == {"search_tools", "call_tool", "read_result"}, tools

    async def asked(tool, **arguments):
        result = await client.call_tool(tool, arguments)
        assert not result.is_error and result.structured_content is None, result
        return json.loads(result.content[0].text)

    found = (await asked("search_tools", query="open a database, run SQL, close the connection"))["tools"]
    found = {tool["name"]: tool for tool in found}
    assert {"sqlite3_open", "sqlite3_exec"} <= set(found), found
    assert found["sqlite3_open"]["inputSchema"]["required"] == ["filename"], found

    opened = await asked("call_tool", name="sqlite3_open", arguments={"filename": ":memory:"})
    rows = await asked("call_tool", name="sqlite3_exec", arguments={"db": opened["db"], "sql": "SELECT 1 AS one"})
    assert rows["rows"] == [{"values": ["1"], "names": ["one"]}], rows
    wrong = {"name": "sqlite3_exec", "arguments": {"db": opened["db"], "sql": "SELEC"}}
    await refused(client, "call_tool", wrong, "near \"SELEC\": syntax error. Correct the SQL")
    await refused(client, "call_tool", {"name": "sqlite3_opn"}, "did you mean `sqlite3_open`?")
    await refused(client, "call_tool", {"name": "sqlite3_free"}, "its document does not offer it")
    # A function that was found can be called by its own name too.
    await given(client, "sqlite3_close", opened, {})


async def sessions(url):
    """Clients of a revision with sessions have handles of their own; the newest one has no sessions."""

    async def opened(client):
        result = await client.call_tool("sqlite3_open", {"filename": ":memory:"})
        assert not result.is_error, result
        return result.structured_content["db"]

    def client(mode="legacy"):
        return Client(url, mode=mode, read_timeout_seconds=30)

    async with client() as one:
        kept = await opened(one)
        async with client() as two, client("auto") as newest, client("auto") as other:
            theirs = await opened(two)
            await refused(one, "sqlite3_close", {"db": theirs}, "is not a handle that this tool gave out")
            await refused(two, "sqlite3_close", {"db": kept}, "is not a handle that this tool gave out")
            await refused(newest, "sqlite3_close", {"db": kept}, "is not a handle that this tool gave out")
            shared = await opened(newest)
            await given(other, "sqlite3_close", {"db": shared}, {})
        # The others have left.
        await given(one, "sqlite3_close", {"db": kept}, {})


async def main():
    tests, *target = sys.argv[1:]
    if tests == "sessions":
        return await sessions(*target)
    for mode, revision in [("legacy", "2025-11-25"), ("auto", "2026-07-28")]:
        server = target[0] if target[0].startswith("http") else StdioServerParameters(
            command=target[0], args=target[1:]
        )
        async with Client(server, mode=mode, read_timeout_seconds=30) as client:
            assert client.protocol_version == revision, client.protocol_version
            test, name = {"calc": (calc, "calc"), "sqlite": (sqlite, "sqlite"), "search": (search, "sqlite")}[tests]
            assert client.server_info.name == name, client.server_info
            await test(client)


asyncio.run(main())
