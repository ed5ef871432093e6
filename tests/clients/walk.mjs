// A walk through the page in Chromium as two owners: ask, watch, open the words behind a claim, edit
// an artifact and resume, compare rounds, export. On every page axe-core has nothing to say, at both
// widths and in both colours, and nothing that anybody wrote runs. With PICTURES, every page is
// pictured there.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import { chromium } from "playwright-core";

import { CHROMIUM, scratch, token, until, withServer } from "./server.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PICTURES = process.env.PICTURES;
const WIDTHS = [390, 1280];
const SCHEMES = ["light", "dark"];

const TOPIC = "Should radiators of an old house be replaced?";
const HOSTILE =
  "<script>window.ran=1</script><img src=x onerror=window.ran=1>\"'`{{7*7}}{% raw %}\u202e\u0007 " +
  "[x](javascript:window.ran=1) <a href='javascript:window.ran=1'>y</a> </textarea></title>";
const DOCUMENTS = {
  "hostile.md": `---\ntitle: "Radiators <script>window.ran=1</script> \u0007 javascript:window.ran=1"\nauthor: "<img src=x onerror=window.ran=1>"\n---\n\n# Radiators ${HOSTILE}\n\nRadiators of an old house have to be replaced ${HOSTILE} where they are too small for the water of a heat pump.\n\n<svg onload="window.ran=1"></svg>\n`,
};

/// Finds fault with the page that is open, and pictures it.
async function look(page, name) {
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
  assert.equal(await page.evaluate(() => window.ran), undefined, `${name}: hostile text ran`);
}

/// A page of a browser of its own, signed in as an owner, that fails when anything hostile runs.
async function signedIn(browser, address, owner) {
  const context = await browser.newContext({ acceptDownloads: true });
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
  await page.getByLabel("Token").fill(token(owner));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText(`Signed in as ${owner}`).waitFor();
  return { page, faults };
}

/// Asks a question from the home page, and waits for its report while the page shows progress.
async function ask(page, address, topic, rounds) {
  await page.goto(address);
  await page.getByLabel("Question or topic").fill(topic);
  await page.getByLabel("Most rounds").fill(String(rounds));
  await page.getByRole("button", { name: "Research", exact: true }).click();
  await page.waitForURL(/\/sessions\//);
  await report(page);
  return page.url();
}

async function report(page) {
  await page.locator("article").waitFor({ timeout: 120_000 });
}

async function openClaim(page) {
  const claim = page.locator("details.claim").first();
  await claim.locator("summary").focus();
  await page.keyboard.press("Enter");
  await claim.locator("mark").first().waitFor({ state: "visible" });
  const quoted = await claim.locator("mark").first().textContent();
  const words = await claim.locator(".words").textContent();
  assert.ok(words.includes(quoted) || quoted.includes(words), `${words} in ${quoted}`);
}

async function editAndResume(page, session, words) {
  await page.goto(`${session}/files/research.json`);
  const text = page.getByLabel("Text");
  const before = await text.inputValue();
  const edited = before.replace(/("observation": ")/, (_, start) => start + words);
  assert.notEqual(edited, before);
  await text.fill(edited);
  await page.getByRole("button", { name: "Save and resume" }).click();
  await page.waitForURL(session);
  await report(page);
  await page.goto(`${session}/files/research.json`);
  assert.equal(await text.inputValue(), edited);
}

async function exportAs(page, session, format) {
  await page.goto(session);
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: format, exact: true }).click();
  return readFile(await (await waiting).path(), "utf8");
}

test("two owners walk through the page", { timeout: 900_000 }, async () => {
  if (PICTURES) await mkdir(PICTURES, { recursive: true });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox"],
  });
  try {
    const directory = await scratch(DOCUMENTS);
    // Every round is sent back, so that there are two.
    const settings = { identity: true, RESEARCH_RUN__THRESHOLD: "1" };
    await withServer(directory, settings, (address) => walk(browser, address));
  } finally {
    await browser.close();
  }
});

async function walk(browser, address) {
  const stranger = await browser.newPage();
  await stranger.goto(address);
  await look(stranger, "sign-in");

  const ann = await signedIn(browser, address, "ann");
  await look(ann.page, "home-empty");
  await ann.page.getByLabel("Question or topic").fill(TOPIC);
  await ann.page.getByRole("button", { name: "What would it take?" }).click();
  await ann.page.getByRole("heading", { name: "What it would take" }).waitFor();
  await look(ann.page, "forecast");
  const session = await ask(ann.page, address, TOPIC, 2);
  await look(ann.page, "session");
  await openClaim(ann.page);
  for (const summary of await ann.page.locator("details.gates > summary").all()) {
    await summary.click();
  }
  await look(ann.page, "session-open");
  await editAndResume(ann.page, session, "Edited. ");
  await look(ann.page, "file");
  await ann.page.goto(`${session}/files`);
  await look(ann.page, "files");
  await ann.page.goto(session);
  const exported = await exportAs(ann.page, session, "md");
  assert.ok(exported.includes(TOPIC));

  // Another owner: nothing of the first is there, and hostile words in every field.
  const bob = await signedIn(browser, address, "bob");
  assert.ok(!(await bob.page.content()).includes(TOPIC));
  assert.equal((await bob.page.goto(session)).status(), 404);
  await look(bob.page, "no-session");
  bob.faults.length = 0;
  const hostile = await ask(bob.page, address, `${TOPIC} ${HOSTILE}`, 2);
  await look(bob.page, "hostile");
  await editAndResume(bob.page, hostile, "<script>window.ran=1</script>\\u0007 ");
  await bob.page.goto(hostile);
  for (const summary of await bob.page.locator("summary").all()) {
    if (await summary.isVisible()) await summary.click();
  }
  await look(bob.page, "hostile-open");
  await bob.page.goto(`${hostile}/files/sources/S1.md`);
  await look(bob.page, "source");
  const html = await exportAs(bob.page, hostile, "html");
  assert.ok(!/<script>window|<img src=x|href='?"?javascript/i.test(html));
  await bob.page.goto(address);
  await look(bob.page, "home");

  // Two sessions, and two rounds, side by side.
  const other = await ask(ann.page, address, "What does a heat pump cost?", 1);
  await ann.page.locator("summary", { hasText: "Files and how" }).click();
  await ann.page.getByRole("button", { name: "Compare" }).click();
  await ann.page.getByRole("heading", { name: "Side by side" }).waitFor();
  await look(ann.page, "sessions-compared");
  await until("a second round", async () => {
    await ann.page.goto(`${session}/diff`);
    return ann.page.getByRole("heading", { name: "Side by side" }).isVisible();
  });
  await look(ann.page, "rounds-compared");
  await ann.page.goto(other);
  await ann.page.getByLabel("Ask a follow-up question").fill("What do grants pay of it?");
  await ann.page.getByRole("button", { name: "Ask", exact: true }).click();
  await ann.page.waitForURL((url) => url.href !== other);
  await report(ann.page);
  assert.deepEqual(ann.faults, []);
  assert.deepEqual(bob.faults, []);
}
