// A server on a free port of loopback over the example documents, which ends with its test.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const ROOT = resolve(import.meta.dirname, "../..");

/// The program that is tested.
export const PROGRAM = resolve(ROOT, process.env.RESEARCH ?? "target/debug/research");

/// The browser.
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const SECRET = "a secret of tests, which is long enough";

/// The same environment everywhere: no model, no web, no settings but those of the program.
export function environment(directory, more = {}) {
  return {
    HOME: directory,
    PATH: process.env.PATH,
    RESEARCH_MODEL: "rules",
    RESEARCH_SEARCH__SERVICES: "",
    ...more,
  };
}

/// A directory with the example documents and these files beside them.
export async function scratch(files = {}) {
  const directory = await mkdtemp(join(tmpdir(), "research-"));
  await cp(join(ROOT, "examples/heat-pumps"), join(directory, "docs"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(directory, "docs", name), text);
  }
  return directory;
}

/// Runs a test with the address of a server in a directory; with identity, requests need tokens.
export async function withServer(directory, { identity = false, ...settings }, test) {
  const tokens = { RESEARCH_JWT_SECRET: SECRET, RESEARCH_SERVER__AUDIENCE: "us" };
  const more = { ...settings, ...(identity ? tokens : {}) };
  const server = spawn(PROGRAM, ["serve", "--listen", "127.0.0.1:0", "--docs", "docs"], {
    cwd: directory,
    env: environment(directory, more),
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await new Promise((found, failed) => {
      server.once("error", failed);
      server.once("exit", (code) => failed(new Error(`the server ended with ${code}`)));
      createInterface(server.stdout).once("line", (line) => found([line]));
    });
    await test(line.replace("listening on ", ""));
  } finally {
    server.removeAllListeners("exit");
    server.kill();
    await rm(directory, { recursive: true, force: true });
  }
}

/// A token of an owner.
export function token(owner) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const message = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: owner, aud: "us", exp })}`;
  return `${message}.${createHmac("sha256", SECRET).update(message).digest("base64url")}`;
}

/// Waits until something is the case.
export async function until(what, isSo) {
  const end = Date.now() + 120_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, what);
    await new Promise((next) => setTimeout(next, 100));
  }
}
