// What the tests of the page share: a browser, a look at a page, a question and its report.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { chromium } from "playwright-core";

import { CHROMIUM } from "./server.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PICTURES = process.env.PICTURES;
const WIDTHS = [390, 1280];
const SCHEMES = ["light", "dark"];

/// Text that would run, or break out of what it stands in, were it taken for more than text.
export const HOSTILE =
  "<script>window.ran=1</script><img src=x onerror=window.ran=1>\"'`{{7*7}}{% raw %}\u202e\u0007 " +
  "[x](javascript:window.ran=1) <a href='javascript:window.ran=1'>y</a> </textarea></title>";

/// Runs a test with a browser.
export async function withBrowser(test) {
  if (PICTURES) await mkdir(PICTURES, { recursive: true });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    await test(browser);
  } finally {
    await browser.close();
  }
}

/// Finds fault with the page that is open, at both widths and in both colours, and pictures it.
export async function look(page, name) {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const found = await page.evaluate(`${AXE}; axe.run({resultTypes: ["violations"]})`);
      const faults = found.violations.map(({ id, nodes }) => [id, nodes.map((one) => one.html)]);
      const at = `${name}, ${width} px, ${colorScheme}`;
      assert.deepEqual(faults, [], at);
      const { scrollWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
      }));
      assert.ok(scrollWidth <= width, `${at}: ${scrollWidth} px wide`);
      if (PICTURES) {
        const path = join(PICTURES, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
  }
  await assertHarmless(page, name);
}

/// Fails if something of the page that is open ran, or would at a click.
export async function assertHarmless(page, name) {
  assert.equal(await page.evaluate(() => window.ran), undefined, `${name}: hostile text ran`);
  const live = await page.evaluate(() => {
    const all = [...document.querySelectorAll("*")].flatMap((one) => [...one.attributes]);
    const isLive = ({ name, value }) =>
      name.startsWith("on") || name === "srcdoc" || /^\s*(javascript|vbscript):/i.test(value);
    return all.filter(isLive).map(({ name, value }) => `${name}=${value}`);
  });
  assert.deepEqual(live, [], name);
}

/// A page of a browser of its own, and what went wrong in it: it should ask nobody else, say
/// nothing and break no rule of its policy.
export async function opened(browser, address, options = {}) {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("dialog", (dialog) => faults.push(dialog.message()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  page.on("request", (request) => {
    const isOwn = request.url().startsWith(address) || request.url().startsWith("data:,");
    if (!isOwn) faults.push(`asked for ${request.url()}`);
  });
  await page.goto(address);
  return { page, faults };
}

/// Fills in a question on the home page.
export async function fill(page, address, topic, rounds) {
  await page.goto(address);
  await page.getByLabel("Question or topic").fill(topic);
  await page.getByLabel("Most rounds").fill(String(rounds));
}

/// Presses the button that begins a session, and returns the address of that.
export async function begin(page) {
  await page.getByRole("button", { name: "Research", exact: true }).click();
  await page.waitForURL(/\/sessions\//);
  return page.url();
}

/// Asks a question from the home page, and waits for its report while the page shows progress.
export async function ask(page, address, topic, rounds) {
  await fill(page, address, topic, rounds);
  const session = await begin(page);
  await report(page);
  return session;
}

/// Waits for the report, which the page shows by itself, and for the end of the run: the page loads
/// itself once more then.
export async function report(page) {
  const isOver = () => {
    const progress = document.getElementById("progress");
    return document.querySelector("article") && !progress?.dataset.live;
  };
  await page.waitForFunction(isOver, undefined, { timeout: 120_000 });
}
