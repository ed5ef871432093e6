// The pictures in the README: a run in a terminal, its report, and the page, from the real outputs.
import { spawnSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

import { chromium } from "playwright-core";

import { CHROMIUM, PROGRAM, environment, scratch, withServer } from "./server.mjs";

const TOPIC = "Do heat pumps work in old houses?";
const DIRECTORY = resolve(import.meta.dirname, "../../docs/pictures");
const SIZE = { width: 900, height: 760 };
const COLUMNS = 100;
const LINES = 37;
/// How the lines of the progress are erased.
const ERASED = /\x1b\[\d+A\r\x1b\[2K(\x1b\[1B\r\x1b\[2K)*\x1b\[\d+A/g;
const require = createRequire(import.meta.url);

/// What a terminal gets from a run, and the session's report as HTML.
function run(directory) {
  const env = { ...environment(directory), TERM: "xterm-256color", PAGER: "cat", SHELL: "/bin/sh" };
  const line = `stty rows 200 cols ${COLUMNS}; '${PROGRAM}' run '${TOPIC}' --docs docs --session s`;
  const options = { cwd: directory, env, encoding: "utf8", timeout: 120_000, input: "" };
  const { stdout } = spawnSync("script", ["-qec", line, "/dev/null"], options);
  spawnSync(PROGRAM, ["export", "s", "--format", "html", "--output", "report.html"], options);
  // The progress is erased at the end: the picture shows it above the report.
  const frames = [...stdout.matchAll(ERASED)];
  const { index, 0: erased } = frames.at(-1);
  const shown = `${stdout.slice(0, index)}\r\n\r\n${stdout.slice(index + erased.length)}`;
  return `$ research run "${TOPIC}" --docs docs\r\n${shown}`;
}

async function terminal(page, text) {
  const of = (name) => readFile(require.resolve(`@xterm/xterm/${name}`), "utf8");
  await page.setContent("<body style='margin:0;padding:10px;background:#16181a'><div id=t></div></body>");
  await page.addStyleTag({ content: await of("css/xterm.css") });
  await page.addScriptTag({ content: await of("lib/xterm.js") });
  await page.evaluate(
    ([text, cols, rows]) => {
      const font = { fontFamily: "DejaVu Sans Mono, monospace", fontSize: 14 };
      const theme = { background: "#16181a", cursor: "#16181a" };
      const one = new Terminal({ ...font, cols, rows, theme, scrollback: 0 });
      one.open(document.getElementById("t"));
      return new Promise((written) => one.write(text, written));
    },
    [text, COLUMNS, 200],
  );
  await page.waitForTimeout(500);
  const row = await page.locator(".xterm-rows > div").first().boundingBox();
  const clip = { x: 0, y: 0, width: SIZE.width, height: row.height * LINES + 2 * row.y };
  await page.screenshot({ path: join(DIRECTORY, "terminal.png"), clip });
}

async function report(page, directory) {
  await page.goto(`file://${directory}/report.html`);
  await page.locator("details.claim summary").first().click();
  await page.screenshot({ path: join(DIRECTORY, "report.png") });
}

async function session(page, address) {
  await page.goto(`${address}/sessions/s`);
  await page.locator("summary", { hasText: "How it went" }).click();
  await page.locator("summary", { hasText: "Files and how" }).click();
  // The report is above.
  await page.locator("section[aria-label='Behind the report']").evaluate((one) => one.scrollIntoView());
  await page.screenshot({ path: join(DIRECTORY, "page.png") });
}

await mkdir(DIRECTORY, { recursive: true });
const directory = await scratch();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: SIZE });
await terminal(page, run(directory));
await report(page, directory);
await withServer(directory, {}, (address) => session(page, address));
await browser.close();
