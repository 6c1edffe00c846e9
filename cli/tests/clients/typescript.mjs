// What every client for TypeScript does: `typescript.mjs FOLDER PACKAGE SERVERS`, where FOLDER has the package. The tasks are
// those of tasks.py.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

const [folder, name, servers] = process.argv.slice(2);
const required = createRequire(`${folder}/`);

// The first package is the successor of the second.
const sdk = {
  "@modelcontextprotocol/client": () => ({
    ...required("@modelcontextprotocol/client"),
    ...required("@modelcontextprotocol/client/stdio"),
    options: (options) => [options],
  }),
  "@modelcontextprotocol/sdk": () => ({
    ...required("@modelcontextprotocol/sdk/client/index.js"),
    ...required("@modelcontextprotocol/sdk/client/stdio.js"),
    ...required("@modelcontextprotocol/sdk/client/streamableHttp.js"),
    options: (options) => [undefined, options],
  }),
}[name]();

// Whatever is waited for happens at once, but the machine may be busy. The deadline of the servers is far beyond it.
const PATIENCE = 60_000;
const ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";

async function connected(target) {
  const transport =
    typeof target === "string"
      ? new sdk.StreamableHTTPClientTransport(new URL(target))
      : new sdk.StdioClientTransport({ command: target[0], args: target.slice(1) });
  const client = new sdk.Client({ name: "test", version: "1" });
  await client.connect(transport);
  return client;
}

/** The result of a call; an error has the text that a model reads. */
async function call(client, name, args, options = { timeout: PATIENCE }) {
  const result = await client.callTool({ name, arguments: args }, ...sdk.options(options));
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent ?? JSON.parse(result.content[0].text);
}

const refused = (client, name, args, message) => assert.rejects(call(client, name, args), { message });

/** Begins a call, cancels it when it runs, and returns the processes that it ran in. */
async function cancel(client, name, args) {
  const controller = new AbortController();
  const before = processes();
  let ended;
  const begun = call(client, name, args, { signal: controller.signal, timeout: 10 * PATIENCE });
  const outcome = begun.then((result) => (ended = result), (error) => (ended = error));
  const begin = Date.now();
  let busy = [];
  while (busy.length === 0) {
    assert.equal(ended, undefined, "it has no end");
    assert.ok(Date.now() < begin + PATIENCE, "the call does not run");
    await sleep(50);
    busy = [...processes()].filter(([id, used]) => used >= (before.get(id) ?? 0) + 0.5).map(([id]) => id);
  }
  controller.abort("no longer wanted");
  assert.ok((await outcome) instanceof Error, `it was cancelled: ${ended}`);
  return busy;
}

const tasks = {
  async searched_and_cancelled(client) {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), ["call_tool", "read_result", "search_tools"]);
    const called = (name, args) => call(client, "call_tool", { name, arguments: args });
    const found = (await call(client, "search_tools", { query: "open a database" })).tools;
    const open = found.find((tool) => tool.name === "sqlite3_open");
    assert.deepEqual(open.inputSchema.required, ["filename"]);
    const { db } = await called("sqlite3_open", { filename: ":memory:" });
    await called("sqlite3_exec", { db, sql: "create table planets (name); insert into planets values ('Saturn')" });
    const wrong = { name: "sqlite3_exec", arguments: { db, sql: "selec" } };
    await refused(client, "call_tool", wrong, /near "selec": syntax error. Correct the SQL/);
    await refused(client, "call_tool", { name: "sqlite3_opn" }, /did you mean `sqlite3_open`\?/);
    await cancel(client, "call_tool", { name: "sqlite3_exec", arguments: { db, sql: ENDLESS } });
    const { rows } = await called("sqlite3_exec", { db, sql: "select name from planets" });
    assert.deepEqual(rows, [{ values: ["Saturn"], names: ["name"] }]);
    await called("sqlite3_close", { db });
  },

  async listed(client) {
    const { tools } = await client.listTools();
    assert.ok(tools.length >= 100 && tools.every((tool) => tool.inputSchema.type === "object"));
    const { db } = await call(client, "sqlite3_open", { filename: ":memory:" });
    const { stmt } = await call(client, "sqlite3_prepare_v2", { db, sql: "select 4498396441000000001, null" });
    assert.equal((await call(client, "sqlite3_step", { stmt })).code, 100);
    // Beyond what JavaScript holds exactly, and NULL.
    const integer = await call(client, "sqlite3_column_int64", { stmt, column: 0 });
    assert.equal(integer.value, "4498396441000000001");
    assert.equal((await call(client, "sqlite3_column_text", { stmt, column: 1 })).value, null);
    await call(client, "sqlite3_finalize", { stmt });
    await refused(client, "sqlite3_step", { stmt }, /stmt/);
    await refused(client, "sqlite3_exec", { db, sql: "selec" }, /syntax error. Correct the SQL/);
    await call(client, "sqlite3_close", { db });
  },

  async unsigned(client) {
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "compressBound"));
    for (const hello of ["aGVsbG8=", { text: "hello" }, { hex: "68656c6c6f" }]) {
      assert.deepEqual(await call(client, "crc32", { buf: hello }), { checksum: 0x3610a686 });
    }
    await refused(client, "compressBound", { sourceLen: -1 }, /\/sourceLen: -1/);
  },

  async killed(client) {
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "spin"));
    assert.deepEqual(await call(client, "add", { a: 2, b: 3 }), { result: 5 });
    await refused(client, "null_read", {}, /SIGSEGV in `null_read`, at address 0x8/);
    assert.deepEqual(await call(client, "add", { a: 3, b: 3 }), { result: 6 });
    const spinning = await cancel(client, "spin", {});
    assert.deepEqual(await call(client, "add", { a: 4, b: 3 }), { result: 7 });
    const begin = Date.now();
    while (spinning.some((id) => processes().has(id))) {
      assert.ok(Date.now() < begin + PATIENCE, "the worker of the cancelled call does not end");
      await sleep(50);
    }
  },
};

/** The workers of all servers of this test, each with the processor time that it has used, in seconds. */
function processes() {
  const roots = new Set([process.pid, ...process.env.SERVERS.split(" ").filter(Boolean).map(Number)]);
  const parents = new Map();
  const used = new Map();
  for (const entry of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    let stat;
    try {
      stat = readFileSync(`/proc/${entry}/stat`, "latin1");
    } catch {
      continue;
    }
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") continue;
    parents.set(Number(entry), Number(parent));
    // Linux counts in hundredths of a second on every machine that Node.js runs on.
    used.set(Number(entry), (Number(rest[9]) + Number(rest[10])) / 100);
  }
  const isOurs = (id) => {
    while (parents.has(id)) {
      id = parents.get(id);
      if (roots.has(id)) return true;
    }
    return false;
  };
  return new Map([...used].filter(([id]) => isOurs(id)));
}

for (const [task, target] of Object.entries(JSON.parse(servers))) {
  const client = await connected(target);
  await tasks[task](client);
  await client.close();
}
