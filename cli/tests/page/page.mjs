// What the page must do. Each rule is run by a test of its name: `node page.mjs RULE URL [KEY]`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { axe, call, choose, control, field, within } from "./browser.mjs";

const [rule, url, key] = process.argv.slice(2);

const WRONG_KEY = ["status of 401"];

const rules = {
  async functions_are_listed_and_found() {
    await within(url, {}, async (page) => {
      await page.goto(url);
      await page.locator("#functions a").first().waitFor();
      assert.equal(await page.title(), "stock");
      assert.equal(await page.locator("#functions a").count(), 9);
      await page.getByLabel("Search functions").fill("sum numbers");
      assert.deepEqual(await page.locator("#functions a > code").allTextContents(), ["add", "total"]);
      assert.equal(await page.locator("#found").textContent(), "2 of 9 functions");
      await page.getByLabel("Search functions").fill("no such thing");
      assert.equal(await page.locator("#functions a").count(), 0);
    });
  },

  async a_call_shows_its_reply_and_is_logged() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/add`);
      await control(page, "a").fill("2");
      await control(page, "b").fill("-3");
      assert.deepEqual(await call(page), { result: -1 });
      assert.match(await page.locator("#log li summary").first().textContent(), /^addok/);
      await page.locator("#log summary").click();
      assert.deepEqual(await page.locator("#log pre").allTextContents(), ['{"a":2,"b":-3}', '{"result":-1}']);
    });
  },

  async every_kind_of_value_can_be_given() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/paint`);
      await control(page, "colour").selectOption({ label: "-4" });
      await control(page, "loud").check();
      assert.deepEqual(await call(page), { result: -39 }, "a note is left out");
      await page.getByLabel("note: what is given").selectOption("a value");
      await control(page, "note").fill("two\nlines");
      assert.deepEqual(await call(page), { result: -37 });

      await choose(page, "total");
      for (const number of ["10", "20", "30"]) {
        await page.getByRole("button", { name: "Add to xs" }).click();
        await page.locator(".items li:last-child input").fill(number);
      }
      await page.getByRole("button", { name: "Remove element 1 of xs" }).click();
      assert.deepEqual(await call(page), { result: 40 });

      await choose(page, "distance");
      const places = page.locator(".members input");
      for (const [at, number] of ["0", "0", "3", "0.5"].entries()) await places.nth(at).fill(number);
      assert.deepEqual(await call(page), { square: 9.25 });

      await choose(page, "checksum");
      await page.locator('input[type="file"]').setInputFiles({ name: "a.bin", mimeType: "application/octet-stream", buffer: Buffer.from([1, 2, 255]) });
      await page.getByText("a.bin, 3 bytes").waitFor();
      assert.equal(await control(page, "data").inputValue(), "AQL/");
      assert.deepEqual(await call(page), { sum: 1 * 31 * 31 + 2 * 31 + 255 });
    });
  },

  async no_digit_of_a_large_number_is_lost() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/twice`);
      await control(page, "x").fill("9007199254740993");
      await call(page);
      assert.match(await page.locator(".reply pre").textContent(), /18014398509481986/);
    });
  },

  async an_error_is_shown_at_its_field() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/total`);
      for (const number of ["1", "300"]) {
        await page.getByRole("button", { name: "Add to xs" }).click();
        await page.locator(".items li:last-child input").fill(number);
      }
      const reply = await call(page);
      assert.equal(reply.pointer, "/xs/1");
      const wrong = page.locator(".items li").nth(1);
      assert.match(await wrong.locator(".error").textContent(), /300 does not fit/);
      const input = wrong.locator("input");
      assert.equal(await input.getAttribute("aria-invalid"), "true");
      assert.equal(await input.evaluate((one) => document.activeElement === one), true);
      const described = await input.evaluate((one) => one.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id).textContent).join(" "));
      assert.match(described, /300 does not fit/);
      assert.equal(await page.locator(".error:visible").count(), 1);
      await input.fill("3");
      assert.equal(await page.locator(".error:visible").count(), 0);

      await choose(page, "add");
      await control(page, "a").fill("101");
      await control(page, "b").fill("x");
      await call(page);
      assert.match(await field(page, "a").locator(".error").textContent(), /101/);
      await control(page, "a").fill("1");
      await call(page);
      assert.match(await field(page, "b").locator(".error").textContent(), /integer/);
      await control(page, "a").fill("1");
      await control(page, "b").fill("");
      const absent = await call(page);
      assert.equal(absent.code, 400);
      assert.match(await field(page, "b").locator(".error").textContent(), /^missing; expected an integer/);

      await choose(page, "distance");
      await page.locator(".members input").nth(0).fill("text");
      for (const at of [1, 2, 3]) await page.locator(".members input").nth(at).fill("1");
      assert.equal((await call(page)).pointer, "/from/x");
      assert.equal(await page.locator(".members input").nth(0).getAttribute("aria-invalid"), "true");
    });
  },

  async a_handle_is_open_until_a_call_ends_it() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/sqlite3_open`);
      await control(page, "filename").fill(":memory:");
      await call(page);
      const open = page.locator("#handles .handle");
      assert.equal(await open.count(), 1);
      const token = await open.first().getAttribute("data-token");

      await choose(page, "sqlite3_prepare_v2");
      assert.equal(await control(page, "db").inputValue(), token, "it can be chosen");
      await control(page, "sql").fill("select 6 * 7");
      await call(page);
      assert.equal(await open.count(), 2);
      await choose(page, "sqlite3_step");
      await call(page);
      await choose(page, "sqlite3_column_int");
      await control(page, "column").fill("0");
      assert.equal(Object.values(await call(page))[0], 42);
      await choose(page, "sqlite3_finalize");
      await call(page);
      assert.equal(await open.count(), 1, "the statement is gone");
      await choose(page, "sqlite3_close");
      await call(page);
      assert.equal(await open.count(), 0);

      await choose(page, "sqlite3_errcode");
      assert.match(await control(page, "db").locator("option").first().textContent(), /no open/);
      await field(page, "db").locator('input[type="text"]').fill(token);
      const reply = await call(page);
      assert.equal(reply.pointer, "/db");
      assert.equal(await field(page, "db").locator(".error").isVisible(), true);
    });
  },

  async a_key_is_asked_for_and_kept_for_the_tab_alone() {
    await within(url, {}, async (page, context, watched) => {
      const secret = new Set();
      page.on("request", (request) => {
        assert.equal(request.url().includes(key), false, "the key is in an address");
        secret.add(new URL(request.url()).pathname);
      });
      await page.goto(url);
      const input = page.getByLabel("API key");
      await input.waitFor();
      assert.equal([...secret].some((path) => path.startsWith("/opentool")), false, "nothing is asked without a key");
      assert.equal(await input.evaluate((one) => document.activeElement === one), true);
      await input.fill("wrong");
      await input.press("Enter");
      await page.getByText("does not accept this key").waitFor();
      assert.equal(await page.locator("#page").isVisible(), false);
      await input.fill(key);
      await input.press("Enter");
      await page.locator("#functions a").first().waitFor();
      assert.equal(await page.evaluate(() => location.href + document.cookie + JSON.stringify(localStorage)).then((all) => all.includes(key.slice(1))), false);
      await choose(page, "add");
      await control(page, "a").fill("1");
      await control(page, "b").fill("1");
      assert.deepEqual(await call(page), { result: 2 });
      const html = await page.content();
      assert.equal(html.includes(key), false, "the key is shown");

      await page.reload();
      await page.locator("#functions a").first().waitFor();
      const other = watched(await context.newPage());
      await other.goto(url);
      await other.getByLabel("API key").waitFor();
      await page.getByRole("button", { name: "Forget the key" }).click();
      await page.getByLabel("API key").waitFor();
    }, WRONG_KEY);
  },

  async the_keyboard_is_enough() {
    await within(url, {}, async (page) => {
      await page.goto(url);
      await page.locator("#functions a").first().waitFor();
      const focused = () => page.evaluate(() => document.activeElement.textContent || document.activeElement.id || document.activeElement.tagName);
      await page.keyboard.press("Tab");
      assert.equal(await focused(), "Skip to the function");
      await page.keyboard.press("/");
      assert.equal(await focused(), "search");
      await page.keyboard.type("two numbers");
      await page.keyboard.press("ArrowDown");
      assert.match(await focused(), /^add/);
      await page.keyboard.press("Enter");
      await page.locator("main h2", { hasText: "add" }).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.id), "main");
      for (const number of ["20", "22"]) {
        await page.keyboard.press("Tab");
        await page.keyboard.type(number);
      }
      await page.keyboard.press("Control+Enter");
      await page.locator(".reply pre").waitFor();
      assert.match(await page.locator(".reply pre").textContent(), /42/);
    });
  },

  async a_refused_function_says_why_and_what_to_answer() {
    await within(url, {}, async (page) => {
      await page.goto(url);
      await page.locator("#refused summary").click();
      assert.deepEqual(await page.locator("#refused a > code").allTextContents(), ["gather", "wipe"]);
      await page.locator('#refused a[data-name="gather"]').click();
      await page.locator("main h2", { hasText: "gather" }).waitFor();
      const text = await page.locator("main").textContent();
      assert.match(text, /does not say how long the array xs is/);
      assert.match(text, /xs: How many elements does xs have\? Which parameter says so\?/);
      await page.locator('#refused a[data-name="wipe"]').click();
      await page.locator("main h2", { hasText: "wipe" }).waitFor();
      assert.match(await page.locator("main").textContent(), /This server refuses it: this server has --deny 'wipe\*'/);
    });
  },

  async text_of_a_document_is_never_read_as_html() {
    await within(url, {}, async (page) => {
      page.on("dialog", () => assert.fail("a script ran"));
      await page.goto(`${url}/#/tell`);
      await control(page, "text").fill("</textarea><img src=x>");
      assert.equal((await call(page)).text, "<img src=x onerror=alert(2)><script>alert(3)</script>");
      assert.match(await page.locator("main .prose").first().textContent(), /<b>it<\/b>. <img src=x onerror=alert\(1\)>/);
      assert.match(await field(page, "text").locator(".about").textContent(), /<script>alert\(1\)<\/script>/);
      assert.equal(await page.locator("img, b, body script").count(), 0);
      // The policy refuses what this page never does.
      const refused = await page.evaluate(() => {
        try {
          document.createElement("div").innerHTML = "<b>x</b>";
          return false;
        } catch {
          return true;
        }
      });
      assert.equal(refused, true);
    }, ["TrustedHTML", "policy: require-trusted-types-for"]);
  },

  async a_call_can_be_cancelled_and_the_next_one_works() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/nap`);
      await control(page, "seconds").fill("50");
      await page.getByRole("button", { name: "Call", exact: true }).click();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("The call was cancelled.").first().waitFor();
      assert.match(await page.locator("#log summary").first().textContent(), /^naperror/);
      await control(page, "seconds").fill("0");
      assert.deepEqual(await call(page), { left: 0 });
    });
  },

  async the_same_call_works_with_curl() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/paint`);
      if (key) {
        await page.getByLabel("API key").fill(key);
        await page.getByRole("button", { name: "Open" }).click();
      }
      await page.getByLabel("note: what is given").selectOption("a value");
      await control(page, "note").fill("it's \"$HOME\"\n`id` \\");
      const reply = await call(page);
      await page.getByText("The same call with curl").click();
      const text = await page.getByRole("region", { name: "The same call in other ways" }).locator("pre").first().textContent();
      const printed = execFileSync("sh", ["-c", text], { env: { ...process.env, OPENDYN_API_KEY: key } });
      assert.deepEqual(JSON.parse(printed).result, reply);
      await page.getByRole("button", { name: "Copy curl" }).click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
    });
  },

  async the_same_call_is_shown_in_rust_and_for_mcp() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/add`);
      await control(page, "a").fill("2");
      await control(page, "b").fill("3");
      await page.getByText("The same call in Rust").click();
      await page.getByText("All functions for an MCP client").click();
      const [rust, mcp] = await page.locator("details.same[open] pre").allTextContents();
      console.log(rust.replaceAll(url, "URL"));
      assert.deepEqual(JSON.parse(mcp), { mcpServers: { stock: { type: "http", url: `${url}/mcp` } } });
    });
  },

  async a_reply_of_a_megabyte_is_cut_and_can_be_shown() {
    await within(url, {}, async (page) => {
      await page.goto(`${url}/#/long_text`);
      await control(page, "length").fill("1000000");
      const replied = page.waitForResponse((response) => response.url().endsWith("/opentool/call"));
      await page.getByRole("button", { name: "Call", exact: true }).click();
      await replied;
      await page.getByText("The first 20.0 KB of 1.0 MB.").waitFor();
      assert.equal((await page.locator(".reply pre").textContent()).length, 20_000);
      await page.getByRole("button", { name: "Show all" }).click();
      assert.equal((await page.locator(".reply pre").textContent()).length > 1_000_000, true);
    });
  },

  async a_thousand_functions_are_listed_and_found() {
    await within(url, {}, async (page) => {
      await page.goto(url);
      await page.locator("#functions a").first().waitFor();
      assert.equal(await page.locator("#found").textContent(), "1000 functions");
      const begin = Date.now();
      await page.getByLabel("Search functions").fill("number_777");
      await page.locator('#functions a[data-name="number_777"]').waitFor();
      assert.equal(Date.now() - begin < 5000, true);
      await page.getByLabel("Search functions").fill("");
      await page.getByRole("button", { name: "Show all 1000" }).click();
      await page.locator("#functions a").nth(999).waitFor();
    });
  },

  async people_with_any_sight_and_any_screen_can_use_it() {
    for (const options of [
      { colorScheme: "light" },
      { colorScheme: "dark" },
      { colorScheme: "light", viewport: { width: 360, height: 720 } },
    ]) {
      await within(url, { reducedMotion: "reduce", ...options }, async (page) => {
        await page.goto(url);
        await page.evaluate(readFileSync(axe, "utf8"));
        for (const name of ["total", "paint", "distance", "checksum", "gather"]) {
          await page.goto(`${url}/#/${name}`);
          await page.locator("main h2", { hasText: name }).waitFor();
          if (name === "total") {
            await page.getByRole("button", { name: "Add to xs" }).click();
            await call(page);
          }
          for (const summary of await page.locator("main details > summary").all()) await summary.click();
          await page.evaluate((path) => path, "");
          const { violations } = await page.evaluate(() => window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
          const found = violations.map((one) => `${name}: ${one.id}: ${one.help}: ${one.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
          assert.deepEqual(found, [], JSON.stringify(options));
          const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
          assert.equal(wide, false, `${name} is wider than the screen`);
        }
      });
    }
  },
};

if (!rules[rule]) throw new Error(`no rule ${rule}`);
await rules[rule]();
