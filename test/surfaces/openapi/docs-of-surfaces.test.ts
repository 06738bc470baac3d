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
};

const started: { readonly app: FastifyInstance; readonly folder: string }[] = [];
afterEach(async () => {
  for (const { app, folder } of started.splice(0)) {
    await app.close();
    fs.rmSync(folder, { recursive: true });
  }
});

/** The smallest document with one operation. */
const described = (summary: string) =>
  JSON.stringify({
    info: { title: "Any", version: "1", description: "Its first words.\n\n## Limits\n\nFew." },
    servers: [{ url: "/any" }],
    tags: [{ name: "Things & more" }],
    paths: { "/things/{id}": { get: { operationId: "readThing", tags: ["Things & more"], summary, responses: {} } } },
  });

/** A server of documents, whose texts are made up. */
async function serve(surfaces: readonly DocumentedSurface[], texts: Readonly<Record<string, string>>, webApp?: string) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-docs-"));
  fs.mkdirSync(path.join(folder, "schema"));
  for (const [file, text] of Object.entries(texts)) fs.writeFileSync(path.join(folder, "schema", file), text);
  const app = fastify();
  started.push({ app, folder });
  const options = { publicUrl: "https://selo.example", facts: {}, folder, ...(webApp === undefined ? {} : { webApp }) };
  await app.register((scope) => docsPlugin(scope, surfaces, options));
  return async (url: string) => {
    const { statusCode, body, headers } = await app.inject(url);
    return { status: statusCode, body, location: headers.location };
  };
}

test("each document is served by its name, and has its own pages, which lead to the others", async () => {
  const get = await serve([apiV1, rows], {
    "openapi.json": described("Read a thing"),
    "openapi-rows.json": described("Read a <row>"),
  });
  expect(await get("/openapi.json")).toMatchObject({ status: 200, body: described("Read a thing") });
  expect(await get("/openapi-rows.json")).toMatchObject({ status: 200, body: described("Read a <row>") });
  const [first, second] = [await get("/docs"), await get("/docs/openapi-rows")];
  for (const { status, body } of [first, second]) {
    expect(status).toBe(200);
    expect(body).toContain('<a href="/docs"');
    expect(body).toContain('<a href="/docs/openapi-rows"');
  }
  expect(first.body).toContain('<a href="/docs/things-more#readThing">Read a thing</a>');
  expect(second.body).toContain('<a href="/docs/openapi-rows/things-more#readThing">Read a &lt;row&gt;</a>');
  const page = (await get("/docs/openapi-rows/things-more")).body;
  expect(page).toContain('id="readThing"');
  expect(page).toContain("https://selo.example/any/things/{id}");
  expect(page).not.toContain("<row>");
});

test("of one the page says nothing of others, and shows the words of the document", async () => {
  const get = await serve([apiV1], { "openapi.json": described("Read a thing") });
  const { body } = await get("/docs");
  expect(body).not.toContain(">APIs</h2>");
  expect(body).toContain("<title>Overview · Selo API</title>");
  expect(body).toMatch(/<link rel="canonical" href="http[^"]+\/docs">/);
  expect(body).toMatch(/<meta property="og:title" content="Overview · Selo API">/);
  expect(body).toContain("<p>Its first words.</p>");
  expect(body).toContain('<h2 id="limits">Limits</h2>');
  expect(body).not.toContain("<!-- ");
});

test("the command of an example can be run as it stands, and says when it is refused", async () => {
  const example = (path: string) => ({ examples: { one: { value: "", "x-request": { path } } } });
  const read = { "200": { description: "It.", content: { "application/json": example("/things/7?fields=id") } } };
  const file = { "200": { description: "The file.", content: { "application/pdf": example("/things/7/file") } } };
  const operation = (operationId: string, responses: object) => ({ operationId, tags: ["Things"], responses });
  const get = await serve([apiV1], {
    "openapi.json": JSON.stringify({
      info: { title: "Any", version: "1" },
      paths: {
        "/things/{id}": {
          get: operation("readThing", read),
          delete: operation("removeThing", { "204": { description: "Done." } }),
        },
        "/things/{id}/file": { get: operation("readFile", file) },
      },
    }),
  });
  const { body } = await get("/docs/things");
  const commands = [...body.matchAll(/<pre tabindex="0" role="group" aria-label="Example"><code>(curl .*?)<\/code>/gs)];
  expect(commands.map(([, command = ""]) => command.replaceAll(/ \\\n +/g, " "))).toEqual([
    "curl -sS &#39;https://selo.example/things/7?fields=id&#39; -H &quot;Authorization: Bearer $TOKEN&quot;",
    "curl -sS -X DELETE &#39;https://selo.example/things/7&#39; -H &quot;Authorization: Bearer $TOKEN&quot;",
    "curl -sS &#39;https://selo.example/things/7/file&#39; -H &quot;Authorization: Bearer $TOKEN&quot; -fOJ",
  ]);
  expect((await get("/docs")).body).toContain("TOKEN=svc_test_…");
});

test("an error that operations share is shown with each of them, with its own example where there is one", async () => {
  const example = (operation: string) => ({
    summary: `Asked for by ${operation}`,
    value: { code: "not_found" },
    "x-request": { path: "/things/7", operation },
  });
  const examples = { first: example("readThing"), second: example("removeThing") };
  const responses = {
    "200": { description: "It." },
    "404": { $ref: "#/components/responses/NotFoundError" },
  };
  const operation = (operationId: string) => ({ operationId, tags: ["Things"], responses });
  const get = await serve([apiV1], {
    "openapi.json": JSON.stringify({
      info: { title: "Any", version: "1" },
      paths: {
        "/things/{id}": {
          get: operation("readThing"),
          put: operation("changeThing"),
          delete: operation("removeThing"),
        },
      },
      components: {
        responses: { NotFoundError: { description: "It is not here.", content: { "application/json": { examples } } } },
      },
    }),
  });
  const { body } = await get("/docs/things");
  const sections = body.split('<section class="operation" ').slice(1);
  const shown = sections.map((section) => [
    /^id="(\w+)"/.exec(section)?.[1],
    section.includes("It is not here."),
    [...section.matchAll(/Asked for by (\w+)/g)].map(([, name]) => name),
  ]);
  expect(shown).toEqual([
    ["readThing", true, ["readThing", "readThing"]],
    ["changeThing", true, ["readThing", "readThing"]],
    ["removeThing", true, ["removeThing", "removeThing"]],
  ]);
});

test("one that is not generated yet is left out", async () => {
  const get = await serve([apiV1, rows], { "openapi.json": described("Read a thing") });
  expect((await get("/openapi-rows.json")).status).toBe(404);
  expect((await get("/docs/openapi-rows")).status).toBe(404);
  expect((await get("/docs")).body).not.toContain("openapi-rows");
  const none = await serve([apiV1], {});
  expect((await none("/docs")).status).toBe(404);
});

test("a slash at the end leads to the page, and what is no page is 404", async () => {
  const get = await serve([apiV1], { "openapi.json": described("Read a thing") });
  expect(await get("/docs/")).toMatchObject({ status: 308, location: "/docs" });
  expect(await get("/docs/things-more/")).toMatchObject({ status: 308, location: "/docs/things-more" });
  for (const missing of ["/docs/nothing", "/docs/nothing/", "/docs/schemas/x", "/docs//", "/docs//example.com/"])
    expect((await get(missing)).status, missing).toBe(404);
});

test("without the built web app the pages say so, and the documents are served", async () => {
  const get = await serve([apiV1], { "openapi.json": described("Read a thing") }, os.tmpdir());
  expect(await get("/docs")).toMatchObject({ status: 503, body: "The web app is not built. Run: npm run build\n" });
  expect((await get("/docs/things-more")).status).toBe(503);
  expect((await get("/openapi.json")).status).toBe(200);
});
