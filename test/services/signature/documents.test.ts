// Documents over REST: signature-service §2 Document, §4 Documents, §3 document states.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call, countRows, expectError, filePart, multipartBody } from "../../support/rest-client.ts";
import {
  formOf,
  ORDINARY,
  objectsOf,
  readyDocument,
  storedDocument,
  upload,
  WITH_JAVASCRIPT,
} from "../../support/uploads.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  await storedDocument(selo, organization.live); // from then on the organization has its data key
});
afterAll(() => selo?.stop());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const ask = (method: string, path: string, token = organization.live) => call(selo, method, path, { token });

describe("Document", () => {
  test("has id, filename, status, created_at, size, sha256, pages and reason, and nothing else", async () => {
    expect(await readyDocument(selo, organization.live)).toEqual({
      id: expect.stringMatching(UUID),
      filename: "contract.pdf",
      status: "ready",
      created_at: expect.stringMatching(INSTANT),
      size: ORDINARY.length,
      sha256: createHash("sha256").update(ORDINARY).digest("hex"),
      pages: [{ width: 612, height: 792 }],
      reason: null,
    });
  });

  test("the sample contract of the guides is ready", async () => {
    const sample = fs.readFileSync(new URL("../../../src/web/files/sample/contract.pdf", import.meta.url));
    expect(await readyDocument(selo, organization.live, "contract.pdf", sample)).toMatchObject({
      pages: [{ width: 595, height: 842 }],
    });
  });

  test("filename is the original file name", async () => {
    const name = "Contrato nº 14 – Açaí 😀 (final).pdf";
    expect((await readyDocument(selo, organization.live, name)).filename).toBe(name);
  });

  test("filename is document.pdf for a file without a name", async () => {
    const { bytes, headers } = multipartBody([
      { headers: ['Content-Disposition: form-data; name="file"', "Content-Type: application/pdf"], content: ORDINARY },
    ]);
    const { body } = await call(selo, "POST", "/documents", { token: organization.live, body: bytes, headers });
    expect(body).toMatchObject({ filename: "document.pdf", size: ORDINARY.length });
  });

  test("created_at is UTC, by the database's clock", async () => {
    const clock = async () =>
      (await selo.database.admin.query<{ now: Date }>("select clock_timestamp() as now")).rows[0]?.now as Date;
    const before = await clock();
    const { created_at } = await readyDocument(selo, organization.live);
    expect(new Date(created_at).getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(new Date(created_at).getTime()).toBeLessThanOrEqual((await clock()).getTime());
  });
});

describe("POST /documents", () => {
  test("takes multipart/form-data with the file under field file", async () => {
    const other = new FormData();
    other.set("document", new Blob([new Uint8Array(ORDINARY)]), "contract.pdf");
    const before = await countRows(selo);
    expectError(
      await call(selo, "POST", "/documents", { token: organization.live, body: other }),
      422,
      "invalid_request",
      ["document"],
    );
    expectError(
      await call(selo, "POST", "/documents", { token: organization.live, body: { file: "x" } }),
      415,
      "unsupported_media_type",
    );
    const two = formOf(ORDINARY);
    two.append("file", new Blob([new Uint8Array(ORDINARY)]), "second.pdf");
    expectError(
      await call(selo, "POST", "/documents", { token: organization.live, body: two }),
      422,
      "invalid_request",
      ["file"],
    );
    const more = formOf(ORDINARY);
    more.set("label", "x");
    expectError(
      await call(selo, "POST", "/documents", { token: organization.live, body: more }),
      422,
      "invalid_request",
      ["label"],
    );
    expect(await countRows(selo)).toEqual(before);
  });

  test("needs documents:write", async () => {
    expectError(
      await upload(selo, await organization.token("live", ["documents:read"]), ORDINARY),
      403,
      "missing_scope",
    );
    expectError(await upload(selo, null, ORDINARY), 401, "unauthenticated");
    const { status } = await upload(selo, await organization.token("live", ["documents:write"]), ORDINARY);
    expect(status).toBe(201);
  });

  test("a file that fails validation gives 422 unprocessable_pdf, nothing is kept and nothing is audited", async () => {
    const before = await countRows(selo);
    const answer = await upload(selo, organization.live, Buffer.from("This is a letter."));
    expect(answer.status).toBe(422);
    const message = "The file is not a PDF.";
    expect(answer.body.detail).toEqual({ code: "unprocessable_pdf", message, reason: "not_pdf" });
    expect(await countRows(selo)).toEqual(before);
  });

  test("or status quarantined, with its reason; no credit is consumed", async () => {
    const credits = await selo.database.admin.query("select sum(amount) from platform.credit_ledger");
    const { status, body } = await upload(selo, organization.live, WITH_JAVASCRIPT);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "quarantined", reason: "javascript", pages: [] });
    expect((await selo.database.admin.query("select sum(amount) from platform.credit_ledger")).rows).toEqual(
      credits.rows,
    );
  });

  test("a quarantined document has no content any more: its object is removed by a job of the same transaction", async () => {
    const { body } = await upload(selo, organization.live, WITH_JAVASCRIPT);
    const { rows } = await selo.database.admin.query<{ object_id: string | null; jobs: number }>(
      `select object_id, (select count(*)::int from graphile_worker._private_jobs as job
         join graphile_worker._private_tasks as task on task.id = job.task_id where task.identifier = 'signature__remove_object') as jobs
       from signature.documents where id = $1`,
      [body.id],
    );
    expect(rows[0]?.object_id).toBeNull();
    expect(rows[0]?.jobs).toBeGreaterThan(0);
  });
});

describe("Idempotency-Key", () => {
  test("same key and same payload returns the original result", async () => {
    const key = "upload-1";
    const first = await upload(selo, organization.live, ORDINARY, { key });
    const stored = await objects();
    const again = await upload(selo, organization.live, ORDINARY, { key });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect(await objects()).toEqual(stored);
  });

  test("two requests with one key at once make one document", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => upload(selo, organization.live, ORDINARY, { key: "upload-2" })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  });

  test("same key with a different payload returns 409 conflict, and keeps nothing", async () => {
    await upload(selo, organization.live, ORDINARY, { key: "upload-3" });
    const stored = await objects();
    expectError(await upload(selo, organization.live, WITH_JAVASCRIPT, { key: "upload-3" }), 409, "conflict");
    expectError(
      await upload(selo, organization.live, ORDINARY, { key: "upload-3", name: "other.pdf" }),
      409,
      "conflict",
    );
    expect(await objects()).toEqual(stored);
  });
});

describe("GET /documents", () => {
  test("lists documents, newest first, page by page", async () => {
    const own = await selo.newOrganization();
    const ids: string[] = [];
    for (const name of ["a.pdf", "b.pdf", "c.pdf"]) ids.unshift((await storedDocument(selo, own.live, { name })).id);
    const all = await ask("GET", "/documents", own.live);
    expect(all.body).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect(all.body.items.map(({ id }: { id: string }) => id)).toEqual(ids);
    const first = await ask("GET", "/documents?limit=2&fields=id", own.live);
    expect(first.body.items).toEqual(ids.slice(0, 2).map((id) => ({ id })));
    const next = /<[^>]*\/api\/v1(\/documents[^>]*)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect((await ask("GET", next, own.live)).body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    const { created_at } = all.body.items[1];
    const since = await ask("GET", `/documents?from=${created_at}`, own.live);
    expect(since.body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const until = await ask("GET", `/documents?to=${created_at}`, own.live);
    expect(until.body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
  });

  test("needs documents:read", async () => {
    expectError(
      await ask("GET", "/documents", await organization.token("live", ["documents:write"])),
      403,
      "missing_scope",
    );
  });
});

describe("GET /documents/{id}", () => {
  test("is the document with its current status", async () => {
    const made = await storedDocument(selo, organization.live);
    expect((await ask("GET", `/documents/${made.id}`)).body).toEqual(made);
  });

  test("a live document is 404 with a test token, and so is another organization's", async () => {
    const { id } = await storedDocument(selo, organization.live);
    const stranger = await selo.newOrganization();
    for (const token of [organization.test, stranger.live, stranger.test])
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/download"],
        ["DELETE", ""],
      ] as const)
        expectError(await ask(method, `/documents/${id}${path}`, token), 404, "not_found");
    expect((await ask("GET", `/documents/${id}`)).status).toBe(200);
  });
});

describe("GET /documents/{id}/download", () => {
  test("is JSON with url (signed, short-lived) and expires_at", async () => {
    const { id } = await storedDocument(selo, organization.live, { name: "Contrato nº 1.pdf" });
    const { status, body } = await ask("GET", `/documents/${id}/download`);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["expires_at", "url"]);
    expect(body.expires_at).toMatch(INSTANT);
    const left = new Date(body.expires_at).getTime() - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(5 * 60_000 + 1_000);
    const file = await fetch(body.url.replace("http://selo.test", selo.baseUrl));
    expect(file.status).toBe(200);
    expect(Buffer.from(await file.arrayBuffer()).equals(ORDINARY)).toBe(true);
    expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
  });

  test("is 409 conflict unless the document is ready", async () => {
    const { body } = await upload(selo, organization.live, WITH_JAVASCRIPT);
    expectError(await ask("GET", `/documents/${body.id}/download`), 409, "conflict");
  });

  test("the link of a removed document is 404", async () => {
    const { id } = await storedDocument(selo, organization.live);
    const { url } = (await ask("GET", `/documents/${id}/download`)).body;
    await ask("DELETE", `/documents/${id}`);
    expect((await fetch(url.replace("http://selo.test", selo.baseUrl))).status).toBe(404);
  });
});

describe("DELETE /documents/{id}", () => {
  test("removes a document and has its content removed, in one transaction", async () => {
    const { id } = await storedDocument(selo, organization.live);
    const answer = await ask("DELETE", `/documents/${id}`);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: "" });
    expectError(await ask("GET", `/documents/${id}`), 404, "not_found");
    expectError(await ask("DELETE", `/documents/${id}`), 404, "not_found");
  });

  test("of two at once one removes it, the other finds none", async () => {
    const { id } = await storedDocument(selo, organization.live);
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask("DELETE", `/documents/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
  });

  test("needs documents:write", async () => {
    const { id } = await storedDocument(selo, organization.live);
    expectError(
      await ask("DELETE", `/documents/${id}`, await organization.token("live", ["documents:read"])),
      403,
      "missing_scope",
    );
  });
});

describe("file names", () => {
  const named = (name: string) => {
    const { bytes, headers } = multipartBody([filePart(ORDINARY, name)]);
    return call(selo, "POST", "/documents", { token: organization.live, body: bytes, headers });
  };

  test.each([
    ["../../etc/passwd.pdf", "passwd.pdf"],
    ["C:\\Users\\ana\\contract.pdf", "contract.pdf"],
    ["<img src=x onerror=alert(1)>.pdf", "<img src=x onerror=alert(1)>.pdf"],
    [`${"a".repeat(251)}.pdf`, `${"a".repeat(251)}.pdf`],
    ["😀".repeat(255), "😀".repeat(255)],
    ["  ", "document.pdf"],
    ["..", "document.pdf"],
  ])("%s is %s", async (given, kept) => {
    const { status, body } = await named(given);
    expect({ status, filename: body.filename }).toEqual({ status: 201, filename: kept });
  });

  const TURNS = "not have characters that turn the direction of writing";
  const CONTROLS = "not have line breaks or other control characters";
  test.each([
    ["of 256 characters", "a".repeat(256), "have at most 255 characters"],
    ["with a right-to-left override", "contract\u202Efdp.exe", TURNS],
    ["with an isolate", "contract\u2066.pdf", TURNS],
    ["with a direction mark", "contract\u200f.pdf", TURNS],
    ["with a line separator", "contract\u2028.pdf", CONTROLS],
    ["with a control character", "contract\u0007.pdf", CONTROLS],
    ["with the character 0", "contract\0.pdf", CONTROLS],
    ["that nobody sees", "\u200b\u2060", "not be blank"],
    [
      "that cannot be drawn",
      "\ue000.pdf",
      "not have the character U+E000 (\ue000), which cannot be drawn in documents",
    ],
  ])("a name %s is 422, and nothing is kept", async (_, name, fault) => {
    const [before, stored] = [await countRows(selo), await objects()];
    const answer = await named(name);
    expectError(answer, 422, "invalid_request", ["file"]);
    expect(answer.body.fields[0].message).toBe(`its name must ${fault}`);
    expect(await countRows(selo)).toEqual(before);
    expect(await objects()).toEqual(stored);
  });
});

/** Ids of all objects in the storage. */
async function objects(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of objectsOf(selo).list()) ids.push(id);
  return ids.sort();
}
