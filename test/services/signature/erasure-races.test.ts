// Erasure beside what reads and writes the same envelope: each ends as if it came before or after the other. Issue "Signature in depth" §10.
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedDocument } from "../../support/uploads.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { complete, completing, sentWith } from "./completion-stage.ts";
import { ConnectorStage } from "./connector-stage.ts";
import { anEnvelope, ask, type EnvelopeStage, read } from "./envelope-stage.ts";
import { erase, removeObjects } from "./erasure-stage.ts";
import { reportOf } from "./report-stage.ts";
import { chain } from "./sending-stage.ts";

let connectors: ConnectorStage;
let stage: EnvelopeStage;
beforeAll(async () => {
  connectors = await ConnectorStage.open();
  stage = await connectors.organization();
});
afterAll(() => connectors.close());

const upload = async () => (await storedDocument(stage.selo, stage.token)).id;
async function aCompleted() {
  const made = await sentWith(stage, [{}, {}], {}, { upload });
  for (const link of made.links) expect((await complete(stage, link)).status).toBe(200);
  await completing(stage, made.id, connectors.worker);
  return made;
}
const statusOf = ({ status }: { readonly status: number }) => status;

test("two erasures, of the envelope and of both participants at once: each is told once, and all is erased", {
  timeout: 60_000,
}, async () => {
  const { id, links } = await aCompleted();
  const [one, other] = links.map(({ participantId }) => participantId);
  const answers = await Promise.all([
    erase(stage, id),
    erase(stage, id),
    erase(stage, id, one),
    erase(stage, id, one),
    erase(stage, id, other),
  ]);
  expect(answers.reduce((sum, { participants }) => sum + participants, 0)).toBe(2);
  const told = await chain(stage, id);
  expect(told.filter((action) => action === "envelope.erased")).toHaveLength(1);
  expect(told.filter((action) => action === "envelope.participant_erased").length).toBeLessThanOrEqual(2);
  expect(await read(stage, id)).toMatchObject({ title: null, participants: [{ name: null }, { name: null }] });
  expect((await verifyAll(stage.selo.operator)).faults).toEqual([]);
});

test("downloads, a report, a new label and a draft with the document at once: each is done or refused, and what is left verifies", {
  timeout: 60_000,
}, async () => {
  const { id, documentId } = await aCompleted();
  const label = (await ask(stage, "POST", "/labels", { name: "Race" })).body;
  const draft = await anEnvelope(stage);
  const [, download, report, labelled, added] = await Promise.all([
    erase(stage, id),
    ask(stage, "GET", `/envelopes/${id}/documents/${documentId}/download`),
    reportOf(stage, id),
    ask(stage, "PUT", `/envelopes/${id}/labels`, { label_ids: [label.id] }),
    ask(stage, "POST", `/envelopes/${draft.id}/documents`, { document_id: documentId }),
  ]);
  expect([200, 409]).toContain(statusOf(download));
  expect([200, 409]).toContain(statusOf(report));
  expect(statusOf(labelled)).toBe(200);
  expect((await read(stage, id)).labels).toMatchObject([{ id: label.id }]);
  await removeObjects(stage, connectors.worker);
  if (statusOf(download) === 200) {
    const { url } = download.body;
    expect((await fetch(url.replace("http://selo.test", stage.selo.baseUrl))).status).toBe(404);
  }
  // The draft has the document and keeps it, or comes too late.
  const kept = await ask(stage, "GET", `/documents/${documentId}/download`);
  expect([statusOf(added), statusOf(kept)]).toEqual(statusOf(added) === 201 ? [201, 200] : [404, 404]);
  expect((await verifyAll(stage.selo.operator)).faults).toEqual([]);
});

test("packages that wait are not delivered; one on its way keeps no report, and its job ends", {
  timeout: 60_000,
}, async () => {
  const own = await connectors.organization();
  const connector = await connectors.connector(own);
  const { id } = await connectors.completed(own);
  const { id: delivery } = await connectors.delivery(own, connector);
  // The report is made, and not kept yet, when the erasure comes.
  const { reports } = connectors.parts;
  const make: typeof reports.make = async (...given) => {
    const made = await reports.make(...given);
    await erase(own, id);
    return made;
  };
  await connectors.deliver(own, delivery, { reports: { make } });
  const kept = await own.selo.database.admin.query("select from signature.envelope_reports where envelope_id = $1", [
    id,
  ]);
  expect(kept.rowCount).toBe(0);
  const failed = { status: "failed", error: { status: null, code: "erased" } };
  expect(await connectors.deliveries(own, connector)).toMatchObject([failed]);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect((await ask(own, "POST", `/integrations/connectors/${connector}/replay`, { since })).body).toEqual({
    queued: 0,
  });
  // A replay that read the envelope before the erasure queues it after.
  const { rows } = await own.selo.database.admin.query<{ id: string }>(
    "insert into signature.package_deliveries (tenant_id, environment, connector_id, envelope_id) values ($1, $2, $3, $4) returning id",
    [own.tenantId, own.environment, connector, id],
  );
  await connectors.deliver(own, rows[0]?.id ?? "");
  expect(await connectors.deliveries(own, connector)).toMatchObject([failed, failed]);
});
