// Documents of envelopes as uploads and their checks leave them, and changes that meet each other: issue "Signature I" §2, §3.

import { describe, expect, test } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { signatureMetrics } from "../../../src/services/signature/metrics.ts";
import { checkDocument } from "../../../workers/signature/check-document.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { expectError } from "../../support/rest-client.ts";
import { objectsOf, storedDocument } from "../../support/uploads.ts";
import { taskContext } from "../../support/worker.ts";
import { anEnvelope, aParticipant, aSendable, ask, read } from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";

setUpStage();

const aReadyDocument = async () => (await storedDocument(selo, stage.token)).id;
const attach = (id: string, document_id: string) => ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });

describe("DELETE /documents/{id}", () => {
  test("is 409 conflict while an envelope has the document, and 204 afterwards", async () => {
    const { id, documentId } = await aSendable(stage, {}, aReadyDocument);
    expectError(await ask(stage, "DELETE", `/documents/${documentId}`), 409, "conflict");
    expect((await ask(stage, "GET", `/documents/${documentId}/download`)).status).toBe(200);
    expect((await ask(stage, "DELETE", `/envelopes/${id}`)).status).toBe(204);
    expect((await ask(stage, "DELETE", `/documents/${documentId}`)).status).toBe(204);
  });

  test("at the same time as an envelope gets the document: one of them wins", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await anEnvelope(stage);
      const documentId = await aReadyDocument();
      const [attached, deleted] = await Promise.all([
        attach(id, documentId),
        ask(stage, "DELETE", `/documents/${documentId}`),
      ]);
      const { documents } = await read(stage, id);
      expect([attached.status, deleted.status, documents.length]).toEqual(
        attached.status === 201 ? [201, 409, 1] : [404, 204, 0],
      );
    }
  });
});

test("a draft becomes ready when the check of its document ends", async () => {
  const documentId = await aReadyDocument();
  await selo.database.admin.query(
    "update signature.documents set status = 'processing', pages = '[]', checked_at = null where id = $1",
    [documentId],
  );
  const { id } = await aSendable(stage, {}, async () => documentId);
  expect((await read(stage, id)).status).toBe("draft");
  const workers = createPool(
    { url: selo.database.workerUrl, role: "selo_worker", applicationName: "test", statementTimeoutMs: 10_000 },
    2,
    () => {},
  );
  try {
    const task = checkDocument(objectsOf(selo), new DataKeys(masterKeys), new FairSlots(1), signatureMetrics([]));
    const arguments_ = { tenant_id: stage.tenantId, environment: stage.environment, id: documentId };
    await task(arguments_, taskContext(workers, masterKeys));
  } finally {
    await workers.end();
  }
  expect(await read(stage, id)).toMatchObject({ status: "ready", documents: [{ status: "ready", pages: 1 }] });
});

test("changes of one envelope at once leave the state that follows from its content", async () => {
  const { id, documentId } = await aSendable(stage, {}, aReadyDocument);
  const other = await aReadyDocument();
  await Promise.all([
    ask(stage, "PATCH", `/envelopes/${id}`, { title: "Another" }),
    ask(stage, "DELETE", `/envelopes/${id}/documents/${documentId}`),
    attach(id, other),
    ...[1, 2, 3].map(() => aParticipant(stage, id)),
  ]);
  expect(await read(stage, id)).toMatchObject({
    title: "Another",
    status: "ready",
    documents: [{ document_id: other, position: 1 }],
    participants: [{}, {}, {}, {}],
  });
});
