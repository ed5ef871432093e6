// A walk through the page in Chromium as two owners: ask, open the words behind a claim, edit an
// artifact and resume, compare rounds, export, ask on. On every page axe-core has nothing to say, at
// both widths and in both colours, and nothing that anybody wrote runs. With PICTURES, every page is
// pictured there.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { HOSTILE, ask, assertHarmless, look, opened, report, withBrowser } from "./page.mjs";
import { scratch, token, withServer } from "./server.mjs";

const TOPIC = "Should radiators of an old house be replaced?";
/// A question of which the first round does not find all, so that there is a second one.
const MANY_TOPIC =
  "insulation, grants, compressors, windows, carbon dioxide and maintenance of heat pumps";
const SETTINGS = {
  RESEARCH_RUN__THRESHOLD: "1",
  RESEARCH_AGENTS__PLANNER__MAX_PLAN_ITERATIONS: "1",
};
const HOSTILE_OWNER = "bob <img src=x onerror=window.ran=1>";
/// Documents of which nothing but the hostile question has words.
const WINDOWS_TOPIC = "Should windows of a conservatory be replaced?";
const HOSTILE_TOPIC = `${WINDOWS_TOPIC} ${HOSTILE}`;
const DOCUMENTS = {
  "hostile.md": [
    '---\ntitle: "Windows <script>window.ran=1</script> \u0007 javascript:window.ran=1"',
    'author: "<img src=x onerror=window.ran=1>"\n---\n',
    `# Windows ${HOSTILE}\n`,
    `Windows of a conservatory have to be replaced ${HOSTILE} where they are too thin.\n`,
    '<svg onload="window.ran=1"></svg>\n',
  ].join("\n"),
  "<img src=x onerror=window.ran=1>.md": [
    "# Old windows of a conservatory\n",
    "Old windows of a conservatory are replaced [here](javascript:window.ran=1) and " +
      '![there](x" onerror="window.ran=1).\n',
  ].join("\n"),
  "bookmarks.html": [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    "<title>Windows &lt;script&gt;window.ran=1&lt;/script&gt;</title><h1>Bookmarks</h1><dl><dt>",
    '<a href="javascript:window.ran=1" onclick="window.ran=1" icon="javascript:window.ran=1">',
    "Windows of a conservatory should be replaced, says this bookmark.</a>",
    "<dd>Old windows of a conservatory are replaced one by one, says",
    '&lt;iframe srcdoc="&lt;script&gt;parent.ran=1&lt;/script&gt;"&gt;.</dl>',
    "<script>window.ran=1</script>",
  ].join("\n"),
};

/// A page of a browser of its own, signed in as an owner.
async function signedIn(browser, address, owner) {
  const { page, faults } = await opened(browser, address);
  await page.getByLabel("Token").fill(token(owner));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText(`Signed in as ${owner}`).waitFor();
  return { page, faults };
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

async function openAll(page) {
  for (const summary of await page.locator("summary").all()) {
    if (await summary.isVisible()) await summary.click();
  }
}

async function exportAs(page, session, format) {
  await page.goto(session);
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: format, exact: true }).click();
  return readFile(await (await waiting).path(), "utf8");
}

test("two owners walk through the page", { timeout: 900_000 }, async () => {
  await withBrowser(async (browser) => {
    const directory = await scratch(DOCUMENTS);
    await withServer(directory, { identity: true, ...SETTINGS }, async (address) => {
      const stranger = await browser.newPage();
      await stranger.goto(address);
      await look(stranger, "sign-in");
      const ann = await signedIn(browser, address, "ann");
      const session = await walk(ann.page, address);
      const bob = await signedIn(browser, address, HOSTILE_OWNER);
      assert.ok(!(await bob.page.content()).includes(TOPIC));
      assert.equal((await bob.page.goto(session)).status(), 404);
      await look(bob.page, "no-session");
      // The browser itself says that a page was not found.
      bob.faults.length = 0;
      await hostile(bob.page, address);
      await compare(ann.page, address, session);
      assert.deepEqual(ann.faults, []);
      assert.deepEqual(bob.faults, []);
    });
  });
});

/// Asks, reads, edits and exports; returns the address of the session.
async function walk(page, address) {
  await look(page, "home-empty");
  await page.getByLabel("Question or topic").fill(TOPIC);
  await page.getByRole("button", { name: "What would it take?" }).click();
  await page.getByRole("heading", { name: "What it would take" }).waitFor();
  await look(page, "forecast");
  const session = await ask(page, address, TOPIC, 2);
  await look(page, "session");
  await openClaim(page);
  for (const summary of await page.locator("details.gates > summary").all()) {
    await summary.click();
  }
  await look(page, "session-open");
  await editAndResume(page, session, "Edited. ");
  await look(page, "file");
  await page.goto(`${session}/files`);
  await look(page, "files");
  const exported = await exportAs(page, session, "md");
  assert.ok(exported.includes(TOPIC));
  return session;
}

/// Hostile words in every field, and in the documents.
async function hostile(page, address) {
  const session = await ask(page, address, HOSTILE_TOPIC, 2);
  await look(page, "hostile");
  await editAndResume(page, session, "<script>window.ran=1</script>\\u0007 ");
  await page.goto(session);
  await openAll(page);
  await look(page, "hostile-open");
  // A bookmark that is a script, and a file whose name is markup.
  await ask(page, address, WINDOWS_TOPIC, 1);
  await openAll(page);
  for (const name of ["bookmarks.html", "<img src=x onerror=window.ran=1>.md"]) {
    await page.getByText(name).first().waitFor();
  }
  await look(page, "hostile-names");
  const links = page.locator("a[href*='/files/sources/']");
  const sources = await links.evaluateAll((all) => all.map(({ href }) => href));
  assert.ok(sources.length > 1);
  for (const source of sources) {
    await page.goto(source);
    await assertHarmless(page, source);
  }
  await look(page, "source");
  const name = encodeURIComponent("<img src=x onerror=window.ran=1>");
  const refused = await page.request.post(`${address}/v1/sessions`, {
    data: { topic: TOPIC, session: "<img src=x onerror=window.ran=1>" },
  });
  assert.equal(refused.status(), 422);
  const missing = await page.request.get(`${address}/sessions/${name}`);
  assert.equal(missing.status(), 404);
  const html = await exportAs(page, session, "html");
  const alone = await page.context().browser().newPage();
  await alone.setContent(html);
  await openAll(alone);
  await assertHarmless(alone, "the exported page");
  await page.goto(address);
  await look(page, "home");
}

/// Two sessions, and two rounds, side by side; then a question that follows up.
async function compare(page, address, session) {
  const other = await ask(page, address, MANY_TOPIC, 2);
  await page.locator("summary", { hasText: "Files and how" }).click();
  await page.getByRole("link", { name: "Compare the rounds" }).click();
  await page.getByRole("heading", { name: "Side by side" }).waitFor();
  await page.getByRole("heading", { name: /^Only after: [1-9]/ }).first().waitFor();
  await look(page, "rounds-compared");
  await page.goto(session);
  await page.locator("summary", { hasText: "Files and how" }).click();
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("heading", { name: /^Only in the second: [1-9]/ }).first().waitFor();
  await look(page, "sessions-compared");
  await page.goto(other);
  await page.getByLabel("Ask a follow-up question").fill("What do grants pay of it?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.waitForURL((url) => url.href !== other);
  await report(page);
  await look(page, "follow-up");
}
