// POST /signatures/validate-file: what an organization knows of a file, and what holds of the signatures of a PDF.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Integrity, TimeStamp } from "../../../src/adapters/pdf-signatures/answer.ts";
import { type JudgedSignature, verdictOfFile } from "../../../src/services/signature/records/verdict-of-file.ts";
import { onePage, pdf } from "../../adapters/pdf-check/pdf-file.ts";
import { signed } from "../../adapters/pdf-signatures/signed-pdf.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { call, countRows, expectError } from "../../support/rest-client.ts";
import { formOf, ORDINARY, objectsOf, readyDocument } from "../../support/uploads.ts";
import { authorities, finalOf, type Holder, signedWith, startCertificateGateway } from "./certificate-stage.ts";
import { complete, completing, sentWith } from "./completion-stage.ts";
import { ask, type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { reportOf } from "./report-stage.ts";
import { type Responder, startResponder } from "./responder-stage.ts";

let responder: Responder;
let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
const holders: Record<"maria" | "joao", Holder> = {} as never;
beforeAll(async () => {
  responder = await startResponder();
  selo = await startCertificateGateway(responder.icp, { WEBHOOK_ALLOW_LOOPBACK: "1" });
  stage = await openStage(selo);
  worker = workerOf({ selo });
  Object.assign(holders, { maria: responder.icp.holder(), joao: responder.icp.holder({ name: "JOAO" }) });
  responder.knows(holders.maria, holders.joao);
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
  responder.stop();
});

const validate = (file: Uint8Array, token = stage.token) =>
  call(selo, "POST", "/signatures/validate-file", { token, body: formOf(file) });
async function objects(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of objectsOf(selo).list()) ids.push(id);
  return ids.sort();
}
async function told(file: Uint8Array, token?: string) {
  const { status, body, text } = await validate(file, token);
  expect([status, text]).toEqual([200, text]);
  expect(body.sha256).toBe(createHash("sha256").update(file).digest("hex"));
  return body;
}
const ofIcp = (holder: Holder, before?: Buffer) =>
  signed(holder, {
    above: responder.icp.intermediate,
    ...(before && { before, numbers: [6, 7] as const, fields: "4 0 R" }),
  });

test("a final PDF with two signatures and the seal, its report, and one byte more", async () => {
  const upload = async () => (await readyDocument(selo, stage.token)).id;
  const qualified = { body: { modality: "qualificada" } };
  const { id, documentId, links } = await sentWith(stage, [qualified, {}], {}, { upload });
  await signedWith(stage, links[0], holders.maria);
  if (links[1] === undefined) throw new Error("there is no second link");
  await complete(stage, links[1]);
  await completing(stage, id, worker);
  const final = await finalOf(stage, id, documentId);
  const other = await selo.newOrganization();
  const [before, kept] = [await countRows(selo), await objects()];
  const answer = await told(final);
  const times = { signed_at: expect.stringMatching(/Z$/), timestamp: "none" };
  const sound = { ...times, format: "ETSI.CAdES.detached", integrity: "valid" };
  expect(answer).toMatchObject({
    verdict: "valid",
    known: [{ as: "final", id: documentId, envelope_id: id }],
    signatures: [
      {
        ...sound,
        signer: { name: "MARIA SOUZA", cpf: "***.982.247-**", issuer: "C=BR, O=ICP-Brasil, CN=AC de teste" },
        covers_whole_file: false,
        chain: "icp_brasil",
        revocation: "good",
      },
      { ...sound, covers_whole_file: true, chain: "platform", revocation: "not_checked" },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain("52998224725");
  // A report has no stored digest: its seal says it.
  const report = await reportOf(stage, id);
  expect(await told(report.bytes)).toMatchObject({ verdict: "valid", known: [], signatures: [{ chain: "platform" }] });
  // The same of another organization, by the seal; of live, whose certificates are others, nothing.
  expect(await told(report.bytes, other.test)).toMatchObject({ verdict: "valid" });
  expect(await told(report.bytes, other.live)).toMatchObject({
    verdict: "unknown",
    signatures: [{ chain: "unknown" }],
  });
  // An update behind the seal, and a changed byte.
  const more = await told(Buffer.concat([final, Buffer.from("\n")]));
  expect(more).toMatchObject({ verdict: "unknown", known: [], signatures: [{}, { covers_whole_file: false }] });
  const changed = Buffer.from(final);
  changed[final.indexOf("/MediaBox") + 11] = 0x31;
  const [first, last] = (await told(changed)).signatures;
  expect([first.integrity, last.integrity, last.chain]).toEqual(["invalid", "invalid", "unknown"]);
  expect([await countRows(selo), await objects()]).toEqual([before, kept]);
});

test("a seal vouches for no update that came before it: somebody's signed PDF that was changed and then sealed is unknown", async () => {
  const honest = ofIcp(holders.joao);
  const changed = pdf({ 3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>" }, { before: honest });
  const upload = async () => (await readyDocument(selo, stage.token, "signed.pdf", changed)).id;
  const { id, documentId, links } = await sentWith(stage, [{}], {}, { upload });
  await complete(stage, links[0]);
  await completing(stage, id, worker);
  const answer = await told(await finalOf(stage, id, documentId));
  expect(answer).toMatchObject({
    known: [{ as: "final" }],
    signatures: [
      { signer: { name: "JOAO" }, integrity: "valid", covers_whole_file: false, chain: "icp_brasil" },
      { covers_whole_file: true, chain: "platform" },
    ],
  });
  expect(answer.verdict).toBe("unknown");
});

test("of others' signatures: the issuer is asked, once for a certificate, and may say no", async () => {
  const [one] = [ofIcp(holders.joao)];
  expect(await told(one)).toMatchObject({
    verdict: "valid",
    signatures: [{ chain: "icp_brasil", revocation: "good" }],
  });
  // Nobody compares what came between the two.
  const two = await told(ofIcp(holders.joao, ofIcp(holders.maria)));
  expect(two).toMatchObject({ verdict: "unknown", signatures: [{ revocation: "good" }, { revocation: "good" }] });
  // Live trusts other authorities: here none.
  const { live } = await selo.newOrganization();
  expect(await told(one, live)).toMatchObject({ verdict: "unknown", signatures: [{ chain: "unknown" }] });
  const stranger = authorities().holder();
  expect(await told(signed(stranger))).toMatchObject({ verdict: "unknown", signatures: [{ chain: "unknown" }] });
  const revoked = responder.icp.holder();
  responder.revokes(revoked);
  expect(await told(ofIcp(revoked))).toMatchObject({ verdict: "invalid", signatures: [{ revocation: "revoked" }] });
  // The same where the platform once sealed with it.
  await selo.database.admin.query(
    `insert into platform.seal_certificates (certificate_id, environment, certificate, sealed_key, not_before, not_after, status, retired_at)
     values ('stolen-one', 'test', $1, '\\x00', now() - interval '1 day', now() + interval '1 day', 'retired', now())`,
    [Buffer.from(revoked.chain[0] ?? "", "base64")],
  );
  expect(await told(ofIcp(revoked))).toMatchObject({
    verdict: "invalid",
    signatures: [{ chain: "platform", revocation: "revoked" }],
  });
  const silent = responder.icp.holder();
  responder.answers = false;
  expect(await told(ofIcp(silent))).toMatchObject({ verdict: "unknown", signatures: [{ revocation: "not_checked" }] });
  responder.answers = true;
});

test("other files, files that get no answer, and files that are too large keep nothing", async () => {
  const proof = await ask(stage, "POST", "/proofs", { sha256: createHash("sha256").update("text").digest("hex") });
  const kept = await objects();
  const text = await told(Buffer.from("text"));
  expect(text).toMatchObject({ verdict: "valid", known: [{ as: "proof", id: proof.body.id }], signatures: [] });
  expect(await told(pdf(onePage({ page: "/Rotate 90" })))).toMatchObject({
    verdict: "unknown",
    known: [],
    signatures: [],
  });
  const encrypted = pdf(onePage(), { trailer: "/Encrypt << /Filter /Standard >>" });
  for (const [reason, file] of [
    ["encrypted", encrypted],
    ["damaged", ORDINARY.subarray(0, -7)],
  ] as const) {
    const refused = await validate(file);
    expectError(refused, 422, "unprocessable_pdf", ["file"]);
    expect(refused.text).toContain(reason);
  }
  expectError(await validate(Buffer.alloc(50 * 1024 ** 2 + 1)), 413, "too_large");
  expectError(
    await call(selo, "POST", "/signatures/validate-file", { token: stage.token, body: new FormData() }),
    400,
    "malformed_request",
  );
  expect(await objects()).toEqual(kept);
});

test("the verdict is valid only where all was looked at, and somebody vouches for the whole file", () => {
  const SIGNED_HERE = "a".repeat(64);
  const signer = { name: "MARIA", cpf: null, issuer: "CN=AC", serial: "01", sha256: SIGNED_HERE };
  const sound: JudgedSignature = {
    format: "ETSI.CAdES.detached",
    integrity: "valid",
    coversWholeFile: true,
    signer: null,
    signedAt: new Date("2026-10-01T00:00:00Z"),
    timestamp: "none",
    chain: "icp_brasil",
    revocation: "good",
    revokedAt: null,
  };
  const revoked = { revocation: "revoked", revokedAt: new Date("2026-11-01T00:00:00Z") } as const;
  const verdict = (...changes: readonly Partial<JudgedSignature>[]) =>
    verdictOfFile(
      changes.map((each) => ({ ...sound, ...each })),
      [],
      "unknown",
      new Set([SIGNED_HERE]),
    );
  const part = { coversWholeFile: false };
  expect(verdict({})).toBe("valid");
  expect(verdict(part)).toBe("unknown");
  expect(verdict(part, {})).toBe("unknown");
  expect(verdict({ ...part, signer }, { chain: "platform", revocation: "not_checked" })).toBe("unknown");
  expect(verdict({ chain: "unknown" }, { chain: "platform" })).toBe("unknown");
  expect(verdict({ revocation: "not_checked" })).toBe("unknown");
  expect(verdict(revoked)).toBe("invalid");
  expect(verdict({ ...revoked, timestamp: "valid" })).toBe("unknown");
  expect(verdict({ ...revoked, timestamp: "valid", signedAt: new Date("2026-11-02T00:00:00Z") })).toBe("invalid");
  const integrity = (each: Integrity) => verdict({ integrity: each });
  expect([integrity("not_checked"), integrity("invalid")]).toEqual(["unknown", "invalid"]);
  const timestamp = (each: TimeStamp) => verdict({ timestamp: each });
  expect([timestamp("valid"), timestamp("not_checked"), timestamp("invalid")]).toEqual(["valid", "unknown", "invalid"]);
  const stamp = { format: "ETSI.RFC3161", chain: "unknown", revocation: "not_checked" } as const;
  expect(verdict({ ...stamp, timestamp: "valid" })).toBe("valid");
  expect(verdict({ ...stamp, timestamp: "not_checked" })).toBe("unknown");
  const known = [{ as: "final", id: "", envelope_id: null, at: "" }] as const;
  const final = (given: Partial<JudgedSignature>, ofDigest: "valid" | "invalid" | "unknown" = "valid") =>
    verdictOfFile([{ ...sound, ...given }, sound], known, ofDigest, new Set([SIGNED_HERE]));
  expect(final({ ...part, signer })).toBe("valid");
  expect(final({ ...part, signer: { ...signer, sha256: "b".repeat(64) } })).toBe("unknown");
  expect(final({ ...part, chain: "platform" })).toBe("unknown");
  expect(final({ ...part, signer }, "unknown")).toBe("unknown");
  expect(final({}, "invalid")).toBe("invalid");
  expect(verdictOfFile([], known, "valid", new Set())).toBe("valid");
});
