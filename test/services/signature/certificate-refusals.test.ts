// What is refused to participants who sign with certificates, and what the database refuses to the gateway itself.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnyCommand } from "../../../src/postgres/any-command.ts";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { sessionDigest } from "../../../src/services/signature/signing/signing-surface.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { countRows, expectError } from "../../support/rest-client.ts";
import { storedDocument } from "../../support/uploads.ts";
import {
  attemptsOf,
  authorities,
  completeWith,
  opened,
  sendCertificate,
  signaturesOf,
  startCertificateGateway,
} from "./certificate-stage.ts";
import { aSession, CONSENT, sentWith, TYPED } from "./completion-stage.ts";
import { type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { act, aReminded, type Link } from "./signing-stage.ts";

const icp = authorities();
let selo: TestGateway;
let stage: EnvelopeStage;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  selo = await startCertificateGateway(icp);
  stage = await openStage(selo);
  pool = createPool(
    { url: selo.database.appUrl, role: "selo_app", applicationName: "test", statementTimeoutMs: 10_000 },
    1,
    () => {},
  );
});
afterAll(async () => {
  await pool?.end();
  await selo?.stop();
});

const QUALIFIED = { body: { modality: "qualificada" } };
const upload = async () => (await storedDocument(selo, stage.token)).id;

/** A command as the gateway calls it for the holder of a link. */
const commanded = (link: Link, command: AnyCommand, given: object) =>
  new Database(pool).call({
    credentialHash: createHash("sha256").update(link.secret).digest(),
    origin: { requestId: "test", address: "127.0.0.1", channel: "rest" },
    command,
    arguments: { participant_id: link.participantId, ...given },
  });

test("documents that took more than five minutes to prepare: the certificate is sent again, and nothing is kept", async () => {
  const { links } = await sentWith(stage, [QUALIFIED], {}, { upload });
  const [link] = links;
  const session_sha256 = sessionDigest(await opened(stage, link));
  const before = await countRows(selo);
  for (const late of [301, -60])
    await expect(
      commanded(link, "record_certificate", {
        session_sha256,
        chain: icp.holder().chain,
        at: new Date(Date.now() - late * 1000).toISOString(),
        documents: [],
        answer: {},
      }),
    ).rejects.toMatchObject({ status: 409, code: "conflict" });
  expect(await countRows(selo)).toEqual(before);
});

test("signed documents are taken from nobody who does not sign with a certificate", async () => {
  const { links } = await sentWith(stage, [{}]);
  const session_sha256 = sessionDigest(await aSession(stage, links[0]));
  const given = { session_sha256, consent_version: CONSENT, signature: TYPED };
  const signed = { documents: {}, certificate: { path: ["00"] }, revocation: {} };
  await expect(commanded(links[0], "prepare_completion", { ...given, signed })).rejects.toMatchObject({
    status: 422,
    fields: [{ field: "signatures" }],
  });
  await expect(commanded(links[0], "prepare_completion", given)).resolves.toMatchObject({ status: 200 });
});

test("a new link has its own attempts: whoever used up a leaked one keeps nobody from signing", async () => {
  const { links } = await sentWith(stage, [QUALIFIED], {}, { upload });
  const [leaked] = links;
  const session = await opened(stage, leaked);
  for (const kind of ["session", "certificate", "signatures"])
    await selo.database.admin.query("select gateway.count_requests($1, 60, 3600)", [attemptsOf(kind, leaked)]);
  const holder = icp.holder();
  expectError(await act(stage, leaked, "POST", "/session", { body: {} }), 429, "rate_limited");
  expectError(await sendCertificate(stage, leaked, session, holder.chain), 429, "rate_limited");

  const link = await aReminded(stage, leaked, { new_link: true });
  const own = await opened(stage, link);
  const { body } = await sendCertificate(stage, link, own, holder.chain);
  const { status, text } = await completeWith(stage, link, own, signaturesOf(body.to_sign, holder));
  expect([status, text]).toEqual([200, text]);
});
