// Participants who sign with an ICP-Brasil certificate of their own: issue "The dossier, and signers with their own certificate" §3–§5.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MailMessage } from "../../../src/adapters/mail/mail-sender.ts";
import { sendMail } from "../../../workers/platform/send-mail.ts";
import { sweepSigning } from "../../../workers/signature/sweep-signing.ts";
import { ecKey } from "../../adapters/certificates/pkcs12-files.ts";
import { onePage, pdf } from "../../adapters/pdf-check/pdf-file.ts";
import { aKey, isSound, run, seal, signaturesOf as signaturesIn } from "../../adapters/pdf-seal/seal-stage.ts";
import { opensslOfEach, pemOf } from "../../adapters/pdf-seal/signers.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";
import { productMails } from "../../support/sample-mails.ts";
import { objectsOf, readyDocument, storedDocument } from "../../support/uploads.ts";
import { verifyAll } from "../../support/verify-all.ts";
import {
  attemptsOf,
  authorities,
  completeWith,
  finalOf,
  type Holder,
  opened,
  sendCertificate,
  signaturesOf,
  signedWith,
  startCertificateGateway,
} from "./certificate-stage.ts";
import { complete, completing, decline, evidenceOf, sentWith } from "./completion-stage.ts";
import { aField, anEnvelope, aParticipant, ask, CPF, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { erase, placesOf } from "./erasure-stage.ts";
import { proseOf, readReport, reportOf } from "./report-stage.ts";
import { act, aReminded, eventsOf, type Link, openedLink } from "./signing-stage.ts";

const icp = authorities();
let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startCertificateGateway(icp);
  stage = await openStage(selo);
  worker = workerOf({ selo });
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

const QUALIFIED = { body: { modality: "qualificada" } };
const upload = async () => (await storedDocument(selo, stage.token)).id;

/** As openssl signs in a folder of its own. */
function signedByOpenssl({ key }: Holder, bytes: Buffer): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-openssl-"));
  try {
    fs.writeFileSync(path.join(folder, "key.pem"), key);
    fs.writeFileSync(path.join(folder, "attributes"), bytes);
    return execFileSync("openssl", ["dgst", "-sha256", "-sign", "key.pem", "attributes"], { cwd: folder }).toString(
      "base64",
    );
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

test("one signer: the link opens a session, openssl signs, and the sealed PDF has the person's signature and the seal", async () => {
  const holder = icp.holder();
  const checked = async () => (await readyDocument(selo, stage.token)).id;
  const { id, documentId, links } = await sentWith(stage, [QUALIFIED], {}, { upload: checked });
  const [link] = links;
  expect((await act(stage, link, "GET")).body).toMatchObject({ steps: ["certificate"], documents: null });
  const began = await act(stage, link, "POST", "/session", { body: {} });
  expect(began.body).toEqual({ token: expect.any(String), expires_at: expect.any(String), next: "certificate" });
  const session = began.body.token;

  const { status, body, text } = await sendCertificate(stage, link, session, holder.chain);
  expect([status, text]).toEqual([200, text]);
  expect(body).toEqual({
    to_sign: [
      {
        document_id: documentId,
        digest: expect.any(String),
        signed_attributes: expect.any(String),
        algorithm: "RSASSA-PKCS1-v1_5-SHA256",
      },
    ],
    certificate: {
      name: "MARIA SOUZA",
      cpf: "***.982.247-**",
      issuer: "AC de teste",
      not_after: expect.stringMatching(/Z$/),
    },
    expires_at: expect.any(String),
  });
  const signature = signedByOpenssl(holder, Buffer.from(body.to_sign[0].signed_attributes, "base64"));
  const done = await completeWith(stage, link, session, [{ document_id: documentId, signature }]);
  expect([done.status, done.text]).toEqual([200, done.text]);
  expect(done.body.status).toBe("completed");

  await completing(stage, id, worker);
  expect((await read(stage, id)).status).toBe("completed");
  const sealed = await finalOf(stage, id, documentId);
  expect(isSound(sealed)).toBe(true);
  expect(sealed.toString("latin1").match(/\/DocMDP/g)).toHaveLength(1);
  const { verification_code: code } = await read(stage, id);
  expect(signaturesIn(sealed)).toEqual([
    {
      field: `${code} 1`,
      signer: "MARIA SOUZA:52998224725",
      type: "ETSI.CAdES.detached",
      isValid: true,
      isTotal: false,
    },
    {
      field: `${code} Selo`,
      signer: "Selo selo.test (TEST)",
      type: "ETSI.CAdES.detached",
      isValid: true,
      isTotal: true,
    },
  ]);
  const [record] = (await evidenceOf(stage, id)).records;
  expect(record.evidence).toMatchObject({
    certificate_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    documents: [{ document_id: documentId, signed_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    revocation: { status: "not_checked" },
    certificate_name: "same",
    signature_sha256: null,
  });
});

/** The root of the signers, and the certificates of the platform, as one reads them over HTTP: PEM. */
async function rootsOf(): Promise<Buffer> {
  const { body } = await call(selo, "GET", "/public/platform-key");
  const seals = body.seal_certificates.map(({ certificate }: { certificate: string }) =>
    pemOf(Buffer.from(certificate, "base64")),
  );
  return Buffer.concat([fs.readFileSync(path.join(icp.folder, "root.pem")), ...seals]);
}

/** The words that stand inside a rectangle of the first page, in lines; its place is given as those of fields. */
function wordsIn(pdf: Buffer, { x, y, width, height }: Placed): string {
  const points = { x: x * LETTER.width, y: y * LETTER.height, W: width * LETTER.width, H: height * LETTER.height };
  const area = Object.entries(points).flatMap(([name, value]) => [`-${name}`, String(Math.round(value))]);
  return run({ "a.pdf": pdf }, "pdftotext", "-r", "72", ...area, "-l", "1", "-nopgbrk", "a.pdf", "-").said.trim();
}
interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
/** The page of the upload, in points. */
const LETTER = { width: 612, height: 792 };

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** An envelope with two documents. */
async function withTwoDocuments(participants: readonly object[]) {
  const { id } = await anEnvelope(stage);
  const other = pdf(onePage({ catalog: "/Lang (pt)" }));
  const documents = [await upload(), (await storedDocument(selo, stage.token, { name: "other.pdf", file: other })).id];
  for (const document_id of documents) await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
  const added: string[] = [];
  for (const body of participants) added.push((await aParticipant(stage, id, body)).id);
  expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
  const links: Link[] = [];
  for (const participantId of added) links.push((await openedLink(stage, id, participantId)) as Link);
  return { id, documents, links };
}

/** A session in which a certificate was sent, and what is to be signed. */
async function offered(link: Link, holder: Holder) {
  const session = await opened(stage, link);
  const { status, body, text } = await sendCertificate(stage, link, session, holder.chain);
  expect([status, text]).toEqual([200, text]);
  return {
    session,
    toSign: body.to_sign,
    finish: () => completeWith(stage, link, session, signaturesOf(body.to_sign, holder)),
  };
}

const objectsThere = async () => {
  const ids: string[] = [];
  for await (const { id } of objectsOf(selo).list()) ids.push(id);
  return ids.length;
};

describe("signing in", () => {
  test("a participant with a certificate gets no code, and others get no session without one", async () => {
    const { links } = await sentWith(stage, [QUALIFIED, {}]);
    const [signer, other] = links as [Link, Link];
    expectError(await act(stage, signer, "POST", "/code"), 409, "conflict");
    expectError(await act(stage, other, "POST", "/session", { body: {} }), 422, "invalid_request", ["code"]);
    expect((await act(stage, other, "GET")).body.steps).toEqual(["code"]);
  });

  test("a request that is repeated with its key gets the same session, and one event tells of many sessions", async () => {
    const { id, links } = await sentWith(stage, [QUALIFIED]);
    const again = () =>
      act(stage, links[0], "POST", "/session", { body: {}, headers: { "idempotency-key": "the-same" } });
    const [first, second] = [await again(), await again()];
    expect(second.body).toEqual(first.body);
    await opened(stage, links[0]);
    const read = await act(stage, links[0], "GET", "", { session: first.body.token });
    expect(read.body.documents).toHaveLength(1);
    const actions = (await eventsOf(stage, id)).map(({ action }) => action);
    expect(actions.filter((action) => action === "envelope.link_opened")).toHaveLength(1);
  });

  test("a link begins sixty times an hour, and what is refused counts", async () => {
    const { links } = await sentWith(stage, [QUALIFIED]);
    const [link] = links;
    const session = await opened(stage, link);
    const tried = (kind: string, times: number) =>
      selo.database.admin.query("select gateway.count_requests($1, $2, 3600)", [attemptsOf(kind, link), times]);
    const isRefused = (answer: RestResponse) => {
      expectError(answer, 429, "rate_limited");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(60);
    };
    await tried("session", 58);
    await opened(stage, link);
    isRefused(await act(stage, link, "POST", "/session", { body: {} }));
    await tried("certificate", 59);
    const wrong = [Buffer.from("no certificate").toString("base64")];
    expectError(await sendCertificate(stage, link, session, wrong), 422, "certificate_refused", ["certificate"]);
    isRefused(await sendCertificate(stage, link, session, wrong));
  });

  test("signatures are tried sixty times an hour", async () => {
    const { links } = await sentWith(stage, [QUALIFIED], {}, { upload });
    const [link] = links;
    const { session, toSign, finish } = await offered(link, icp.holder());
    await selo.database.admin.query("select gateway.count_requests($1, 59, 3600)", [attemptsOf("signatures", link)]);
    const wrong = signaturesOf(toSign, icp.holder());
    expect((await completeWith(stage, link, session, wrong)).status).toBe(422);
    expectError(await finish(), 429, "rate_limited");
  });

  test("who does not sign with a certificate sends none", async () => {
    const { links } = await sentWith(stage, [{ body: { role: "aprovador" } }, {}]);
    const { aSession } = await import("./completion-stage.ts");
    const session = await aSession(stage, links[0]);
    expectError(await sendCertificate(stage, links[0], session, icp.holder().chain), 409, "conflict");
    expectError(await complete(stage, links[0], { session, signature: null, signatures: [] }), 422, "invalid_request", [
      "signatures",
    ]);
  });
});

describe("sending", () => {
  test("is for signatario and testemunha alone, and for deployments that trust authorities", async () => {
    const { id } = await anEnvelope(stage);
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: await upload() });
    await aParticipant(stage, id, { modality: "qualificada" });
    await aParticipant(stage, id, { modality: "qualificada", role: "testemunha", email: "w@example.com" });
    const approver = await aParticipant(stage, id, {
      modality: "qualificada",
      role: "aprovador",
      email: "a@example.com",
    });
    expectError(await ask(stage, "POST", `/envelopes/${id}/send`), 422, "envelope_not_sendable", [
      `participants.${approver.id}.modality`,
    ]);
    expect((await ask(stage, "DELETE", `/envelopes/${id}/participants/${approver.id}`)).status).toBe(204);
    await selo.operator.changeSetting("icp_brasil_roots_test", "");
    const refused = await ask(stage, "POST", `/envelopes/${id}/send`);
    await selo.operator.changeSetting("icp_brasil_roots_test", icp.folder);
    expect([refused.status, refused.body.detail.code]).toEqual([422, "auth_method_unavailable"]);
    expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
  });

  test("of a document that its signer certified without any change is refused, whoever signs", async () => {
    // Not a valid signature: what counts is that the upload says so.
    const signature = "/Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <00>";
    const certified = (level: number) =>
      pdf(
        onePage({
          catalog: "/Perms << /DocMDP 4 0 R >>",
          objects: {
            4: `<< ${signature} /Reference [<< /TransformMethod /DocMDP /TransformParams << /P ${level} >> >>] >>`,
          },
        }),
      );
    const [closed, open] = [
      await readyDocument(selo, stage.token, "closed.pdf", certified(1)),
      await readyDocument(selo, stage.token, "open.pdf", certified(2)),
    ];
    for (const participant of [{}, { modality: "qualificada" }]) {
      const { id } = await anEnvelope(stage);
      for (const { id: document_id } of [closed, open])
        await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
      await aParticipant(stage, id, participant);
      expectError(await ask(stage, "POST", `/envelopes/${id}/send`), 422, "envelope_not_sendable", [
        `documents.${closed.id}`,
      ]);
      expect((await ask(stage, "DELETE", `/envelopes/${id}/documents/${closed.id}`)).status).toBe(204);
      expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
    }
  });

  test("of a document that was signed before it was uploaded, and checked before checks asked for certifications", async () => {
    const { id } = await anEnvelope(stage);
    const document_id = await upload();
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
    await aParticipant(stage, id);
    const asOld = (isSigned: boolean) =>
      selo.database.admin.query(
        "update signature.documents set is_certified_known = false, is_signed = $2 where id = $1",
        [document_id, isSigned],
      );
    await asOld(true);
    expectError(await ask(stage, "POST", `/envelopes/${id}/send`), 422, "envelope_not_sendable", [
      `documents.${document_id}`,
    ]);
    await asOld(false);
    expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
  });

  test.each([
    ["sequential", 1, 2, []],
    ["sequential", 2, 1, ["order_index"]],
    ["mixed", 1, 1, ["order_index"]],
    ["parallel", 2, 1, []],
  ])(
    "where fields are drawn, in a %s envelope with the other at %s and the signer at %s: %j",
    async (signing_order, first, second, lacks) => {
      const { id } = await anEnvelope(stage, { signing_order, field_placement: "fields" });
      const document_id = await upload();
      await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
      const other = await aParticipant(stage, id, { order_index: first, email: "o@example.com" });
      const signer = await aParticipant(stage, id, { order_index: second, modality: "qualificada" });
      for (const { id: participant_id } of [other, signer])
        await aField(stage, id, { participant_id, document_id, type: "assinatura" });
      const sent = await ask(stage, "POST", `/envelopes/${id}/send`);
      if (lacks.length > 0)
        return expectError(
          sent,
          422,
          "envelope_not_sendable",
          lacks.map((lack) => `participants.${signer.id}.${lack}`),
        );
      expect([sent.status, sent.text]).toEqual([200, sent.text]);
      const statuses = (await read(stage, id)).participants.map(({ status }: { status: string }) => status);
      expect(statuses).toEqual(["invited", "pending"]);
    },
  );

  test("where fields are drawn, a signer has only those that are known before", async () => {
    const { id } = await anEnvelope(stage, { field_placement: "fields" });
    const document_id = await upload();
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
    const { id: participant_id } = await aParticipant(stage, id, { modality: "qualificada" });
    for (const type of ["assinatura", "cpf", "data"]) await aField(stage, id, { participant_id, document_id, type });
    expectError(await ask(stage, "POST", `/envelopes/${id}/send`), 422, "envelope_not_sendable", [
      `participants.${participant_id}.cpf`,
      `participants.${participant_id}.fields`,
    ]);
  });
});

describe("a certificate", () => {
  const refusals: [string, (link: Link) => readonly string[], string][] = [
    ["of another CPF", () => icp.holder({ cpf: "39053344705" }).chain, "cpf"],
    ["of a stranger's authority", () => authorities().holder().chain, "chain"],
    ["that is none", () => ["AAAA"], "chain"],
  ];
  test.each(refusals)("%s is refused", async (_, chain, reason) => {
    const { links } = await sentWith(stage, [{ body: { modality: "qualificada", cpf: CPF } }]);
    const answer = await sendCertificate(stage, links[0], await opened(stage, links[0]), chain(links[0]));
    expectError(answer, 422, "certificate_refused", ["certificate"]);
    expect(answer.body.fields[0].message).toMatch(new RegExp(`^${reason}: `));
  });

  test("100 certificates, none, and what is no base64 are refused", async () => {
    const { links } = await sentWith(stage, [QUALIFIED]);
    const session = await opened(stage, links[0]);
    for (const chain of [Array(100).fill("AAAA"), [], ["?"], ["AAAA".repeat(30_000)]])
      expect((await sendCertificate(stage, links[0], session, chain)).body.detail.code).toBe("invalid_request");
  });
});

describe("signatures", () => {
  test("of two documents: all or none", async () => {
    const holder = icp.holder({ key: ecKey() });
    const { id, documents, links } = await withTwoDocuments([{ modality: "qualificada" }]);
    const link = links[0] as Link;
    const { session, toSign } = await offered(link, holder);
    expect(toSign.map(({ document_id }: { document_id: string }) => document_id)).toEqual(documents);
    const good = signaturesOf(toSign, holder);
    const before = await objectsThere();
    expectError(await completeWith(stage, link, session, good.slice(0, 1)), 422, "invalid_request", ["signatures"]);
    const [one, other] = good as unknown as [{ signature: string }, { signature: string }];
    const wrong: [string, readonly object[], string][] = [
      ["of the other document", [one, { ...other, signature: one.signature }], `signatures.${documents[1]}`],
      [
        "of another key",
        [signaturesOf(toSign, icp.holder({ key: ecKey() }))[0] as object, other],
        `signatures.${documents[0]}`,
      ],
      [
        "not in DER",
        [{ ...one, signature: Buffer.alloc(64, 1).toString("base64") }, other],
        `signatures.${documents[0]}`,
      ],
    ];
    for (const [, signatures, field] of wrong)
      expectError(await completeWith(stage, link, session, signatures), 422, "invalid_request", [field]);
    expect(await objectsThere()).toBe(before);
    expectError(
      await completeWith(stage, link, session, good, { signature: { kind: "typed", text: "Maria" } }),
      422,
      "invalid_request",
      ["signature"],
    );
    const done = await completeWith(stage, link, session, good);
    expect([done.status, done.text]).toEqual([200, done.text]);
    const again = await completeWith(stage, link, session, good);
    expect(again.body).toEqual(done.body);
    await completing(stage, id, worker);
    for (const document of documents) {
      const sealed = await finalOf(stage, id, document);
      expect(signaturesIn(sealed).map(({ isValid }) => isValid)).toEqual([true, true]);
    }
  });

  test("of two people and the seal: each is on the last one, and who comes second asks again", async () => {
    const [ana, bruno] = [
      icp.holder({ name: "ANA PRADO" }),
      icp.holder({ name: "BRUNO LIMA", cpf: "39053344705", key: ecKey() }),
    ];
    const { id, documentId, links } = await sentWith(
      stage,
      [QUALIFIED, { body: { modality: "qualificada", role: "testemunha" } }],
      {},
      { upload },
    );
    const [first, second] = links as [Link, Link];
    const late = await offered(second, bruno);
    expect((await signedWith(stage, first, ana)).status).toBe(200);
    expectError(await late.finish(), 409, "conflict");
    expect((await act(stage, second, "GET")).body.turn).toBe("yes");
    const done = await signedWith(stage, second, bruno);
    expect([done.status, done.text]).toEqual([200, done.text]);
    await completing(stage, id, worker);
    const sealed = await finalOf(stage, id, documentId);
    expect(isSound(sealed)).toBe(true);
    expect(signaturesIn(sealed).map(({ signer, isValid, isTotal }) => [signer, isValid, isTotal])).toEqual([
      ["ANA PRADO:52998224725", true, false],
      ["BRUNO LIMA:39053344705", true, false],
      ["Selo selo.test (TEST)", true, true],
    ]);
    // Each signed form is the beginning of the next one.
    const ends = [...sealed.toString("latin1").matchAll(/%%EOF\s*/g)].map(({ index, 0: end }) => index + end.length);
    const judged = opensslOfEach(sealed, await rootsOf());
    expect(judged.map(({ says, left }) => [says, left])).toEqual(Array(3).fill(["CAdES Verification successful", ""]));
    expect(judged.map(({ covers }) => covers)).toEqual(ends.slice(-3));
    const { records } = await evidenceOf(stage, id);
    const digests = ends.map((end) => sha256(sealed.subarray(0, end)));
    for (const { evidence } of records) expect(digests).toContain(evidence.documents[0].signed_sha256);
    expect(records[0].evidence.certificate_name).toBe("differs");
    const { rows } = await selo.database.admin.query(
      "select data from platform.mails where tenant_id = $1 and kind = 'certificate_name_differs'",
      [stage.tenantId],
    );
    expect(rows).toEqual([]);
  });

  test("of a person who is erased leave the digest of the certificate: report and audit find no fault", async () => {
    const { id, links } = await sentWith(stage, [QUALIFIED], {}, { upload });
    expect((await signedWith(stage, links[0], icp.holder({ name: "IRACEMA LUZ" }))).status).toBe(200);
    await completing(stage, id, worker);
    // The certificate is kept as DER.
    const name = Buffer.from("IRACEMA LUZ").toString("hex");
    expect(await placesOf(selo, [name])).toEqual({ [name]: ["signature.signer_certificates"] });
    expect(await erase(stage, id, links[0].participantId)).toMatchObject({ is_new: true });
    expect(await placesOf(selo, [name, "IRACEMA LUZ"])).toEqual({ [name]: [], "IRACEMA LUZ": [] });
    const report = proseOf(readReport((await reportOf(stage, id)).bytes));
    expect(report).toContain("1. (erased)");
    expect(report).not.toContain("IRACEMA");
    expect((await evidenceOf(stage, id)).records[0].evidence.certificate_path).toHaveLength(3);
    expect((await verifyAll(selo.operator)).faults.filter(({ subject_id }) => subject_id === id)).toEqual([]);
  });

  test("with fields: all is drawn before the first signature, and stays valid", async () => {
    const fields = (y: number) => [
      { type: "assinatura", x: 0.1, y, width: 0.4, height: 0.08 },
      { type: "nome", x: 0.6, y, width: 0.3, height: 0.04 },
    ];
    const members = [
      { fields: fields(0.1) },
      { body: { name: "Ana Prado", modality: "qualificada" }, fields: fields(0.3) },
      {
        body: { name: "Bruno Lima", modality: "qualificada", cpf: CPF },
        fields: [...fields(0.5), { type: "cpf", x: 0.1, y: 0.7, width: 0.3, height: 0.04 }],
      },
    ];
    const { id, documentId, links } = await sentWith(stage, members, {}, { upload });
    expectError(await act(stage, links[1] as Link, "POST", "/session", { body: {} }), 409, "not_your_turn");
    expect((await complete(stage, links[0])).status).toBe(200);
    for (const [place, holder] of [icp.holder({ name: "ANA PRADO" }), icp.holder({ name: "BRUNO LIMA" })].entries()) {
      const link = (await openedLink(stage, id, (links[place + 1] as Link).participantId)) as Link;
      const done = await signedWith(stage, link, holder);
      expect([done.status, done.text]).toEqual([200, done.text]);
    }
    await completing(stage, id, worker);
    const sealed = await finalOf(stage, id, documentId);
    expect(signaturesIn(sealed).map(({ isValid }) => isValid)).toEqual([true, true, true]);
    expect(isSound(sealed)).toBe(true);
    expect(wordsIn(sealed, { x: 0.1, y: 0.7, width: 0.3, height: 0.04 })).toBe(CPF);
    const code = `Code ${(await read(stage, id)).verification_code}, verify at selo.test/verify`;
    // The stamp of who signs with a certificate has no date: it was drawn before anyone signed.
    const drawn = [0.1, 0.3, 0.5].map((y) => wordsIn(sealed, { x: 0.1, y, width: 0.4, height: 0.08 }).split(/\n+/));
    expect(drawn).toEqual([
      ["Maria Souza", "Maria Souza", expect.stringMatching(/^\d+ \S+ \d{4}, \d\d:\d\d:\d\d \(UTC\)$/), code],
      ["Ana Prado", "Ana Prado", "ICP-Brasil", code],
      ["Bruno Lima", "Bruno Lima", "ICP-Brasil", code],
    ]);
  });

  test("of an upload that is signed already: it is not certified, brings no fields, and its signature stays valid", async () => {
    const before = await seal(await aKey(), pdf(onePage({})));
    const alreadySigned = async () => (await readyDocument(selo, stage.token, "signed.pdf", before)).id;
    const { id, documentId, links } = await sentWith(stage, [QUALIFIED], {}, { upload: alreadySigned });
    expect((await signedWith(stage, links[0], icp.holder({ key: ecKey() }))).status).toBe(200);
    await completing(stage, id, worker);
    const sealed = await finalOf(stage, id, documentId);
    expect(sealed.subarray(0, before.length).equals(before)).toBe(true);
    expect(sealed.toString("latin1")).not.toContain("/DocMDP");
    const { verification_code: code } = await read(stage, id);
    expect(signaturesIn(sealed).map(({ field, isValid }) => [field, isValid])).toEqual(
      ["Selo", `${code} 1`, "Selo 2"].map((field) => [field, true]),
    );
    expect(isSound(sealed)).toBe(true);
  });

  test("what is no longer the document that was signed last is not sealed, and there is no report of it", async () => {
    const { id, links } = await sentWith(stage, [QUALIFIED], {}, { upload });
    expect((await signedWith(stage, links[0], icp.holder())).status).toBe(200);
    const { admin } = selo.database;
    const ofLink = "from signature.envelope_documents as linked where linked.envelope_id = $1";
    const signed = await admin.query(`select signed_object_id, signed_size, signed_sha256 ${ofLink}`, [id]);
    const uploaded = await admin.query(
      "select document.object_id as signed_object_id, document.size as signed_size, document.sha256 as signed_sha256 from signature.documents as document join signature.envelope_documents as linked on linked.document_id = document.id where linked.envelope_id = $1",
      [id],
    );
    const point = ({ rows: [row] }: typeof signed) =>
      admin.query(
        "update signature.envelope_documents set signed_object_id = $2, signed_size = $3, signed_sha256 = $4 where envelope_id = $1",
        [id, row.signed_object_id, row.signed_size, row.signed_sha256],
      );
    await point(uploaded);
    await expect(completing(stage, id, worker)).rejects.toThrow();
    await point(signed);
    await completing(stage, id, worker);
    const report = () => reportOf(stage, id);
    expect((await report()).status).toBe(200);
    await point(uploaded);
    expectError(await report(), 500, "internal_error");
  });

  test("of a person with another name: the contact is told, where there is one and the names differ", async () => {
    const { id: tenantId, test: token } = await selo.newOrganization({ email: "contact@example.org" });
    const own: EnvelopeStage = { ...stage, tenantId, token };
    const names = { upload: async () => (await storedDocument(selo, token)).id };
    const people = [
      { body: { modality: "qualificada", name: "Mária  Souza" } },
      { body: { modality: "qualificada", name: "João Lima" } },
    ];
    const { id, links } = await sentWith(own, people, { title: "Lease" }, names);
    for (const link of links) expect((await signedWith(own, link, icp.holder())).status).toBe(200);
    const { rows } = await selo.database.admin.query(
      "select id from platform.mails where tenant_id = $1 and kind = 'certificate_name_differs'",
      [tenantId],
    );
    expect(rows).toHaveLength(1);
    const mails: MailMessage[] = [];
    const send = sendMail({ send: async (mail) => void mails.push(mail) }, selo.config, productMails);
    await send({ tenant_id: tenantId, environment: "test", id: rows[0].id }, worker.context);
    expect(mails).toMatchObject([{ recipient: "contact@example.org", subject: expect.stringMatching(/: Lease$/) }]);
    expect(mails[0]?.text).toMatch(/João Lima[\s\S]*MARIA SOUZA/);
    expect(mails[0]?.text).toContain(id);
    const { said } = run({ "a.pdf": (await reportOf(own, id)).bytes }, "pdftotext", "-layout", "a.pdf", "-");
    expect(said.match(/certificate has another name/g)).toHaveLength(1);
    const { records } = await evidenceOf(own, id);
    expect(
      records.map(({ evidence }: { evidence: { certificate_name: string } }) => evidence.certificate_name),
    ).toEqual(["same", "differs"]);
  });

  test("ten minutes later the certificate is sent again", async () => {
    const { links } = await sentWith(stage, [QUALIFIED], {}, { upload });
    const { finish } = await offered(links[0], icp.holder());
    await selo.database.admin.query(
      "update signature.certificate_offers set expires_at = now() where participant_id = $1",
      [links[0].participantId],
    );
    expectError(await finish(), 409, "conflict");
  });

  test("where the documents would be prepared in another way by now, the certificate is sent again", async () => {
    const holder = icp.holder({ key: ecKey() });
    const members = [{ fields: [{ type: "assinatura" }] }, { ...QUALIFIED, fields: [{ type: "nome", y: 0.5 }] }];
    const { id, links } = await sentWith(stage, members, {}, { upload });
    expect((await complete(stage, links[0])).status).toBe(200);
    const link = (await openedLink(stage, id, (links[1] as Link).participantId)) as Link;
    const { finish } = await offered(link, holder);
    const before = await objectsThere();
    // Below the drawn signature of the other participant stands a time of this zone.
    const moveTo = (zone: string) =>
      selo.database.admin.query("update platform.organizations set time_zone = $2 where id = $1", [
        stage.tenantId,
        zone,
      ]);
    await moveTo("America/Sao_Paulo");
    try {
      const refused = await finish();
      expectError(refused, 409, "conflict");
      expect(refused.body.detail.message).toMatch(/^The documents are prepared in another way by now\./);
      expect(await objectsThere()).toBe(before);
      expect((await evidenceOf(stage, id)).records).toHaveLength(1);
      expect((await signedWith(stage, link, holder)).status).toBe(200);
    } finally {
      await moveTo("UTC");
    }
    expect((await evidenceOf(stage, id)).records).toHaveLength(2);
  });

  test("the minute job deletes certificates that came ten minutes ago, and leaves the others", async () => {
    const { links } = await sentWith(stage, [QUALIFIED, QUALIFIED], {}, { upload });
    const [late, good] = links as [Link, Link];
    for (const link of [late, good]) await offered(link, icp.holder());
    const { admin } = selo.database;
    await admin.query("update signature.certificate_offers set expires_at = now() where participant_id = $1", [
      late.participantId,
    ]);
    await sweepSigning({}, worker.context);
    const { rows } = await admin.query(
      "select participant_id from signature.certificate_offers where envelope_id = $1",
      [late.envelopeId],
    );
    expect(rows).toEqual([{ participant_id: good.participantId }]);
  });
});

describe("at once", () => {
  test("two certificates: the last one counts", async () => {
    const { links } = await sentWith(stage, [QUALIFIED], {}, { upload });
    const [one, other] = [icp.holder(), icp.holder()];
    const early = await offered(links[0], one);
    const late = await offered(links[0], other);
    expect((await early.finish()).status).toBe(422);
    expect((await late.finish()).status).toBe(200);
  });

  test("two certificates of one participant: one of them counts, and its signature alone", async () => {
    const { links } = await sentWith(stage, [QUALIFIED], {}, { upload });
    const holders = [icp.holder(), icp.holder({ key: ecKey() })] as const;
    const session = await opened(stage, links[0]);
    const answers = await Promise.all(holders.map(({ chain }) => sendCertificate(stage, links[0], session, chain)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const finished: number[] = [];
    for (const [place, { body }] of answers.entries()) {
      const signatures = signaturesOf(body.to_sign, holders[place] as Holder);
      finished.push((await completeWith(stage, links[0], session, signatures)).status);
      if (finished.at(-1) === 200) break;
    }
    expect([[200], [422, 200]]).toContainEqual(finished);
  });

  const ends: [string, (link: Link, id: string, session: string) => Promise<unknown>][] = [
    ["the participant declines", (link, _, session) => decline(stage, link, undefined, session)],
    ["the sender cancels", (_, id) => ask(stage, "POST", `/envelopes/${id}/cancel`, {})],
    [
      "the deadline passes",
      async (_, id) => {
        await selo.database.admin.query("update signature.envelopes set expires_at = now() where id = $1", [id]);
        await worker.context.jobs.call(stage, "expire_envelope", { id });
      },
    ],
    ["the participant is reminded", (link) => aReminded(stage, link)],
    ["the link is replaced", (link) => aReminded(stage, link, { new_link: true })],
  ];
  test.each(ends)(
    "a certificate, and %s: it is kept where the envelope goes on, and nothing is signed",
    async (_, meanwhile) => {
      const { id, links } = await sentWith(stage, [QUALIFIED], {}, { upload });
      const session = await opened(stage, links[0]);
      const [sent] = await Promise.all([
        sendCertificate(stage, links[0], session, icp.holder().chain),
        meanwhile(links[0], id, session).catch(() => {}),
      ]);
      expect([200, 401, 404, 409]).toContain(sent.status);
      const { records, chain } = await evidenceOf(stage, id);
      expect([records, chain.faults]).toEqual([[], []]);
      const given = (await eventsOf(stage, id)).filter(({ action }) => action === "envelope.certificate_given");
      expect(given).toHaveLength(sent.status === 200 ? 1 : 0);
      // What follows the end is refused, whichever was first.
      if (["declined", "cancelled", "expired"].includes((await read(stage, id)).status))
        expect([401, 409]).toContain((await sendCertificate(stage, links[0], session, icp.holder().chain)).status);
    },
  );

  test.each(ends)("a signature, and %s: one of them wins", async (_, meanwhile) => {
    const { id, links } = await sentWith(stage, [QUALIFIED], {}, { upload });
    const { session, finish } = await offered(links[0], icp.holder());
    const [signed] = await Promise.all([finish(), meanwhile(links[0], id, session).catch(() => {})]);
    expect([200, 401, 404, 409]).toContain(signed.status);
    const { records, chain } = await evidenceOf(stage, id);
    expect(records).toHaveLength(signed.status === 200 ? 1 : 0);
    expect(chain.faults).toEqual([]);
    const { rows } = await selo.database.admin.query(
      "select count(linked.signed_object_id)::int as signed, (select count(*)::int from signature.certificate_offers where envelope_id = $1) as offers from signature.envelope_documents as linked where linked.envelope_id = $1",
      [id],
    );
    expect(rows[0].signed).toBe(signed.status === 200 ? 1 : 0);
    if (signed.status === 200) expect(rows[0].offers).toBe(0);
  });

  test("two participants: one signs, the other asks again", async () => {
    const { id, documentId, links } = await sentWith(stage, [QUALIFIED, QUALIFIED], {}, { upload });
    const holders = [icp.holder(), icp.holder({ key: ecKey() })] as const;
    const began = [await offered(links[0], holders[0]), await offered(links[1] as Link, holders[1])];
    const answers = await Promise.all(began.map(({ finish }) => finish()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const left = answers.findIndex(({ status }) => status === 409);
    expect((await signedWith(stage, links[left] as Link, holders[left] as Holder)).status).toBe(200);
    await completing(stage, id, worker);
    expect(signaturesIn(await finalOf(stage, id, documentId)).map(({ isValid }) => isValid)).toEqual([
      true,
      true,
      true,
    ]);
  });
});
