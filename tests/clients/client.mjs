// A session by a client whose types are generated from docs/openapi.json: what this file asks for
// and reads is checked against the description when it is compiled, and against the server when it
// is run.
import assert from "node:assert/strict";
import { test } from "node:test";

import createClient from "openapi-fetch";

import { scratch, token, until, withServer } from "./server.mjs";

test("a generated client runs a session", { timeout: 240_000 }, async () => {
  await withServer(await scratch(), { identity: true }, async (baseUrl) => {
    const headers = { Authorization: `Bearer ${token("ann")}` };
    /** @type {import("openapi-fetch").Client<import("./generated/api.js").paths>} */
    const api = createClient({ baseUrl, headers });
    const topic = "What does a heat pump cost?";
    const forecast = await api.POST("/v1/forecasts", { body: { topic } });
    assert.equal(forecast.data?.exists, false);
    const started = await api.POST("/v1/sessions", { body: { topic, max_rounds: 2 } });
    assert.equal(started.response.status, 201, JSON.stringify(started.error));
    const id = started.data?.status.id ?? "";
    const params = { path: { id } };
    await until("a report", async () => {
      const { data } = await api.GET("/v1/sessions/{id}", { params });
      return data?.status.state === "COMPLETE";
    });
    const listed = await api.GET("/v1/sessions", { params: { query: { limit: 10 } } });
    assert.deepEqual(listed.data?.sessions.map((one) => one.status.id), [id]);
    const verified = await api.GET("/v1/sessions/{id}/verification", { params });
    assert.deepEqual(verified.data?.problems, []);
    const tasks = await api.GET("/v1/sessions/{id}/tasks", { params });
    assert.ok(tasks.data);
    const read = { ...params, query: { start: 0, end: 20 }, path: { id, source: "S1" } };
    const source = await api.GET("/v1/sessions/{id}/sources/{source}", { params: read });
    assert.equal(source.data?.end, 20);
    const refused = await api.POST("/v1/sessions", { body: { topic: " " } });
    assert.equal(refused.error?.pointer, "/topic");
    const removed = await api.DELETE("/v1/sessions/{id}", { params });
    assert.equal(removed.response.status, 204);
    const gone = await api.GET("/v1/sessions/{id}", { params });
    assert.equal(gone.error?.status, 404);
  });
});
