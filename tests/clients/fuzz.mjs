// The API by its description, with thousands of requests that fit it and that do not: schemathesis
// finds an answer that is a fault of the server, has a status or a body that is not described, or
// takes what it should refuse. First without sessions but those that it begins itself, then with one
// that is complete.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { scratch, until, withServer } from "./server.mjs";

const SCHEMATHESIS = resolve(import.meta.dirname, "../../target/schemathesis/bin/schemathesis");
/// The requests that are made up of each operation.
const EXAMPLES = "200";
/// What stands for the parameters of paths when there is a session.
const SESSION = `
[parameters]
"path.id" = "s"
"path.source" = "S1"
"path.name" = "research.json"

[[operations]]
include-method = "DELETE"
parameters = { "path.id" = "other" }
`;

async function fuzz(address, config, more) {
  const options = ["--max-examples", EXAMPLES, "--continue-on-failure", "--seed", "1"];
  // With several workers, Python 3.11 fails at parsing the sources of the tool itself.
  const limits = ["--request-timeout", "60", "--workers", "1", "--warnings", "off"];
  const run = ["--config-file", config, "run", `${address}/openapi.json`, ...options, ...limits];
  const child = spawn(SCHEMATHESIS, [...run, ...more], { stdio: "inherit" });
  const code = await new Promise((end) => child.once("exit", end));
  process.exitCode ||= code;
}

const directory = await scratch();
await withServer(directory, { RESEARCH_SERVER__MAX_REQUESTS_PER_MINUTE: "0" }, async (address) => {
  const config = resolve(import.meta.dirname, "schemathesis.toml");
  await fuzz(address, config, []);
  const body = JSON.stringify({ topic: "What does a heat pump cost?", session: "s" });
  const headers = { "Content-Type": "application/json" };
  await fetch(`${address}/v1/sessions`, { method: "POST", headers, body });
  await until("a report", async () => {
    const view = await (await fetch(`${address}/v1/sessions/s`)).json();
    return view.status.state === "COMPLETE";
  });
  const own = join(directory, "schemathesis.toml");
  await writeFile(own, (await readFile(config, "utf8")) + SESSION);
  await fuzz(address, own, ["--include-path-regex", "[{]id[}]", "--phases", "coverage,fuzzing"]);
});
