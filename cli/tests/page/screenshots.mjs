// Takes the pictures of docs/page.md: `node screenshots.mjs FOLDER STOCK_URL SQLITE_URL`. `.ci/screenshots` runs it.

import { call, choose, control, within } from "./browser.mjs";

const [folder, stock, sqlite] = process.argv.slice(2);

const WIDE = { width: 1280, height: 760 };
const NARROW = { width: 390, height: 780 };

async function picture(name, url, options, act) {
  await within(url, { viewport: WIDE, colorScheme: "light", reducedMotion: "reduce", ...options }, async (page) => {
    await page.goto(url);
    await page.locator("#functions a").first().waitFor();
    await act(page);
    await page.evaluate(() => document.activeElement.blur());
    await page.screenshot({ path: `${folder}/page-${name}.png` });
  });
}

async function add(page, ...numbers) {
  for (const number of numbers) {
    await page.getByRole("button", { name: "Add to xs" }).click();
    await page.locator(".items li:last-child input").fill(number);
  }
}

await picture("form", stock, {}, async (page) => {
  await choose(page, "paint");
  await page.getByLabel("note: what is given").selectOption("a value");
  await control(page, "note").fill("for the fence");
});

async function withHandles(page) {
  await choose(page, "sqlite3_open");
  await control(page, "filename").fill(":memory:");
  await call(page);
  await choose(page, "sqlite3_prepare_v2");
  await control(page, "sql").fill("select 6 * 7 as answer");
  await call(page);
  await choose(page, "sqlite3_step");
  await call(page);
}

await picture("handles", sqlite, {}, withHandles);
await picture("dark", sqlite, { colorScheme: "dark" }, withHandles);

await picture("error", stock, {}, async (page) => {
  await choose(page, "total");
  await add(page, "10", "300");
  await call(page);
});

await picture("reply", stock, {}, async (page) => {
  await choose(page, "distance");
  for (const [at, number] of ["0", "0", "3", "0.5"].entries()) await page.locator(".members input").nth(at).fill(number);
  await call(page);
  await page.getByText("The same call with curl").click();
  await page.locator(".same").first().scrollIntoViewIfNeeded();
});

await picture("refused", stock, {}, async (page) => {
  await page.locator("#refused summary").click();
  await page.locator('#refused a[data-name="gather"]').click();
  await page.locator("main h2", { hasText: "gather" }).waitFor();
});

await picture("narrow", stock, { viewport: NARROW }, async (page) => {
  await choose(page, "total");
  await add(page, "10", "20");
  await call(page);
  await page.locator("main h2").scrollIntoViewIfNeeded();
  await page.evaluate(() => document.querySelector("main").scrollIntoView());
});
