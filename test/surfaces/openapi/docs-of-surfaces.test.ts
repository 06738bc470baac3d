// /docs with the documents of several surfaces; with one it is as test/system/web/docs.test.ts has it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { commonErrors } from "../../../src/surfaces/http/errors.ts";
import { type DocumentedSurface, docsPlugin } from "../../../src/surfaces/openapi/served/docs.ts";
import { apiV1 } from "../../../src/surfaces/rest/api-v1.ts";

const rows: DocumentedSurface = {
  prefix: "/v1",
  errors: commonErrors,
  document: { file: "schema/openapi-rows.json", title: "Rows" },
  credentials: { securityScheme: { name: "key" } },
};

const started: { readonly app: FastifyInstance; readonly folder: string }[] = [];
afterEach(async () => {
  for (const { app, folder } of started.splice(0)) {
    await app.close();
    fs.rmSync(folder, { recursive: true });
  }
});

/** A server of documents, whose texts are made up. */
async function serve(surfaces: readonly DocumentedSurface[], texts: Readonly<Record<string, string>>) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-docs-"));
  fs.mkdirSync(path.join(folder, "schema"));
  for (const [file, text] of Object.entries(texts)) fs.writeFileSync(path.join(folder, "schema", file), text);
  const app = fastify();
  started.push({ app, folder });
  await app.register((scope) => docsPlugin(scope, surfaces, folder));
  const get = async (url: string) => {
    const { statusCode, body } = await app.inject(url);
    return { status: statusCode, body };
  };
  /** What the page hands to the reference. */
  const configuration = async () => {
    const { body } = await get("/docs/start.js");
    return JSON.parse(/^Scalar\.createApiReference\("#app", (.*)\);\n$/s.exec(body)?.[1] ?? "null");
  };
  return { get, configuration };
}

test("each document is served by its name, and the page shows all of them", async () => {
  const { get, configuration } = await serve([apiV1, rows], { "openapi.json": "{}", "openapi-rows.json": "[]" });
  expect(await get("/openapi.json")).toEqual({ status: 200, body: "{}" });
  expect(await get("/openapi-rows.json")).toEqual({ status: 200, body: "[]" });
  expect(await configuration()).toMatchObject([
    { title: "Selo", slug: "openapi", url: "/openapi.json", authentication: { preferredSecurityScheme: "token" } },
    {
      title: "Rows",
      slug: "openapi-rows",
      url: "/openapi-rows.json",
      authentication: { preferredSecurityScheme: "key" },
    },
  ]);
});

test("of one the page says nothing of others", async () => {
  const { configuration } = await serve([apiV1], { "openapi.json": "{}" });
  const alone = await configuration();
  expect(alone).toMatchObject({ url: "/openapi.json", authentication: { preferredSecurityScheme: "token" } });
  expect(Object.keys(alone)).not.toContain("slug");
});

test("one that is not generated yet is left out", async () => {
  const { get, configuration } = await serve([apiV1, rows], { "openapi.json": "{}" });
  expect((await get("/openapi-rows.json")).status).toBe(404);
  expect(await configuration()).toMatchObject({ url: "/openapi.json" });
  const none = await serve([apiV1], {});
  expect((await none.get("/docs")).status).toBe(404);
});
