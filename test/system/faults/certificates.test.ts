// A gateway that is killed, or a storage that goes away, while somebody signs with a certificate: nothing is half done, and the participant signs later.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import {
  authorities,
  completeWith,
  type Holder,
  opened,
  sendCertificate,
  signaturesOf,
} from "../../services/signature/certificate-stage.ts";
import { sentWith } from "../../services/signature/completion-stage.ts";
import type { EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import type { Link } from "../../services/signature/signing-stage.ts";
import { expectError } from "../../support/rest-client.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf } from "./deployment.ts";

const icp = authorities();
let deployment: Deployment;
let stage: EnvelopeStage;
const startGateway = () => deployment.startGateway({ ICP_BRASIL_TEST_ROOTS: icp.folder });
beforeAll(async () => {
  deployment = await deploy();
  // As `selo migrate` writes it.
  await deployment.asOperator((operator) => operator.changeSetting("icp_brasil_roots_test", icp.folder));
  const organization = await deployment.newOrganization();
  stage = { ...envelopesOf(deployment, organization), token: organization.test, environment: "test" };
  await startGateway();
}, 120_000);
afterAll(() => deployment?.stop());

const query = async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
  (await deployment.admin.query<Row>(statement, [...values])).rows;

/** A participant who sent a certificate, and what its key made of the answer. */
async function offered(holder: Holder) {
  const upload = async () => (await readyDocument(deployment, stage.token)).id;
  const { links } = await sentWith(stage, [{ body: { modality: "qualificada" } }], {}, { upload });
  const [link] = links;
  const session = await opened(stage, link);
  return { link, session, signatures: await signed(link, session, holder) };
}

async function signed(link: Link, session: string, holder: Holder) {
  const { status, body, text } = await sendCertificate(stage, link, session, holder.chain);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return signaturesOf(body.to_sign, holder);
}

/** What is kept of the signature of a participant. */
const keptOf = async ({ envelopeId, participantId }: Link) =>
  (
    await query(
      `select
         (select count(*)::integer from signature.signature_records where participant_id = $2) as records,
         (select count(*)::integer from signature.signer_certificates where participant_id = $2) as certificates,
         (select count(signed_object_id)::integer from signature.envelope_documents where envelope_id = $1) as documents,
         (select count(*)::integer from platform.audit_events where subject_id = $1 and action = 'envelope.participant_signed') as events,
         (select count(*)::integer from signature.certificate_offers where participant_id = $2) as offers`,
      [envelopeId, participantId],
    )
  )[0];
const NOTHING = { records: 0, certificates: 0, documents: 0, events: 0, offers: 1 };
const ALL = { records: 1, certificates: 1, documents: 1, events: 1, offers: 0 };

/** Objects that no row names: the sweep of objects removes them. */
async function unnamed(): Promise<number> {
  const ids: string[] = [];
  for await (const { id } of FolderStore.existing(deployment.storageFolder).list()) ids.push(id);
  return (await query("select from jobs.unnamed_objects($1)", [ids])).length;
}

test("kill -9 between both calls: the next gateway takes the signatures, or those of a certificate that is sent anew", async () => {
  const [holder, another] = [icp.holder(), icp.holder()];
  const [kept, anew] = [await offered(holder), await offered(holder)];
  await deployment.killGateway();
  for (const { link } of [kept, anew]) expect(await keptOf(link)).toEqual(NOTHING);
  await startGateway();
  const done = await completeWith(stage, kept.link, kept.session, kept.signatures);
  expect([done.status, done.text]).toEqual([200, done.text]);
  const session = await opened(stage, anew.link);
  const signatures = await signed(anew.link, session, another);
  expect((await completeWith(stage, anew.link, session, anew.signatures)).status).toBe(422);
  expect((await completeWith(stage, anew.link, session, signatures)).status).toBe(200);
  for (const { link } of [kept, anew]) expect(await keptOf(link)).toEqual(ALL);
  expect(await unnamed()).toBe(0);
}, 120_000);

test("kill -9 while the signature is recorded: nothing of it is kept, and the same signature is taken again", async () => {
  const { link, session, signatures } = await offered(icp.holder());
  const held = await deployment.admin.connect();
  try {
    await held.query("begin");
    await held.query("select from signature.envelopes where id = $1 for no key update", [link.envelopeId]);
    const { rows } = await held.query<{ pid: number }>("select pg_backend_pid() as pid");
    const broken = completeWith(stage, link, session, signatures).catch((error: Error) => error.message);
    // The signed PDF is stored by then, and the gateway waits for the database.
    const waiting = () =>
      query<{ pid: number }>("select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [rows[0]?.pid]);
    await expect.poll(async () => (await waiting()).length, { timeout: 30_000, interval: 20 }).toBe(1);
    expect(await unnamed()).toBe(1);
    const [{ pid } = { pid: 0 }] = await waiting();
    await deployment.killGateway();
    expect(await broken).toBe("fetch failed");
    // As Postgres ends what nobody waits for.
    await query("select pg_terminate_backend($1, 10000)", [pid]);
  } finally {
    await held.query("rollback");
    held.release();
  }
  expect(await keptOf(link)).toEqual(NOTHING);
  expect(await unnamed()).toBe(1);
  await startGateway();
  const done = await completeWith(stage, link, session, signatures);
  expect([done.status, done.text]).toEqual([200, done.text]);
  expect(await keptOf(link)).toEqual(ALL);
  // What the killed one stored is not what was signed: that is named.
  expect(await unnamed()).toBe(1);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 120_000);

test("a storage that is away: neither call does anything, and both go on once it is back", async () => {
  const holder = icp.holder();
  const { link, session, signatures } = await offered(holder);
  const away = `${deployment.storageFolder}-away`;
  fs.renameSync(deployment.storageFolder, away);
  try {
    expectError(await sendCertificate(stage, link, session, icp.holder().chain), 503, "unavailable");
    expectError(await completeWith(stage, link, session, signatures), 503, "unavailable");
    expect(await keptOf(link)).toEqual(NOTHING);
  } finally {
    fs.renameSync(away, deployment.storageFolder);
  }
  // The certificate that was refused has replaced nothing.
  expect((await completeWith(stage, link, session, signatures)).status).toBe(200);
  expect(await keptOf(link)).toEqual(ALL);
}, 120_000);
