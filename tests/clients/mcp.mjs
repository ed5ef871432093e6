// The reference client of the Model Context Protocol runs sessions end to end, over standard input
// and output and over HTTP: progress, a question back that the user answers, a report, its sources.
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { PROGRAM, environment, scratch, token, withServer } from "./server.mjs";

const TOPIC = "What does a heat pump cost?";
/// A topic of which the rules make nothing, so that they ask back.
const UNCLEAR = "the of";

async function converse(transport) {
  const capabilities = { elicitation: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  const asked = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { answer: TOPIC } };
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === "research"));
  const progress = [];
  const call = (name, given) =>
    client.callTool({ name, arguments: given }, undefined, {
      onprogress: ({ message }) => progress.push(message),
      timeout: 120_000,
      resetTimeoutOnProgress: true,
    });
  const answered = await call("research", { topic: UNCLEAR, session: "s" });
  assert.ok(!answered.isError, answered.content[0].text);
  assert.equal(asked.length, 1);
  assert.equal(answered.structuredContent.status.state, "COMPLETE");
  assert.ok(progress.length > 3, progress.join("\n"));
  const link = answered.content[0].text.match(/research:[^) ]+/)[0];
  const { contents } = await client.readResource({ uri: link });
  assert.ok(contents[0].text.length > 100);
  const checked = await call("verify_session", { session: "s" });
  assert.deepEqual(checked.structuredContent.problems, []);
  const { resources } = await client.listResources();
  assert.equal(resources.length, 1);
  await client.close();
}

test("over standard input and output", { timeout: 240_000 }, async () => {
  const directory = await scratch();
  const options = { command: PROGRAM, args: ["mcp", "--docs", "docs"], cwd: directory };
  await converse(new StdioClientTransport({ ...options, env: environment(directory) }));
  await rm(directory, { recursive: true });
});

test("over HTTP, with a token", { timeout: 240_000 }, async () => {
  await withServer(await scratch(), { identity: true }, async (address) => {
    const headers = { Authorization: `Bearer ${token("ann")}` };
    const url = new URL("/mcp", address);
    await converse(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  });
});
