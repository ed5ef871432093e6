// What a person does at the page while sessions run: approve a plan, answer questions, watch a batch
// and the session that it is at, and all of it without script.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { HOSTILE, ask, begin, fill, look, opened, report, withBrowser } from "./page.mjs";
import { PROGRAM, environment, scratch, until, withServer } from "./server.mjs";

const TOPIC = "What does a heat pump cost?";
/// A topic of which the rules make nothing, so that they ask back.
const UNCLEAR = "the of";
// Enough of them that one is caught at work: a session takes some hundredths of a second.
const TOPICS = Array.from({ length: 200 }, (_, number) => `${TOPIC} ${number} <b>${HOSTILE}`);

test("a plan is approved, questions are answered", { timeout: 300_000 }, async () => {
  await withBrowser(async (browser) => {
    await withServer(await scratch(), {}, async (address) => {
      const { page, faults } = await opened(browser, address);
      await approve(page, address);
      await fill(page, address, UNCLEAR, 1);
      await begin(page);
      await page.locator("textarea#answer").waitFor({ timeout: 120_000 });
      await look(page, "questions");
      await page.locator("textarea#answer").fill(TOPIC);
      await page.getByRole("button", { name: "Answer" }).click();
      await report(page);
      // By keyboard, the first thing is a way past the bar.
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
      await look(page, "answered");
      assert.deepEqual(faults, []);
    });
  });
});

test("a forecast names the calls and their cost", { timeout: 300_000 }, async () => {
  // Nobody is asked for a forecast.
  const settings = {
    RESEARCH_MODEL: "openai:gpt-4o",
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: "http://127.0.0.1:9",
    RESEARCH_SEARCH__SERVICES: "wikipedia",
  };
  await withBrowser(async (browser) => {
    await withServer(await scratch(), settings, async (address) => {
      const { page, faults } = await opened(browser, address);
      await fill(page, address, TOPIC, 1);
      await page.getByLabel("Search the web").check();
      await page.getByRole("button", { name: "What would it take?" }).click();
      await page.getByRole("cell", { name: /^\$[0-9]/ }).first().waitFor();
      await page.getByText("queries to wikipedia").waitFor();
      await look(page, "forecast-model");
      assert.deepEqual(faults, []);
    });
  });
});

/// Sees the plan before it is carried out, and changes a step of it.
async function approve(page, address) {
  await fill(page, address, TOPIC, 1);
  await page.getByLabel("Show me the plan first").check();
  await begin(page);
  await page.getByRole("button", { name: "Approve the plan" }).waitFor({ timeout: 120_000 });
  assert.equal(await page.locator("article").count(), 0);
  await look(page, "plan");
  await page.getByRole("link", { name: "Edit research/plan-1.json" }).click();
  const text = page.getByLabel("Text");
  await text.fill((await text.inputValue()).replace("Research what is said", "Look for what is said"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Approve the plan" }).click();
  await report(page);
  await page.locator("summary", { hasText: "How it went" }).click();
  await page.getByText("Look for what is said").waitFor();
}

test("a batch and its sessions are watched", { timeout: 300_000 }, async () => {
  await withBrowser(async (browser) => {
    const directory = await scratch();
    await withServer(directory, {}, async (address) => {
      await writeFile(join(directory, "topics.txt"), TOPICS.map((topic) => JSON.stringify({ topic })).join("\n"));
      const options = { cwd: directory, env: environment(directory), stdio: "ignore" };
      const batch = spawn(PROGRAM, ["batch", "topics.txt", "--docs", "docs", "-j", "1"], options);
      const ended = new Promise((end) => batch.once("exit", end));
      try {
        await watch(browser, address, batch);
        // Of some of these topics no document says anything.
        assert.ok([0, 5].includes(await ended));
      } finally {
        batch.kill("SIGKILL");
      }
    });
  });
});

async function watch(browser, address, batch) {
  const { page, faults } = await opened(browser, address);
  // Held within a session, so that there is time to look.
  const session = await held(batch, address);
  await page.goto(address);
  await page.getByRole("heading", { name: "Batches that run" }).waitFor();
  await page.locator("progress").waitFor();
  await look(page, "batch");
  await page.goto(`${address}/sessions/${session}`);
  await page.locator("details.gates[open]", { hasText: "How it went" }).waitFor();
  await page.locator(".tree li li").first().waitFor();
  assert.equal(await page.locator("article").count(), 0);
  await look(page, "watching");
  batch.kill("SIGCONT");
  await report(page);
  assert.deepEqual(faults, []);
}

/// Stops a batch in the middle of a session after its first one; returns the name of that.
async function held(batch, address) {
  let found;
  await until("a session that runs", async () => {
    batch.kill("SIGSTOP");
    const { sessions } = await (await fetch(`${address}/v1/sessions`)).json();
    const one = sessions.find(({ status }) => status.running?.step);
    found = sessions.length > 1 && one?.status.id;
    if (!found) batch.kill("SIGCONT");
    return found;
  });
  return found;
}

test("the page works without script", { timeout: 300_000 }, async () => {
  await withBrowser(async (browser) => {
    await withServer(await scratch(), {}, async (address) => {
      const { page, faults } = await opened(browser, address, { javaScriptEnabled: false });
      await ask(page, address, TOPIC, 1);
      const claim = page.locator("details.claim").first();
      await claim.locator("summary").click();
      await claim.locator("mark").first().waitFor({ state: "visible" });
      assert.deepEqual(faults, []);
    });
  });
});
