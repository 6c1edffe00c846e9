// A browser for the tests of the page: Debian's Chromium, driven by Playwright. Whatever a test does, nothing may reach another
// origin, break the content security policy, or write an error to the console.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../../target/browser/", import.meta.url));
const { chromium } = require("playwright-core");

export const axe = require.resolve("axe-core/axe.min.js");

const PROGRAM = process.env.OPENDYN_CHROMIUM ?? "/usr/bin/chromium";
const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Runs `act` with a page of `url`, and then checks what the browser saw. `allowed` are console errors that belong to the test. */
export async function within(url, options, act, allowed = []) {
  const browser = await chromium.launch({ executablePath: PROGRAM, args: ARGUMENTS });
  try {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
    const wrong = [];
    const watched = (page) => {
      page.on("console", (message) => {
        const text = message.text();
        if (message.type() === "error" && !allowed.some((one) => text.includes(one))) wrong.push(`console: ${text}`);
      });
      page.on("pageerror", (error) => wrong.push(`error: ${error.stack}`));
      page.on("request", (request) => {
        const address = new URL(request.url());
        if (address.origin !== new URL(url).origin) wrong.push(`a request to ${request.url()}`);
      });
      return page;
    };
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
    const page = watched(await context.newPage());
    page.setDefaultTimeout(20_000);
    await act(page, context, watched);
    assert.deepEqual(wrong, []);
  } finally {
    await browser.close();
  }
}

/** Opens a function by its link. */
export async function choose(page, name) {
  await page.locator(`#functions a[data-name="${name}"]`).click();
  await page.locator("main h2", { hasText: name }).waitFor();
}

/** The field of a parameter, a member or an element. */
export function field(page, name) {
  return page.locator(".field").filter({ has: page.locator(`:scope > .head > .name > code:text-is("${name}")`) }).first();
}

/** The control of a field. */
export function control(page, name) {
  return field(page, name).locator("> .body").locator("input, textarea, select").first();
}

/** Calls, and returns the reply as JSON. */
export async function call(page) {
  const replied = page.waitForResponse((response) => response.url().endsWith("/opentool/call"));
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await (await replied).finished();
  await page.locator(".reply pre").waitFor();
  return JSON.parse(await page.locator(".reply pre").textContent());
}
