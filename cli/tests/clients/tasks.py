"""What every client for Python does: it lists, searches, calls, sees errors and cancels. Each script has a class with

    tools()                  the input schemas that it shows its model, by the name of the tool
    call(name, arguments)    the result of a call, or `Refused` with the text that its model reads
    cancel(name, arguments)  begins a call, gives it up when it runs, and returns the processes that `running` saw
"""

import asyncio
import json
import os
import time

ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"

# Whatever is waited for happens at once, but the machine may be busy. The deadline of the servers is far beyond it.
PATIENCE = 60


class Refused(Exception):
    """A result that is an error, with its text."""


def value(result):
    """The JSON of a result, from whatever form the client gives it."""
    if isinstance(result, str):
        return json.loads(result)
    if isinstance(result, list):
        return json.loads("".join(part if isinstance(part, str) else part["text"] for part in result))
    return result


async def refused(client, name, arguments, message):
    try:
        result = await client.call(name, arguments)
    except Refused as error:
        assert message in str(error), error
    else:
        raise AssertionError(f"{name} {arguments}: {result}")


async def searched(client):
    """SQLite, whose functions are found by a search and called by `call_tool`."""
    tools = await client.tools()
    assert set(tools) == {"search_tools", "call_tool", "read_result"}, tools
    assert tools["search_tools"]["required"] == ["query"], tools

    async def called(name, **arguments):
        return value(await client.call("call_tool", {"name": name, "arguments": arguments}))

    found = value(await client.call("search_tools", {"query": "open a database"}))["tools"]
    found = {tool["name"]: tool["inputSchema"] for tool in found}
    assert found["sqlite3_open"]["required"] == ["filename"], found
    db = (await called("sqlite3_open", filename=":memory:"))["db"]
    await called("sqlite3_exec", db=db, sql="create table planets (name); insert into planets values ('Saturn')")
    wrong = {"name": "sqlite3_exec", "arguments": {"db": db, "sql": "selec"}}
    await refused(client, "call_tool", wrong, "syntax error. Correct the SQL")
    await refused(client, "call_tool", {"name": "sqlite3_opn"}, "did you mean `sqlite3_open`?")
    return db, called


async def searched_and_cancelled(client):
    """The same; SQLite ends a cancelled query itself, and the connection lives on."""
    db, called = await searched(client)
    await client.cancel("call_tool", {"name": "sqlite3_exec", "arguments": {"db": db, "sql": ENDLESS}})
    rows = await asyncio.wait_for(called("sqlite3_exec", db=db, sql="select name from planets"), PATIENCE)
    assert rows["rows"] == [{"values": ["Saturn"], "names": ["name"]}], rows
    await called("sqlite3_close", db=db)


async def listed(client):
    """SQLite with all its functions in a list: the client reads the schema of each, and checks results against them."""
    tools = await client.tools()
    assert len(tools) >= 100 and tools["sqlite3_open"]["required"] == ["filename"], tools
    assert all(schema["type"] == "object" for schema in tools.values()), tools
    db = value(await client.call("sqlite3_open", {"filename": ":memory:"}))["db"]
    stmt = value(await client.call("sqlite3_prepare_v2", {"db": db, "sql": "select 4498396441000000001, null"}))["stmt"]
    assert value(await client.call("sqlite3_step", {"stmt": stmt}))["code"] == 100
    # Beyond what many readers of JSON hold exactly, and NULL.
    integer = value(await client.call("sqlite3_column_int64", {"stmt": stmt, "column": 0}))["value"]
    assert integer == "4498396441000000001", integer
    assert value(await client.call("sqlite3_column_text", {"stmt": stmt, "column": 1}))["value"] is None
    await client.call("sqlite3_finalize", {"stmt": stmt})
    await refused(client, "sqlite3_step", {"stmt": stmt}, "stmt")
    await refused(client, "sqlite3_exec", {"db": db, "sql": "selec"}, "syntax error. Correct the SQL")
    await client.call("sqlite3_close", {"db": db})


async def unsigned(client):
    """zlib, whose results are unsigned integers of 64 bits."""
    assert {"compressBound", "crc32"} <= set(await client.tools())
    for hello in ["aGVsbG8=", {"text": "hello"}, {"hex": "68656c6c6f"}]:
        assert value(await client.call("crc32", {"buf": hello}))["checksum"] == 0x3610A686, hello
    assert value(await client.call("compressBound", {"sourceLen": 2**60}))["bound"] == str(2**60 + 2**48 + 2**46 + 2**35 + 13)
    await refused(client, "compressBound", {"sourceLen": -1}, "/sourceLen: -1")


async def killed(client):
    """A library that cannot end a call itself: its worker is ended, and the next call has a new one."""
    assert {"add", "spin"} <= set(await client.tools())
    assert value(await client.call("add", {"a": 2, "b": 3}))["result"] == 5
    await refused(client, "null_read", {}, "SIGSEGV in `null_read`, at address 0x8")
    assert value(await client.call("add", {"a": 3, "b": 3}))["result"] == 6
    spinning = await client.cancel("spin", {})
    reply = await asyncio.wait_for(client.call("add", {"a": 4, "b": 3}), PATIENCE)
    assert value(reply)["result"] == 7, reply
    begin = time.monotonic()
    while spinning & set(processes()):
        assert time.monotonic() < begin + PATIENCE, "the worker of the cancelled call does not end"
        await asyncio.sleep(0.05)


async def running(task):
    """Waits until a call uses processor time, as only an endless one does for so long, and returns the processes that do."""
    begin, before = time.monotonic(), processes()
    while True:
        busy = {process for process, used in processes().items() if used >= before.get(process, 0) + 0.3}
        if busy:
            return busy
        assert not task.done(), task.result()
        assert time.monotonic() < begin + PATIENCE, "the call does not run"
        await asyncio.sleep(0.05)


async def given_up(call):
    """Begins a call, and cancels its task when it runs."""
    task = asyncio.create_task(call)
    busy = await running(task)
    task.cancel()
    try:
        result = await task
    except asyncio.CancelledError:
        return busy
    raise AssertionError(f"it was cancelled: {result}")


def processes():
    """The workers of all servers of this test, each with the processor time that it has used, in seconds."""
    roots = {os.getpid(), *map(int, os.environ["SERVERS"].split())}
    parents, used = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as stat:
                state, parent, *rest = stat.read().rpartition(")")[2].split()
        except OSError:
            continue
        if state != "Z":
            parents[int(entry)] = int(parent)
            used[int(entry)] = (int(rest[9]) + int(rest[10])) / os.sysconf("SC_CLK_TCK")

    def is_ours(process):
        while process in parents:
            process = parents[process]
            if process in roots:
                return True
        return False

    return {process: used[process] for process in used if is_ours(process)}
