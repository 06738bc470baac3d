// What the check of an upload decides, and what goes on after the answer: signature-service §3 document states, issue: Documents.

import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { firstCheck } from "../../../src/services/signature/documents/first-check.ts";
import { signatureMetrics } from "../../../src/services/signature/metrics.ts";
import type { RunningWorker } from "../../../workers/main.ts";
import { checkDocument } from "../../../workers/signature/check-document.ts";
import { continueDocumentChecks } from "../../../workers/signature/continue-document-checks.ts";
import { CATALOG, type Objects, ONE_PAGE, onePage, PAGE, pdf, stream } from "../../adapters/pdf-check/pdf-file.ts";
import { checkersOf, IMPATIENT, signalChecker } from "../../support/checkers.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call, countRows } from "../../support/rest-client.ts";
import {
  checkedDocument,
  ORDINARY,
  objectsOf,
  readyDocument,
  storedDocument,
  type UploadedDocument,
  upload,
} from "../../support/uploads.ts";
import { startTestWorker, taskContext } from "../../support/worker.ts";

let selo: TestGateway;
let organization: TestOrganization;
let workers: pg.Pool;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  await storedDocument(selo, organization.live); // from then on the organization has its data key
  workers = createPool(
    { url: selo.database.workerUrl, role: "selo_worker", applicationName: "test", statementTimeoutMs: 10_000 },
    4,
    () => {},
  );
});
afterAll(async () => {
  await workers?.end();
  await selo?.stop();
});

/** Runs the job of a document once, on a worker's login. */
async function runCheck({ id }: Pick<UploadedDocument, "id">, slots = new FairSlots(2)): Promise<void> {
  const task = checkDocument(objectsOf(selo), new DataKeys(masterKeys), slots, signatureMetrics([]));
  await task({ tenant_id: organization.id, environment: "live", id }, taskContext(workers, masterKeys));
}
const read = async ({ id }: Pick<UploadedDocument, "id">): Promise<UploadedDocument> =>
  (await call(selo, "GET", `/documents/${id}`, { token: organization.live })).body;
const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  (await selo.database.admin.query<Row>(text, values)).rows;
const waitingJobs = async ({ id }: Pick<UploadedDocument, "id">) =>
  (
    await rows(`select from graphile_worker._private_jobs where key = $1 and locked_at is null`, [
      `signature__check_document ${id}`,
    ])
  ).length;
const actions = async ({ id }: Pick<UploadedDocument, "id">) =>
  (
    await rows<{ action: string }>("select action from platform.audit_events where subject_id = $1 order by seq", [id])
  ).map(({ action }) => action);
const events = async ({ id }: Pick<UploadedDocument, "id">) =>
  (
    await rows<{ type: string; data: object }>(
      "select type, body::json -> 'data' as data from webhooks.events where body::json ->> 'resource_id' = $1 order by id",
      [id],
    )
  ).map(({ type, data }) => ({ type, data }));

/** An upload whose checker is stopped until the answer is out, to a gateway whose answers wait a second for it. */
async function slowUpload(): Promise<UploadedDocument> {
  const impatient = await startGatewayBeside(selo, IMPATIENT);
  const stopped = signalChecker("SIGSTOP");
  const { status, body } = await upload(impatient, organization.live, ORDINARY);
  await stopped;
  await impatient.stop();
  expect(status).toBe(201);
  return body;
}

/** A document whose upload was answered before the end of its check. */
const unchecked = (file: Uint8Array = ORDINARY) =>
  storedDocument(selo, organization.live, { file, status: "processing" });

describe("a file of which nothing is kept: 422 unprocessable_pdf", () => {
  const pages = (count: number): Objects => ({
    1: CATALOG,
    2: `<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(" ")}] >>`,
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 3, PAGE])),
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["no PDF", Buffer.from("PK\u0003\u0004"), /not a PDF/],
    ["no byte", Buffer.alloc(0), /not a PDF/],
    ["truncated", ORDINARY.subarray(0, ORDINARY.length - 20), /damaged or incomplete/],
    ["damaged where no page needs it", pdf({ ...ONE_PAGE, 4: "<< /A (b >>" }), /damaged or incomplete/],
    ["encrypted", pdf(ONE_PAGE, { trailer: "/Encrypt << /Filter /Standard /V 1 >>" }), /encrypted/],
    ["0 pages", pdf(pages(0)), /no pages/],
    ["2,001 pages", pdf(pages(2001)), /more than 2,000 pages/],
  ])("%s", async (_, file, words) => {
    const [before, stored] = [await countRows(selo), await objects()];
    const { status, body } = await upload(selo, organization.live, file);
    expect({ status, code: body.detail.code }).toEqual({ status: 422, code: "unprocessable_pdf" });
    expect(body.detail.message).toMatch(words);
    expect(await countRows(selo)).toEqual(before);
    expect(await objects()).toEqual(stored);
  });

  test.each([1, 1999, 2000])("%i pages are within the limit", async (count) => {
    const document = await readyDocument(selo, organization.live, "pages.pdf", pdf(pages(count)));
    expect(document.pages).toHaveLength(count);
  });
});

describe("a file with something that a document must not have: quarantined", () => {
  test.each<[string, Objects]>([
    ["javascript", onePage({ catalog: "/OpenAction << /S /JavaScript /JS (a) >>" })],
    ["launch", onePage({ page: "/Annots [<< /Subtype /Link /A << /S /Launch /F (cmd.exe) >> >>]" })],
    ["embedded_file", onePage({ page: "/Annots [<< /Subtype /FileAttachment >>]" })],
    ["rich_media", onePage({ page: "/Annots [<< /Subtype /RichMedia >>]" })],
    ["xfa", onePage({ catalog: "/AcroForm << /XFA 4 0 R >>", objects: { 4: stream("", "<xdp/>") } })],
    ["additional_action", onePage({ page: "/AA << /O << /S /URI /URI (http://a) >> >>" })],
    ["submit_form", onePage({ page: "/Annots [<< /Subtype /Widget /A << /S /SubmitForm /F (http://a) >> >>]" })],
    ["bomb", onePage({ objects: { 4: stream(`/Filter [${"/ASCIIHexDecode ".repeat(100)}]`, ">") } })],
  ])("%s", async (reason, objects) => {
    const body = await checkedDocument(selo, organization.live, "bad.pdf", pdf(objects));
    expect(body).toMatchObject({ status: "quarantined", reason, pages: [] });
    expect(await actions(body)).toEqual(["document.uploaded", "document.quarantined"]);
    expect(await events(body)).toEqual([
      { type: "document.quarantined", data: { document_id: body.id, status: "quarantined" } },
    ]);
  });
});

test("a ready document is told of, without its name", async () => {
  const document = await readyDocument(selo, organization.live, "Ana Maria.pdf");
  expect(await actions(document)).toEqual(["document.uploaded", "document.ready"]);
  expect(await events(document)).toEqual([
    { type: "document.ready", data: { document_id: document.id, status: "ready" } },
  ]);
  const [chain] = await rows<{ text: string; personal: object }>(
    "select string_agg(details || commitments, '') as text from platform.audit_events where subject_id = $1",
    [document.id],
  );
  expect(chain?.text).not.toContain("Ana");
});

describe("a check that takes longer than the answer waits", () => {
  test("goes on in a job: the document is processing, then ready", async () => {
    const document = await slowUpload();
    expect(document).toMatchObject({ status: "processing", pages: [], reason: null });
    expect(checkersOf()).toEqual([]);
    expect(await waitingJobs(document)).toBe(1);
    // From here on as the documents of the other tests, which are not uploaded.
    expect({ ...(await unchecked()), id: document.id, created_at: document.created_at }).toEqual(document);
    await runCheck(document);
    expect(await read(document)).toEqual({ ...document, status: "ready", pages: [{ width: 612, height: 792 }] });
    expect(await actions(document)).toEqual(["document.uploaded", "document.ready"]);
  });

  test("without a turn the document is uploaded; its job makes it processing, then ready", async () => {
    const slots = new FairSlots(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = slots.run(organization.id, () => promise);
    const unread = () => {
      throw new Error("nothing is read before its turn");
    };
    expect(await firstCheck(slots, organization.id, unread, 20)).toEqual({ verdict: "late", began: false });
    resolve();
    await busy;

    const document = await storedDocument(selo, organization.live, { status: "uploaded" });
    expect(document.status).toBe("uploaded");
    await runCheck(document);
    expect((await read(document)).status).toBe("ready");
    expect(await actions(document)).toEqual(["document.uploaded", "document.processing", "document.ready"]);
  });

  test("the real worker does it by itself", async () => {
    const document = await unchecked();
    // Not behind the jobs of other tests, which already ran here as tasks.
    await rows("delete from graphile_worker._private_jobs where key is distinct from $1", [
      `signature__check_document ${document.id}`,
    ]);
    const worker: RunningWorker = await startTestWorker(selo);
    try {
      await expect.poll(async () => (await read(document)).status).toBe("ready");
    } finally {
      await worker.stop();
    }
  });

  test("a file that turns out to be unreadable afterwards is failed, and its content removed", async () => {
    const document = await unchecked(Buffer.from("%PDF-1.7\ngarbage"));
    const [before] = await rows<{ object_id: string }>("select object_id from signature.documents where id = $1", [
      document.id,
    ]);
    await runCheck(document);
    expect(await read(document)).toMatchObject({ status: "failed", reason: "unprocessable_pdf", pages: [] });
    expect(await events(document)).toEqual([]);
    expect(await actions(document)).toEqual(["document.uploaded", "document.failed"]);
    const left = await rows<{ object_id: string | null; removals: number }>(
      `select object_id, (select count(*)::integer from graphile_worker._private_jobs where payload ->> 'object_id' = $2) as removals
       from signature.documents where id = $1`,
      [document.id, before?.object_id],
    );
    expect(left).toEqual([{ object_id: null, removals: 1 }]);
    const download = await call(selo, "GET", `/documents/${document.id}/download`, { token: organization.live });
    expect(download.status).toBe(409);
  });

  test("a document that was removed meanwhile ends its job quietly", async () => {
    const document = await unchecked();
    await call(selo, "DELETE", `/documents/${document.id}`, { token: organization.live });
    await runCheck(document);
    expect(await actions(document)).toEqual(["document.uploaded", "document.deleted"]);
  });

  test("of two jobs at once one checks, and a job for a checked document does nothing", async () => {
    const document = await unchecked();
    await Promise.all([runCheck(document), runCheck(document)]);
    await runCheck(document);
    expect(await actions(document)).toEqual(["document.uploaded", "document.ready"]);
  });

  test("a job that finds no turn makes room, and comes back", async () => {
    const document = await unchecked();
    const slots = new FairSlots(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = slots.run("another", () => promise);
    await runCheck(document, slots);
    expect((await read(document)).status).toBe("processing");
    expect(await waitingJobs(document)).toBe(1);
    resolve();
    await busy;
    await runCheck(document, slots);
    expect((await read(document)).status).toBe("ready");
  });
});

describe("a checker that dies", () => {
  const dying = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const killed = signalChecker("SIGKILL");
    const result = await work();
    await killed;
    return result;
  };

  test("is not the file's fault: the check is made again", async () => {
    const { body: document } = await dying(() => upload(selo, organization.live, ORDINARY));
    expect(document.status).toBe("processing");
    await dying(() => runCheck(document));
    expect((await read(document)).status).toBe("processing");
    expect(await waitingJobs(document)).toBe(1);
    await runCheck(document);
    expect((await read(document)).status).toBe("ready");
  });

  test("three times: the document failed, reason checker_failed, and its content is removed", async () => {
    const { body: document } = await dying(() => upload(selo, organization.live, ORDINARY));
    await dying(() => runCheck(document));
    await dying(() => runCheck(document));
    expect(await read(document)).toMatchObject({ status: "failed", reason: "checker_failed", pages: [] });
    expect(await actions(document)).toEqual(["document.uploaded", "document.failed"]);
    expect(
      await rows("select from signature.documents where id = $1 and object_id is null", [document.id]),
    ).toHaveLength(1);
  });

  test("content that is lost is no result either", async () => {
    const document = await unchecked();
    const [row] = await rows<{ object_id: string }>("select object_id from signature.documents where id = $1", [
      document.id,
    ]);
    await objectsOf(selo).remove(row?.object_id ?? "");
    for (const _ of [1, 2, 3]) await runCheck(document);
    expect(await read(document)).toMatchObject({ status: "failed", reason: "checker_failed" });
  });
});

describe("a worker that dies", () => {
  test("holds a check for a minute; then another takes it over, and the minute job adds the lost job anew", async () => {
    const document = await unchecked();
    await rows("delete from graphile_worker._private_jobs where key = $1", [
      `signature__check_document ${document.id}`,
    ]);
    await rows(
      "update signature.documents set checking_until = now() + interval '1 minute', created_at = now() - interval '1 hour' where id = $1",
      [document.id],
    );
    await continueDocumentChecks({}, taskContext(workers, masterKeys));
    expect(await waitingJobs(document)).toBe(0);
    await runCheck(document);
    expect((await read(document)).status).toBe("processing");
    await rows("update signature.documents set checking_until = now() - interval '1 second' where id = $1", [
      document.id,
    ]);
    await continueDocumentChecks({}, taskContext(workers, masterKeys));
    expect(await waitingJobs(document)).toBe(1);
    await runCheck(document);
    expect((await read(document)).status).toBe("ready");
  });
});

async function objects(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of objectsOf(selo).list()) ids.push(id);
  return ids.sort();
}
